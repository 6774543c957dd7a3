package extract

// What a reader cannot see does not reach agents.

import (
	"strconv"
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// hide removes hidden subtrees below the body and characters that draw
// nothing. A hidden container with more than half of the page's text is a
// server-rendered shell that a script reveals, and is shown.
func hide(doc *html.Node) {
	body := tree.First(doc, atom.Body)
	if body == nil {
		return
	}
	total := tree.Measure(body).Chars
	sheet := hiddenNames(doc)
	tree.Walk(body, func(n *html.Node) bool {
		switch n.Type {
		case html.TextNode:
			n.Data = visibleText(n.Data)
			return false
		case html.ElementNode:
		default:
			return false
		}
		if !hidden(n) && !sheet.hides(n) || tree.Is(n, atom.Pre, atom.Code, atom.Math) {
			return true
		}
		if shell(n, body, total) {
			tree.DelAttr(n, "hidden", "style", "aria-hidden", "inert")
			return true
		}
		if footnoteTarget(n) {
			tree.DelAttr(n, "hidden", "style", "aria-hidden")
			return true
		}
		tree.Remove(n)
		return false
	})
}

// shell reports whether a hidden subtree is the page itself: more than half of
// the text, with the page's structure, or with nothing to read outside it.
func shell(n, body *html.Node, total int) bool {
	if tree.Measure(n).Chars*2 <= total {
		return false
	}
	if tree.First(n, atom.Main, atom.Article, atom.H1, atom.H2) != nil {
		return true
	}
	for _, p := range tree.Find(body, atom.P) {
		if !tree.Contains(n, p) && tree.Measure(p).Chars > shellRest {
			return false
		}
	}
	return true
}

// footnoteTarget reports a hidden footnote, which a reader sees on demand.
func footnoteTarget(n *html.Node) bool {
	id := strings.ToLower(tree.Attr(n, "id") + " " + tree.Attr(n, "class"))
	return strings.Contains(id, "footnote") || strings.Contains(id, "fn-") || strings.Contains(id, "fna") || strings.Contains(id, "fn:")
}

// visibleText drops Unicode tag characters and bidirectional overrides, which
// can carry text that only a machine reads.
func visibleText(s string) string {
	if strings.IndexByte(s, 0xe2) < 0 && strings.IndexByte(s, 0xf3) < 0 { // their first bytes in UTF-8
		return s
	}
	return strings.Map(func(c rune) rune {
		if c >= 0xe0000 && c <= 0xe007f || c >= '\u202a' && c <= '\u202e' || c >= '\u2066' && c <= '\u2069' {
			return -1
		}
		return c
	}, s)
}

// hidden reports whether an element says that it is not shown.
func hidden(n *html.Node) bool {
	hiddenAttr := false
	style := ""
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "hidden":
			hiddenAttr = n.Attr[i].Val != "until-found"
		case "style":
			style = n.Attr[i].Val
		}
	}
	if style != "" && (hiddenStyle(style) || whiteOnPage(style) && plainSurroundings(n)) {
		return true
	}
	return hiddenAttr || tree.Is(n, atom.Dialog) && !tree.HasAttr(n, "open")
}

// plainSurroundings reports whether nothing around n can have drawn a dark
// background: no class, no background of its own.
func plainSurroundings(n *html.Node) bool {
	if tree.HasAttr(n, "class") {
		return false
	}
	for p := n.Parent; p != nil && p.Type == html.ElementNode; p = p.Parent {
		if tree.HasAttr(p, "class") || tree.HasAttr(p, "bgcolor") || strings.Contains(tree.Attr(p, "style"), "background") {
			return false
		}
	}
	return true
}

// hiddenStyle reads an inline style: not displayed, no size, off the page,
// transparent, or letters in the colour of their background.
func hiddenStyle(style string) bool {
	d := declarations(style)
	color, background := d.colours()
	switch {
	case d.unseen(), zero(d["opacity"]):
		return true
	case zero(d["max-height"]) && d.clipped(), zero(d["height"]) && d.clipped(), zero(d["width"]) && d.clipped():
		return true
	case d["position"] == "absolute" || d["position"] == "fixed":
		if far(d["left"]) || far(d["top"]) || far(d["right"]) || strings.Contains(d["clip"], "rect(0") || strings.Contains(d["clip-path"], "inset(50%") {
			return true
		}
	case far(d["text-indent"]):
		return true
	}
	return color != "" && color == background
}

// whiteOnPage reports an inline style that writes white and says nothing of
// its background.
func whiteOnPage(style string) bool {
	color, background := declarations(style).colours()
	return color == "white" && background == ""
}

// hiddenRule is hiddenStyle for a rule of a style sheet, without what sheets
// use for labels of screen readers and for effects.
func hiddenRule(style string) bool {
	d := declarations(style)
	color, background := d.colours()
	return d.unseen() || color != "" && color == background
}

// declared are the declarations of a style.
type declared map[string]string

func declarations(style string) declared {
	d := declared{}
	for _, decl := range strings.Split(strings.ToLower(style), ";") {
		key, val, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		val = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(val), "!important"))
		d[strings.TrimSpace(key)] = val
	}
	return d
}

// unseen reports what takes text off the page whatever stands around it.
func (d declared) unseen() bool {
	return d["display"] == "none" || d["visibility"] == "hidden" || d["visibility"] == "collapse" || zero(d["font-size"])
}

// colours returns the text's and the background's colour, "" where a style
// does not say or draws a picture.
func (d declared) colours() (color, background string) {
	color, background = plainColor(d["color"]), plainColor(d["background-color"])
	if background == "" {
		background = plainColor(d["background"])
	}
	if background == "" {
		background = d["background-image"]
	}
	return color, background
}

func (d declared) clipped() bool {
	return d["overflow"] == "hidden" || d["overflow-y"] == "hidden" || d["overflow-x"] == "hidden" || zero(d["width"]) && zero(d["height"])
}

// zero reports lengths and numbers that are nothing.
func zero(v string) bool {
	v = strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz% ")
	if v == "" {
		return false
	}
	f, err := strconv.ParseFloat(v, 64)
	return err == nil && f == 0
}

func far(v string) bool {
	n, ok := strings.CutSuffix(v, "px")
	if !ok {
		n, ok = strings.CutSuffix(v, "em")
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
	return ok && err == nil && f <= -farAway
}

// plainColor brings the spellings of white and black together.
func plainColor(v string) string {
	v = strings.ReplaceAll(v, " ", "")
	switch v {
	case "#fff", "#ffffff", "white", "rgb(255,255,255)", "rgba(255,255,255,1)":
		return "white"
	case "#000", "#000000", "black", "rgb(0,0,0)":
		return "black"
	case "inherit", "initial", "unset", "currentcolor", "transparent":
		return ""
	}
	return v
}
