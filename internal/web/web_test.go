package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/site"

	"github.com/google/go-cmp/cmp"
)

// fakeEngine answers with what it was asked.
type fakeEngine struct {
	asked    evergreen.Query
	revision string
	err      error
	block    bool
	fault    bool
}

func (f *fakeEngine) Collections(context.Context) ([]evergreen.Collection, error) {
	return []evergreen.Collection{{Name: "<docs>", Documents: 2, Sections: 30, Tokens: 4000}}, f.err
}

func (f *fakeEngine) Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error) {
	if f.fault {
		panic("no such page")
	}
	if f.block {
		<-ctx.Done()
		return evergreen.Bundle{}, ctx.Err()
	}
	f.asked = q
	return evergreen.Bundle{Query: evergreen.QueryEcho{Topic: q.Topic, Budget: q.Budget}, Revision: "r1",
		GeneratedAt: "2026-03-01T10:00:00Z", Source: "api/context"}, f.err
}

func (f *fakeEngine) Search(_ context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error) {
	return evergreen.SearchResult{Query: r.Query, Hits: []evergreen.Hit{{ID: "guide::keys.md::keys#1", Title: "<keys>"}}}, f.err
}

func (f *fakeEngine) PromptPack(_ context.Context, scenario, lang string) (string, error) {
	return scenario + " " + lang + "\n", f.err
}

func (f *fakeEngine) Metrics(context.Context) (json.RawMessage, error) {
	return json.RawMessage(`{"entries":3}`), f.err
}

func (f *fakeEngine) Revision() string {
	if f.revision == "" {
		return "r1"
	}
	return f.revision
}

// newServer builds a server over the fake with a /mcp that echoes its method.
func newServer(f *fakeEngine, change ...func(*Options)) *Server {
	o := Options{Engine: f, Version: "1.2.3", Site: site.Options{Name: "Example Docs", MCP: &site.MCP{}}, MCP: echoMethod("mcp "),
		Publish: func() (Snapshot, error) { return exampleDocs(f.Revision()), nil }, Pages: plainPages{}}
	for _, c := range change {
		c(&o)
	}
	return New(o)
}

func echoMethod(prefix string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, prefix+r.Method) })
}

// ask sends one request; headers are "Name: value".
func ask(s http.Handler, method, target string, headers ...string) *http.Response {
	if strings.HasPrefix(target, "/") {
		target = "http://localhost" + target
	}
	r := httptest.NewRequest(method, target, nil)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestContextReadsItsParameters(t *testing.T) {
	for _, tt := range []struct {
		query string
		want  evergreen.Query
		asked int // the budget that is repeated
	}{
		{"", evergreen.Query{Budget: 2000}, 2000},
		{"topic=token+%E9%A2%84%E7%AE%97&budget=600", evergreen.Query{Topic: "token 预算", Budget: 600}, 600},
		{"topic=a%2Bb&topic=c%20d", evergreen.Query{Topic: "c d", Budget: 2000}, 2000},
		{"topic", evergreen.Query{Budget: 2000}, 2000},
		{"q=keys", evergreen.Query{Topic: "keys", Budget: 2000}, 2000},
		{"q=a&query=b", evergreen.Query{Topic: "b", Budget: 2000}, 2000},
		{"topic=+&q=a", evergreen.Query{Topic: "a", Budget: 2000}, 2000},
		{"q=a&topic=c", evergreen.Query{Topic: "c", Budget: 2000}, 2000},
		{"topic=a;b=c", evergreen.Query{Topic: "a;b=c", Budget: 2000}, 2000},
		{"&&topic=a&", evergreen.Query{Topic: "a", Budget: 2000}, 2000},
		{"budget=0", evergreen.Query{Budget: 1}, 0},
		{"budget=-5", evergreen.Query{Budget: 1}, -5},
		{"budget=+600", evergreen.Query{Budget: 600}, 600},
		{"budget=99999999999999999999", evergreen.Query{Budget: largestBudget}, largestBudget},
		{"category=guide&collection=react&mode=bm25&limit=5&lang=zh",
			evergreen.Query{Category: "guide", Collection: "react", Mode: "bm25", Limit: 5, Lang: "zh", Budget: 2000}, 2000},
		{"mode=&lang=&category=&utm_source=x", evergreen.Query{Budget: 2000}, 2000},
	} {
		f := &fakeEngine{}
		r := ask(newServer(f), "GET", "/api/context?"+tt.query)
		if r.StatusCode != 200 {
			t.Errorf("%s: status %d: %s", tt.query, r.StatusCode, body(t, r))
			continue
		}
		if diff := cmp.Diff(tt.want, f.asked); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.query, diff)
		}
		var got evergreen.Bundle
		if err := json.Unmarshal([]byte(body(t, r)), &got); err != nil || got.Query.Budget != tt.asked {
			t.Errorf("%s: repeats budget %d, %v; want %d", tt.query, got.Query.Budget, err, tt.asked)
		}
	}
}

