package markdown

// Lists of items, tasks and terms.

import (
	"strconv"
	"strings"

	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (w *writer) list(n *html.Node) {
	if !hasItems(n) || w.depth >= nestLimit {
		w.blocks(n)
		return
	}
	if silent(n) {
		return
	}
	last := w.marker
	w.begin()
	ordered := n.DataAtom == atom.Ol
	mark := byte('-')
	if ordered {
		mark = '.'
	}
	if last == mark { // two lists in a row are two lists
		mark = map[byte]byte{'-': '*', '.': ')'}[mark]
	}
	number := 1
	if v, err := strconv.Atoi(tree.Attr(n, "start")); err == nil && v >= 0 {
		number = v
	}
	tight := tightList(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case tree.Is(c, atom.Li):
			if tree.HasAttr(c, canon.AttrFootnoteText) {
				w.footnote(c)
				continue
			}
			if ordered {
				if v, err := strconv.Atoi(tree.Attr(c, "value")); err == nil && v >= 0 {
					number = v
				}
				if w.item(c, strconv.Itoa(number)+string(mark)+" ", tight) {
					number++
				}
				continue
			}
			w.item(c, string(mark)+" ", tight)
		case tree.Is(c, atom.Ul, atom.Ol): // a list that should stand in the item before
			blank := w.blank
			w.blank = false
			w.nested("  ", func() { w.list(c) })
			w.blank = blank
		case c.Type == html.ElementNode:
			w.blank = w.blank || !tight
			w.block(c)
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) != "":
			w.paragraph(w.inlineRun(c, c.NextSibling))
		}
	}
	w.blank = true
	w.marker = mark
}

func hasItems(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if tree.Is(c, atom.Li) {
			return true
		}
	}
	return false
}

// tightList reports whether no item of a list holds more than one paragraph.
func tightList(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !tree.Is(c, atom.Li) {
			continue
		}
		paragraphs := 0
		tree.Walk(c, func(x *html.Node) bool {
			if tree.Is(x, atom.Ul, atom.Ol) {
				return false
			}
			if tree.Is(x, atom.P, atom.Pre, atom.Table, atom.Blockquote, atom.Details, atom.Hr, atom.Section) || tree.Heading(x) {
				paragraphs++
			}
			return true
		})
		if paragraphs > 1 {
			return false
		}
	}
	return true
}

// silent reports whether a block would write nothing.
func silent(n *html.Node) bool {
	return tree.Blank(n) && tree.First(n, atom.Img, atom.Input, atom.Hr) == nil
}

// item writes one item and reports whether it had content.
func (w *writer) item(n *html.Node, marker string, tight bool) bool {
	if silent(n) {
		return false
	}
	blank := w.blank && !tight
	if blank && w.lead == "" {
		w.line("")
	}
	lead := w.prefix
	if w.lead != "" {
		lead = w.lead
	}
	old := w.prefix
	w.depth++
	defer func() { w.depth-- }()
	w.lead, w.blank, w.marker = lead+marker, false, 0
	w.prefix += strings.Repeat(" ", len(marker))
	before := w.out.Len()
	if tight {
		w.tightItem(n)
	} else {
		w.blocks(n)
	}
	if w.out.Len() == before {
		w.line("")
	}
	w.prefix, w.lead = old, ""
	w.blank = !tight
	return true
}

// tightItem writes an item whose text and nested list follow without a blank
// line.
func (w *writer) tightItem(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		if inline(c) {
			end := c
			for end != nil && inline(end) {
				end = end.NextSibling
			}
			w.paragraph(w.inlineRun(c, end))
			c = end
			continue
		}
		switch {
		case tree.Is(c, atom.Ul, atom.Ol) && w.marker == 0:
			w.blank = !interrupts(c)
			w.block(c)
		case tree.Is(c, atom.P, atom.Div, atom.Span, atom.Section, atom.A) && !tree.HasAttr(c, canon.AttrLabel) && !tree.HasAttr(c, canon.AttrMath):
			w.tightItem(c)
		default:
			w.block(c)
		}
		c = c.NextSibling
	}
}

// interrupts reports whether a list may follow a paragraph without a blank
// line: an ordered one must begin with 1 (CommonMark 5.2).
func interrupts(list *html.Node) bool {
	if !tree.Is(list, atom.Ol) {
		return true
	}
	start := tree.Attr(list, "start")
	if first := tree.First(list, atom.Li); first != nil && tree.HasAttr(first, "value") {
		start = tree.Attr(first, "value")
	}
	return start == "" || start == "1"
}

// definitions writes terms and what they mean: one item each when every
// definition is a line of text, else a bold line followed by its blocks.
func (w *writer) definitions(n *html.Node) {
	groups := definitionItems(n)
	simple := len(groups) > 0
	for _, c := range groups {
		simple = simple && (tree.Is(c, atom.Dt) && !holdsBlock(c) || tree.Is(c, atom.Dd) && plainDefinition(c))
	}
	if simple {
		w.termList(groups)
		return
	}
	for _, c := range groups {
		if !tree.Is(c, atom.Dt) {
			w.blocks(c)
			continue
		}
		if holdsBlock(c) {
			w.blocks(c)
		} else if s := w.text(c.FirstChild, nil); s != "" {
			w.paragraph(strong(s))
		}
	}
}

// definitionItems are the terms and definitions of a list, with the divisions
// that may group them left out.
func definitionItems(n *html.Node) []*html.Node {
	var out []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case tree.Is(c, atom.Div):
			out = append(out, definitionItems(c)...)
		case c.Type == html.ElementNode:
			out = append(out, c)
		}
	}
	return out
}

// plainDefinition reports whether a definition is one line of text.
func plainDefinition(n *html.Node) bool {
	if c := tree.OnlyChild(n); tree.Is(c, atom.P) {
		n = c
	}
	return !holdsBlock(n) && tree.First(n, atom.Br) == nil
}

func (w *writer) termList(groups []*html.Node) {
	w.begin()
	term := ""
	flush := func(text string) {
		if s := term + text; s != "" {
			w.line("- " + s)
		}
		term = ""
	}
	for _, c := range groups {
		if tree.Is(c, atom.Dt) {
			s := w.text(c.FirstChild, nil)
			if s == "" {
				continue
			}
			if term != "" {
				term += ", "
			}
			term += strong(s)
			continue
		}
		if p := tree.OnlyChild(c); tree.Is(p, atom.P) {
			c = p
		}
		s := w.inlineRun(c.FirstChild, nil)
		if term != "" && s != "" && !strings.HasSuffix(strings.Trim(term, "*"), ":") {
			term += ":"
		}
		if term != "" && s != "" {
			s = " " + s
		}
		flush(s)
	}
	flush("")
	w.blank = true
	w.marker = '-'
}
