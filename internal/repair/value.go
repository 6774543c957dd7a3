package repair

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file holds the JSON value that repairs work on: it keeps the source
// bytes of everything that is not touched, so that numbers and escapes go on
// exactly as they came.

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindText
	kindList
	kindObject
)

func (k kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// value is one JSON value. A value is never changed once it is built; repairs
// build new ones.
type value struct {
	kind   kind
	b      bool
	s      string // text: decoded; number: its literal
	raw    []byte // source bytes, nil for a value that a repair built
	items  []*value
	fields []field // source order; sorted by name in values that a repair built
}

type field struct {
	name string
	v    *value
}

func textValue(s string) *value         { return &value{kind: kindText, s: s} }
func numberValue(literal string) *value { return &value{kind: kindNumber, s: literal} }
func listValue(items ...*value) *value  { return &value{kind: kindList, items: items} }

// objectValue builds an object of the fields, sorted by name.
func objectValue(fields []field) *value {
	slices.SortStableFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return &value{kind: kindObject, fields: fields}
}

// get returns the last field of that name, as decoders do, or nil.
func (v *value) get(name string) *value {
	for i := len(v.fields) - 1; i >= 0; i-- {
		if v.fields[i].name == name {
			return v.fields[i].v
		}
	}
	return nil
}

// sorted returns the fields in the order of their names, one of each name.
func (v *value) sorted() []field {
	out := slices.Clone(v.fields)
	slices.SortStableFunc(out, func(a, b field) int { return strings.Compare(a.name, b.name) })
	n := 0
	for i, f := range out {
		if i+1 < len(out) && out[i+1].name == f.name {
			continue
		}
		out[n] = f
		n++
	}
	return out[:n]
}

// plain is v as the validator wants it. Numbers beyond float64 become its
// largest values, because the validator cannot hold infinities.
func (v *value) plain() any {
	switch v.kind {
	case kindBool:
		return v.b
	case kindNumber:
		return plainNumber(v.s)
	case kindText:
		return v.s
	case kindList:
		out := make([]any, len(v.items))
		for i, e := range v.items {
			out[i] = e.plain()
		}
		return out
	case kindObject:
		out := make(map[string]any, len(v.fields))
		for _, f := range v.fields {
			out[f.name] = f.v.plain()
		}
		return out
	}
	return nil
}

func plainNumber(literal string) any {
	if len(literal) < 19 {
		if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
			return n
		}
	}
	f, _ := strconv.ParseFloat(literal, 64)
	return max(-math.MaxFloat64, min(math.MaxFloat64, f))
}

// appendJSON appends v as JSON: its own bytes where it has them.
func (v *value) appendJSON(dst []byte) []byte {
	if v.raw != nil {
		return append(dst, v.raw...)
	}
	switch v.kind {
	case kindBool:
		return strconv.AppendBool(dst, v.b)
	case kindNumber:
		return append(dst, v.s...)
	case kindText:
		return appendQuoted(dst, v.s)
	case kindList:
		dst = append(dst, '[')
		for i, e := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.appendJSON(dst)
		}
		return append(dst, ']')
	case kindObject:
		dst = append(dst, '{')
		for i, f := range v.fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, f.name), ':')
			dst = f.v.appendJSON(dst)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s { // an invalid byte arrives as U+FFFD
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// same reports whether two values are equal as JSON: key order is ignored,
// numbers are compared by their literals.
func same(a, b *value) bool {
	if a.kind != b.kind || a.b != b.b || a.s != b.s || len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		if !same(a.items[i], b.items[i]) {
			return false
		}
	}
	if a.kind != kindObject {
		return true
	}
	x, y := a.sorted(), b.sorted()
	return slices.EqualFunc(x, y, func(f, g field) bool { return f.name == g.name && same(f.v, g.v) })
}

// duplicate returns the path of a key that occurs twice with different values
// in one object: readers disagree which of them counts.
func (v *value) duplicate(path string) (string, bool) {
	var seen map[string]*value // small objects are searched, large ones looked up
	if len(v.fields) > 16 {
		seen = make(map[string]*value, len(v.fields))
	}
	for i, f := range v.fields {
		first := seen[f.name]
		for j := 0; seen == nil && first == nil && j < i; j++ {
			if v.fields[j].name == f.name {
				first = v.fields[j].v
			}
		}
		if first != nil && !same(first, f.v) {
			return join(path, f.name), true
		}
		if seen != nil && first == nil {
			seen[f.name] = f.v
		}
		if f.v.kind != kindObject && f.v.kind != kindList {
			continue
		}
		if p, found := f.v.duplicate(join(path, f.name)); found {
			return p, true
		}
	}
	for i, e := range v.items {
		if e.kind == kindObject || e.kind == kindList {
			if p, found := e.duplicate(path + "[" + strconv.Itoa(i) + "]"); found {
				return p, true
			}
		}
	}
	return "", false
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