func TestUnreadableParametersAreNamed(t *testing.T) {
	for _, tt := range []struct{ target, parameter, detail string }{
		{"/api/context?budget=abc", "budget", "budget must be a whole number of tokens between 200 and 8000, for example budget=2000."},
		{"/api/context?budget=", "budget", "whole number"},
		{"/api/context?budget=%2B-5", "budget", "whole number"},
		{"/api/context?budget=%2B", "budget", "whole number"},
		{"/api/context?budget=2e3", "budget", "whole number"},
		{"/api/context?budget=2000.5", "budget", "whole number"},
		{"/api/context?limit=0", "limit", "above 0"},
		{"/api/context?limit=-1", "limit", "above 0"},
		{"/api/context?mode=fuzzy", "mode", "auto, bm25, weighted"},
		{"/api/context?lang=fr", "lang", "auto, en, zh"},
		{"/api/context?topic=%zz", "topic", "bad % escape"},
		{"/api/context?topic=%ff", "topic", "UTF-8"},
		{"/api/context?%zz=1", "%zz", "bad % escape"},
		{"/api/context?topic=" + strings.Repeat("a", maxQueryBytes), "", "longer than 16384 bytes"},
		{"/api/prompt-pack?scenario=poem", "scenario", "chat"},
		{"/api/prompt-pack?lang=fr", "lang", "auto, en, zh"},
	} {
		r := ask(newServer(&fakeEngine{}), "GET", tt.target)
		var p problem
		if err := json.Unmarshal([]byte(body(t, r)), &p); err != nil {
			t.Errorf("%.40s: %v", tt.target, err)
			continue
		}
		if r.StatusCode != 400 || p.Status != 400 || p.Parameter != tt.parameter || !strings.Contains(p.Detail, tt.detail) {
			t.Errorf("%.40s: %d %+v", tt.target, r.StatusCode, p)
		}
		if got := r.Header.Get("Content-Type"); got != "application/problem+json" {
			t.Errorf("%.40s: type %q", tt.target, got)
		}
	}
	longest := "/api/context?topic=" + strings.Repeat("a", maxQueryBytes-len("topic="))
	if r := ask(newServer(&fakeEngine{}), "GET", longest); r.StatusCode != 200 {
		t.Errorf("a query string of the largest size: status %d", r.StatusCode)
	}
}

func TestProblemHasTheContractsForm(t *testing.T) {
	want := `{
  "type": "urn:evergreen:problem:invalid-parameter",
  "title": "A parameter cannot be read",
  "status": 400,
  "detail": "budget must be a whole number of tokens between 200 and 8000, for example budget=2000.",
  "instance": "/api/context",
  "parameter": "budget"
}
`
	if diff := cmp.Diff(want, body(t, ask(newServer(&fakeEngine{}), "GET", "/api/context?budget=x"))); diff != "" {
		t.Error(diff)
	}
}

