package markdown

// This file goes the other way: from anybody's Markdown to HTML that is safe to
// put into a page of ours. Three steps, each by who is best at it: goldmark
// renders, bluemonday keeps what is on an allow-list, and a walk over the tree
// makes it fit for a page (ids, outline, code, names for what has none).

import (
	"bytes"
	"fmt"
	stdhtml "html"
	"regexp"
	"strings"

	"evergreen/internal/commonmark"
	"evergreen/internal/text"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	rendererhtml "github.com/yuin/goldmark/renderer/html"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTMLOptions say how Markdown becomes HTML.
type HTMLOptions struct {
	// Slug makes the id of a heading from its title; nil is text.Slug.
	Slug func(title string) string
	// Highlight returns code as HTML, whose text is that code; its result is
	// trusted. nil, and false, leave the code plain.
	Highlight func(code, language string) (highlighted string, ok bool)
	// TopLevel is the level that the first heading gets, 1 when it is 0.
	TopLevel int
}

// Heading is one heading of a rendered text.
type Heading struct {
	Level int // as rendered: no level is skipped
	ID    string
	Title string
}

// Renderer turns Markdown into safe HTML. It is safe for concurrent use.
type Renderer struct {
	o        HTMLOptions
	markdown goldmark.Markdown
	policy   *bluemonday.Policy
}

// NewRenderer builds a Renderer.
func NewRenderer(o HTMLOptions) *Renderer {
	if o.Slug == nil {
		o.Slug = text.Slug
	}
	o.TopLevel = max(o.TopLevel, 1)
	return &Renderer{o: o, policy: safePolicy(), markdown: goldmark.New(
		goldmark.WithParser(parser.NewParser(commonmark.Options(true)...)),
		goldmark.WithExtensions(extension.Linkify, extension.TaskList, extension.Footnote),
		goldmark.WithParserOptions(
			parser.WithInlineParsers(util.Prioritized(commonmark.Inline(extension.NewStrikethroughParser()), 500)),
			parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0), util.Prioritized(alerts{}, 500))),
		goldmark.WithRendererOptions(rendererhtml.WithUnsafe(), renderer.WithNodeRenderers(
			util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
			util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500), util.Prioritized(tasks{}, 100))),
	)}
}

// HTML renders src (UTF-8). It cannot fail: what cannot be made a tree of is
// shown as it is. The headings are those of the result, in order.
func (r *Renderer) HTML(src string) (string, []Heading) {
	var raw bytes.Buffer
	if err := r.markdown.Convert([]byte(src), &raw); err != nil {
		return plainHTML(src), nil
	}
	safe := r.policy.SanitizeBytes(raw.Bytes())
	root, err := parseFragment(safe)
	if err != nil {
		return plainHTML(src), nil
	}
	f := fitter{Renderer: r, used: map[string]bool{}, next: map[string]int{}}
	f.fit(root)
	var out bytes.Buffer
	for n := root.FirstChild; n != nil; n = n.NextSibling {
		if err := html.Render(&out, n); err != nil {
			return plainHTML(src), nil
		}
	}
	return out.String(), f.headings
}

func plainHTML(src string) string { return "<pre>" + stdhtml.EscapeString(src) + "</pre>\n" }

// parseFragment parses HTML as the content of one element.
func parseFragment(src []byte) (*html.Node, error) {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(bytes.NewReader(src), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return nil, fmt.Errorf("parse rendered Markdown: %w", err)
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root, nil
}

// safePolicy allows what Markdown and the HTML within it need to say: no
// scripts, styles, forms, frames or handlers, and no URL but http, https,
// mailto, relative ones, and images as data.
func safePolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "em", "strong", "del",
		"s", "u", "b", "i", "sub", "sup", "kbd", "samp", "var", "mark", "small", "abbr", "q", "cite", "dfn", "ins", "time",
		"ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption",
		"details", "summary", "figure", "figcaption", "div", "span", "section", "ruby", "rt", "rp", "wbr", "a", "img")
	p.AllowStandardURLs()
	p.RequireNoFollowOnLinks(false)
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	p.AllowDataURIImages()
	p.AllowAttrs("width", "height").Matching(bluemonday.Integer).OnElements("img")
	p.AllowAttrs("id").Matching(safeID).Globally()
	p.AllowAttrs("lang").Matching(regexp.MustCompile(`^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$`)).Globally()
	p.AllowAttrs("title").Globally()
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[\w+#.-]{1,40}$`)).OnElements("code")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^alert-(note|tip|important|warning|caution)$`)).OnElements("blockquote")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("colspan", "rowspan").Matching(bluemonday.Integer).OnElements("td", "th")
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("td", "th")
	p.AllowAttrs("datetime").Matching(bluemonday.ISO8601).OnElements("time")
	p.AllowNoAttrs().OnElements("span", "a")
	return p
}

// safeID is an id that a link can name, and that is none of the page's own. It
// has no upper count: one of letters would be compiled into megabytes.
var safeID = regexp.MustCompile(`^[\p{L}\p{N}_:.()~-]+$`)

// tasks renders the box of a task as a sign: a real one would be a form control
// without a name.
type tasks struct{}

func (tasks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTaskCheckBox, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		sign := "☐ "
		if n.(*extast.TaskCheckBox).IsChecked {
			sign = "☑ "
		}
		_, err := w.WriteString(sign)
		return ast.WalkContinue, err
	})
}

// alerts marks quotations that begin with [!NOTE] and its kin.
type alerts struct{}

func (alerts) Transform(doc *ast.Document, reader gtext.Reader, _ parser.Context) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		quote, ok := n.(*ast.Blockquote)
		if !ok || quote.FirstChild() == nil || quote.FirstChild().Kind() != ast.KindParagraph {
			continue
		}
		first := quote.FirstChild()
		if first.Lines().Len() == 0 {
			continue
		}
		segment := first.Lines().At(0)
		line := segment.Value(reader.Source())
		name := strings.TrimSpace(string(line))
		if len(name) < 4 || !strings.HasPrefix(name, "[!") || !strings.HasSuffix(name, "]") {
			continue
		}
		kind := strings.ToLower(name[2 : len(name)-1])
		if !alertKind(kind) {
			continue
		}
		quote.SetAttributeString("class", []byte("alert-"+kind))
		label(first, segment.Stop, kind)
	}
}

// label replaces the marker at the beginning of a quotation, which reaches to
// the byte stop, by the word in bold.
func label(paragraph ast.Node, stop int, kind string) {
	for c := paragraph.FirstChild(); c != nil; {
		next := c.NextSibling()
		if t, ok := c.(*ast.Text); ok && t.Segment.Start >= stop {
			break
		}
		paragraph.RemoveChild(paragraph, c)
		c = next
	}
	strong := ast.NewEmphasis(2)
	strong.AppendChild(strong, ast.NewString([]byte(strings.ToUpper(kind[:1])+kind[1:])))
	breaks := ast.NewString([]byte(". "))
	if first := paragraph.FirstChild(); first != nil {
		paragraph.InsertBefore(paragraph, first, strong)
		paragraph.InsertAfter(paragraph, strong, breaks)
		return
	}
	paragraph.AppendChild(paragraph, strong)
}

func alertKind(kind string) bool {
	switch kind {
	case "note", "tip", "important", "warning", "caution":
		return true
	}
	return false
}
