package main

// This file serves small web sites to scripts.

import (
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdSite serves a folder of the script.
func cmdSite(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: site FOLDER")
	}
	server := httptest.NewServer(siteHandler(ts.MkAbs(args[0])))
	ts.Defer(server.Close)
	ts.Setenv("SITE", server.URL)
}

// siteHandler answers with files, each with an ETag of its content, so that
// times do not matter.
func siteHandler(root string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if want := lines(root, "_header"); len(want) > 0 && r.Header.Get(want[0][0]) != want[0][1] {
			http.Error(w, "who are you?", http.StatusForbidden)
			return
		}
		for _, redirect := range lines(root, "_redirects") {
			if redirect[0] == r.URL.Path {
				http.Redirect(w, r, redirect[1], http.StatusFound)
				return
			}
		}
		name := path.Clean(r.URL.Path)
		if strings.HasSuffix(r.URL.Path, "/") {
			name = path.Join(name, "index.html")
		}
		body, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte("<title>Not found</title><p>There is no such page.")) // the client may be gone
			return
		}
		sum := sha256.Sum256(body)
		tag := `"` + hex.EncodeToString(sum[:8]) + `"`
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", typeOf(name))
		_, _ = w.Write(body) // the client may be gone
	}
}

// typeOf is the same on every system, whatever its table of types says.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".md":
		return "text/markdown; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// lines reads a file of pairs of words; one that is absent has none.
func lines(root, name string) (pairs [][2]string) {
	text, _ := os.ReadFile(filepath.Join(root, name))
	for line := range strings.Lines(string(text)) {
		if first, second, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			pairs = append(pairs, [2]string{first, second})
		}
	}
	return pairs
}

// cmdExpand puts the script's environment into files.
func cmdExpand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE...")
	}
	for _, name := range args {
		file := ts.MkAbs(name)
		text, err := os.ReadFile(file)
		ts.Check(err)
		ts.Check(os.WriteFile(file, []byte(os.Expand(string(text), ts.Getenv)), 0o600))
	}
}
