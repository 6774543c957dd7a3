package repair

import (
	"fmt"
	"strings"
	"testing"

	"evergreen"
)

// withKeys is a library's tools whose schemas are open, as ours are.
func withKeys(t testing.TB) *Catalogue {
	t.Helper()
	yes, no := true, false
	repo := map[string]string{"collection": "repo", "libraryId": "repo", "context7CompatibleLibraryID": "repo"}
	return catalogue(t, []Tool{
		{Name: "get_toc", Own: true, ReadOnly: &yes, Keys: repo,
			Schema: []byte(`{"type":"object","properties":{"repo":{"type":"string"},"depth":{"type":"integer"}},"required":["repo"]}`)},
		{Name: "delete_index", Own: true, ReadOnly: &no, Keys: repo,
			Schema: []byte(`{"type":"object","properties":{"repo":{"type":"string"}},"required":["repo"]}`)},
		{Name: "search", Own: true, ReadOnly: &yes, Keys: map[string]string{"library": "collection", "topic": "query", "tokens": "budget"},
			Schema: []byte(`{"type":"object","properties":{"query":{"type":"string"},"collection":{"type":"string"},"budget":{"type":"integer"}},"required":["query"]}`)},
		{Name: "index_any", Own: true, Class: Write, Policy: PolicyOff, Keys: map[string]string{"repo_path": "path"}},
	})
}

func TestFurtherKeysAreAccepted(t *testing.T) {
	cat := withKeys(t)
	for _, c := range []struct {
		why, name, arguments string
		outcome              Outcome
		want                 string // the arguments, for a refused call a part of the refusal
	}{
		{"declared", "get_toc", `{ "repo":"r"}`, Exact, `{ "repo":"r"}`},
		{"further", "get_toc", `{"collection":"r","depth":2}`, Exact, `{"depth":2,"repo":"r"}`},
		{"any spelling", "get_toc", `{"library_ID":"r"}`, Exact, `{"repo":"r"}`},
		{"a destructive tool", "delete_index", `{"collection":"r"}`, Exact, `{"repo":"r"}`},
		{"several", "search", `{"topic":"x","library":"r","tokens":500}`, Exact, `{"budget":500,"collection":"r","query":"x"}`},
		{"without a schema", "index_any", `{"repo_path":"."}`, Exact, `{"path":"."}`},
		{"said twice", "get_toc", `{"repo":"r","collection":"r"}`, Exact, `{"repo":"r"}`},
		{"said thrice", "get_toc", `{"libraryId":"r","context7CompatibleLibraryID":"r","collection":"r"}`, Exact, `{"repo":"r"}`},
		{"the declared one is null", "get_toc", `{"repo":null,"collection":"r"}`, Exact, `{"repo":"r"}`},
		{"the further one is empty", "get_toc", `{"repo":"r","collection":""}`, Exact, `{"repo":"r","collection":""}`},
		{"differs from the declared one", "get_toc", `{"repo":"r","collection":"s"}`, Refused, "different values"},
		{"differs from the declared one in other letters", "get_toc", `{"Repo":"r","collection":"s"}`, Refused, "different values"},
		{"two differ", "delete_index", `{"libraryId":"r","collection":"s"}`, Refused, "different values"},
		{"optional", "search", `{"query":"x","library":"r"}`, Exact, `{"collection":"r","query":"x"}`},
		{"an optional one that cannot be meant", "search", `{"query":"x","library":{"a":1}}`, Exact, `{"query":"x","library":{"a":1}}`},
		{"a required one that cannot be meant", "get_toc", `{"collection":{"a":1}}`, Refused, "repo: expected string"},
		{"a value in need of repair", "search", `{"topic":"x","tokens":"500"}`, Repaired, `{"budget":500,"query":"x"}`},
		{"in a wrapper", "get_toc", `{"input":{"collection":"r"}}`, Repaired, `{"repo":"r"}`},
		{"as text", "delete_index", `"{\"collection\":\"r\"}"`, Repaired, `{"repo":"r"}`},
	} {
		res := Call(fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, c.name, c.arguments), cat)
		got := string(res.Arguments) + res.Refusal
		if res.Outcome != c.outcome || c.outcome != Refused && got != c.want || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s %s", c.why, res.Outcome, got)
		}
		if res.Renamed != (c.outcome == Exact && got != c.arguments) {
			t.Errorf("%s: renamed %v", c.why, res.Renamed)
		}
		for _, key := range []string{"collection", "topic", "libraryId"} {
			if strings.Contains(res.Hint, key+" →") {
				t.Errorf("%s: hint %s", c.why, res.Hint)
			}
		}
	}
}

