package repair

import (
	"encoding/json"
	"strings"
	"testing"

	"evergreen/internal/repair/jsonvalue"
)

// TestHints reads the hint in its three forms.
func TestHints(t *testing.T) {
	got := Call([]byte(`{"name":"webSearch","arguments":{"q":"rust","count":"3"}}`), catalogue(t, testTools(t)))
	for form, c := range map[string]struct{ got, want string }{
		"long":        {got.Hint, `[evergreen] Repaired: name webSearch → web_search; q → query; count: string → number. Canonical call: {"name":"web_search","arguments":{"count":3,"query":"rust"}}`},
		"short":       {got.Short, `[evergreen] Canonical call: {"name":"web_search","arguments":{"count":3,"query":"rust"}}`},
		"after error": {got.AfterError(), `The call was repaired and run as {"name":"web_search","arguments":{"count":3,"query":"rust"}}`},
	} {
		if c.got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", form, c.got, c.want)
		}
	}
	exact := Call([]byte(`{"name":"web_search","arguments":{"query":"rust"}}`), catalogue(t, testTools(t)))
	if exact.Hint+exact.Short+exact.AfterError()+exact.Refusal != "" {
		t.Errorf("an exact call is talked about: %+v", exact)
	}
}

// TestSecretsStayIn sends credentials in every place a caller may put them.
func TestSecretsStayIn(t *testing.T) {
	cat := catalogue(t, testTools(t))
	const secret = "ghp_0123456789"
	for _, params := range []string{
		`{"name":"files__read_text","arguments":{"file":"/a","api_key":"` + secret + `"}}`,
		`{"name":"files__read_text","arguments":{"file":"/a","Authorization":["` + secret + `"]}}`,
		`{"name":"files__read_text","arguments":{"file":"/a","headers":{"x":"` + secret + `"}}}`,
		`{"name":"search_context","arguments":{"query":"x","category":"` + secret + `"}}`,
		`{"name":"search_context","arguments":{"query":"x","limit":{"token":"` + secret + `"}}}`,
		`{"name":"db__run","arguments":{"password":"` + secret + `"}}`,
		`{"name":"get_entry","arguments":{"{\"id\":\"` + secret + `\"}":null}}`,
		`{"name":"get_entry","arguments":{"{\"key_of\":\"` + secret + `\"}":null}}`,
	} {
		got := Call([]byte(params), cat)
		shown, err := json.Marshal(got.Changes)
		if err != nil {
			t.Fatal(err)
		}
		if all := got.Hint + got.Short + got.Refusal + string(shown); strings.Contains(all, secret) {
			t.Errorf("%s\nis echoed in %s", params, all)
		}
	}
}

// TestExamples makes up a call of every tool and sends it.
func TestExamples(t *testing.T) {
	cat := catalogue(t, testTools(t))
	r := &run{cat: cat}
	for _, tool := range cat.tools {
		example := r.example(tool, nil)
		if tool.class == Destructive {
			if !strings.Contains(example, `"<`) && len(tool.root.Required) > 0 {
				t.Errorf("%s: somebody will send %s", tool.Name, example)
			}
			continue
		}
		if got := Call([]byte(example), cat); !tool.Hidden && got.Outcome != Exact {
			t.Errorf("%s: the example %q is %s: %s", tool.Name, example, got.Outcome, got.Refusal)
		}
	}
}

func TestCorpusExamples(t *testing.T) {
	cat := catalogue(t, corpusTools(t, "real-tools.jsonl"))
	r := &run{cat: cat}
	for _, tool := range cat.tools {
		example := r.example(tool, nil)
		if got := Call([]byte(example), cat); got.Outcome != Exact {
			t.Errorf("%s: the example is %q", tool.Name, example)
		}
	}
}

// TestFaults reads what is said about wrong arguments.
func TestFaults(t *testing.T) {
	cat := catalogue(t, testTools(t))
	for _, c := range []struct{ tool, args, want string }{
		{"get_entry", `{}`, "id: missing, expected string that is not empty"},
		{"get_entry", `{"id":5}`, "id: expected string that is not empty, got the number 5"},
		{"get_metrics", `{"x":1}`, "x: not a parameter; there are budget"},
		{"search_context", `{"query":"x","limit":99}`, "limit: expected integer from 1 to 50, got the number 99"},
		{"search_context", `{"query":"x","category":[]}`, "category: expected one of fact, protocol, rule, principle, workflow, got an array of 0"},
		{"tracker__create_ticket", `{"project":"p","title":"t","estimate":{}}`, "estimate: expected integer or null, got an object"},
		{"tracker__create_ticket", `{"project":"p","title":"t","options":{"due":1}}`, "options.due: not a parameter; there are due_date, notify"},
		{"chat__complete", `{"messages":[{"role":"user"}]}`, "messages[0].content: missing, expected string"},
		{"chat__complete", `{"messages":true}`, "messages: expected array of object with at least 1, got true"},
		{"get_section", `{}`, "arguments: the parameters do not fit together; needed is id, or ids"},
		{"files__read_text", `{"path":"/a","max_lines":-1}`, "max_lines: expected integer of at least 1, got the number -1"},
	} {
		v, err := jsonvalue.Parse([]byte(c.args))
		if err != nil {
			t.Fatal(err)
		}
		got := faults("", v, cat.byName[c.tool].root)
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %s\ngot  %q\nwant %q", c.tool, c.args, got, c.want)
		}
	}
}
