package canon

// Links and lists around blocks: Markdown links hold text, not blocks, and a
// heading inside a list item heads nothing.

import (
	"evergreen/internal/platform"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blockLinks moves a link that surrounds blocks into one of them: the heading
// if there is one, else the first that says something.
func blockLinks(root *html.Node) {
	for _, a := range tree.Find(root, atom.A) {
		if a.Parent == nil || !holdsBlock(a) {
			continue
		}
		if !tree.HasAttr(a, "href") {
			tree.Unwrap(a)
			continue
		}
		if leaf := linkLeaf(a); leaf != nil {
			link := tree.Element(atom.A)
			link.Attr = append(link.Attr, a.Attr...)
			tree.MoveChildren(link, leaf)
			leaf.AppendChild(link)
		}
		tree.Unwrap(a)
	}
}

func holdsBlock(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (tree.Block(c.DataAtom) || holdsBlock(c)) {
			return true
		}
	}
	return false
}

// linkLeaf chooses the block inside a that the link moves into.
func linkLeaf(a *html.Node) *html.Node {
	var first, heading *html.Node
	tree.Walk(a, func(n *html.Node) bool {
		if n.Type != html.ElementNode || heading != nil {
			return false
		}
		if tree.Is(n, atom.Pre, atom.Table) {
			return false
		}
		if tree.Block(n.DataAtom) && !holdsBlock(n) && (!tree.Blank(n) || tree.First(n, atom.Img) != nil) {
			if first == nil {
				first = n
			}
			if tree.Heading(n) {
				heading = n
			}
			return false
		}
		return true
	})
	if heading != nil {
		return heading
	}
	return first
}

// layoutLists unwraps lists that arrange parts of a page (javadoc until 16).
func layoutLists(root *html.Node, s *platform.Structure) {
	for _, l := range tree.Find(root, atom.Ul, atom.Ol) {
		if l.Parent == nil || !s.Layout.Match(l) && !headed(l) {
			continue
		}
		for _, c := range tree.ElementChildren(l) {
			if tree.Is(c, atom.Li) {
				tree.Rename(c, atom.Div)
			}
		}
		tree.Rename(l, atom.Div)
	}
}

// headed reports whether an item of a list holds a heading: below it, the
// heading would head nothing.
func headed(l *html.Node) bool {
	for c := l.FirstChild; c != nil; c = c.NextSibling {
		if tree.Is(c, atom.Li) && holdsHeading(c) {
			return true
		}
	}
	return false
}

func holdsHeading(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if tree.Heading(c) && !tree.Blank(c) {
			return true
		}
		if !tree.Is(c, atom.Table, atom.Blockquote, atom.Pre) && holdsHeading(c) {
			return true
		}
	}
	return false
}
