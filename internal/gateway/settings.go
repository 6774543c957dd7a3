package gateway

// This file reads upstreams from the configuration, in the form that MCP clients
// use for their servers, with our own keys beside it.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/repair"
	"evergreen/internal/text"
	"evergreen/internal/upstream"
)

// UpstreamsSchema is the JSON Schema of what ParseUpstreams reads.
const UpstreamsSchema = `{"type":"object","additionalProperties":{"type":"object","additionalProperties":false,"properties":{` +
	`"type":{"enum":["stdio","http","sse"],"description":"Transport; told by command or url when absent"},` +
	`"command":{"type":["string","array"],"items":{"type":"string"},"description":"Program to start"},` +
	`"args":{"type":"array","items":{"type":"string"}},` +
	`"env":{"type":"object","additionalProperties":{"type":"string"},"description":"Variables of the program; ${NAME} and ${file:PATH} are replaced"},` +
	`"dir":{"type":"string","description":"Working folder of the program"},` +
	`"url":{"type":"string","description":"Address of the MCP endpoint; ${NAME} and ${file:PATH} are replaced"},` +
	`"headers":{"type":"object","additionalProperties":{"type":"string"},"description":"Sent with every request; ${NAME} and ${file:PATH} are replaced"},` +
	`"forward":{"type":"array","items":{"type":"string"},"description":"Headers of the caller that are passed on"},` +
	`"legacy":{"type":"boolean","description":"Do not try the protocol of 2026-07-28"},` +
	`"prefix":{"type":"string","description":"In front of tool names, with two underscores; default: the upstream's name; empty: bare names"},` +
	`"allow":{"type":"array","items":{"type":"string"},"description":"Patterns of tools to serve; default: all; empty: none"},` +
	`"deny":{"type":"array","items":{"type":"string"},"description":"Patterns of tools not to serve"},` +
	`"aliases":{"type":"object","additionalProperties":{"type":"string"},"description":"Further names of tools"},` +
	`"advertise":{"type":"array","items":{"type":"string"},"description":"Aliases that are listed"},` +
	`"class":{"type":["string","object"],"description":"read, write or destructive: of all tools, or by tool"},` +
	`"repair":{"type":["string","object"],"description":"off, hint-only, safe or full: of all tools, or by tool"},` +
	`"timeout":{"type":["string","integer"],"description":"Longest time of one call"},` +
	`"timeouts":{"type":"object","additionalProperties":{"type":["string","integer"]},"description":"The same by tool"}}}}`

// settings is one upstream as it is written.
type settings struct {
	Type      string              `json:"type"`
	Command   words               `json:"command"`
	Args      []string            `json:"args"`
	Env       map[string]string   `json:"env"`
	Dir       string              `json:"dir"`
	URL       string              `json:"url"`
	Headers   map[string]string   `json:"headers"`
	Forward   []string            `json:"forward"`
	Legacy    bool                `json:"legacy"`
	Prefix    *string             `json:"prefix"`
	Allow     *[]string           `json:"allow"`
	Deny      []string            `json:"deny"`
	Aliases   map[string]string   `json:"aliases"`
	Advertise []string            `json:"advertise"`
	Class     each[repair.Class]  `json:"class"`
	Repair    each[repair.Policy] `json:"repair"`
	Timeout   duration            `json:"timeout"`
	Timeouts  map[string]duration `json:"timeouts"`
}

// ParseUpstreams reads an object of upstreams by name. The result is sorted by
// name. Faults are of kind Invalid and name the upstream and the key.
func ParseUpstreams(raw []byte) ([]Upstream, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "upstreams must be an object of upstreams by name")
	}
	var out []Upstream
	for _, name := range sortedKeys(all) {
		u, err := parseUpstream(name, all[name])
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	_, err := New(Options{Upstreams: out})
	return out, err
}

func parseUpstream(name string, raw json.RawMessage) (Upstream, error) {
	var s settings
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil {
		return Upstream{}, evergreen.Errorf(evergreen.Invalid, "upstream %q must be an object", name)
	}
	known := knownSettings()
	for _, key := range sortedKeys(keys) {
		if !slices.Contains(known, key) {
			return Upstream{}, evergreen.Errorf(evergreen.Invalid, "upstream %q: unknown key %q", name, key).Near(text.Nearest(key, known, 1)...)
		}
		one, err := json.Marshal(map[string]json.RawMessage{key: keys[key]})
		if err != nil {
			return Upstream{}, evergreen.Errorf(evergreen.Invalid, "upstream %q: %w", name, err)
		}
		if err := json.Unmarshal(one, &s); err != nil {
			return Upstream{}, evergreen.Errorf(evergreen.Invalid, "upstream %q: %s has a value of the wrong type", name, key)
		}
	}
	u := Upstream{
		Options: upstream.Options{Name: name, URL: s.URL, SSE: s.Type == "sse", Command: append(s.Command, s.Args...), Env: s.Env, Dir: s.Dir,
			Headers: s.Headers, Forward: s.Forward, Legacy: s.Legacy, Timeout: time.Duration(s.Timeout)},
		Prefix: name, Deny: s.Deny, Aliases: s.Aliases, Advertise: s.Advertise, Classes: s.Class, Policies: s.Repair,
	}
	if s.Prefix != nil {
		u.Prefix = *s.Prefix
	}
	if s.Allow != nil {
		u.Allow, u.Unlisted = *s.Allow, len(*s.Allow) == 0
	}
	if len(s.Timeouts) > 0 {
		u.Timeouts = map[string]time.Duration{}
		for tool, d := range s.Timeouts {
			u.Timeouts[tool] = time.Duration(d)
		}
	}
	switch {
	case !slices.Contains([]string{"", "stdio", "http", "sse", "streamable-http"}, s.Type):
		return u, evergreen.Errorf(evergreen.Invalid, "upstream %q: unknown type %q", name, s.Type).Fix("use stdio, http or sse")
	case s.Type == "stdio" && s.URL != "", s.Type != "" && s.Type != "stdio" && s.URL == "":
		return u, evergreen.Errorf(evergreen.Invalid, "upstream %q: the type %s does not go with what is given", name, s.Type).
			Fix("give stdio a command, http and sse a url")
	}
	return u, nil
}

// knownSettings are the keys of one upstream.
func knownSettings() []string {
	return []string{"type", "command", "args", "env", "dir", "url", "headers", "forward", "legacy", "prefix", "allow", "deny",
		"aliases", "advertise", "class", "repair", "timeout", "timeouts"}
}

// words is a program, or a program and its arguments.
type words []string

// UnmarshalJSON reads a string or an array of strings.
func (w *words) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		if *w = nil; one != "" {
			*w = words{one}
		}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(w))
}

// each is a value for all tools, or one by tool.
type each[T ~string] map[string]T

// UnmarshalJSON reads a string or an object of strings.
func (e *each[T]) UnmarshalJSON(b []byte) error {
	var all T
	if json.Unmarshal(b, &all) == nil {
		*e = each[T]{"*": all}
		return nil
	}
	return json.Unmarshal(b, (*map[string]T)(e))
}

// duration is written "30s" or as milliseconds.
type duration time.Duration

// UnmarshalJSON reads either form.
func (d *duration) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		s = strings.TrimSpace(string(b)) + "ms"
	}
	v, err := time.ParseDuration(s)
	if err != nil || v <= 0 {
		return evergreen.Errorf(evergreen.Invalid, "%q is no duration above 0", s)
	}
	*d = duration(v)
	return nil
}
