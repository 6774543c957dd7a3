package websearch

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every shape of the original's list, and those that it gets wrong.
func TestExtract(t *testing.T) {
	long := strings.Repeat("long ", 200)
	deep := strings.Repeat(`{"a":`, 12) + `{"q":"deep"}` + strings.Repeat("}", 12)
	tooDeep := strings.Repeat(`{"a":`, 40) + `{"q":"deep"}` + strings.Repeat("}", 40)
	for _, c := range []struct {
		name, arguments, query, source string // query "" for none
	}{
		// Objects.
		{"canonical", `{"query":"rust async runtime"}`, "rust async runtime", "query"},
		{"first alias", `{"search_query":"x"}`, "x", "search_query"},
		{"another alias", `{"q":"x"}`, "x", "q"},
		{"last alias", `{"searchString":"x"}`, "x", "searchString"},
		{"query before q", `{"q":"b","query":"a"}`, "a", "query"},
		{"both and junk", `{"junk":"a much longer text than the others","search_query":"b","query":"a"}`, "a", "query"},
		{"blank gives way", `{"query":"  ","q":"x"}`, "x", "q"},
		{"null gives way", `{"query":null,"text":"x"}`, "x", "text"},
		{"kept as it is", `{"query":"  two  spaces <b> &amp; \" "}`, "  two  spaces <b> &amp; \" ", "query"},
		{"never cut", `{"query":"` + long + `"}`, long, "query"},
		{"other case of a key", `{"Query":"x"}`, "x", "Query"},
		{"object under an alias", `{"query":{"text":"x"}}`, "x", "nested:query.text"},
		{"drill order", `{"query":{"zzz":"first by appearance","q":"b","value":"a"}}`, "a", "nested:query.value"},
		{"drill by appearance", `{"query":{"zzz":"a","aaa":"b"}}`, "a", "nested:query.zzz"},
		{"dry object gives way", `{"query":{},"q":"x"}`, "x", "q"},
		{"array under an alias", `{"query":["a","b"]}`, "a", "nested:query"},
		{"array of objects", `{"query":[{"text":"a"}]}`, "a", "nested:query.text"},
		{"nested", `{"options":{"q":"x"}}`, "x", "nested:options.q"},
		{"breadth first", `{"a":{"b":{"query":"deep"}},"c":{"q":"shallow"}}`, "shallow", "nested:c.q"},
		{"deep", deep, "deep", "nested:" + strings.Repeat("a.", 12) + "q"},
		{"too deep", tooDeep, "", ""},
		{"inferred", `{"foo":"rust","bar":"rust async runtime"}`, "rust async runtime", "inferred:bar"},
		{"inferred, first of equals", `{"foo":"aaa","bar":"bbb"}`, "aaa", "inferred:foo"},
		{"inferred, below", `{"foo":{"bar":["x","rust async"]}}`, "rust async", "inferred:foo.bar"},
		// Scalars, arrays, nothing.
		{"bare string", `"rust async"`, "rust async", "bare string"},
		{"array", `["rust","go"]`, "rust", "array"},
		{"array, first usable", `[null,"",{"x":{}},{"q":"go"}]`, "go", "array"},
		{"nested arrays", `[[["go"]]]`, "go", "array"},
		{"number", `42`, "42", "scalar"},
		{"boolean", `true`, "true", "scalar"},
		{"empty object", `{}`, "", ""},
		{"empty array", `[]`, "", ""},
		{"null", `null`, "", ""},
		{"absent", ``, "", ""},
		{"no strings", `{"foo":1,"bar":[true]}`, "", ""},
		{"only optionals", `{"location":"us","recency":"oneDay"}`, "", ""},
		// What the original fails.
		{"JSON text", `"{\"query\":\"x\"}"`, "x", "JSON string:query"},
		{"JSON text twice", `"\"{\\\"q\\\":\\\"x\\\"}\""`, "x", "q"},
		{"JSON text in the parameter", `{"query":"{\"query\":\"x\",\"count\":5}"}`, "x", "nested:query.query"},
		{"text that only looks like JSON", `{"query":"{x} in LaTeX"}`, "{x} in LaTeX", "query"},
		{"JSON that is no call", `{"query":"{\"a\": 1} parse error"}`, `{"a": 1} parse error`, "query"},
		{"fenced", "\"```json\\n{\\\"query\\\": \\\"x\\\"}\\n```\"", "x", "JSON string:query"},
		{"Python", `"{'query': 'x', 'safe': None}"`, "x", "JSON string:query"},
		{"trailing comma", `"{\"query\": \"x\",}"`, "x", "JSON string:query"},
		{"JSON text without a query", `"{}"`, "", ""},
		{"million", `{"query":1000000}`, "1000000", "scalar"},
		{"date", `{"query":20250101}`, "20250101", "scalar"},
		{"twenty digits", `{"query":12345678901234567890}`, "12345678901234567890", "scalar"},
		{"fraction", `{"q":1.50}`, "1.50", "scalar"},
		{"blank", `{"query":""}`, "", ""},
		{"blank string", `"  "`, "", ""},
		{"chat", `{"messages":[{"role":"system","content":"You are a very long system prompt"},{"role":"user","content":"old"},{"role":"assistant","content":"hm"},{"role":"user","content":"rust"}]}`, "rust", "nested:messages"},
		{"chat of parts", `{"messages":[{"role":"user","content":[{"type":"text","text":"rust"}]}]}`, "rust", "nested:messages.text"},
		{"chat as array", `[{"role":"system","content":"long long long"},{"role":"user","content":"rust"}]`, "rust", "array"},
		{"characters, not bytes", `{"foo":"中文搜索","bar":"latin text"}`, "latin text", "inferred:bar"},
		{"whole call inside", `{"name":"web_search","arguments":{"query":"x"}}`, "x", "nested:arguments.query"},
		{"whole call as text inside", `{"name":"web_search","arguments":"{\"query\":\"x\"}"}`, "x", "nested:arguments.query"},
		{"call in a call", `{"params":{"name":"web_search","arguments":{"q":"x"}}}`, "x", "nested:params.arguments.q"},
		{"function", `{"type":"function","function":{"name":"web_search","arguments":"{\"q\":\"x\"}"}}`, "x", "nested:function.arguments.q"},
		{"schema echo", `{"type":"object","properties":{"query":"rust"}}`, "rust", "nested:properties.query"},
		{"schema echo with a value", `{"type":"object","properties":{"query":{"type":"string","description":"what to search for","value":"rust"}}}`, "rust", "nested:properties.query.value"},
		{"schema echo and a query", `{"type":"object","properties":{"query":{"type":"string"}},"query":"rust"}`, "rust", "query"},
		{"schema alone", `{"type":"object","properties":{"query":{"type":"string","description":"What to search for"}},"required":["query"]}`, "", ""},
		{"name is no query", `{"name":"web_search_with_a_long_name","foo":"rust"}`, "rust", "inferred:foo"},
	} {
		f, ok := Default().extract(json.RawMessage(c.arguments))
		if ok != (c.query != "") || f.query != c.query || ok && f.source != c.source {
			t.Errorf("%s: %q from %q (%v), want %q from %q", c.name, f.query, f.source, ok, c.query, c.source)
		}
		if canonical := c.source == "query"; f.canonical != canonical && ok {
			t.Errorf("%s: canonical is %v", c.name, f.canonical)
		}
	}
}

