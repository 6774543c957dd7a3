package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheBurstThenTheRefill(t *testing.T) {
	l := newLimiter("api", Rate{PerMinute: 120, Burst: 300}, 10)
	now := time.Unix(1000, 0)
	for i := range 300 {
		v := l.take("a", now)
		if !v.ok || v.left != 299-i {
			t.Fatalf("request %d: %+v", i+1, v)
		}
		if (v.left == 0) != (v.wait > 0) {
			t.Errorf("request %d: %d left, wait %s", i+1, v.left, v.wait)
		}
	}
	if v := l.take("a", now); v.ok || v.wait != 500*time.Millisecond {
		t.Errorf("the one too many: %+v", v)
	}
	if v := l.take("a", now.Add(499*time.Millisecond)); v.ok || v.wait != time.Millisecond {
		t.Errorf("too early: %+v", v)
	}
	if v := l.take("a", now.Add(500*time.Millisecond)); !v.ok || v.left != 0 {
		t.Errorf("after the wait: %+v", v)
	}
	if v := l.take("b", now); !v.ok || v.left != 299 {
		t.Errorf("another client: %+v", v)
	}
	if v := l.take("a", now.Add(time.Hour)); !v.ok || v.left != 299 {
		t.Errorf("after a long rest: %+v", v)
	}
}

func TestClientsAreForgottenInTheEnd(t *testing.T) {
	l := newLimiter("api", Rate{PerMinute: 60, Burst: 2}, 4)
	now := time.Unix(1000, 0)
	for i := range 4 {
		l.take(fmt.Sprint("old ", i), now)
	}
	if l.take("new", now.Add(2*time.Second)); len(l.spent) != 1 {
		t.Errorf("%d clients are remembered whose bucket is full", len(l.spent)-1)
	}
	for i := range 100 {
		l.take(fmt.Sprint("flood ", i), now.Add(2*time.Second))
		if len(l.spent) > 4 {
			t.Fatalf("%d clients are remembered, at most 4 should be", len(l.spent))
		}
	}
}

func TestRates(t *testing.T) {
	for perMinute, want := range map[int]Rate{0: {}, -1: {}, 1: {1, 2}, 120: {120, 300}, 6000: {6000, 15000}, maxPerMinute: {maxPerMinute, maxPerMinute * 5 / 2}, 1 << 62: {maxPerMinute, maxPerMinute * 5 / 2}} {
		if got := RateOf(perMinute); got != want {
			t.Errorf("%d a minute: %+v, want %+v", perMinute, got, want)
		}
	}
	if l := newLimiter("static", RateOf(1<<62).forFiles(), 10); l.every < 1 || !l.take("a", time.Unix(1000, 0)).ok {
		t.Errorf("the largest rate leaves %s between two files", l.every)
	}
	if got := DefaultRate().forFiles(); got != (Rate{600, 1200}) {
		t.Errorf("files: %+v", got)
	}
}

// newLimited is a server with the least rate, whose clock stands still.
func newLimited(change ...func(*Options)) *Server {
	s := newServer(&fakeEngine{}, append(change, func(o *Options) {
		o.Rate = Rate{PerMinute: 120, Burst: 2}
		o.A2A = echoMethod("a2a ")
	})...)
	s.now = func() time.Time { return time.Unix(1000, 0) }
	return s
}

func TestTooManyRequests(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.Rate = DefaultRate() })
	s.now = func() time.Time { return time.Unix(1000, 0) }
	for range 300 {
		if r := ask(s, "GET", "/api/context"); r.StatusCode != 200 {
			t.Fatalf("within the burst: %d", r.StatusCode)
		}
	}
	r := ask(s, "GET", "/api/context")
	fields, err := os.ReadFile("testdata/ratelimit-headers.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(fields)), "\n")
	if want := "HTTP/1.1 " + r.Status; lines[0] != want {
		t.Errorf("%s, want %s", want, lines[0])
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		if got := r.Header.Get(name); got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
	want, err := os.ReadFile("testdata/problem-429.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(compact(t, string(want)), compact(t, body(t, r))); diff != "" {
		t.Error(diff)
	}
	if r.Header.Get("Access-Control-Allow-Origin") != "*" || r.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers: %v", r.Header)
	}
}

