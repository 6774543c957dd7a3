// Package platform is the one table of documentation generators: how each is
// recognised, and where on its pages the content, the noise, the code blocks,
// tabs, admonitions and heading anchors are. It names places and detects; what
// is done with those places is the work of platform/canon and of extract. To
// teach Evergreen a generator, add a row to table.go and nothing else.
package platform

import (
	"net/url"
	"strings"
	"sync"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Generic is the name of a page that no row of the table recognises.
const Generic = "generic"

// Rule is one row of the table, as written. All places are groups of CSS
// selectors; in Content and Title the order of a group is its preference.
type Rule struct {
	Name string

	// How a page is recognised, strongest first.
	Generator []string // lower-case beginnings of <meta name="generator">
	Marker    string   // elements only this generator writes
	Comment   string   // text of an HTML comment in or before the head
	Hosts     []string // host names and parent domains, asked last
	Theme     bool     // Generator is shared with other rows: Marker must hold too

	// Where things are.
	Content  string // the container of what the author wrote
	Title    string // the page's heading when it stands outside Content
	Noise    string // furniture inside Content
	Anchor   string // self-links inside headings
	CodeBox  string // what wraps one code block and repeats its language or name
	LineNo   string // line numbers inside or beside code
	Layout   string // lists that only arrange parts of a page
	Tabs     []Tabs
	Callouts []Callout
}

// Tabs says where the labels and panels of a group of tabs are: the first
// label belongs to the first panel, and so on.
type Tabs struct{ Group, Label, Panel string }

// Callout says where an admonition is and where its title stands inside it.
// Its type is read from the box's classes.
type Callout struct {
	Box, Title string
	Titled     bool // only a box with a title counts
}

// Platform is a compiled row.
type Platform struct {
	Name                  string
	Content, Title, Noise *tree.Selector
	marker                *tree.Selector
	generators, hosts     []string
	comment               string
	theme                 bool
}

// Structure is what all generators together write for the same few things.
// Their class names are distinct enough to be looked for on every page, which
// also serves pages whose generator is not recognised, and fragments.
type Structure struct {
	Anchor, CodeBox, LineNo, Layout *tree.Selector
	Tabs                            []TabsAt
	Callouts                        []CalloutAt
	AnyCallout, AnyTabs             *tree.Selector // unions of the boxes and groups
}

// TabsAt is a compiled Tabs.
type TabsAt struct{ Group, Label, Panel *tree.Selector }

// CalloutAt is a compiled Callout.
type CalloutAt struct {
	Box, Title *tree.Selector
	Titled     bool
}

type compiled struct {
	rows      []*Platform
	byName    map[string]*Platform
	structure *Structure
	markers   *tree.Selector // of all rows, in their order
	markerRow []int          // the row of each selector of markers
}

// compiledTable compiles the table once; nothing changes it afterwards.
var compiledTable = sync.OnceValue(func() *compiled {
	out := &compiled{byName: map[string]*Platform{}, structure: &Structure{}}
	var anchor, box, line, layout, callouts, tabs, markers []string
	for row, r := range Table() {
		p := &Platform{
			Name: r.Name, generators: r.Generator, hosts: r.Hosts, comment: r.Comment, theme: r.Theme,
			Content: tree.MustCompile(r.Content), Title: tree.MustCompile(r.Title),
			Noise: tree.MustCompile(r.Noise), marker: tree.MustCompile(r.Marker),
		}
		out.rows = append(out.rows, p)
		out.byName[r.Name] = p
		markers = append(markers, r.Marker)
		for range p.marker.Len() {
			out.markerRow = append(out.markerRow, row)
		}
		anchor, box = append(anchor, r.Anchor), append(box, r.CodeBox)
		line, layout = append(line, r.LineNo), append(layout, r.Layout)
		for _, t := range r.Tabs {
			out.structure.Tabs = append(out.structure.Tabs, TabsAt{tree.MustCompile(t.Group), tree.MustCompile(t.Label), tree.MustCompile(t.Panel)})
			tabs = append(tabs, t.Group)
		}
		for _, c := range r.Callouts {
			out.structure.Callouts = append(out.structure.Callouts, CalloutAt{tree.MustCompile(c.Box), tree.MustCompile(c.Title), c.Titled})
			callouts = append(callouts, c.Box)
		}
	}
	out.markers = union(markers)
	s := out.structure
	s.Anchor, s.CodeBox, s.LineNo, s.Layout = union(anchor), union(box), union(line), union(layout)
	s.AnyCallout, s.AnyTabs = union(callouts), union(tabs)
	return out
})

// union compiles several groups as one.
func union(groups []string) *tree.Selector {
	var parts []string
	for _, g := range groups {
		if strings.TrimSpace(g) != "" {
			parts = append(parts, g)
		}
	}
	return tree.MustCompile(strings.Join(parts, ", "))
}

// Structures returns where code, tabs, admonitions and anchors are on the
// pages of any generator.
func Structures() *Structure { return compiledTable().structure }

// Named returns the row called name, the generic one when there is none.
func Named(name string) *Platform {
	t := compiledTable()
	if p := t.byName[name]; p != nil {
		return p
	}
	return t.byName[Generic]
}

// Names returns the names of all rows in the order of the table.
func Names() []string {
	var out []string
	for _, p := range compiledTable().rows {
		out = append(out, p.Name)
	}
	return out
}

// Detect tells which generator wrote a parsed page. What the generator itself
// put on the page decides before the host it is served from: a Sphinx page on
// a hosting service is Sphinx. pageURL may be empty.
func Detect(doc *html.Node, pageURL string) *Platform {
	t := compiledTable()
	gens, comments := said(doc)
	for _, p := range t.rows {
		for _, g := range p.generators {
			for _, have := range gens {
				if strings.HasPrefix(have, g) && (!p.theme || p.marker.Any(doc)) {
					return p
				}
			}
		}
	}
	found := len(t.rows)
	if i := t.markers.Best(doc); i >= 0 {
		found = t.markerRow[i]
	}
	for i, p := range t.rows[:found] {
		if p.comment != "" && strings.Contains(comments, p.comment) {
			found = i
			break
		}
	}
	if found < len(t.rows) {
		return t.rows[found]
	}
	if u, err := url.Parse(pageURL); err == nil && u.Host != "" {
		host := strings.ToLower(u.Hostname())
		for _, p := range t.rows {
			for _, h := range p.hosts {
				if host == h || strings.HasSuffix(host, "."+h) {
					return p
				}
			}
		}
	}
	return t.byName[Generic]
}

// DetectHTML is Detect for a page's bytes (UTF-8).
func DetectHTML(page []byte, pageURL string) string {
	doc, _ := tree.Parse(page)
	return Detect(doc, pageURL).Name
}

// said returns the lower-case generator metas of a page and its comments
// outside the body.
func said(doc *html.Node) (gens []string, comments string) {
	var b strings.Builder
	tree.Walk(doc, func(n *html.Node) bool {
		switch {
		case n.Type == html.CommentNode:
			b.WriteString(n.Data)
			b.WriteByte('\n')
		case tree.Is(n, atom.Meta) && strings.EqualFold(tree.Attr(n, "name"), "generator"):
			for _, g := range strings.Split(strings.ToLower(tree.Attr(n, "content")), ",") {
				gens = append(gens, strings.TrimSpace(g))
			}
		case tree.Is(n, atom.Body):
			for c := n.LastChild; c != nil && c.Type != html.ElementNode; c = c.PrevSibling {
				if c.Type == html.CommentNode {
					b.WriteString(c.Data)
				}
			}
			return false
		}
		return true
	})
	return gens, b.String()
}
