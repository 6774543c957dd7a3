package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"evergreen/internal/gateway/search"
	"evergreen/internal/repair"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const searxSchema = `{"type":"object","properties":{"query":{"type":"string"},"num_results":{"type":"number","minimum":1,"maximum":20},` +
	`"time_range":{"type":"string","enum":["day","week","month","year"]},"language":{"type":"string"},"result_detail":{"type":"string","enum":["full","compact"]},` +
	`"safesearch":{"type":"string","enum":["0","1","2"]},"pageno":{"type":"number"}},"required":["query"]}`

func TestWebSearch(t *testing.T) {
	url := listen(t, fakeServer("sx", fakeTool{name: "searxng_web_search", schema: searxSchema}))
	st := build(t, FaceOptions{}, at("sx", url, func(u *Upstream) { u.Unlisted = true }))
	s, err := st.g.Search(SearchOptions{Upstream: "sx"})
	if err != nil {
		t.Fatal(err)
	}
	if names := st.names(); len(names) != 2 {
		t.Errorf("an upstream for web_search alone is listed: %v", names)
	}
	for _, c := range []struct {
		arguments, want, hint string
		fails                 bool
	}{
		{`{"query":"a b"}`, `searxng_web_search {"query":"a b"}`, "", false},
		{`{"query":"a","count":50,"country":"DE","recency":"week"}`, `searxng_web_search {"num_results":20,"query":"a","time_range":"week"}`, "count 50 → 20; country dropped", false},
		{`{"query":"a","include_domains":["x.example"],"search_recency_filter":"noLimit"}`, `searxng_web_search {"query":"a site:x.example"}`, "", false},
		{`{"query":"  "}`, "web_search was not run: the query is blank\nTry: ", "", true},
	} {
		r := s.Search(t.Context(), json.RawMessage(c.arguments), nil)
		got := texts(r)
		if r.IsError != c.fails || !strings.HasPrefix(got[0], c.want) {
			t.Errorf("%s: %q", c.arguments, got)
		}
		if said := strings.Join(got[1:], ""); (said == "") != (c.hint == "") || !strings.Contains(said, c.hint) || len(said) > maxSearchHint {
			t.Errorf("%s: hint %q", c.arguments, said)
		}
	}
}

