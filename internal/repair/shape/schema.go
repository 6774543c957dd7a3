// Package shape compiles a tool's JSON Schema into what the repair of calls asks
// about: types, parameters, enums, bounds, with a validator for every part. It
// also describes parts in words and makes up values for examples. It changes no
// values.
package shape

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/spelling"
)

// This file compiles a tool's JSON Schema into shapes: what the repair stages
// ask about, with a validator for every part.

// Set is a set of JSON types; 0 stands for "not said".
type Set uint8

// The JSON types. A number may be an integer, so "number" holds both bits.
const (
	TypeNull Set = 1 << iota
	TypeBool
	TypeInteger
	TypeNumber
	TypeText
	TypeList
	TypeObject
)

func typeOf(name string) Set {
	return map[string]Set{
		"null": TypeNull, "boolean": TypeBool, "integer": TypeInteger, "number": TypeNumber | TypeInteger,
		"string": TypeText, "array": TypeList, "object": TypeObject,
	}[name]
}

// Has reports whether t and o share a type.
func (t Set) Has(o Set) bool { return t&o != 0 }

// Openness says what a schema's additionalProperties holds.
type Openness uint8

// What a schema says about keys that it does not declare.
const (
	OpenUnset Openness = iota // unknown keys are valid and mostly ignored
	OpenSaid                  // unknown keys are welcome
	Closed                    // unknown keys are faults
)

// Shape is one compiled (sub)schema. $ref and allOf are folded in; anyOf and
// oneOf are kept as branches.
type Shape struct {
	schema   *jsonschema.Schema
	Types    Set
	Allowed  []*jsonvalue.Value // enum and const, branches included
	Props    []Prop             // sorted by name
	ByName   map[string]*Prop
	Patterns []Pattern
	Required []string // sorted
	Extra    Openness
	Rest     *Shape // values of keys that are not declared, nil when not said
	Items    *Shape
	Branches []*Shape
	Low      *float64 // minimum and maximum, nil when not said
	High     *float64
	Opaque   bool // no validator: any object passes
	plain    bool // only keywords that certain understands

	resolved func() *jsonschema.Resolved
}

// Prop is one declared parameter.
type Prop struct {
	Name, Letters string
	Shape         *Shape
}

// Pattern says what values of keys that match must be.
type Pattern struct {
	re    *regexp.Regexp
	shape *Shape
}

// Knows reports whether a key is declared, by name or by pattern.
func (s *Shape) Knows(name string) bool { return s.Of(name) != nil }

// Of returns what a key's value must be, nil for an undeclared key.
func (s *Shape) Of(name string) *Shape {
	if p := s.ByName[name]; p != nil {
		return p.Shape
	}
	for _, p := range s.Patterns {
		if p.re.MatchString(name) {
			return p.shape
		}
	}
	return nil
}

// Needs reports whether a key is required.
func (s *Shape) Needs(name string) bool {
	_, found := slices.BinarySearch(s.Required, name)
	return found
}

// Valid reports whether v validates. A part whose validator cannot be made is
// not judged here but with the whole.
func (s *Shape) Valid(v *jsonvalue.Value) bool {
	if s.Opaque {
		return v.Kind == jsonvalue.Object
	}
	if s.certain(v) {
		return true
	}
	r := s.resolved()
	return r == nil || r.Validate(v.Plain()) == nil
}

// Compile resolves a schema. One that cannot be resolved becomes opaque.
func Compile(raw json.RawMessage) *Shape {
	opaque := &Shape{Opaque: true, Types: TypeObject, Extra: OpenSaid}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage(`{"type":"object"}`)
	}
	if bytes.Contains(raw, []byte(`"$dynamicRef"`)) || bytes.Contains(raw, []byte(`"$recursiveRef"`)) {
		return opaque
	}
	root, resolved := resolve(raw)
	if resolved == nil {
		root, resolved = resolve(withoutPatterns(raw))
	}
	if resolved == nil {
		return opaque
	}
	k := &compiler{root: root, memo: map[*jsonschema.Schema]*Shape{}}
	if k.loops(root) {
		return opaque
	}
	s := k.shape(root)
	s.resolved = func() *jsonschema.Resolved { return resolved }
	return s
}

func resolve(raw json.RawMessage) (*jsonschema.Schema, *jsonschema.Resolved) {
	var s jsonschema.Schema
	if json.Unmarshal(raw, &s) != nil {
		return nil, nil
	}
	s.Schema = dialect(s.Schema)
	r, err := s.Resolve(nil)
	if err != nil {
		return nil, nil
	}
	return &s, r
}

// dialect maps a schema's $schema to one that the validator knows: older drafts
// are read as draft-07, everything else as 2020-12.
func dialect(uri string) string {
	for _, old := range []string{"draft-03", "draft-04", "draft-06", "draft-07"} {
		if strings.Contains(uri, old) {
			return "http://json-schema.org/draft-07/schema#"
		}
	}
	return ""
}

