package markdown

// The writer of blocks: every block is a run of lines with the prefix of the
// quotes and lists around it, and blank lines stand between blocks only.

import (
	"net/url"
	"strings"

	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

type writer struct {
	out      strings.Builder
	base     *url.URL
	prefix   string // before every line
	lead     string // instead of prefix before the next line: ends in a list marker
	blank    bool   // a blank line must come before the next block
	depth    int    // of quotes and lists around the next block
	faithful bool   // repeat no words the page does not show
	marker   byte   // of the list that was the last block, 0 for other blocks
}

// line writes one line with its prefix.
func (w *writer) line(s string) {
	p := w.prefix
	if w.lead != "" {
		p, w.lead = w.lead, ""
	}
	if s == "" {
		p = strings.TrimRight(p, " ")
	}
	w.out.WriteString(p)
	w.out.WriteString(s)
	w.out.WriteByte('\n')
}

// begin starts a block.
func (w *writer) begin() {
	if w.blank && w.lead == "" {
		w.line("")
	}
	w.blank = false
	w.marker = 0
}

// paragraph writes the lines of s as one block.
func (w *writer) paragraph(s string) {
	if s == "" {
		return
	}
	w.begin()
	w.lines(s)
	w.blank = true
}

func (w *writer) lines(s string) {
	for {
		l, rest, more := strings.Cut(s, "\n")
		w.line(l)
		if !more {
			return
		}
		s = rest
	}
}

// blocks writes the children of n: runs of inline content as paragraphs,
// everything else by its kind.
func (w *writer) blocks(n *html.Node) { w.blocksFrom(n.FirstChild) }

func (w *writer) blocksFrom(c *html.Node) {
	for c != nil {
		if inline(c) {
			end := c
			for end != nil && inline(end) {
				end = end.NextSibling
			}
			w.paragraph(w.inlineRun(c, end))
			c = end
			continue
		}
		w.block(c)
		c = c.NextSibling
	}
}

// inline reports whether n takes part in a line of text.
func inline(n *html.Node) bool {
	switch n.Type {
	case html.TextNode, html.CommentNode:
		return true
	case html.ElementNode:
		if tree.Block(n.DataAtom) || n.DataAtom == atom.Head {
			return false
		}
		return n.DataAtom == atom.Svg || !holdsBlock(n)
	}
	return false
}

func holdsBlock(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (tree.Block(c.DataAtom) || holdsBlock(c)) {
			return true
		}
	}
	return false
}

func (w *writer) block(n *html.Node) {
	if n.Type == html.DoctypeNode || tree.HasAttr(n, canon.AttrCodeLabel) {
		return
	}
	switch n.DataAtom {
	case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object:
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading(n)
	case atom.P:
		w.labelled(n)
	case atom.Pre:
		w.code(n)
	case atom.Blockquote:
		w.quote(n)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		w.list(n)
	case atom.Dl:
		w.definitions(n)
	case atom.Table:
		w.table(n)
	case atom.Hr:
		w.begin()
		w.line("---")
		w.blank = true
	case atom.Details:
		w.details(n)
	case atom.Summary:
		if !tree.Is(n.Parent, atom.Details) { // else details wrote it
			w.blocks(n)
		}
	case atom.Li:
		if w.depth >= nestLimit {
			w.blocks(n)
			return
		}
		w.item(n, "- ", true)
	default:
		w.division(n)
	}
}

// division writes a block without a sign of its own.
func (w *writer) division(n *html.Node) {
	switch {
	case tree.HasAttr(n, canon.AttrFootnoteText):
		w.footnote(n)
	case tree.Attr(n, canon.AttrMath) == "display":
		w.paragraph("$$\n" + strings.TrimSpace(squashLines(tree.Raw(n))) + "\n$$")
	default:
		w.blocks(n)
	}
}