func TestWebSearchThatIsNotReady(t *testing.T) {
	addr := freeAddr(t)
	st := build(t, FaceOptions{}, at("late", "http://"+addr, nil), at("calc", listen(t, fakeServer("calc", fakeTool{name: "add"}, fakeTool{name: "subtract"})), nil))
	late, err := st.g.Search(SearchOptions{Upstream: "late", Entry: "searxng"})
	if err != nil {
		t.Fatal(err)
	}
	if r := late.Search(t.Context(), json.RawMessage(`{"query":"a"}`), nil); !r.IsError || !strings.Contains(texts(r)[0], "not reachable") {
		t.Errorf("%q", texts(r))
	}
	listenAt(t, addr, fakeServer("sx", fakeTool{name: "searxng_web_search", schema: searxSchema}))
	if r := late.Search(t.Context(), json.RawMessage(`{"query":"a"}`), nil); r.IsError {
		t.Errorf("%q", texts(r))
	}
	calc, err := st.g.Search(SearchOptions{Upstream: "calc"})
	if err != nil {
		t.Fatal(err)
	}
	if r := calc.Search(t.Context(), json.RawMessage(`{"query":"a"}`), nil); !r.IsError || !strings.Contains(texts(r)[0], "no search tool that is known") {
		t.Errorf("%q", texts(r))
	}
	if got := strings.Join(st.g.States()[1].Faults, "\n"); !strings.Contains(got, "web_search: the upstream lists no search tool") {
		t.Errorf("%q", got)
	}
	for _, o := range []SearchOptions{{Upstream: "nobody"}, {Upstream: "calc", Entry: "nothing"}} {
		if _, err := st.g.Search(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

const tavilySchema = `{"type":"object","properties":{"query":{"type":"string"},"country":{"type":"string"},"max_results":{"type":"number","minimum":5,"maximum":20}},"required":["query"]}`

// Only the server knows how it spells countries: it is asked once more without,
// and told of, when it refuses the name; other errors are the caller's to see.
func TestWebSearchWithoutACountryThatIsRefused(t *testing.T) {
	for _, c := range []struct {
		arguments, refusal string
		protocol           bool
		calls              int
		want               string
	}{
		{`{"query":"a","country":"DE"}`, "Tavily API error: Invalid country. Must be one of the known names", false, 2, `ran {"query":"a"}|country dropped: the search server refused Germany.`},
		{`{"query":"a","country":"DE"}`, "no such place: germany", true, 2, `ran {"query":"a"}|country dropped: the search server refused Germany.`},
		{`{"query":"a","country":"DE","count":1}`, "bad country", true, 2, `ran {"max_results":5,"query":"a"}|count 1 → 5; country dropped: the search server refused Germany.`},
		{`{"query":"a","country":"DE"}`, "quota exceeded", false, 1, "quota exceeded"},
		{`{"query":"a"}`, "country is required", false, 1, "country is required"},
	} {
		calls := 0
		url := listen(t, fakeServer("tavily", fakeTool{name: "tavily_search", schema: tavilySchema,
			run: func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				if calls++; calls > 1 {
					return content("ran " + string(r.Params.Arguments)), nil
				}
				if c.protocol {
					return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: c.refusal}
				}
				return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: c.refusal}}}, nil
			}}))
		st := build(t, FaceOptions{}, at("tv", url, nil))
		s, err := st.g.Search(SearchOptions{Upstream: "tv"})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(texts(s.Search(t.Context(), json.RawMessage(c.arguments), nil)), "|")
		if got = strings.Replace(got, "[evergreen] web_search: ", "", 1); got != c.want || calls != c.calls {
			t.Errorf("%s, %q: %d calls, %q", c.arguments, c.refusal, calls, got)
		}
	}
}

// Each caller searches with their own credential.
func TestWebSearchForwardsTheCallersCredential(t *testing.T) {
	url := listen(t, fakeServer("sx", fakeTool{name: "searxng_web_search", schema: searxSchema,
		run: func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return content(r.Extra.Header.Get("Authorization")), nil
		}}))
	st := build(t, FaceOptions{}, at("sx", url, func(u *Upstream) { u.Forward = []string{"Authorization"} }))
	s, err := st.g.Search(SearchOptions{Upstream: "sx"})
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{"ann", "ben"} {
		r := s.Search(t.Context(), json.RawMessage(`{"query":"a"}`), http.Header{"Authorization": {user}})
		if texts(r)[0] != user {
			t.Errorf("%s: %q", user, texts(r))
		}
	}
}

// What is accepted without a hint validates as it is, beside a repaired key too.
func TestSearchToolAcceptsTheSeedsWords(t *testing.T) {
	cat, err := repair.NewCatalogue([]repair.Tool{SearchTool()}, repair.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		params string
		want   repair.Outcome
	}{
		{`{"name":"web_search","arguments":{"query":"x","location":"us","content_size":"high","search_recency_filter":"oneDay"}}`, repair.Exact},
		{`{"name":"web_search","arguments":{"q":"x","search_recency_filter":"noLimit"}}`, repair.Repaired},
		{`{"name":"brave_web_search","arguments":{"query":"x"}}`, repair.Repaired},
		{`{"name":"web_search","arguments":"rust async runtime"}`, repair.Repaired},
		{`{"name":"web_search","arguments":{"query":""}}`, repair.Refused},
	} {
		res := repair.Call([]byte(c.params), cat)
		if res.Outcome != c.want {
			t.Errorf("%s: %s %s", c.params, res.Outcome, res.Refusal)
		}
		if res.Outcome == repair.Repaired && strings.Contains(c.params, "noLimit") && !strings.Contains(string(res.Arguments), "noLimit") {
			t.Errorf("%s: %s", c.params, res.Arguments)
		}
	}
	if !json.Valid([]byte(search.ToolSchema)) || !json.Valid([]byte(search.RepairSchema)) {
		t.Error("a schema is no JSON")
	}
}
