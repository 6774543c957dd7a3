package websearch

// This file looks for a query below the arguments' own keys, and for what lies
// beside it.

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// wrapped looks into what models put around arguments: a whole call, a schema,
// a chat.
func (x *finder) wrapped(n node) (place, bool) {
	if messages, ok := n.get("messages"); ok && messages.kind() == '[' {
		if p, ok := x.chat(messages.items(), []string{"messages"}, 1); ok {
			return p, true
		}
	}
	path := []string{}
	for range maxDepth {
		inner, key := x.unwrap(n)
		if key == "" {
			return place{}, false
		}
		path = append(path, key)
		if text, ok := inner.text(); ok && inner.kind() == '"' {
			unfolded, isJSON := unfold(text)
			if !isJSON {
				return place{text, path, n}, true
			}
			inner = unfolded
		}
		if _, p, ok := x.alias(inner, path, len(path)); ok {
			return p, true
		}
		if inner.kind() == '[' {
			return x.list(inner, path, len(path))
		}
		n = inner
	}
	return place{}, false
}

// unwrap is the value of the first wrapper key that holds something.
func (x *finder) unwrap(n node) (node, string) {
	for _, key := range []string{"arguments", "args", "parameters", "params", "input", "kwargs", "tool_input", "payload", "request", "function", "properties"} {
		if inner, ok := n.get(key); ok && !inner.absent() {
			return inner, key
		}
	}
	return node{}, ""
}

// nested looks for an alias in the objects below, breadth first.
func (x *finder) nested(n node) (place, bool) {
	type level struct {
		node
		path []string
	}
	queue := []level{{n, nil}}
	for depth := 0; depth <= maxDepth && len(queue) > 0; depth++ {
		var next []level
		for _, l := range queue {
			for _, f := range l.fields() {
				if x.left--; x.left < 0 {
					return place{}, false
				}
				if path := append(slices.Clone(l.path), f.name); f.kind() == '{' {
					next = append(next, level{f.node, path})
				} else if f.kind() == '[' {
					for _, item := range f.items() {
						next = append(next, level{item, path})
					}
				}
			}
		}
		for _, l := range next {
			if _, p, ok := x.alias(l.node, l.path, depth+1); ok {
				return p, true
			}
		}
		queue = next
	}
	return place{}, false
}

// longest is the longest text anywhere, counted in characters, of what is no
// optional parameter and does not name a tool.
func (x *finder) longest(n node) (place, bool) {
	var best place
	most := 0
	var visit func(n node, path []string, depth int)
	visit = func(n node, path []string, depth int) {
		if x.left--; depth > maxDepth || x.left < 0 {
			return
		}
		switch n.kind() {
		case '{':
			fields := n.fields()
			schema := isSchema(fields)
			for _, f := range fields {
				if x.c.isOptional(f.name) || slices.Contains([]string{"role", "type", "$schema"}, f.name) ||
					schema && slices.Contains([]string{"description", "title", "required", "format", "pattern", "enum"}, f.name) {
					continue
				}
				visit(f.node, append(slices.Clone(path), f.name), depth+1)
			}
		case '[':
			for _, item := range n.items() {
				visit(item, path, depth+1)
			}
		case '"':
			text, ok := n.text()
			if size := utf8.RuneCountInString(text); ok && size > most && !x.namesTool(path, text) {
				best, most = place{text: text, path: path}, size
			}
		}
	}
	visit(n, nil, 0)
	return best, most > 0
}

// namesTool reports whether a text is the name of the tool rather than a query.
func (x *finder) namesTool(path []string, text string) bool {
	key := letters(path[len(path)-1])
	if !slices.Contains([]string{"name", "tool", "toolname", "recipientname", "method"}, key) {
		return false
	}
	return !strings.ContainsAny(text, " \t\n") // a query has spaces, or no way to tell
}

// optionals picks the optional parameters beside the query, else those of the
// outermost object: their own names first, then aliases. Values pass as they
// are.
func (x *finder) optionals(near, top node) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, name := range sortedKeys(x.c.OptionalAliases) {
		for _, n := range []node{near, top} {
			if raw, as := x.optional(n, name); as != "" {
				if out[name] = raw; as != name {
					x.renamed = as
				}
				break
			}
		}
	}
	return out
}

func (x *finder) optional(n node, name string) (json.RawMessage, string) {
	for _, as := range append([]string{name}, x.c.OptionalAliases[name]...) {
		if v, ok := n.get(as); ok && !v.absent() {
			return v.raw, as
		}
	}
	return nil, ""
}

// isOptional reports whether a key belongs to an optional parameter.
func (c Config) isOptional(key string) bool {
	for name, aliases := range c.OptionalAliases {
		if key == name || slices.Contains(aliases, key) {
			return true
		}
	}
	return false
}

// letters is a key without case and separators.
func letters(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(s))
}
