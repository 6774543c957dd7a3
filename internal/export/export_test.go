package export_test

import (
	"context"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"evergreen"
	"evergreen/internal/engine"
	"evergreen/internal/export"
	"evergreen/internal/site"
	"evergreen/internal/ui"
)

// exampleFiles has an index, a nested folder, Chinese names, links of all kinds
// and a knowledge base.
func exampleFiles() fstest.MapFS {
	return fstest.MapFS{
		"index.md":     {Data: []byte("# Guide\n\nStart. See [keys](ops/keys.md#rotate) and [结果](中文/结果.md).\n\n" + strings.Repeat("word ", 50) + "\n")},
		"ops/keys.md":  {Data: []byte("# Keys\n\n## Rotate\n\nBack to [start](../index.md), [up](/index.md), [web](https://example.org/a), [here](#rotate).\n\n```\nsee (/docs/guide/index)\n```\n")},
		"中文/结果.md":     {Data: []byte("# 结果\n\n看 [密钥](../ops/keys.md)。\n")},
		"context.json": {Data: []byte(`{"version":"1.0","revision":"2026-11-30","entries":[{"id":"EX-001","category":"doc","title":"What is it?","body":"An example.","tags":[],"confidence":1}]}`)},
	}
}

// exportOf writes the example's site below the base URL into a new folder.
func exportOf(t *testing.T, base string) (string, export.Report, error) {
	t.Helper()
	e, err := engine.OpenEmbedded(t.Context(), engine.Options{}, exampleFiles(), "guide")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	snapshot, err := e.Publish()
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	made, err := site.New(site.Input{Snapshot: snapshot, Options: site.Options{BaseURL: base, Name: "Example Docs", Metrics: true}})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := ui.New(ui.Options{Static: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "public")
	report, err := export.Write(t.Context(), dir, export.Options{Site: made, Pages: pages,
		Ask:   func(q evergreen.Query) (evergreen.Bundle, error) { return e.Ask(t.Context(), q) },
		Files: []export.File{{Path: "/metrics.json", Body: []byte("{}\n")}}})
	return dir, report, err
}

// read returns the files of a folder by slash path.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		files[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEveryLayerIsAFile(t *testing.T) {
	dir, report, err := exportOf(t, "")
	if err != nil {
		t.Fatal(err)
	}
	files := read(t, dir)
	var bytes int64
	for _, body := range files {
		bytes += int64(len(body))
	}
	if report.Files != len(files) || report.Bytes != bytes {
		t.Errorf("reports %+v, wrote %d files of %d bytes", report, len(files), bytes)
	}
	for _, name := range []string{"index.html", "index.html.md", "index.md", "llms.txt", ".well-known/llms.txt", "llms-full.txt", "context.json",
		"sitemap.xml", "robots.txt", "ai.txt", "ai-policy.json", "metrics.json", "layers.html", "favicon.ico", "schema/context.json",
		"docs/guide/index.html", "docs/guide/index.html.md", "docs/guide/llms.txt", "docs/guide/ops/keys.html", "docs/guide/ops/keys.md",
		"search.html", "offline/manifest.json", "offline/knowledge.json", "offline/guide/index.bin", "offline/guide/texts-0.json", "offline/kb/index.bin",
		"docs/guide/中文/结果.html", "docs/guide/中文/结果.html.md", "docs/kb.html", "docs/kb/index.html"} {
		if files[name] == "" {
			t.Errorf("%s is missing or empty", name)
		}
	}
	for name, body := range files {
		for _, bad := range []string{"export.invalid", "localhost", "127.0.0.1", "/api/context", "/mcp"} {
			if strings.Contains(body, bad) && !strings.HasSuffix(name, ".mjs") {
				t.Errorf("%s speaks of %s", name, bad)
			}
		}
	}
	if !strings.Contains(files["docs/guide/ops/keys.md"], "see (/docs/guide/index)") {
		t.Error("code was taken for links")
	}
	if !strings.Contains(files["llms.txt"], "(/docs/guide/ops/keys.html.md)") {
		t.Errorf("machine files do not link from the root:\n%s", files["llms.txt"])
	}
}

