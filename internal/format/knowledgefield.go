package format

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Reading single fields of a context.json. A field of the wrong type is read as
// far as its meaning is plain and named in a warning otherwise.

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// object reads a JSON object; at names it in the warning when it is none.
func (r *knowledgeReader) object(at string, raw json.RawMessage) (map[string]json.RawMessage, bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) == nil && m != nil {
		return m, true
	}
	if at != "" && !isNull(raw) {
		r.warn("%s: not an object", at)
	} else if strings.HasPrefix(at, "entries") {
		r.warn("%s: null; the entry is left out", at)
	}
	return nil, false
}

// text reads a string without the white space around it.
func (r *knowledgeReader) text(at string, m map[string]json.RawMessage, name string) string {
	return strings.TrimSpace(r.exact(at, m, name))
}

// exact reads a string as it is; a number is taken as written.
func (r *knowledgeReader) exact(at string, m map[string]json.RawMessage, name string) string {
	raw := m[name]
	if isNull(raw) {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	r.warn("%s%s: not a string", at, name)
	return ""
}

// list reads a list of strings, or one string with commas.
func (r *knowledgeReader) list(at string, m map[string]json.RawMessage, name string) []string {
	out := []string{}
	raw := m[name]
	if isNull(raw) {
		return out
	}
	var items []any
	if json.Unmarshal(raw, &items) != nil {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			r.warn("%s%s: not a list of strings", at, name)
			return out
		}
		for part := range strings.SplitSeq(s, ",") {
			items = append(items, part)
		}
	}
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			r.warn("%s%s: holds what is no string", at, name)
		} else if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// number reads a number, also one in quotes.
func (r *knowledgeReader) number(at string, m map[string]json.RawMessage, name string) (float64, bool) {
	raw := m[name]
	if isNull(raw) {
		return 0, false
	}
	var f float64
	if json.Unmarshal(raw, &f) == nil {
		return f, true
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && f == f {
			return f, true
		}
	}
	r.warn("%s%s: not a number", at, name)
	return 0, false
}
