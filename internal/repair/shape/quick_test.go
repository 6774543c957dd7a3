package shape

import (
	"testing"

	"evergreen/internal/repair/jsonvalue"
)

func plainSchemas() []string {
	return []string{
		`{"type":"object","properties":{"q":{"type":"string","minLength":1,"maxLength":3},"n":{"type":"integer","minimum":1,"maximum":50},"e":{"type":"string","enum":["a","B"]}},"required":["q"],"additionalProperties":false}`,
		`{"type":"object","properties":{"x":{"type":"number","maximum":0.5},"l":{"type":"array","items":{"type":["integer","null"]},"minItems":1,"maxItems":2},"b":{"type":"boolean"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"o":{"type":"object","properties":{"k":{}},"required":["k"],"additionalProperties":true}},"title":"t","x-own":1}`,
		`{"properties":{"d":{"type":"string","format":"date","default":"x"}},"required":["d"]}`,
	}
}

func plainValues() []string {
	return []string{
		`{"q":"x"}`, `{"q":""}`, `{"q":"日本語"}`, `{"q":"four"}`, `{"q":"x","n":5}`, `{"q":"x","n":5.0}`, `{"q":"x","n":0}`, `{"q":"x","n":51}`, `{"q":"x","n":1e1}`,
		`{"q":"x","n":5.5}`, `{"q":"x","n":99999999999999999999}`, `{"q":"x","e":"a"}`, `{"q":"x","e":"b"}`, `{"q":"x","e":1}`, `{"q":"x","z":1}`, `{"q":5}`, `{"n":1}`, `{}`,
		`{"x":0.5}`, `{"x":0.6}`, `{"x":-3}`, `{"x":1}`, `{"x":1e400}`, `{"l":[1,null]}`, `{"l":[]}`, `{"l":[1,2,3]}`, `{"l":["a"]}`, `{"l":[1.5]}`, `{"b":true}`, `{"b":"true"}`,
		`{"o":{"k":[1]}}`, `{"o":{"z":1}}`, `{"o":{"k":1,"z":1}}`, `{"o":[]}`, `{"d":"x"}`, `{"d":null}`, `[]`, `"x"`, `5`, `null`, `true`, `{"q":"x","q":5}`, `{"q":5,"q":"x"}`,
	}
}

// TestCertain checks that what is accepted without the validator is what the
// validator accepts, and that the shortcut is taken at all.
func TestCertain(t *testing.T) {
	sure := 0
	for _, schema := range plainSchemas() {
		s := Compile([]byte(schema))
		for _, text := range plainValues() {
			v, err := jsonvalue.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			valid := s.resolved().Validate(v.Plain()) == nil
			if s.certain(v) && !valid {
				t.Errorf("%s\naccepts %s too early", schema, text)
			}
			if s.certain(v) {
				sure++
			}
		}
	}
	if sure < 30 {
		t.Errorf("only %d values took the shortcut", sure)
	}
}

// TestNotPlain lists keywords that only the validator understands.
func TestNotPlain(t *testing.T) {
	for _, schema := range []string{
		`{"type":"thing"}`, `{"type":["object","thing"]}`, `{"const":1}`, `{"enum":[1]}`, `{"enum":[]}`, `{"pattern":"a"}`, `{"anyOf":[{}]}`, `{"allOf":[{}]}`, `{"not":{"type":"null"}}`, `{"if":{},"then":false}`,
		`{"multipleOf":2}`, `{"exclusiveMinimum":0}`, `{"uniqueItems":true}`, `{"contains":{}}`, `{"prefixItems":[{}]}`, `{"minProperties":1}`, `{"propertyNames":{}}`,
		`{"patternProperties":{"a":{}}}`, `{"additionalProperties":{"type":"string"}}`, `{"dependentRequired":{"a":["b"]}}`, `{"unevaluatedProperties":false}`, `{"$ref":"#/$defs/a","$defs":{"a":{}}}`,
	} {
		if s := Compile([]byte(schema)); s.plain {
			t.Errorf("%s counts as plain", schema)
		}
	}
}

func FuzzCertain(f *testing.F) {
	for _, schema := range plainSchemas() {
		for _, v := range plainValues() {
			f.Add(schema, v)
		}
	}
	f.Fuzz(func(t *testing.T, schema, text string) {
		s := Compile([]byte(schema))
		v, err := jsonvalue.Parse([]byte(text))
		if err != nil || s.Opaque || !s.certain(v) {
			return
		}
		if err := s.resolved().Validate(v.Plain()); err != nil {
			t.Errorf("%s\naccepts %s too early: %v", schema, text, err)
		}
	})
}
