package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/gateway"
	"evergreen/internal/mcp/edge"
	"evergreen/internal/web"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// product is the whole wiring of serve and mcp over a library.
type product struct {
	t    *testing.T
	face mcpFace
	web  *web.Server
	url  string
}

func wire(t *testing.T, lib library, s config.Settings) *product {
	t.Helper()
	if s.Site.Name == "" {
		s.Site.Name = "Test"
	}
	face, err := newMCPFace(lib, s, nil, slog.New(slog.DiscardHandler)).withGateway()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(face.close)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go face.gateway.Run(ctx)
	read, admin, _, err := face.handlers()
	if err != nil {
		t.Fatal(err)
	}
	options, err := webOptions(t.Context(), face, read, admin)
	if err != nil {
		t.Fatal(err)
	}
	handler := web.New(options)
	t.Cleanup(handler.Close)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &product{t: t, face: face, web: handler, url: server.URL + "/mcp"}
}

// calm is a fake library that many calls may ask at once.
type calm struct{ *fakeLibrary }

func (calm) Search(ctx context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error) {
	return newFake().Search(ctx, r)
}

// said is what a call of a tool was answered.
type said struct {
	Texts   []string
	IsError bool
	Meta    map[string]any
	Fault   string // protocol error
}

func readSaid(t *testing.T, raw []byte) said {
	t.Helper()
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
			Meta    map[string]any `json:"_meta"`
		}
		Error *struct{ Message string }
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return said{Fault: string(raw)}
	}
	s := said{IsError: m.Result.IsError, Meta: m.Result.Meta}
	if m.Error != nil {
		s.Fault = m.Error.Message
	}
	for _, c := range m.Result.Content {
		s.Texts = append(s.Texts, c.Text)
	}
	return s
}

// postCall posts the params of a call as they are: of the older era as a bare
// client does, of the newer one with all it demands.
func postCall(t *testing.T, url, params string, modern bool) said {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	if modern {
		meta := `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}},`
		body = strings.Replace(body, `"params":{`, `"params":`+meta, 1)
	}
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if modern {
		var p struct{ Name string }
		_ = json.Unmarshal([]byte(params), &p) // a name that is none has no header
		r.Header.Set("MCP-Protocol-Version", edge.ModernVersion)
		r.Header.Set("Mcp-Method", "tools/call")
		if p.Name != strings.TrimSpace(p.Name) { // a header cannot hold it otherwise
			p.Name = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(p.Name)) + "?="
		}
		r.Header.Set("Mcp-Name", p.Name)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return readSaid(t, raw)
}

