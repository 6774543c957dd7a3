package markdown

// Quality as committed numbers: the round trip through a CommonMark renderer
// on public page sets, which live outside the project and are found by the
// variable EVERGREEN_CORPORA. Unset, these tests say so and pass; set, the
// sets must be there.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"evergreen/internal/platform/tree"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	rendererhtml "github.com/yuin/goldmark/renderer/html"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func corpus(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: conversion is not measured")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("EVERGREEN_CORPORA is set but incomplete: %v", err)
	}
	return path
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// TestCases holds inputs that broke other converters.
func TestCases(t *testing.T) {
	d := json.NewDecoder(strings.NewReader(read(t, corpus(t, "cases", "html-to-markdown.jsonl"))))
	for d.More() {
		var c struct {
			ID, HTML string
			Want, No []string
		}
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		for how, got := range map[string]string{"faithful": FromHTML(c.HTML, ""), "clean": clean(c.HTML, "")} {
			for _, w := range c.Want {
				if !pattern(w).MatchString(got) {
					t.Errorf("%s (%s) lacks %s:\n%s", c.ID, how, w, got)
				}
			}
			for _, w := range c.No {
				if pattern(w).MatchString(got) {
					t.Errorf("%s (%s) has %s:\n%s", c.ID, how, w, got)
				}
			}
		}
	}
}

// pattern compiles a case's pattern, which may spell characters as \uXXXX.
func pattern(s string) *regexp.Regexp {
	return regexp.MustCompile("(?m)" + regexp.MustCompile(`\\u([0-9a-f]{4})`).ReplaceAllString(s, `\x{$1}`))
}

// fragments are the expected articles of the readability set, and the content
// containers of the documentation pages without anchors and buttons.
func fragments(t testing.TB) (articles, docs []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus(t, "extract", "readability"), "*", "expected.html"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	for _, f := range files {
		articles = append(articles, read(t, f))
	}
	dir := corpus(t, "extract", "doc-pages")
	noise := tree.MustCompile("script, style, noscript, template, button, .hash-link, .headerlink, .header-anchor, a.anchor, a.anchorjs-link, .md-content__button, .md-source-file, .edit-this-page, .tsd-anchor-icon, .linenos, .line-numbers-wrapper, nav, .copy-path, .src, svg")
	for _, l := range strings.Split(strings.TrimSpace(read(t, filepath.Join(dir, "list.tsv"))), "\n")[1:] {
		f := strings.Split(l, "\t")
		doc, _ := tree.Parse([]byte(read(t, filepath.Join(dir, f[0]+".html"))))
		box := tree.MustCompile(f[5]).All(doc)[0]
		for _, n := range noise.All(box) {
			if n.Parent != nil {
				tree.Remove(n)
			}
		}
		var b bytes.Buffer
		if err := html.Render(&b, box); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, b.String())
	}
	return articles, docs
}

type share struct{ hit, all int }

func (s *share) add(want, got map[string]int) {
	for k, n := range want {
		s.all += n
		s.hit += min(n, got[k])
	}
}

func (s share) value() float64 { return float64(s.hit) / float64(max(1, s.all)) }

// trip is what a round trip keeps.
type trip struct {
	text, pages                        float64
	code, lang, cells, links, headings share
}

func (tr *trip) add(t testing.TB, src string) {
	t.Helper()
	var b bytes.Buffer
	gm := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(rendererhtml.WithUnsafe()))
	if err := gm.Convert([]byte(FromHTML(src, "")), &b); err != nil {
		t.Fatal(err)
	}
	want, _ := tree.Parse([]byte(src))
	got, _ := tree.Parse(b.Bytes())
	tr.text += f1(flat(want), flat(got))
	tr.pages++
	tr.code.add(bag(want, codeOf, atom.Pre), bag(got, codeOf, atom.Pre))
	tr.cells.add(bag(want, flat, atom.Td, atom.Th), bag(got, flat, atom.Td, atom.Th))
	tr.links.add(bag(want, linkOf, atom.A), bag(got, linkOf, atom.A))
	tr.headings.add(bag(want, heading, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6), bag(got, heading, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6))
	tr.lang.all += languages(want)
	tr.lang.hit += min(languages(want), languages(got))
}

func bag(n *html.Node, text func(*html.Node) string, names ...atom.Atom) map[string]int {
	out := map[string]int{}
	for _, x := range tree.Find(n, names...) {
		if s := text(x); s != "" && !tree.Inside(x, atom.Pre) {
			out[s]++
		}
	}
	return out
}

