package repair

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/shape"
	"evergreen/internal/repair/spelling"
)

// This file changes the form of values that do not validate (stage 6). A value
// that validates is never touched.

// values repairs the fields that fail. Fields keep their names; an optional one
// that holds nothing is dropped.
func (r *run) values(path string, fields []jsonvalue.Field, s *shape.Shape) []jsonvalue.Field {
	var out []jsonvalue.Field
	for _, f := range fields {
		at := jsonvalue.Join(path, f.Name)
		ps := s.Of(f.Name)
		if ps == nil {
			ps = s.Rest
		}
		if ps == nil || ps.Valid(f.Value) {
			out = append(out, f)
			continue
		}
		optional := !s.Needs(f.Name)
		if optional && r.tool.ladder.shape && jsonvalue.Absent(f.Value) {
			r.note(stageValue, ValueAbsent, at, "empty optional dropped")
			continue
		}
		c := coercion{run: r, path: at, name: f.Name, optional: optional}
		switch v, drop := c.value(f.Value, ps); {
		case drop:
			r.note(stageValue, ValueAbsent, at, "0 → default")
		case v != nil:
			out = append(out, jsonvalue.Field{Name: f.Name, Value: v})
		default:
			out = append(out, f)
		}
	}
	return out
}

// fits reports whether v validates or can be made to, without noting how.
func (r *run) fits(v *jsonvalue.Value, s *shape.Shape) bool {
	if jsonvalue.Absent(v) || s.Valid(v) {
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
func (c coercion) value(v *jsonvalue.Value, s *shape.Shape) (out *jsonvalue.Value, drop bool) {
	if c.steps += 1 + len(v.Raw)>>8; c.steps > maxSteps || c.depth > jsonvalue.MaxNesting {
		return nil, false
	}
	c.depth++
	for _, b := range s.Branches {
		asked := false
		if out = c.attempt(func(v *jsonvalue.Value, _ *shape.Shape) (got *jsonvalue.Value) {
			got, asked = c.value(v, b)
			return got
		}, v, s); out != nil {
			return out, false
		}
		drop = drop || asked
	}
	for _, convert := range []func(*jsonvalue.Value, *shape.Shape) *jsonvalue.Value{c.lossless, c.decoded, c.nested} {
		if out = c.attempt(convert, v, s); out != nil {
			return out, false
		}
	}
	if !c.tool.ladder.shape {
		return nil, false
	}
	for _, convert := range []func(*jsonvalue.Value, *shape.Shape) *jsonvalue.Value{c.spelt, c.nulled, c.inner, c.split, c.listed} {
		if out = c.attempt(convert, v, s); out != nil {
			return out, false
		}
	}
	out, asked := c.clamped(v, s)
	return out, out == nil && (drop || asked)
}

// attempt runs one conversion and keeps its result and notes only if it
// validates.
func (c coercion) attempt(convert func(*jsonvalue.Value, *shape.Shape) *jsonvalue.Value, v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	mark := len(c.changes)
	if out := convert(v, s); out != nil && s.Valid(out) {
		return out
	}
	c.run.changes = c.changes[:mark]
	return nil
}

func (c coercion) did(code, detail string) { c.note(stageValue, code, c.path, detail) }

// lossless changes between text and number or boolean, digits kept.
func (c coercion) lossless(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	switch {
	case v.Kind == jsonvalue.Text && s.Types.Has(shape.TypeInteger|shape.TypeNumber):
		if n := number(v.Text, !s.Types.Has(shape.TypeNumber)); n != nil {
			c.did(ValueType, "string → number")
			return n
		}
	case v.Kind == jsonvalue.Number && s.Types.Has(shape.TypeText):
		c.did(ValueType, "number → string")
		return jsonvalue.NewText(v.Text)
	case v.Kind == jsonvalue.Bool && s.Types.Has(shape.TypeText):
		c.did(ValueType, "boolean → string")
		return jsonvalue.NewText(strconv.FormatBool(v.Bool))
	}
	if s.Types.Has(shape.TypeBool) {
		return c.switched(v)
	}
	return nil
}

// switched reads "true" and "false", and for tools that only read the other
// words for on and off, 0 and 1 among them: what a wrong reading costs there is
// one more call.
func (c coercion) switched(v *jsonvalue.Value) *jsonvalue.Value {
	if v.Kind != jsonvalue.Text && v.Kind != jsonvalue.Number {
		return nil
	}
	on := false
	switch word := strings.ToLower(strings.TrimSpace(v.Text)); word {
	case "true", "false":
		on = word == "true"
	case "yes", "on", "1", "no", "off", "0":
		if !c.tool.ladder.guess {
			return nil
		}
		on = word == "yes" || word == "on" || word == "1"
	default:
		return nil
	}
	c.did(ValueType, v.Kind.String()+" → boolean")
	return &jsonvalue.Value{Kind: jsonvalue.Bool, Bool: on}
}

// number reads decimal text. An integer may be written with zeros behind the
// point ("5.0") or in front ("007"); a number keeps its digits.
func number(s string, integer bool) *jsonvalue.Value {
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
		return jsonvalue.NewNumber(rat.Num().String())
	case integer || jsonvalue.NumberLength([]byte(s)) != len(s):
		return nil
	}
	return jsonvalue.NewNumber(s)
}

// decoded reads text as the array or object that the schema wants.
func (c coercion) decoded(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	if v.Kind != jsonvalue.Text || !s.Types.Has(shape.TypeList|shape.TypeObject) {
		return nil
	}
	in, how, reading := c.texts.Read(v.Text)
	if reading != jsonvalue.ReadContainer {
		return nil
	}
	c.did(ValueDecoded, how+" → "+in.Kind.String())
	if s.Valid(in) {
		return in
	}
	out, _ := c.value(in, s)
	return out
}

// nested repairs the parts of an array or object.
func (c coercion) nested(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	switch {
	case v.Kind == jsonvalue.Object && s.Types.Has(shape.TypeObject):
		out, fault := c.object(c.path, v, s)
		if fault != nil {
			return nil
		}
		return out
	case v.Kind == jsonvalue.List && s.Types.Has(shape.TypeList) && s.Items != nil:
		items := slices.Clone(v.Items)
		for i, e := range items {
			if s.Items.Valid(e) {
				continue
			}
			part := c
			part.path, part.optional = c.path+"["+strconv.Itoa(i)+"]", false
			if items[i], _ = part.value(e, s.Items); items[i] == nil {
				return nil
			}
		}
		return jsonvalue.NewList(items...)
	}
	return nil
}

// spelt finds the enum value that a text spells.
func (c coercion) spelt(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	if v.Kind != jsonvalue.Text || len(s.Allowed) == 0 {
		return nil
	}
	found := enumMatch(v.Text, s.Allowed)
	if found != nil {
		c.did(ValueEnum, "other spelling → "+spelling.Cut(found.Text, maxEcho))
	}
	return found
}

// nulled gives a required parameter that allows it the null that was spelt.
func (c coercion) nulled(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	if !jsonvalue.Absent(v) || !s.Types.Has(shape.TypeNull) {
		return nil
	}
	c.did(ValueType, "string → null")
	return &jsonvalue.Value{}
}

// inner takes a value out of an array of one or of an object around it.
func (c coercion) inner(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	code, inner := ValueItem, (*jsonvalue.Value)(nil)
	switch {
	case v.Kind == jsonvalue.List && len(v.Items) == 1:
		inner = v.Items[0]
	case v.Kind == jsonvalue.Object && !s.Types.Has(shape.TypeObject):
		code = ValueInner
		for _, key := range []string{"value", "text", "content", "query"} {
			if e := v.Get(key); e != nil && e.Kind != jsonvalue.Object && !jsonvalue.Absent(e) {
				if inner != nil && !jsonvalue.Same(inner, e) {
					return nil
				}
				inner = e
			}
		}
	}
	if inner == nil {
		return nil
	}
	c.did(code, v.Kind.String()+" → its "+inner.Kind.String())
	if s.Valid(inner) {
		return inner
	}
	out, _ := c.value(inner, s)
	return out
}

// split reads comma text as an array of texts.
func (c coercion) split(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	if v.Kind != jsonvalue.Text || !s.Types.Has(shape.TypeList) || s.Items == nil || !s.Items.Types.Has(shape.TypeText) && len(s.Items.Allowed) == 0 {
		return nil
	}
	items := commaItems(v.Text)
	if items == nil {
		return nil
	}
	c.did(ValueSplit, "comma text → array")
	return c.orNested(jsonvalue.NewList(items...), s)
}

// commaItems takes comma text apart. Text with brackets, quotes or URL queries
// in it is no list, and commas inside one URL do not count: nil.
func commaItems(s string) []*jsonvalue.Value {
	if !strings.Contains(s, ",") || strings.ContainsAny(s, "?&{}[]\"'") {
		return nil
	}
	var items []*jsonvalue.Value
	urls := 0
	for _, part := range strings.Split(s, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if strings.Contains(part, "://") {
			urls++
		}
		items = append(items, jsonvalue.NewText(part))
	}
	if urls > 0 && urls < len(items) {
		return nil
	}
	return items
}

func (c coercion) orNested(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	if s.Valid(v) {
		return v
	}
	return c.nested(v, s)
}

// listed puts one value into the array that the schema wants; not the text of a
// container or a comma list, which would have been read if it could.
func (c coercion) listed(v *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	if v.Kind == jsonvalue.List || v.Kind == jsonvalue.Null || !s.Types.Has(shape.TypeList) {
		return nil
	}
	if v.Kind == jsonvalue.Text {
		_, _, reading := c.texts.Read(v.Text)
		if reading != jsonvalue.ReadNothing || s.Items != nil && s.Items.Types == shape.TypeText && commaItems(v.Text) != nil {
			return nil
		}
	}
	c.did(ValueList, v.Kind.String()+" → array of one")
	return c.orNested(jsonvalue.NewList(v), s)
}

// clamped brings a limit into its bounds; a zero where none is allowed asks for
// the default. A negative one is left alone: it may ask for everything.
func (c coercion) clamped(v *jsonvalue.Value, s *shape.Shape) (out *jsonvalue.Value, drop bool) {
	if !c.tool.ladder.guess || !c.optional || !limitLike(c.name) || !s.Types.Has(shape.TypeInteger|shape.TypeNumber) {
		return nil, false
	}
	if v.Kind == jsonvalue.Text {
		if v = number(v.Text, !s.Types.Has(shape.TypeNumber)); v == nil {
			return nil, false
		}
	}
	n, err := strconv.ParseFloat(v.Text, 64)
	var bound *float64
	switch {
	case v.Kind != jsonvalue.Number || err != nil && n == 0 || n < 0:
		return nil, false
	case n == 0:
		return nil, true
	case s.High != nil && n > *s.High:
		bound = s.High
	case s.Low != nil && n < *s.Low:
		bound = s.Low
	default:
		return nil, false
	}
	out = jsonvalue.NewNumber(strconv.FormatFloat(*bound, 'f', -1, 64))
	if !s.Valid(out) {
		return nil, false
	}
	c.did(ValueClamped, "out of bounds → "+out.Text)
	return out, false
}
