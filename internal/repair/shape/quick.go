package shape

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"evergreen/internal/repair/jsonvalue"
)

// This file accepts plainly valid values without the validator: nearly every
// call is canonical, and most schemas use a dozen keywords only. It never
// rejects; whatever it is not sure of goes to the validator.

// isPlain reports whether s uses only keywords that certain understands. $ref,
// alternatives, patterns and conditions are not plain; format is not asserted.
func isPlain(s *jsonschema.Schema) bool {
	unknown := func(t string) bool { return typeOf(t) == 0 }
	if s.Type != "" && unknown(s.Type) || slices.ContainsFunc(s.Types, unknown) {
		return false
	}
	c := *s
	c.Schema, c.Comment, c.Title, c.Description, c.Format = "", "", "", "", ""
	c.Defs, c.Definitions, c.Default, c.Examples, c.Extra, c.PropertyOrder = nil, nil, nil, nil, nil, nil
	c.Deprecated, c.ReadOnly, c.WriteOnly = false, false, false
	c.Type, c.Types = "", nil
	c.Minimum, c.Maximum, c.MinLength, c.MaxLength, c.MinItems, c.MaxItems = nil, nil, nil, nil, nil, nil
	c.Items, c.Properties, c.Required = nil, nil, nil
	if c.AdditionalProperties != nil && (isFalse(c.AdditionalProperties) || reflect.ValueOf(*c.AdditionalProperties).IsZero()) {
		c.AdditionalProperties = nil
	}
	texts := !slices.ContainsFunc(c.Enum, func(e any) bool { _, ok := e.(string); return !ok })
	if c.Enum != nil && texts && len(c.Enum) > 0 {
		c.Enum = nil
	}
	return reflect.ValueOf(c).IsZero()
}

// certain reports whether v surely validates.
func (s *Shape) certain(v *jsonvalue.Value) bool {
	if !s.plain || s.schema.Enum != nil && v.Kind != jsonvalue.Text {
		return false
	}
	any := s.schema.Type == "" && s.schema.Types == nil
	switch v.Kind {
	case jsonvalue.Null:
		return any || s.Types.Has(TypeNull)
	case jsonvalue.Bool:
		return any || s.Types.Has(TypeBool)
	case jsonvalue.Number:
		return s.certainNumber(v.Text, any)
	case jsonvalue.Text:
		return (any || s.Types.Has(TypeText)) && s.certainText(v.Text)
	case jsonvalue.List:
		return (any || s.Types.Has(TypeList)) && s.certainList(v.Items)
	}
	return (any || s.Types.Has(TypeObject)) && s.certainObject(v)
}

// certainNumber is sure of short integers, and of other numbers without bounds.
func (s *Shape) certainNumber(literal string, any bool) bool {
	short := len(literal) < 16 && !strings.ContainsAny(literal, ".eE")
	if !any && !s.Types.Has(TypeNumber) && !(short && s.Types.Has(TypeInteger)) {
		return false
	}
	if s.schema.Minimum == nil && s.schema.Maximum == nil {
		return true
	}
	n, err := strconv.ParseInt(literal, 10, 64)
	return short && err == nil && (s.schema.Minimum == nil || float64(n) >= *s.schema.Minimum) &&
		(s.schema.Maximum == nil || float64(n) <= *s.schema.Maximum)
}

func (s *Shape) certainText(text string) bool {
	if s.schema.Enum != nil && !slices.ContainsFunc(s.Allowed, func(a *jsonvalue.Value) bool { return a.Text == text }) {
		return false
	}
	if s.schema.MinLength == nil && s.schema.MaxLength == nil {
		return true
	}
	return within(utf8.RuneCountInString(text), s.schema.MinLength, s.schema.MaxLength)
}

func (s *Shape) certainList(items []*jsonvalue.Value) bool {
	if s.Items != nil && slices.ContainsFunc(items, func(e *jsonvalue.Value) bool { return !s.Items.certain(e) }) {
		return false
	}
	return within(len(items), s.schema.MinItems, s.schema.MaxItems)
}

func (s *Shape) certainObject(v *jsonvalue.Value) bool {
	for _, name := range s.Required {
		if v.Get(name) == nil {
			return false
		}
	}
	for _, f := range v.Fields {
		if p := s.ByName[f.Name]; p == nil && s.Extra == Closed || p != nil && !p.Shape.certain(f.Value) {
			return false
		}
	}
	return true
}

func within(n int, low, high *int) bool {
	return (low == nil || n >= *low) && (high == nil || n <= *high)
}
