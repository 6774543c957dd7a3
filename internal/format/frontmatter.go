package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"
)

// Front matter: YAML between "---" and "---" or "...", TOML between "+++", or a
// JSON object, on the first line of a document. Without an end it is text.

// frontMatter is where a document's front matter is and in which language.
type frontMatter struct {
	language    string // "yaml", "toml" or "json"
	start, stop int    // the data between the fences
	end         int    // first byte of the document's text
}

// fields are what front matter says, scalars as written, lists flattened one
// level; keys in lower case.
type fields map[string][]string

// findFrontMatter finds front matter on the first line. A "---" followed by a
// blank line is a thematic break.
func findFrontMatter(text []byte) (frontMatter, bool) {
	at := 0
	if bytes.HasPrefix(text, []byte("\xEF\xBB\xBF")) {
		at = 3
	}
	first, next := lineAt(text, at)
	switch {
	case string(first) == "---":
		if second, _ := lineAt(text, next); len(second) == 0 {
			return frontMatter{}, false
		}
		return fenced(text, "yaml", next, "---", "...")
	case string(first) == "+++":
		return fenced(text, "toml", next, "+++")
	case bytes.HasPrefix(first, []byte("{")):
		return jsonObject(text, at)
	}
	return frontMatter{}, false
}

// lineAt returns the line that begins at offset i, without white space at its
// end, and where the next one begins.
func lineAt(text []byte, i int) (line []byte, next int) {
	rest := text[i:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		return bytes.TrimRight(rest[:n], " \t\r"), i + n + 1
	}
	return bytes.TrimRight(rest, " \t\r"), len(text)
}

func fenced(text []byte, language string, start int, ends ...string) (frontMatter, bool) {
	for i := start; i < len(text); {
		line, next := lineAt(text, i)
		if slices.Contains(ends, string(line)) {
			return frontMatter{language, start, i, next}, true
		}
		i = next
	}
	return frontMatter{}, false
}

// jsonObject takes a JSON object that ends its line.
func jsonObject(text []byte, at int) (frontMatter, bool) {
	dec := json.NewDecoder(bytes.NewReader(text[at:min(len(text), at+maxFrontMatter)]))
	var object map[string]json.RawMessage
	if dec.Decode(&object) != nil {
		return frontMatter{}, false
	}
	stop := at + int(dec.InputOffset())
	rest, next := lineAt(text, stop)
	if len(rest) > 0 {
		return frontMatter{}, false
	}
	return frontMatter{"json", at, stop, next}, true
}

// fields parses the data. What can be read of broken data is returned beside
// the error.
func (fm frontMatter) fields(text []byte) (fields, error) {
	data := text[fm.start:fm.stop]
	if len(data) > maxFrontMatter {
		return nil, fmt.Errorf("%d bytes are too many to read it", len(data))
	}
	switch fm.language {
	case "yaml":
		return yamlFields(data)
	case "toml":
		if deepKeys(data) {
			return nil, errors.New("its keys have too many parts")
		}
		var m map[string]any
		err := toml.Unmarshal(data, &m)
		return flatten(m), err
	default:
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var m map[string]any
		err := dec.Decode(&m)
		return flatten(m), err
	}
}

// yamlFields reads the top level of a YAML mapping; scalars stay as written.
func yamlFields(data []byte) (fields, error) {
	var root yaml.Node
	if err := decodeYAML(data, &root); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil // nothing, or comments only
		}
		return looseFields(data), err
	}
	node := &root
	if node.Kind == yaml.DocumentNode && len(node.Content) > 0 {
		node = node.Content[0]
	}
	if node.Kind != yaml.MappingNode {
		if node.Tag == "!!null" {
			return nil, nil
		}
		return nil, errors.New("it is no list of fields")
	}
	f := fields{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := strings.ToLower(node.Content[i].Value)
		if values := yamlValues(node.Content[i+1]); values != nil && f[key] == nil {
			f[key] = values
		}
	}
	return f, nil
}

// decodeYAML shields from panics of the parser, which front matter of unknown
// origin must not turn into ours.
func decodeYAML(data []byte, out *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("unreadable YAML: %v", r)
		}
	}()
	return yaml.NewDecoder(bytes.NewReader(data)).Decode(out)
}

// yamlValues returns a scalar or the scalars of a list, nil for all else.
func yamlValues(n *yaml.Node) []string {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return nil
		}
		return []string{n.Value}
	case yaml.SequenceNode:
		out := []string{}
		for _, item := range n.Content {
			if item.Kind == yaml.ScalarNode && item.Tag != "!!null" {
				out = append(out, item.Value)
			}
		}
		return out
	}
	return nil
}

// looseFields saves the simple "key: value" lines of YAML that does not parse,
// most often a title with a colon and no quotes.
func looseFields(data []byte) fields {
	f := fields{}
	for line := range strings.Lines(string(data)) {
		key, value, ok := strings.Cut(line, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \t#\"'-[{") {
			continue
		}
		value = strings.TrimSpace(value)
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		key = strings.ToLower(key)
		if value != "" && f[key] == nil && !strings.ContainsAny(value[:1], "[{&*|>") {
			f[key] = []string{value}
		}
	}
	return f
}

// deepKeys reports whether TOML has keys or brackets within each other beyond any
// use: the parser takes the square of their number, in time and in memory. What
// stands in strings is counted too, for only the parser knows where they end.
func deepKeys(data []byte) bool {
	depth := 0
	for line := range bytes.Lines(data) {
		dots := 0
		for _, c := range line {
			switch c {
			case '.':
				dots++
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(depth-1, 0)
			}
			if max(dots, depth) > maxKeyParts {
				return true
			}
		}
	}
	return false
}

// flatten brings decoded TOML or JSON to fields.
func flatten(m map[string]any) fields {
	f := fields{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		key, value := strings.ToLower(name), m[name]
		if f[key] != nil {
			continue
		}
		if list, ok := value.([]any); ok {
			out := []string{}
			for _, item := range list {
				if s, ok := scalar(item); ok {
					out = append(out, s)
				}
			}
			f[key] = out
		} else if s, ok := scalar(value); ok {
			f[key] = []string{s}
		}
	}
	return f
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool, int64, float64, json.Number:
		return fmt.Sprint(v), true
	case time.Time:
		return v.Format(time.RFC3339), true
	}
	return "", false
}
