package repair

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"unicode/utf8"

	"evergreen/internal/repair/jsonvalue"
)

// hostileTools are tools whose schemas use what real ones seldom do.
func hostileTools() []Tool {
	yes := true
	schemas := map[string]string{
		"tree_walk":     `{"type":"object","properties":{"node":{"$ref":"#/$defs/node"}},"required":["node"],"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["name"],"additionalProperties":false}}}`,
		"loop_call":     `{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"object"}]}}}`,
		"look_ahead":    `{"type":"object","properties":{"code":{"type":"string","pattern":"^(?=a)b"},"count":{"type":"integer","minimum":1,"maximum":9}},"additionalProperties":false}`,
		"pick_one":      `{"type":"object","oneOf":[{"properties":{"kind":{"const":"a"},"size":{"type":"integer"}},"required":["kind","size"]},{"properties":{"kind":{"const":"b"},"names":{"type":"array","items":{"type":"string"},"uniqueItems":true}},"required":["kind","names"]}]}`,
		"map_env":       `{"type":"object","properties":{"env":{"type":"object","additionalProperties":{"type":"string"}},"port":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`,
		"many_types":    `{"type":"object","properties":{"v":{"type":["integer","boolean","null","array"],"items":{"type":["number","string"]}},"w":{"anyOf":[{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"boolean"}}]}},{"type":"object","minProperties":1}]}},"required":["v"],"dependentRequired":{"v":["w"]}}`,
		"if_then":       `{"type":"object","properties":{"mode":{"enum":["fast","slow",1,null]},"limit":{"type":"number","exclusiveMinimum":0,"multipleOf":0.5}},"if":{"properties":{"mode":{"const":"slow"}},"required":["mode"]},"then":{"required":["limit"]},"not":{"required":["never"]}}`,
		"any_thing":     `true`,
		"no_schema":     ``,
		"broken_schema": `{"type":"object","properties":5}`,
		"old_schema":    `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"id":{"type":"string","format":"uuid"}},"required":["id"]}`,
	}
	var out []Tool
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		out = append(out, Tool{Name: name, Schema: []byte(schemas[name]), ReadOnly: &yes})
	}
	return out
}

// FuzzCall holds what is true of every call: it ends, it does not panic, what
// goes on validates and is exact when sent again, and texts keep their bounds.
func FuzzCall(f *testing.F) {
	cat := catalogue(f, append(ownTools(f), hostileTools()...))
	for _, c := range benchCalls {
		f.Add([]byte(c.params))
	}
	for _, seed := range []string{
		`{"name":"tree_walk","arguments":{"node":{"Name":"x","children":"[{\"name\":5}]"}}}`,
		`{"name":"pickOne","arguments":{"kind":"B","names":"a,b"}}`,
		`{"name":"map_env","arguments":{"env":{"PORT":8080},"port":"null","X-a":1}}`,
		`{"name":"many_types","arguments":{"v":"1","w":"[[true],\"2\"]"}}`,
		`{"name":"if_then","arguments":{"mode":"SLOW","limit":"1.5","never":1}}`,
		`{"name":"look_ahead","arguments":{"code":"x","count":1e400}}`,
		`{"name":"loop_call","arguments":"{\"a\":1}"}`,
		`{"function":{"name":"get_entry<|x","arguments":"{'id': 'EG-1'"}}`,
		`{"name":"web_search","arguments":{"messages":[{"role":"user","content":[{"text":"x"}]}]}}`,
		`{"name":"web_search","arguments":"{\"query\":\"x\"}{\"query\":\"y\"}"}`,
		"{\"name\":\"web_search\",\"arguments\":\"```json\\n{query: 'x', /* c */}\\n```\"}",
		`["{\"name\":\"get_entry\",\"id\":\"x\"}"]`, `{"name":"delete_index","arguments":["{\"repo\":1}"]}`, `{"name":"` + "\xff" + `"}`, `{}`, `null`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		res := Call(raw, cat)
		if len(res.Hint) > maxHint || len(res.Short) > maxShort || len(res.Refusal) > maxRefusal || len(res.Candidates) > maxCandidates {
			t.Fatalf("a text is too long: %+v", res)
		}
		if !utf8.ValidString(res.Hint) && utf8.Valid(raw) {
			t.Fatalf("the hint is not UTF-8: %q", res.Hint)
		}
		if res.Outcome == Refused {
			if res.Error == "" || res.Refusal == "" || res.Arguments != nil {
				t.Fatalf("an empty refusal: %+v", res)
			}
			return
		}
		tool := cat.byName[res.Name]
		args := res.Arguments
		if args == nil {
			args = []byte("{}")
		}
		v, err := jsonvalue.Parse(args)
		if tool == nil || err != nil || !cat.accepts(tool, v) {
			t.Fatalf("%s: what goes on does not validate: %+v %s", raw, res, args)
		}
		if (res.Outcome == Exact) != (len(res.Changes) == 0) || (res.Hint == "") != (res.Outcome == Exact) {
			t.Fatalf("outcome and changes disagree: %+v", res)
		}
		again := Call([]byte(`{"name":`+string(jsonvalue.AppendQuoted(nil, res.Name))+`,"arguments":`+string(args)+`}`), cat)
		if again.Outcome != Exact || !bytes.Equal(again.Arguments, args) {
			t.Fatalf("repaired twice: %s\nfirst  %s\nsecond %s %+v", raw, args, again.Arguments, again)
		}
	})
}