func TestEveryKindOfErrorHasItsStatus(t *testing.T) {
	for kind, want := range map[evergreen.Kind]int{
		evergreen.Invalid: 400, evergreen.NotFound: 404, evergreen.Blocked: 403, evergreen.TooLarge: 413,
		evergreen.Timeout: 504, evergreen.Upstream: 502, evergreen.Conflict: 409, evergreen.Damaged: 500,
		evergreen.Exhausted: 507, evergreen.Internal: 500,
	} {
		f := &fakeEngine{err: evergreen.Errorf(kind, "it broke").Fix("do this")}
		r := ask(newServer(f), "GET", "/api/context")
		if text := body(t, r); r.StatusCode != want || !strings.Contains(text, `"detail": "It broke. Do this."`) {
			t.Errorf("%s: %d %s", kind, r.StatusCode, text)
		}
	}
	r := ask(newServer(&fakeEngine{err: errors.New("secret place")}), "GET", "/api/context")
	if text := body(t, r); r.StatusCode != 500 || strings.Contains(text, "secret") {
		t.Errorf("a foreign error: %d %s", r.StatusCode, text)
	}
	if got := r.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a 500 is cached as %q", got)
	}
}

func TestUnknownCategoryAndCollectionNameTheParameter(t *testing.T) {
	for query, parameter := range map[string]string{"category=gide": "category", "collection=raect": "collection"} {
		f := &fakeEngine{err: evergreen.Errorf(evergreen.NotFound, "no %s has that name", parameter).Near("guide")}
		r := ask(newServer(f), "GET", "/api/context?"+query)
		var p problem
		if err := json.Unmarshal([]byte(body(t, r)), &p); err != nil {
			t.Fatal(err)
		}
		if p.Status != 400 || p.Parameter != parameter || len(p.Nearest) != 1 {
			t.Errorf("%s: %+v", query, p)
		}
	}
}

func TestValidators(t *testing.T) {
	s := newServer(&fakeEngine{})
	first := ask(s, "GET", "/api/context?topic=a")
	tag := first.Header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || len(tag) != 34 {
		t.Fatalf("ETag %q is no strong validator", tag)
	}
	if got := first.Header.Get("Last-Modified"); got != "Sun, 01 Mar 2026 10:00:00 GMT" {
		t.Errorf("Last-Modified %q", got)
	}
	for _, tt := range []struct {
		header string
		status int
	}{
		{"If-None-Match: " + tag, 304},
		{"If-None-Match: W/" + tag, 304},
		{`If-None-Match: "x", ` + tag, 304},
		{"If-None-Match: *", 304},
		{`If-None-Match: "x"`, 200},
		{"If-Modified-Since: Sun, 01 Mar 2026 10:00:00 GMT", 304},
		{"If-Modified-Since: Sun, 01 Mar 2026 09:59:59 GMT", 200},
		{"If-Modified-Since: yesterday", 200},
	} {
		r := ask(s, "GET", "/api/context?topic=a", tt.header)
		if r.StatusCode != tt.status {
			t.Errorf("%s: status %d, want %d", tt.header, r.StatusCode, tt.status)
		}
		if tt.status == 304 {
			if text := body(t, r); text != "" {
				t.Errorf("a 304 has a body: %q", text)
			}
			for _, name := range []string{"ETag", "Cache-Control", "Vary", "Access-Control-Allow-Origin"} {
				if r.Header.Get(name) == "" {
					t.Errorf("a 304 lacks %s", name)
				}
			}
		}
	}
	r := ask(s, "GET", "/api/context?topic=a", `If-None-Match: "x"`, "If-Modified-Since: Sun, 01 Mar 2026 10:00:00 GMT")
	if r.StatusCode != 200 {
		t.Error("If-Modified-Since wins over If-None-Match")
	}
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.Policy.Licence = "https://example.com/licence" })
	for target, cache := range map[string]string{
		"/": "public, max-age=900", "/api/context": "public, max-age=900", "/api/prompt-pack": "public, max-age=900",
		"/api/metrics": "public, max-age=900", "/metrics.json": "public, max-age=900",
		"/healthz": "no-store", "/nowhere": "public, max-age=60", "/api/context?budget=x": "no-store",
	} {
		get, head := ask(s, "GET", target), ask(s, "HEAD", target)
		text := body(t, get)
		if body(t, head) != "" || head.StatusCode != get.StatusCode {
			t.Errorf("HEAD %s: status %d with a body or another status than GET", target, head.StatusCode)
		}
		get.Header.Del("Server-Timing")
		head.Header.Del("Server-Timing")
		if diff := cmp.Diff(get.Header, head.Header); diff != "" {
			t.Errorf("HEAD %s has other headers:\n%s", target, diff)
		}
		want := map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin",
			"Cache-Control": cache, "Access-Control-Allow-Origin": "*", "Link": `rel="describedby"`}
		for name, value := range want {
			if got := get.Header.Get(name); got != value && (name != "Link" || !strings.Contains(got, value)) {
				t.Errorf("%s: %s is %q, want %q", target, name, got, value)
			}
		}
		if !strings.Contains(get.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: Vary %q", target, get.Header.Get("Vary"))
		}
		if !strings.HasSuffix(text, "\n") {
			t.Errorf("%s does not end with a newline", target)
		}
		signed := ask(s, "GET", target, "Authorization: Bearer x")
		if got := signed.Header.Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("%s with credentials is cached as %q", target, got)
		}
	}
}

