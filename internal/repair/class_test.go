package repair

import (
	"strings"
	"testing"
)

func TestClassOf(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		why  string
		tool Tool
		want Class
	}{
		{"operator's word", Tool{Name: "delete_all", Class: Read}, Read},
		{"annotation", Tool{Name: "a", Destructive: &yes}, Destructive},
		{"annotation outweighs read-only", Tool{Name: "a", Destructive: &yes, ReadOnly: &yes}, Destructive},
		{"verb in front", Tool{Name: "remove_page", ReadOnly: &yes}, Destructive},
		{"verb in front of an upstream's tool", Tool{Name: "tracker__closeTicket"}, Destructive},
		{"verb behind", Tool{Name: "gateway_delete"}, Destructive},
		{"verb behind, read-only", Tool{Name: "search_send_queue", ReadOnly: &yes}, Read},
		{"verb of our own", Tool{Name: "delete_index", Own: true}, Destructive},
		{"read-only", Tool{Name: "a", ReadOnly: &yes}, Read},
		{"not read-only", Tool{Name: "a", ReadOnly: &no, Own: true}, Write},
		{"own", Tool{Name: "a", Own: true}, Read},
		{"nothing said", Tool{Name: "search"}, Write},
	} {
		cat := catalogue(t, []Tool{c.tool})
		if got, ok := cat.ClassOf(c.tool.Name); got != c.want || !ok {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
	}
	if _, ok := catalogue(t, nil).ClassOf("none"); ok {
		t.Error("an unknown tool has a class")
	}
}

// TestPolicies sends the same calls under every class and policy: R is
// repaired, - refused, E exact.
func TestPolicies(t *testing.T) {
	const schema = `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","maximum":9}},"required":["query"],"additionalProperties":false}`
	calls := []struct{ what, params string }{
		{"type", `{"name":"make_report","arguments":{"query":5}}`},
		{"text", `{"name":"make_report","arguments":"{\"query\":\"x\"}"}`},
		{"name form", `{"name":"makeReport","arguments":{"query":"x"}}`},
		{"wrapper", `{"name":"make_report","arguments":{"input":{"query":"x"}}}`},
		{"alias", `{"name":"make_report","arguments":{"q":"x"}}`},
		{"null", `{"name":"make_report","arguments":{"query":"x","limit":null}}`},
		{"name typo", `{"name":"make_reprot","arguments":{"query":"x"}}`},
		{"key typo", `{"name":"make_report","arguments":{"qurey":"x"}}`},
		{"drop", `{"name":"make_report","arguments":{"query":"x","mood":"y"}}`},
		{"clamp", `{"name":"make_report","arguments":{"query":"x","limit":99}}`},
	}
	for _, c := range []struct {
		class  Class
		policy Policy
		want   string
	}{
		{Read, "", "RRRRRRRRRR"},
		{Write, "", "RRRRRR----"},
		{Destructive, "", "RRR-------"},
		{Read, PolicySafe, "RRRRRR----"},
		{Destructive, PolicySafe, "RRR-------"},
		{Write, PolicyFull, "RRRRRR-RRR"},
		{Destructive, PolicyFull, "RRRRRR-RRR"},
		{Read, PolicyHintOnly, "----------"},
		{Read, PolicyOff, "EE-EEE-EEE"},
	} {
		cat := catalogue(t, []Tool{{Name: "make_report", Schema: []byte(schema), Class: c.class, Policy: c.policy}})
		got := ""
		for _, call := range calls {
			res := Call([]byte(call.params), cat)
			got += map[Outcome]string{Repaired: "R", Refused: "-", Exact: "E"}[res.Outcome]
			if c.policy == PolicyHintOnly && !strings.Contains(res.Refusal, `{"name":"make_report","arguments":{`) {
				t.Errorf("%s: the right call is not shown: %s", call.what, res.Refusal)
			}
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.class, c.policy, got, c.want)
		}
	}
}

func TestNewCatalogueRefuses(t *testing.T) {
	for why, c := range map[string]struct {
		tools []Tool
		opt   Options
	}{
		"no name":        {tools: []Tool{{}}},
		"two of a name":  {tools: []Tool{{Name: "a"}, {Name: "a"}}},
		"unknown class":  {tools: []Tool{{Name: "a", Class: "odd"}}},
		"unknown policy": {tools: []Tool{{Name: "a", Policy: "odd"}}},
		"alias of none":  {tools: []Tool{{Name: "a"}}, opt: Options{Aliases: map[string]string{"b": "c"}}},
	} {
		if _, err := NewCatalogue(c.tools, c.opt); err == nil {
			t.Errorf("%s: no error", why)
		}
	}
}

// TestAliases checks that an alias never hides a tool that is served.
func TestAliases(t *testing.T) {
	yes := true
	search := Tool{Name: "web_search", ReadOnly: &yes, Primary: "query", Schema: []byte(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}
	call := func(name string, tools []Tool, opt Options) string {
		cat, err := NewCatalogue(tools, opt)
		if err != nil {
			t.Fatal(err)
		}
		return Call([]byte(`{"name":"`+name+`","arguments":{"query":"x"}}`), cat).Name
	}
	for _, c := range []struct {
		why, name, want string
		tools           []Tool
		opt             Options
	}{
		{"a vendor's name", "brave_web_search", "web_search", []Tool{search}, Options{}},
		{"a vendor's name in another style", "braveWebSearch", "web_search", []Tool{search}, Options{}},
		{"the vendor's tool itself", "braveWebSearch", "brave_web_search", []Tool{search, {Name: "brave_web_search"}}, Options{}},
		{"the vendor's tool behind a prefix", "brave_web_search", "brave__brave_web_search", []Tool{search, {Name: "brave__brave_web_search"}}, Options{}},
		{"no search tool of our own", "brave_web_search", "", []Tool{{Name: "web_search", ReadOnly: &yes}}, Options{}},
		{"configured", "look-up", "web_search", []Tool{search}, Options{Aliases: map[string]string{"look_up": "web_search"}}},
		{"of the tool", "finder", "web_search", []Tool{{Name: "web_search", Aliases: []string{"finder"}}}, Options{}},
		{"another server's name", "mcp__library__web_search", "web_search", []Tool{search}, Options{Server: "library"}},
		{"an upstream that was named", "brave-search/news", "brave_search_news", []Tool{{Name: "brave_search_news", Upstream: "brave_search"}}, Options{}},
	} {
		if got := call(c.name, c.tools, c.opt); got != c.want {
			t.Errorf("%s: %s reached %q, want %q", c.why, c.name, got, c.want)
		}
	}
}
