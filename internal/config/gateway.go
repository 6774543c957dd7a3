package config

// This file reads the settings of the gateway, which are objects.

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"evergreen"
	"evergreen/internal/gateway"
)

// Gateway names other MCP servers behind this one.
type Gateway struct {
	Upstreams []gateway.Upstream
	Aliases   map[string]string // further name to tool
	Repair    string            // policy of tools without one of their own
	Shown     json.RawMessage   // Upstreams as they were written, without secrets
}

// WebSearch says who answers web_search.
type WebSearch struct {
	Upstream string // name of one of the upstreams
	Entry    string // of the table; empty: chosen by the upstream's tools
	Table    string // file that is laid over the built-in table
}

// object is the place of a setting that is a JSON object: the value it was read
// from, and how it is read. Its text is JSON.
type object struct {
	raw    json.RawMessage // what is shown of it; nil when it is not set
	read   func(raw json.RawMessage) error
	schema string
}

// upstreams is the place of gateway.upstreams.
func upstreams(c *Config) any {
	return &object{raw: c.Gateway.Shown, schema: gateway.UpstreamsSchema, read: func(raw json.RawMessage) error {
		list, err := gateway.ParseUpstreams(raw)
		if err == nil {
			c.Gateway.Upstreams, c.Gateway.Shown = list, masked(raw)
		}
		return err
	}}
}

// aliases is the place of gateway.aliases.
func aliases(c *Config) any {
	raw, err := json.Marshal(c.Gateway.Aliases)
	if err != nil || c.Gateway.Aliases == nil {
		raw = nil
	}
	return &object{raw: raw, schema: `{"type":"object","additionalProperties":{"type":"string"}}`, read: func(raw json.RawMessage) error {
		c.Gateway.Aliases = nil
		if len(raw) == 0 {
			return nil
		}
		if err := json.Unmarshal(raw, &c.Gateway.Aliases); err != nil {
			return evergreen.Errorf(evergreen.Invalid, "must be an object of tools by further name")
		}
		return nil
	}}
}

// masked hides the values of headers and variables, unless they only name where
// the value is.
func masked(raw json.RawMessage) json.RawMessage {
	return mapStrings(raw, func(path []string, text string) string {
		secret := len(path) == 3 && (path[1] == "headers" || path[1] == "env")
		if secret && !strings.Contains(text, "${") || len(path) == 2 && path[1] == "url" && strings.Contains(text, "?") && !strings.Contains(text, "${") {
			return "(set)"
		}
		return text
	})
}

// based makes relative paths of upstreams count from a folder.
func based(raw json.RawMessage, folder string) json.RawMessage {
	return mapStrings(raw, func(path []string, text string) string {
		if len(path) == 2 && path[1] == "dir" && text != "" && !filepath.IsAbs(text) {
			return filepath.Join(folder, text)
		}
		const mark = "${file:"
		var b strings.Builder
		for {
			before, rest, found := strings.Cut(text, mark)
			b.WriteString(before)
			if !found {
				return b.String()
			}
			name, after, closed := strings.Cut(rest, "}")
			if closed && name != "" && !filepath.IsAbs(name) {
				name = filepath.Join(folder, name)
			}
			b.WriteString(mark + name)
			if text = after; closed {
				b.WriteString("}")
			}
		}
	})
}

// mapStrings changes every string value of a JSON object, and is given the keys
// that lead to it.
func mapStrings(raw json.RawMessage, change func(path []string, text string) string) json.RawMessage {
	var walk func(path []string, v any) any
	walk = func(path []string, v any) any {
		switch v := v.(type) {
		case string:
			return change(path, v)
		case map[string]any:
			for key, inner := range v {
				v[key] = walk(append(path[:len(path):len(path)], key), inner)
			}
		case []any:
			for i, inner := range v {
				v[i] = walk(append(path[:len(path):len(path)], "[]"), inner)
			}
		}
		return v
	}
	var v any
	if len(raw) == 0 {
		return nil
	}
	if json.Unmarshal(raw, &v) != nil {
		return raw // what is wrong with it is the reader's to say
	}
	return json.RawMessage(compact(walk(nil, v)))
}
