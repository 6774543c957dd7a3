package section_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"evergreen/internal/section"
	"evergreen/internal/text"
)

// outline is what a test says about a split text: "chain#level title" a row.
func outline(d section.Document) []string {
	var out []string
	for i, r := range d.Rows {
		out = append(out, d.Path(i)+" "+r.Title)
	}
	return out
}

// TestSplit holds inputs that other splitters got wrong.
func TestSplit(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		opts      section.Options
		want      []string
	}{
		{"fence with attributes", "# A\n\n```python title=\"a.py\"\n# comment\n```\n\n```js {1,3}\n# x\n```\n\n```{r}\n# y\n```\n\n```c#\n# z\n```\n\n# B\n",
			section.Options{}, []string{"a#1 A", "b#1 B"}},
		{"indented headings", "   # A\n\n    # code\n\n ## B\n", section.Options{}, []string{"a#1 A", "a/b#2 B"}},
		{"break after a list item", "- item\n---\n\n# A\n", section.Options{Path: "x/file.md"}, []string{"a#0 A", "a#1 A"}},
		{"two-line setext", "One line\nand another\n====\n\ntext\n", section.Options{}, []string{"one-line-and-another#1 One line and another"}},
		{"html blocks", "# A\n\n<!--\n# hidden\n-->\n\n<pre>\n# no\n---\n</pre>\n\n<div>\n# no\n</div>\n\n<script>\n# no\n</script>\n\n## B\n",
			section.Options{}, []string{"a#1 A", "a/b#2 B"}},
		{"headings in quotes and lists", "> # quoted\n\n- # listed\n\n# A\n", section.Options{}, []string{"a#0 A", "a#1 A"}},
		{"break, no front matter", "---\n\n# A\n\n# B\n\n---\n", section.Options{}, []string{"a#1 A", "b#1 B"}},
		{"preamble of MDX imports", "import X from 'y'\n\n# A\n", section.Options{Outline: []byte("                 \n\n# A\n")}, []string{"a#1 A"}},
		{"duplicates", "# A\n\n## B\n\n### C\n\n## B\n\n### C\n\n## B\n", section.Options{},
			[]string{"a#1 A", "a/b#2 B", "a/b/c#3 C", "a/b-2#2 B", "a/b-2/c#3 C", "a/b-3#2 B"}},
		{"duplicate meets a number", "# B\n\n# B 2\n\n# B\n", section.Options{}, []string{"b#1 B", "b-2#1 B 2", "b-3#1 B"}},
		{"markup only differs", "# Create **X**\n\n# Create X\n", section.Options{}, []string{"create-x#1 Create X", "create-x-2#1 Create X"}},
		{"cjk", "## 安装 指南\n\n## ！？\n\n## ！？\n\n## 🎉\n", section.Options{},
			[]string{"安装-指南#2 安装 指南", hash("！？") + "#2 ！？", hash("！？") + "-2#2 ！？", hash("🎉") + "#2 🎉"}},
		{"ascii slugs", "## 安装\n\n## API 接口\n", section.Options{ASCII: true}, []string{hash("安装") + "#2 安装", "api#2 API 接口"}},
		{"noise in titles", "# \u200bA\u00a0b ¶\n", section.Options{}, []string{"a-b#1 A b"}},
		{"explicit ids", "# A {#first}\n\n## B {/*second*/}\n", section.Options{}, []string{"a#1 A", "a/b#2 B"}},
		{"rendered title", "# [Link](http://x) `code` &amp; *em* \\* <b>x</b> ![alt](i)\n", section.Options{},
			[]string{"link-code-em-x-alt#1 Link code & em * x alt"}},
		{"reference in a heading", "# See [there][r]\n\n[r]: /x\n", section.Options{}, []string{"see-there#1 See there"}},
		{"empty heading", "#\n\ntext\n\n##\n", section.Options{}, []string{hash("") + "#1 ", hash("") + "/" + hash("") + "#2 "}},
		{"level jumps", "### C\n\n# A\n\n### D\n\n## B\n", section.Options{}, []string{"c#3 C", "a#1 A", "a/d#3 D", "a/b#2 B"}},
		{"no headings", "just text\n", section.Options{Path: "notes/My File.md"}, []string{"my-file#0 My File"}},
		{"empty", "", section.Options{Path: "a.md"}, nil},
		{"only space", "\n \n", section.Options{Path: "a.md"}, nil},
		{"plain text", "# no heading\ntext\n", section.Options{Plain: true, Path: "a.txt"}, []string{"no-heading#0 no heading"}},
		{"unclosed fence", "# A\n\n```\n# not\n", section.Options{}, []string{"a#1 A"}},
		{"fence closed by its container", "> ```\n> # not\n\n# A\n", section.Options{}, []string{"a#0 A", "a#1 A"}},
		{"byte order mark", "\ufeff# T\n\nx\n", section.Options{}, []string{"t#1 T"}},
		{"byte order mark, setext", "\ufeffT\n===\n", section.Options{}, []string{"t#1 T"}},
		{"crlf", "# A\r\n\r\ntext\r\n\r\nB\r\n---\r\n\r\nmore\r\n", section.Options{}, []string{"a#1 A", "a/b#2 B"}},
		{"title from front matter", "---\ntitle: T\n---\n\npre\n\n## B\n", section.Options{Title: "T", HeadBytes: 17}, []string{"t#0 T", "b#2 B"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := section.Split([]byte(tc.src), tc.opts)
			if diff := cmp.Diff(tc.want, outline(got)); diff != "" {
				t.Errorf("sections (-want +got):\n%s", diff)
			}
			checkCover(t, []byte(tc.src), got)
		})
	}
}