// withoutPatterns drops the regular expressions that Go cannot compile
// (lookaheads, backreferences); the tool's own server still checks them.
func withoutPatterns(raw json.RawMessage) json.RawMessage {
	var doc any
	if json.Unmarshal(raw, &doc) != nil {
		return raw
	}
	bad := func(re string) bool { _, err := regexp.Compile(re); return err != nil }
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if re, ok := v["pattern"].(string); ok && bad(re) {
				delete(v, "pattern")
			}
			if m, ok := v["patternProperties"].(map[string]any); ok {
				for re := range m {
					if bad(re) {
						delete(m, re)
					}
				}
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(doc)
	out, err := json.Marshal(doc)
	if err != nil {
		return raw
	}
	return out
}

type compiler struct {
	root *jsonschema.Schema
	memo map[*jsonschema.Schema]*Shape
}

// shape compiles s once; a recursive schema gets the shape under construction.
func (k *compiler) shape(s *jsonschema.Schema) *Shape {
	if s == nil {
		return nil
	}
	if old := k.memo[s]; old != nil {
		return old
	}
	out := &Shape{schema: s, ByName: map[string]*Prop{}}
	k.memo[s] = out
	out.resolved = sync.OnceValue(func() *jsonschema.Resolved { return k.part(s) })
	if len(k.memo) > maxShape {
		return out
	}
	k.fold(out, s, 0)
	out.plain = isPlain(s)
	slices.SortFunc(out.Props, func(a, b Prop) int { return strings.Compare(a.Name, b.Name) })
	for i := range out.Props {
		out.ByName[out.Props[i].Name] = &out.Props[i]
	}
	slices.Sort(out.Required)
	out.Required = slices.Compact(out.Required)
	if out.Types == 0 && (len(out.Props) > 0 || len(out.Required) > 0) {
		out.Types = TypeObject
	}
	for _, b := range out.Branches {
		out.Allowed = append(out.Allowed, b.Allowed...)
	}
	return out
}

// fold adds what s says to out, with what its $ref and allOf say.
func (k *compiler) fold(out *Shape, s *jsonschema.Schema, depth int) {
	if depth > jsonvalue.MaxNesting {
		return
	}
	if s.Ref != "" {
		if target := k.target(s.Ref); target != nil {
			k.fold(out, target, depth+1)
		}
	}
	if s.Type != "" {
		out.Types |= typeOf(s.Type)
	}
	for _, t := range s.Types {
		out.Types |= typeOf(t)
	}
	for _, e := range s.Enum {
		out.Allowed = append(out.Allowed, valueOf(e))
	}
	if s.Const != nil {
		out.Allowed = append(out.Allowed, valueOf(*s.Const))
	}
	if out.Low == nil {
		out.Low = s.Minimum
	}
	if out.High == nil {
		out.High = s.Maximum
	}
	k.foldObject(out, s)
	if s.Items != nil {
		out.Items = k.shape(s.Items)
	}
	for _, a := range s.AllOf {
		k.fold(out, a, depth+1)
	}
	for _, b := range slices.Concat(s.AnyOf, s.OneOf) {
		out.Branches = append(out.Branches, k.shape(b))
	}
}

func (k *compiler) foldObject(out *Shape, s *jsonschema.Schema) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.ContainsFunc(out.Props, func(p Prop) bool { return p.Name == name }) {
			out.Props = append(out.Props, Prop{Name: name, Letters: spelling.Letters(name), Shape: k.shape(s.Properties[name])})
		}
	}
	for _, re := range slices.Sorted(maps.Keys(s.PatternProperties)) {
		if c, err := regexp.Compile(re); err == nil {
			out.Patterns = append(out.Patterns, Pattern{c, k.shape(s.PatternProperties[re])})
		}
	}
	out.Required = append(out.Required, s.Required...)
	for _, more := range []*jsonschema.Schema{s.AdditionalProperties, s.UnevaluatedProperties} {
		switch {
		case more == nil:
		case isFalse(more):
			out.Extra = Closed
		default:
			out.Extra = max(out.Extra, OpenSaid)
			out.Rest = k.shape(more)
		}
	}
}

func isFalse(s *jsonschema.Schema) bool {
	b, err := json.Marshal(s)
	return err == nil && string(b) == "false"
}

// part makes the validator of one part of the root: a copy that takes the
// root's definitions with it. nil when its references leave those.
func (k *compiler) part(s *jsonschema.Schema) *jsonschema.Resolved {
	c := s.CloneSchemas()
	c.Schema = k.root.Schema
	if c.Defs == nil && c.Definitions == nil && s != k.root {
		c.Defs, c.Definitions = k.root.Defs, k.root.Definitions
	}
	r, err := c.Resolve(nil)
	if err != nil {
		return nil
	}
	return r
}

// valueOf turns a decoded JSON value into a value.
func valueOf(v any) *jsonvalue.Value {
	b, err := json.Marshal(v)
	if err != nil {
		return &jsonvalue.Value{}
	}
	out, err := jsonvalue.Parse(b)
	if err != nil {
		return &jsonvalue.Value{}
	}
	return out
}
