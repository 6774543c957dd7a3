package markdown

// GFM tables: one line a row, spans mirrored into the cells they cover.

import (
	"strconv"
	"strings"

	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (w *writer) table(n *html.Node) {
	for _, c := range tree.ElementChildren(n) {
		if tree.Is(c, atom.Caption) {
			w.paragraph(w.inlineRun(c.FirstChild, nil))
		}
	}
	rows, width := w.grid(n)
	if width == 0 {
		w.looseTable(n)
		return
	}
	w.begin()
	w.line(tableRow(rows[0], width))
	w.line("|" + strings.Repeat(" --- |", width))
	for _, row := range rows[1:] {
		w.line(tableRow(row, len(row))) // readers fill short rows up
	}
	w.blank = true
}

// looseTable writes a table without cells, or what stands in it beside them.
func (w *writer) looseTable(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && !tree.Is(c, atom.Caption, atom.Colgroup) {
			w.blocks(c)
		}
	}
}

func tableRow(cells []string, width int) string {
	var b strings.Builder
	b.WriteByte('|')
	for i := range width {
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		b.WriteByte(' ')
		if cell != "" {
			b.WriteString(cell)
			b.WriteByte(' ')
		}
		b.WriteByte('|')
	}
	return b.String()
}

// grid lays the cells of a table out, rows of text with spans filled in.
func (w *writer) grid(n *html.Node) (rows [][]string, width int) {
	type held struct {
		text string
		rows int
	}
	carry := map[int]held{}
	mirrored := 0
	for _, tr := range tableRows(n) {
		var row []string
		fill := func() {
			for h, ok := carry[len(row)]; ok && h.rows > 0 && mirrored < mirrorBudget; h, ok = carry[len(row)] {
				carry[len(row)] = held{h.text, h.rows - 1}
				row = append(row, h.text)
				mirrored++
			}
		}
		filled := false
		for _, c := range tree.ElementChildren(tr) {
			if !tree.Is(c, atom.Td, atom.Th) {
				continue
			}
			fill()
			text := w.cell(c)
			filled = filled || text != ""
			cols, down := span(c, "colspan"), span(c, "rowspan")
			if mirrored += cols - 1; mirrored > mirrorBudget {
				cols, down = 1, 1
			}
			for i := range cols {
				t := text
				if i > 0 && len(text) > mirrorLimit {
					t = ""
				}
				if down > 1 {
					carry[len(row)] = held{t, down - 1}
				}
				row = append(row, t)
			}
		}
		fill()
		if !filled {
			continue
		}
		width = max(width, len(row))
		rows = append(rows, row)
	}
	return rows, width
}

func span(c *html.Node, key string) int {
	v, err := strconv.Atoi(strings.TrimSpace(tree.Attr(c, key)))
	if err != nil || v < 1 {
		return 1
	}
	return min(v, spanLimit)
}

// tableRows are the rows of a table itself, a foot last.
func tableRows(n *html.Node) []*html.Node {
	var rows, foot []*html.Node
	for _, c := range tree.ElementChildren(n) {
		switch c.DataAtom {
		case atom.Tr:
			rows = append(rows, c)
		case atom.Thead, atom.Tbody:
			rows = append(rows, tableRows(c)...)
		case atom.Tfoot:
			foot = append(foot, tableRows(c)...)
		}
	}
	return append(rows, foot...)
}

// cell writes a cell as one line.
func (w *writer) cell(n *html.Node) string {
	r := &run{w: w, cell: true}
	r.cellBlocks(n)
	s := strings.TrimSpace(string(r.b))
	for strings.HasSuffix(s, "<br>") {
		s = strings.TrimSpace(strings.TrimSuffix(s, "<br>"))
	}
	for strings.HasPrefix(s, "<br>") {
		s = strings.TrimSpace(strings.TrimPrefix(s, "<br>"))
	}
	return s
}

// cellBlocks writes blocks on one line, with br between them.
func (r *run) cellBlocks(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || !tree.Block(c.DataAtom) && !holdsBlock(c) {
			r.node(c)
			continue
		}
		r.cellBlock(c)
	}
}

func (r *run) cellBlock(n *html.Node) {
	switch n.DataAtom {
	case atom.Pre:
		r.cellCode(n)
		return
	case atom.Ul, atom.Ol:
		r.cellBreak()
		r.raw("<" + n.Data + ">")
		for _, li := range tree.ElementChildren(n) {
			r.raw("<li>")
			r.cellBlocks(li)
			r.space = false
			r.b = append(r.b, "</li>"...)
		}
		r.b = append(r.b, "</"+n.Data+">"...)
		return
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt:
		r.cellBreak()
		if s, _, _ := r.sub(n); s != "" {
			r.raw(strong(s))
		}
		return
	case atom.Hr:
		return
	}
	if tree.Attr(n, canon.AttrMath) == "display" {
		r.cellBreak()
		r.formula(n, "display")
		return
	}
	if tree.Blank(n) && tree.First(n, atom.Img) == nil {
		return
	}
	r.cellBreak()
	r.cellBlocks(n)
	if r.more(n) {
		r.cellBreak()
	}
}

// more reports whether something visible follows n in its cell.
func (r *run) more(n *html.Node) bool {
	for c := n.NextSibling; c != nil; c = c.NextSibling {
		if !tree.Blank(c) {
			return true
		}
	}
	return false
}

// cellBreak puts a br before a block unless one is there or none is needed.
func (r *run) cellBreak() {
	s := string(trimSpaceRight(r.b))
	if s == "" || strings.HasSuffix(s, "<br>") || strings.HasSuffix(s, "<li>") || strings.HasSuffix(s, "</ul>") || strings.HasSuffix(s, "</ol>") || strings.HasSuffix(s, "</pre>") {
		r.space = false
		return
	}
	r.lineBreak()
}

// cellCode writes a code block on one line.
func (r *run) cellCode(n *html.Node) {
	text := strings.Trim(strings.ReplaceAll(tree.Raw(n), "\u00a0", " "), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	r.cellBreak()
	class := ""
	if c := tree.First(n, atom.Code); c != nil && strings.HasPrefix(tree.Attr(c, "class"), "language-") {
		class = ` class="` + html.EscapeString(tree.Attr(c, "class")) + `"`
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			b.WriteString("<br>")
		case c == '\r':
		case c == '\t':
			b.WriteString("    ")
		case isPunct(c) && strings.IndexByte("\\`*_[]<>&~|$!#", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	r.raw("<pre><code" + class + ">" + b.String() + "</code></pre>")
}
