package canon

// The text of a code block: its lines, without what is drawn around them.

import (
	"strings"

	"evergreen/internal/platform"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// codeText returns the text of a code block: line numbers and headers gone,
// every line once.
func codeText(pre *html.Node, s *platform.Structure, lang *string) string {
	if ed := editor(pre); ed != nil {
		if *lang == "" {
			*lang = languageLabel(pre, ed)
		}
		pre = ed
	}
	simple := true
	for _, n := range s.LineNo.All(pre) {
		if lineNumber(n) {
			tree.Remove(n)
		}
	}
	unselectable(pre)
	sourceLinks(pre)
	var blocks []*html.Node
	tree.Walk(pre, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		if codeHeader(n, *lang) {
			tree.Remove(n)
			return false
		}
		switch n.DataAtom {
		case atom.Div, atom.P, atom.Li, atom.Tr:
			if !besideText(n) {
				blocks = append(blocks, n)
				simple = false
			}
		}
		return true
	})
	if simple {
		if t, ok := spanLines(pre); ok {
			return t
		}
		return strings.ReplaceAll(tree.Raw(pre), "\r\n", "\n")
	}
	gutters(blocks)
	w := &lineWriter{}
	w.node(pre)
	return w.b.String()
}

// unselectable removes numbers that a reader could not copy with the code.
func unselectable(pre *html.Node) {
	for _, n := range tree.Find(pre, atom.Span, atom.Div, atom.Td) {
		style := strings.ReplaceAll(strings.ToLower(tree.Attr(n, "style")), " ", "")
		if n.Parent != nil && strings.Contains(style, "user-select:none") && lineNumber(n) {
			tree.Remove(n)
		}
	}
}

// sourceLinks removes the ways back from a page of source code to its
// documentation (Sphinx viewcode), and the lines they stand on.
func sourceLinks(pre *html.Node) {
	for _, a := range tree.Find(pre, atom.A) {
		if !tree.HasClass(a, "viewcode-back") {
			continue
		}
		before, after := a.PrevSibling, a.NextSibling
		alone := before == nil
		if before != nil && before.Type == html.TextNode {
			alone = strings.HasSuffix(before.Data, "\n")
			if before.PrevSibling == nil && strings.TrimSpace(before.Data) == "" {
				before.Data = cutBreak(before.Data)
			}
		}
		if alone && after != nil && after.Type == html.TextNode {
			after.Data = cutBreak(after.Data)
		}
		tree.Remove(a)
	}
}

// cutBreak takes one line break from the start of s.
func cutBreak(s string) string {
	return strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n")
}

// besideText reports whether a block inside code stands among text: such a
// block is a slip of a rewriter, not a line.
func besideText(n *html.Node) bool {
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" || tree.Is(c, atom.Span) && n.DataAtom == atom.P {
			return true
		}
	}
	return false
}

// lineNumber guards the removal of line numbers: they are digits, or the
// generator says so with a class that means nothing else.
func lineNumber(n *html.Node) bool {
	t := strings.TrimSpace(tree.Raw(n))
	return strings.Trim(t, "0123456789 \n\t.:│|") == ""
}

// codeHeader reports whether an element inside pre is a bar over the code.
func codeHeader(n *html.Node, lang string) bool {
	if tree.Is(n, atom.Button) {
		return true
	}
	class := strings.ToLower(tree.Attr(n, "class"))
	if !strings.Contains(class, "header") && !strings.Contains(class, "toolbar") && !strings.Contains(class, "copy") {
		return false
	}
	t := strings.ToLower(oneLine(n))
	t = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(t, "code"), "copy"))
	return t == "" || t == strings.ToLower(lang) || knownLanguage(t)
}

// editor finds the content of a CodeMirror editor inside pre.
func editor(pre *html.Node) *html.Node {
	var found *html.Node
	tree.Walk(pre, func(n *html.Node) bool {
		if found == nil && (tree.HasClass(n, "cm-content") || tree.HasClass(n, "CodeMirror-code")) {
			found = n
		}
		return found == nil
	})
	return found
}

