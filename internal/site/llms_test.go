package site

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/llmstxt"
)

// large is a library of n documents in two collections.
func large(n int) *fake {
	f := &fake{revision: "r", at: exampleInput().Snapshot.Time()}
	for i := range n {
		folder := fmt.Sprintf("part-%d", i%3)
		f.document("big", fmt.Sprintf("%s/page-%04d.md", folder, i), fmt.Sprintf("# Page %d\n\nWhat page %d says, in a sentence of some length that fills the line.\n", i, i), evergreen.Meta{})
	}
	f.document("small", "one.md", "# One\n\nThe only one.\n", evergreen.Meta{})
	return f
}

// TestLargeIndex: the root of 1,500 pages is cut, and every page is one step
// away from it.
func TestLargeIndex(t *testing.T) {
	for _, alone := range []bool{false, true} {
		f := large(1500)
		if alone {
			f.collections, f.documents = f.collections[:1], f.documents[:1500]
		}
		s := must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example"}})
		listed := map[string]bool{}
		root := read(t, s, "/llms.txt")
		check := func(name, body string) []llmstxt.Link {
			if n := utf8.RuneCountInString(body); n > llmstxt.MaxRunes {
				t.Errorf("%s has %d characters", name, n)
			}
			file, diagnostics := llmstxt.Parse([]byte(body), "https://h.example"+name)
			for _, d := range diagnostics {
				t.Errorf("%s: %v", name, d)
			}
			return file.Links()
		}
		for _, link := range check("/llms.txt", root) {
			path := strings.TrimPrefix(link.URL, "https://h.example")
			body := read(t, s, path) // every link resolves
			listed[path] = true
			if strings.HasSuffix(path, ".txt") && path != "/llms-full.txt" {
				for _, inner := range check(path, body) {
					listed[strings.TrimPrefix(inner.URL, "https://h.example")] = true
				}
			}
		}
		for _, p := range s.Pages() {
			if !listed[p.mirror()] {
				t.Errorf("%s is not listed (one collection: %v)", p.Path, alone)
			}
		}
		own := check("/docs/big/llms.txt", read(t, s, "/docs/big/llms.txt"))
		if len(own) < 4 {
			t.Errorf("the collection's index has %d links", len(own))
		}
	}
}

func TestIndexAtTheLimit(t *testing.T) {
	build := func(pages int) *Site {
		f := large(pages)
		f.collections, f.documents = f.collections[:1], f.documents[:pages]
		return must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example"}})
	}
	size := func(pages int) int { return utf8.RuneCountInString(read(t, build(pages), "/llms.txt")) }
	small, larger := size(100), size(200)
	fits := 200 + (llmstxt.MaxRunes-larger)*100/(larger-small)
	for n := fits - 3; n <= fits+3; n++ {
		root := read(t, build(n), "/llms.txt")
		got, cut := utf8.RuneCountInString(root), strings.Contains(root, "/docs/big/part-0/llms.txt")
		if got > llmstxt.MaxRunes || n == fits-3 && cut || n == fits+3 && !cut {
			t.Errorf("%d pages: %d characters, cut %v", n, got, cut)
		}
	}
}

// TestGroups holds how pages are put together.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"flat", []string{"a.md", "b.md"}, "c: a b"},
		{"folders", []string{"x/a.md", "y/b.md", "c.md"}, "c: c; X: x/a; Y: y/b"},
		{"all in one folder", []string{"docs/a.md", "docs/b.md"}, "Docs: docs/a docs/b"},
		{"all below one folder", []string{"README.md", "content/x/a.md", "content/y/b.md", "content/c.md"}, "c: README content/c; X: content/x/a; Y: content/y/b"},
		{"two levels of one folder", []string{"a/b/x/1.md", "a/b/y/2.md"}, "X: a/b/x/1; Y: a/b/y/2"},
		{"titles of folders", []string{"getting-started/a.md", "x/index.md"}, "Getting started: getting-started/a; T x/index.md: x/index"},
	} {
		f := &fake{}
		for _, p := range c.paths {
			f.document("c", p, "# T "+p+"\n", evergreen.Meta{})
		}
		s := must(t, Input{Snapshot: f})
		var got []string
		for _, g := range s.groups(&Page{Collection: "c"}) {
			line := g.title + ":"
			for _, i := range g.pages {
				if p := &s.pages.list[i]; p.Kind == KindDocument {
					line += " " + p.place()
				}
			}
			got = append(got, line)
		}
		if out := strings.ReplaceAll(strings.Join(got, "; "), "c:; ", ""); out != c.want {
			t.Errorf("%s: %q, want %q", c.name, out, c.want)
		}
	}
}

