// Package crawltest checks that a crawl.Fetcher does what crawl relies on. It
// is for tests of such adapters only.
package crawltest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"evergreen"
	"evergreen/internal/crawl"
)

// Conform checks a Fetcher against a small site. serve makes the site
// reachable and returns its origin and a Fetcher that may read it.
func Conform(t *testing.T, serve func(t *testing.T, site http.Handler) (origin string, f crawl.Fetcher)) {
	var forbidden atomic.Int32
	origin, f := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			w.Header().Set("Content-Type", "text/html; charset=gb2312")
			w.Header().Set("ETag", `"1"`)
			w.Header().Add("Link", `</page.md>; rel="alternate"`)
			w.Header().Add("X-Robots-Tag", "noindex")
			w.Write([]byte("<p>\xd6\xd0"))
		case "/old":
			http.Redirect(w, r, "/older", http.StatusMovedPermanently)
		case "/older":
			http.Redirect(w, r, "/page", http.StatusFound)
		case "/circle":
			http.Redirect(w, r, "/circle", http.StatusFound)
		case "/away":
			http.Redirect(w, r, "/forbidden", http.StatusFound)
		case "/forbidden":
			forbidden.Add(1)
		case "/data":
			w.Header().Set("Content-Type", "application/gzip")
			w.Write([]byte("\x1f\x8b\x00\xff"))
		case "/down":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/accept":
			fmt.Fprint(w, r.Header.Get("Accept"))
		default:
			http.NotFound(w, r)
		}
	}))
	get := func(req crawl.Request) *crawl.Response {
		t.Helper()
		req.URL = origin + req.URL
		answer, err := f.Fetch(t.Context(), req)
		if err != nil {
			t.Errorf("%s: %v", req.URL, err)
			return &crawl.Response{}
		}
		return answer
	}

	if a := get(crawl.Request{URL: "/page"}); a.Status != 200 || string(a.Body) != "<p>中" || a.FinalURL != origin+"/page" ||
		!strings.HasPrefix(a.ContentType, "text/html") || a.ETag != `"1"` || len(a.Links) != 1 || len(a.RobotsTag) != 1 || a.FetchedAt.IsZero() {
		t.Errorf("a page: %+v %q", a, a.Body)
	}
	for path, status := range map[string]int{"/missing": 404, "/down": 503} {
		if a := get(crawl.Request{URL: path}); a.Status != status {
			t.Errorf("%s is status %d, want the answer %d", path, a.Status, status)
		}
	}
	var asked []string
	all := func(to *url.URL) bool { asked = append(asked, to.Path); return true }
	if a := get(crawl.Request{URL: "/old", Hop: all, Revalidate: true}); a.FinalURL != origin+"/page" || strings.Join(asked, " ") != "/older /page" {
		t.Errorf("redirects: %+v after %q", a, asked)
	}
	none := func(*url.URL) bool { return false }
	if a := get(crawl.Request{URL: "/away", Hop: none}); a.Status != 302 || a.Location != origin+"/forbidden" || forbidden.Load() != 0 {
		t.Errorf("a refused redirect: %+v, %d requests beyond", a, forbidden.Load())
	}
	if a := get(crawl.Request{URL: "/data", Raw: true}); string(a.Body) != "\x1f\x8b\x00\xff" {
		t.Errorf("raw bytes: %q", a.Body)
	}
	if a := get(crawl.Request{URL: "/accept", Accept: "text/markdown"}); string(a.Body) != "text/markdown" {
		t.Errorf("accepted: %q", a.Body)
	}
	if _, err := f.Fetch(t.Context(), crawl.Request{URL: origin + "/circle"}); evergreen.KindOf(err) != evergreen.Upstream {
		t.Errorf("a circle of redirects: %v, want an error of kind upstream", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Fetch(ctx, crawl.Request{URL: origin + "/new"}); ctx.Err() == nil || err == nil {
		t.Errorf("a canceled request: %v", err)
	}
}
