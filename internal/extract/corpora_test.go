package extract

// Quality as committed numbers: the floors that extraction holds on public
// page sets, which live outside the project and are found by the variable
// EVERGREEN_CORPORA. Unset, these tests say so and pass; set, the sets must be
// there.

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// corpus returns the folder of one set of pages.
func corpus(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: extraction is not measured")
	}
	dir := filepath.Join(root, "extract", name)
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("EVERGREEN_CORPORA is set but holds no extract/%s: %v", name, err)
	}
	return dir
}

// load reads a page, through gzip if need be, and decodes it.
func load(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if enc, name, _ := charset.DetermineEncoding(b, "text/html"); name != "utf-8" && strings.ToValidUTF8(string(b), "") != string(b) {
		if b, err = enc.NewDecoder().Bytes(b); err != nil {
			t.Fatal(err)
		}
	}
	return []byte(strings.ToValidUTF8(string(b), "\ufffd"))
}

// score is a macro average of precision and recall over 4-word shingles, the
// measure of the article extraction benchmark.
type score struct {
	p, r   float64
	np, nr int
}

func (s *score) add(want, got string) {
	a, b := shingles(want), shingles(got)
	var tp, fp, fn float64
	for k, x := range a {
		tp += float64(min(x, b[k]))
		fn += float64(max(0, x-b[k]))
	}
	for k, y := range b {
		fp += float64(max(0, y-a[k]))
	}
	if tp+fp > 0 {
		s.p += tp / (tp + fp)
		s.np++
	}
	if tp+fn > 0 {
		s.r += tp / (tp + fn)
		s.nr++
	}
}

func (s *score) f1() float64 {
	p, r := s.p/float64(max(1, s.np)), s.r/float64(max(1, s.nr))
	return 2 * p * r / (p + r)
}

func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

func shingles(s string) map[string]int {
	const n = 4
	w, out := words(s), map[string]int{}
	if len(w) == 0 {
		return out
	}
	for i := 0; i <= max(0, len(w)-n); i++ {
		out[strings.Join(w[i:min(i+n, len(w))], " ")]++
	}
	return out
}

