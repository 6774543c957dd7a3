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

var mathBoxes = tree.MustCompile(".katex-display, .katex, .MathJax_Display, mjx-container, .MathJax, .MathJax_Preview, .MathJax_SVG, .MathJax_CHTML, .mwe-math-element, script[type^='math/'], math, [data-math]:not(section), [data-tex], [data-latex], img.latex, img[src*='codecogs.com'], img[src*='chart?cht=tx'], img[src*='/formula/'], .katex-block, .math-block, .math-inline")

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
		if m := nearestMath(n); m != nil {
			tex, display = mathML(m), display || tree.Attr(m, "display") == "block"
		}
	}
	if tex == "" {
		return
	}
	dropTwin(n, tex)
	var out *html.Node
	if display && !tree.Inside(n, atom.Td, atom.Th, atom.A) {
		out = tree.Element(atom.Div, AttrMath, "display")
	} else {
		out = tree.Element(atom.Span, AttrMath, "inline")
	}
	out.AppendChild(tree.TextNode(tex))
	tree.Replace(n, out)
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
	for _, key := range [...]string{AttrMath, "data-tex", "data-latex", "data-expr", "alttext"} {
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
func dropTwin(n *html.Node, tex string) {
	for _, c := range []*html.Node{tree.NextElement(n), tree.PrevElement(n)} {
		if tree.Is(c, atom.Script) && strings.HasPrefix(tree.Attr(c, "type"), "math/") && !tree.Is(n, atom.Script) {
			tree.Remove(c)
		}
	}
}

// mathML writes MathML as plain TeX for the elements that carry structure.
func mathML(n *html.Node) string {
	var b strings.Builder
	mathNode(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func mathNode(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(strings.TrimSpace(n.Data))
		return
	}
	kids := tree.ElementChildren(n)
	arg := func(i int) {
		if i < len(kids) {
			b.WriteByte('{')
			mathNode(b, kids[i])
			b.WriteByte('}')
		}
	}
	switch n.Data {
	case "annotation", "annotation-xml":
	case "msup", "msub", "msubsup", "munderover", "mover", "munder":
		if len(kids) > 0 {
			mathNode(b, kids[0])
		}
		marks := map[string]string{"msup": "^", "mover": "^", "msub": "_", "munder": "_", "msubsup": "_^", "munderover": "_^"}[n.Data]
		for i := range marks {
			b.WriteByte(marks[i])
			arg(i + 1)
		}
	case "mfrac":
		b.WriteString(`\frac`)
		arg(0)
		arg(1)
	case "msqrt":
		b.WriteString(`\sqrt{`)
		for _, k := range kids {
			mathNode(b, k)
		}
		b.WriteByte('}')
	case "mtr":
		for i, k := range kids {
			if i > 0 {
				b.WriteString(" & ")
			}
			mathNode(b, k)
		}
		b.WriteString(` \\ `)
	default:
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			mathNode(b, c)
		}
	}
}