// squashLines takes blank lines out of a formula, which would end it.
func squashLines(s string) string {
	var kept []string
	for _, l := range strings.Split(s, "\n") {
		if l = strings.TrimRight(l, " \t\r"); l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// labelled writes a paragraph; the name of a tab or callout is bold.
func (w *writer) labelled(n *html.Node) {
	switch {
	case tree.HasAttr(n, canon.AttrFootnoteText):
		w.footnote(n)
	case tree.HasAttr(n, canon.AttrLabel):
		if s := w.text(n.FirstChild, nil); s != "" {
			w.paragraph("**" + s + "**")
		}
	default:
		w.blocks(n)
	}
}

func (w *writer) heading(n *html.Node) {
	s := strings.Join(strings.Fields(strings.ReplaceAll(w.text(n.FirstChild, nil), "  \n", " ")), " ")
	if s == "" {
		return
	}
	if strings.HasSuffix(s, "#") && !strings.HasSuffix(s, `\#`) {
		s = s[:len(s)-1] + `\#`
	}
	w.begin()
	w.line("######"[:n.Data[1]-'0'] + " " + s)
	w.blank = true
}

// code writes a fenced block; the fence is longer than any in the code.
func (w *writer) code(n *html.Node) {
	text := strings.ReplaceAll(strings.TrimRight(tree.Raw(n), "\n\r\t "), "\u00a0", " ")
	text = strings.Trim(stripInvisible(text), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	lang := ""
	if c := tree.First(n, atom.Code); c != nil {
		for _, class := range strings.Fields(tree.Attr(c, "class")) {
			if l, ok := strings.CutPrefix(class, "language-"); ok {
				lang = l
			}
		}
	}
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	w.begin()
	w.line(fence + lang)
	w.lines(text)
	w.line(fence)
	w.blank = true
}

// longestRun is the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	best, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			run++
			best = max(best, run)
		} else {
			run = 0
		}
	}
	return best
}

// nested writes content under a deeper prefix.
func (w *writer) nested(prefix string, write func()) {
	old := w.prefix
	w.depth++
	defer func() { w.depth-- }()
	if w.lead != "" {
		w.lead += prefix
	}
	w.prefix += prefix
	blank := w.blank
	w.blank = false
	before := w.out.Len()
	write()
	w.prefix = old
	w.lead = ""
	w.blank = blank || w.out.Len() > before
}

func (w *writer) quote(n *html.Node) {
	if silent(n) {
		return
	}
	if w.depth >= nestLimit {
		w.blocks(n)
		return
	}
	w.begin()
	w.nested("> ", func() {
		kind := tree.Attr(n, canon.AttrCallout)
		if kind == "" || kind == "quote" {
			w.blocks(n)
			return
		}
		w.callout(n, kind)
	})
}

// callout writes an admonition as a GFM alert with its own title as its first
// line. Faithful writing uses the title as the alert's name when it is one.
func (w *writer) callout(n *html.Node, kind string) {
	alert := alertOf(kind)
	c := n.FirstChild
	for c != nil && c.Type == html.TextNode && strings.TrimSpace(c.Data) == "" {
		c = c.NextSibling
	}
	if c != nil && tree.HasAttr(c, canon.AttrLabel) && w.faithful {
		if title := strings.Trim(tree.Text(c), " :!"); strings.EqualFold(title, kind) || strings.EqualFold(title, alert) {
			alert, c = title, c.NextSibling
			w.line("[!" + alert + "]")
			w.blocksFrom(c)
			return
		}
	}
	w.line("[!" + alert + "]")
	if c != nil && !inline(c) && !tree.Is(c, atom.P, atom.Div) {
		w.blank = true
	}
	w.blocks(n)
}

// alertOf maps the many types of admonition to the five that GFM draws.
func alertOf(kind string) string {
	switch kind {
	case "tip", "hint", "success":
		return "TIP"
	case "important":
		return "IMPORTANT"
	case "warning", "attention", "deprecated":
		return "WARNING"
	case "caution", "danger", "error", "failure", "bug":
		return "CAUTION"
	}
	return "NOTE"
}

func (w *writer) details(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !tree.Is(c, atom.Summary) {
			continue
		}
		if holdsBlock(c) {
			w.blocks(c)
		} else if s := w.text(c.FirstChild, nil); s != "" {
			w.paragraph(strong(s))
		}
	}
	w.blocks(n)
}

// strong makes a whole line bold unless part of it is already.
func strong(s string) string {
	if strings.Contains(s, "**") || strings.Contains(s, "\n") {
		return guardLines(s)
	}
	return "**" + s + "**"
}

// footnote writes the text of a footnote.
func (w *writer) footnote(n *html.Node) {
	if tree.Blank(n) {
		return
	}
	w.begin()
	w.lead = w.prefix + "[^" + footnoteName(tree.Attr(n, canon.AttrFootnoteText)) + "]: "
	w.nested("    ", func() { w.lead = strings.TrimSuffix(w.lead, "    "); w.blocks(n) })
	w.blank = true
}

// footnoteName makes a label fit for a footnote.
func footnoteName(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '[', ']', ' ', '^':
			return -1
		}
		return r
	}, s)
}
