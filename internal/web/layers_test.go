package web

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"evergreen/internal/site"
)

// lent is a server that lends its layers to a site at another address.
func lent(change ...func(*Options)) *Server {
	return newServer(&fakeEngine{}, append([]func(*Options){func(o *Options) {
		o.Pages, o.Site.BaseURL = nil, "https://docs.example.com"
		o.Site.Layout, o.Site.Origin = site.LayoutOrigin, "http://10.0.0.1"
		o.Publish = func() (Snapshot, error) {
			f := exampleDocs("r")
			f.documents[0].Meta.URL, f.documents[1].Meta.URL = "http://10.0.0.1/", "http://10.0.0.1/keys"
			return f, nil
		}
	}}, change...)...)
}

func TestWhichPathsAreLayers(t *testing.T) {
	l := lent().Layers()
	for path, want := range map[string]bool{
		"/llms.txt": true, "/.well-known/llms.txt": true, "/docs/guide/llms.txt": true, "/context.json": true, "/mcp": true, "/healthz": true,
		"/api/context": true, "/robots.txt": true, "/ai.txt": true, "/sitemap.xml": true, "/openapi.json": true,
		"/": false, "/keys": false, "/keys.html.md": false, "/index.html.md": false, "/layers": false, "/search": false,
		"/docs/other/llms.txt": false, "/context/9.json": false, "/sitemap-9.xml": false, "/.well-known/security.txt": false, "/api/users": false,
	} {
		if got := l.Serves(path); got != want {
			t.Errorf("%s is a layer: %v", path, got)
		}
	}
	for path, want := range map[string]bool{"/": true, "/keys": true, "/else": false} {
		if got := l.Mirrored(path); got != want {
			t.Errorf("%s has a mirror: %v", path, got)
		}
	}
	if links := l.Links("https://docs.example.com"); !strings.Contains(links, `<https://docs.example.com/.well-known/api-catalog>; rel="api-catalog"`) {
		t.Errorf("Link: %s", links)
	}
}

// TestContentThatIsNotThereYet: layers ask for patience, what only the policy
// says is answered, and nothing is kept of either.
func TestContentThatIsNotThereYet(t *testing.T) {
	var wait atomic.Int64
	wait.Store(int64(1500 * time.Millisecond))
	s := lent(func(o *Options) { o.Waiting = func() time.Duration { return time.Duration(wait.Load()) } })
	paths := map[string]int{"/llms.txt": 503, "/context.json": 503, "/api/context": 503, "/metrics.json": 503, "/mcp": 503, "/docs/guide/llms.txt": 503,
		"/robots.txt": 200, "/ai.txt": 200, "/ai-policy.json": 200, "/healthz": 200}
	for path, want := range paths {
		r := ask(s, "GET", path)
		if r.StatusCode != want || !s.Layers().Serves(path) {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
		if want == 503 && (r.Header.Get("Retry-After") != "2" || r.Header.Get("Cache-Control") != "no-store" || !strings.Contains(body(t, r), "ry again in 2 seconds")) {
			t.Errorf("%s: %v", path, r.Header)
		}
	}
	if s.Layers().Mirrored("/keys") || strings.Contains(s.Layers().Links("https://h.example"), "api-catalog") {
		t.Error("something is known of what is not there")
	}
	if r := ask(s, "HEAD", "/llms.txt"); r.StatusCode != 503 || body(t, r) != "" {
		t.Errorf("HEAD: %d", r.StatusCode)
	}
	if r := ask(s, "OPTIONS", "/llms.txt"); r.StatusCode != 204 {
		t.Errorf("OPTIONS: %d", r.StatusCode)
	}
	wait.Store(0)
	for path := range paths {
		if r := ask(s, "GET", path); r.StatusCode != 200 {
			t.Errorf("%s after the wait: %d", path, r.StatusCode)
		}
	}
}

// TestTheFrontGuardsWhatItStandsBefore: hosts, panics and the figures hold for
// another site's answers too; the rate limit is for our own.
func TestTheFrontGuardsWhatItStandsBefore(t *testing.T) {
	s := lent(func(o *Options) { o.Rate = Rate{PerMinute: 1, Burst: 1} })
	front := s.Front(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			panic("boom")
		}
		_, _ = io.WriteString(w, "theirs")
	}))
	for range 20 {
		if r := ask(front, "GET", "/x"); r.StatusCode != 200 || r.Header.Get("RateLimit") != "" || r.Header.Get("X-Content-Type-Options") != "" || body(t, r) != "theirs" {
			t.Fatalf("%d %v", r.StatusCode, r.Header)
		}
	}
	if r := ask(front, "GET", "http://evil.example/x"); r.StatusCode != 403 {
		t.Errorf("another host: %d", r.StatusCode)
	}
	if r := ask(front, "GET", "https://docs.example.com/x"); r.StatusCode != 200 {
		t.Errorf("the public host: %d", r.StatusCode)
	}
	if r := ask(front, "GET", "/panic"); r.StatusCode != 500 {
		t.Errorf("a panic: %d", r.StatusCode)
	}
	if figures := body(t, ask(s.Operator(""), "GET", "/metrics")); !strings.Contains(figures, `route="origin",code="200"} 21`) {
		t.Errorf("figures:\n%s", figures)
	}
	r := ask(http.HandlerFunc(s.Layers().Missing), "GET", "https://docs.example.com/nope")
	if text := body(t, r); r.StatusCode != 404 || !strings.Contains(text, "/llms.txt") {
		t.Errorf("the ways in: %d %s", r.StatusCode, text)
	}
}
