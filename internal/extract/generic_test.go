package extract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"evergreen/internal/platform"
	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html/atom"
)

// genericPage extracts a page as if no row of the table knew its generator.
func genericPage(page []byte) *Result {
	doc, _ := tree.Parse(page)
	r := &Result{}
	m := readMetadata(doc)
	canon.Open(doc, canon.Clean)
	hide(doc)
	r.content(doc, platform.Named(platform.Generic), m.article)
	canon.Rewrite(r.Node, canon.Clean)
	if tree.First(r.Node, atom.H1) == nil {
		r.Heading = m.h1
	}
	r.write()
	return r
}

// TestDocPagesWithoutRules is what pages of generators that nobody taught us
// can expect.
func TestDocPagesWithoutRules(t *testing.T) {
	dir := corpus(t, "doc-pages")
	list, err := os.ReadFile(filepath.Join(dir, "list.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var text score
	var code, heads share
	for _, l := range strings.Split(strings.TrimSpace(string(list)), "\n")[1:] {
		f := strings.Split(l, "\t")
		page := load(t, filepath.Join(dir, f[0]+".html"))
		gold := without(tree.MustCompile(f[5]).All(fragment(t, string(page)))[0], noise)
		got := without(genericPage(page).Document(), anchors)
		text.add(plain(gold), plain(got))
		code.add(bag(gold, codeOf, atom.Pre), bag(got, codeOf, atom.Pre))
		heads.add(bag(gold, headingText, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6), bag(got, headingText, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6))
	}
	floor(t, "text F1 without rules", text.f1(), 0.975)
	floor(t, "code without rules", code.value(), 1)
	floor(t, "headings without rules", heads.value(), 0.98)
}
