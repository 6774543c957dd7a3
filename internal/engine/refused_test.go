package engine_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"evergreen"
)

// TestRefusedRequests wants each request that cannot be answered refused by its
// kind, with what to do instead.
func TestRefusedRequests(t *testing.T) {
	b := newBench(t, guide)
	empty := newBench(t, nil)
	b.index()
	ctx := context.Background()
	search := func(r evergreen.SearchRequest) func() error {
		return func() error { _, err := b.e.Search(ctx, r); return err }
	}
	section := func(r evergreen.SectionRequest) func() error {
		return func() error { _, err := b.e.Section(ctx, r); return err }
	}
	const id = "docs::zh/install.md::安装-指南#1"
	for name, tc := range map[string]struct {
		ask  func() error
		kind evergreen.Kind
		hint string
	}{
		"a blank question":         {search(evergreen.SearchRequest{Query: " \t"}), evergreen.Invalid, ""},
		"a pattern that is none":   {search(evergreen.SearchRequest{Query: "keys", PathGlob: "[a"}), evergreen.Invalid, ""},
		"a cursor of our own make": {search(evergreen.SearchRequest{Query: "keys", Cursor: "AAAA"}), evergreen.Invalid, "cursor"},
		"an unknown collection":    {search(evergreen.SearchRequest{Query: "keys", Collection: "doc"}), evergreen.NotFound, "docs"},
		"before the beginning":     {section(evergreen.SectionRequest{ID: id, Offset: -1}), evergreen.Invalid, ""},
		"behind the end":           {section(evergreen.SectionRequest{ID: id, Offset: 1 << 20}), evergreen.Invalid, ""},
		"an id that is near one":   {section(evergreen.SectionRequest{ID: "docs::keyz.md::rotating-keys#1"}), evergreen.NotFound, "keys.md"},
		"a source without a name": {func() error {
			_, err := b.e.Index(ctx, evergreen.IndexRequest{}, nil)
			return err
		}, evergreen.Invalid, ""},
		"a source that is not there": {func() error {
			_, err := b.e.Index(ctx, evergreen.IndexRequest{Source: evergreen.Source{Location: b.source + "x"}}, nil)
			return err
		}, evergreen.NotFound, ""},
		"a library with nothing in it": {func() error {
			_, err := empty.e.Section(ctx, evergreen.SectionRequest{ID: id})
			return err
		}, evergreen.NotFound, "evergreen index"},
		"a collection of an empty library": {func() error {
			_, err := empty.e.Search(ctx, evergreen.SearchRequest{Query: "keys", Collection: "docs"})
			return err
		}, evergreen.NotFound, "evergreen index"},
	} {
		err := tc.ask()
		if hints := strings.Join(evergreen.Hints(err), " "); evergreen.KindOf(err) != tc.kind || !strings.Contains(hints, tc.hint) {
			t.Errorf("%s: %s error %v, hints %q", name, evergreen.KindOf(err), err, hints)
		}
	}
}

// TestNobodyWaits ends every request whose caller has gone with the caller's own
// error.
func TestNobodyWaits(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, ask := range map[string]func() error{
		"search":  func() error { _, err := b.e.Search(ctx, evergreen.SearchRequest{Query: "keys"}); return err },
		"ask":     func() error { _, err := b.e.Ask(ctx, evergreen.Query{Topic: "keys"}); return err },
		"outline": func() error { _, err := b.e.Outline(ctx, evergreen.OutlineRequest{Collection: "docs"}); return err },
		"section": func() error {
			_, err := b.e.Section(ctx, evergreen.SectionRequest{ID: "docs::keys.md::rotating-keys#1"})
			return err
		},
		"links": func() error { _, _, err := b.e.CheckLinks(ctx, "docs"); return err },
	} {
		if err := ask(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPageDownForNow keeps a page that answers 503 while the rest of its site is
// read again, names it among what was left out, and takes the day of Last-Modified
// for that of the page.
func TestPageDownForNow(t *testing.T) {
	var down atomic.Bool
	words := strings.Repeat("Some words of prose about walruses that make this a paragraph. ", 8)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Last-Modified", "Tue, 03 Nov 2026 10:00:00 GMT")
		switch {
		case r.Header.Get("X-Key") != "sesame":
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/docs/":
			_, _ = w.Write([]byte("<title>Guide</title><main><h1>Guide</h1><p>" + words + "</p><a href='keys.html'>keys</a></main>"))
		case r.URL.Path == "/docs/keys.html" && !down.Load():
			_, _ = w.Write([]byte("<title>Keys</title><main><h1>Keys</h1><p>" + words + " narwhals</p></main>"))
		case r.URL.Path == "/docs/keys.html":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	b := newBench(t, nil)
	index := func() evergreen.IndexReport {
		t.Helper()
		r, err := b.e.Index(context.Background(), evergreen.IndexRequest{
			Source: evergreen.Source{Location: server.URL + "/docs/"}, AllowPrivate: true, Header: []string{"X-Key: sesame"},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	name := strings.TrimPrefix(server.URL, "http://") + "/docs"
	if r := index(); r.Documents.Indexed != 2 || r.Collection != name {
		t.Fatalf("%s: %+v", r.Collection, r.Documents)
	}
	if d, _, err := b.e.Document(context.Background(), name, "docs/keys.html.md"); err != nil || d.Meta.Updated != "2026-11-03" {
		t.Errorf("of the day %q, %v", d.Meta.Updated, err)
	}
	down.Store(true)
	r := index()
	if len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "what was indexed before is kept") || r.Documents.Removed != 0 {
		t.Errorf("%+v, left out %+v", r.Documents, r.Skipped)
	}
	if got := b.search("narwhals"); len(got) != 1 {
		t.Errorf("while the page is down: %v", got)
	}
}
