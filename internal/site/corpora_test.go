package site

// This file builds sites of real documentation, which stands outside the
// project, and follows every link.

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/llmstxt"
	"evergreen/internal/section"
)

// corpus reads the Markdown files of a folder as a collection.
func corpus(t *testing.T, name string) *fake {
	t.Helper()
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: no site is made of real documentation")
	}
	root = filepath.Join(root, "docs", name)
	f := &fake{revision: "r", at: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), texts: map[string]string{}}
	tokens, sections := 0, 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".md" {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		doc := readFile(filepath.ToSlash(rel), body)
		doc.Collection = name
		f.documents = append(f.documents, doc)
		f.texts[name+"/"+doc.Path] = string(body)
		tokens, sections = tokens+doc.Tokens, sections+1
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f.collections = []evergreen.Collection{{Name: name, Documents: len(f.documents), Sections: sections, Tokens: tokens, IndexedAt: f.at}}
	return f
}

// readFile reads as much of a file as a page needs.
func readFile(path string, body []byte) Document {
	head, meta := 0, evergreen.Meta{}
	if rest, ok := strings.CutPrefix(string(body), "---\n"); ok {
		if front, _, ok := strings.Cut(rest, "\n---\n"); ok {
			head = len("---\n") + len(front) + len("\n---\n")
			for line := range strings.Lines(front) {
				key, value, _ := strings.Cut(line, ":")
				value = strings.Trim(strings.TrimSpace(value), `"'`)
				switch key {
				case "title":
					meta.Title = value
				case "description":
					meta.Description = value
				}
			}
		}
	}
	split := section.Split(body, section.Options{Path: path, Title: meta.Title, HeadBytes: head})
	d := Document{Document: evergreen.Document{Path: path, Title: split.Title, Meta: meta, Bytes: len(body), HeadBytes: split.HeadBytes}}
	for _, r := range split.Rows {
		d.Tokens += r.Tokens
	}
	return d
}

// TestRealSites: of every page of real documentation the mirror begins with the
// pointer and one title, closes its fences, and links only where something is.
func TestRealSites(t *testing.T) {
	for _, name := range []string{"hugo", "react", "rust-book", "vue-en", "vue-zh"} {
		t.Run(name, func(t *testing.T) {
			const base = "https://docs.example.com"
			s := must(t, Input{Snapshot: corpus(t, name), Options: Options{BaseURL: base, Name: name, Operations: Operations()}})
			listed := map[string]bool{}
			for r := range s.Resources() {
				body := read(t, s, r.Path)
				switch {
				case strings.Contains(r.Path, "/llms") && r.Path != "/llms-full.txt" && r.Page == nil:
					file, diagnostics := llmstxt.Parse([]byte(body), base+r.Path)
					for _, d := range diagnostics {
						t.Errorf("%s: %v", r.Path, d)
					}
					for _, l := range file.Links() {
						listed[l.URL] = true
						if l.Sentence == "" {
							t.Errorf("%s: no sentence for %s", r.Path, l.URL)
						}
					}
				case r.Page != nil:
					checkMirror(t, s, r, body)
				}
			}
			for _, p := range s.Pages() {
				if !listed[s.MirrorURL(p)] {
					t.Errorf("%s is in no index", p.Path)
				}
			}
		})
	}
}

func checkMirror(t *testing.T, s *Site, r Resource, body string) {
	t.Helper()
	pointer, rest, _ := strings.Cut(body, "\n\n")
	if !strings.HasPrefix(pointer, "> Index of this site for agents: [/llms.txt](") || !strings.HasPrefix(rest, "# ") {
		t.Errorf("%s begins with %.200q", r.Path, body)
	}
	if closeFence(body) != body {
		t.Errorf("%s leaves a fence open", r.Path)
	}
	for _, l := range section.Links([]byte(body), 0) {
		path, ours := strings.CutPrefix(l.Target, s.Base())
		switch {
		case ours:
			path, _, _ = strings.Cut(path, "#")
			path, _, _ = strings.Cut(path, "?")
			decoded, err := url.PathUnescape(path)
			if err != nil {
				t.Errorf("%s: %v", r.Path, err)
			}
			_, document := s.Lookup(decoded)
			if _, _, page := s.PageAt(decoded); !document && !page && !s.serves(decoded) {
				t.Errorf("%s links to %s, which is not served", r.Path, l.Target)
			}
		case strings.HasPrefix(l.Target, "#"), strings.ContainsAny(l.Target, ":@"): // an address of another kind
		default:
			t.Errorf("%s has the relative link %q", r.Path, l.Target)
		}
	}
}