// pipeCalls sends calls over stdio, each on a line, and returns the answers in
// the order of the calls.
func (p *product) pipeCalls(params []string) []said {
	p.t.Helper()
	sets, err := toolSets(p.face.settings)
	if err != nil {
		p.t.Fatal(err)
	}
	server, hook, err := p.face.server(sets, false)
	if err != nil {
		p.t.Fatal(err)
	}
	var in, out bytes.Buffer
	for i, one := range params {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`+"\n", i, one)
	}
	if err := edge.ServeStdio(p.t.Context(), server.MCP(), &in, &out, edge.StdioOptions{Hook: hook, Tools: server}); err != nil {
		p.t.Fatal(err)
	}
	answers := make([]said, len(params))
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m struct{ ID *int }
		if err := json.Unmarshal(lines.Bytes(), &m); err == nil && m.ID != nil && *m.ID < len(answers) {
			answers[*m.ID] = readSaid(p.t, lines.Bytes())
		}
	}
	return answers
}

// Malformed calls of our own tools are repaired by the wiring that users get,
// over HTTP in both eras and over stdio.
// What the operator sees of calls is summed over all servers of the process.
func TestOperatorSeesHowCallsCame(t *testing.T) {
	p := wire(t, calm{newFake()}, config.Settings{})
	p.pipeCalls([]string{`{"name":"searchSections","arguments":{"q":"private words"}}`})
	for _, params := range []string{
		`{"name":"search_sections","arguments":{"query":"private words"}}`,
		`{"name":"search_sections","arguments":{"q":"private words"}}`,
		`{"name":"private_words","arguments":{}}`,
		`{"name":"search_sections","arguments":{"limit":"private words"}}`,
	} {
		postCall(t, p.url, params, true)
	}
	w := httptest.NewRecorder()
	p.web.Operator("").ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/metrics", nil))
	for _, want := range []string{
		`evergreen_tool_calls_total{tool="search_sections",outcome="exact"} 1`,
		`evergreen_tool_calls_total{tool="search_sections",outcome="repaired"} 2`,
		`evergreen_tool_calls_total{tool="search_sections",outcome="refused"} 1`,
		`evergreen_tool_repairs_total{code="key.alias"} 2`,
		`evergreen_tool_repairs_total{code="name.letters"} 1`,
		`evergreen_tool_refusals_total{reason="unknown_tool"} 1`,
		`evergreen_tool_hints_followed_total 0`,
	} {
		if !strings.Contains(w.Body.String(), want+"\n") {
			t.Errorf("no line %s in\n%s", want, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), "private") {
		t.Error("a caller's words are among the figures")
	}
}

func TestOwnCallsAreRepairedOverEveryTransport(t *testing.T) {
	p := wire(t, calm{newFake()}, config.Settings{})
	good := `{"name":"search_sections","arguments":{"query":"x","limit":5}}`
	calls := []string{
		`{"name":"searchSections","arguments":{"query":"x","limit":5}}`,
		`{"name":"mcp__evergreen__search_sections","arguments":{"query":"x","limit":5}}`,
		`{"name":"search_sections","arguments":"{\"query\":\"x\",\"limit\":5}"}`,
		`{"name":"search_sections","args":{"query":"x","limit":"5"}}`,
		`{"name":"search_sections","query":"x","limit":5}`,
		`{"tool":"search_sections","parameters":{"q":"x","limit":5}}`,
		`{"name":"search_sections","arguments":{"input":{"query":"x","limit":5}}}`,
		`{"name":"search_sections","arguments":{"search_query":"x","max_results":5}}`,
	}
	refused := []string{`{"name":"search_sectoins_of_all","arguments":{}}`, `{"name":"delete_indexes","arguments":{"repo":"react"}}`, `{}`, `{"name":"search_sections"}`}
	want := postCall(t, p.url, good, false)
	if want.IsError || len(want.Texts) != 1 {
		t.Fatalf("the canonical call: %+v", want)
	}
	check := func(how, params string, got said) {
		t.Helper()
		if got.IsError || got.Fault != "" || len(got.Texts) != 2 || got.Texts[0] != want.Texts[0] {
			t.Errorf("%s: %s: %+v", how, params, got)
			return
		}
		if hint := got.Texts[1]; len(hint) > 300 || !strings.Contains(hint, `{"name":"search_sections","arguments":{"limit":5,"query":"x"}}`) {
			t.Errorf("%s: %s: hint %q", how, params, hint)
		}
		if about, _ := got.Meta["evergreen/repair"].(map[string]any); about["outcome"] != "repaired" {
			t.Errorf("%s: %s: _meta %v", how, params, got.Meta)
		}
	}
	checkRefused := func(how, params string, got said) {
		t.Helper()
		if !got.IsError || len(got.Texts) != 1 || !strings.Contains(got.Texts[0], "not run") {
			t.Errorf("%s: %s: %+v", how, params, got)
		}
	}
	for _, params := range calls {
		check("http", params, postCall(t, p.url, params, false))
		check("http, modern", params, postCall(t, p.url, params, true))
	}
	for _, params := range refused {
		checkRefused("http", params, postCall(t, p.url, params, false))
	}
	answers := p.pipeCalls(append([]string{good}, append(calls, refused...)...))
	if len(answers[0].Texts) != 1 || answers[0].Meta["evergreen/repair"] != nil {
		t.Errorf("stdio, canonical: %+v", answers[0])
	}
	for i, params := range calls {
		got := answers[i+1]
		if len(got.Texts) == 2 && !strings.Contains(got.Texts[1], "Repaired") {
			t.Errorf("stdio: %s: the first hint of its kind is short: %q", params, got.Texts[1])
		}
		check("stdio", params, got)
	}
	for i, params := range refused {
		checkRefused("stdio", params, answers[1+len(calls)+i])
	}
}

// callShapes are the ways in which agents call a search tool; the first is the
// canonical one. %[1]s is the tool's name.
func callShapes(tool string) []string {
	camel := tool[:strings.Index(tool, "_")] + "WebSearch"
	var out []string
	for _, shape := range []string{
		`{"name":"%[1]s","arguments":{"query":"q"}}`,
		`{"name":"%[2]s","arguments":{"query":"q"}}`,
		`{"name":"%[3]s","arguments":{"query":"q"}}`,
		`{"name":"mcp__evergreen__%[1]s","arguments":{"query":"q"}}`,
		`{"name":"functions.%[1]s","arguments":{"query":"q"}}`,
		`{"name":" \"%[1]s\" ","arguments":{"query":"q"}}`,
		`{"name":"%[1]s","arguments":"{\"query\":\"q\"}"}`,
		`{"name":"%[1]s","arguments":"\"{\\\"query\\\":\\\"q\\\"}\""}`,
		`{"name":"%[1]s","arguments":"{'query': 'q', 'pageno': None}"}`,
		`{"name":"%[1]s","arguments":"q"}`,
		`{"name":"%[1]s","arguments":[{"query":"q"}]}`,
		`{"name":"%[1]s","args":{"query":"q"}}`,
		`{"name":"%[1]s","query":"q"}`,
		`{"tool":"%[1]s","parameters":{"query":"q"}}`,
		`{"name":"%[1]s","arguments":{"q":"q"}}`,
		`{"name":"%[1]s","arguments":{"Query":"q"}}`,
		`{"name":"%[1]s","arguments":{"input":{"query":"q"}}}`,
		`{"name":"%[1]s","arguments":{"query":"q","num_results":"5"}}`,
		`{"name":"%[1]s","arguments":{"query":"q","time_range":""}}`,
		`{"name":"%[1]s","arguments":{"query":"q","time_range":"Day","safesearch":1}}`,
		`{"name":"%[1]s","arguments":{"query":"q","language":null,"num_results":10,"client_note":"x"}}`,
	} {
		out = append(out, strings.NewReplacer("%[1]s", tool, "%[2]s", camel, "%[3]s", strings.ReplaceAll(tool, "_", "-")).Replace(shape))
	}
	return out
}

// strictUpstream refuses what its schema does not allow, as most servers do.
func strictUpstream(t *testing.T) string {
	t.Helper()
	server := sdk.NewServer(&sdk.Implementation{Name: "searx", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "searxng_web_search", InputSchema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},` +
		`"num_results":{"type":"number","minimum":1,"maximum":20},"time_range":{"type":"string","enum":["day","week","month","year"]},` +
		`"language":{"type":"string"},"safesearch":{"type":"string","enum":["0","1","2"]},"pageno":{"type":"integer"}},"required":["query"]}`)},
		func(_ context.Context, _ *sdk.CallToolRequest, in map[string]any) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "found " + fmt.Sprint(in["query"])}}}, nil, nil
		})
	h := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	t.Cleanup(h.Close)
	return h.URL
}

