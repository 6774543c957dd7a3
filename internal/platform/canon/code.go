package canon

// Code blocks: plain text under pre > code, with the language's name.

import (
	"strings"

	"evergreen/internal/platform"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func codeBlocks(root *html.Node, s *platform.Structure, mode Mode) {
	signatures(root, mode)
	codeTables(root)
	for _, pre := range tree.Find(root, atom.Pre) {
		if pre.Parent != nil && !tree.Inside(pre, atom.Pre) {
			codeBlock(pre, s, mode)
		}
	}
	for _, c := range tree.Find(root, atom.Code) {
		if c.Parent != nil && !tree.Inside(c, atom.Pre) && blockCode(c) {
			pre := tree.Element(atom.Pre)
			c.Parent.InsertBefore(pre, c)
			tree.Remove(c)
			pre.AppendChild(c)
			codeBlock(pre, s, mode)
		}
	}
}

// blockCode reports whether a code element outside pre shows several lines:
// it says it is a block, or breaks lines itself.
func blockCode(c *html.Node) bool {
	if tree.Inside(c, atom.P, atom.Td, atom.Th, atom.H1, atom.H2, atom.H3, atom.H4, atom.A, atom.Dt, atom.Span) {
		return false
	}
	if tree.HasClass(c, "block") {
		return true
	}
	if style := strings.ReplaceAll(strings.ToLower(tree.Attr(c, "style")), " ", ""); strings.Contains(style, "white-space:pre") {
		return strings.Contains(strings.TrimSpace(tree.Raw(c)), "\n")
	}
	return tree.First(c, atom.Br) != nil && strings.Count(strings.TrimSpace(tree.Raw(c)), "\n") > 0
}

// codeBlock makes pre canonical.
func codeBlock(pre *html.Node, s *platform.Structure, mode Mode) {
	if c := pre.Parent; tree.Is(c, atom.Code) { // code around pre, the wrong way round
		lang := language(c)
		tree.Unwrap(c)
		if lang != "" && language(pre) == "" {
			tree.SetAttr(pre, "class", "language-"+lang)
		}
	}
	lang := languageNear(pre)
	box := codeBox(pre, s)
	if box != nil {
		if lang == "" {
			lang = languageLabel(box, pre)
		}
		trimBox(box, pre, lang, mode)
	}
	text := codeText(pre, s, &lang)
	tree.Clear(pre)
	pre.Attr = nil
	code := tree.Element(atom.Code)
	if lang != "" {
		code.Attr = []html.Attribute{{Key: "class", Val: "language-" + lang}}
	}
	code.AppendChild(tree.TextNode(text))
	pre.AppendChild(code)
	if tree.Is(pre.Parent, atom.P) { // rewriters leave pre in p, which no writer expects
		tree.Rename(pre.Parent, atom.Div)
	}
}

// codeBox is the outermost wrapper that belongs to this code block alone.
func codeBox(pre *html.Node, s *platform.Structure) *html.Node {
	var box *html.Node
	for up, p := 0, pre.Parent; p != nil && up < 5; up, p = up+1, p.Parent {
		if !s.CodeBox.Match(p) {
			continue
		}
		if outerBlocks(p) != 1 {
			break
		}
		box = p
	}
	return box
}

// trimBox removes from the wrapper what repeats the language or offers to copy.
func trimBox(box, pre *html.Node, lang string, mode Mode) {
	tree.Walk(box, func(n *html.Node) bool {
		switch {
		case n == pre || n.Type != html.ElementNode:
			return false
		case tree.Contains(n, pre):
			return true
		case tree.Is(n, atom.Button):
			tree.Remove(n)
			return false
		}
		text := oneLine(n)
		if mode == Faithful && text != "" { // the label stays, as a line of its own
			p := label(text)
			tree.Clear(n)
			n.AppendChild(p)
			tree.Rename(n, atom.Div)
			return false
		}
		if strings.EqualFold(text, lang) || strings.EqualFold(text, "copy") || strings.EqualFold(text, "copy code") || lang != "" && sameLanguage(text, lang) {
			if strings.HasPrefix(strings.ToLower(text), "copy") || text == "" {
				tree.Remove(n)
			} else {
				tree.SetAttr(n, AttrCodeLabel, "")
			}
			return false
		}
		return true
	})
}

// languageLabel reads the language from a label of the wrapper, such as
// span.lang, when it is the name of one.
func languageLabel(box, pre *html.Node) string {
	found := ""
	tree.Walk(box, func(n *html.Node) bool {
		if n == pre || found != "" || n.Type != html.ElementNode {
			return false
		}
		if t := strings.ToLower(oneLine(n)); !tree.Contains(n, pre) && knownLanguage(t) {
			found = t
		}
		return true
	})
	return found
}

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
}

