package overlay

// This file holds the overlay against real pages, found by the environment
// variable EVERGREEN_CORPORA. Unset, the test says so and is skipped; set, the
// pages must be there.

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRealPagesPassButForLinksAndPointer(t *testing.T) {
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: no real pages are put behind an overlay")
	}
	var files []string
	for _, pattern := range []string{"extract/doc-pages/*.html", "extract/defuddle/fixtures/*.html"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatalf("EVERGREEN_CORPORA is set, but holds no %s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	var page []byte
	s := start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(page)
	})
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page = body
		name := filepath.Base(file)
		_, got := s.ask(t, "GET", "/guide/keys")
		if !strings.Contains(got, pointer) {
			t.Errorf("%s: no pointer", name)
		}
		without := strings.Replace(got, pointer, "", 1)
		for line := range strings.Lines(headLinks) {
			without = strings.Replace(without, line, "", 1)
		}
		if without != string(page) {
			t.Errorf("%s: more was changed than links and pointer", name)
		}
		r, text := s.ask(t, "GET", "/guide/keys.md")
		if r.StatusCode != 200 || !strings.Contains(text, "\n# ") {
			t.Errorf("%s: a mirror without a title: %d %.200q", name, r.StatusCode, text)
		}
	}
	t.Logf("%d pages", len(files))
}
