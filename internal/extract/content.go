package extract

// Choosing the content: the generator's container where one is known, else
// Readability against the page's own main element; never less than the floor.

import (
	"io"
	"log/slog"
	"strings"

	"evergreen/internal/platform"
	"evergreen/internal/platform/tree"

	readability "codeberg.org/readeck/go-readability/v2"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// content sets Node, Extractor and Coverage. doc is used up.
func (r *Result) content(doc *html.Node, p *platform.Platform, article bool) {
	body := tree.First(doc, atom.Body)
	if body == nil {
		r.Node = tree.Element(atom.Div)
		return
	}
	all := tree.Measure(body)
	total := all.Chars - all.Linked // menus may be a hundred times the content
	notes := footnotes(doc)
	r.Node, r.Extractor = r.byPlatform(doc, p, total), ByPlatform
	if r.Node == nil {
		r.Node, r.Extractor = r.generic(doc, body, total, article)
	}
	if got := tree.Measure(r.Node).Chars; got*floorShare < total || got == 0 && all.Chars > 0 {
		if r.Extractor != ByBody {
			r.warn("The main content held less than a fiftieth of the page's text outside links; the whole page was kept.")
		}
		r.Node, r.Extractor = wholeBody(body), ByBody
	}
	addFootnotes(r.Node, notes)
	if all.Chars > 0 {
		r.Coverage = min(1, float64(tree.Measure(r.Node).Chars)/float64(all.Chars))
	}
}

// byPlatform takes the container that the page's generator writes, nil when
// there is none or it is nearly empty.
func (r *Result) byPlatform(doc *html.Node, p *platform.Platform, total int) *html.Node {
	box := contentBox(doc, p)
	if box == nil {
		return nil
	}
	if got := tree.Measure(box).Chars; got*floorShare < total || got == 0 {
		r.warn("The content container of " + p.Name + " held less than a fiftieth of the page's text outside links and was not used.")
		return nil
	}
	title := pageTitle(doc, box, p)
	for _, n := range p.Noise.All(box) {
		if n.Parent != nil {
			tree.Remove(n)
		}
	}
	for _, n := range tree.Find(box, atom.Nav) {
		if n.Parent != nil {
			tree.Remove(n)
		}
	}
	out := division(box)
	if title != "" {
		h := tree.Element(atom.H1)
		h.AppendChild(tree.TextNode(title))
		tree.Prepend(out, h)
	}
	return out
}

// contentBox is the container of the content. When a page repeats it, as pages
// for printing and lists of posts do, the containers are joined in the first.
func contentBox(doc *html.Node, p *platform.Platform) *html.Node {
	box := p.Content.First(doc)
	if box == nil {
		return nil
	}
	place := p.Content.Place(box)
	for _, n := range p.Content.All(doc) {
		if n != box && p.Content.Place(n) == place && !tree.Contains(box, n) && !tree.Contains(n, box) {
			tree.MoveChildren(box, n)
		}
	}
	return box
}

// pageTitle is the page's heading when it stands outside the content.
func pageTitle(doc, box *html.Node, p *platform.Platform) string {
	if tree.First(box, atom.H1) != nil {
		return ""
	}
	for _, n := range p.Title.All(doc) {
		if tree.Contains(box, n) {
			return ""
		}
		n = tree.Clone(n)
		for _, x := range p.Noise.All(n) {
			tree.Remove(x)
		}
		if s := oneLine(tree.Text(n)); s != "" {
			return s
		}
	}
	return ""
}

// division moves what is in box into a new div.
func division(box *html.Node) *html.Node {
	out := tree.Element(atom.Div)
	if tree.Is(box, atom.Body, atom.Div, atom.Main, atom.Article, atom.Section) {
		tree.MoveChildren(out, box)
		return out
	}
	tree.Remove(box)
	out.AppendChild(box)
	return out
}

// wholeBody is all that the page shows, without its menus.
func wholeBody(body *html.Node) *html.Node {
	out := tree.Clone(body)
	for _, n := range tree.Find(out, atom.Nav, atom.Script, atom.Style, atom.Noscript) {
		if n.Parent != nil && tree.Measure(n).Chars*2 < tree.Measure(out).Chars {
			tree.Remove(n)
		}
	}
	return division(out)
}

// generic (article: the page's metadata calls it one) runs Readability and
// compares it with the single main or article, or with what the body holds
// when the page names no container.
func (r *Result) generic(doc, body *html.Node, total int, article bool) (*html.Node, string) {
	box := container(doc)
	if box == nil {
		read := r.readability(doc, true)
		if read == nil {
			return wholeBody(body), ByBody
		}
		if held := bare(body); !article && (mostlyText(held) && (lostCode(held, read) || lostTables(held, read)) || lostOutline(held, read)) {
			return held, ByBody
		}
		return read, ByReadability
	}
	held := bare(box)
	cutLinks(held)
	read := r.readability(doc, !technical(held))
	switch {
	case read != nil && !better(held, read, article):
		return read, ByReadability
	case tree.Measure(held).Chars*floorShare >= total:
		return held, ByContainer
	}
	return wholeBody(body), ByBody
}

// bare copies a container without the elements that are never content.
func bare(box *html.Node) *html.Node {
	held := tree.Clone(box)
	if tree.Is(held, atom.Body) {
		prune(held)
	}
	held = division(held)
	for _, n := range tree.Find(held, atom.Nav, atom.Footer, atom.Form, atom.Aside, atom.Script, atom.Style, atom.Noscript, atom.Template) {
		if n.Parent != nil && !tree.Is(n.Parent, atom.Pre) {
			tree.Remove(n)
		}
	}
	return held
}

func mostlyText(n *html.Node) bool {
	m := tree.Measure(n)
	return m.Linked*5 < m.Chars
}

// containers are the elements that a page uses for its content, in order of
// trust; one counts only when there is exactly one of it.
var containers = []*tree.Selector{
	tree.MustCompile("main article"), tree.MustCompile("article"), tree.MustCompile("main"),
	tree.MustCompile("[role=main]"), tree.MustCompile("#main-content"), tree.MustCompile("#content"),
}

func container(doc *html.Node) *html.Node {
	for _, s := range containers {
		if all := s.All(doc); len(all) == 1 {
			return all[0]
		}
	}
	return nil
}

// structure counts what article extractors lose on reference pages.
func structure(n *html.Node) int {
	return len(tree.Find(n, atom.Pre, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Td, atom.Dt))
}

// technical reports whether a container reads like documentation.
func technical(n *html.Node) bool {
	if len(tree.Find(n, atom.Pre, atom.Code)) > technicalBlocks {
		return true
	}
	return len(tree.Find(n, atom.Dt)) > 2*technicalBlocks
}

// better reports whether the container should win over what Readability kept:
// it is not mostly links, and Readability lost structure or text of a
// technical page, or nearly all text of any page.
func better(held, read *html.Node, article bool) bool {
	h, k := tree.Measure(held), tree.Measure(read)
	if lostCode(held, read) || !article && lostTables(held, read) {
		return true
	}
	if h.Chars < 200 {
		return false
	}
	if k.Chars < h.Chars/20 || !article && h.Chars < shortPage && k.Chars*2 < h.Chars && h.Linked*5 < h.Chars {
		return true
	}
	if !technical(held) || h.Linked*2 >= h.Chars {
		return false
	}
	hs, ks := structure(held), structure(read)
	return hs >= 8 && ks*10 < hs*9 || k.Chars*10 < h.Chars*8
}

// lostCode and lostTables report whether Readability dropped a code block, or
// a table of data.
func lostCode(held, read *html.Node) bool {
	return len(tree.Find(read, atom.Pre)) < len(tree.Find(held, atom.Pre))
}

// lostOutline reports whether most of what gives a reference page its shape is
// gone.
func lostOutline(held, read *html.Node) bool {
	h := structure(held)
	if m := tree.Measure(held); m.Linked*2 > m.Chars {
		return false
	}
	return h >= outlineBlocks && structure(read)*2 < h
}

func lostTables(held, read *html.Node) bool { return dataTables(read) < dataTables(held) }

// dataTables counts the tables that name their columns or look regular.
func dataTables(n *html.Node) int {
	k := 0
	for _, t := range tree.Find(n, atom.Table) {
		if tree.First(t, atom.Table) == nil && (len(tree.Find(t, atom.Th)) > 1 || regular(t)) {
			k++
		}
	}
	return k
}

// regular reports whether a table without a header row shows data: several
// rows of as many short cells.
func regular(t *html.Node) bool {
	rows := tree.Find(t, atom.Tr)
	if len(rows) < 3 || tree.First(t, atom.H1, atom.H2, atom.H3, atom.Form, atom.Input) != nil {
		return false
	}
	width := len(tree.ElementChildren(rows[0]))
	for _, r := range rows {
		cells := tree.ElementChildren(r)
		if len(cells) != width || width < 2 {
			return false
		}
		for _, c := range cells {
			if m := tree.Measure(c); m.Chars == 0 || m.Chars > dataCell {
				return false
			}
		}
	}
	return true
}

// levelKey carries a heading's own level through Readability, which makes
// every h1 an h2.
const levelKey = "data-level"

// readability scores a clone of the page. clean asks for the furniture of
// news pages to be taken out around it.
func (r *Result) readability(doc *html.Node, clean bool) *html.Node {
	work := tree.Clone(doc)
	if b := tree.First(work, atom.Body); clean && b != nil {
		prune(b)
	}
	soften(work)
	p := readability.NewParser()
	p.KeepClasses = true
	p.DisableJSONLD = true
	p.Logger = slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError + 1}))
	a, err := p.ParseAndMutate(work, nil) // addresses are absolute already
	if err != nil || a.Node == nil {
		return nil
	}
	out := tree.Element(atom.Div)
	out.AppendChild(detach(a.Node))
	restore(out)
	if clean {
		polish(out)
	}
	return out
}

