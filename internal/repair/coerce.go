package repair

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// This file changes the form of values that do not validate (stage 6). A value
// that validates is never touched.

// values repairs the fields that fail. Fields keep their names; an optional one
// that holds nothing is dropped.
func (r *run) values(path string, fields []field, s *shape) []field {
	var out []field
	for _, f := range fields {
		at := join(path, f.name)
		ps := s.shapeOf(f.name)
		if ps == nil {
			ps = s.rest
		}
		if ps == nil || ps.valid(f.v) {
			out = append(out, f)
			continue
		}
		optional := !s.needs(f.name)
		if optional && r.tool.ladder.shape && absent(f.v) {
			r.note(stageValue, ValueAbsent, at, "empty optional dropped")
			continue
		}
		c := coercion{run: r, path: at, name: f.name, optional: optional}
		switch v, drop := c.value(f.v, ps); {
		case drop:
			r.note(stageValue, ValueAbsent, at, "0 → default")
		case v != nil:
			out = append(out, field{f.name, v})
		default:
			out = append(out, f)
		}
	}
	return out
}

// fits reports whether v validates or can be made to, without noting how.
func (r *run) fits(v *value, s *shape) bool {
	if absent(v) || s.valid(v) {
		return true
	}
	mark := len(r.changes)
	c := coercion{run: r}
	got, _ := c.value(v, s)
	r.changes = r.changes[:mark]
	return got != nil
}

// coercion is the repair of one parameter's value.
type coercion struct {
	*run
	path, name string
	optional   bool
	depth      int
}

// value returns a form of v that validates against s, nil if there is none.
// drop says that v asks for the default.
func (c coercion) value(v *value, s *shape) (out *value, drop bool) {
	if c.steps += 1 + len(v.raw)>>8; c.steps > maxSteps || c.depth > maxNesting {
		return nil, false
	}
	c.depth++
	for _, b := range s.branches {
		asked := false
		if out = c.attempt(func(v *value, _ *shape) (got *value) { got, asked = c.value(v, b); return got }, v, s); out != nil {
			return out, false
		}
		drop = drop || asked
	}
	for _, convert := range []func(*value, *shape) *value{c.lossless, c.decoded, c.nested} {
		if out = c.attempt(convert, v, s); out != nil {
			return out, false
		}
	}
	if !c.tool.ladder.shape {
		return nil, false
	}
	for _, convert := range []func(*value, *shape) *value{c.spelt, c.nulled, c.inner, c.split, c.listed} {
		if out = c.attempt(convert, v, s); out != nil {
			return out, false
		}
	}
	out, asked := c.clamped(v, s)
	return out, out == nil && (drop || asked)
}

// attempt runs one conversion and keeps its result and notes only if it
// validates.
func (c coercion) attempt(convert func(*value, *shape) *value, v *value, s *shape) *value {
	mark := len(c.changes)
	if out := convert(v, s); out != nil && s.valid(out) {
		return out
	}
	c.run.changes = c.changes[:mark]
	return nil
}

func (c coercion) did(code, detail string) { c.note(stageValue, code, c.path, detail) }

// lossless changes between text and number or boolean, digits kept.
func (c coercion) lossless(v *value, s *shape) *value {
	switch {
	case v.kind == kindText && s.types.has(typeInteger|typeNumber):
		if n := number(v.s, !s.types.has(typeNumber)); n != nil {
			c.did(ValueType, "string → number")
			return n
		}
	case v.kind == kindNumber && s.types.has(typeText):
		c.did(ValueType, "number → string")
		return textValue(v.s)
	case v.kind == kindBool && s.types.has(typeText):
		c.did(ValueType, "boolean → string")
		return textValue(strconv.FormatBool(v.b))
	}
	if v.kind == kindText && s.types.has(typeBool) {
		switch strings.ToLower(strings.TrimSpace(v.s)) {
		case "true":
			c.did(ValueType, "string → boolean")
			return &value{kind: kindBool, b: true}
		case "false":
			c.did(ValueType, "string → boolean")
			return &value{kind: kindBool}
		}
	}
	return nil
}

// number reads decimal text. An integer may be written with zeros behind the
// point ("5.0") or in front ("007"); a number keeps its digits.
func number(s string, integer bool) *value {
	s = strings.TrimSpace(s)
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "+"), "-")
	if digits == "" || len(digits) > 64 || strings.Trim(digits, "0123456789.") != "" || digits[0] == '.' {
		return nil
	}
	rat, ok := new(big.Rat).SetString(s)
	switch {
	case !ok:
		return nil
	case rat.IsInt() && (integer || !strings.Contains(s, ".")):
		return numberValue(rat.Num().String())
	case integer || numberLength([]byte(s)) != len(s):
		return nil
	}
	return numberValue(s)
}

// decoded reads text as the array or object that the schema wants.
func (c coercion) decoded(v *value, s *shape) *value {
	if v.kind != kindText || !s.types.has(typeList|typeObject) {
		return nil
	}
	in, how, reading := c.texts.read(v.s)
	if reading != readContainer {
		return nil
	}
	c.did(ValueDecoded, how+" → "+in.kind.String())
	if s.valid(in) {
		return in
	}
	out, _ := c.value(in, s)
	return out
}

