package extract

// Footnotes that stand outside the content they belong to.

import (
	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// footnotes copies the texts of a page's footnotes, in document order.
func footnotes(doc *html.Node) []*html.Node {
	var out []*html.Node
	tree.Walk(doc, func(n *html.Node) bool {
		if n.Type == html.ElementNode && tree.HasAttr(n, canon.AttrFootnoteText) {
			out = append(out, tree.Clone(n))
			return false
		}
		return true
	})
	return out
}

// addFootnotes appends the notes that content refers to and does not hold.
func addFootnotes(content *html.Node, notes []*html.Node) {
	if len(notes) == 0 {
		return
	}
	wanted, held := map[string]bool{}, map[string]bool{}
	tree.Walk(content, func(n *html.Node) bool {
		if n.Type == html.ElementNode {
			if name := tree.Attr(n, canon.AttrFootnote); name != "" {
				wanted[name] = true
			}
			if name := tree.Attr(n, canon.AttrFootnoteText); name != "" && !tree.Blank(n) {
				held[name] = true
			}
		}
		return true
	})
	box := tree.Element(atom.Section, "class", "footnotes")
	for _, n := range notes {
		name := tree.Attr(n, canon.AttrFootnoteText)
		if !wanted[name] || held[name] {
			continue
		}
		held[name] = true
		tree.Rename(n, atom.Div)
		box.AppendChild(n)
	}
	if box.FirstChild != nil {
		content.AppendChild(box)
	}
}
