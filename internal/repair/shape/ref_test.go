package shape

import (
	"fmt"
	"strings"
	"testing"

	"evergreen/internal/repair/jsonvalue"
)

func TestReferences(t *testing.T) {
	for _, c := range []struct {
		why, schema string
		opaque      bool
	}{
		{"definitions", `{"properties":{"a":{"$ref":"#/definitions/x"}},"definitions":{"x":{"type":"string"}}}`, false},
		{"a property", `{"properties":{"a":{"$ref":"#/properties/b"},"b":{"type":"string"}}}`, false},
		{"an item of a list", `{"properties":{"a":{"$ref":"#/allOf/0"}},"allOf":[{"type":["object","string"]}]}`, false},
		{"the root, from inside", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, false},
		{"the root, in place", `{"anyOf":[{"$ref":"#"},{"type":"object"}]}`, true},
		{"nothing", `{"properties":{"a":{"$ref":"#/$defs/none"}}}`, true},
		{"another document", `{"properties":{"a":{"$ref":"https://a.example/x.json"}}}`, true},
		{"dynamic", `{"$dynamicRef":"#a","$defs":{"x":{"$dynamicAnchor":"a","type":"object"}}}`, true},
	} {
		if got := Compile([]byte(c.schema)); got.Opaque != c.opaque {
			t.Errorf("%s: opaque %v", c.why, got.Opaque)
		}
	}
}

// TestPointers follows references through every keyword that holds schemas, and
// holds none that lead nowhere for sound.
func TestPointers(t *testing.T) {
	const parts = `"$defs":{"a/b":{"type":"string"},"c d":{"not":{"type":"null"}}},"patternProperties":{"^x":{"type":"string"}},` +
		`"items":{"type":"string"},"additionalProperties":{"type":"string"},"prefixItems":[{"type":"string"},{"contains":{"type":"string"}}],` +
		`"anyOf":[{"type":"object"}],"oneOf":[{"propertyNames":{"type":"string"}}],"not":{"type":"null"},"if":{"type":"object"},"then":{"type":"object"},"else":{"type":"null"}`
	for pointer, sound := range map[string]bool{
		"/$defs/a~1b": true, "/$defs/c%20d": true, "/$defs/c d/not": true, "/patternProperties/^x": true, "/items": true, "/additionalProperties": true,
		"/prefixItems/0": true, "/prefixItems/1/contains": true, "/anyOf/0": true, "/oneOf/0/propertyNames": true, "/not": true, "/if": true, "/then": true, "/else": true,
		"/prefixItems": false, "/prefixItems/2": false, "/prefixItems/-1": false, "/prefixItems/x": false, "/anyOf/0/items": false, "/nothing": false, "a": false, "/$defs": false,
	} {
		s := Compile(fmt.Appendf(nil, `{"properties":{"p":{"$ref":"#%s"}},%s}`, pointer, parts))
		if s.Opaque == sound {
			t.Errorf("#%s: opaque %v", pointer, s.Opaque)
		}
	}
}

// TestPatternsOfOthers leaves out what Go's expressions cannot say, wherever it
// stands, and keeps the rest of the schema.
func TestPatternsOfOthers(t *testing.T) {
	s := Compile([]byte(`{"type":"object","required":["code"],"patternProperties":{"^x(?!y)":{"type":"null"},"^n_":{"type":"integer"}},` +
		`"properties":{"code":{"type":"integer"},"tag":{"anyOf":[{"type":"string","pattern":"^(?=a)b"},{"type":"null"}]}}}`))
	object := func(name, json string) *jsonvalue.Value {
		v, err := jsonvalue.Parse(fmt.Appendf(nil, `{"code":1,%q:%s}`, name, json))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if s.Opaque || !s.Valid(object("tag", `"c"`)) || s.Valid(object("tag", "true")) || !s.Valid(object("xz", "1")) {
		t.Error("a pattern that cannot be compiled is not just left out")
	}
	if s.Valid(object("n_1", `"x"`)) || !s.Knows("n_1") || s.Knows("other") || s.Of("tag") == nil {
		t.Error("the pattern that can be compiled does not count")
	}
	given := object("n_1", "2")
	if got := string(Placeholders(s, nil).AppendJSON(nil)); got != `{"code":"<integer>"}` {
		t.Errorf("without arguments: %s", got)
	}
	if got := string(Placeholders(s, given).AppendJSON(nil)); got != `{"code":1}` {
		t.Errorf("with one that fits: %s", got)
	}
}

// TestSharedPart checks a validator of a part that takes its definitions along.
func TestSharedPart(t *testing.T) {
	s := Compile([]byte(`{"properties":{"a":{"items":{"$ref":"#/$defs/x"}},"b":{"$ref":"#/properties/a"}},"$defs":{"x":{"type":"integer"}}}`))
	one, text := jsonvalue.NewList(jsonvalue.NewNumber("1")), jsonvalue.NewList(jsonvalue.NewText("x"))
	if a := s.ByName["a"].Shape; !a.Valid(one) || a.Valid(text) {
		t.Error("a part does not see the definitions")
	}
	if b := s.ByName["b"].Shape; !b.Valid(text) {
		t.Error("a part whose references leave it must not be judged alone")
	}
}

// TestShapeBound compiles a schema of more parts than are kept: what lies
// beyond is validated with the whole, and nothing more is known of it.
func TestShapeBound(t *testing.T) {
	var b strings.Builder
	for i := range maxShape + 10 {
		fmt.Fprintf(&b, `"p%05d":{"type":"integer"},`, i)
	}
	s := Compile([]byte(`{"type":"object","properties":{` + b.String() + `"z":{"type":"object","properties":{"a":{"type":"integer"}}}},"additionalProperties":false}`))
	if len(s.ByName["p00001"].Shape.Props) != 0 || s.ByName["p00001"].Shape.Types != TypeInteger {
		t.Error("a part within the bound is not known")
	}
	if z := s.ByName["z"].Shape; z.Types != 0 || len(z.Props) != 0 {
		t.Error("a part beyond the bound is known")
	}
	inner := jsonvalue.NewObject([]jsonvalue.Field{{Name: "a", Value: jsonvalue.NewText("")}})
	if s.Valid(jsonvalue.NewObject([]jsonvalue.Field{{Name: "z", Value: inner}})) {
		t.Error("a part beyond the bound is not validated")
	}
}
