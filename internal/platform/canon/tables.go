package canon

// Tables: only those that show data stay tables.

import (
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func tables(root *html.Node, mode Mode) {
	gridTables(root)
	list := tree.Find(root, atom.Table)
	for _, t := range list { // outer tables first: what holds a table is layout
		if t.Parent == nil {
			continue
		}
		if layout(t, mode) {
			unwrapTable(t)
		}
	}
}

// layout reports whether a table only arranges: it holds another table or
// running text under headings; when cleaning also one cell, or one column of
// blocks without a header.
func layout(t *html.Node, mode Mode) bool {
	if tree.First(t, atom.Table) != nil {
		return true
	}
	cells := tree.Find(t, atom.Td, atom.Th)
	if len(cells) <= 1 {
		return mode == Clean || len(cells) == 0
	}
	return len(tree.Find(t, atom.Th)) == 0 && wide(t, mode)
}

// wide reports whether a cell of t holds what no cell of data holds: headings
// or several blocks of running text.
func wide(t *html.Node, mode Mode) bool {
	column := mode == Clean
	for _, r := range tree.Find(t, atom.Tr) {
		if len(tree.Find(r, atom.Td)) > 1 {
			column = false
		}
	}
	for _, c := range tree.Find(t, atom.Td) {
		if tree.First(c, atom.H1, atom.H2, atom.H3, atom.Hr) != nil || len(tree.Find(c, atom.P)) > 4 {
			return true
		}
		if column && tree.First(c, atom.P, atom.Div, atom.Ul, atom.Pre, atom.Blockquote) != nil {
			return true
		}
	}
	return false
}

// unwrapTable replaces a layout table by its cells as blocks.
func unwrapTable(t *html.Node) {
	if t.Parent == nil {
		return
	}
	var parts []*html.Node
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if tree.Is(c, atom.Td, atom.Th, atom.Caption) {
				parts = append(parts, c)
				continue
			}
			walk(c)
		}
	}
	walk(t)
	for _, p := range parts {
		tree.Remove(p)
		if tree.HasClass(p, "icon") && tree.Measure(p).Chars < 20 && len(parts) > 1 {
			continue
		}
		tree.Rename(p, atom.Div)
		tree.DelAttr(p, "colspan", "rowspan")
		t.Parent.InsertBefore(p, t)
	}
	tree.Remove(t)
}

// gridTables rebuilds tables that a generator lays out as a grid of div
// elements (javadoc since 16): a header row, then cells in reading order.
func gridTables(root *html.Node) {
	for _, g := range tree.Find(root, atom.Div) {
		if g.Parent == nil || !tree.HasClass(g, "summary-table") && !tree.HasClass(g, "details-table") {
			continue
		}
		columns := 0
		cells := tree.ElementChildren(g)
		for _, c := range cells {
			if tree.HasClass(c, "table-header") {
				columns++
			}
		}
		if columns == 0 || len(cells)%columns != 0 {
			continue
		}
		table := tree.Element(atom.Table)
		body := tree.Element(atom.Tbody)
		table.AppendChild(body)
		for i, c := range cells {
			if i%columns == 0 {
				body.AppendChild(tree.Element(atom.Tr))
			}
			tree.Remove(c)
			tree.Rename(c, atom.Td)
			if tree.HasClass(c, "table-header") {
				tree.Rename(c, atom.Th)
			}
			body.LastChild.AppendChild(c)
		}
		tree.Replace(g, table)
	}
}

// signature reports whether a term declares something: by its class, or by the
// names of its parts in Sphinx before version 4.
func signature(dt *html.Node) bool {
	if tree.HasClass(dt, "sig") || tree.HasClass(dt, "sig-object") {
		return true
	}
	code := tree.First(dt, atom.Code)
	return code != nil && (tree.HasClass(code, "descname") || tree.HasClass(code, "descclassname"))
}

// terms gives the signatures in definition lists of API references the form
// of code, unless links in them would be lost.
func terms(root *html.Node) {
	for _, dt := range tree.Find(root, atom.Dt) {
		if !signature(dt) {
			continue
		}
		id := tree.Attr(dt, "id")
		for _, a := range tree.Find(dt, atom.A) {
			if selfLink(a) {
				tree.Remove(a)
			}
		}
		if tree.First(dt, atom.A, atom.Img, atom.Dl) != nil {
			continue
		}
		text := oneLine(dt)
		tree.Clear(dt)
		dt.Attr = nil
		if id != "" {
			tree.SetAttr(dt, "id", id)
		}
		code := tree.Element(atom.Code)
		code.AppendChild(tree.TextNode(text))
		dt.AppendChild(code)
	}
}