func TestMethods(t *testing.T) {
	s := newServer(&fakeEngine{})
	r := ask(s, "POST", "/api/context")
	var p problem
	if err := json.Unmarshal([]byte(body(t, r)), &p); err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD, OPTIONS" || !strings.Contains(p.Detail, "Use GET.") {
		t.Errorf("POST: %d, Allow %q, %+v", r.StatusCode, r.Header.Get("Allow"), p)
	}
	if got := r.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a 405 is cached as %q", got)
	}
	if text := body(t, ask(s, "DELETE", "/")); !strings.Contains(text, "/ answers GET, HEAD, OPTIONS. Use GET.") {
		t.Errorf("text client: %s", text)
	}
	for _, target := range []string{"/", "/api/context", "/nowhere"} {
		r := ask(s, "OPTIONS", target)
		if r.StatusCode != 204 || r.Header.Get("Allow") == "" || r.Header.Get("Access-Control-Allow-Methods") == "" {
			t.Errorf("OPTIONS %s: %d %v", target, r.StatusCode, r.Header)
		}
	}
}

func TestProtocolRoutesAnswerForThemselves(t *testing.T) {
	f := &fakeEngine{}
	for _, method := range []string{"GET", "POST", "DELETE", "PUT"} {
		r := ask(newServer(f), method, "/mcp")
		if got := body(t, r); got != "mcp "+method || r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s /mcp: %q with %v", method, got, r.Header)
		}
	}
	admin := func(o *Options) {
		o.Admin = echoMethod("admin ")
		o.Guard.AdminToken = "a"
	}
	if got := body(t, ask(newServer(f, admin), "POST", "/mcp")); got != "mcp POST" {
		t.Errorf("a stranger gets %q", got)
	}
	if got := body(t, ask(newServer(f, admin), "POST", "/mcp", "Authorization: Bearer a")); got != "admin POST" {
		t.Errorf("an administrator gets %q", got)
	}
	without := func(o *Options) { o.MCP = nil }
	if r := ask(newServer(f, without), "POST", "/mcp"); r.StatusCode != 404 || strings.Contains(body(t, r), "/mcp  ") {
		t.Errorf("without MCP: %d", r.StatusCode)
	}
}

func TestGuards(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Site.BaseURL = "https://docs.example.com"
		o.Guard = Guard{Hosts: []string{"docs.internal"}, Origins: []string{"https://app.example.com"}}
		o.DenyMCP = func(w http.ResponseWriter, _ *http.Request, status int, err *evergreen.Error) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "mcp: "+err.Message)
		}
	})
	for _, tt := range []struct {
		method, target, header string
		status                 int
		part                   string
	}{
		{"GET", "http://localhost:4173/api/context", "", 200, ""},
		{"GET", "http://docs.example.com/api/context", "", 200, ""},
		{"GET", "http://docs.internal/api/context", "", 200, ""},
		{"GET", "http://evil.example/api/context", "", 403, `"status": 403`},
		{"GET", "http://evil.example/", "", 403, "is not served here"},
		{"POST", "http://evil.example/mcp", "", 403, "mcp: "},
		{"POST", "http://localhost/mcp", "Origin: https://evil.example", 403, "mcp: "},
		{"POST", "http://localhost/mcp", "Origin: https://app.example.com", 200, "mcp POST"},
		{"OPTIONS", "http://localhost/mcp", "Origin: https://app.example.com", 204, ""},
		{"OPTIONS", "http://localhost/mcp", "Origin: https://evil.example", 403, "mcp: "},
		{"GET", "http://localhost/api/context", "Origin: https://evil.example", 200, ""},
	} {
		r := ask(s, tt.method, tt.target, tt.header)
		if text := body(t, r); r.StatusCode != tt.status || !strings.Contains(text, tt.part) {
			t.Errorf("%s %s %s: %d %s", tt.method, tt.target, tt.header, r.StatusCode, text)
		}
		if r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s %s: no nosniff", tt.method, tt.target, tt.header)
		}
	}
}