// visible is a tree's text with blocks as lines, and nothing left out but
// what no page shows.
func visible(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if n.Type == html.ElementNode && (tree.Silent(n.DataAtom) && n.DataAtom != atom.Iframe && n.DataAtom != atom.Object || n.Data == "svg") {
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
	return b.String()
}

func fragment(t testing.TB, src string) *html.Node {
	t.Helper()
	doc, _ := tree.Parse([]byte(src))
	return doc
}

// floor fails when a measured value is below what is promised.
func floor(t *testing.T, what string, got, want float64) {
	t.Helper()
	t.Logf("%s %.4f (floor %.4f)", what, got, want)
	if got < want {
		t.Errorf("%s is %.4f, the floor is %.4f", what, got, want)
	}
}

func TestArticles(t *testing.T) {
	dir := corpus(t, "articles")
	b, err := os.ReadFile(filepath.Join(dir, "ground-truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string]struct{ ArticleBody, URL string }
	if err := json.Unmarshal(b, &truth); err != nil {
		t.Fatal(err)
	}
	var s score
	for id, g := range truth {
		r := Page(load(t, filepath.Join(dir, "html", id+".html.gz")), g.URL)
		s.add(g.ArticleBody, visible(fragment(t, r.HTML)))
	}
	floor(t, "articles F1", s.f1(), 0.970)
}

func TestReadabilityPages(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(corpus(t, "readability"), "*", "source.html"))
	if err != nil || len(dirs) == 0 {
		t.Fatal("no pages", err)
	}
	var s score
	for _, p := range dirs {
		want := string(load(t, filepath.Join(filepath.Dir(p), "expected.html")))
		r := Page(load(t, p), "http://fakehost/test/page.html")
		s.add(visible(fragment(t, want)), visible(fragment(t, r.HTML)))
	}
	floor(t, "readability pages F1", s.f1(), 0.990)
}

// noise is what no reader wants inside a documentation page's own container,
// and anchors what is forgiven in a result.
var (
	noise   = tree.MustCompile("script, style, noscript, template, button, .hash-link, .headerlink, .header-anchor, a.anchor, a.anchorjs-link, .md-content__button, .md-source-file, .edit-this-page, .tsd-anchor-icon, .linenos, .line-numbers-wrapper, nav, .copy-path, .src")
	anchors = tree.MustCompile("button, .hash-link, .headerlink, .header-anchor, a.anchor, a.anchorjs-link, .linenos, .line-numbers-wrapper")
	panels  = tree.MustCompile("[role=tabpanel], .tabbed-block")
	boxes   = tree.MustCompile(".theme-admonition, .admonition, .custom-block, .admonitionblock")
)

func without(n *html.Node, s *tree.Selector) *html.Node {
	for _, x := range s.All(n) {
		if x.Parent != nil {
			tree.Remove(x)
		}
	}
	return n
}

// bag counts texts of the elements with the given names.
func bag(n *html.Node, text func(*html.Node) string, names ...atom.Atom) map[string]int {
	out := map[string]int{}
	for _, x := range tree.Find(n, names...) {
		if s := text(x); s != "" && !tree.Inside(x, atom.Pre) {
			out[s]++
		}
	}
	return out
}

func plain(n *html.Node) string {
	s := strings.NewReplacer("\u200b", "", "\ufeff", "", "\u00b6", "", "\u00a0", " ").Replace(visible(n))
	return strings.Join(strings.Fields(s), " ")
}

func headingText(n *html.Node) string { return strings.TrimRight(plain(n), " #") }

func codeOf(n *html.Node) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\u00a0", " ", "\u200b", "").Replace(tree.Raw(n)), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func squashed(s string) string { return strings.Join(words(s), "") }

// share counts how many items of want are in got.
type share struct{ hit, all int }

func (s *share) add(want, got map[string]int) {
	for k, n := range want {
		s.all += n
		s.hit += min(n, got[k])
	}
}

func (s share) value() float64 { return float64(s.hit) / float64(max(1, s.all)) }

// declares reports whether a page's code block names its language.
func declares(pre *html.Node) bool {
	named := func(n *html.Node) bool {
		c := tree.Attr(n, "class")
		return strings.Contains(c, "language-") || strings.Contains(c, "lang-") || tree.HasAttr(n, "data-lang") || tree.HasAttr(n, "data-language") ||
			strings.Contains(c, "highlight-") && !strings.Contains(c, "highlight-default") && !strings.Contains(c, "highlight-none")
	}
	for i, p := 0, pre; p != nil && p.Type == html.ElementNode && i < 3; i, p = i+1, p.Parent {
		if named(p) {
			return true
		}
	}
	for _, c := range tree.Find(pre, atom.Code) {
		if named(c) {
			return true
		}
	}
	return false
}

func TestDocPages(t *testing.T) {
	dir := corpus(t, "doc-pages")
	list, err := os.ReadFile(filepath.Join(dir, "list.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var text score
	var code, lang, cells, heads, tabs, boxed share
	for _, l := range strings.Split(strings.TrimSpace(string(list)), "\n")[1:] {
		f := strings.Split(l, "\t")
		page := load(t, filepath.Join(dir, f[0]+".html"))
		doc := fragment(t, string(page))
		gold := tree.MustCompile(f[5]).All(doc)[0]
		r := Page(page, "https://docs.example.org/"+f[2])
		got := without(fragment(t, r.HTML), anchors)
		said := squashed(visible(got))
		count := func(s *share, sel *tree.Selector) {
			for _, n := range sel.All(doc) {
				s.all++
				if strings.Contains(said, squashed(visible(n))) {
					s.hit++
				}
			}
		}
		count(&tabs, panels)
		count(&boxed, boxes)
		without(gold, noise)
		text.add(plain(gold), plain(got))
		code.add(bag(gold, codeOf, atom.Pre), bag(got, codeOf, atom.Pre))
		cells.add(bag(gold, plain, atom.Td, atom.Th), bag(got, plain, atom.Td, atom.Th))
		heads.add(bag(gold, headingText, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6), bag(got, headingText, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6))
		want, have := 0, 0
		for _, p := range tree.Find(gold, atom.Pre) {
			if declares(p) && !tree.Inside(p, atom.Pre) && codeOf(p) != "" {
				want++
			}
		}
		for _, p := range tree.Find(got, atom.Pre) {
			if declares(p) {
				have++
			}
		}
		lang.all += want
		lang.hit += min(want, have)
	}
	floor(t, "doc pages text F1", text.f1(), 0.985)
	floor(t, "code blocks", code.value(), 1)
	floor(t, "languages", lang.value(), 1)
	floor(t, "cells", cells.value(), 0.995)
	floor(t, "headings", heads.value(), 0.99)
	floor(t, "tab panels", tabs.value(), 1)
	floor(t, "admonitions", boxed.value(), 1)
}

// TestDefuddleLosesNothing counts what small pages of many sites must keep:
// each fenced code block, table row and footnote of the expected Markdown.
func TestDefuddleLosesNothing(t *testing.T) {
	dir := corpus(t, "defuddle")
	files, err := filepath.Glob(filepath.Join(dir, "fixtures", "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	var code, rows, notes share
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".html")
		want, err := os.ReadFile(filepath.Join(dir, "expected", name+".md"))
		if err != nil {
			continue
		}
		r := Page(load(t, f), "https://example.com/"+name)
		said := strings.ToLower(squashed(visible(r.Node) + altTexts(r.Node)))
		blocks, rest := fences(string(want))
		for _, c := range blocks[min(1, len(blocks)):] { // the first holds metadata
			code.all++
			if strings.Contains(said, strings.ToLower(squashed(c))) {
				code.hit++
			} else {
				t.Logf("%s: code %.60q", name, c)
			}
		}
		for _, l := range strings.Split(rest, "\n") {
			switch {
			case strings.HasPrefix(l, "|") && strings.Trim(l, "|-: ") != "":
				holds(t, &rows, said, name, cellTexts(l))
			case strings.HasPrefix(l, "[^"):
				holds(t, &notes, said, name, []string{linkless(l[strings.Index(l, "]:")+2:])})
			}
		}
	}
	// Several displays of one listing differ from the expected text without
	// losing any of it; four citation pills of a chat page are not footnotes.
	floor(t, "code", code.value(), 0.93)
	floor(t, "table rows", rows.value(), 1)
	floor(t, "footnotes", notes.value(), 0.96)
}

func holds(t *testing.T, s *share, said, name string, texts []string) {
	s.all++
	for _, x := range texts {
		if !strings.Contains(said, strings.ToLower(squashed(x))) {
			t.Logf("%s: %.80q", name, x)
			return
		}
	}
	s.hit++
}

func cellTexts(line string) []string {
	var out []string
	for _, c := range strings.Split(strings.Trim(line, "| "), "|") {
		out = append(out, linkless(c))
	}
	return out
}

// linkless drops the addresses of Markdown links, escapes and tags.
func linkless(s string) string {
	for {
		i := strings.Index(s, "](")
		if i < 0 {
			break
		}
		j := strings.IndexByte(s[i:], ')')
		if j < 0 {
			break
		}
		s = s[:i] + " " + s[i+j+1:]
	}
	for {
		i := strings.IndexByte(s, '<')
		j := strings.IndexByte(s, '>')
		if i < 0 || j < i {
			break
		}
		s = s[:i] + " " + s[j+1:]
	}
	return s
}

func altTexts(n *html.Node) string {
	var b strings.Builder
	for _, img := range tree.Find(n, atom.Img) {
		b.WriteString(" " + tree.Attr(img, "alt"))
	}
	return b.String()
}

// fences splits Markdown into its fenced code and the rest.
func fences(md string) (code []string, rest string) {
	var b, block strings.Builder
	fence := ""
	for _, l := range strings.Split(md, "\n") {
		bare := strings.TrimLeft(l, "> ")
		switch {
		case fence == "" && strings.HasPrefix(bare, "```"):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		case fence != "" && strings.TrimSpace(bare) == fence:
			code = append(code, block.String())
			block.Reset()
			fence = ""
		case fence != "":
			block.WriteString(l + "\n")
		default:
			b.WriteString(l + "\n")
		}
	}
	return code, b.String()
}
