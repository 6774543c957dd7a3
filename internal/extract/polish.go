package extract

// Polishing an article after it was found: lines that stand in it and are not
// part of it. Every rule is about the form of one block, never about a site.

import (
	"regexp"
	"strings"
	"unicode"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// polish removes lists of links, captions that credit a picture, and lines
// about the page from an article.
func polish(n *html.Node) {
	cutLinks(n)
	for _, c := range leaves(n) {
		text := oneLine(tree.Text(c))
		if len(text) > creditChars && captioned(c) && creditLine.MatchString(text) || text != "" && len(text) < strayChars && stray(c, text) {
			drop(c, n)
		}
	}
}

// leaves are the blocks that hold no other block, outside code, tables and
// quotations.
func leaves(n *html.Node) []*html.Node {
	var out []*html.Node
	tree.Walk(n, func(c *html.Node) bool {
		if c.Type != html.ElementNode || tree.Is(c, atom.Pre, atom.Table, atom.Blockquote) {
			return false
		}
		if tree.Block(c.DataAtom) && !holdsBlock(c) {
			out = append(out, c)
			return false
		}
		return true
	})
	return out
}

// drop removes a block and what became empty around it.
func drop(c, root *html.Node) {
	up := c.Parent
	tree.Remove(c)
	for up != nil && up != root && up.Parent != nil && tree.Blank(up) && tree.First(up, atom.Img, atom.Video, atom.Iframe) == nil {
		next := up.Parent
		tree.Remove(up)
		up = next
	}
}

var creditLine = regexp.MustCompile(`(?i)(credit|photo|image|picture|photograph|illustration|courtesy|source)s?( by| of)?\s*[:©]|\bphoto(graph)? by\b|photo/|©|\bgetty\b|\breuters\b|\bshutterstock\b|\bistock\b|\bassociated press\b|\bafp\b|\bAP\b|file photo|courtesy`)

// captioned reports whether a block belongs to a picture.
func captioned(c *html.Node) bool {
	for p := c; p != nil; p = p.Parent {
		if tree.Is(p, atom.Figcaption, atom.Figure) || anyWord(tree.Attr(p, "class"), captionWord) {
			return true
		}
	}
	return false
}

func captionWord(w string) bool {
	return w == "caption" || w == "credit" || w == "photocredit" || w == "copyright"
}

// aboutLine matches the beginning of lines that credit, date or label.
var aboutLine = regexp.MustCompile("(?i)^(" + strings.Join([]string{
	`(first |last )?(published|updated|posted)( on| at)?\b.{0,60}\d`,
	`(photo|image|picture|illustration|credit|photograph)s?( by| courtesy of| credit)?\s*:`,
	`image (copyright|caption)`,
	`getty images$`,
	`related( articles?| stories| coverage| news| posts?| topics?)?\s*(:|$)`,
	`more( on this| from|:)`,
	`don.t miss`,
	`advert(isement)?s?$`,
	`continue reading`,
	`skip (to|advertisement)`,
	`share this`,
	`this slideshow requires`,
	`copyright (©|\d)`,
	`\(?©`,
	`loading(…|\.\.\.)`,
	`you may also like`,
	`recommended( for you| reading| stories)?\s*:?$`,
	`trending( now)?\s*:?$`,
	`most (read|popular)`,
	`enlarge( image)?$`,
	`view (author|comments|gallery)`,
	`comments?$`,
	`source:`,
	`story continues`,
	`(breaking|latest) news$`,
	`(have|got) a (tip|story)`,
	`tags?:`,
	`filed under`,
	`this (post|article) (may|contains?) `,
	`(by|from) [A-Z][\w.]+( [A-Z][\w.]+){1,3}$`,
}, "|") + ")")

// promptLine matches the beginning of lines that ask the reader to go
// elsewhere; documentation begins sentences with the same words, so they count
// only with a link.
var promptLine = regexp.MustCompile("(?i)^(" + strings.Join([]string{
	`(also )?(read|see|watch|view)( more| also| next|:)`,
	`related\b`,
	`sign up`,
	`subscribe`,
	`follow (us|him|her|them) on`,
	`click here`,
	`get the latest`,
	`join (the|our)`,
	`listen to`,
	`via `,
}, "|") + ")")

// suspicious reports whether a line begins with a word of the two patterns
// above; most lines do not, and patterns are slow.
func suspicious(text string) bool {
	text = strings.TrimLeft(text, "(")
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(text)
	}
	switch strings.ToLower(text[:end]) {
	case "", "also", "advert", "advertisement", "advertisements", "breaking", "by", "click", "comment", "comments", "continue",
		"copyright", "credit", "credits", "don", "enlarge", "filed", "first", "follow", "from", "get", "getty", "got", "have",
		"illustration", "illustrations", "image", "images", "join", "last", "latest", "listen", "loading", "more", "most", "photo",
		"photograph", "photographs", "photos", "picture", "pictures", "posted", "published", "read", "recommended", "related",
		"see", "share", "sign", "skip", "source", "story", "subscribe", "tag", "tags", "this", "trending", "updated", "via",
		"view", "watch", "you":
		return true
	}
	return false
}

// stray reports whether a short line is about the page and not its story.
func stray(c *html.Node, text string) bool {
	if tree.Is(c, atom.Li, atom.Dt, atom.Dd) || tree.Inside(c, atom.Li) {
		return false
	}
	if strings.HasPrefix(text, "http") && !strings.Contains(text, " ") {
		return true
	}
	if !suspicious(text) {
		return false
	}
	if aboutLine.MatchString(text) {
		return true
	}
	return promptLine.MatchString(text) && tree.First(c, atom.A) != nil
}
