package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

// TestMirrors holds what becomes of a document's text, from the title on.
func TestMirrors(t *testing.T) {
	for _, c := range []struct{ name, path, in, want string }{
		{"own title", "a.md", "# Own\n\nText.\n", "# Own\n\nText.\n"},
		{"underlined title", "a.md", "Own\n===\n\nText.\n", "# Own\n\nText.\n"},
		{"no title", "a.md", "Text.\n\n## Part\n", "# T\n\nText.\n\n## Part\n"},
		{"title below badges", "a.md", "[x](https://e.example)\n\n# T\n\nText.\n", "# T\n\n[x](https://e.example)\n\n\nText.\n"},
		{"another title further down", "a.md", "Intro.\n\n# Other\n", "# T\n\nIntro.\n\n# Other\n"},
		{"front matter", "a.md", "---\ntitle: T\n---\n# Own\n", "# Own\n"},
		{"heading in code", "a.md", "```\n# no\n```\n", "# T\n\n```\n# no\n```\n"},
		{"open fence", "a.md", "# Own\n\n```go\nx := 1\n", "# Own\n\n```go\nx := 1\n```\n"},
		{"open tilde fence", "a.md", "# Own\n\n~~~~\n```\n", "# Own\n\n~~~~\n```\n~~~~\n"},
		{"CRLF", "a.md", "# Own\r\n\r\nText.\r\n", "# Own\n\nText.\n"},
		{"invalid UTF-8", "a.md", "# Own\n\n\xff\n", "# Own\n\n\uFFFD\n"},
		{"plain text", "a.txt", "# no heading\n[no](link)\n", "# T\n\n```text\n# no heading\n[no](link)\n```\n"},
		{"plain text with fences", "a.txt", "```\n", "# T\n\n````text\n```\n````\n"},
		{"empty", "a.md", "", "# T\n"},
		{"scripts", "a.md", "<script setup>\nimport x\n</script>\n\n# Own\n\n<style>a</style>\n```html\n<script>\n```\nText.\n", "# Own\n\n```html\n<script>\n```\nText.\n"},
		{"script without end", "a.md", "# Own\n\n<script>\nText.\n", "# Own\n\n<script>\nText.\n"},
		{"links", "a.md", "# Own\n\n[b](b.md#x), ![i](i.png), [gone](gone.md), `[b](b.md)`\n",
			"# Own\n\n[b](https://h.example/docs/c/b.html.md#x), i, gone, `[b](b.md)`\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{revision: "r"}
			f.document("c", c.path, c.in, evergreen.Meta{Title: "T"})
			f.document("c", "b.md", "# B\n", evergreen.Meta{})
			s := must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example"}})
			got := read(t, s, "/docs/c/a.md")
			pointer := "> Index of this site for agents: [/llms.txt](https://h.example/llms.txt). This page as HTML: [a](https://h.example/docs/c/a).\n\n"
			if diff := cmp.Diff(pointer+c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMirrorFrontMatter(t *testing.T) {
	in := exampleInput()
	in.Options.FrontMatter = true
	got := read(t, must(t, in), "/guide/keys.md")
	want := "---\ntitle: Rotating keys\nurl: https://docs.example.com/guide/keys.html\nupdated: 2026-10-02\n---\n\n> Index"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestPageMarkdownLinksToPages(t *testing.T) {
	s := must(t, Input{Snapshot: linked(), Options: Options{BaseURL: "https://h.example"}})
	f := s.snap.(*fake)
	f.texts["app/guide/keys.md"] = "# Keys\n\n[up](../index.md)\n"
	got, err := s.Markdown(*pageOf(t, s, "app/guide/keys.md"))
	if want := "# Keys\n\n[up](https://h.example/docs/app/index)\n"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"Plain words.":                        "Plain words.",
		"**Bold**, *it* and _under_ `<code>`": "Bold, it and under <code>",
		"[link](x) and ![img](y) <b>html</b>": "link and img html",
		`a \* b`:                              "a * b",
		"snake_case_name stays":               "snake_case_name stays",
		"two\nlines":                          "two lines",
		"5 < 6":                               "5 < 6",
		"中文 **重点**":                           "中文 重点",
	} {
		if got := plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFirstParagraph(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"below a heading", "# T\n\nFirst *words*\nof it.\n\nSecond.", "First words of it."},
		{"past code, list, table, HTML", "```\nx\n```\n- a\n| b |\n<p>\n![badge](x)\n\nProse.", "Prose."},
		{"quote", "> Said.\n", "Said."},
		{"imports of MDX", "import X from 'x'\n\nProse.", "Prose."},
		{"none", "# T\n- a\n", ""},
		{"rule", "---\n\nProse.", "Prose."},
	} {
		if got := firstParagraph(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := shorten(strings.Repeat("word ", 100), maxSentence); len([]rune(got)) > maxSentence || !strings.HasSuffix(got, "word…") {
		t.Errorf("cut to %q", got)
	}
	exact := strings.Repeat("字", maxSentence)
	if got := shorten(exact, maxSentence); got != exact {
		t.Errorf("%d characters were cut", maxSentence)
	}
}

func TestHomeAndCollections(t *testing.T) {
	f := linked()
	f.entry("kb", evergreen.Entry{ID: "K-1", Title: "What is [it]?", Summary: "Short.", Body: "Long, see [state](https://web.example/learn/state)."})
	f.entry("kb", evergreen.Entry{ID: "K-2", Title: "Second", Body: "```\nopen"})
	s := must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example", Name: "Both"}})
	home := read(t, s, "/index.md")
	for _, want := range []string{"# Both\n", "## Collections", "[app](https://h.example/docs/app/index.html.md)", "[Knowledge base kb](https://h.example/docs/kb.html.md): 2 entries with ids to cite", "- `/llms.txt`: index of the site"} {
		if !strings.Contains(home, want) {
			t.Errorf("the home page lacks %q:\n%s", want, home)
		}
	}
	knowledge := read(t, s, "/docs/kb.md")
	for _, want := range []string{"## [K-1] What is \\[it\\]?\n\nShort.\n\nLong, see [state](https://h.example/docs/web/learn/state.html.md).\n", "## [K-2] Second\n\n```\nopen\n```\n"} {
		if !strings.Contains(knowledge, want) {
			t.Errorf("the knowledge base lacks %q:\n%s", want, knowledge)
		}
	}
	web := read(t, s, "/docs/web.md")
	if !strings.Contains(web, "- [State](https://h.example/docs/web/learn/state.html.md): State.\n") {
		t.Errorf("the collection lists:\n%s", web)
	}
}