func detach(n *html.Node) *html.Node {
	tree.Remove(n)
	return n
}

// soften lifts what makes Readability drop content that is one: roles of
// admonitions, wrappers of headings. It notes the level of headings.
func soften(doc *html.Node) {
	tree.Walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		if tree.Is(n, atom.H1) {
			tree.SetAttr(n, levelKey, "1")
		}
		if strings.EqualFold(tree.Attr(n, "role"), "alert") {
			tree.DelAttr(n, "role")
		}
		return true
	})
	for _, h := range tree.Find(doc, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		for p := h.Parent; tree.Is(p, atom.Div) && p.Parent != nil && loneHeading(p, h); p = h.Parent {
			tree.Unwrap(p)
		}
	}
}

// loneHeading reports whether a wrapper holds nothing visible but a heading.
func loneHeading(p, h *html.Node) bool {
	for c := p.FirstChild; c != nil; c = c.NextSibling {
		if c != h && (!tree.Blank(c) || tree.First(c, atom.Img) != nil || tree.Is(c, atom.Img)) {
			return false
		}
	}
	return true
}

// restore gives headings their levels back and elements their atoms.
func restore(n *html.Node) {
	tree.Walk(n, func(c *html.Node) bool {
		if c.Type != html.ElementNode {
			return false
		}
		if c.DataAtom.String() != c.Data {
			c.DataAtom = atom.Lookup([]byte(c.Data))
		}
		if tree.Is(c, atom.H2) && tree.Attr(c, levelKey) == "1" {
			tree.Rename(c, atom.H1)
		}
		tree.DelAttr(c, levelKey)
		return true
	})
}
