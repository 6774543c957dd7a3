package websearch

// This file reads JSON in the order in which it was written, value by value, and
// text that is meant to be JSON.

import (
	"bytes"
	"encoding/json"
	"strings"

	"evergreen/internal/repair"
)

// node is one JSON value as it was sent.
type node struct{ raw json.RawMessage }

// field is one member of an object.
type field struct {
	name string
	node
}

// kind is the first character of the value: { [ " t f n, 0 for a number, and a
// space for nothing.
func (n node) kind() byte {
	raw := bytes.TrimSpace(n.raw)
	if len(raw) == 0 {
		return ' '
	}
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		return c
	}
	return '0'
}

// fields lists an object's members in order.
func (n node) fields() []field {
	var out []field
	dec := n.open('{')
	for dec != nil && dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		var v json.RawMessage
		if err != nil || !ok || dec.Decode(&v) != nil {
			return out
		}
		out = append(out, field{name, node{v}})
	}
	return out
}

// items lists an array's elements.
func (n node) items() []node {
	var out []node
	dec := n.open('[')
	for dec != nil && dec.More() {
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			return out
		}
		out = append(out, node{v})
	}
	return out
}

// open starts reading an object or array; nil when it is none.
func (n node) open(kind byte) *json.Decoder {
	if n.kind() != kind {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(n.raw))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	return dec
}

// get is the member of a name; the last one when it is there twice, as JSON
// readers do.
func (n node) get(name string) (node, bool) {
	var v node
	found := false
	for _, f := range n.fields() {
		if f.name == name {
			v, found = f.node, true
		}
	}
	return v, found
}

// text is a usable scalar: text that is not blank, a number with its own digits,
// true or false.
func (n node) text() (string, bool) {
	switch n.kind() {
	case '"':
		var s string
		if json.Unmarshal(n.raw, &s) != nil || strings.TrimSpace(s) == "" {
			return "", false
		}
		return s, true
	case '0', 't', 'f':
		return string(bytes.TrimSpace(n.raw)), true
	}
	return "", false
}

// absent reports whether a value says nothing: null, or blank text.
func (n node) absent() bool {
	switch n.kind() {
	case ' ', 'n':
		return true
	case '"':
		_, ok := n.text()
		return !ok
	}
	return false
}

// unfold reads text that is an object or an array, up to maxDecode times: JSON,
// or JSON as models write it (fences, quotes of other languages, commas too
// many).
func unfold(s string) (node, bool) {
	for range maxDecode {
		text := strings.TrimSpace(s)
		var inner string
		switch {
		case text == "":
			return node{}, false
		case json.Valid([]byte(text)):
			n := node{json.RawMessage(text)}
			if k := n.kind(); k == '{' || k == '[' {
				return n, true
			}
			if n.kind() != '"' || json.Unmarshal(n.raw, &inner) != nil {
				return node{}, false
			}
			s = inner
			continue
		}
		return mend(text)
	}
	return node{}, false
}

// mend reads an object out of text that only nearly is one.
func mend(text string) (node, bool) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "```") {
		return node{}, false
	}
	cat, err := repair.NewCatalogue([]repair.Tool{{Name: "any", Class: repair.Read}}, repair.Options{})
	if err != nil {
		return node{}, false
	}
	params, err := plainJSON(map[string]string{"name": "any", "arguments": text})
	if err != nil {
		return node{}, false
	}
	if res := repair.Call(params, cat); res.Outcome != repair.Refused && len(res.Arguments) > 0 {
		return node{res.Arguments}, true
	}
	return node{}, false
}

// plainJSON is v as JSON with <, > and & as they are.
func plainJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
