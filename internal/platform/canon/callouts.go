package canon

// Admonitions: the many boxes that say note, tip or warning.

import (
	"strings"

	"evergreen/internal/platform"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// canonicalKind knows the words that generators use as the type of an
// admonition, and brings spellings of the same together; "" for other words.
func canonicalKind(word string) string {
	switch word {
	case "note", "info", "tip", "hint", "important", "warning", "caution", "danger", "error", "attention", "success", "question", "failure", "bug", "example", "quote", "abstract", "todo", "seealso", "deprecated", "remark", "secondary", "versionadded", "versionchanged", "experimental":
		return word
	case "neutral", "notice":
		return "note"
	case "information", "primary", "pageinfo":
		return "info"
	case "advice":
		return "tip"
	case "warn", "security", "alert":
		return "warning"
	case "critical":
		return "danger"
	case "check":
		return "success"
	case "help", "faq":
		return "question"
	case "fail":
		return "failure"
	case "cite":
		return "quote"
	case "summary", "tldr":
		return "abstract"
	case "see-also":
		return "seealso"
	}
	return ""
}

func callouts(root *html.Node, s *platform.Structure) {
	if !s.AnyCallout.Any(root) {
		return
	}
	boxes := s.AnyCallout.All(root)
	for i := len(boxes) - 1; i >= 0; i-- { // inner boxes first
		if boxes[i].Parent != nil {
			callout(boxes[i], s)
		}
	}
}

func callout(box *html.Node, s *platform.Structure) {
	if tree.Inside(box, atom.Pre, atom.Code, atom.Nav, atom.Header, atom.Footer) || tree.Is(box, atom.Body, atom.Main, atom.Article, atom.Tr, atom.Td, atom.Li, atom.Span, atom.A) {
		return
	}
	kind := kindOf(box)
	if kind == "" || tree.Blank(box) {
		return
	}
	title := takeTitle(box, s)
	if title == "" && needsTitle(box, s) {
		return
	}
	for _, c := range tree.ElementChildren(box) {
		tree.DelAttr(c, "hidden", "style") // a folded callout
	}
	if tree.Is(box, atom.Details) {
		if sum := tree.First(box, atom.Summary); sum != nil {
			if title == "" {
				title = oneLine(sum)
			}
			tree.Remove(sum)
		}
	}
	if t := tree.OnlyChild(box); tree.Is(t, atom.Table) && tree.HasClass(box, "admonitionblock") {
		unwrapTable(t)
	}
	if tree.Is(box, atom.P) {
		wrapped := tree.Element(atom.P)
		tree.MoveChildren(wrapped, box)
		box.AppendChild(wrapped)
	}
	if tree.Is(box, atom.Dl) {
		for _, c := range tree.ElementChildren(box) {
			if tree.Is(c, atom.Dt) {
				tree.Remove(c)
			} else if tree.Is(c, atom.Dd) {
				tree.Rename(c, atom.Div)
			}
		}
	}
	tree.Rename(box, atom.Blockquote)
	tree.DelAttr(box, "role", "open", "class", "style", AttrCallout)
	tree.SetAttr(box, AttrCallout, kind)
	if title != "" {
		tree.Prepend(box, label(title))
	}
}

// needsTitle reports whether a box counts as an admonition only with a title,
// because its class names are words of every style sheet.
func needsTitle(box *html.Node, s *platform.Structure) bool {
	for _, c := range s.Callouts {
		if c.Box.Match(box) {
			return c.Titled
		}
	}
	return false
}

// kindOf reads the type of a box from data attributes and class names.
func kindOf(box *html.Node) string {
	for _, key := range []string{AttrCallout, "data-callout-type", "data-panel-type", "data-type"} {
		if v := strings.ToLower(tree.Attr(box, key)); v != "" {
			if k := canonicalKind(v); k != "" {
				return k
			}
			if key == AttrCallout {
				return v
			}
		}
	}
	classes := strings.Fields(strings.ToLower(tree.Attr(box, "class")))
	for _, class := range classes {
		if k := canonicalKind(class); k != "" && !weak(class) {
			return k
		}
	}
	for _, class := range classes {
		last := class[strings.LastIndexAny(class, "-_")+1:]
		if k := canonicalKind(last); k != "" && !weak(last) {
			return k
		}
	}
	if k := kindOfTitle(box); k != "" {
		return k
	}
	for _, class := range classes {
		if k := canonicalKind(class); k != "" && class != "alert" {
			return k
		}
	}
	return ""
}

// weak reports whether a class that is also the word of a type often means
// something else: the kind of box, or its look.
func weak(word string) bool {
	switch word {
	case "alert", "notice", "example", "summary", "help", "check", "quote", "cite", "error", "primary":
		return true
	}
	return false
}

// kindOfTitle reads the type from the first words of the box ("Note:").
func kindOfTitle(box *html.Node) string {
	text := firstText(box)
	if i := strings.IndexAny(text, ": \n"); i > 0 {
		text = text[:i]
	}
	if k := canonicalKind(strings.ToLower(text)); k != "" {
		return k
	}
	if k := kindOfColour(box); k != "" {
		return k
	}
	if tree.HasClass(box, "callout") || tree.HasClass(box, "admonition") || tree.HasClass(box, "nextra-callout") || tree.HasClass(box, "notecard") || tree.HasClass(box, "hint") {
		return "note"
	}
	return ""
}

// firstText is the first visible text node below n, trimmed.
func firstText(n *html.Node) string {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return strings.TrimSpace(c.Data)
		}
		if c.Type == html.ElementNode && !tree.Silent(c.DataAtom) {
			if s := firstText(c); s != "" {
				return s
			}
		}
	}
	return ""
}

// kindOfColour reads the type of a box that shows it by colour only, as the
// utility classes of a style sheet name it.
func kindOfColour(box *html.Node) string {
	if !tree.HasClass(box, "nextra-callout") && !tree.HasClass(box, "callout") && !tree.HasClass(box, "hint") {
		return ""
	}
	class := tree.Attr(box, "class")
	for _, c := range [...][2]string{{"bg-yellow", "warning"}, {"bg-amber", "warning"}, {"bg-red", "danger"}, {"bg-green", "tip"}, {"bg-blue", "info"}, {"bg-sky", "info"}} {
		if strings.Contains(class, c[0]) {
			return c[1]
		}
	}
	return ""
}

// takeTitle removes the title of a box and returns its text.
func takeTitle(box *html.Node, s *platform.Structure) string {
	for _, c := range s.Callouts {
		if !c.Box.Match(box) {
			continue
		}
		if t := titleIn(box, c.Title); t != nil {
			for _, b := range tree.Find(t, atom.Svg, atom.Button, atom.Style) {
				tree.Remove(b)
			}
			title := oneLine(t)
			if img := tree.First(t, atom.I); title == "" && img != nil {
				title = tree.Attr(img, "title")
			}
			up := t.Parent
			tree.Remove(t)
			for up != box && up != nil && tree.Blank(up) {
				next := up.Parent
				tree.Remove(up)
				up = next
			}
			return title
		}
	}
	return ""
}

// titleIn finds the title below n, not in code and not in a box of its own.
func titleIn(n *html.Node, s *tree.Selector) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if s.Match(c) {
			return c
		}
		if c.Type != html.ElementNode || tree.Is(c, atom.Pre) || tree.HasAttr(c, AttrCallout) {
			continue
		}
		if t := titleIn(c, s); t != nil {
			return t
		}
	}
	return nil
}
