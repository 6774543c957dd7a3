package engine_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/engine"
)

// TestPagesOfAnOriginAreCitedByThePublicAddress: nothing that is answered tells
// where the origin stands, and what is not the origin's stays as it is.
func TestPagesOfAnOriginAreCitedByThePublicAddress(t *testing.T) {
	words := strings.Repeat("Some words of prose about walruses that make this a paragraph. ", 8)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/sub/":
			_, _ = w.Write([]byte("<!doctype html><html><head><title>Home</title></head><body><main><h1>Home</h1><p>" + words + "</p><p><a href='keys'>keys</a> <a href='https://x.example/'>far</a></p></main>"))
		case "/sub/keys":
			_, _ = w.Write([]byte("<!doctype html><html><head><title>Keys</title></head><body><main><h1>Keys</h1><h2>Rotating</h2><p>" + words + "</p><p><a href='./'>home</a> <a href='/other/'>other</a></p></main>"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for _, tt := range []struct{ origin, base, cited, link string }{
		{server.URL + "/sub/", "https://docs.example.com/d/", "https://docs.example.com/d/keys#rotating", "[home](https://docs.example.com/d/) [other](" + server.URL + "/other/)"},
		{server.URL, "", "/sub/keys#rotating", "[home](/sub/) [other](/other/)"},
		{server.URL + "/sub", "", "/keys#rotating", "[home](" + server.URL + "/sub/)"},
		{"https://elsewhere.example", "https://docs.example.com", "https://docs.example.com/docs/site/sub/keys#rotating", "[home](" + server.URL + "/sub/)"},
	} {
		e, err := engine.Open(engine.Options{Root: t.TempDir(), BaseURL: tt.base, Origin: tt.origin})
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		if _, err := e.Index(ctx, evergreen.IndexRequest{Source: evergreen.Source{Location: server.URL + "/sub/"}, Name: "site", AllowPrivate: true}, nil); err != nil {
			t.Fatal(err)
		}
		b, err := e.Ask(ctx, evergreen.Query{Topic: "rotating keys", Mode: evergreen.ModeBM25})
		if err != nil || len(b.Citations) == 0 || b.Citations[0].URL != tt.cited || !strings.Contains(b.Entries[0].Body, tt.link) {
			t.Errorf("%s at %q: %v\n%+v\n%+v", tt.origin, tt.base, err, b.Citations, b.Entries)
		}
		entry, _, err := e.Entry(ctx, b.Citations[0].EntryID)
		if err != nil || tt.base != "" && strings.Contains(entry.URL, "127.0.0.1") {
			t.Errorf("%s: %+v, %v", tt.origin, entry, err)
		}
		sec, err := e.Section(ctx, evergreen.SectionRequest{ID: b.Citations[0].EntryID, Verify: true})
		want := strings.TrimSuffix(tt.cited, "#rotating")
		if strings.HasPrefix(tt.origin, "https://elsewhere") {
			want = server.URL + "/sub/keys" // where it stands, since nobody says otherwise
		}
		if err != nil || sec.URL != want || !*sec.Verified {
			t.Errorf("%s: section at %s, verified %v, %v", tt.origin, sec.URL, sec.Verified, err)
		}
		_ = e.Close()
	}
}