// nested repairs the parts of an array or object.
func (c coercion) nested(v *value, s *shape) *value {
	switch {
	case v.kind == kindObject && s.types.has(typeObject):
		out, fault := c.object(c.path, v, s)
		if fault != nil {
			return nil
		}
		return out
	case v.kind == kindList && s.types.has(typeList) && s.items != nil:
		items := slices.Clone(v.items)
		for i, e := range items {
			if s.items.valid(e) {
				continue
			}
			part := c
			part.path, part.optional = c.path+"["+strconv.Itoa(i)+"]", false
			if items[i], _ = part.value(e, s.items); items[i] == nil {
				return nil
			}
		}
		return listValue(items...)
	}
	return nil
}

// spelt finds the enum value that a text spells.
func (c coercion) spelt(v *value, s *shape) *value {
	if v.kind != kindText || len(s.allowed) == 0 {
		return nil
	}
	found := enumMatch(v.s, s.allowed)
	if found != nil {
		c.did(ValueEnum, "other spelling → "+cut(found.s, maxEcho))
	}
	return found
}

// nulled gives a required parameter that allows it the null that was spelt.
func (c coercion) nulled(v *value, s *shape) *value {
	if !absent(v) || !s.types.has(typeNull) {
		return nil
	}
	c.did(ValueType, "string → null")
	return &value{}
}

// inner takes a value out of an array of one or of an object around it.
func (c coercion) inner(v *value, s *shape) *value {
	code, inner := ValueItem, (*value)(nil)
	switch {
	case v.kind == kindList && len(v.items) == 1:
		inner = v.items[0]
	case v.kind == kindObject && !s.types.has(typeObject):
		code = ValueInner
		for _, key := range []string{"value", "text", "content", "query"} {
			if e := v.get(key); e != nil && e.kind != kindObject && !absent(e) {
				if inner != nil && !same(inner, e) {
					return nil
				}
				inner = e
			}
		}
	}
	if inner == nil {
		return nil
	}
	c.did(code, v.kind.String()+" → its "+inner.kind.String())
	if s.valid(inner) {
		return inner
	}
	out, _ := c.value(inner, s)
	return out
}

// split reads comma text as an array of texts.
func (c coercion) split(v *value, s *shape) *value {
	if v.kind != kindText || !s.types.has(typeList) || s.items == nil || !s.items.types.has(typeText) && len(s.items.allowed) == 0 {
		return nil
	}
	items := commaItems(v.s)
	if items == nil {
		return nil
	}
	c.did(ValueSplit, "comma text → array")
	return c.orNested(listValue(items...), s)
}

// commaItems takes comma text apart. Text with brackets, quotes or URL queries
// in it is no list, and commas inside one URL do not count: nil.
func commaItems(s string) []*value {
	if !strings.Contains(s, ",") || strings.ContainsAny(s, "?&{}[]\"'") {
		return nil
	}
	var items []*value
	urls := 0
	for _, part := range strings.Split(s, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if strings.Contains(part, "://") {
			urls++
		}
		items = append(items, textValue(part))
	}
	if urls > 0 && urls < len(items) {
		return nil
	}
	return items
}

func (c coercion) orNested(v *value, s *shape) *value {
	if s.valid(v) {
		return v
	}
	return c.nested(v, s)
}

// listed puts one value into the array that the schema wants; not the text of a
// container or a comma list, which would have been read if it could.
func (c coercion) listed(v *value, s *shape) *value {
	if v.kind == kindList || v.kind == kindNull || !s.types.has(typeList) {
		return nil
	}
	if v.kind == kindText {
		_, _, reading := c.texts.read(v.s)
		if reading != readNothing || s.items != nil && s.items.types == typeText && commaItems(v.s) != nil {
			return nil
		}
	}
	c.did(ValueList, v.kind.String()+" → array of one")
	return c.orNested(listValue(v), s)
}

// clamped brings a limit into its bounds; a zero where none is allowed asks for
// the default. A negative one is left alone: it may ask for everything.
func (c coercion) clamped(v *value, s *shape) (out *value, drop bool) {
	if !c.tool.ladder.guess || !c.optional || !limitLike(c.name) || !s.types.has(typeInteger|typeNumber) {
		return nil, false
	}
	if v.kind == kindText {
		if v = number(v.s, !s.types.has(typeNumber)); v == nil {
			return nil, false
		}
	}
	n, err := strconv.ParseFloat(v.s, 64)
	var bound *float64
	switch {
	case v.kind != kindNumber || err != nil && n == 0 || n < 0:
		return nil, false
	case n == 0:
		return nil, true
	case s.high != nil && n > *s.high:
		bound = s.high
	case s.low != nil && n < *s.low:
		bound = s.low
	default:
		return nil, false
	}
	out = numberValue(strconv.FormatFloat(*bound, 'f', -1, 64))
	if !s.valid(out) {
		return nil, false
	}
	c.did(ValueClamped, "out of bounds → "+out.s)
	return out, false
}
