package score

// This file takes a page apart.

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parse reads a page or a fragment. One that nests deeper than the parser
// allows is an empty page.
func Parse(src string) *html.Node {
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return &html.Node{Type: html.DocumentNode}
	}
	return root
}

// Find returns the elements below n that a CSS selector matches.
func Find(n *html.Node, selector string) []*html.Node {
	return cascadia.QueryAll(n, cascadia.MustCompile(selector))
}

// Without removes the elements that a CSS selector matches.
func Without(n *html.Node, selector string) *html.Node {
	for _, x := range Find(n, selector) {
		if x.Parent != nil {
			x.Parent.RemoveChild(x)
		}
	}
	return n
}

// HTML writes a tree.
func HTML(n *html.Node) string {
	var b strings.Builder
	_ = html.Render(&b, n) // a Builder does not fail
	return b.String()
}

// blocks stand on lines of their own.
const blocks = " p div section article header footer nav aside main ul ol li dl dt dd table tr td th thead tbody caption" +
	" h1 h2 h3 h4 h5 h6 pre blockquote figure figcaption br hr details summary form fieldset address option button "

// unread are elements whose text nobody reads.
const unread = " script style noscript template svg head "

func among(n *html.Node, names string) bool {
	return n.Type == html.ElementNode && strings.Contains(names, " "+n.Data+" ")
}

// TextOf is a tree's text, blocks on lines of their own.
func TextOf(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if among(n, unread) {
			return
		}
		line := among(n, blocks)
		if line {
			b.WriteByte('\n')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if line {
			b.WriteByte('\n')
		}
	}
	walk(n)
	return b.String()
}

// Line is a tree's text on one line, without characters that have no width.
func Line(n *html.Node) string {
	s := strings.NewReplacer("\u200b", "", "\ufeff", "", "¶", "", "\u200c", "", "\u200d", "", "\u00ad", "", "\u00a0", " ").Replace(TextOf(n))
	return strings.Join(strings.Fields(s), " ")
}

// Page is what a page consists of.
type Page struct {
	Text     string
	Code     Bag // code blocks, without blanks at the ends of lines
	Language Bag // code blocks that name their language, "language: code"
	Inline   Bag // code within lines
	Cells    Bag // of tables
	Headings Bag // without their level
	Levels   Bag // headings with their level
	Links    Bag // "text -> address", outside code
	Labels   Bag // texts of links outside code blocks
	Images   Bag
	Items    Bag // of lists
}

// Read takes the tree below n apart.
func Read(n *html.Node) *Page {
	p := &Page{Text: Line(n), Code: Bag{}, Language: Bag{}, Inline: Bag{}, Cells: Bag{}, Headings: Bag{}, Levels: Bag{},
		Links: Bag{}, Labels: Bag{}, Images: Bag{}, Items: Bag{}}
	p.code(n)
	for _, x := range Find(n, "td, th") {
		p.Cells.Add(Line(x))
	}
	for _, x := range Find(n, "h1, h2, h3, h4, h5, h6") {
		if text := strings.TrimRight(Line(x), " #"); text != "" {
			p.Headings.Add(text)
			p.Levels.Add(x.Data + " " + text)
		}
	}
	for _, x := range Find(n, "a[href]") {
		p.link(x)
	}
	for _, x := range Find(n, "img[src]") {
		p.Images.Add(attr(x, "src"))
	}
	for _, x := range Find(n, "li") {
		p.Items.Add(Line(x))
	}
	return p
}

func (p *Page) code(n *html.Node) {
	for _, x := range Find(n, "pre") {
		text := Code(x)
		if text == "" || inside(x, atom.Pre) {
			continue
		}
		p.Code.Add(text)
		if language := LanguageOf(x); language != "" {
			p.Language.Add(language + ": " + text)
		}
	}
	for _, x := range Find(n, "code") {
		if !inside(x, atom.Pre) {
			p.Inline.Add(strings.Join(strings.Fields(Code(x)), " "))
		}
	}
}

// link leaves out what Markdown cannot say: addresses of links inside code.
func (p *Page) link(a *html.Node) {
	text, to := Line(a), attr(a, "href")
	if text == "" || strings.HasPrefix(to, "javascript:") || inside(a, atom.Pre) {
		return
	}
	p.Labels.Add(text)
	if !inside(a, atom.Code) {
		p.Links.Add(text + " -> " + to)
	}
}

// Code is a code block as it is meant: line ends and hard spaces made plain,
// no blanks at the ends of lines, no empty lines around it.
func Code(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case among(n, " br "):
			b.WriteByte('\n')
		case among(n, " button script style "):
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\u00a0", " ", "\u200b", "").Replace(b.String()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// LanguageOf is the language that a code block, what is in it, or up to two
// elements around it name, in lower case; "" when none does. Plain text is
// "text", however it is spelled.
func LanguageOf(pre *html.Node) string {
	language := languageAround(pre)
	if language == "txt" || language == "plain" || language == "plaintext" {
		return "text"
	}
	return language
}

func languageAround(pre *html.Node) string {
	for i, n := 0, pre; n != nil && n.Type == html.ElementNode && i < 3; i, n = i+1, n.Parent {
		if l := named(n); l != "" {
			return l
		}
	}
	for _, c := range Find(pre, "code") {
		if l := named(c); l != "" {
			return l
		}
	}
	return ""
}

func named(n *html.Node) string {
	for _, key := range []string{"data-lang", "data-language"} {
		if l := attr(n, key); l != "" {
			return strings.ToLower(l)
		}
	}
	for _, class := range strings.Fields(attr(n, "class")) {
		for _, prefix := range []string{"language-", "lang-", "highlight-"} {
			l, ok := strings.CutPrefix(class, prefix)
			if ok && l != "" && l != "default" && l != "none" && !strings.HasPrefix(l, "source") {
				return strings.ToLower(l)
			}
		}
	}
	return ""
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func inside(n *html.Node, a atom.Atom) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == a {
			return true
		}
	}
	return false
}