func behind(t *testing.T, upstreams string) config.Settings {
	t.Helper()
	list, err := gateway.ParseUpstreams([]byte(upstreams))
	if err != nil {
		t.Fatal(err)
	}
	var s config.Settings
	s.Gateway.Upstreams = list
	return s
}

// Twenty-one ways to call a search tool: nineteen fail at the upstream itself,
// all succeed through us.
func TestEveryShapeOfCallSucceedsBehindTheGateway(t *testing.T) {
	url := strictUpstream(t)
	shapes := callShapes("searxng_web_search")
	failed := 0
	for _, params := range shapes {
		if got := postCall(t, url, params, false); got.Fault != "" || got.IsError || len(got.Texts) == 0 || got.Texts[0] != "found q" {
			failed++
		}
	}
	if len(shapes) != 21 || failed < 19 {
		t.Errorf("%d of %d shapes fail without repair", failed, len(shapes))
	}
	p := wire(t, newFake(), behind(t, `{"searx":{"url":"`+url+`","prefix":"","class":"read"}}`))
	ok := func(how, params string, got said, first bool) {
		t.Helper()
		blocks := 2
		if first {
			blocks = 1
		}
		if got.IsError || got.Fault != "" || len(got.Texts) != blocks || got.Texts[0] != "found q" {
			t.Errorf("%s: %s: %+v", how, params, got)
		}
	}
	for i, got := range p.pipeCalls(shapes) {
		ok("stdio", shapes[i], got, i == 0)
	}
	for i, params := range shapes {
		ok("http", params, postCall(t, p.url, params, false), i == 0)
		ok("http, modern", params, postCall(t, p.url, params, true), i == 0)
	}
}

