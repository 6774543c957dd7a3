package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"evergreen"

	"evergreen/bench/internal/report"
)

func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHeadings(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{
		"a/b.rst.txt":    "Title\n=====\n\n:mod:`x` --- Part\n-----------------\n\nLost\n----\n",
		"nopage.rst.txt": "No\n==\n",
	})
	s := site{sources: folder, suffix: ".rst.txt"}
	found, sources, err := s.headings(map[string][]string{"a/b.html.md": {"1. Title", "x — Part"}}, []string{"a/b.html"})
	if err != nil || sources != 1 || found.Found != 2 || found.All != 3 || len(found.Lost()) != 1 || found.Lost()[0] != "a/b.html: lost" {
		t.Errorf("%d sources, %+v, %v", sources, found, err)
	}
}

func TestPlainFilesDoNotRedirect(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"index.html": "root", "a/index.html": "a", "a/b.html": "b"})
	for path, want := range map[string]int{"/": 200, "/index.html": 200, "/a/": 200, "/a/index.html": 200, "/a/b.html": 200, "/a": 404, "/c.html": 404, "/../x": 404} {
		w := httptest.NewRecorder()
		plainFiles(folder).ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

// Every file is indexed, skipped with a reason, or has no link.
func TestAccount(t *testing.T) {
	c := crawled{base: "http://h/", IndexReport: evergreen.IndexReport{
		Documents: evergreen.Counts{Discovered: 3, Indexed: 1, Skipped: 2},
		Skipped:   []evergreen.Skip{{Path: "http://h/b.html", Reason: "duplicate: of http://h/a.html"}, {Path: "http://h/x", Reason: "http_404"}},
	}}
	table, notes := report.Table{}, strings.Builder{}
	c.account(&site{name: "s"}, []string{"a.html", "b.html", "c.html"}, map[string][]string{"a.html.md": nil}, &table, &notes)
	if got := strings.Join(table.Rows[0], "; "); got != "s; ; 3; 3; 1; duplicate 1, http_404 1; 1; 0; 0; 0; 0" {
		t.Error(got)
	}
	if !strings.Contains(notes.String(), "unlinked s c.html") {
		t.Error(notes.String())
	}
}

// Code, cells and headings of a page are looked for in its Markdown.
func TestContent(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"a.html": `<html><head><meta name=generator content=Sphinx></head><body><div class=body role=main><h1>T<a class=headerlink href=#t>¶</a></h1>
		<p>Some text that says a little.</p><div class="highlight-python"><div class=highlight><pre>f()
</pre></div></div><div class="admonition note"><p class=admonition-title>Note</p><p>Mind.</p></div></div></body></html>`})
	s := site{name: "s", html: folder}
	table, notes := contentTable(), strings.Builder{}
	if err := s.content([]string{"a.html"}, &table, &notes); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(table.Rows[0], "; "); got != "s; 1; 1.0000 (1 of 1); 1.0000 (0 of 0); 1.0000 (1 of 1); 1.0000 (1 of 1)" {
		t.Error(got, notes.String())
	}
}
