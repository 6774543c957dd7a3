package overlay

// This file tests what the overlay says where the origin is silent.

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// fileServer answers as plain file servers do: a date, a length, no ETag, and
// no condition is looked at.
func fileServer(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/guide/keys" {
		w.Header().Set("Content-Type", "text/html;charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<h1>Error response</h1>")
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Last-Modified", time.Unix(0x5f000000, 0).UTC().Format(http.TimeFormat))
	w.Header().Set("Content-Length", fmt.Sprint(len(page)))
	_, _ = io.WriteString(w, page)
}

func TestPagesWithoutValidatorsGetThem(t *testing.T) {
	s := start(t, fileServer)
	made := fmt.Sprintf(`"5f000000-%x-evergreen"`, len(page))
	mirror := strings.TrimSuffix(made, `"`) + `-md"`
	for _, tt := range []struct {
		path, accept, tags string
		status             int
		etag               string
	}{
		{"/guide/keys", "", "", 200, made},
		{"/guide/keys", "", made, 304, made},
		{"/guide/keys", "", `"x", W/` + made, 304, made},
		{"/guide/keys", "", mirror, 200, made},
		{"/guide/keys", "text/markdown", "", 200, mirror},
		{"/guide/keys", "text/markdown", mirror, 304, mirror},
		{"/guide/keys.md", "", mirror, 304, mirror},
		{"/guide/keys.md", "", made, 200, mirror},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			r, body := s.ask(t, method, tt.path, "Accept: "+tt.accept, "If-None-Match: "+tt.tags)
			if r.StatusCode != tt.status || r.Header.Get("ETag") != tt.etag || tt.status == 304 && body != "" || r.Header.Get("Cache-Control") != "no-cache" {
				t.Errorf("%s %s %s %s: %d %v", method, tt.path, tt.accept, tt.tags, r.StatusCode, r.Header)
			}
			if tt.status == 200 && r.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s %s: sniffed", method, tt.path)
			}
		}
	}
	if r, _ := s.ask(t, "GET", "/guide/keys", "Cookie: a=b"); r.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("with a cookie: %v", r.Header)
	}
}

func TestAMirrorWithoutAnyValidatorIsToldByItsText(t *testing.T) {
	s := start(t, site(map[string]http.HandlerFunc{"/live": sends(page)}))
	first, _ := s.ask(t, "GET", "/live.md")
	tag := first.Header.Get("ETag")
	if !strings.HasSuffix(tag, `-evergreen-md"`) {
		t.Fatalf("ETag %s", tag)
	}
	if r, body := s.ask(t, "GET", "/live.md", "If-None-Match: "+tag); r.StatusCode != 304 || body != "" {
		t.Errorf("%d %q", r.StatusCode, body)
	}
}

func TestCachingThatTheOriginChoseStays(t *testing.T) {
	s := start(t, site(map[string]http.HandlerFunc{"/a": sends(page, "Cache-Control: max-age=5"), "/b": sends(page, "Expires: 0")}))
	for path, want := range map[string]string{"/a": "max-age=5", "/b": "", "/a.md": "max-age=5", "/b.md": ""} {
		if r, _ := s.ask(t, "GET", path); r.Header.Get("Cache-Control") != want {
			t.Errorf("%s: %q", path, r.Header.Get("Cache-Control"))
		}
	}
}

// TestPagesThatAreNotThere: browsers see the origin's words, everyone else the
// ways in.
func TestPagesThatAreNotThere(t *testing.T) {
	s := start(t, fileServer, func(o *Options) {
		o.Missing = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "ways in")
		})
	})
	for accept, want := range map[string]string{
		"": "ways in", "*/*": "ways in", "text/markdown": "ways in", "application/json": "ways in", "text/html;q=0": "ways in",
		"text/html": "<h1>Error response</h1>", "text/html,application/xhtml+xml,*/*;q=0.8": "<h1>Error response</h1>",
	} {
		if r, body := s.ask(t, "GET", "/nowhere", "Accept: "+accept); r.StatusCode != 404 || body != want {
			t.Errorf("%q: %d %q", accept, r.StatusCode, body)
		}
	}
}

func TestPathsThatClimbReachNobody(t *testing.T) {
	asked := 0
	s := start(t, func(w http.ResponseWriter, r *http.Request) { asked++; fileServer(w, r) })
	for _, path := range []string{"/a/../b", "/..%2f..%2fetc/passwd", "/%2e%2e/x", "/..%5c..%5cwin.ini", "/x%00.md"} {
		if r, body := s.ask(t, "GET", path); r.StatusCode != 404 || asked > 0 || strings.ContainsRune(body, 0) {
			t.Errorf("%s: %d, the origin was asked %d times: %q", path, r.StatusCode, asked, body)
		}
	}
	if r, _ := s.ask(t, "GET", "/a..b/c%2fd...e"); r.StatusCode != 404 || asked != 1 {
		t.Errorf("dots within names: the origin was asked %d times", asked)
	}
}

// TestTheOriginLearnsWhoAsked: the public address, and the client behind proxies
// that are trusted.
func TestTheOriginLearnsWhoAsked(t *testing.T) {
	for _, tt := range []struct {
		trusts bool
		want   string
	}{{true, "https docs.example.com 192.0.2.7, 127.0.0.1"}, {false, "https docs.example.com 127.0.0.1"}} {
		s := start(t, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, r.Header.Get("X-Forwarded-Proto"), " ", r.Header.Get("X-Forwarded-Host"), " ", r.Header.Get("X-Forwarded-For"))
		}, func(o *Options) {
			o.Base = func(*http.Request) string { return "https://docs.example.com" }
			o.Trusts = func(*http.Request) bool { return tt.trusts }
		})
		for _, method := range []string{"GET", "POST"} {
			if _, body := s.ask(t, method, "/who", "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: http"); body != tt.want {
				t.Errorf("%s, trusted %v: %q", method, tt.trusts, body)
			}
		}
	}
}

func TestOnlyMirrorsAreLimited(t *testing.T) {
	s := start(t, fileServer, func(o *Options) {
		o.Limited = func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) })
		}
	})
	for path, want := range map[string]int{"/guide/keys": 200, "/guide/keys.md": 429} {
		if r, _ := s.ask(t, "GET", path); r.StatusCode != want {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
	if r, _ := s.ask(t, "GET", "/guide/keys", "Accept: text/markdown"); r.StatusCode != 429 {
		t.Errorf("negotiated: %d", r.StatusCode)
	}
}
