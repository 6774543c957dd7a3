package jsonvalue

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// This file reads JSON into values: strictly, with a bound on nesting, and with
// the source bytes kept.

var (
	errSyntax  = errors.New("not JSON")
	ErrNesting = errors.New("nested too deeply")
)

// Parse reads one JSON value that fills data but for white space.
func Parse(data []byte) (*Value, error) {
	v, rest, err := parsePrefix(data)
	if err == nil && len(skipSpace(rest)) > 0 {
		return nil, errSyntax
	}
	return v, err
}

// Skim is Parse that builds nothing of those members of the outermost object that
// skip names: they have their kind and their bytes only. ok is false when Parse
// may not agree.
func Skim(data []byte, skip func(name string) bool) (v *Value, ok bool) {
	p := parser{data: data, skip: skip}
	v, err := p.value(0)
	return v, err == nil && len(skipSpace(data[p.pos:])) == 0
}

// parsePrefix reads the JSON value at the start of data and returns the rest.
func parsePrefix(data []byte) (*Value, []byte, error) {
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
	slab []Value
	skip func(name string) bool // of the members of the outermost object; nil: none
}

func (p *parser) new(k Kind, start int) *Value {
	if len(p.slab) == 0 {
		p.slab = make([]Value, 8)
	}
	v := &p.slab[0]
	p.slab = p.slab[1:]
	v.Kind, v.Raw = k, p.data[start:p.pos:p.pos]
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

func (p *parser) value(depth int) (*Value, error) {
	if depth > MaxNesting {
		return nil, ErrNesting
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
		v := p.new(Text, start)
		v.Text = s
		return v, nil
	case c == '-' || '0' <= c && c <= '9':
		n := NumberLength(p.data[p.pos:])
		if n == 0 {
			return nil, errSyntax
		}
		p.pos += n
		v := p.new(Number, start)
		v.Text = string(v.Raw)
		return v, nil
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(string(p.data[p.pos:min(len(p.data), p.pos+5)]), word) {
			p.pos += len(word)
			if word == "null" {
				return p.new(Null, start), nil
			}
			v := p.new(Bool, start)
			v.Bool = word == "true"
			return v, nil
		}
	}
	return nil, errSyntax
}

func (p *parser) object(depth int) (*Value, error) {
	start := p.pos
	p.pos++
	var fields []Field
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
		v, err := p.member(name, depth+1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, Field{name, v})
		if c = p.peek(); c == '}' {
			break
		} else if c != ',' {
			return nil, errSyntax
		}
		p.pos++
	}
	p.pos++
	v := p.new(Object, start)
	v.Fields = fields
	return v, nil
}

// member reads the value of a member, or passes over it.
func (p *parser) member(name string, depth int) (*Value, error) {
	if c := p.peek(); c != '{' || depth > 1 || p.skip == nil || !p.skip(name) {
		return p.value(depth)
	}
	start := p.pos
	end, ok := scanner{p.data}.value(start, maxScanned-MaxNesting+depth)
	if !ok {
		return nil, errSyntax
	}
	p.pos = end
	return p.new(Object, start), nil
}

func (p *parser) list(depth int) (*Value, error) {
	start := p.pos
	p.pos++
	var items []*Value
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
	v := p.new(List, start)
	v.Items = items
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

// NumberLength is the length of the JSON number at the start of b, 0 if there
// is none.
func NumberLength(b []byte) int {
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
