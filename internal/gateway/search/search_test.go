package search

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"evergreen"

	"github.com/google/go-cmp/cmp"
)

func table(t *testing.T) *Table {
	t.Helper()
	tab, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// recorded are the input schemas of real servers, by tool.
func recorded(t *testing.T) []Tool {
	t.Helper()
	f, err := os.Open("testdata/upstream-tools.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var tools []Tool
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct {
			Name        string
			InputSchema json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		tools = append(tools, Tool{r.Name, r.InputSchema})
	}
	return tools
}

func plan(t *testing.T, id string, tools ...Tool) *Plan {
	t.Helper()
	if len(tools) == 0 {
		tools = recorded(t)
	}
	p, err := table(t).Plan(tools, "", id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every verified entry maps to names, values and bounds that the real server's
// schema has.
func TestVerifiedEntriesFitTheRecordedSchemas(t *testing.T) {
	n := 0
	for _, e := range table(t).entries {
		if !e.Verified {
			continue
		}
		n++
		p := plan(t, e.ID)
		if len(p.Faults) > 0 || len(p.Notes) > 0 || p.schema == nil {
			t.Errorf("%s: %v %v", e.ID, p.Faults, p.Notes)
		}
		for _, args := range []string{
			`{"query":"x","recency":"day","content_size":"small","safe":"off"}`,
			`{"query":"x","recency":"week","content_size":"medium","safe":"moderate","count":1,"page":1}`,
			`{"query":"x","recency":"month","content_size":"large","safe":"strict","count":50,"page":50,"country":"DE","language":"en"}`,
			`{"query":"x","recency":"year","include_domains":["a.example","b.example"],"exclude_domains":["c.example"]}`,
		} {
			c, err := p.Build(json.RawMessage(args))
			if err != nil {
				t.Fatalf("%s: %s: %v", e.ID, args, err)
			}
			if slices.ContainsFunc(c.Hints, func(h string) bool { return strings.Contains(h, "does not take") }) {
				t.Errorf("%s: %s: the table maps to what the schema refuses: %v", e.ID, args, c.Hints)
			}
		}
	}
	if n != 6 {
		t.Errorf("%d verified entries, want 6", n)
	}
}

func TestBuild(t *testing.T) {
	zai := Tool{"webSearchPrime", json.RawMessage(`{"type":"object","properties":{"search_query":{"type":"string"},"count":{"type":"integer"},` +
		`"location":{"type":"string"},"content_size":{"type":"string"},"search_recency_filter":{"type":"string"},"search_domain_filter":{"type":"string"}}}`)}
	generic := Tool{"find_on_web_search", json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{"q":{"type":"string"},"n":{"type":"integer","maximum":5},` +
		`"freshness":{"enum":["PD","PW"]},"safe":{"enum":["Off","Strict"]},"lang":{"enum":["en","de"]}},"required":["q"]}`)}
	kagi := Tool{"kagi_search_fetch", json.RawMessage(`{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"}}}}`)}
	bare := Tool{"bocha_web_search", nil}
	for _, c := range []struct {
		id    string
		tool  Tool
		given string
		want  string
		hints []string
	}{
		{"brave", Tool{}, `{"query":"a <b> \u00e9"}`, `{"query":"a <b> é"}`, nil},
		{"brave", Tool{}, `{"query":"a","count":50,"page":11}`, `{"count":20,"offset":9,"query":"a"}`, []string{"count 50 → 20", "page 11 → 10"}},
		{"brave", Tool{}, `{"query":"a","language":"ja","country":"us","recency":"day","safe":"off"}`, `{"country":"US","freshness":"pd","query":"a","safesearch":"off","search_lang":"jp"}`, nil},
		{"brave", Tool{}, `{"query":"a","language":"en-US"}`, `{"query":"a","search_lang":"en"}`, nil},
		{"brave", Tool{}, `{"query":"a","language":"tlh"}`, `{"query":"a"}`, []string{"language dropped: the search server does not take this value"}},
		{"brave", Tool{}, `{"query":"a","country":"ZZ"}`, `{"query":"a"}`, []string{"country dropped: the search server has nothing like it"}},
		{"brave", Tool{}, `{"query":"a","content_size":"medium"}`, `{"query":"a"}`, []string{"content_size dropped: the search server has nothing like it"}},
		{"brave", Tool{}, `{"query":"a","content_size":"high"}`, `{"extra_snippets":true,"query":"a"}`, nil},
		{"brave", Tool{}, `{"query":"a","include_domains":["x.example"],"exclude_domains":["y.example","z.example"]}`, `{"query":"a site:x.example -site:y.example -site:z.example"}`, nil},
		{"brave", Tool{}, `{"query":"a","include_domains":["x.example","y.example"]}`, `{"query":"a (site:x.example OR site:y.example)"}`, nil},
		{"brave", Tool{}, `{"query":"` + strings.Repeat("长", 390) + `","include_domains":["x.example"]}`, `{"query":"` + strings.Repeat("长", 390) + `"}`, []string{"domains dropped: the query would be longer than 400 characters"}},
		{"tavily", Tool{}, `{"query":"a","count":1,"country":"DE"}`, `{"country":"Germany","max_results":5,"query":"a"}`, []string{"count 1 → 5"}},
		{"tavily", Tool{}, `{"query":"a","country":"XX"}`, `{"query":"a"}`, []string{"country dropped: the search server wants a country's English name"}},
		{"exa", Tool{}, `{"query":"a","recency":"noLimit","safe":"off"}`, `{"query":"a"}`, []string{"safe dropped: the search server has no such parameter"}},
		{"searxng", Tool{}, `{"query":"a","safe":"strict","page":2,"search_recency_filter":"oneWeek"}`, `{"pageno":2,"query":"a","safesearch":"2","time_range":"week"}`, nil},
		{"perplexity", Tool{}, `{"query":"a","exclude_domains":["x.example"],"search_recency_filter":"oneDay"}`, `{"query":"a","search_domain_filter":["-x.example"],"search_recency_filter":"day"}`, nil},
		{"perplexity", Tool{}, `{"query":"a","include_domains":["y.example"],"exclude_domains":["x.example"]}`, `{"query":"a","search_domain_filter":["y.example"]}`, []string{"exclude_domains dropped: not together with include_domains"}},
		{"firecrawl", Tool{}, `{"query":"a","include_domains":["X.Example"]}`, `{"includeDomains":["x.example"],"query":"a","sources":["web"]}`, nil},
		{"zai", zai, `{"query":"a","location":"us","content_size":"high","search_recency_filter":"oneDay"}`, `{"content_size":"high","location":"us","search_query":"a","search_recency_filter":"oneDay"}`, nil},
		{"zai", zai, `{"query":"a","search_recency_filter":"noLimit"}`, `{"search_query":"a","search_recency_filter":"noLimit"}`, nil},
		{"zai", zai, `{"query":"a","country":"US","content_size":"large","recency":"year"}`, `{"content_size":"high","location":"us","search_query":"a","search_recency_filter":"oneYear"}`, nil},
		{"zai", zai, `{"query":"a","include_domains":["x","y"]}`, `{"search_query":"a"}`, []string{"include_domains dropped: the search server takes one only"}},
		{"zai", zai, `{"query":"a","include_domains":["x"]}`, `{"search_domain_filter":"x","search_query":"a"}`, nil},
		{"", generic, `{"query":"a","count":3,"recency":"day","safe":"strict","language":"de-AT","page":3}`, `{"freshness":"PD","lang":"de","n":3,"q":"a","safe":"Strict"}`, []string{"page dropped: the search server has no such parameter"}},
		{"", generic, `{"query":"a","count":9,"recency":"year"}`, `{"q":"a"}`, []string{"recency dropped: the search server has nothing like it", "count dropped: the search server does not take this value"}},
		{"", kagi, `{"query":"a","recency":"year"}`, `{"queries":["a"]}`, []string{"recency dropped: the search server has no such parameter"}},
		{"", bare, `{"query":"a","recency":"day"}`, `{"freshness":"oneDay","query":"a"}`, nil},
		{"brave", Tool{}, `{"query":"a","country":null,"language":"","include_domains":[]}`, `{"query":"a"}`, nil},
	} {
		var p *Plan
		if c.tool.Name == "" {
			p = plan(t, c.id)
		} else {
			p = plan(t, c.id, c.tool)
		}
		got, err := p.Build(json.RawMessage(c.given))
		if err != nil {
			t.Errorf("%s %s: %v", c.id, c.given, err)
			continue
		}
		if diff := cmp.Diff(c.want, string(got.Arguments)); diff != "" {
			t.Errorf("%s %s:\n%s", c.id, c.given, diff)
		}
		if diff := cmp.Diff(c.hints, got.Hints); diff != "" {
			t.Errorf("%s %s: hints\n%s", c.id, c.given, diff)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	reject, err := table(t).Overlay([]byte(`{"upstreams":[{"id":"own","match":{"tools":["mine"]},"params":{"query":{"name":"q","type":"string","minLength":2}},"unsupported":{"page":"reject"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	mine, err := reject.Plan([]Tool{{"mine", json.RawMessage(`{"properties":{"q":{"type":"string","pattern":"^[a-z]+$"}}}`)}}, "", "")
	if err != nil || mine.Entry != "own" {
		t.Fatal(mine, err)
	}
	for _, c := range []struct {
		p           *Plan
		given, want string
	}{
		{plan(t, "brave"), `{"query":" \t"}`, "blank"},
		{plan(t, "brave"), `{}`, "blank"},
		{plan(t, "brave"), `{"query":"` + strings.Repeat("长", 401) + `"}`, "at most 400"},
		{plan(t, "brave"), `[]`, "no JSON object"},
		{plan(t, "brave"), `{"query":1}`, "query must be a string"},
		{plan(t, "brave"), `{"query":"a","count":"x"}`, "count must be a whole number"},
		{plan(t, "brave"), `{"query":"a","include_domains":"x"}`, "include_domains must be an array"},
		{mine, `{"query":"ab","page":2}`, "page cannot be used here"},
		{mine, `{"query":"a"}`, "fewer than 2"},
		{mine, `{"query":"AB"}`, "would refuse the query"},
	} {
		_, err := c.p.Build(json.RawMessage(c.given))
		if err == nil || !strings.Contains(err.Error(), c.want) || evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%s: %v", c.given, err)
		}
	}
	if c, err := plan(t, "brave").Build(json.RawMessage(`{"query":"` + strings.Repeat("长", 400) + `"}`)); err != nil || len(c.Hints) > 0 {
		t.Errorf("a query of just 400 characters: %v %v", c, err)
	}
}

func TestPlanChooses(t *testing.T) {
	q := json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}}}`)
	for _, c := range []struct {
		tools    []Tool
		server   string
		id       string
		entry    string
		tool     string
		problems bool
	}{
		{[]Tool{{"web_search_prime", q}}, "", "", "", "", true}, // no search_query
		{[]Tool{{"search", q}}, "", "", "generic", "search", false},
		{[]Tool{{"search", q}}, "DuckDuckGo Search", "", "duckduckgo", "search", false},
		{[]Tool{{"add", nil}, {"web-search", q}, {"search", q}}, "", "", "generic", "web-search", false},
		{[]Tool{{"ask", q}}, "", "", "generic", "ask", false},
		{[]Tool{{"ask", q}, {"tell", q}}, "", "", "", "", true},
		{[]Tool{{"exaWebSearch", q}, {"webSearchExa", q}}, "", "exa", "exa", "webSearchExa", false},
		{nil, "", "", "", "", true},
		{[]Tool{{"search", q}}, "", "brave", "", "", true},
		{[]Tool{{"search", q}}, "", "absent", "", "", true},
	} {
		p, err := table(t).Plan(c.tools, c.server, c.id)
		if (err != nil) != c.problems {
			t.Errorf("%+v: %v", c, err)
		} else if err == nil && (p.Entry != c.entry || p.Tool != c.tool) {
			t.Errorf("%+v: chose %s of %s", c, p.Tool, p.Entry)
		}
	}
}

func TestNamesThatAreMissingAreReported(t *testing.T) {
	p := plan(t, "", Tool{"brave_web_search", json.RawMessage(`{"properties":{"query":{},"count":{}}}`)})
	if len(p.Faults) != 6 || !strings.Contains(p.Faults[0], "sends recency as freshness, which brave_web_search does not have") {
		t.Errorf("%q", p.Faults)
	}
	p = plan(t, "", Tool{"bocha_web_search", json.RawMessage(`{"properties":{"query":{}}}`)})
	if len(p.Faults) != 0 || len(p.Notes) != 2 {
		t.Errorf("%q %q", p.Faults, p.Notes)
	}
	c, err := p.Build(json.RawMessage(`{"query":"a","recency":"day"}`))
	if err != nil || string(c.Arguments) != `{"query":"a"}` || len(c.Hints) != 1 {
		t.Errorf("%s %v %v", c.Arguments, c.Hints, err)
	}
}

func TestOverlay(t *testing.T) {
	tab, err := table(t).Overlay([]byte(`{"format":"evergreen-upstreams/1","upstreams":[
		{"id":"exa","match":{"tools":["other"]},"params":{"query":{"name":"q","type":"string"}}},
		{"id":"new","match":{"tools":["search"]},"params":{"query":{"name":["q","query"],"type":"string"}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	ids := tab.IDs()
	if ids[0] != "new" || ids[len(ids)-1] != "generic" || len(ids) != len(table(t).IDs())+1 {
		t.Errorf("%v", ids)
	}
	for _, c := range []struct{ data, want string }{
		{`[`, "no JSON"},
		{`{"format":"x/2"}`, "unknown format"},
		{`{"upstreams":[{"match":{"tools":["a"]}}]}`, "needs an id"},
		{`{"upstreams":[{"id":"a"}]}`, "needs an id"},
		{`{"upstreams":[{"id":"a","match":{"tools":["a"]}}]}`, "maps no query"},
		{`{"upstreams":[{"id":"a","match":{"tools":["a"],"server":"("},"params":{"query":{"name":"q","type":"string"}}}]}`, "match.server"},
		{`{"upstreams":[{"id":"a","match":{"tools":["a"]},"params":{"query":{"name":"q","type":"text"}}}]}`, "unknown type"},
		{`{"upstreams":[{"id":"a","match":{"tools":["a"]},"params":{"query":{"name":"q","type":"string"},"size":{"name":"s","type":"string"}}}]}`, "no parameter of web_search"},
		{`{"upstreams":[{"id":"a","match":{"tools":["a"]},"params":{"query":{"name":"q","type":"string"}},"unsupported":{"page":"ignore"}}]}`, "unsupported.page"},
	} {
		if _, err := table(t).Overlay([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.data, err)
		}
	}
}

func FuzzBuild(f *testing.F) {
	tab, err := Default()
	if err != nil {
		f.Fatal(err)
	}
	var plans []*Plan
	for _, schema := range []string{
		`{"properties":{"query":{"type":"string"},"count":{"type":"integer","maximum":20},"freshness":{"enum":["pd","pw"]},"country":{"enum":["US","ALL"]}}}`,
		`{"properties":{"q":{"type":"string"},"n":{"type":"integer"},"safe":{"enum":["Off"]}},"additionalProperties":false}`,
	} {
		for _, name := range []string{"brave_web_search", "web_search"} {
			if p, err := tab.Plan([]Tool{{name, json.RawMessage(schema)}}, "", ""); err == nil {
				plans = append(plans, p)
			}
		}
	}
	if len(plans) < 2 {
		f.Fatal("nothing to build with")
	}
	for _, seed := range []string{`{"query":"x"}`, `{"query":"x","count":99,"country":"us","recency":"oneDay","safe":"off"}`,
		`{"query":"x","include_domains":["a","b c"],"exclude_domains":["d"],"language":"en-US"}`, `{"query":1}`, `[]`, `{"query":"x","page":-5,"content_size":"high"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		for _, p := range plans {
			c, err := p.Build(json.RawMessage(arguments))
			if err != nil {
				continue
			}
			var sent map[string]any
			if json.Unmarshal(c.Arguments, &sent) != nil || p.schema.Validate(sent) != nil {
				t.Errorf("%s: sends %s", arguments, c.Arguments)
			}
			if q, _ := sent[p.bound["query"]].(string); !strings.HasPrefix(q, text(arguments)) {
				t.Errorf("%s: the query became %q", arguments, q)
			}
		}
	})
}

// text is the query that was given.
func text(arguments string) string {
	var a struct {
		Query string `json:"query"`
	}
	_ = json.Unmarshal([]byte(arguments), &a) // what cannot be read was refused
	return a.Query
}