func hash(title string) string { return text.ASCIISlug(title) }

// checkCover wants head and sections to be the whole text, each with its hash.
func checkCover(t *testing.T, src []byte, d section.Document) {
	t.Helper()
	at := d.HeadBytes
	ids := map[string]bool{}
	for i, r := range d.Rows {
		if r.Start != at || r.BodyStart < r.Start || r.End < r.BodyStart {
			t.Errorf("row %d is [%d, %d, %d), want it to begin at %d", i, r.Start, r.BodyStart, r.End, at)
		}
		if r.Hash != sha256.Sum256(src[r.Start:r.End]) {
			t.Errorf("row %d: the hash is not of its bytes", i)
		}
		if r.Parent >= i {
			t.Errorf("row %d has parent %d", i, r.Parent)
		}
		if ids[d.Path(i)] {
			t.Errorf("id %s twice", d.Path(i))
		}
		ids[d.Path(i)] = true
		at = r.End
	}
	if at != len(src) {
		t.Errorf("sections end at %d of %d", at, len(src))
	}
}

// TestInsertKeepsOtherIDs is the reason for slug chains: a heading of the same
// name elsewhere changes no other id.
func TestInsertKeepsOtherIDs(t *testing.T) {
	before := section.Split([]byte("# A\n\n## Setup\n\n# B\n\n## Setup\n"), section.Options{})
	after := section.Split([]byte("# New\n\n## Setup\n\n# A\n\n## Setup\n\n# B\n\n## Setup\n"), section.Options{})
	have := map[string]bool{}
	for i := range after.Rows {
		have[after.Path(i)] = true
	}
	for i := range before.Rows {
		if !have[before.Path(i)] {
			t.Errorf("%s is gone", before.Path(i))
		}
	}
}

// TestOversized wants long texts addressable piecewise.
func TestOversized(t *testing.T) {
	var lines, code strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&lines, "Line %d of a text without any heading, 数字 %d.\n", i, i)
		if i%10 == 9 {
			lines.WriteByte('\n')
		}
	}
	code.WriteString("# Big\n\nintro\n\n")
	for i := range 300 {
		fmt.Fprintf(&code, "Paragraph %d.\n\n```go\n%s```\n\n", i, strings.Repeat("x := 1 // code\n\n", 60))
	}
	for name, src := range map[string]string{"headingless": lines.String(), "300 KB section": code.String()} {
		t.Run(name, func(t *testing.T) {
			d := section.Split([]byte(src), section.Options{Path: "big.md"})
			checkCover(t, []byte(src), d)
			if len(d.Rows) < len(src)/(32<<10) {
				t.Fatalf("%d bytes in %d pieces", len(src), len(d.Rows))
			}
			for i, r := range d.Rows {
				piece := src[r.Start:r.End]
				if r.End-r.Start > 32<<10 || !utf8.ValidString(piece) || r.Title == "" {
					t.Errorf("piece %d: %d bytes, title %q", i, r.End-r.Start, r.Title)
				}
				if strings.Count(piece, "```")%2 != 0 {
					t.Errorf("piece %d begins or ends within a code block", i)
				}
			}
		})
	}
}

// TestCut reads texts piece by piece, as an agent with a small window does.
func TestCut(t *testing.T) {
	fence := "```\n" + strings.Repeat("code line\n", 100) + "```\n"
	src := []byte("# A\n\n一段中文，没有空格。\n\n" + fence + "\n- item one\n- item two\n\n  more\n\n" + strings.Repeat("字", 400) + "\n")
	for _, limit := range []int{1, 7, 50, 200, 2000, 100000} {
		var got []byte
		bounds := section.FindBoundaries(src, false)
		for at := 0; at < len(src); {
			n := section.Cut(src[at:], bounds.After(at), limit)
			if n <= 0 || n > max(limit, utf8.UTFMax) {
				t.Fatalf("limit %d: a piece of %d bytes at %d", limit, n, at)
			}
			if !utf8.Valid(src[at : at+n]) {
				t.Errorf("limit %d: a rune is cut at %d", limit, at+n)
			}
			got = append(got, src[at:at+n]...)
			at += n
			if in := bytes.Count(src[:at], []byte("```")) == 1; in && limit > len(fence)+20 {
				t.Errorf("limit %d: a code block that fits is cut at %d", limit, at)
			}
		}
		if !bytes.Equal(got, src) {
			t.Errorf("limit %d: pieces do not add up", limit)
		}
	}
}

