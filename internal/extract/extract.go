// Package extract finds what a web page is about: its main content as a
// canonical DOM (described in platform/canon) and its metadata. Pages of known
// documentation generators are read by the generator's rules; all others by
// Readability's scoring, checked against the page's own main element. It
// fetches nothing, and it writes no Markdown.
//
// Differences from Mozilla's Readability, which the generic path builds on:
// tabs, accordions and admonitions are kept and labelled, code keeps its
// language, heading levels stay, relative links follow <base>, reference pages
// are not cut down to their prose, captions and credits of pictures, lists of
// related articles, newsletter boxes and bylines around an article go, and a
// result that holds too little of the page is not returned but widened.
package extract

import (
	"bytes"

	"evergreen/internal/platform"
	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Result is what a page says and what is known about it. Empty strings mean
// that the page does not say.
type Result struct {
	Title       string // cleaned of the site's name
	Description string // as the page's head says it
	SiteName    string
	Byline      string
	Language    string // as the page declares it, such as "en" or "zh-CN"
	Published   string // as written in the page's metadata, RFC 3339 when it is a full time
	Updated     string
	URL         string // the canonical address, absolute, if the page names one; else the one it was read from

	Platform  string   // a name of the platform table
	Extractor string   // which way of extraction won, one of the constants below
	Coverage  float64  // share of the page's visible text that was kept, 0 to 1
	Warnings  []string // complete sentences, in the order the steps ran

	Heading string // the page's h1 when Node does not hold it: extractors take it for a repetition of the title

	Node *html.Node // div with the content, canonical; addresses are absolute
	HTML string     // Node as HTML
	Text string     // Node as text, one block a line
}

// The ways of extraction.
const (
	ByPlatform    = "platform"    // the generator's content container
	ByReadability = "readability" // Readability's scoring
	ByContainer   = "container"   // the page's single main or article
	ByBody        = "body"        // all visible text, because less was too little
)

// Page extracts the main content of a page in UTF-8. pageURL is where it came
// from and may be empty, which leaves relative addresses relative. No input
// fails: a page without text gives an empty result and a warning.
func Page(page []byte, pageURL string) *Result {
	doc, flat := tree.Parse(page)
	r := &Result{URL: pageURL}
	if flat {
		r.warn("The page nests elements deeper than 512 levels; the deepest were flattened.")
	}
	base := resolveBase(doc, pageURL)
	resolveLinks(doc, base)
	m := readMetadata(doc)
	p := platform.Detect(doc, pageURL)
	r.Platform = p.Name
	canon.Open(doc, canon.Clean)
	hide(doc)
	r.content(doc, p, m.article)
	r.describe(m)
	canon.Rewrite(r.Node, canon.Clean)
	dropDataImages(r.Node)
	if tree.First(r.Node, atom.H1) == nil {
		r.Heading = m.h1
	}
	r.write()
	return r
}

// Document returns the content as a document of its own: Node, with Heading
// before it as h1 when the page has one outside Node. r is not changed.
func (r *Result) Document() *html.Node {
	if r.Heading == "" || r.Text == "" {
		return r.Node
	}
	out := tree.Clone(r.Node)
	h := tree.Element(atom.H1)
	h.AppendChild(tree.TextNode(r.Heading))
	tree.Prepend(out, h)
	return out
}

func (r *Result) warn(s string) { r.Warnings = append(r.Warnings, s) }

// describe copies what the metadata says.
func (r *Result) describe(m metadata) {
	r.Description = m.description
	r.Title, r.SiteName, r.Byline, r.Language = m.title, m.site, m.byline, m.language
	r.Published, r.Updated = m.published, m.updated
	if m.canonical != "" {
		r.URL = m.canonical
	}
}

// write fills in the forms of the content that are text.
func (r *Result) write() {
	var b bytes.Buffer
	if err := html.Render(&b, r.Node); err != nil {
		r.warn("The content could not be written as HTML: " + err.Error() + ".")
	}
	r.HTML = b.String()
	r.Text = tree.Text(r.Node)
	if r.Text == "" {
		r.warn("The page holds no readable text; it may need a browser that runs its scripts.")
	}
}
