// Package canon rewrites the markup of documentation generators and blogs to
// one canonical DOM, so that whoever reads the tree next (the extractor's
// checks, the Markdown writer) knows one spelling of each thing:
//
//	pre > code.language-x          a code block: one text node, no line numbers,
//	                               no copy buttons; no class when no language is named
//	*[data-code-label]             beside a code block, what repeats its language
//	section[data-tab=label]        one panel of a group of tabs, un-hidden; its first
//	                               child p[data-label] shows the label
//	details[open] > summary        an accordion, un-hidden
//	blockquote[data-callout=kind]  an admonition; kind is the generator's own word in
//	                               lower case (note, tip, info, warning, danger ...);
//	                               an optional first child p[data-label] is its title
//	h1..h6                         text only: no self-links, pilcrows, edit links; id kept
//	span|div[data-math]            a formula: the text is TeX;
//	                               div for display formulas; math elements stay where the
//	                               page holds no TeX, and img[data-math] with the TeX as its
//	                               alt where the page shows a picture
//	sup[data-footnote=n]           a reference to a footnote
//	*[data-footnote-text=n]        the footnote, where the page has it, without
//	                               its number and its way back
//	table > tr > th|td             data only: tables that hold tables, single columns
//	                               of layout and line-number tables are unwrapped
//	input[type=checkbox]           first in li: a task
//	ul, ol > li                    items; lists whose items hold headings are unwrapped
//	dl > dt, dd                    terms; a signature's dt holds one code element
//	img[src]                       the real address of a lazy image
//
// It makes no choice about what the main content is and resolves no address.
package canon

import (
	"strings"

	"evergreen/internal/platform"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Attributes of the canonical DOM.
const (
	AttrTab          = "data-tab"
	AttrLabel        = "data-label"
	AttrCallout      = "data-callout"
	AttrMath         = "data-math" // "inline" or "display"
	AttrFootnote     = "data-footnote"
	AttrFootnoteText = "data-footnote-text"
	AttrCodeLabel    = "data-code-label"
)

// Mode says how much a rewriting may take away.
type Mode int

const (
	// Clean is for pages that are read for their content: what repeats a label,
	// offers an action or leads back to its own place goes, and footnotes are
	// recognised by how their links run.
	Clean Mode = iota
	// Faithful is for conversion of what is given: every visible text and every
	// link with text of its own stays, in its order.
	Faithful
)

// Open is the first half of the rewriting, for a whole page before its main
// content is looked for: everything that hides text, reads style, or may be
// torn apart by an extractor. Tabs and accordions are un-hidden and labelled,
// admonitions, formulas, code blocks, footnotes and headings take their
// canonical form.
func Open(root *html.Node, mode Mode) {
	s := platform.Structures()
	tidy(root)
	openTabs(root, s, mode)
	openAccordions(root)
	callouts(root, s)
	math(root, mode)
	codeBlocks(root, s, mode)
	footnotes(root, mode)
	headings(root, s, mode)
}

// Rewrite is the second half: everything that concerns only the content.
func Rewrite(root *html.Node, mode Mode) {
	s := platform.Structures()
	tables(root, mode)
	terms(root)
	blockLinks(root)
	if mode == Clean {
		layoutLists(root, s)
	}
	images(root)
	furniture(root)
}

// tidy repairs element atoms (rewriters that change names leave them stale)
// and removes comments.
func tidy(root *html.Node) {
	tree.Walk(root, func(n *html.Node) bool {
		switch n.Type {
		case html.CommentNode:
			tree.Remove(n)
			return false
		case html.ElementNode:
			if n.Namespace == "" && n.DataAtom.String() != n.Data {
				n.DataAtom = atom.Lookup([]byte(n.Data))
			}
			return n.Data != "svg"
		}
		return true
	})
}

// furniture removes what is never content: scripts, buttons and other
// controls, empty links, text for screen readers only.
func furniture(root *html.Node) {
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Button, atom.Select, atom.Textarea, atom.Link, atom.Meta:
			tree.Remove(n)
			return false
		case atom.Input:
			if !isTask(n) {
				tree.Remove(n)
			}
			return false
		case atom.Pre:
			return false
		case atom.A:
			if tree.Blank(n) && tree.First(n, atom.Img, atom.Svg, atom.Video) == nil {
				tree.Unwrap(n)
				return false
			}
		}
		if tree.Heading(n) {
			bareHeading(n)
		}
		if screenReaderOnly(n) {
			tree.Remove(n)
			return false
		}
		return true
	})
}

// bareHeading leaves a heading its id only.
func bareHeading(h *html.Node) {
	id := tree.Attr(h, "id")
	h.Attr = nil
	if id != "" {
		tree.SetAttr(h, "id", id)
	}
}

// isTask reports whether n is the checkbox of a task in a list.
func isTask(n *html.Node) bool {
	return strings.EqualFold(tree.Attr(n, "type"), "checkbox") && tree.Inside(n, atom.Li)
}

func screenReaderOnly(n *html.Node) bool {
	class := tree.Attr(n, "class")
	if class == "" {
		return false
	}
	for _, c := range [...]string{"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only", "a11y-hidden"} {
		if tree.HasClass(n, c) {
			return tree.Measure(n).Chars <= screenReaderLimit
		}
	}
	return false
}

// label makes the paragraph that shows the name of a tab or callout.
func label(text string) *html.Node {
	p := tree.Element(atom.P, AttrLabel, "")
	p.AppendChild(tree.TextNode(text))
	return p
}

// oneLine is the text of n on one line.
func oneLine(n *html.Node) string { return strings.Join(strings.Fields(tree.Text(n)), " ") }
