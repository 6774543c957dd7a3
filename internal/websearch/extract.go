package websearch

// This file finds the query in arguments of any shape.

import (
	"encoding/json"
	"slices"
	"strings"
)

// found is a query, where it was, and the optional parameters beside it.
type found struct {
	query     string
	source    string // alias name, bare string, scalar, array, nested:PATH, inferred:PATH
	canonical bool   // the canonical parameter of an object, with optionals by their own names
	optionals map[string]json.RawMessage
}

// shape is the source without the caller's own words, for the log.
func (f found) shape() string {
	kind, _, _ := strings.Cut(f.source, ":")
	return kind
}

// place is a usable text and the way to it.
type place struct {
	text string
	path []string // keys from the top
	in   node     // the object that holds it, for the optionals beside it
}

// extract finds the query. ok is false when there is none.
func (c Config) extract(arguments json.RawMessage) (f found, ok bool) {
	x := &finder{c: c, left: maxNodes}
	n := node{arguments}
	decoded := false
	if n.kind() == '"' {
		text, usable := n.text()
		if !usable {
			return f, false
		}
		inner, isJSON := unfold(text)
		if !isJSON {
			return found{query: text, source: "bare string"}, true
		}
		n, decoded = inner, true
	}
	switch n.kind() {
	case '{':
		f, ok = x.object(n)
	case '[':
		if p, usable := x.list(n, nil, 0); usable {
			f, ok = found{query: p.text, source: "array", optionals: x.optionals(p.in, node{})}, true
		}
	default:
		if text, usable := n.text(); usable {
			f, ok = found{query: text, source: "scalar"}, true
		}
	}
	if decoded {
		f.canonical = false
		if f.source == c.CanonicalParam {
			f.source = "JSON string:" + f.source
		}
	}
	return f, ok
}

// finder looks for one query; left bounds the values it looks at.
type finder struct {
	c       Config
	left    int
	renamed string // an optional that came under another name
}

// object finds the query of the arguments' own object.
func (x *finder) object(n node) (found, bool) {
	if alias, p, ok := x.alias(n, nil, 0); ok {
		f := found{query: p.text, source: alias}
		switch v, _ := n.get(alias); {
		case v.kind() == '{', v.kind() == '[', len(p.path) > 1:
			f.source = "nested:" + strings.Join(p.path, ".")
		case v.kind() != '"':
			f.source = "scalar"
		}
		f.optionals = x.optionals(p.in, n)
		f.canonical = f.source == x.c.CanonicalParam && x.renamed == ""
		if x.renamed != "" && f.source == x.c.CanonicalParam {
			f.source = "optional:" + x.renamed
		}
		return f, true
	}
	for _, step := range []func(node) (place, bool){x.wrapped, x.nested} {
		if p, ok := step(n); ok {
			return found{query: p.text, source: "nested:" + strings.Join(p.path, "."), optionals: x.optionals(p.in, n)}, true
		}
	}
	if p, ok := x.longest(n); ok {
		return found{query: p.text, source: "inferred:" + strings.Join(p.path, "."), optionals: x.optionals(n, node{})}, true
	}
	return found{}, false
}

// alias looks at an object's own keys in the configured order: as they are
// written, then without regard to case and separators.
func (x *finder) alias(n node, path []string, depth int) (string, place, bool) {
	fields := n.fields()
	for _, same := range []func(a, b string) bool{
		func(a, b string) bool { return a == b },
		func(a, b string) bool { return letters(a) == letters(b) },
	} {
		for _, alias := range x.c.QueryAliases {
			for _, f := range slices.Backward(fields) { // of two the last counts
				if !same(f.name, alias) {
					continue
				}
				if p, ok := x.usable(f.node, append(slices.Clone(path), f.name), n, depth+1); ok {
					return f.name, p, true
				}
			}
		}
	}
	return "", place{}, false
}

// usable turns a value into a query: text as it is, objects and arrays drilled.
func (x *finder) usable(n node, path []string, in node, depth int) (place, bool) {
	if x.left--; depth > maxDepth || x.left < 0 {
		return place{}, false
	}
	switch n.kind() {
	case '{':
		return x.drill(n, path, depth)
	case '[':
		return x.list(n, path, depth)
	}
	text, ok := n.text()
	if !ok {
		return place{}, false
	}
	if inner := (node{json.RawMessage(text)}); n.kind() == '"' && inner.kind() == '{' && json.Valid(inner.raw) {
		if _, p, ok := x.alias(inner, path, depth); ok { // a whole call in one text
			return p, true
		}
	}
	return place{text, path, in}, true
}

// drill finds the text of an object that stands for a query: the customary keys
// first, then whatever comes first.
func (x *finder) drill(n node, path []string, depth int) (place, bool) {
	fields := n.fields()
	if isSchema(fields) {
		fields = slices.DeleteFunc(fields, func(f field) bool { return f.name != "value" && f.name != "default" && f.name != "const" })
	}
	for _, key := range []string{"text", "value", "content", "query", "q", "data", "input"} {
		for _, f := range fields {
			if f.name == key {
				if p, ok := x.usable(f.node, append(slices.Clone(path), f.name), n, depth+1); ok {
					return p, true
				}
			}
		}
	}
	for _, f := range fields {
		if f.name == "role" || f.name == "type" {
			continue
		}
		if p, ok := x.usable(f.node, append(slices.Clone(path), f.name), n, depth+1); ok {
			return p, true
		}
	}
	return place{}, false
}

// isSchema reports whether an object describes a parameter instead of giving it
// a value.
func isSchema(fields []field) bool {
	described := false
	for _, f := range fields {
		text, _ := f.text()
		if f.name == "type" {
			described = slices.Contains([]string{"string", "number", "integer", "boolean", "array", "object"}, text)
		}
	}
	return described
}

// list finds the first usable element; of a chat, the last user message.
func (x *finder) list(n node, path []string, depth int) (place, bool) {
	items := n.items()
	if p, ok := x.chat(items, path, depth); ok {
		return p, true
	}
	for _, item := range items {
		if item.kind() == '{' {
			if _, p, ok := x.alias(item, path, depth+1); ok {
				return p, true
			}
		}
		if p, ok := x.usable(item, path, node{}, depth+1); ok {
			return p, true
		}
	}
	return place{}, false
}

// chat is the last user message of a list of messages.
func (x *finder) chat(items []node, path []string, depth int) (place, bool) {
	for _, item := range slices.Backward(items) {
		role, _ := item.get("role")
		if text, _ := role.text(); text != "user" {
			continue
		}
		if said, ok := item.get("content"); ok {
			if said.kind() == '[' { // parts: the last one that is text
				for _, part := range slices.Backward(said.items()) {
					if p, ok := x.usable(part, path, item, depth+1); ok {
						return p, true
					}
				}
				continue
			}
			if p, ok := x.usable(said, path, item, depth+1); ok {
				return p, true
			}
		}
	}
	return place{}, false
}