// TestCutTinyTexts wants texts of a few bytes cut at any limit.
func TestCutTinyTexts(t *testing.T) {
	for _, src := range []string{"a", "abcd", "中a", "🎉", "🎉b", "ab\ncd"} {
		for limit := range 6 {
			n := section.Cut([]byte(src), section.FindBoundaries([]byte(src), false), limit)
			if n <= 0 || n > len(src) || !utf8.ValidString(src[:n]) {
				t.Errorf("Cut(%q, %d) = %d", src, limit, n)
			}
		}
	}
}

func TestSearchable(t *testing.T) {
	src := "a <!-- secret\n--> b\n\n```\n<!-- kept -->\n```\n\n`<!-- span -->` <!-- gone -->\n<!-- open"
	got := string(section.Searchable([]byte(src)))
	if len(got) != len(src) || strings.Count(got, "\n") != strings.Count(src, "\n") {
		t.Fatalf("offsets moved: %q", got)
	}
	for word, want := range map[string]bool{"secret": false, "kept": true, "span": true, "gone": false, "open": false, "b": true} {
		if strings.Contains(got, word) != want {
			t.Errorf("%q is searchable: %v, want %v", word, !want, want)
		}
	}
}

func TestAliases(t *testing.T) {
	src := []byte("# 安装 [x](y)\n\n## Old `API`: v1.2 & more {#mine}\n\n## foo - bar\n")
	d := section.Split(src, section.Options{})
	names := section.Aliases(src, section.Options{}, d)
	for i, want := range []string{"安装-xy#1", "mine", "foo---bar"} {
		if !strings.Contains("\x00"+strings.Join(names[i], "\x00")+"\x00", "\x00"+want+"\x00") {
			t.Errorf("row %d has the names %q, want %q among them", i, names[i], want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"# A\n\n## B\n", "a\n===\n", "```\n# x", "- a\n  # b\n", "\ufeff# x\r\n", "#\n#\n", "> # q\n\n\t# c"} {
		f.Add([]byte(s), 0, false)
	}
	f.Fuzz(func(t *testing.T, src []byte, head int, plain bool) {
		if len(src) > 1<<16 {
			return
		}
		d := section.Split(src, section.Options{Path: "f.md", HeadBytes: head, Plain: plain})
		checkCover(t, src, d)
		again := section.Split(src, section.Options{Path: "f.md", HeadBytes: head, Plain: plain})
		if diff := cmp.Diff(outline(d), outline(again)); diff != "" {
			t.Errorf("two runs differ:\n%s", diff)
		}
		section.Searchable(src)
	})
}

func BenchmarkSplit(b *testing.B) {
	src := []byte(strings.Repeat("# Title\n\nSome prose with `code` and a [link](x).\n\n## Sub\n\n```go\nfunc f() {}\n```\n\n- a\n- b\n\n", 200))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		section.Split(src, section.Options{})
	}
}

// TestLongHeadings: a title has its bound, and what a heading says beyond it
// stays in the text that is searched.
func TestLongHeadings(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		titled    int // runes of the title
	}{
		{"at the bound", "# " + strings.Repeat("a", 500) + "\n\ntext\n", 500},
		{"beyond it", "# " + strings.Repeat("walrus ", 300) + "\n\ntext\n", 496},
		{"larger than a section", "# " + strings.Repeat("walrus ", 10_000) + "\n\ntext\n", 496},
		{"a paragraph as heading", strings.Repeat("walrus\n", 10_000) + "---\n\ntext\n", 496},
		{"an id larger than a section", "# T {#" + strings.Repeat("a", 70_000) + "}\n\ntext\n", 500},
	} {
		doc := section.Split([]byte(tt.src), section.Options{})
		if len(doc.Rows) == 0 {
			t.Fatalf("%s: no section", tt.name)
		}
		at, body := doc.HeadBytes, ""
		for i, r := range doc.Rows {
			if r.Start != at || r.BodyStart < r.Start || r.End < r.BodyStart || len(r.Leaf) > 4*500+10 || len(r.Anchor) > 4*500+10 {
				t.Errorf("%s: row %d is [%d, %d, %d) with a leaf of %d bytes", tt.name, i, r.Start, r.BodyStart, r.End, len(r.Leaf))
			}
			at, body = r.End, body+tt.src[r.BodyStart:r.End]
		}
		if n := utf8.RuneCountInString(doc.Rows[0].Title); at != len(tt.src) || n > 500 || n != tt.titled {
			t.Errorf("%s: rows end at %d of %d, title of %d runes", tt.name, at, len(tt.src), n)
		}
		if tt.name != "at the bound" && strings.Count(body, "walrus") != strings.Count(tt.src, "walrus") {
			t.Errorf("%s: the body has lost words", tt.name)
		}
	}
}
