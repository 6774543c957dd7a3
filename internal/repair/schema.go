package repair

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// This file compiles a tool's JSON Schema into shapes: what the repair stages
// ask about, with a validator for every part.

// typeSet is a set of JSON types; 0 stands for "not said".
type typeSet uint8

const (
	typeNull typeSet = 1 << iota
	typeBool
	typeInteger
	typeNumber
	typeText
	typeList
	typeObject
)

func typeOf(name string) typeSet {
	return map[string]typeSet{
		"null": typeNull, "boolean": typeBool, "integer": typeInteger, "number": typeNumber | typeInteger,
		"string": typeText, "array": typeList, "object": typeObject,
	}[name]
}

func (t typeSet) has(o typeSet) bool { return t&o != 0 }

// openness says what a schema's additionalProperties holds.
type openness uint8

const (
	openUnset openness = iota // unknown keys are valid and mostly ignored
	openSaid                  // unknown keys are welcome
	closed                    // unknown keys are faults
)

// shape is one compiled (sub)schema. $ref and allOf are folded in; anyOf and
// oneOf are kept as branches.
type shape struct {
	schema   *jsonschema.Schema
	types    typeSet
	allowed  []*value // enum and const, branches included
	props    []prop   // sorted by name
	byName   map[string]*prop
	patterns []pattern
	required []string // sorted
	extra    openness
	rest     *shape // values of keys that are not declared, nil when not said
	items    *shape
	branches []*shape
	low      *float64 // minimum and maximum, nil when not said
	high     *float64
	opaque   bool // no validator: any object passes

	resolved func() *jsonschema.Resolved
}

type prop struct {
	name, letters string
	shape         *shape
}

type pattern struct {
	re    *regexp.Regexp
	shape *shape
}

// knows reports whether a key is declared, by name or by pattern.
func (s *shape) knows(name string) bool { return s.shapeOf(name) != nil }

// shapeOf returns what a key's value must be, nil for an undeclared key.
func (s *shape) shapeOf(name string) *shape {
	if p := s.byName[name]; p != nil {
		return p.shape
	}
	for _, p := range s.patterns {
		if p.re.MatchString(name) {
			return p.shape
		}
	}
	return nil
}

func (s *shape) needs(name string) bool {
	_, found := slices.BinarySearch(s.required, name)
	return found
}

// valid reports whether v validates. A part whose validator cannot be made is
// not judged here but with the whole.
func (s *shape) valid(v *value) bool {
	if s.opaque {
		return v.kind == kindObject
	}
	r := s.resolved()
	return r == nil || r.Validate(v.plain()) == nil
}

// compile resolves a schema. One that cannot be resolved becomes opaque.
func compile(raw json.RawMessage) *shape {
	opaque := &shape{opaque: true, types: typeObject, extra: openSaid}
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
	k := &compiler{root: root, memo: map[*jsonschema.Schema]*shape{}}
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
	memo map[*jsonschema.Schema]*shape
}

// shape compiles s once; a recursive schema gets the shape under construction.
func (k *compiler) shape(s *jsonschema.Schema) *shape {
	if s == nil {
		return nil
	}
	if old := k.memo[s]; old != nil {
		return old
	}
	out := &shape{schema: s, byName: map[string]*prop{}}
	k.memo[s] = out
	out.resolved = sync.OnceValue(func() *jsonschema.Resolved { return k.part(s) })
	if len(k.memo) > maxShape {
		return out
	}
	k.fold(out, s, 0)
	slices.SortFunc(out.props, func(a, b prop) int { return strings.Compare(a.name, b.name) })
	for i := range out.props {
		out.byName[out.props[i].name] = &out.props[i]
	}
	slices.Sort(out.required)
	out.required = slices.Compact(out.required)
	if out.types == 0 && (len(out.props) > 0 || len(out.required) > 0) {
		out.types = typeObject
	}
	for _, b := range out.branches {
		out.allowed = append(out.allowed, b.allowed...)
	}
	return out
}

// fold adds what s says to out, with what its $ref and allOf say.
func (k *compiler) fold(out *shape, s *jsonschema.Schema, depth int) {
	if depth > maxNesting {
		return
	}
	if s.Ref != "" {
		if target := k.target(s.Ref); target != nil {
			k.fold(out, target, depth+1)
		}
	}
	if s.Type != "" {
		out.types |= typeOf(s.Type)
	}
	for _, t := range s.Types {
		out.types |= typeOf(t)
	}
	for _, e := range s.Enum {
		out.allowed = append(out.allowed, valueOf(e))
	}
	if s.Const != nil {
		out.allowed = append(out.allowed, valueOf(*s.Const))
	}
	if out.low == nil {
		out.low = s.Minimum
	}
	if out.high == nil {
		out.high = s.Maximum
	}
	k.foldObject(out, s)
	if s.Items != nil {
		out.items = k.shape(s.Items)
	}
	for _, a := range s.AllOf {
		k.fold(out, a, depth+1)
	}
	for _, b := range slices.Concat(s.AnyOf, s.OneOf) {
		out.branches = append(out.branches, k.shape(b))
	}
}

func (k *compiler) foldObject(out *shape, s *jsonschema.Schema) {
	for _, name := range sortedKeys(s.Properties) {
		if !slices.ContainsFunc(out.props, func(p prop) bool { return p.name == name }) {
			out.props = append(out.props, prop{name: name, letters: letters(name), shape: k.shape(s.Properties[name])})
		}
	}
	for _, re := range sortedKeys(s.PatternProperties) {
		if c, err := regexp.Compile(re); err == nil {
			out.patterns = append(out.patterns, pattern{c, k.shape(s.PatternProperties[re])})
		}
	}
	out.required = append(out.required, s.Required...)
	for _, more := range []*jsonschema.Schema{s.AdditionalProperties, s.UnevaluatedProperties} {
		switch {
		case more == nil:
		case isFalse(more):
			out.extra = closed
		default:
			out.extra = max(out.extra, openSaid)
			out.rest = k.shape(more)
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
func valueOf(v any) *value {
	b, err := json.Marshal(v)
	if err != nil {
		return &value{}
	}
	out, err := parse(b)
	if err != nil {
		return &value{}
	}
	return out
}
