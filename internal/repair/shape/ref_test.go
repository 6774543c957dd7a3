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
