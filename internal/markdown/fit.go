package markdown

// This file makes rendered Markdown fit for a page: ids that sections are cited
// by, an outline without gaps, highlighted code, names for what has none.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"evergreen/internal/text"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fitter walks one rendered text.
type fitter struct {
	*Renderer
	headings []Heading
	used     map[string]bool
	next     map[string]int // number to try for one more of an id
	open     []int          // levels as written of the headings above the present place
}

// ownPrefix begins the ids of the page around the text; no slug begins so.
const ownPrefix = "_"

// explicitID is the id that several dialects write behind a heading: {#id} and
// {/*id*/}, whose stars may be gone.
var explicitID = regexp.MustCompile(`\s*\{(?:\s*#([^\s{}]+)[^{}]*|/\*?\s*([^*{}]+?)\s*\*?/)\}\s*$`)

// fit changes n's descendants.
func (f *fitter) fit(n *html.Node) {
	f.claimIDs(n)
	f.walk(n)
}

// claimIDs keeps the first of equal ids and none that belongs to the page.
func (f *fitter) claimIDs(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if id := attribute(c, "id"); id != "" {
			if f.used[id] || strings.HasPrefix(id, ownPrefix) {
				removeAttribute(c, "id")
			}
			f.used[id] = true
		}
		f.claimIDs(c)
	}
}

func (f *fitter) walk(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		f.node(c)
		c = next
	}
}

// node fits one node and those below it.
func (f *fitter) node(n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		f.heading(n)
	case "pre":
		f.code(n)
		return
	case "img":
		if _, ok := find(n, "alt"); !ok {
			n.Attr = append(n.Attr, html.Attribute{Key: "alt"})
		}
		n.Attr = append(n.Attr, html.Attribute{Key: "loading", Val: "lazy"})
	case "a":
		f.link(n)
	case "table":
		if plainTable(n) {
			wrap(n, "div", "scroll")
		}
	case "td", "th":
		if align := attribute(n, "align"); align != "" {
			removeAttribute(n, "align")
			n.Attr = append(n.Attr, html.Attribute{Key: "class", Val: "to-" + align})
		}
	case "details":
		if !hasChild(n, "summary") {
			n.Data = "div" // without a summary nothing names it
		}
	}
	f.walk(n)
}

// heading gives a heading its id and its place in the outline; an empty one
// goes.
func (f *fitter) heading(n *html.Node) {
	title := strings.Join(strings.Fields(content(n)), " ")
	explicit := ""
	if m := explicitID.FindStringSubmatchIndex(title); m != nil {
		for g := 2; g <= 4; g += 2 {
			if m[g] >= 0 {
				explicit = title[m[g]:m[g+1]]
			}
		}
		title = title[:m[0]]
		cutAfter(n, len([]rune(strings.Join(strings.Fields(title), ""))))
	}
	title = text.CleanTitle(title)
	if title == "" {
		n.Parent.RemoveChild(n)
		return
	}
	level := f.level(int(n.Data[1] - '0'))
	n.Data = "h" + strconv.Itoa(level)
	id := attribute(n, "id")
	if id == "" {
		if id = explicit; id == "" || !safeID.MatchString(id) {
			id = f.Renderer.o.Slug(title)
		}
		id = f.free(id)
		n.Attr = append(n.Attr, html.Attribute{Key: "id", Val: id})
	}
	f.headings = append(f.headings, Heading{Level: level, ID: id, Title: title})
}

// free is the id itself, or the first of id-2, id-3 ... that nothing has.
func (f *fitter) free(id string) string {
	if strings.HasPrefix(id, ownPrefix) {
		id = "s-" + id
	}
	at, n := id, max(f.next[id], 2)
	for ; f.used[at]; n++ {
		at = id + "-" + strconv.Itoa(n)
	}
	f.used[at], f.next[id] = true, n
	return at
}

// level is the level at which a heading written at another is shown: one below
// the heading it stands under. The first heading is the page's own.
func (f *fitter) level(written int) int {
	top := f.Renderer.o.TopLevel
	if len(f.headings) == 0 {
		return top
	}
	for len(f.open) > 0 && f.open[len(f.open)-1] >= written {
		f.open = f.open[:len(f.open)-1]
	}
	f.open = append(f.open, written)
	return min(top+len(f.open), 6)
}

// code highlights a code block and lets the keyboard scroll it.
func (f *fitter) code(pre *html.Node) {
	code := pre.FirstChild
	for code != nil && (code.Type != html.ElementNode || code.Data != "code") {
		code = code.NextSibling
	}
	pre.Attr = append(pre.Attr, html.Attribute{Key: "tabindex", Val: "0"})
	if code == nil || f.Renderer.o.Highlight == nil {
		return
	}
	language := strings.TrimPrefix(attribute(code, "class"), "language-")
	source := content(code)
	highlighted, ok := f.Renderer.o.Highlight(source, language)
	if !ok {
		return
	}
	parsed, err := parseFragment([]byte(highlighted))
	if err != nil || content(parsed) != source {
		return // what reads differently is not what the author wrote
	}
	for c := code.FirstChild; c != nil; c = code.FirstChild {
		code.RemoveChild(c)
	}
	for c := parsed.FirstChild; c != nil; c = parsed.FirstChild {
		parsed.RemoveChild(c)
		code.AppendChild(c)
	}
}

// link takes the link from around nothing: such anchors have no name to read
// out. An id on it stays, for links that lead there.
func (f *fitter) link(n *html.Node) {
	if _, ok := find(n, "href"); !ok || strings.TrimSpace(content(n)) != "" || named(n) {
		return
	}
	n.Data = "span"
	removeAttribute(n, "href")
}

// named reports whether an image below n says what it shows.
func named(n *html.Node) bool {
	if n.Type == html.ElementNode && n.Data == "img" && strings.TrimSpace(attribute(n, "alt")) != "" {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if named(c) {
			return true
		}
	}
	return false
}

// plainTable reports whether a table is not within another.
func plainTable(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Data == "table" || attribute(p, "class") == "scroll" {
			return false
		}
	}
	return true
}

// wrap puts n into a new element, which the keyboard can scroll.
func wrap(n *html.Node, name, class string) {
	outer := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name)), Attr: []html.Attribute{
		{Key: "class", Val: class}, {Key: "tabindex", Val: "0"}}}
	n.Parent.InsertBefore(outer, n)
	n.Parent.RemoveChild(n)
	outer.AppendChild(n)
}

// cutAfter removes the text behind the first n characters that are no blank
// space.
func cutAfter(root *html.Node, n int) {
	var walk func(*html.Node)
	walk = func(node *html.Node) {
		for c := node.FirstChild; c != nil; {
			next := c.NextSibling
			switch {
			case n <= 0 && (c.Type == html.TextNode || strings.TrimSpace(content(c)) != ""):
				node.RemoveChild(c)
			case c.Type == html.TextNode:
				c.Data, n = cutText(c.Data, n)
			default:
				walk(c)
			}
			c = next
		}
	}
	walk(root)
}

func cutText(s string, n int) (kept string, left int) {
	for i, r := range s {
		if strings.TrimSpace(string(r)) == "" {
			continue
		}
		if n == 0 {
			return strings.TrimRight(s[:i], " \t\n"), 0
		}
		n--
	}
	return s, n
}

// content is the text of a node.
func content(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(content(c))
	}
	return b.String()
}

func hasChild(n *html.Node, name string) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == name {
			return true
		}
	}
	return false
}

func find(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

func attribute(n *html.Node, key string) string {
	value, _ := find(n, key)
	return value
}

func removeAttribute(n *html.Node, key string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}
