package shape

import (
	"testing"

	"evergreen/internal/repair/jsonvalue"
)

func TestExpected(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"string"}`:                                  "string",
		`{"type":"string","minLength":1}`:                    "string that is not empty",
		`{"type":"string","pattern":"^a$"}`:                  "string like ^a$",
		`{"type":"integer","minimum":1,"maximum":50}`:        "integer from 1 to 50",
		`{"type":"number","minimum":0.5}`:                    "number of at least 0.5",
		`{"type":"integer","maximum":9}`:                     "integer of at most 9",
		`{"type":["integer","null"]}`:                        "integer or null",
		`{"type":"array","items":{"type":"string"}}`:         "array of string",
		`{"type":"array","minItems":2}`:                      "array with at least 2",
		`{"enum":["a",1,null]}`:                              "one of a, 1, null",
		`{"anyOf":[{"type":"boolean"},{"type":"integer"}]}`:  "boolean or integer",
		`{"anyOf":[{"const":"x"},{"const":"y"}]}`:            "one of x, y",
		`{"oneOf":[{"type":"string"},{"type":"string"}]}`:    "string",
		`{"enum":[1,2,3,4,5,6,7,8,9,10,11,12,13]}`:           "one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …",
		`{"allOf":[{"type":"integer"},{"minimum":3}]}`:       "integer of at least 3",
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"null"}}}`: "null",
		`{}`: "another value",
	} {
		if got := Expected(Compile([]byte(schema))); got != want {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}

func TestSamples(t *testing.T) {
	for _, c := range []struct{ schema, given, want string }{
		{`{"properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}`, `{}`, `{"query":"rust async runtime"}`},
		{`{"properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}`, `{"limit":3,"query":5}`, `{"limit":3,"query":"rust async runtime"}`},
		{`{"properties":{"urls":{"type":"array","items":{"type":"string"}}},"required":["urls"]}`, `{}`, `{"urls":["https://example.com/"]}`},
		{`{"properties":{"n":{"type":"integer","minimum":7}},"required":["n"]}`, `{}`, `{"n":7}`},
		{`{"properties":{"n":{"type":"integer","default":4}},"required":["n"]}`, `{}`, `{"n":4}`},
		{`{"properties":{"n":{"enum":["x","y"]}},"required":["n"]}`, `{"n":"z"}`, `{"n":"x"}`},
		{`{"properties":{"n":{"examples":["e"],"type":"string"}},"required":["n"]}`, `{}`, `{"n":"e"}`},
		{`{"properties":{"o":{"type":"object","properties":{"flag":{"type":"boolean"}},"required":["flag"]}},"required":["o"]}`, `{}`, `{"o":{"flag":true}}`},
		{`{"properties":{"v":{"anyOf":[{"type":"boolean"},{"type":"null"}]}},"required":["v"]}`, `{}`, `{"v":true}`},
		{`{"properties":{"when":{"type":"string","format":"date","pattern":"^\\d{4}-\\d{2}-\\d{2}$"}},"required":["when"]}`, `{}`, `{"when":"2025-01-31"}`},
		{`{"properties":{"code":{"type":"string","pattern":"^[0-9]{9}$"}},"required":["code"]}`, `{}`, ``},
		{`{"type":"object","properties":{"me":{"$ref":"#"}},"required":["me"]}`, `{}`, ``},
	} {
		given, err := jsonvalue.Parse([]byte(c.given))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if list := Samples(Compile([]byte(c.schema)), given); len(list) > 0 {
			got = string(list[0].AppendJSON(nil))
		}
		if got != c.want {
			t.Errorf("%s given %s: %s, want %s", c.schema, c.given, got, c.want)
		}
	}
}
