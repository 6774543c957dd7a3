package format

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"evergreen"
)

// HTML to Markdown for pages that are mostly content: the <main> element when
// there is one, without scripts, navigation and footers.

// readHTML converts a page; pageURL, when given, makes its links absolute.
func readHTML(page []byte, pageURL string) Doc {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil { // nested deeper than the parser goes
		text, title := streamMarkdown(page)
		return Doc{Text: []byte(text), Meta: evergreen.Meta{Title: title},
			Warnings: []string{"the page is nested too deep to be read as a tree; its text was taken without structure"}}
	}
	var doc Doc
	doc.Meta = htmlMeta(root)
	base := baseURL(root, pageURL)
	content := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" })
	if content == nil {
		content = root
	}
	w := htmlWriter{base: base}
	text := strings.Join(w.blocks(content), "\n\n")
	if text == "" {
		doc.Warnings = append(doc.Warnings, "the page holds no text; perhaps it needs JavaScript")
	} else {
		text += "\n"
	}
	doc.Text = []byte(text)
	return doc
}

// htmlMeta reads title, description, language and date from a page's head.
func htmlMeta(root *html.Node) evergreen.Meta {
	var m evergreen.Meta
	for n := range root.Descendants() {
		switch n.DataAtom {
		case atom.Html:
			m.Lang = attr(n, "lang")
		case atom.Title:
			if m.Title == "" && (n.Parent == nil || n.Parent.DataAtom == atom.Head) {
				m.Title = oneLine(textOf(n))
			}
		case atom.Meta:
			content := oneLine(attr(n, "content"))
			switch strings.ToLower(attr(n, "name") + attr(n, "property")) {
			case "description":
				m.Description = content
			case "article:modified_time", "last-modified":
				if day, ok := isoDay(content); ok {
					m.Updated = day
				}
			}
		}
	}
	return m
}

// baseURL is what links are resolved against; nil leaves them as they are.
func baseURL(root *html.Node, pageURL string) *url.URL {
	base, err := url.Parse(pageURL)
	if err != nil || !base.IsAbs() {
		return nil
	}
	if n := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Base && attr(n, "href") != "" }); n != nil {
		if u, err := base.Parse(attr(n, "href")); err == nil {
			return u
		}
	}
	return base
}

// dropped reports whether an element holds nothing to read.
func dropped(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Nav, atom.Footer, atom.Noscript, atom.Template, atom.Svg, atom.Math,
		atom.Iframe, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Head, atom.Object, atom.Dialog:
		return true
	}
	return n.Type == html.ElementNode && (hasAttr(n, "hidden") || attr(n, "aria-hidden") == "true" || attr(n, "role") == "navigation")
}

// streamMarkdown reads a page token by token: headings and paragraphs only.
func streamMarkdown(page []byte) (text, title string) {
	z := html.NewTokenizer(bytes.NewReader(page))
	var blocks []string
	var b strings.Builder
	prefix, skip, inTitle := "", 0, false
	flush := func() {
		if s := oneLine(b.String()); s != "" {
			blocks = append(blocks, prefix+escape(s))
		}
		b.Reset()
		prefix = ""
	}
	for {
		switch z.Next() {
		case html.ErrorToken:
			flush()
			return strings.Join(blocks, "\n\n") + "\n", title
		case html.TextToken:
			if inTitle {
				title = oneLine(string(z.Text()))
			} else if skip == 0 {
				b.Write(z.Text())
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			switch a := atom.Lookup(name); {
			case a == atom.Script || a == atom.Style || a == atom.Nav || a == atom.Footer:
				skip++
			case a == atom.Title:
				inTitle = true
			case headingLevel(a) > 0:
				flush()
				prefix = strings.Repeat("#", headingLevel(a)) + " "
			case !inlineElement(a):
				flush()
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch a := atom.Lookup(name); {
			case a == atom.Script || a == atom.Style || a == atom.Nav || a == atom.Footer:
				skip = max(skip-1, 0)
			case a == atom.Title:
				inTitle = false
			case !inlineElement(a):
				flush()
			}
		}
	}
}

func headingLevel(a atom.Atom) int {
	switch a {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

// inlineElement reports whether an element stands within a line. An unknown
// one does: custom elements mostly wrap words.
func inlineElement(a atom.Atom) bool {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd,
		atom.Details, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Form,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html,
		atom.Li, atom.Main, atom.Ol, atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tbody,
		atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Menu:
		return false
	}
	return true
}

func find(root *html.Node, is func(*html.Node) bool) *html.Node {
	for n := range root.Descendants() {
		if is(n) {
			return n
		}
	}
	return nil
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// textOf is the text within a node, as it stands.
func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		} else if d.DataAtom == atom.Br {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