// TestEveryRelativeLinkLeadsToAFile follows the links of all pages and mirrors,
// as from a folder below a host's root.
func TestEveryRelativeLinkLeadsToAFile(t *testing.T) {
	for _, base := range []string{"", "https://docs.example.com", "https://docs.example.com/sub"} {
		dir, _, err := exportOf(t, base)
		if err != nil {
			t.Fatal(err)
		}
		files := read(t, dir)
		inHTML := regexp.MustCompile(`<(?:a|link|img|script)\s[^>]*(?:href|src)="([^"]*)"`)
		inMarkdown := regexp.MustCompile(`\]\(([^)\s]*)\)`)
		checked := 0
		for name, body := range files {
			pattern := inHTML
			if strings.HasSuffix(name, ".md") {
				pattern = inMarkdown
			} else if !strings.HasSuffix(name, ".html") {
				continue
			}
			for _, m := range pattern.FindAllStringSubmatch(body, -1) {
				u, err := url.Parse(strings.ReplaceAll(m[1], "&#43;", "+"))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if u.IsAbs() {
					if base == "" && u.Host != "example.org" {
						t.Errorf("%s links to %s without a base URL", name, u)
					}
					continue
				}
				checked++
				if strings.HasPrefix(u.Path, "/") {
					t.Errorf("%s (base %q): %s breaks below a path", name, base, u)
					continue
				}
				to := path.Join(path.Dir(name), u.Path)
				if u.Path == "" {
					to = name
				}
				target, ok := files[to]
				if !ok {
					t.Errorf("%s (base %q): %s leads to no file", name, base, u)
				}
				if strings.HasSuffix(to, ".html") && u.Fragment != "" && !strings.Contains(target, ` id="`+u.Fragment+`"`) {
					t.Errorf("%s: nothing is at %s", name, u)
				}
			}
		}
		if checked < 40 {
			t.Errorf("base %q: only %d relative links", base, checked)
		}
	}
}

func TestBaseURLIsInMachineFiles(t *testing.T) {
	dir, _, err := exportOf(t, "https://docs.example.com/sub/")
	if err != nil {
		t.Fatal(err)
	}
	files := read(t, dir)
	for name, want := range map[string]string{
		"llms.txt":                    "(https://docs.example.com/sub/docs/guide/ops/keys.html.md)",
		"sitemap.xml":                 "<loc>https://docs.example.com/sub/docs/guide/ops/keys</loc>",
		"robots.txt":                  "Sitemap: https://docs.example.com/sub/sitemap.xml",
		"docs/guide/ops/keys.md":      "(https://docs.example.com/sub/llms.txt)",
		"docs/guide/ops/keys.html":    `<link rel="canonical" href="https://docs.example.com/sub/docs/guide/ops/keys"`,
		"docs/guide/中文/结果.html":       `<link rel="stylesheet" href="../../../assets/site-`,
		"docs/guide/index.html":       `<a href="ops/keys.html#rotate">`,
		"docs/guide/index.html.md":    "(https://docs.example.com/sub/docs/guide/ops/keys.html.md#rotate)",
		"docs/guide/ops/keys.html.md": "(https://example.org/a)",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
}

func TestExportsAreTheSameEveryTime(t *testing.T) {
	first, _, err := exportOf(t, "")
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := exportOf(t, "")
	if err != nil {
		t.Fatal(err)
	}
	a, b := read(t, first), read(t, second)
	for name, body := range a {
		if b[name] != body {
			t.Errorf("%s differs", name)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d files, then %d", len(a), len(b))
	}
}

func TestNoExportForTheReadersOwnMachine(t *testing.T) {
	for _, base := range []string{"http://localhost:4173", "http://127.0.0.1", "http://[::1]:80", "https://docs.localhost"} {
		if _, _, err := exportOf(t, base); evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestExportStopsWhenItIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e, err := engine.OpenEmbedded(t.Context(), engine.Options{}, exampleFiles(), "guide")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	snapshot, err := e.Publish()
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	made, err := site.New(site.Input{Snapshot: snapshot})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := export.Write(ctx, t.TempDir(), export.Options{Site: made}); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := export.Write(t.Context(), file, export.Options{Site: made}); evergreen.KindOf(err) != evergreen.Invalid {
		t.Errorf("into a file: %v", err)
	}
}