func TestFullText(t *testing.T) {
	s := must(t, Input{Snapshot: large(9), Options: Options{BaseURL: "https://h.example", Name: "N"}})
	write := func(f Full) string {
		var b strings.Builder
		if err := s.WriteFull(&b, f); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	whole := write(Full{})
	if n := strings.Count(whole, "\n---\n\nSource: https://h.example/docs/"); n != 10 {
		t.Errorf("%d pages in the whole text, want 10", n)
	}
	if whole != read(t, s, "/llms-full.txt") {
		t.Error("/llms-full.txt is another text")
	}
	if n := strings.Count(write(Full{Section: "small"}), "Source: "); n != 1 {
		t.Errorf("%d pages in section small, want 1", n)
	}
	if n := strings.Count(write(Full{Section: "big/part-1/"}), "Source: "); n != 3 {
		t.Errorf("%d pages in section big/part-1, want 3", n)
	}
	cut := write(Full{Budget: 200})
	if got := s.o.Count(cut[:strings.LastIndex(cut, "\n---\n")]); got > 200 {
		t.Errorf("%d tokens within a budget of 200", got)
	}
	if !strings.Contains(cut, "The budget of 200 tokens is spent: ") || !strings.Contains(cut, " of 10 pages") {
		t.Errorf("the end does not say what is missing: %q", cut[len(cut)-200:])
	}
	if enough := write(Full{Budget: 1 << 30}); enough != whole {
		t.Error("a large budget changes the text")
	}
	err := s.WriteFull(&strings.Builder{}, Full{Section: "bigg"})
	var e *evergreen.Error
	if !errors.As(err, &e) || e.Kind != evergreen.NotFound || len(e.Nearest) == 0 || e.Nearest[0] != "big" {
		t.Errorf("an unknown section: %v", err)
	}
}

// TestUnreadablePage: one page that cannot be read does not end the whole text.
func TestUnreadablePage(t *testing.T) {
	f := large(3)
	delete(f.texts, "big/part-1/page-0001.md")
	s := must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example"}})
	got := read(t, s, "/llms-full.txt")
	if !strings.Contains(got, "could not be read") || strings.Count(got, "Source: ") != 4 {
		t.Errorf("got:\n%s", got)
	}
	r, _ := s.Lookup("/docs/big/part-1/page-0001.md")
	if _, err := r.Bytes(); err == nil {
		t.Error("the mirror of an unreadable page is no error")
	}
}

func TestReadingOrder(t *testing.T) {
	in := exampleInput()
	for _, c := range []struct {
		name  string
		serve func(*Options)
		want  string
	}{
		{"both", func(*Options) {}, "(or the MCP tool `search_context` at `https://docs.example.com/mcp`) first"},
		{"API only", func(o *Options) { o.MCP = nil }, "&budget=2000` first;"},
		{"MCP only", func(o *Options) { o.Operations = nil }, "ask the MCP tool `search_context`"},
		{"files only", func(o *Options) { o.MCP, o.Operations, o.A2A = nil, nil, false }, "choose pages by their sentences"},
	} {
		at := in
		c.serve(&at.Options)
		s := must(t, at)
		if got := read(t, s, "/llms.txt"); !strings.Contains(got, c.want) {
			t.Errorf("%s: lacks %q in\n%s", c.name, c.want, got)
		}
		for _, path := range []string{"/mcp/server-card", "/openapi.json", "/.well-known/agent-card.json", "/.well-known/ard.json", "/.well-known/agent-skills/index.json"} {
			if _, ok := s.Lookup(path); ok && c.name == "files only" {
				t.Errorf("%s is served though nothing answers", path)
			}
		}
	}
}
