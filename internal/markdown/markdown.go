// Package markdown writes Markdown from HTML trees, and safe HTML from Markdown
// (Renderer). The Markdown it writes is CommonMark with GFM
// tables, task lists and strikethrough, alerts for admonitions, footnotes and
// $ for formulas. It expects the canonical DOM of platform/canon, and FromHTML
// brings any HTML into it first; what is main content and what is furniture is
// not decided here. The same input gives the same bytes.
//
// What Markdown cannot say stays raw HTML where a reader of Markdown expects
// it: br, lists and code blocks inside table cells, sub and sup, emphasis that
// begins or ends inside a word at a punctuation mark. Tabs and details become
// a bold label and their content, links inside code become plain code.
package markdown

import (
	"net/url"
	"strings"

	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
)

// FromNode writes n's content as Markdown that ends in one line break, or is
// empty. Links and images are made absolute against base, an absolute URL;
// an empty base keeps them as they are. The tree must be canonical
// (see platform/canon) for code, tabs, admonitions, formulas and footnotes to
// come out as such; it is not changed.
func FromNode(n *html.Node, base string) string {
	return write(n, base, false)
}

func write(n *html.Node, base string, faithful bool) string {
	w := &writer{faithful: faithful}
	if u, err := url.Parse(base); err == nil && u.IsAbs() {
		w.base = u
	}
	w.blocks(n)
	return w.out.String()
}

// FromHTML converts a page or a fragment of HTML (UTF-8). A page's <base>
// counts before base. Elements nested deeper than the parser accepts are
// flattened; no input fails.
func FromHTML(src, base string) string {
	doc, _ := tree.Parse([]byte(src))
	base = pageBase(doc, base)
	canon.Open(doc, canon.Faithful)
	canon.Rewrite(doc, canon.Faithful)
	return write(doc, base, true)
}

// pageBase is the address that the relative links of a page start from.
func pageBase(doc *html.Node, base string) string {
	b := baseHref(doc)
	if b == "" {
		return base
	}
	u, err := url.Parse(b)
	if err != nil {
		return base
	}
	if u.IsAbs() {
		return u.String()
	}
	page, err := url.Parse(base)
	if err != nil || !page.IsAbs() {
		return base
	}
	return page.ResolveReference(u).String()
}

func baseHref(doc *html.Node) string {
	found := ""
	tree.Walk(doc, func(n *html.Node) bool {
		if n.Type == html.ElementNode && n.Data == "base" && found == "" {
			found = strings.TrimSpace(tree.Attr(n, "href"))
		}
		return found == "" && n.Data != "body"
	})
	return found
}
