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
			tree.Wrap(c, pre)
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
		if !oneBlock(p) {
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
