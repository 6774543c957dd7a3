package format

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Writing a tree of HTML as Markdown blocks. Depth is bounded by the parser.

type htmlWriter struct{ base *url.URL }

// blocks returns the Markdown blocks of a node's children; runs of inline
// content become paragraphs.
func (w htmlWriter) blocks(n *html.Node) []string {
	var out []string
	var run strings.Builder
	flush := func() {
		if s := tidy(run.String()); s != "" {
			out = append(out, s)
		}
		run.Reset()
	}
	for c := range n.ChildNodes() {
		switch {
		case dropped(c):
		case c.Type == html.TextNode || (c.Type == html.ElementNode && inlineElement(c.DataAtom) && !holdsBlocks(c)):
			run.WriteString(w.inline(c))
		case c.Type == html.ElementNode:
			flush()
			out = append(out, w.block(c)...)
		}
	}
	flush()
	return out
}

// holdsBlocks reports whether an inline element wraps block elements.
func holdsBlocks(n *html.Node) bool {
	return find(n, func(d *html.Node) bool { return d.Type == html.ElementNode && !inlineElement(d.DataAtom) }) != nil
}

// block writes one block element.
func (w htmlWriter) block(n *html.Node) []string {
	switch a := n.DataAtom; a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if s := oneLine(w.inlines(n)); s != "" {
			return []string{strings.Repeat("#", headingLevel(a)) + " " + s}
		}
		return nil
	case atom.Pre:
		return []string{codeBlock(n)}
	case atom.Ul, atom.Ol, atom.Menu:
		if s := w.list(n); s != "" {
			return []string{s}
		}
		return nil
	case atom.Blockquote:
		if inner := w.blocks(n); len(inner) > 0 {
			return []string{indent(strings.Join(inner, "\n\n"), "> ", "> ")}
		}
		return nil
	case atom.Table:
		return w.table(n)
	case atom.Hr:
		return []string{"---"}
	case atom.Dt, atom.Summary:
		if s := oneLine(w.inlines(n)); s != "" {
			return []string{"**" + s + "**"}
		}
		return nil
	}
	return w.blocks(n)
}

// codeBlock fences preformatted text, its language from a class.
func codeBlock(n *html.Node) string {
	lang := language(n)
	if code := find(n, func(d *html.Node) bool { return d.DataAtom == atom.Code }); code != nil && lang == "" {
		lang = language(code)
	}
	code := strings.Trim(textOf(n), "\n")
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + lang + "\n" + code + "\n" + fence
}

func language(n *html.Node) string {
	for class := range strings.FieldsSeq(attr(n, "class")) {
		for _, prefix := range []string{"language-", "lang-"} {
			if lang, ok := strings.CutPrefix(class, prefix); ok && !strings.Contains(lang, "`") {
				return lang
			}
		}
	}
	return ""
}

// list writes the items of a list; paragraphs of an item are indented.
func (w htmlWriter) list(n *html.Node) string {
	number := 1
	if start, err := strconv.Atoi(attr(n, "start")); err == nil {
		number = start
	}
	var items []string
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || dropped(c) {
			continue
		}
		marker := "- "
		if n.DataAtom == atom.Ol {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		body := strings.Join(w.blocks(c), "\n\n")
		if body != "" {
			items = append(items, indent(body, marker, strings.Repeat(" ", len(marker))))
		}
	}
	return strings.Join(items, "\n")
}

// indent puts first before the first line and rest before the others.
func indent(s, first, rest string) string {
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		prefix := rest
		if i == 0 {
			prefix = first
		} else {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(prefix+line, " "))
	}
	return b.String()
}

// table writes a GFM table; one that holds other blocks than text falls apart
// into them.
func (w htmlWriter) table(n *html.Node) []string {
	var rows [][]string
	width := 0
	for tr := range n.Descendants() {
		if tr.DataAtom != atom.Tr {
			continue
		}
		var cells []string
		for c := range tr.ChildNodes() {
			if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
				continue
			}
			if find(c, func(d *html.Node) bool { return d.DataAtom == atom.Pre || d.DataAtom == atom.Table }) != nil {
				return w.blocks(n)
			}
			cell := strings.ReplaceAll(oneLine(w.inlines(c)), "|", `\|`)
			cells = append(cells, cell)
		}
		if len(cells) > 0 {
			rows = append(rows, cells)
			width = max(width, len(cells))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	var b strings.Builder
	for i, cells := range rows {
		for len(cells) < width {
			cells = append(cells, "")
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", width) + "\n")
		}
	}
	return []string{strings.TrimSuffix(b.String(), "\n")}
}

// inlines writes a node's content as one run of text.
func (w htmlWriter) inlines(n *html.Node) string {
	var b strings.Builder
	for c := range n.ChildNodes() {
		if !dropped(c) {
			if c.Type == html.ElementNode && !inlineElement(c.DataAtom) {
				b.WriteByte(' ')
			}
			b.WriteString(w.inline(c))
		}
	}
	return b.String()
}

// inline writes one node of a line.
func (w htmlWriter) inline(n *html.Node) string {
	if n.Type == html.TextNode {
		return escape(n.Data)
	}
	if n.Type != html.ElementNode || dropped(n) {
		return ""
	}
	switch n.DataAtom {
	case atom.Br:
		return "\\\n"
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		return codeSpan(oneLine(textOf(n)))
	case atom.Strong, atom.B:
		return around(w.inlines(n), "**")
	case atom.Em, atom.I:
		return around(w.inlines(n), "*")
	case atom.Del, atom.S:
		return around(w.inlines(n), "~~")
	case atom.Img:
		if src := w.link(attr(n, "src")); src != "" {
			return "![" + escape(oneLine(attr(n, "alt"))) + "](" + src + ")"
		}
		return ""
	case atom.A:
		text := oneLine(w.inlines(n))
		if href := w.link(attr(n, "href")); href != "" && text != "" {
			return "[" + text + "](" + href + ")"
		}
		return text
	}
	return w.inlines(n)
}

// link makes an address absolute where it can.
func (w htmlWriter) link(href string) string {
	href = strings.TrimSpace(href)
	if w.base != nil && href != "" && !strings.HasPrefix(href, "#") {
		if u, err := w.base.Parse(href); err == nil {
			href = u.String()
		}
	}
	if strings.ContainsAny(href, " ()<>\n") {
		href = "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "").Replace(href) + ">"
	}
	return href
}

func codeSpan(s string) string {
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// around puts a mark around text, inside the white space at its ends.
func around(s, mark string) string {
	inner := strings.TrimSpace(s)
	if inner == "" {
		return s
	}
	at := strings.Index(s, inner)
	return s[:at] + mark + inner + mark + s[at+len(inner):]
}

// marks are the characters that Markdown would read anywhere in a line.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`)

// escape keeps text from being read as Markdown.
func escape(s string) string { return marks.Replace(s) }

// tidy brings white space of a paragraph to single spaces, line breaks kept,
// and keeps every line from opening a block.
func tidy(s string) string {
	var lines []string
	for line := range strings.SplitSeq(s, "\\\n") {
		if line = oneLine(line); line != "" {
			lines = append(lines, guardLine(line))
		}
	}
	return strings.Join(lines, "\\\n")
}

// guardLine keeps the first characters of a line from opening a block.
func guardLine(s string) string {
	switch s[0] {
	case '#', '+', '-', '>', '=', '~':
		return `\` + s
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')') {
		return s[:digits] + `\` + s[digits:]
	}
	return s
}
