package websearch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// upstreamFake is a search service behind real HTTP that wants a credential.
type upstreamFake struct {
	*httptest.Server
	mu       sync.Mutex
	searches []string // arguments of each search
	users    []string // its Authorization
	faults   []int    // statuses of the next tools/call requests
	sessions map[string]map[string]bool
}

func newUpstream(t *testing.T, tool string) *upstreamFake {
	t.Helper()
	f := &upstreamFake{sessions: map[string]map[string]bool{}}
	server := sdk.NewServer(&sdk.Implementation{Name: "search", Version: "1"}, nil)
	server.AddTool(&sdk.Tool{Name: tool, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.searches = append(f.searches, string(r.Params.Arguments))
			f.users = append(f.users, r.Extra.Header.Get("Authorization"))
			if strings.Contains(string(r.Params.Arguments), "quota") {
				return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "quota exceeded"}}}, nil
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: `[{"title":"a"}]`}}}, nil
		})
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := r.Header.Get("Authorization")
		if user == "" || user == "Bearer wrong" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		f.mu.Lock()
		if id := r.Header.Get("Mcp-Session-Id"); id != "" {
			if f.sessions[id] == nil {
				f.sessions[id] = map[string]bool{}
			}
			f.sessions[id][user] = true
		}
		status := 0
		if len(f.faults) > 0 && bytes.Contains(body, []byte(`"tools/call"`)) {
			status, f.faults = f.faults[0], f.faults[1:]
		}
		f.mu.Unlock()
		if status != 0 {
			http.Error(w, "fault", status)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *upstreamFake) fail(status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, status)
}

func (f *upstreamFake) last() (arguments, user string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n = len(f.searches); n == 0 {
		return "", "", 0
	}
	return f.searches[n-1], f.users[n-1], n
}

// serve starts the search server over real HTTP.
func serve(t *testing.T, f *upstreamFake, change func(*Config), log io.Writer) string {
	t.Helper()
	c := Default()
	c.Upstream = f.URL
	if change != nil {
		change(&c)
	}
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	if log == nil {
		log = io.Discard
	}
	s, err := New(c, "1.2.3", slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { h.Close(); _ = s.Close() })
	return h.URL
}

type answer struct {
	Texts   []string
	IsError *bool
}