func codeOf(n *html.Node) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\u00a0", " ", "\u200b", "").Replace(tree.Raw(n)), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// linkOf leaves out links inside code, which Markdown cannot say.
func linkOf(n *html.Node) string {
	href := tree.Attr(n, "href")
	if href == "" || tree.Inside(n, atom.Code) || strings.HasPrefix(href, "javascript:") {
		return ""
	}
	if s := flat(n); s != "" {
		return s + " -> " + href
	}
	return ""
}

func heading(n *html.Node) string { return strings.TrimRight(n.Data+" "+flat(n), " #") }

// flat is a tree's text on one line, with breaks between blocks.
func flat(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if n.Type == html.ElementNode && (n.Data == "svg" || tree.Is(n, atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head)) {
			return
		}
		line := n.Type == html.ElementNode && (tree.Block(n.DataAtom) || n.DataAtom == atom.Br || n.DataAtom == atom.Button)
		if line {
			b.WriteByte('\n')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if line {
			b.WriteByte('\n')
		}
	}
	walk(n)
	s := strings.NewReplacer("\u200b", "", "\ufeff", "", "\u00b6", "", "\u200c", "", "\u200d", "", "\u00ad", "", "\u00a0", " ").Replace(b.String())
	return strings.Join(strings.Fields(s), " ")
}

func languages(n *html.Node) int {
	k := 0
	for _, p := range tree.Find(n, atom.Pre) {
		if tree.Inside(p, atom.Pre) || codeOf(p) == "" {
			continue
		}
		named := func(x *html.Node) bool {
			c := tree.Attr(x, "class")
			return strings.Contains(c, "language-") || strings.Contains(c, "lang-") || tree.HasAttr(x, "data-lang") || tree.HasAttr(x, "data-language") ||
				strings.Contains(c, "highlight-") && !strings.Contains(c, "highlight-default") && !strings.Contains(c, "highlight-none")
		}
		found := false
		for i, x := 0, p; x != nil && x.Type == html.ElementNode && i < 3; i, x = i+1, x.Parent {
			found = found || named(x)
		}
		for _, c := range tree.Find(p, atom.Code) {
			found = found || named(c)
		}
		if found {
			k++
		}
	}
	return k
}

// f1 compares two texts by their 4-word shingles.
func f1(want, got string) float64 {
	a, b := shingles(want), shingles(got)
	hit, miss, extra := 0, 0, 0
	for k, x := range a {
		hit += min(x, b[k])
		miss += max(0, x-b[k])
	}
	for k, y := range b {
		extra += max(0, y-a[k])
	}
	if hit == 0 {
		if miss+extra == 0 {
			return 1
		}
		return 0
	}
	return 2 * float64(hit) / float64(2*hit+miss+extra)
}

func shingles(s string) map[string]int {
	const n = 4
	w := strings.FieldsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	out := map[string]int{}
	for i := 0; i <= max(0, len(w)-n) && len(w) > 0; i++ {
		out[strings.Join(w[i:min(i+n, len(w))], " ")]++
	}
	return out
}

func floor(t *testing.T, what string, got, want float64) {
	t.Helper()
	t.Logf("%s %.4f (floor %.4f)", what, got, want)
	if got < want {
		t.Errorf("%s is %.4f, the floor is %.4f", what, got, want)
	}
}

func TestRoundTrip(t *testing.T) {
	articles, docs := fragments(t)
	for _, set := range []struct {
		name  string
		pages []string
		cells float64
	}{{"articles", articles, 0.98}, {"docs", docs, 0.995}} {
		var tr trip
		for _, p := range set.pages {
			tr.add(t, p)
		}
		floor(t, set.name+" text F1", tr.text/tr.pages, 0.998)
		floor(t, set.name+" code", tr.code.value(), 1)
		floor(t, set.name+" languages", tr.lang.value(), 1)
		floor(t, set.name+" cells", tr.cells.value(), set.cells)
		floor(t, set.name+" links outside code", tr.links.value(), 0.99)
		floor(t, set.name+" headings", tr.headings.value(), 0.998)
	}
}

// BenchmarkFromHTML converts all fragments; the corpora must be set.
func BenchmarkFromHTML(b *testing.B) {
	articles, docs := fragments(b)
	all := append(articles, docs...)
	size := 0
	for _, p := range all {
		size += len(p)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, p := range all {
			FromHTML(p, "https://docs.example.org/")
		}
	}
}
