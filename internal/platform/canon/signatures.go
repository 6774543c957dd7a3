package canon

// Code that generators lay out without pre: declarations, and fragments of
// one element a line.

import (
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// signatures turns declarations that generators lay out without pre into code.
func signatures(root *html.Node, mode Mode) {
	for _, n := range tree.Find(root, atom.Div) {
		switch {
		case n.Parent == nil, mode == Faithful && tree.First(n, atom.A) != nil && !tree.HasClass(n, "fragment"):
		case tree.HasClass(n, "member-signature") || tree.HasClass(n, "type-signature"):
			plainCode(n, "java")
		case tree.HasClass(n, "code-block") && tree.First(n, atom.Pre, atom.Code, atom.Div, atom.Table, atom.P) == nil:
			plainCode(n, language(n))
		case tree.HasClass(n, "fragment") && tree.First(n, atom.Div) != nil && tree.HasClass(tree.First(n, atom.Div), "line"):
			doxygenFragment(n)
		}
	}
	for _, t := range tree.Find(root, atom.Table) {
		if tree.HasClass(t, "memname") && t.Parent != nil {
			pre := tree.Element(atom.Pre)
			pre.AppendChild(tree.TextNode(oneLine(t)))
			tree.Replace(t, pre)
		}
	}
}

// plainCode makes n a code block of one language.
func plainCode(n *html.Node, lang string) {
	text := strings.ReplaceAll(tree.Raw(n), "\u00a0", " ")
	tree.Clear(n)
	tree.Rename(n, atom.Pre)
	n.Attr = nil
	if lang != "" {
		tree.SetAttr(n, "class", "language-"+lang)
	}
	n.AppendChild(tree.TextNode(text))
}

func doxygenFragment(n *html.Node) {
	tree.Wrap(n, tree.Element(atom.Pre))
}