func TestOptionals(t *testing.T) {
	for _, c := range []struct {
		arguments string
		want      map[string]string
		canonical bool
		source    string
	}{
		{`{"query":"x","location":"us","content_size":"high","search_recency_filter":"oneDay"}`,
			map[string]string{"location": `"us"`, "content_size": `"high"`, "search_recency_filter": `"oneDay"`}, true, "query"},
		{`{"query":"x","country":"us","recency":7}`, map[string]string{"location": `"us"`, "search_recency_filter": `7`}, false, "optional:recency"},
		{`{"query":"x","location":"a","country":"b"}`, map[string]string{"location": `"a"`}, true, "query"},
		{`{"query":"x","location":"","country":null}`, map[string]string{}, true, "query"},
		{`{"query":"x","unknown":"y"}`, map[string]string{}, true, "query"},
		{`{"arguments":{"q":"x","location":"us"}}`, map[string]string{"location": `"us"`}, false, "nested:arguments.q"},
		{`{"query":{"text":"x"},"location":{"a":1.50}}`, map[string]string{"location": `{"a":1.50}`}, false, "nested:query.text"},
	} {
		f, ok := Default().extract(json.RawMessage(c.arguments))
		got := map[string]string{}
		for name, raw := range f.optionals {
			got[name] = string(raw)
		}
		if diff := cmp.Diff(c.want, got); !ok || diff != "" || f.canonical != c.canonical || f.source != c.source {
			t.Errorf("%s: %v %q\n%s", c.arguments, f.canonical, f.source, diff)
		}
	}
}

