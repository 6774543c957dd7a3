// Package section splits a document's Markdown into sections with stable ids:
// one per heading as CommonMark sees it, a preamble, and pieces of sections too
// long to read at once. It knows neither storage nor ranking.
package section

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"

	"evergreen/internal/text"
)

// Row is one section of a document before it has a collection.
type Row struct {
	Title     string
	Leaf      string // last segment of the slug chain, suffix of a duplicate included
	Anchor    string // explicit id when the heading carries one, else Leaf; "" for the preamble
	Level     int    // 1..6; 0 for the preamble and for pieces of oversized sections
	Parent    int    // index of the parent row, -1 for none
	Start     int    // byte range [Start, End) of the stored text
	End       int
	BodyStart int // first byte after the heading
	Tokens    int // of title, newline and body, default estimator
	Hash      [32]byte
}

// Options say how to read a text.
type Options struct {
	Path      string // doc_path, for the title of last resort
	Title     string // from front matter; "" takes the first heading of level 1, or the one the text begins with
	HeadBytes int    // bytes of front matter (and byte order mark) before the text
	Plain     bool   // not Markdown: no headings
	Outline   []byte // same length as the text, what to parse in its place (MDX); nil: the text
	ASCII     bool   // slugs keep ASCII only
}

// Document is a split text.
type Document struct {
	Title     string
	HeadBytes int // bytes before the first section
	Rows      []Row
}

// Split cuts src into sections. Head and rows cover src without gap or overlap.
func Split(src []byte, o Options) Document {
	outline := o.Outline
	if outline == nil {
		outline = src
	}
	head := min(max(o.HeadBytes, bomLength(src)), len(src))
	var headings []heading
	if !o.Plain {
		headings = findHeadings(outline[head:], head)
	}
	s := splitter{src: src, outline: outline, opts: o, slug: text.Slug, used: map[string]int{}}
	if o.ASCII {
		s.slug = text.ASCIISlug
	}
	s.doc.Title = shorten(s.title(headings, head), headingRunes)
	s.preamble(headings, head)
	for i, h := range headings {
		end := len(src)
		if i+1 < len(headings) {
			end = headings[i+1].start
		}
		s.section(h, end)
	}
	s.pieces()
	s.finish()
	return s.doc
}

func bomLength(src []byte) int {
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return 0
}

type splitter struct {
	src, outline []byte
	opts         Options
	doc          Document
	slug         func(string) string
	used         map[string]int // full path to times seen
	stack        []int          // open rows, outermost first
	paths        []string       // full path of each row
}

func (s *splitter) title(headings []heading, head int) string {
	if t := text.CleanTitle(s.opts.Title); t != "" {
		return t
	}
	for _, h := range headings {
		if h.level == 1 && h.title != "" {
			return h.title
		}
	}
	if len(headings) > 0 && len(bytes.TrimSpace(s.src[head:headings[0].start])) == 0 && headings[0].title != "" {
		return headings[0].title // it stands where a title would
	}
	if s.opts.Plain {
		if t := firstLine(s.src[head:]); t != "" {
			return t
		}
	}
	base := path.Base(s.opts.Path)
	return strings.TrimSuffix(base, path.Ext(base))
}

// preamble adds the level-0 section of the text before the first heading, or
// lets that text stay with the head when it holds no words.
func (s *splitter) preamble(headings []heading, head int) {
	first := len(s.src)
	if len(headings) > 0 {
		first = headings[0].start
	}
	if !hasWords(s.outline[head:first]) {
		s.doc.HeadBytes = first
		return
	}
	s.doc.HeadBytes = head
	leaf := s.slug(s.doc.Title)
	s.doc.Rows = append(s.doc.Rows, Row{
		Title: s.doc.Title, Leaf: leaf, Parent: -1,
		Start: head, End: first, BodyStart: head,
	})
	s.paths = append(s.paths, leaf)
}

// hasWords tells whether a text holds anything to read; a thematic break, or
// what MDX imports, is nothing.
func hasWords(src []byte) bool {
	_, _, ok := text.NextUnit(string(src), 0)
	return ok
}

func (s *splitter) section(h heading, end int) {
	for len(s.stack) > 0 && s.doc.Rows[s.stack[len(s.stack)-1]].Level >= h.level {
		s.stack = s.stack[:len(s.stack)-1]
	}
	parent := -1
	if len(s.stack) > 0 {
		parent = s.stack[len(s.stack)-1]
	}
	i := s.add(Row{
		Title: h.title, Anchor: h.anchor, Level: h.level, Parent: parent,
		Start: h.start, End: end, BodyStart: min(h.bodyStart, end),
	})
	s.stack = append(s.stack, i)
}

// add appends r, giving it a leaf that is unique below its parent.
func (s *splitter) add(r Row) int {
	leaf := s.slug(r.Title)
	prefix := ""
	if r.Parent >= 0 {
		prefix = s.paths[r.Parent] + "/"
	}
	full := prefix + leaf
	s.used[full]++
	if n := s.used[full]; n > 1 {
		for ; ; n++ {
			candidate := full + "-" + strconv.Itoa(n)
			if s.used[candidate] == 0 {
				leaf, s.used[full] = leaf+"-"+strconv.Itoa(n), n
				full = candidate
				s.used[full]++
				break
			}
		}
	}
	r.Leaf = leaf
	if r.Anchor == "" {
		r.Anchor = leaf
	}
	s.doc.Rows = append(s.doc.Rows, r)
	s.paths = append(s.paths, full)
	return len(s.doc.Rows) - 1
}

func (s *splitter) finish() {
	for i := range s.doc.Rows {
		r := &s.doc.Rows[i]
		r.Hash = sha256.Sum256(s.src[r.Start:r.End])
		r.Tokens = text.TokensOf(r.Title, "\n", Body(s.src, *r))
	}
}

// Body returns a section's text without its heading and outer blank space.
func Body(src []byte, r Row) string {
	return strings.TrimSpace(string(src[r.BodyStart:r.End]))
}

// Path returns the slug chain and level of row i, the last part of its id.
func (d Document) Path(i int) string { return PathOf(d.Rows, i) }

// PathOf is Document.Path over bare rows.
func PathOf(rows []Row, i int) string {
	chain := rows[i].Leaf
	for p := rows[i].Parent; p >= 0; p = rows[p].Parent {
		chain = rows[p].Leaf + "/" + chain
	}
	return chain + "#" + strconv.Itoa(rows[i].Level)
}

// HashString is the content hash as it is shown.
func HashString(h [32]byte) string { return hex.EncodeToString(h[:]) }
