package engine_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"evergreen"
)

// TestWebSite takes a site in, refreshes it, and holds on to what it has while
// the site is down.
func TestWebSite(t *testing.T) {
	var version, down atomic.Int32
	pages := func(w http.ResponseWriter, r *http.Request) {
		if down.Load() == 1 {
			http.Error(w, "gone", http.StatusNotFound)
			return
		}
		words := strings.Repeat("Some words of prose about walruses that make this a paragraph. ", 8)
		switch r.URL.Path {
		case "/docs/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html><title>Guide | Site</title><body><main><h1>Guide</h1><p>" + words + "</p><a href='keys.html'>keys</a></main></body></html>"))
		case "/docs/keys.html":
			w.Header().Set("Content-Type", "text/html")
			extra := ""
			if version.Load() == 1 {
				extra = "<p>Now with narwhals. " + words + "</p>"
			}
			_, _ = w.Write([]byte("<html><title>Keys | Site</title><body><main><h1>Keys</h1><h2>Rotating</h2><p>" + words + "</p>" + extra + "</main></body></html>"))
		default:
			http.NotFound(w, r)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(pages))
	defer server.Close()
	b := newBench(t, nil)
	index := func() (evergreen.IndexReport, error) {
		b.clock = b.clock.Add(1)
		return b.e.Index(context.Background(), evergreen.IndexRequest{
			Source: evergreen.Source{Location: server.URL + "/docs/"}, Name: "site", AllowPrivate: true,
		}, nil)
	}
	r, err := index()
	if err != nil || r.Documents.Indexed != 2 {
		t.Fatalf("first run: %+v, %v", r, err)
	}
	s := b.get("site::docs/keys.html.md::keys/rotating#2")
	if s.URL != server.URL+"/docs/keys.html" || s.FetchedAt == "" {
		t.Errorf("a section of a page: %+v", s)
	}
	if r, err = index(); err != nil || r.Documents.Unchanged != 2 || r.Documents.Indexed != 0 {
		t.Errorf("second run: %+v, %v", r.Documents, err)
	}
	version.Store(1)
	if r, err = index(); err != nil || r.Documents.Indexed != 1 || r.Documents.Unchanged != 1 {
		t.Errorf("run after a change: %+v, %v", r.Documents, err)
	}
	if got := b.search("narwhals"); len(got) != 1 {
		t.Errorf("after a change: %v", got)
	}
	down.Store(1)
	if _, err = index(); err == nil || len(evergreen.Hints(err)) == 0 {
		t.Errorf("a site that is down gives %v", err)
	}
	if got := b.search("narwhals"); len(got) != 1 {
		t.Errorf("while the site is down: %v", got)
	}
	if _, err := b.e.Index(context.Background(), evergreen.IndexRequest{
		Source: evergreen.Source{Location: server.URL + "/docs/"}, Name: "private",
	}, nil); err == nil {
		t.Error("a loopback address is reached without permission")
	}
}