// ask posts raw params of a tools/call, as a bare client does.
func ask(t *testing.T, url, params, user string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`))
	if err != nil {
		t.Fatal(err)
	}
	if user != "" {
		r.Header.Set("Authorization", user)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError *bool
		}
	}
	if err := json.Unmarshal(body, &m); err != nil || m.Result.Content == nil {
		t.Fatalf("%s: %d %s", params, resp.StatusCode, body)
	}
	a := answer{IsError: m.Result.IsError}
	for _, c := range m.Result.Content {
		a.Texts = append(a.Texts, c.Text)
	}
	return a
}

const example = `— e.g. web_search({ "query": "rust async runtime" }).`

func TestEveryCallSearchesOnce(t *testing.T) {
	f := newUpstream(t, "webSearchPrime")
	url := serve(t, f, nil, nil)
	for i, c := range []struct{ params, sent, used string }{ // used "" for canonical
		{`{"name":"web_search","arguments":{"query":"x"}}`, `{"search_query":"x"}`, ""},
		{`{"name":"web_search","arguments":{"query":"x","location":"us","content_size":"high"}}`, `{"content_size":"high","location":"us","search_query":"x"}`, ""},
		{`{"name":"web_search_prime","arguments":{"query":"x"}}`, `{"search_query":"x"}`, `"web_search_prime"/"query"`},
		{`{"name":"anything at all","arguments":{"search_query":"x"}}`, `{"search_query":"x"}`, `"anything at all"/"search_query"`},
		{`{"name":"web_search","arguments":"rust \u003casync\u003e"}`, `{"search_query":"rust <async>"}`, `"web_search"/"bare string"`},
		{`{"name":"web_search","arguments":["x"]}`, `{"search_query":"x"}`, `"web_search"/"array"`},
		{`{"name":"web_search","arguments":{"query":{"text":"x"}}}`, `{"search_query":"x"}`, `"web_search"/"nested:query.text"`},
		{`{"name":"web_search","arguments":{"foo":"x"}}`, `{"search_query":"x"}`, `"web_search"/"inferred:foo"`},
		{`{"name":"web_search","arguments":{"query":"x","country":"us"}}`, `{"location":"us","search_query":"x"}`, `"web_search"/"optional:country"`},
		{`{"name":"web_search","arguments":"{\"query\":\"x\"}"}`, `{"search_query":"x"}`, `"web_search"/"JSON string:query"`},
		{`{"name":"web_search","arguments":{"query":20250101}}`, `{"search_query":"20250101"}`, `"web_search"/"scalar"`},
		{`{"name":"web_search","args":{"query":"x"}}`, `{"search_query":"x"}`, `"web_search"/"nested:args.query"`},
		{`{"tool":"web_search","query":"x"}`, `{"search_query":"x"}`, `"web_search"/"nested:params.query"`},
		{`{"tool":"web_search","arguments":{"query":"x"}}`, `{"search_query":"x"}`, `"web_search"/"query"`},
		{`{"name":7,"arguments":{"query":"x"}}`, `{"search_query":"x"}`, `""/"query"`},
	} {
		a := ask(t, url, c.params, "Bearer a")
		sent, user, n := f.last()
		if sent != c.sent || user != "Bearer a" || n != i+1 {
			t.Errorf("%s: sent %s as %q, %d searches", c.params, sent, user, n)
		}
		if a.Texts[0] != `[{"title":"a"}]` || a.IsError != nil {
			t.Errorf("%s: %+v", c.params, a)
		}
		switch {
		case c.used == "" && len(a.Texts) != 1:
			t.Errorf("%s: a canonical call was warned: %q", c.params, a.Texts)
		case c.used != "" && (len(a.Texts) != 2 || !strings.HasPrefix(a.Texts[1], "[evergreen websearch] Warning: this call used "+c.used) ||
			!strings.Contains(a.Texts[1], "Results are above") || !strings.HasSuffix(a.Texts[1], example)):
			t.Errorf("%s: %q", c.params, a.Texts)
		}
	}
}

func TestNoQueryNoSearch(t *testing.T) {
	f := newUpstream(t, "web_search_prime")
	url := serve(t, f, nil, nil)
	for _, params := range []string{`{"name":"web_search","arguments":{}}`, `{"name":"web_search"}`, `{"name":"web_search","arguments":{"query":" "}}`,
		`{"name":"web_search","arguments":null}`, `{"name":"other","arguments":[]}`, `{}`} {
		a := ask(t, url, params, "")
		if len(a.Texts) != 1 || a.IsError != nil || !strings.HasPrefix(a.Texts[0], tag) ||
			!strings.Contains(a.Texts[0], "no search was run") || !strings.HasSuffix(a.Texts[0], example) {
			t.Errorf("%s: %+v", params, a)
		}
	}
	if _, _, n := f.last(); n != 0 {
		t.Errorf("%d searches", n)
	}
}

func TestUpstreamErrorsAreShown(t *testing.T) {
	f := newUpstream(t, "web_search_prime")
	url := serve(t, f, nil, nil)
	a := ask(t, url, `{"name":"web_search","arguments":{"query":"quota"}}`, "Bearer a")
	if a.IsError == nil || !*a.IsError || len(a.Texts) != 1 || a.Texts[0] != "quota exceeded" {
		t.Errorf("%+v", a)
	}
	a = ask(t, url, `{"name":"search","arguments":{"query":"quota"}}`, "Bearer a")
	if a.IsError == nil || len(a.Texts) != 2 || a.Texts[0] != "quota exceeded" {
		t.Errorf("%+v", a)
	}
	if a = ask(t, url, `{"name":"web_search","arguments":{"query":"x"}}`, ""); a.IsError == nil || !strings.Contains(a.Texts[0], "401") {
		t.Errorf("%+v", a)
	}
}

// One refused or forgotten session is nobody's end: the next call searches.
func TestNextCallSearchesAfterAFault(t *testing.T) {
	for _, c := range []struct {
		status int
		resent bool
	}{{401, false}, {403, false}, {404, true}, {429, false}, {500, false}, {503, false}} {
		f := newUpstream(t, "web_search_prime")
		url := serve(t, f, nil, nil)
		ask(t, url, `{"name":"web_search","arguments":{"query":"first"}}`, "Bearer a")
		f.fail(c.status)
		a := ask(t, url, `{"name":"web_search","arguments":{"query":"second"}}`, "Bearer a")
		if (a.IsError == nil) != c.resent {
			t.Errorf("%d: %+v", c.status, a)
		}
		a = ask(t, url, `{"name":"web_search","arguments":{"query":"third"}}`, "Bearer a")
		want := 2
		if c.resent {
			want = 3
		}
		if _, _, n := f.last(); a.IsError != nil || n != want {
			t.Errorf("%d: then %+v, %d searches", c.status, a, n)
		}
	}
}

func TestUsersSearchAsThemselves(t *testing.T) {
	f := newUpstream(t, "web_search_prime")
	log := &bytes.Buffer{}
	url := serve(t, f, nil, log)
	if a := ask(t, url, `{"name":"web_search","arguments":{"query":"x"}}`, "Bearer wrong"); a.IsError == nil {
		t.Errorf("%+v", a)
	}
	var wait sync.WaitGroup
	for i := range 24 {
		wait.Go(func() {
			user := fmt.Sprintf("Bearer user%d", i%3)
			if a := ask(t, url, `{"name":"web_search","arguments":{"query":"`+user+`"}}`, user); a.IsError != nil {
				t.Errorf("%+v", a)
			}
		})
	}
	wait.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, arguments := range f.searches {
		if !strings.Contains(arguments, f.users[i]) {
			t.Errorf("%s was searched as %s", arguments, f.users[i])
		}
	}
	for id, users := range f.sessions {
		if len(users) != 1 {
			t.Errorf("session %s of %v", id, users)
		}
	}
	if strings.Contains(log.String(), "user1") || strings.Contains(log.String(), "wrong") {
		t.Error("a credential or a query was logged")
	}
}

func TestBothErasListTheSameTool(t *testing.T) {
	url := serve(t, newUpstream(t, "web_search_prime"), nil, nil)
	for _, version := range []string{"", "2025-11-25"} {
		session, err := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: url + "/mcp", DisableStandaloneSSE: true}, &sdk.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "web_search" {
			t.Fatalf("%+v, %v", list, err)
		}
		schema, _ := json.Marshal(list.Tools[0].InputSchema)
		for _, want := range []string{`"query"`, `"location"`, `"content_size"`, `"search_recency_filter"`, `"required":["query"]`} {
			if !strings.Contains(string(schema), want) {
				t.Errorf("%s is missing in %s", want, schema)
			}
		}
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "brave_web_search", Arguments: map[string]any{}})
		if err != nil || r.IsError || len(r.Content) != 1 {
			t.Errorf("%+v, %v", r, err)
		}
		_ = session.Close()
	}
}

func TestHealthAndGuards(t *testing.T) {
	url := serve(t, newUpstream(t, "web_search_prime"), nil, nil)
	for _, c := range []struct {
		method, path, host, origin string
		status                     int
		body                       string
	}{
		{"GET", "/healthz", "", "", 200, `{"ok":true,"version":"1.2.3"}`},
		{"POST", "/healthz", "", "", 405, ""},
		{"HEAD", "/healthz", "", "", 405, ""},
		{"GET", "/healthz", "evil.example", "", 403, ""},
		{"POST", "/mcp", "", "https://evil.example", 403, ""},
		{"GET", "/other", "", "", 404, ""},
	} {
		r, err := http.NewRequest(c.method, url+c.path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || c.body != "" && string(body) != c.body {
			t.Errorf("%s %s %s%s: %d %s", c.method, c.path, c.host, c.origin, resp.StatusCode, body)
		}
	}
}

func TestOwnNames(t *testing.T) {
	f := newUpstream(t, "deep_search")
	url := serve(t, f, func(c *Config) {
		c.Tools, c.CanonicalTool, c.CanonicalParam = []string{"find", "look_up"}, "find", "what"
		c.QueryAliases = append([]string{"what"}, c.QueryAliases...)
		c.TargetTool, c.TargetParam = "DeepSearch", "q"
	}, nil)
	a := ask(t, url, `{"name":"find","arguments":{"what":"x"}}`, "Bearer a")
	if sent, _, _ := f.last(); len(a.Texts) != 1 || sent != `{"q":"x"}` {
		t.Errorf("%+v %s", a, sent)
	}
	a = ask(t, url, `{"name":"look_up","arguments":{"query":"x"}}`, "Bearer a")
	if len(a.Texts) != 2 || !strings.Contains(a.Texts[1], `find with { "what": "..." } — e.g. find({ "what": "rust async runtime" }).`) {
		t.Errorf("%+v", a)
	}
}
