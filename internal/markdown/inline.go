package markdown

// The writer of inline content: white space collapsed, marks placed where
// CommonMark reads them as marks, everything else escaped.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// run collects one line of text (with hard breaks as line breaks).
type run struct {
	w       *writer
	b       []byte
	space   bool // white space is due before the next character
	cell    bool // inside a table cell: no line breaks, no bare pipes
	link    int  // depth of link text, where brackets are escaped
	bold    int
	italic  int
	closed  string // the mark that ends b, when the last thing was emphasis
	literal int    // end of the last mark or link in b: not text
	code    string // text of the code span that ends b at codeEnd and begins at codeAt
	codeAt  int
	codeEnd int
}

// inlineRun writes the siblings from first up to (not including) end as one
// paragraph's text: without outer white space, line starts escaped.
func (w *writer) inlineRun(first, end *html.Node) string {
	return guardLines(w.text(first, end))
}

// text is inlineRun for text that never stands at the start of a line.
func (w *writer) text(first, end *html.Node) string {
	r := &run{w: w}
	for c := first; c != nil && c != end; c = c.NextSibling {
		r.node(c)
	}
	return trimBreaks(string(r.b))
}

// trimBreaks removes hard breaks at both ends.
func trimBreaks(s string) string {
	for strings.HasPrefix(s, "  \n") {
		s = s[3:]
	}
	return strings.TrimRight(s, " \n")
}

func (r *run) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.node(c)
	}
}

func (r *run) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		r.text(n.Data)
		return
	case html.ElementNode:
		if tree.HasAttr(n, canon.AttrCodeLabel) {
			return
		}
	default:
		return
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Button, atom.Select, atom.Textarea, atom.Iframe, atom.Object, atom.Head:
	case atom.Br:
		r.lineBreak()
	case atom.Strong, atom.B:
		r.emphasis(n, "**", &r.bold)
	case atom.Em, atom.I, atom.Cite, atom.Dfn, atom.Var:
		r.emphasis(n, "*", &r.italic)
	case atom.Del, atom.S, atom.Strike:
		r.mark(n, "~~", "<del>", "</del>")
	case atom.Code, atom.Samp, atom.Tt, atom.Kbd:
		r.codeSpan(n)
	case atom.A:
		r.anchor(n)
	case atom.Img:
		if kind := tree.Attr(n, canon.AttrMath); kind != "" {
			r.tex(tree.Attr(n, "alt"), kind)
			return
		}
		r.image(n)
	case atom.Sub:
		r.tagged(n, "sub")
	case atom.Sup:
		if name := tree.Attr(n, canon.AttrFootnote); name != "" {
			r.raw("[^" + footnoteName(name) + "]")
			return
		}
		r.tagged(n, "sup")
	case atom.Q:
		r.quoted(n)
	case atom.Input:
		r.task(n)
	case atom.Wbr:
	case atom.Math:
		r.mathML(n)
	case atom.Rp:
	default:
		if m := tree.Attr(n, canon.AttrMath); m == "inline" || m == "display" {
			r.formula(n, m)
			return
		}
		block := tree.Block(n.DataAtom)
		if block {
			r.boundary()
		}
		r.children(n)
		if block {
			r.boundary()
		}
	}
}

// boundary separates blocks that had to become one line.
func (r *run) boundary() {
	if r.cell {
		return // cells place their own breaks
	}
	r.space = true
}

// flush writes white space that is due.
func (r *run) flush() {
	if r.space && len(r.b) > 0 && r.b[len(r.b)-1] != '\n' {
		r.b = append(r.b, ' ')
	}
	r.space = false
}

// raw writes s without escaping.
func (r *run) raw(s string) {
	r.flush()
	r.b = append(r.b, s...)
	r.literal = len(r.b)
	r.closed = ""
}

func (r *run) lineBreak() {
	r.space = false
	if r.cell {
		r.b = append(r.b, "<br>"...)
	} else if len(r.b) > 0 {
		r.b = append(trimSpaceRight(r.b), "  \n"...)
	}
	r.closed = ""
	r.literal = len(r.b)
}

func trimSpaceRight(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// sub writes n's children apart and tells the white space at both ends.
func (r *run) sub(n *html.Node) (s string, before, after bool) {
	in := &run{w: r.w, cell: r.cell, link: r.link, bold: r.bold, italic: r.italic}
	in.b = append(in.b, 0) // keeps leading white space visible
	in.children(n)
	b := in.b[1:]
	after = in.space
	for len(b) > 0 && b[0] == ' ' {
		b, before = b[1:], true
	}
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b, after = b[:len(b)-1], true
	}
	return string(b), before, after
}

// emphasis writes bold or italic text; within itself it adds nothing.
func (r *run) emphasis(n *html.Node, mark string, depth *int) {
	if *depth > 0 {
		r.children(n)
		return
	}
	*depth++
	if mark == "**" {
		r.mark(n, mark, "<strong>", "</strong>")
	} else {
		r.mark(n, mark, "<em>", "</em>")
	}
	*depth--
}

