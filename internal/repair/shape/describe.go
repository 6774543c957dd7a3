package shape

import (
	"slices"
	"strconv"
	"strings"

	"evergreen/internal/repair/spelling"
)

// This file says in words what a shape takes.

// Expected describes what a shape takes.
func Expected(s *Shape) string {
	if len(s.Allowed) > 0 {
		const most = maxListed
		var out []string
		for _, a := range s.Allowed {
			if word := strings.Trim(string(a.AppendJSON(nil)), `"`); !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
		if len(out) > most {
			out = append(out[:most], "…")
		}
		return "one of " + strings.Join(out, ", ")
	}
	if s.Types == 0 && len(s.Branches) > 0 {
		var out []string
		for _, b := range s.Branches {
			if word := Expected(b); !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
		return strings.Join(out[:min(len(out), maxListed)], " or ")
	}
	return typeNames(s) + bounds(s)
}

func typeNames(s *Shape) string {
	var out []string
	for _, t := range []struct {
		set  Set
		name string
	}{
		{TypeText, "string"}, {TypeNumber, "number"}, {TypeInteger, "integer"}, {TypeBool, "boolean"},
		{TypeList, "array"}, {TypeObject, "object"}, {TypeNull, "null"},
	} {
		if s.Types.Has(t.set) && !(t.set == TypeInteger && s.Types.Has(TypeNumber)) {
			out = append(out, t.name)
		}
	}
	if len(out) == 0 {
		return "another value"
	}
	if s.Types == TypeList && s.Items != nil && s.Items.Types != 0 {
		return "array of " + typeNames(s.Items)
	}
	return strings.Join(out, " or ")
}

func bounds(s *Shape) string {
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	switch {
	case s.Low != nil && s.High != nil:
		return " from " + number(*s.Low) + " to " + number(*s.High)
	case s.Low != nil:
		return " of at least " + number(*s.Low)
	case s.High != nil:
		return " of at most " + number(*s.High)
	case s.schema == nil:
		return ""
	case s.schema.Pattern != "":
		return " like " + spelling.Cut(s.schema.Pattern, maxPattern)
	case s.schema.MinLength != nil && *s.schema.MinLength > 0:
		return " that is not empty"
	case s.schema.MinItems != nil && *s.schema.MinItems > 0:
		return " with at least " + strconv.Itoa(*s.schema.MinItems)
	}
	return ""
}
