package shape

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// This file follows references inside a schema, and finds schemas that refer to
// themselves without descending into the value: validating those never ends.

// target returns what a reference inside the document means, nil for any other.
func (k *compiler) target(ref string) *jsonschema.Schema {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	s := k.root
	if pointer == "" {
		return s
	}
	pointer, ok = strings.CutPrefix(pointer, "/")
	if !ok {
		return nil
	}
	parts := strings.Split(pointer, "/")
	for i := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~", "%20", " ").Replace(parts[i])
	}
	for i := 0; i < len(parts) && s != nil; i++ {
		one, many, list := member(s, parts[i])
		switch {
		case one != nil:
			s = one
		case i+1 == len(parts):
			return nil
		case many != nil:
			i++
			s = many[parts[i]]
		default:
			i++
			n, err := strconv.Atoi(parts[i])
			if err != nil || n < 0 || n >= len(list) {
				return nil
			}
			s = list[n]
		}
	}
	return s
}

// member returns what a keyword of s holds.
func member(s *jsonschema.Schema, keyword string) (one *jsonschema.Schema, many map[string]*jsonschema.Schema, list []*jsonschema.Schema) {
	switch keyword {
	case "$defs":
		many = s.Defs
	case "definitions":
		many = s.Definitions
	case "properties":
		many = s.Properties
	case "patternProperties":
		many = s.PatternProperties
	case "items":
		one, list = s.Items, s.ItemsArray
	case "additionalProperties":
		one = s.AdditionalProperties
	case "prefixItems":
		list = s.PrefixItems
	case "allOf":
		list = s.AllOf
	case "anyOf":
		list = s.AnyOf
	case "oneOf":
		list = s.OneOf
	case "not":
		one = s.Not
	case "if":
		one = s.If
	case "then":
		one = s.Then
	case "else":
		one = s.Else
	case "contains":
		one = s.Contains
	case "propertyNames":
		one = s.PropertyNames
	}
	return one, many, list
}

// loops reports whether validating against s may come back to the same schema
// with the same value, or whether that cannot be told.
func (k *compiler) loops(s *jsonschema.Schema) bool {
	const (
		entered = 1
		left    = 2
	)
	state := map[*jsonschema.Schema]int{}
	var inPlace func(*jsonschema.Schema) bool
	var all func(*jsonschema.Schema) bool
	inPlace = func(s *jsonschema.Schema) bool {
		if s == nil || state[s] == left {
			return false
		}
		if state[s] == entered {
			return true
		}
		state[s] = entered
		if s.Ref != "" {
			t := k.target(s.Ref)
			if t == nil || inPlace(t) {
				return true
			}
		}
		for _, c := range sameValue(s) {
			if inPlace(c) {
				return true
			}
		}
		state[s] = left
		return false
	}
	seen := map[*jsonschema.Schema]bool{}
	all = func(s *jsonschema.Schema) bool {
		if s == nil || seen[s] {
			return false
		}
		seen[s] = true
		if inPlace(s) {
			return true
		}
		for _, c := range append(sameValue(s), innerValue(s)...) {
			if all(c) {
				return true
			}
		}
		return false
	}
	return all(s)
}

// sameValue lists the schemas that s applies to the value itself.
func sameValue(s *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s.Not, s.If, s.Then, s.Else}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		out = append(out, list...)
	}
	for _, m := range []map[string]*jsonschema.Schema{s.DependentSchemas, s.DependencySchemas} {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			out = append(out, m[key])
		}
	}
	return out
}

// innerValue lists the schemas that s applies to parts of the value, and its
// definitions.
func innerValue(s *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{
		s.Items, s.AdditionalItems, s.Contains, s.UnevaluatedItems,
		s.AdditionalProperties, s.PropertyNames, s.UnevaluatedProperties,
	}
	out = append(append(out, s.PrefixItems...), s.ItemsArray...)
	for _, m := range []map[string]*jsonschema.Schema{s.Properties, s.PatternProperties, s.Defs, s.Definitions} {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			out = append(out, m[key])
		}
	}
	return out
}
