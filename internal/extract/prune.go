package extract

// Pruning around an article, before it is looked for: menus and boxes, known
// by their element, role, or a whole word of their class; and blocks of links,
// in whatever was found.

import (
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// prune removes furniture from a body before it is scored.
func prune(body *html.Node) {
	total := tree.Measure(body).Chars
	tree.Walk(body, func(n *html.Node) bool {
		if n.Type != html.ElementNode || tree.Is(n, atom.Pre, atom.Table, atom.Svg) {
			return false
		}
		if menu(n) || boxed(n, total) {
			tree.Remove(n)
			return false
		}
		return true
	})
}

// menu reports elements whose name or role says that they lead elsewhere.
func menu(n *html.Node) bool {
	switch strings.ToLower(tree.Attr(n, "role")) {
	case "navigation", "menu", "menubar", "search", "banner", "contentinfo":
		return !holdsArticle(n)
	}
	switch n.DataAtom {
	case atom.Nav:
		return !holdsArticle(n)
	case atom.Header, atom.Footer:
		return !tree.Inside(n, atom.Article, atom.Main, atom.Section) && !holdsArticle(n)
	}
	return false
}

// holdsArticle reports whether n holds the heading or the body of a page.
func holdsArticle(n *html.Node) bool {
	return tree.First(n, atom.H1, atom.Article, atom.Main) != nil
}

// boxed reports whether an element is a box beside the article by a whole
// word of its class or id, and not an article in a box with an unlucky name.
func boxed(n *html.Node, total int) bool {
	if tree.Is(n, atom.Body, atom.Main, atom.Article, atom.A, atom.Code, atom.Blockquote) || !named(n, boxWord) || holdsArticle(n) {
		return false
	}
	m := tree.Measure(n)
	return m.Chars-m.Linked < boxProse && m.Chars*2 < total
}

// boxWord reports the words that name boxes of sharing, selling and related
// things.
func boxWord(w string) bool {
	switch w {
	case "share", "sharing", "sharebar", "social", "socials", "newsletter", "newsletters", "subscribe", "signup",
		"promo", "promos", "advert", "advertisement", "ad", "ads", "adslot", "sponsor", "sponsored",
		"related", "relatedposts", "relatedarticles", "recommended", "recommendations", "recirc", "trending", "readmore",
		"breadcrumb", "breadcrumbs", "cookie", "cookies", "consent", "popup", "comments", "disqus",
		"toolbar", "timestamp", "dateline", "pagination", "pager":
		return true
	}
	return false
}

// named reports whether a word of n's class or id fulfils is. Words end at
// everything that is no ASCII letter or digit, so that "share" is in
// "share-buttons" and not in "sharedcontent".
func named(n *html.Node, is func(string) bool) bool {
	return anyWord(tree.Attr(n, "class"), is) || anyWord(tree.Attr(n, "id"), is)
}

func anyWord(list string, is func(string) bool) bool {
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && wordByte(list[j]) {
			j++
		}
		if j > i && is(strings.ToLower(list[i:j])) {
			return true
		}
		i = j + 1
	}
	return false
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// cutLinks removes blocks that are mostly links, the deepest first. When more
// than half of n would go, n is a list of links itself and stays whole.
func cutLinks(n *html.Node) {
	before := tree.Measure(n).Chars
	var cuts []cut
	collectCuts(n, &cuts)
	if tree.Measure(n).Chars*2 >= before {
		return
	}
	for i := len(cuts) - 1; i >= 0; i-- {
		cuts[i].parent.InsertBefore(cuts[i].node, cuts[i].next)
	}
}

// cut remembers where a removed node stood.
type cut struct{ node, parent, next *html.Node }

func collectCuts(n *html.Node, cuts *[]cut) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode && !tree.Is(c, atom.Pre, atom.Code) {
			collectCuts(c, cuts)
			if dense(c) {
				*cuts = append(*cuts, cut{c, n, next})
				n.RemoveChild(c)
			}
		}
		c = next
	}
}

// dense reports whether a block consists of links, unless its author put it
// between the paragraphs of a text.
func dense(c *html.Node) bool {
	if !tree.Is(c, atom.Div, atom.Section, atom.Ul, atom.Ol, atom.P, atom.Table, atom.Nav) && !(tree.Is(c, atom.Span) && holdsBlock(c)) {
		return false
	}
	m := tree.Measure(c)
	return m.Chars >= denseChars && m.Linked*100 >= m.Chars*denseShare && !holdsArticle(c) && !inProse(c)
}

// inProse reports whether a list or paragraph stands directly between
// paragraphs of text in the same parent.
func inProse(c *html.Node) bool {
	if !tree.Is(c, atom.Ul, atom.Ol, atom.P, atom.Table) || c.Parent == nil {
		return false
	}
	if tree.Is(c.Parent, atom.Li) {
		return introduced(c)
	}
	before, after := false, false
	for s, k := c.PrevSibling, 0; s != nil && k < neighbours && !before; s, k = s.PrevSibling, k+1 {
		before = tree.Is(s, atom.P, atom.Ul, atom.Ol) && saysMuch(s)
	}
	for s, k := c.NextSibling, 0; s != nil && k < neighbours && before && !after; s, k = s.NextSibling, k+1 {
		after = tree.Is(s, atom.P, atom.Ul, atom.Ol) && saysMuch(s)
	}
	return before && after
}

// introduced reports whether words outside links lead up to a list inside an
// item.
func introduced(c *html.Node) bool {
	for s, k := c.PrevSibling, 0; s != nil && k < neighbours; s, k = s.PrevSibling, k+1 {
		m := tree.Measure(s)
		if s.Type == html.TextNode && strings.TrimSpace(s.Data) != "" || m.Chars > m.Linked {
			return true
		}
	}
	return false
}

// saysMuch reports whether a block says something outside its links.
func saysMuch(n *html.Node) bool {
	m := tree.Measure(n)
	return m.Chars-m.Linked >= proseChars
}

func holdsBlock(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (tree.Block(c.DataAtom) || holdsBlock(c)) {
			return true
		}
	}
	return false
}
