package tree

// Text of a tree: with block boundaries, raw, and measured.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Block reports whether elements of that name stand on lines of their own.
func Block(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center,
		atom.Dd, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset,
		atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li, atom.Main,
		atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option, atom.P, atom.Pre, atom.Search,
		atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
		atom.Tr, atom.Ul:
		return true
	}
	return false
}

// Heading reports whether n is one of h1 to h6.
func Heading(n *html.Node) bool {
	return Is(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
}

// Silent reports whether an element's content is never read as text.
func Silent(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Svg, atom.Iframe, atom.Object:
		return true
	}
	return false
}

// Text returns the readable text of n: block elements and br become line
// breaks, runs of white space one space, blank lines none.
func Text(n *html.Node) string {
	w := &textWriter{}
	w.node(n, false)
	return strings.TrimSpace(w.b.String())
}

// textWriter collapses white space while it writes.
type textWriter struct {
	b     strings.Builder
	space byte // pending separator: 0, ' ' or '\n'
}

func (w *textWriter) node(n *html.Node, pre bool) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data, pre)
		return
	case html.ElementNode:
		if Silent(n.DataAtom) || n.Data == "svg" {
			return
		}
		if n.DataAtom == atom.Img && HasAttr(n, "data-math") {
			w.text(Attr(n, "alt"), false)
			return
		}
		if HasAttr(n, "data-code-label") {
			return
		}
		if n.DataAtom == atom.Br {
			w.space = '\n'
			return
		}
		pre = pre || n.DataAtom == atom.Pre
	}
	block := n.Type == html.ElementNode && Block(n.DataAtom)
	if block {
		w.space = '\n'
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, pre)
	}
	if block {
		w.space = '\n'
	}
}

func (w *textWriter) text(s string, pre bool) {
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && !isSpace(s[j]) {
			j++
		}
		if j > i {
			if w.space != 0 && w.b.Len() > 0 {
				w.b.WriteByte(w.space)
			}
			w.space = 0
			w.b.WriteString(s[i:j])
		}
		for i = j; i < len(s) && isSpace(s[i]); i++ {
			if pre && s[i] == '\n' {
				w.space = '\n'
			} else if w.space == 0 {
				w.space = ' '
			}
		}
	}
}

// Raw returns the text content of n unchanged, with br as a line break: what
// a code block shows. Scripts, styles and buttons say nothing.
func Raw(n *html.Node) string {
	if n.FirstChild != nil && n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode {
		return n.FirstChild.Data
	}
	var b strings.Builder
	raw(&b, n)
	return b.String()
}

// ScriptText returns the data of n's first text node: what a script or style holds.
func ScriptText(n *html.Node) string {
	if n.FirstChild != nil && n.FirstChild.Type == html.TextNode {
		return n.FirstChild.Data
	}
	return ""
}

func raw(b *strings.Builder, n *html.Node) {
	switch n.Type {
	case html.TextNode:
		b.WriteString(n.Data)
		return
	case html.ElementNode:
		switch n.DataAtom {
		case atom.Br:
			b.WriteByte('\n')
			return
		case atom.Script, atom.Style, atom.Button, atom.Template:
			return
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		raw(b, c)
	}
}

// Blank reports whether n holds no visible character.
func Blank(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		return strings.IndexFunc(n.Data, visible) < 0
	case html.ElementNode:
		if Silent(n.DataAtom) {
			return true
		}
	case html.CommentNode, html.DoctypeNode:
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !Blank(c) {
			return false
		}
	}
	return true
}

// visible reports whether r draws something: no white space, no zero-width
// character, no pilcrow (the sign of heading anchors).
func visible(r rune) bool {
	switch r {
	case '\u200b', '\u200c', '\u200d', '\ufeff', '\u00ad', '\u00b6', '\u2060':
		return false
	}
	return !unicode.IsSpace(r)
}

// Size is how much readable text a subtree holds, in characters without white
// space, and how much of that lies in links.
type Size struct{ Chars, Linked int }

// Measure counts the text below n.
func Measure(n *html.Node) Size {
	var s Size
	measure(n, false, &s)
	return s
}

func measure(n *html.Node, linked bool, s *Size) {
	switch n.Type {
	case html.TextNode:
		k := Chars(n.Data)
		s.Chars += k
		if linked {
			s.Linked += k
		}
		return
	case html.ElementNode:
		if Silent(n.DataAtom) || n.Data == "svg" {
			return
		}
		linked = linked || n.DataAtom == atom.A && HasAttr(n, "href")
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		measure(c, linked, s)
	}
}

// Chars counts the characters of s that are not white space.
func Chars(s string) int {
	k := utf8.RuneCountInString(s)
	for i := 0; i < len(s); i++ {
		if isSpace(s[i]) {
			k--
		}
	}
	return k
}
