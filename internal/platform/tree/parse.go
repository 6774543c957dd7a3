package tree

// Parsing that never loses a page to its nesting.

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parse reads a page (UTF-8). The parser refuses more than 512 nested open
// elements; such a page is read again with what is nested deeper than
// depthLimit flattened, and then flat is true. The text is never lost.
func Parse(page []byte) (doc *html.Node, flat bool) {
	if doc, err := html.Parse(bytes.NewReader(page)); err == nil {
		return doc, false
	}
	if doc, err := html.Parse(bytes.NewReader(flatten(page, depthLimit))); err == nil {
		return doc, true
	}
	return textOnly(page), true
}

// flatten drops the tags of elements nested deeper than limit and keeps what
// stands between them.
func flatten(page []byte, limit int) []byte {
	var out bytes.Buffer
	z := html.NewTokenizer(bytes.NewReader(page))
	depth := 0
	for {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return out.Bytes()
		case html.StartTagToken:
			name, _ := z.TagName()
			if voidElement(atom.Lookup(name)) {
				break
			}
			if depth++; depth > limit {
				if Block(atom.Lookup(name)) {
					out.WriteByte('\n')
				}
				continue
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if voidElement(atom.Lookup(name)) {
				break
			}
			deep := depth > limit
			if depth > 0 {
				depth--
			}
			if deep {
				continue
			}
		}
		out.Write(raw)
	}
}

// textOnly makes a page of paragraphs from the text of a page whose markup
// cannot be read even when flattened.
func textOnly(page []byte) *html.Node {
	doc := &html.Node{Type: html.DocumentNode}
	root, body := Element(atom.Html), Element(atom.Body)
	doc.AppendChild(root)
	root.AppendChild(body)
	z := html.NewTokenizer(bytes.NewReader(page))
	p := Element(atom.P)
	silent := false
	flush := func() {
		if p.FirstChild != nil {
			body.AppendChild(p)
			p = Element(atom.P)
		}
	}
	for {
		switch z.Next() {
		case html.ErrorToken:
			flush()
			return doc
		case html.TextToken:
			if s := string(z.Text()); !silent && strings.TrimSpace(s) != "" {
				p.AppendChild(TextNode(s))
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			silent = Silent(a) && !silent
			if Block(a) {
				flush()
			}
		}
	}
}

func voidElement(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}