// compact drops the blank space between the tokens of JSON.
func compact(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(s)); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func TestBudgetsAreApart(t *testing.T) {
	s := newLimited()
	for _, tt := range []struct {
		method, target string
		budget         string
		burst          int
		kind           string
	}{
		{"GET", "/api/context", "api", 2, typeProblem},
		{"POST", "/mcp", "mcp", 2, typeJSON},
		{"GET", "/llms.txt", "static", 8, typeJSON},
	} {
		for i := range tt.burst {
			r := ask(s, tt.method, tt.target)
			policy := fmt.Sprintf(`%q;q=%d;w=1`, tt.budget, tt.burst)
			if r.StatusCode != 200 || r.Header.Get("RateLimit-Policy") != policy || !strings.HasPrefix(r.Header.Get("RateLimit"), fmt.Sprintf(`%q;r=%d;t=`, tt.budget, tt.burst-1-i)) {
				t.Errorf("%s %d: %d %q %q", tt.target, i, r.StatusCode, r.Header.Get("RateLimit-Policy"), r.Header.Get("RateLimit"))
			}
		}
		r := ask(s, tt.method, tt.target)
		if r.StatusCode != 429 || r.Header.Get("Retry-After") != "1" || r.Header.Get("Content-Type") != tt.kind {
			t.Errorf("%s: %d %v", tt.target, r.StatusCode, r.Header)
		}
	}
	if r := ask(s, "POST", "/a2a"); r.StatusCode != 429 {
		t.Errorf("/a2a draws on another budget than /mcp: %d", r.StatusCode)
	}
	for range 20 {
		if r := ask(s, "GET", "/healthz"); r.StatusCode != 200 || r.Header.Get("RateLimit") != "" {
			t.Fatalf("/healthz: %d", r.StatusCode)
		}
		if r := ask(s, "OPTIONS", "/api/context"); r.StatusCode != 204 {
			t.Fatalf("OPTIONS: %d", r.StatusCode)
		}
	}
}

func TestNoRateNoFields(t *testing.T) {
	s := newServer(&fakeEngine{})
	for range 1300 {
		if r := ask(s, "GET", "/robots.txt"); r.StatusCode != 200 || r.Header.Get("RateLimit") != "" {
			t.Fatalf("%d %v", r.StatusCode, r.Header)
		}
	}
	if text := body(t, ask(s, "GET", "/ai.txt")); strings.Contains(text, "Rate limit") {
		t.Errorf("ai.txt states a limit: %s", text)
	}
	limited := newServer(&fakeEngine{}, func(o *Options) { o.Rate = DefaultRate() })
	if text := body(t, ask(limited, "GET", "/ai.txt")); !strings.Contains(text, "Rate limit: 120 requests/minute, burst 300") {
		t.Errorf("ai.txt states no limit: %s", text)
	}
}

func TestWhoTheClientIs(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Proxies = proxies
		o.Guard.ReadToken = "secret"
	})
	for _, tt := range []struct {
		remote  string
		headers []string
		want    string
	}{
		{"198.51.100.7:1000", nil, "198.51.100.7"},
		{"198.51.100.7:1000", []string{"X-Forwarded-For: 203.0.113.1"}, "198.51.100.7"},
		{"10.0.0.1:1000", []string{"X-Forwarded-For: 203.0.113.1"}, "203.0.113.1"},
		{"10.0.0.1:1000", []string{"X-Forwarded-For: 6.6.6.6, 203.0.113.1, 10.0.0.2"}, "203.0.113.1"},
		{"10.0.0.1:1000", []string{"X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 203.0.113.1:443"}, "203.0.113.1"},
		{"10.0.0.1:1000", []string{"X-Forwarded-For: 203.0.113.1, what"}, "10.0.0.1"},
		{"10.0.0.1:1000", []string{`Forwarded: for=6.6.6.6, for="[2001:db8:1:2:3::4]:80";proto=https`, "X-Forwarded-For: 7.7.7.7"}, "2001:db8:1:2::/64"},
		{"10.0.0.1:1000", nil, "10.0.0.1"},
		{"[2001:db8:1:2:ffff::1]:1000", nil, "2001:db8:1:2::/64"},
		{"[2001:db8:1:3::1]:1000", nil, "2001:db8:1:3::/64"},
		{"[::ffff:198.51.100.7]:1000", nil, "198.51.100.7"},
		{"198.51.100.7:1000", []string{"Authorization: Bearer secret"}, readHolder},
		{"198.51.100.7:1000", []string{"Authorization: Bearer guess"}, "198.51.100.7"},
		{"[::1]:1000", nil, "127.0.0.1"},
	} {
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		r.RemoteAddr = tt.remote
		for _, h := range tt.headers {
			name, value, _ := strings.Cut(h, ": ")
			r.Header.Add(name, value)
		}
		if got := s.client(r); got != tt.want {
			t.Errorf("%s %v: %s, want %s", tt.remote, tt.headers, got, tt.want)
		}
	}
}

func TestWrongTokensAreCountedToo(t *testing.T) {
	s := newLimited(func(o *Options) { o.Guard.ReadToken = "secret" })
	status := 0
	for range 9 {
		status = ask(s, "GET", "/llms.txt", "Authorization: Bearer guess").StatusCode
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("tokens can be guessed without end: %d", status)
	}
}