// web_search over the same upstream, and a call by another vendor's name.
func TestWebSearchIsServed(t *testing.T) {
	s := behind(t, `{"searx":{"url":"`+strictUpstream(t)+`","allow":[]}}`)
	s.WebSearch.Upstream = "searx"
	p := wire(t, newFake(), s)
	for params, blocks := range map[string]int{
		`{"name":"web_search","arguments":{"query":"q"}}`:                                                  1,
		`{"name":"web_search","arguments":{"query":"q","search_recency_filter":"oneDay"}}`:                 1,
		`{"name":"web_search","arguments":{"query":"q","country":"DE"}}`:                                   2,
		`{"name":"brave_web_search","arguments":{"query":"q"}}`:                                            2,
		`{"name":"web_search","arguments":"q"}`:                                                            2,
		`{"name":"web_search","arguments":{"messages":[{"role":"user","content":"q"}]}}`:                   2,
		`{"name":"web_search","arguments":{"query":"q","count":"5","safe":"STRICT","recency":"past day"}}`: 2,
	} {
		got := postCall(t, p.url, params, false)
		if got.IsError || len(got.Texts) != blocks || got.Texts[0] != "found q" {
			t.Errorf("%s: %+v", params, got)
		}
	}
	if got := postCall(t, p.url, `{"name":"web_search","arguments":{"query":""}}`, false); !got.IsError {
		t.Errorf("%+v", got)
	}
}