func TestEnvelopes(t *testing.T) {
	s := &Server{c: Default()}
	for _, c := range []struct{ params, tool, arguments, carrier string }{
		{`{"name":"web_search","args":{"query":"x"}}`, "web_search", `{"query":"x"}`, "args"},
		{`{"tool":"web_search","parameters":{"query":"x"}}`, "web_search", `{"query":"x"}`, "parameters"},
		{`{"tool":"web_search","arguments":{"query":"x"}}`, "web_search", `{"query":"x"}`, ""},
		{`{"name":"web_search","query":"x","_meta":{"a":1}}`, "web_search", `{"query":"x"}`, "params"},
		{`{"name":"web_search","arguments":{},"query":"x"}`, "web_search", `{"query":"x"}`, "params"},
		{`{"name":"web_search","arguments":null,"input":"x"}`, "web_search", `"x"`, "input"},
		{`{"function":{"name":"web_search","arguments":"{\"q\":\"x\"}"}}`, "web_search", `"{\"q\":\"x\"}"`, "function"},
		{`{"name":5,"arguments":{"query":"x"}}`, "", `{"query":"x"}`, ""},
		{`"{\"name\":\"s\",\"query\":\"x\"}"`, "s", `{"query":"x"}`, "params"},
		{`["x"]`, "", `["x"]`, "params"},
		{`"x"`, "", `"x"`, "params"},
	} {
		out, notes := s.hook([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + c.params + `}`))
		var m struct {
			Params struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		if err := json.Unmarshal(out, &m); err != nil || len(notes) != 2 {
			t.Errorf("%s: %s %v", c.params, out, notes)
			continue
		}
		if notes[0] != c.tool || notes[1] != c.carrier || m.Params.Name != c.tool || string(m.Params.Arguments) != c.arguments {
			t.Errorf("%s: %q %s", c.params, notes, out)
		}
	}
	for _, params := range []string{`{"name":"x","arguments":"y"}`, `{"name":"x"}`, `{"name":"x","arguments":{"a":1},"_meta":{}}`, `{"arguments":{"query":"x"}}`} {
		raw := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
		if out, notes := s.hook([]byte(raw)); string(out) != raw || notes != nil {
			t.Errorf("%s: %s %q", params, out, notes)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, seed := range []string{`{"query":"x"}`, `"{\"q\":1}"`, `[[{"messages":[{"role":"user","content":"x"}]}]]`, `{"a":{"b":"c"}}`, `{`, `"\ud800"`, `{"query":" "}`, `[" "]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		if !json.Valid([]byte(arguments)) {
			return // package edge lets nothing else through
		}
		found, ok := Default().extract(json.RawMessage(arguments))
		if ok && strings.TrimSpace(found.query) == "" {
			t.Errorf("%q: a blank query", arguments)
		}
		for name, raw := range found.optionals {
			if !json.Valid(raw) {
				t.Errorf("%q: %s is %q", arguments, name, raw)
			}
		}
	})
}
