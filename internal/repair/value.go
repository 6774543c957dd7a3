package repair

import (
	"encoding/json"
	"errors"
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
	for i, f := range v.fields {
		at := join(path, f.name)
		for j := i - 1; j >= 0 && len(v.fields) <= maxKeys; j-- {
			if v.fields[j].name == f.name && !same(v.fields[j].v, f.v) {
				return at, true
			}
		}
		if p, found := f.v.duplicate(at); found {
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

var (
	errSyntax  = errors.New("not JSON")
	errNesting = errors.New("nested too deeply")
)

// parse reads one JSON value that fills data but for white space.
func parse(data []byte) (*value, error) {
	v, rest, err := parsePrefix(data)
	if err == nil && len(skipSpace(rest)) > 0 {
		return nil, errSyntax
	}
	return v, err
}

// parsePrefix reads the JSON value at the start of data and returns the rest.
func parsePrefix(data []byte) (*value, []byte, error) {
	p := parser{data: data}
	v, err := p.value(0)
	if err != nil {
		return nil, data, err
	}
	return v, data[p.pos:], nil
}

func skipSpace(b []byte) []byte {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return b[i:]
}

type parser struct {
	data []byte
	pos  int
	slab []value
}

func (p *parser) new(k kind, start int) *value {
	if len(p.slab) == 0 {
		p.slab = make([]value, 16)
	}
	v := &p.slab[0]
	p.slab = p.slab[1:]
	v.kind, v.raw = k, p.data[start:p.pos:p.pos]
	return v
}

// peek skips white space and returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; c {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return c
		}
	}
	return 0
}

func (p *parser) value(depth int) (*value, error) {
	if depth > maxNesting {
		return nil, errNesting
	}
	c := p.peek()
	start := p.pos
	switch {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.list(depth)
	case c == '"':
		s, err := p.string()
		if err != nil {
			return nil, err
		}
		v := p.new(kindText, start)
		v.s = s
		return v, nil
	case c == '-' || '0' <= c && c <= '9':
		n := numberLength(p.data[p.pos:])
		if n == 0 {
			return nil, errSyntax
		}
		p.pos += n
		v := p.new(kindNumber, start)
		v.s = string(v.raw)
		return v, nil
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(string(p.data[p.pos:min(len(p.data), p.pos+5)]), word) {
			p.pos += len(word)
			if word == "null" {
				return p.new(kindNull, start), nil
			}
			v := p.new(kindBool, start)
			v.b = word == "true"
			return v, nil
		}
	}
	return nil, errSyntax
}

func (p *parser) object(depth int) (*value, error) {
	start := p.pos
	p.pos++
	var fields []field
	for first := true; ; first = false {
		c := p.peek()
		if c == '}' && first {
			break
		}
		if c != '"' {
			return nil, errSyntax
		}
		name, err := p.string()
		if err != nil {
			return nil, err
		}
		if p.peek() != ':' {
			return nil, errSyntax
		}
		p.pos++
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field{name, v})
		if c = p.peek(); c == '}' {
			break
		} else if c != ',' {
			return nil, errSyntax
		}
		p.pos++
	}
	p.pos++
	v := p.new(kindObject, start)
	v.fields = fields
	return v, nil
}

func (p *parser) list(depth int) (*value, error) {
	start := p.pos
	p.pos++
	var items []*value
	for first := true; ; first = false {
		if p.peek() == ']' && first {
			break
		}
		e, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, e)
		if c := p.peek(); c == ']' {
			break
		} else if c != ',' {
			return nil, errSyntax
		}
		p.pos++
	}
	p.pos++
	v := p.new(kindList, start)
	v.items = items
	return v, nil
}

// string reads the string at pos. Escapes are left to encoding/json.
func (p *parser) string() (string, error) {
	start, escaped := p.pos, false
	for i := p.pos + 1; i < len(p.data); i++ {
		switch c := p.data[i]; {
		case c == '\\':
			escaped = true
			i++
		case c < 0x20:
			return "", errSyntax
		case c == '"':
			p.pos = i + 1
			raw := p.data[start:p.pos]
			if !escaped && utf8.Valid(raw) {
				return string(raw[1 : len(raw)-1]), nil
			}
			var s string
			if json.Unmarshal(raw, &s) != nil {
				return "", errSyntax
			}
			return s, nil
		}
	}
	return "", errSyntax
}

// numberLength is the length of the JSON number at the start of b, 0 if there
// is none.
func numberLength(b []byte) int {
	digits := func(i int) int {
		for i < len(b) && '0' <= b[i] && b[i] <= '9' {
			i++
		}
		return i
	}
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	j := digits(i)
	if j == i || j > i+1 && b[i] == '0' {
		return 0
	}
	if j < len(b) && b[j] == '.' {
		k := digits(j + 1)
		if k == j+1 {
			return 0
		}
		j = k
	}
	if j < len(b) && (b[j] == 'e' || b[j] == 'E') {
		k := j + 1
		if k < len(b) && (b[k] == '+' || b[k] == '-') {
			k++
		}
		l := digits(k)
		if l == k {
			return 0
		}
		j = l
	}
	return j
}