func TestReadingMayNeedAToken(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Guard.ReadToken = "t"
	})
	for _, target := range []string{"/", "/api/context", "/mcp"} {
		r := ask(s, "GET", target)
		if r.StatusCode != 401 || !strings.HasPrefix(r.Header.Get("WWW-Authenticate"), "Bearer") || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s without a token: %d %v", target, r.StatusCode, r.Header)
		}
		if r := ask(s, "GET", target, "Authorization: Bearer t"); r.StatusCode != 200 {
			t.Errorf("%s with the token: %d", target, r.StatusCode)
		}
	}
	if r := ask(s, "GET", "/healthz"); r.StatusCode != 200 {
		t.Errorf("/healthz: %d", r.StatusCode)
	}
}

func TestHealthSaysTheVersionAndTouchesNothing(t *testing.T) {
	got := body(t, ask(newServer(&fakeEngine{err: errors.New("broken")}), "GET", "/healthz"))
	if want := `{"ok":true,"version":"1.2.3"}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPromptPackChoosesScenarioAndLanguage(t *testing.T) {
	for _, tt := range []struct{ query, accept, want string }{
		{"", "", "chat en\n"},
		{"?scenario=research", "zh-CN,zh;q=0.9,en;q=0.1", "research zh\n"},
		{"?scenario=&lang=en", "zh", "chat en\n"},
	} {
		r := ask(newServer(&fakeEngine{}), "GET", "/api/prompt-pack"+tt.query, "Accept-Language: "+tt.accept)
		if got := body(t, r); got != tt.want || r.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%s: %d %q", tt.query, r.StatusCode, got)
		}
	}
	r := ask(newServer(&fakeEngine{}), "GET", "/api/prompt-pack?scenario=poem")
	var p problem
	if err := json.Unmarshal([]byte(body(t, r)), &p); err != nil {
		t.Fatal(err)
	}
	if p.Type != "urn:evergreen:problem:unknown-scenario" || len(p.Allowed) != 4 {
		t.Errorf("unknown scenario: %+v", p)
	}
}

func TestSlowAnswersEnd(t *testing.T) {
	s := newServer(&fakeEngine{block: true}, func(o *Options) { o.Timeout = time.Millisecond })
	r := ask(s, "GET", "/api/context")
	if text := body(t, r); r.StatusCode != 504 || !strings.Contains(text, "longer than 1ms") {
		t.Errorf("%d %s", r.StatusCode, text)
	}
}

func TestPanicIsA500AndALogLine(t *testing.T) {
	var log strings.Builder
	s := newServer(&fakeEngine{fault: true}, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	r := ask(s, "GET", "/api/context?topic=private")
	if text := body(t, r); r.StatusCode != 500 || strings.Contains(text, "no such page") {
		t.Errorf("%d %s", r.StatusCode, text)
	}
	if !strings.Contains(log.String(), "no such page") || !strings.Contains(log.String(), "status=500") {
		t.Errorf("log: %s", log.String())
	}
	if strings.Contains(log.String(), "private") {
		t.Error("the question is in the log")
	}
}

func TestDocumentsAreServed(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Documents = []Document{{Path: "/schema/config.json", Type: "application/json; charset=utf-8", Body: []byte("{}\n")}}
	})
	r := ask(s, "GET", "/schema/config.json")
	if got := body(t, r); got != "{}\n" || r.Header.Get("ETag") == "" {
		t.Errorf("%d %q", r.StatusCode, got)
	}
}
