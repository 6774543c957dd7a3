package web

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func TestOperatorSeesWhatWasAnswered(t *testing.T) {
	s := newLimited()
	s.options.Calls = func() Calls {
		return Calls{Outcomes: map[string]map[string]int{"search": {"repaired": 2, "exact": 5}, `say "hi"`: {"exact": 1}},
			Repairs: map[string]int{"key_alias": 2}, Refusals: map[string]int{"unknown_tool": 3},
			ErrorsAfterRepair: map[string]int{"search": 1}, HintsFollowed: 4}
	}
	for _, target := range []string{"/docs/guide/keys", "/docs/guide/keys.md", "/llms.txt", "/nowhere", "/api/context", "http://evil.example/"} {
		ask(s, "GET", target)
	}
	for range 3 {
		ask(s, "GET", "/api/context")
	}
	w := httptest.NewRecorder()
	s.Operator("").ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/metrics", nil))
	text := w.Body.String()
	for _, want := range []string{
		`evergreen_build_info{version="1.2.3"} 1`,
		`evergreen_snapshot_info{revision="r1"} 1`,
		`evergreen_http_requests_running 0`,
		`evergreen_http_rate_limited_total 2`,
		`evergreen_http_requests_total{route="context",code="200"} 2`,
		`evergreen_http_requests_total{route="page",code="200"} 1`,
		`evergreen_http_requests_total{route="mirror",code="200"} 1`,
		`evergreen_http_requests_total{route="resource",code="200"} 1`,
		`evergreen_http_requests_total{route="missing",code="404"} 1`,
		`evergreen_http_requests_total{route="refused",code="403"} 1`,
		`evergreen_http_requests_total{route="refused",code="429"} 2`,
		`evergreen_http_request_duration_seconds_count{route="context"} 2`,
		`evergreen_tool_calls_total{tool="search",outcome="exact"} 5`,
		`evergreen_tool_calls_total{tool="search",outcome="repaired"} 2`,
		`evergreen_tool_calls_total{tool="say \"hi\"",outcome="exact"} 1`,
		`evergreen_tool_repairs_total{code="key_alias"} 2`,
		`evergreen_tool_refusals_total{reason="unknown_tool"} 3`,
		`evergreen_tool_errors_after_repair_total{tool="search"} 1`,
		`evergreen_tool_hints_followed_total 4`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %s in\n%s", want, text)
		}
	}
	sample := regexp.MustCompile(`^[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"(,[a-z]+="([^"\\]|\\.)*")*\})? [0-9.e+-]+$`)
	told := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			if told[name] {
				t.Errorf("%s is told twice", name)
			}
			told[name] = true
		}
		if !strings.HasPrefix(line, "# ") && !sample.MatchString(line) {
			t.Errorf("not in the format: %s", line)
		}
	}
	for target, status := range map[string]int{"/healthz": 200, "/": 404} {
		w := httptest.NewRecorder()
		s.Operator("").ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:9090"+target, nil))
		if w.Code != status {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	w = httptest.NewRecorder()
	s.Operator("").ServeHTTP(w, httptest.NewRequest("POST", "http://localhost/metrics", nil))
	if w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
	if r := ask(newServer(&fakeEngine{}), "GET", "/metrics"); r.StatusCode != 404 {
		t.Errorf("the public listener shows the operator's figures: %d", r.StatusCode)
	}
}

// TestOperatorsAreNotRebound: a page that makes its own name resolve to the
// operator's listener is refused, as at the site.
func TestOperatorsAreNotRebound(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Site.BaseURL, o.Guard.Hosts = "https://docs.example.com", []string{"inside"}
	})
	for _, tt := range []struct {
		listens, host string
		status        int
	}{
		{"127.0.0.1:9090", "127.0.0.1:9090", 200},
		{"127.0.0.1:9090", "localhost:9090", 200},
		{"127.0.0.1:9090", "evil.example:9090", 403},
		{"127.0.0.1:9090", "127.0.0.1.evil.example", 403},
		{"10.0.0.5:9090", "10.0.0.5:9090", 200},
		{"10.0.0.5:9090", "10.0.0.6:9090", 403},
		{":9090", "inside:9090", 200},
		{":9090", "docs.example.com:9090", 200},
		{":9090", "evil.example:9090", 403},
		{":9090", "", 403},
	} {
		for _, path := range []string{"/metrics", "/healthz", "/"} {
			r := httptest.NewRequest("GET", "http://x"+path, nil)
			r.Host = tt.host
			w := httptest.NewRecorder()
			s.Operator(tt.listens).ServeHTTP(w, r)
			if refused := w.Code == 403; refused != (tt.status == 403) {
				t.Errorf("%s asked as %q at %s: %d", tt.listens, tt.host, path, w.Code)
			}
			if w.Code == 403 && strings.Contains(w.Body.String(), "evergreen_") {
				t.Errorf("%q is told figures", tt.host)
			}
		}
	}
}

func TestCacheDropsWhatWasNotAskedLately(t *testing.T) {
	c := newCache(8 * 10_000)
	item := func(n int) *stored { return &stored{body: make([]byte, n)} }
	for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"} {
		c.put(key, item(3000))
		c.get("a")
	}
	if _, ok := c.get("a"); !ok {
		t.Error("what is asked all the time was dropped")
	}
	if _, ok := c.get("b"); ok {
		t.Error("what was not asked for is kept")
	}
	if c.bytes > c.most || len(c.items) != c.order.Len() {
		t.Errorf("%d bytes of at most %d, %d items in a list of %d", c.bytes, c.most, len(c.items), c.order.Len())
	}
	c.put("large", item(5000))
	if _, ok := c.get("large"); ok {
		t.Error("a large answer pushes out the others")
	}
	before := c.bytes
	c.put("a", item(3000))
	if c.bytes != before {
		t.Errorf("an answer that is put twice counts twice: %d, then %d", before, c.bytes)
	}
}