func (w *lineWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		t := strings.ReplaceAll(n.Data, "\r\n", "\n")
		if strings.TrimSpace(t) == "" && strings.Contains(t, "\n") && hasBlocks(n.Parent) {
			return // indentation of the markup between line blocks
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
			w.open = false
			return
		case atom.Script, atom.Style, atom.Button, atom.Svg:
			return
		}
	}
	block := tree.Is(n, atom.Div, atom.P, atom.Li, atom.Tr) && !besideText(n)
	if block {
		w.end()
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
		w.open = false
	}
}

func hasBlocks(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if tree.Is(c, atom.Div, atom.P, atom.Li, atom.Tr, atom.Tbody) {
			return true
		}
	}
	return false
}

// codeTables replaces tables that show line numbers beside code by the code.
func codeTables(root *html.Node) {
	for _, t := range tree.Find(root, atom.Table) {
		if t.Parent == nil || tree.Inside(t, atom.Pre) {
			continue
		}
		if pre := codeOfTable(t); pre != nil {
			if class := language(t); class != "" && language(pre) == "" {
				tree.SetAttr(pre, "class", tree.Attr(pre, "class")+" language-"+class)
			}
			tree.Replace(t, pre)
		}
	}
}

// codeOfTable returns the pre of a table that holds nothing but one block of
// code and its line numbers, nil for any other table.
func codeOfTable(t *html.Node) *html.Node {
	if tree.First(t, atom.Th, atom.Table) != nil {
		return nil
	}
	rows := tree.Find(t, atom.Tr)
	if len(rows) == 1 {
		var code *html.Node
		for _, c := range tree.ElementChildren(rows[0]) {
			if lineNumber(c) {
				continue
			}
			pre := tree.First(c, atom.Pre)
			if code != nil || pre == nil || len(strings.TrimSpace(tree.Raw(c))) != len(strings.TrimSpace(tree.Raw(pre))) {
				return nil
			}
			code = pre
		}
		return code
	}
	return codeOfRows(t, rows)
}

// codeOfRows joins a table that has one row for each line of code.
func codeOfRows(t *html.Node, rows []*html.Node) *html.Node {
	if len(rows) < 2 || !tree.HasClass(t, "hljs-ln") && !tree.HasClass(t, "highlight") && tree.First(t, atom.Pre) == nil {
		return nil
	}
	var b strings.Builder
	for i, r := range rows {
		cells := tree.ElementChildren(r)
		if len(cells) != 2 || number(strings.TrimSpace(tree.Raw(cells[0]))) < 0 && tree.Attr(cells[0], "data-line-number") != "" && i == 0 {
			return nil
		}
		if !lineNumber(cells[0]) {
			return nil
		}
		b.WriteString(strings.TrimRight(tree.Raw(cells[1]), "\n"))
		b.WriteByte('\n')
	}
	pre := tree.Element(atom.Pre)
	pre.AppendChild(tree.TextNode(b.String()))
	return pre
}

// signatures turns declarations that generators lay out without pre into code.
func signatures(root *html.Node, mode Mode) {
	for _, n := range tree.Find(root, atom.Div) {
		switch {
		case n.Parent == nil, mode == Faithful && tree.First(n, atom.A) != nil && !tree.HasClass(n, "fragment"):
		case tree.HasClass(n, "member-signature") || tree.HasClass(n, "type-signature"):
			plainCode(n, "java")
		case tree.HasClass(n, "code-block") && tree.First(n, atom.Pre, atom.Code, atom.Div, atom.Table, atom.P) == nil:
			plainCode(n, language(n))
		case tree.HasClass(n, "fragment") && tree.First(n, atom.Div) != nil && tree.HasClass(tree.First(n, atom.Div), "line"):
			doxygenFragment(n)
		}
	}
	for _, t := range tree.Find(root, atom.Table) {
		if tree.HasClass(t, "memname") && t.Parent != nil {
			pre := tree.Element(atom.Pre)
			pre.AppendChild(tree.TextNode(oneLine(t)))
			tree.Replace(t, pre)
		}
	}
}

// plainCode makes n a code block of one language.
func plainCode(n *html.Node, lang string) {
	text := strings.ReplaceAll(tree.Raw(n), "\u00a0", " ")
	tree.Clear(n)
	tree.Rename(n, atom.Pre)
	n.Attr = nil
	if lang != "" {
		tree.SetAttr(n, "class", "language-"+lang)
	}
	n.AppendChild(tree.TextNode(text))
}

func doxygenFragment(n *html.Node) {
	pre := tree.Element(atom.Pre)
	n.Parent.InsertBefore(pre, n)
	tree.Remove(n)
	pre.AppendChild(n)
}