func TestDoctorShowsUpstreams(t *testing.T) {
	url := strictUpstream(t)
	file := `{"gateway":{"upstreams":{"searx":{"url":"` + url + `"},"dead":{"url":"http://127.0.0.1:1/mcp"}}},"web_search":{"upstream":"searx"}}`
	code, out, _ := command(t, &fakeLibrary{}, map[string]string{"file": file, "EVERGREEN_LIBRARY": t.TempDir()}, "doctor")
	if code != exitFailure || !strings.Contains(out, "upstream searx") || !strings.Contains(out, "protocol 2026-07-28, 1 tool") ||
		!strings.Contains(out, "upstream dead is not reachable") {
		t.Errorf("exit %d\n%s", code, out)
	}
	file = `{"gateway":{"upstreams":{"searx":{"url":"` + url + `"}}},"web_search":{"upstream":"searx","entry":"brave"}}`
	if code, out, _ := command(t, &fakeLibrary{}, map[string]string{"file": file, "EVERGREEN_LIBRARY": t.TempDir()}, "doctor"); code != exitFailure || !strings.Contains(out, "no tool of the search entry brave") {
		t.Errorf("exit %d\n%s", code, out)
	}
	file = `{"web_search":{"upstream":"nobody"}}`
	if code, out, _ := command(t, &fakeLibrary{}, map[string]string{"file": file, "EVERGREEN_LIBRARY": t.TempDir()}, "doctor"); code != exitFailure || !strings.Contains(out, `names the upstream "nobody"`) {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// moody is an upstream that answers the next calls with a status.
type moody struct {
	mu     sync.Mutex
	next   []int
	users  map[string]map[string]bool // session to the callers that were on it
	server *httptest.Server
}

func newMoody(t *testing.T) *moody {
	t.Helper()
	m := &moody{users: map[string]map[string]bool{}}
	server := sdk.NewServer(&sdk.Implementation{Name: "moody", Version: "1"}, nil)
	server.AddTool(&sdk.Tool{Name: "whoami", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`), Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "you are " + r.Extra.Header.Get("X-User")}}}, nil
		})
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	m.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		m.mu.Lock()
		if id := r.Header.Get("Mcp-Session-Id"); id != "" {
			if m.users[id] == nil {
				m.users[id] = map[string]bool{}
			}
			m.users[id][r.Header.Get("X-User")] = true
		}
		status := 0
		if len(m.next) > 0 && bytes.Contains(body, []byte(`"tools/call"`)) {
			status, m.next = m.next[0], m.next[1:]
		}
		m.mu.Unlock()
		if status != 0 {
			http.Error(w, "fault", status)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(m.server.Close)
	return m
}

// Through the whole product, too, a fault of an upstream is a result, and the
// next good call succeeds.
func TestNextGoodCallSucceedsThroughTheProduct(t *testing.T) {
	m := newMoody(t)
	p := wire(t, newFake(), behind(t, `{"m":{"url":"`+m.server.URL+`","timeout":"5s"}}`))
	call := `{"name":"m__whoami","arguments":{"n":"1"}}`
	for _, modern := range []bool{false, true} {
		if got := postCall(t, p.url, call, modern); got.IsError || got.Texts[0] != "you are " {
			t.Fatalf("%+v", got)
		}
		for _, status := range []int{401, 403, 404, 429, 500, 502} {
			m.mu.Lock()
			m.next = []int{status}
			m.mu.Unlock()
			faulty := postCall(t, p.url, call, modern)
			if faulty.Fault != "" || faulty.IsError != (status != 404) || len(faulty.Texts) != 2 {
				t.Errorf("%d: %+v", status, faulty)
			}
			if got := postCall(t, p.url, call, modern); got.IsError || got.Texts[0] != "you are " {
				t.Errorf("after %d: %+v", status, got)
			}
		}
	}
}

func TestCallersNeverShareASession(t *testing.T) {
	m := newMoody(t)
	p := wire(t, newFake(), behind(t, `{"m":{"url":"`+m.server.URL+`","forward":["X-User"]}}`))
	var wait sync.WaitGroup
	for i := range 24 {
		wait.Go(func() {
			user := fmt.Sprintf("user%d", i%3)
			r, err := http.NewRequest(http.MethodPost, p.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("X-User", user)
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			raw, err := io.ReadAll(resp.Body)
			if got := readSaid(t, raw); err != nil || len(got.Texts) == 0 || got.Texts[0] != "you are "+user {
				t.Errorf("%s: %s, %v", user, raw, err)
			}
		})
	}
	wait.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, users := range m.users {
		if len(users) != 1 {
			t.Errorf("session %s was used by %v", id, users)
		}
	}
	if len(m.users) != 4 { // three callers, and the operator's own for the list
		t.Errorf("%d sessions", len(m.users))
	}
}
