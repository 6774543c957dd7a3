// Package jsonvalue holds JSON values that keep the bytes they came from, and
// reads text that is JSON or nearly so. It serves the repair of tool calls and
// knows nothing of tools and schemas.
package jsonvalue

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

// Kind is the kind of a JSON value.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is one JSON value. A value is never changed once it is built; repairs
// build new ones.
type Value struct {
	Kind   Kind
	Bool   bool
	Text   string // text: decoded; number: its literal
	Raw    []byte // source bytes, nil for a value that a repair built
	Items  []*Value
	Fields []Field // source order; sorted by name in values that a repair built
}

// Field is one member of an object.
type Field struct {
	Name  string
	Value *Value
}

// NewText, NewNumber and NewList build values; a number's literal goes on as it
// is.
func NewText(s string) *Value         { return &Value{Kind: Text, Text: s} }
func NewNumber(literal string) *Value { return &Value{Kind: Number, Text: literal} }
func NewList(items ...*Value) *Value  { return &Value{Kind: List, Items: items} }

// NewObject builds an object of the fields, sorted by name.
func NewObject(fields []Field) *Value {
	slices.SortStableFunc(fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return &Value{Kind: Object, Fields: fields}
}

// Get returns the last field of that name, as decoders do, or nil.
func (v *Value) Get(name string) *Value {
	for i := len(v.Fields) - 1; i >= 0; i-- {
		if v.Fields[i].Name == name {
			return v.Fields[i].Value
		}
	}
	return nil
}

// Sorted returns the fields in the order of their names, one of each name.
func (v *Value) Sorted() []Field {
	out := slices.Clone(v.Fields)
	slices.SortStableFunc(out, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	n := 0
	for i, f := range out {
		if i+1 < len(out) && out[i+1].Name == f.Name {
			continue
		}
		out[n] = f
		n++
	}
	return out[:n]
}

// Plain is v as the validator wants it. Numbers beyond float64 become its
// largest values, because the validator cannot hold infinities.
func (v *Value) Plain() any {
	switch v.Kind {
	case Bool:
		return v.Bool
	case Number:
		return plainNumber(v.Text)
	case Text:
		return v.Text
	case List:
		out := make([]any, len(v.Items))
		for i, e := range v.Items {
			out[i] = e.Plain()
		}
		return out
	case Object:
		out := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			out[f.Name] = f.Value.Plain()
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

// AppendJSON appends v as JSON: its own bytes where it has them.
func (v *Value) AppendJSON(dst []byte) []byte {
	if v.Raw != nil {
		return append(dst, v.Raw...)
	}
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(dst, v.Bool)
	case Number:
		return append(dst, v.Text...)
	case Text:
		return AppendQuoted(dst, v.Text)
	case List:
		dst = append(dst, '[')
		for i, e := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.AppendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, f := range v.Fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendQuoted(dst, f.Name), ':')
			dst = f.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// AppendQuoted appends s as a JSON string; invalid bytes become U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0 // of what can be copied as it is
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			if _, size = utf8.DecodeRuneInString(s[i:]); size > 1 {
				i += size
				continue
			}
		}
		dst = appendEscaped(append(dst, s[from:i]...), c)
		i += size
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// appendEscaped appends a byte that may not stand in a JSON string as it is.
func appendEscaped(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\t':
		return append(dst, '\\', 't')
	case c == '\r':
		return append(dst, '\\', 'r')
	case c < 0x20:
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
	return utf8.AppendRune(dst, utf8.RuneError)
}

// Same reports whether two values are equal as JSON: key order is ignored,
// numbers are compared by their literals.
func Same(a, b *Value) bool {
	if a.Kind != b.Kind || a.Bool != b.Bool || a.Text != b.Text || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		if !Same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	if a.Kind != Object {
		return true
	}
	x, y := a.Sorted(), b.Sorted()
	return slices.EqualFunc(x, y, func(f, g Field) bool { return f.Name == g.Name && Same(f.Value, g.Value) })
}

// Absent reports whether a value stands for "not given".
func Absent(v *Value) bool {
	switch v.Kind {
	case Null:
		return true
	case Text:
		switch strings.ToLower(strings.TrimSpace(v.Text)) {
		case "", "null", "none", "nil", "undefined":
			return true
		}
	}
	return false
}

// Duplicate returns the path of a key that occurs twice with different values
// in one object: readers disagree which of them counts.
func (v *Value) Duplicate(path string) (string, bool) {
	var seen map[string]*Value // small objects are searched, large ones looked up
	if len(v.Fields) > 16 {
		seen = make(map[string]*Value, len(v.Fields))
	}
	for i, f := range v.Fields {
		first := seen[f.Name]
		for j := 0; seen == nil && first == nil && j < i; j++ {
			if v.Fields[j].Name == f.Name {
				first = v.Fields[j].Value
			}
		}
		if first != nil && !Same(first, f.Value) {
			return Join(path, f.Name), true
		}
		if seen != nil && first == nil {
			seen[f.Name] = f.Value
		}
		if f.Value.Kind != Object && f.Value.Kind != List {
			continue
		}
		if p, found := f.Value.Duplicate(Join(path, f.Name)); found {
			return p, true
		}
	}
	for i, e := range v.Items {
		if e.Kind == Object || e.Kind == List {
			if p, found := e.Duplicate(path + "[" + strconv.Itoa(i) + "]"); found {
				return p, true
			}
		}
	}
	return "", false
}

// Join appends a key to a path.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
