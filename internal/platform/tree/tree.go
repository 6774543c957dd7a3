// Package tree holds the small walks and edits of x/net/html trees that
// everything reading web pages shares, and a matcher for CSS selectors. It
// knows no page, no documentation generator and no Markdown.
//
// Parsed trees are at most about 512 elements deep because the parser refuses
// more, so the walks recurse.
package tree

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Attr returns the value of n's attribute key, "" when absent.
func Attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HasAttr reports whether n carries the attribute key, even an empty one.
func HasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return true
		}
	}
	return false
}

// SetAttr sets or adds the attribute key of n.
func SetAttr(n *html.Node, key, val string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr[i].Val = val
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: val})
}

// DelAttr removes the attributes keys from n.
func DelAttr(n *html.Node, keys ...string) {
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		drop := false
		for _, k := range keys {
			drop = drop || a.Key == k
		}
		if !drop {
			kept = append(kept, a)
		}
	}
	n.Attr = kept
}

// HasClass reports whether n's class list holds the whole token class.
func HasClass(n *html.Node, class string) bool {
	return hasToken(Attr(n, "class"), class)
}

// hasToken reports whether the white-space separated list holds token.
func hasToken(list, token string) bool {
	for token != "" && len(list) >= len(token) {
		i := strings.Index(list, token)
		if i < 0 {
			return false
		}
		end := i + len(token)
		if (i == 0 || isSpace(list[i-1])) && (end == len(list) || isSpace(list[end])) {
			return true
		}
		list = list[end:]
	}
	return false
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// Is reports whether n is an element with one of the names.
func Is(n *html.Node, names ...atom.Atom) bool {
	if n == nil || n.Type != html.ElementNode {
		return false
	}
	for _, a := range names {
		if n.DataAtom == a {
			return true
		}
	}
	return false
}

// Element makes a new element; attrs are pairs of key and value.
func Element(name atom.Atom, attrs ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: name, Data: name.String()}
	for i := 0; i+1 < len(attrs); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attrs[i], Val: attrs[i+1]})
	}
	return n
}

// TextNode makes a new text node.
func TextNode(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// Rename gives n another element name.
func Rename(n *html.Node, name atom.Atom) { n.DataAtom, n.Data = name, name.String() }

// Remove takes n out of its tree.
func Remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// Replace puts with in the place of n; with may come from the same tree. What has
// no parent has no place: nothing happens.
func Replace(n, with *html.Node) {
	if n.Parent == nil {
		return
	}
	Remove(with)
	n.Parent.InsertBefore(with, n)
	n.Parent.RemoveChild(n)
}

// Wrap puts box in the place of n, and n at the end of box; box stands in no tree
// before. What has no parent has no place: nothing happens.
func Wrap(n, box *html.Node) {
	if n.Parent == nil {
		return
	}
	n.Parent.InsertBefore(box, n)
	n.Parent.RemoveChild(n)
	box.AppendChild(n)
}

// Unwrap puts n's children in its place.
func Unwrap(n *html.Node) {
	if n.Parent == nil {
		return
	}
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	n.Parent.RemoveChild(n)
}

// MoveChildren appends all children of from to to.
func MoveChildren(to, from *html.Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}

// Clear removes all children of n.
func Clear(n *html.Node) {
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
}

// Prepend makes c the first child of n.
func Prepend(n, c *html.Node) { n.InsertBefore(c, n.FirstChild) }

// Clone copies n and what is below it.
func Clone(n *html.Node) *html.Node {
	out := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace}
	if len(n.Attr) > 0 {
		out.Attr = append([]html.Attribute(nil), n.Attr...)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.AppendChild(Clone(c))
	}
	return out
}

// Walk calls visit for every node below n in document order. When visit
// returns false the node's children are left out. visit may remove the node
// it is given, or unwrap it; what takes its place is then not visited.
func Walk(n *html.Node, visit func(*html.Node) bool) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if visit(c) {
			Walk(c, visit)
		}
		c = next
	}
}

// Find returns the elements below n with one of the names, in document order.
func Find(n *html.Node, names ...atom.Atom) []*html.Node {
	var out []*html.Node
	Walk(n, func(c *html.Node) bool {
		if Is(c, names...) {
			out = append(out, c)
		}
		return true
	})
	return out
}

// First returns the first element below n with one of the names, or nil.
func First(n *html.Node, names ...atom.Atom) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if Is(c, names...) {
			return c
		}
		if f := First(c, names...); f != nil {
			return f
		}
	}
	return nil
}

// Inside reports whether n has an ancestor element with one of the names.
func Inside(n *html.Node, names ...atom.Atom) bool { return Above(n, names...) != nil }

// Above returns n's nearest ancestor with one of the names, or nil.
func Above(n *html.Node, names ...atom.Atom) *html.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if Is(p, names...) {
			return p
		}
	}
	return nil
}

// Contains reports whether b is a or below a.
func Contains(a, b *html.Node) bool {
	for ; b != nil; b = b.Parent {
		if a == b {
			return true
		}
	}
	return false
}

// ElementChildren returns n's child elements.
func ElementChildren(n *html.Node) []*html.Node {
	var out []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			out = append(out, c)
		}
	}
	return out
}

// OnlyChild returns n's single child element when n has no other content than
// white space and comments, else nil.
func OnlyChild(n *html.Node) *html.Node {
	var only *html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.ElementNode && only == nil:
			only = c
		case c.Type == html.ElementNode, c.Type == html.TextNode && strings.TrimSpace(c.Data) != "":
			return nil
		}
	}
	return only
}

// NextElement returns the element after n among its siblings, or nil; text
// between them other than white space ends the search.
func NextElement(n *html.Node) *html.Node {
	for c := n.NextSibling; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c
		}
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return nil
		}
	}
	return nil
}

// PrevElement returns the element before n among its siblings, or nil.
func PrevElement(n *html.Node) *html.Node {
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode {
			return c
		}
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return nil
		}
	}
	return nil
}