// mark surrounds n's text by a mark where CommonMark accepts it there, and by
// tags where it does not.
func (r *run) mark(n *html.Node, mark, open, end string) {
	s, before, after := r.sub(n)
	inner := strings.TrimSpace(strings.ReplaceAll(s, "<br>", ""))
	if inner == "" {
		r.space = r.space || before || after
		if strings.Contains(s, "\n") || strings.Contains(s, "<br>") {
			r.lineBreak()
		}
		return
	}
	lead, trail := breaksAround(&s)
	r.space = r.space || before
	if lead {
		r.lineBreak()
	}
	if r.closed == mark && !r.space {
		r.b = append(r.b[:len(r.b)-len(mark)], s...) // joined to the emphasis before it
		r.b = append(r.b, mark...)
		r.closed = mark
	} else {
		r.flush()
		if r.flanks(n, s, after || trail, mark) {
			r.b = append(r.b, mark...)
			r.b = append(r.b, s...)
			r.b = append(r.b, mark...)
			r.closed = mark
		} else {
			r.b = append(r.b, open...)
			r.b = append(r.b, s...)
			r.b = append(r.b, end...)
			r.closed = ""
		}
	}
	r.literal = len(r.b)
	if trail {
		r.lineBreak()
	}
	r.space = r.space || after
}

// breaksAround takes hard breaks from both ends of s.
func breaksAround(s *string) (lead, trail bool) {
	for _, br := range [...]string{"  \n", "<br>"} {
		for strings.HasPrefix(*s, br) {
			*s, lead = strings.TrimLeft((*s)[len(br):], " "), true
		}
		for strings.HasSuffix(*s, br) {
			*s, trail = strings.TrimRight((*s)[:len(*s)-len(br)], " "), true
		}
	}
	return lead, trail
}

// flanks reports whether marks around s open and close where they stand.
func (r *run) flanks(n *html.Node, s string, spaceAfter bool, mark string) bool {
	if strings.Contains(s, "\n\n") || strings.Contains(s, "@") || !spaceAfter && (strings.Contains(s, "://") || strings.Contains(s, "www.")) {
		return false // GFM links addresses by itself and would take the mark in
	}
	prev, next := ' ', ' '
	if len(r.b) > 0 {
		prev, _ = utf8.DecodeLastRune(r.b)
	}
	if prev == 0 {
		prev = ' '
	}
	if prev == rune(mark[0]) {
		return false
	}
	if !spaceAfter {
		next = following(n)
	}
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	opens := !punctRune(first) || spaceRune(prev) || punctRune(prev)
	closes := !punctRune(last) || spaceRune(next) || punctRune(next)
	return opens && closes
}

func spaceRune(c rune) bool { return unicode.IsSpace(c) }
func punctRune(c rune) bool { return unicode.IsPunct(c) || unicode.IsSymbol(c) }

// following is the first character after n in its block, a space at the end.
func following(n *html.Node) rune {
	for {
		for c := n.NextSibling; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && (c.DataAtom == atom.Br || tree.Block(c.DataAtom)) {
				return ' '
			}
			if tree.Is(c, atom.Code, atom.Img, atom.A, atom.Strong, atom.B, atom.Em, atom.I, atom.Sub, atom.Sup) && !tree.Blank(c) {
				return '`' // becomes a mark
			}
			if f := firstRune(c); f != 0 {
				return f
			}
		}
		n = n.Parent
		if n == nil || n.Type != html.ElementNode || tree.Block(n.DataAtom) {
			return ' '
		}
		if tree.Is(n, atom.Strong, atom.B, atom.Em, atom.I, atom.A, atom.Del) {
			return '*'
		}
	}
}

func firstRune(n *html.Node) rune {
	if n.Type == html.TextNode {
		if s := stripInvisible(n.Data); s != "" {
			c, _ := utf8.DecodeRuneInString(s)
			return c
		}
		return 0
	}
	if n.Type != html.ElementNode || tree.Silent(n.DataAtom) {
		return 0
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f := firstRune(c); f != 0 {
			return f
		}
	}
	return 0
}

// tagged keeps an element that Markdown has no mark for.
func (r *run) tagged(n *html.Node, name string) {
	s, before, after := r.sub(n)
	r.space = r.space || before
	if s != "" {
		r.raw("<" + name + ">" + s + "</" + name + ">")
	}
	r.space = r.space || after
}

func (r *run) quoted(n *html.Node) {
	r.raw("“")
	s, _, after := r.sub(n)
	r.raw(s + "”")
	r.space = after
}

// task writes the checkbox of a task.
func (r *run) task(n *html.Node) {
	if !strings.EqualFold(tree.Attr(n, "type"), "checkbox") {
		return
	}
	box := "[ ]"
	if tree.HasAttr(n, "checked") {
		box = "[x]"
	}
	r.raw(box)
	r.space = true
}

// mathML writes a formula that has no TeX source; faithful writing keeps its
// text as the page shows it.
func (r *run) mathML(n *html.Node) {
	if r.w.faithful {
		r.children(n)
		return
	}
	mark := "$"
	if tree.Attr(n, "display") == "block" && !r.cell {
		mark = "$$"
	}
	if tex := mathML(n); tex != "" {
		r.raw(mark + tex + mark)
	}
}

// formula writes TeX between dollar signs.
func (r *run) formula(n *html.Node, kind string) {
	r.tex(tree.Raw(n), kind)
}

func (r *run) tex(tex, kind string) {
	tex = strings.Join(strings.Fields(tex), " ")
	if tex == "" {
		return
	}
	if r.cell {
		tex = strings.ReplaceAll(tex, "|", `\|`)
	}
	if kind == "display" {
		r.raw("$$" + tex + "$$")
		return
	}
	r.raw("$" + tex + "$")
}
