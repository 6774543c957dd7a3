package markdown

// Formulas that a page holds as MathML only.

import (
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
)

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