func TestFurtherKeysBesideTheArguments(t *testing.T) {
	cat := withKeys(t)
	for params, want := range map[string]string{
		`{"name":"get_toc","collection":"r"}`:                                 `{"repo":"r"}`,
		`{"name":"get_toc","arguments":{"depth":1},"collection":"r"}`:         `{"depth":1,"repo":"r"}`,
		`{"name":"search","arguments":{"query":"x"},"library":"r"}`:           `{"collection":"r","query":"x"}`,
		`{"name":"search","arguments":{"query":"x"},"topic":"what else"}`:     `{"query":"x"}`,
		`{"name":"getToc","arguments":{"collection":"r"},"_meta":{"a":"b"}}`:  `{"repo":"r"}`,
		`{"name":"get_toc","arguments":{"collection":"r"},"_meta":{"a":"b"}}`: `{"repo":"r"}`,
	} {
		res := Call([]byte(params), cat)
		if res.Outcome == Refused || string(res.Arguments) != want {
			t.Errorf("%s: %+v", params, res)
		}
		sent := string(res.Params([]byte(params)))
		if again := Call([]byte(sent), cat); again.Outcome != Exact || again.Renamed || strings.Contains(params, "_meta") != strings.Contains(sent, `"_meta":{"a":"b"}`) {
			t.Errorf("%s: sent on as %s: %+v", params, sent, again)
		}
	}
}

func TestFurtherKeysOfNothing(t *testing.T) {
	for _, keys := range []map[string]string{{"collection": "repos"}, {"?": "repo"}} {
		_, err := NewCatalogue([]Tool{{Name: "a", Keys: keys, Schema: []byte(`{"type":"object","properties":{"repo":{"type":"string"}}}`)}}, Options{})
		if evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%v: %v", keys, err)
		}
	}
}

// Words for on and off are read where nothing is changed, and no others.
func TestSwitches(t *testing.T) {
	const schema = `{"type":"object","properties":{"verify":{"type":"boolean"}}}`
	cat := catalogue(t, []Tool{{Name: "look", Class: Read, Schema: []byte(schema)}, {Name: "change", Class: Write, Schema: []byte(schema)}})
	for value, want := range map[string]string{
		`"yes"`: "true", `"ON"`: "true", `"1"`: "true", `1`: "true", `" True "`: "true",
		`"No"`: "false", `"off"`: "false", `"0"`: "false", `0`: "false", `"false"`: "false",
		`"maybe"`: "", `2`: "", `"10"`: "", `"y"`: "", `[]`: "", `-1`: "",
	} {
		res := Call([]byte(`{"name":"look","arguments":{"verify":`+value+`}}`), cat)
		if want == "" && res.Outcome != Refused || want != "" && string(res.Arguments) != `{"verify":`+want+`}` {
			t.Errorf("%s: %+v", value, res)
		}
		if want != "" && (len(res.Changes) != 1 || res.Changes[0].Code != ValueType || !strings.Contains(res.Hint, "→ boolean")) {
			t.Errorf("%s: %+v", value, res)
		}
		lossless := strings.Contains(strings.ToLower(value), want) && len(want) > 3
		if res := Call([]byte(`{"name":"change","arguments":{"verify":`+value+`}}`), cat); (res.Outcome == Repaired) != lossless {
			t.Errorf("%s of a writing tool: %+v", value, res)
		}
	}
}
