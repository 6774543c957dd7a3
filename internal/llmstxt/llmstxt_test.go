package llmstxt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const base = "https://docs.example.com/guide/llms.txt"

// codes lists the diagnostics of a parse as "line code".
func codes(ds []Diagnostic) []string {
	var out []string
	for _, d := range ds {
		out = append(out, fmt.Sprintf("%d %s", d.Line, d.Code))
	}
	return out
}

func TestParse(t *testing.T) {
	type file = File
	sec := func(title string, links ...Link) Section { return Section{Title: title, Links: links} }
	tests := []struct {
		name, text string
		want       *File
		codes      []string
	}{
		{"whole form",
			"# Docs\n\n> What it is,\n> in two lines.\n\nNotes with a [link](https://x/).\n\n- a rule\n\n## Guide\n\n- [Install](https://docs.example.com/install.md): First steps.\n\n## Optional\n\n- [More](https://docs.example.com/more.md)\n",
			&file{Title: "Docs", Summary: "What it is, in two lines.", Notes: "Notes with a [link](https://x/).\n\n- a rule", Sections: []Section{
				sec("Guide", Link{"Install", "https://docs.example.com/install.md", "First steps."}),
				{Title: "Optional", Optional: true, Links: []Link{{Name: "More", URL: "https://docs.example.com/more.md"}}}}}, []string{"8 off-origin-url"}[:0]},
		{"relative links are resolved against the file",
			"# D\n## S\n- [a](a.md): A\n- [b](/b.md): B\n- [c](../c.md): C",
			&file{Title: "D", Sections: []Section{sec("S", Link{"a", "https://docs.example.com/guide/a.md", "A"}, Link{"b", "https://docs.example.com/b.md", "B"}, Link{"c", "https://docs.example.com/c.md", "C"})}},
			[]string{"3 relative-url", "4 relative-url", "5 relative-url"}},
		{"separators",
			"# D\n## S\n- [a](https://docs.example.com/a)：中文说明\n- [b](https://docs.example.com/b) - dash\n- [c](https://docs.example.com/c) — long dash\n- [d](https://docs.example.com/d) none\n- **[e](https://docs.example.com/e)**: bold",
			&file{Title: "D", Sections: []Section{sec("S", Link{"a", "https://docs.example.com/a", "中文说明"}, Link{"b", "https://docs.example.com/b", "dash"}, Link{"c", "https://docs.example.com/c", "long dash"}, Link{"d", "https://docs.example.com/d", "none"}, Link{"e", "https://docs.example.com/e", "bold"})}},
			[]string{"6 description-missing-colon"}},
		{"bare addresses and missing bullets",
			"# D\n## S\n- Home: https://docs.example.com/\n* https://docs.example.com/a.\nhttps://docs.example.com/b\n  What it does,\n  in two lines.\n[c](https://docs.example.com/c)\n1. [d](https://docs.example.com/d)",
			&file{Title: "D", Sections: []Section{sec("S", Link{"Home", "https://docs.example.com/", ""}, Link{"", "https://docs.example.com/a", "."}, Link{"", "https://docs.example.com/b", "What it does, in two lines."}, Link{"c", "https://docs.example.com/c", ""}, Link{"d", "https://docs.example.com/d", ""})}},
			[]string{"4 description-missing-colon", "5 missing-list-bullet", "8 missing-list-bullet"}},
		{"link behind words of a list item, nested items, deeper headings",
			"# D\n## S\n- See [a](https://docs.example.com/a) for more\n  - [b](https://docs.example.com/b): B\n### Deep\n- [c](https://docs.example.com/c): C",
			&file{Title: "D", Sections: []Section{{Title: "S", Prose: "### Deep", Links: []Link{{"a", "https://docs.example.com/a", ""}, {"b", "https://docs.example.com/b", "B"}, {"c", "https://docs.example.com/c", "C"}}}}}, nil},
		{"prose in a section, empty section",
			"# D\n## S\nOnly words with a [link](https://docs.example.com/x) inside.\n",
			&file{Title: "D", Sections: []Section{{Title: "S", Prose: "Only words with a [link](https://docs.example.com/x) inside."}}}, []string{"2 empty-section"}},
		{"no title, orphan links, other host, same URL twice",
			"- [a](https://docs.example.com/a)\n- [b](https://other.example/b)\n- [c](https://docs.example.com/a)",
			&file{Sections: []Section{sec("", Link{"a", "https://docs.example.com/a", ""}, Link{"b", "https://other.example/b", ""}, Link{"c", "https://docs.example.com/a", ""})}},
			[]string{"1 orphan-links", "2 off-origin-url", "3 duplicate-url", "0 missing-title"}},
		{"second title opens a section", "# D\n# E\n- [a](https://docs.example.com/a)",
			&file{Title: "D", Sections: []Section{sec("E", Link{"a", "https://docs.example.com/a", ""})}}, []string{"2 second-title"}},
		{"code is text", "# D\n## S\n```md\n## Not a section\n- [x](https://docs.example.com/x)\n```\n- [a](https://docs.example.com/a)",
			&file{Title: "D", Sections: []Section{{Title: "S", Prose: "```md\n## Not a section\n- [x](https://docs.example.com/x)\n```", Links: []Link{{"a", "https://docs.example.com/a", ""}}}}}, nil},
		{"difficult links", "# D\n## S\n- [a \\[b\\] [c]](<https://docs.example.com/a b> \"t\"): x\n- [p](https://docs.example.com/p_(q) 'y')\n- [broken](https://docs.example.com/x",
			&file{Title: "D", Sections: []Section{{Title: "S", Prose: "- [broken](https://docs.example.com/x", Links: []Link{{"a [b] [c]", "https://docs.example.com/a%20b", "x"}, {"p", "https://docs.example.com/p_(q)", ""}}}}}, []string{"5 malformed-link"}},
		{"byte order mark, CRLF, front matter", "\ufeff---\r\ntitle: x\r\n---\r\n# D\r\n## S\r\n- [a](https://docs.example.com/a)\r\n",
			&file{Title: "D", Sections: []Section{sec("S", Link{"a", "https://docs.example.com/a", ""})}}, nil},
		{"HTML page", "<!DOCTYPE html><title>x</title>", &file{}, []string{"0 not-markdown"}},
		{"nothing", "", &file{}, []string{"0 missing-title"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, diagnostics := Parse([]byte(tt.text), base)
			if tt.name == "prose in a section, empty section" {
				got.Sections[0].Links = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(strings.Join(tt.codes, "\n"), strings.Join(codes(diagnostics), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLinksOnce(t *testing.T) {
	f, _ := Parse([]byte("# D\n## S\n- [a](/a)\n- [b](/b)\n## T\n- [again](/a)"), base)
	want := []Link{{Name: "a", URL: "https://docs.example.com/a"}, {Name: "b", URL: "https://docs.example.com/b"}}
	if diff := cmp.Diff(want, f.Links()); diff != "" {
		t.Error(diff)
	}
}

func TestInlineLinks(t *testing.T) {
	tests := map[string][]Link{
		"a [b](c.md) and [d](<e f.md> \"t\")":       {{Name: "b", URL: "c.md"}, {Name: "d", URL: "e f.md"}},
		"`[no](x)` ![image](y) <https://z/> <b>":    {{URL: "https://z/"}},
		"[wiki](https://w/A_(b)), [x] (y) \\[n](o)": {{Name: "wiki", URL: "https://w/A_(b)"}},
		"[unclosed](x [y](z)":                       {{Name: "y", URL: "z"}},
	}
	for line, want := range tests {
		if diff := cmp.Diff(want, InlineLinks(line)); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
}

func TestInlineLinksBounds(t *testing.T) {
	name := strings.Repeat("n", maxNameBytes-2)
	url := "https://x/" + strings.Repeat("u", maxURLBytes-len("https://x/)"))
	for line, want := range map[string]int{
		"[" + name + "](" + url + ")":    1,
		"[" + name + "n](" + url + ")":   0,
		"[" + name + "](" + url + "u)":   0,
		strings.Repeat("[", 1<<17):       0,
		strings.Repeat("[a](", 1<<15):    0,
		strings.Repeat("`<", 1<<16):      0,
		strings.Repeat("<https://", 1e5): 0,
	} {
		if got := len(InlineLinks(line)); got != want {
			t.Errorf("%.20s... (%d bytes): %d links, want %d", line, len(line), got, want)
		}
	}
}

func TestBounds(t *testing.T) {
	text := "# D\n## S\n" + strings.Repeat("- [a](https://docs.example.com/a)\n", maxLinks+1)
	got, diagnostics := Parse([]byte(text), base)
	if n := len(got.Sections[0].Links); n != maxLinks {
		t.Errorf("%d links, want %d", n, maxLinks)
	}
	if len(diagnostics) != maxDiagnostics {
		t.Errorf("%d diagnostics, want %d", len(diagnostics), maxDiagnostics)
	}
}

var example = &File{
	Title: "Example\nDocs", Summary: "Documentation of Example,\na job server.",
	Notes: "Reading order: ask `https://docs.example.com/api/context?topic=QUERY` first.\n",
	Sections: []Section{
		{Title: "Optional", Optional: true, Links: []Link{{"Whole text", "https://docs.example.com/llms-full.txt", "All pages in one file."}}},
		{Title: "Guide", Prose: "never written", Links: []Link{
			{"Install", "https://docs.example.com/guide/install.html.md", "Packages, containers\nand the first start."},
			{"Keys [new]", "https://docs.example.com/guide/keys(v2).html.md", ""},
			{"", "https://docs.example.com/a", ""},
			{"Install again", "https://docs.example.com/guide/install.html.md", ""}}},
		{Title: "Empty"},
		{Title: "Only seen before", Links: []Link{{"x", "https://docs.example.com/a", ""}}},
	},
}

func TestFormat(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "formatted.md"))
	if err != nil {
		t.Fatal(err)
	}
	got := example.Format()
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
	if _, diagnostics := Parse(got, base); len(diagnostics) > 0 {
		t.Errorf("our own file has findings: %v", diagnostics)
	}
}

func TestSplit(t *testing.T) {
	f := &File{Title: "D", Summary: "Sum.", Sections: []Section{{Title: "Guide"}, {Title: "Optional", Optional: true, Links: []Link{{"o", "https://x/o", ""}}}}}
	for i := range 100 {
		f.Sections[0].Links = append(f.Sections[0].Links, Link{fmt.Sprintf("页面 %d", i), fmt.Sprintf("https://x/%d", i), "说明。"})
	}
	whole := utf8.RuneCount(f.Format())
	place := func(s Section, part int) Link {
		return Link{Name: fmt.Sprint(s.Title, part), URL: fmt.Sprintf("https://x/%s/%d.txt", s.Title, part)}
	}
	if root, parts := f.Split(whole, place); root != f || parts != nil {
		t.Error("a file of exactly the limit is split")
	}
	for _, limit := range []int{whole - 1, 1000, 500, 120} {
		root, parts := f.Split(limit, place)
		var got []Link
		for i, p := range parts {
			text := p.File.Format()
			if n := utf8.RuneCount(text); n > limit {
				t.Errorf("limit %d: part %d has %d characters", limit, i, n)
			}
			got = append(got, p.File.Links()...)
			if root.Sections[0].Links[i].URL != p.URL {
				t.Errorf("the root does not link to %s", p.URL)
			}
		}
		if diff := cmp.Diff(f.Sections[0].Links, got); diff != "" {
			t.Errorf("limit %d: %s", limit, diff)
		}
		if diff := cmp.Diff(f.Sections[1], root.Sections[1]); diff != "" {
			t.Error(diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("# D\n\n> s\n\n## S\n\n- [a](/b \"t\"): c\n- **x**: https://y/z\n")
	f.Add("\ufeff---\n---\n```\n# x\n~~~\n> [a]\\(")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 150 {
			return // names and URLs over their bounds are not read back
		}
		first, _ := Parse([]byte(text), base)
		first.Notes = "" // free Markdown: what it holds is read again as what it looks like
		written := first.Format()
		second, _ := Parse(written, base)
		second.Notes = ""
		if again := second.Format(); string(again) != string(written) {
			t.Errorf("written twice:\n%s\n---\n%s", written, again)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := []byte("# D\n## S\n" + strings.Repeat("- [Name of a page](https://docs.example.com/guide/page.html.md): One sentence about it.\n", 500))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse(text, base)
	}
}
