package canon

// Headings: their text and id, without the links that point at themselves.

import (
	"strings"

	"evergreen/internal/platform"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func headings(root *html.Node, s *platform.Structure, mode Mode) {
	var found []*html.Node
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type == html.ElementNode && (tree.Heading(n) || strings.EqualFold(tree.Attr(n, "role"), "heading") && !tree.Is(n, atom.Summary)) {
			found = append(found, n)
			return false
		}
		if n.Type == html.ElementNode && s.Anchor.Match(n) && selfLink(n) {
			tree.Remove(n) // anchors beside a heading or a term
			return false
		}
		return true
	})
	for _, h := range found {
		heading(h, s, mode)
	}
}

func heading(h *html.Node, s *platform.Structure, mode Mode) {
	if !tree.Heading(h) {
		level := number(tree.Attr(h, "aria-level"))
		if level < 1 || level > 6 || tree.First(h, atom.Div, atom.P, atom.Ul) != nil {
			return
		}
		tree.Rename(h, [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}[level-1])
	}
	id := tree.Attr(h, "id")
	whole := oneLine(h)
	tree.Walk(h, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		if !tree.Is(n, atom.A) {
			if mode == Clean && s.Anchor.Match(n) || tree.Is(n, atom.Button, atom.Style, atom.Script) || screenReaderOnly(n) {
				tree.Remove(n)
				return false
			}
			return true
		}
		if id == "" {
			if id = tree.Attr(n, "id"); id == "" {
				id = tree.Attr(n, "name")
			}
		}
		text := oneLine(n)
		switch {
		case mode == Faithful && tree.Chars(text) > 1 && tree.HasAttr(n, "href"):
		case text == whole && text != "" && (!tree.HasAttr(n, "href") || strings.HasPrefix(tree.Attr(n, "href"), "#") || selfTarget(n)):
			tree.Unwrap(n) // the heading is its own link
		case selfLink(n), s.Anchor.Match(n) && text != whole:
			tree.Remove(n)
			return false
		case !tree.HasAttr(n, "href"):
			tree.Unwrap(n)
		}
		return true
	})
	if id == "" && tree.Is(h.Parent, atom.Section, atom.Div) && tree.PrevElement(h) == nil {
		if id = tree.Attr(h.Parent, "id"); strings.Contains(id, "content") || strings.Contains(id, "main") {
			id = "" // the page's container
		}
	}
	if id != "" {
		tree.SetAttr(h, "id", id)
	}
	trimHeading(h)
}

// selfTarget reports whether a link leads to a fragment of its own page as
// far as its class says.
func selfTarget(a *html.Node) bool {
	return strings.Contains(tree.Attr(a, "href"), "#") && (tree.HasClass(a, "header") || tree.HasClass(a, "anchor") || tree.HasAttr(a, "data-id"))
}

// selfLink reports whether a link is a heading's sign for itself: nothing
// visible, a symbol, or the words of such a sign.
func selfLink(a *html.Node) bool {
	if tree.First(a, atom.Img) != nil {
		return false
	}
	if !tree.Is(a, atom.A) {
		return true
	}
	text := strings.Map(func(r rune) rune {
		switch r {
		case '\u200b', '\ufeff', '\u00b6', '#', '§', '🔗', '⚓', '\ufe0e', '\ufe0f', '∞', '\uf0c1':
			return -1
		}
		return r
	}, oneLine(a))
	text = strings.ToLower(strings.TrimSpace(text))
	fragment := strings.Contains(tree.Attr(a, "href"), "#")
	switch text {
	case "":
		return fragment || tree.Blank(a)
	case "link", "edit", "[edit]", "[ edit ]":
		return strings.HasPrefix(tree.Attr(a, "href"), "#") || text != "link"
	case "permalink", "anchor", "link to this heading", "permalink to this headline", "permalink to this heading", "copy link", "link to this section":
		return true
	}
	return strings.HasPrefix(text, "direct link to ") || strings.HasPrefix(text, "section titled ") || strings.HasPrefix(text, "permalink to ")
}

// trimHeading takes invisible characters and outer white space from a
// heading's text.
func trimHeading(h *html.Node) {
	tree.Walk(h, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			n.Data = strings.Map(func(r rune) rune {
				switch r {
				case '\u200b', '\ufeff', '\u00b6':
					return -1
				}
				return r
			}, n.Data)
		}
		return true
	})
}
