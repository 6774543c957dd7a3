package faults

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFilesCutUnderAServer cuts every file of a library that a server has mapped.
// The server answers that something is damaged, or what it remembers, stays
// healthy, and serves again once the source was indexed.
func TestFilesCutUnderAServer(t *testing.T) {
	b := newBed(t, 60)
	b.write(0)
	b.must("index", b.source, "--name", "docs")
	s := serve(t, b, "--rate-limit", "0")
	paths := []string{"/api/context?topic=filler+text", "/llms.txt", "/llms-full.txt", "/sitemap.xml", "/docs/docs/d001.md", "/docs/docs/d002", "/search?q=filler", "/", "/metrics.json"}
	ask := func(path string) (status int, text string) {
		res, err := http.Get(s.base + path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil && res.StatusCode == http.StatusOK {
			return 0, "" // an answer that has begun is cut off
		}
		return res.StatusCode, string(body)
	}
	for _, path := range paths {
		if status, text := ask(path); status != http.StatusOK || path == paths[0] && !strings.Contains(text, word(0)) {
			t.Fatalf("before, %s: %d %s", path, status, text)
		}
	}
	files, err := filepath.Glob(filepath.Join(b.library, "collections", "docs", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	cut := 0
	for _, file := range files {
		if ext := filepath.Ext(file); ext == ".seg" || ext == ".text" {
			cut++
			if err := os.Truncate(file, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cut == 0 {
		t.Fatalf("nothing to cut in %q", files)
	}
	for range 2 {
		for _, path := range append(paths, "/api/context?topic=text+filler+again", "/docs/docs/d003.md") {
			if status, text := ask(path); status == http.StatusOK && strings.HasPrefix(path, "/api/") && !strings.Contains(text, word(0)) {
				t.Errorf("%s is answered without what was there: %.300s", path, text)
			}
		}
		if status, _ := ask("/healthz"); status != http.StatusOK {
			t.Errorf("unhealthy: %d", status)
		}
	}
	b.must("index", b.source, "--name", "docs")
	for _, path := range paths {
		status, text := ask(path)
		for began := time.Now(); status != http.StatusOK && time.Since(began) < 10*time.Second; status, text = ask(path) {
			time.Sleep(50 * time.Millisecond)
		}
		if status != http.StatusOK || strings.HasPrefix(path, "/api/") && !strings.Contains(text, word(0)) {
			t.Errorf("%s, indexed again: %d %.300s", path, status, text)
		}
	}
}