// spanLines joins lines that are elements of their own without a line break
// between them, as some highlighters write when a style sheet breaks the lines.
func spanLines(pre *html.Node) (string, bool) {
	box := pre
	for c := tree.OnlyChild(box); c != nil && !lineElement(c); c = tree.OnlyChild(box) {
		box = c
	}
	lines := tree.ElementChildren(box)
	if len(lines) < 2 || strings.Contains(strings.TrimRight(tree.Raw(box), "\n"), "\n") {
		return "", false
	}
	parts := make([]string, len(lines))
	for i, l := range lines {
		if !lineElement(l) {
			return "", false
		}
		parts[i] = strings.TrimSuffix(tree.Raw(l), "\n")
	}
	return strings.Join(parts, "\n"), true
}

// lineElement reports whether n is one line of code by its class.
func lineElement(n *html.Node) bool {
	for _, c := range [...]string{"line", "token-line", "code-line", "view-line", "cm-line", "ec-line", "CodeMirror-line"} {
		if tree.HasClass(n, c) {
			return true
		}
	}
	return tree.HasAttr(n, "data-line") || tree.HasAttr(n, "data-line-number")
}

// gutters removes the first child of each line block when it counts the lines.
func gutters(lines []*html.Node) {
	next := 0
	var first []*html.Node
	for _, l := range lines {
		c := l.FirstChild
		if c == nil || c.Type != html.ElementNode || c.NextSibling == nil {
			continue
		}
		t := strings.TrimSpace(tree.Raw(c))
		if n := number(t); n < 0 || next != 0 && n != next {
			continue
		} else {
			next = n + 1
		}
		first = append(first, c)
	}
	if len(first) >= 2 {
		for _, c := range first {
			tree.Remove(c)
		}
	}
}

// number reads a small decimal number, -1 for anything else.
func number(s string) int {
	if s == "" || len(s) > 6 {
		return -1
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// lineWriter writes code whose lines are block elements: one line break at
// each boundary of a block that the text does not already have.
type lineWriter struct {
	b    strings.Builder
	open bool // something was written on this line

	// ended says that a block ended its line itself, so that a line break in
	// the text after it is that same one.
	ended bool
}

func (w *lineWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		t := strings.ReplaceAll(n.Data, "\r\n", "\n")
		if strings.TrimSpace(t) == "" && strings.Contains(t, "\n") && onlyBlocks(n.Parent) {
			return // indentation of the markup between line blocks
		}
		if w.ended && t != "" {
			t, w.ended = cutBreak(t), false
		}
		w.b.WriteString(t)
		if t != "" {
			w.open = !strings.HasSuffix(t, "\n")
		}
		return
	case html.ElementNode:
		switch n.DataAtom {
		case atom.Br:
			w.b.WriteByte('\n')
			w.open, w.ended = false, false
			return
		case atom.Script, atom.Style, atom.Button, atom.Svg:
			return
		}
	}
	block := tree.Is(n, atom.Div, atom.P, atom.Li, atom.Tr) && !besideText(n)
	if block {
		w.end()
		w.ended = false
	}
	start := w.b.Len()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
	if block {
		if w.b.Len() == start && n.FirstChild == nil {
			w.open = true // an empty line
		}
		w.end()
	}
}

func (w *lineWriter) end() {
	if w.open {
		w.b.WriteByte('\n')
		w.open, w.ended = false, true
	}
}

// onlyBlocks reports whether n holds blocks and no code beside them: line
// breaks between them are then of the markup, not of the code.
func onlyBlocks(n *html.Node) bool {
	blocks := false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case tree.Is(c, atom.Div, atom.P, atom.Li, atom.Tr, atom.Tbody):
			blocks = true
		case !tree.Blank(c) && !tree.Is(c, atom.Button):
			return false
		}
	}
	return blocks
}
