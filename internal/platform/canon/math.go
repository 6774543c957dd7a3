package canon

// Formulas: renderers show one formula up to three times (MathML, a picture
// for the eye, the TeX source); the canonical DOM shows its source once.

import (
	"net/url"
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var mathBoxes = tree.MustCompile(".katex-display, .katex, .MathJax_Display, mjx-container, .MathJax, .MathJax_Preview, .MathJax_SVG, .MathJax_CHTML, .mwe-math-element, script[type^='math/'], math, [data-math]:not(section), [data-tex], [data-latex], img.latex, img[src*='codecogs.com'], img[src*='chart?cht=tx'], img[src*='/formula/'], .hurmet-tex[data-entry], .katex-block, .math-block, .math-inline")

func math(root *html.Node, mode Mode) {
	var boxes []*html.Node
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		if tree.Is(n, atom.Pre, atom.Head, atom.Svg) {
			return false
		}
		if mathBoxes.Match(n) {
			boxes = append(boxes, n)
			return false
		}
		return true
	})
	for _, n := range boxes {
		if n.Parent != nil {
			formula(n, mode)
		}
	}
}

// formula replaces one rendered formula by its source.
func formula(n *html.Node, mode Mode) {
	if tree.HasClass(n, "MathJax_Preview") {
		tree.Remove(n)
		return
	}
	tex, display := source(n)
	if tex == "" && mode == Clean {
		if m := nearestMath(n); m != nil && m != n {
			tree.Replace(n, m)
		}
		return
	}
	if tex == "" {
		return
	}
	tex = bareTeX(tex)
	if img := shownPicture(n); img != nil && mode == Clean {
		img.Attr = []html.Attribute{{Key: "src", Val: tree.Attr(img, "src")}, {Key: "alt", Val: tex}, {Key: AttrMath, Val: "inline"}}
		if display {
			tree.SetAttr(img, AttrMath, "display")
		}
		tree.Replace(n, img)
		return
	}
	dropTwin(n)
	var out *html.Node
	if display && !tree.Inside(n, atom.Td, atom.Th, atom.A) {
		out = tree.Element(atom.Div, AttrMath, "display")
	} else {
		out = tree.Element(atom.Span, AttrMath, "inline")
	}
	out.AppendChild(tree.TextNode(tex))
	tree.Replace(n, out)
}

// shownPicture is the picture that a page shows in the place of a formula.
func shownPicture(n *html.Node) *html.Node {
	if tree.Is(n, atom.Img) {
		return nil
	}
	return tree.First(n, atom.Img)
}

// source finds the TeX of a rendered formula.
func source(n *html.Node) (tex string, display bool) {
	display = tree.HasClass(n, "katex-display") || tree.HasClass(n, "MathJax_Display") || tree.HasClass(n, "math-block") || tree.HasClass(n, "katex-block") || tree.Attr(n, "display") == "true" || tree.Attr(n, "display") == "block"
	if tree.Is(n, atom.Script) {
		return strings.TrimSpace(tree.ScriptText(n)), strings.Contains(tree.Attr(n, "type"), "mode=display")
	}
	if tree.Is(n, atom.Img) {
		return imageTeX(n), false
	}
	for _, key := range [...]string{AttrMath, "data-tex", "data-latex", "data-entry", "data-expr", "alttext"} {
		if v := strings.TrimSpace(tree.Attr(n, key)); v != "" && v != "true" && v != "inline" && v != "display" {
			return v, display
		}
	}
	tree.Walk(n, func(c *html.Node) bool {
		if c.Type != html.ElementNode {
			return false
		}
		switch {
		case c.Data == "annotation" && strings.Contains(tree.Attr(c, "encoding"), "tex"):
			tex = strings.TrimSpace(tree.Raw(c))
		case c.Data == "math":
			display = display || tree.Attr(c, "display") == "block"
			if v := strings.TrimSpace(tree.Attr(c, "alttext")); v != "" && tex == "" {
				tex = v
			}
		case tree.Is(c, atom.Script) && strings.HasPrefix(tree.Attr(c, "type"), "math/"):
			tex = strings.TrimSpace(tree.ScriptText(c))
		case tree.Is(c, atom.Img) && tree.Attr(c, "alt") != "" && tex == "":
			tex = strings.TrimSpace(tree.Attr(c, "alt"))
		}
		return true
	})
	return tex, display
}

// nearestMath is the MathML element of a formula without TeX.
func nearestMath(n *html.Node) *html.Node {
	if n.Data == "math" {
		return n
	}
	var m *html.Node
	tree.Walk(n, func(c *html.Node) bool {
		if m == nil && c.Type == html.ElementNode && c.Data == "math" {
			m = c
		}
		return m == nil
	})
	return m
}

// imageTeX reads the formula in the address of a rendering service.
func imageTeX(img *html.Node) string {
	src := tree.Attr(img, "src")
	if tree.HasClass(img, "latex") && tree.Attr(img, "alt") != "" {
		return strings.Trim(tree.Attr(img, "alt"), "$ ")
	}
	u, err := url.Parse(strings.ReplaceAll(src, " ", "%20"))
	if err != nil {
		return ""
	}
	switch {
	case strings.Contains(u.Host, "codecogs.com"):
		q, err := url.PathUnescape(u.RawQuery)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(q)
	case u.Query().Get("cht") == "tx":
		return u.Query().Get("chl")
	case strings.Contains(u.EscapedPath(), "/formula/%5C"):
		return u.Path[strings.Index(u.Path, "/formula/")+len("/formula/"):]
	}
	return ""
}

// dropTwin removes the script that a renderer leaves beside its output with
// the same formula.
func dropTwin(n *html.Node) {
	for _, c := range []*html.Node{tree.NextElement(n), tree.PrevElement(n)} {
		if tree.Is(c, atom.Script) && strings.HasPrefix(tree.Attr(c, "type"), "math/") && !tree.Is(n, atom.Script) {
			tree.Remove(c)
		}
	}
}

// bareTeX takes off the style that wikis put around every formula.
func bareTeX(s string) string {
	for _, style := range [...]string{`{\displaystyle `, `{\textstyle `, `{\scriptstyle `} {
		if inner, ok := strings.CutPrefix(s, style); ok && strings.HasSuffix(inner, "}") {
			return strings.TrimSpace(inner[:len(inner)-1])
		}
	}
	return s
}
