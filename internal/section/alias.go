package section

import (
	"strconv"
	"strings"

	"evergreen/internal/text"
)

// Aliases returns the other names under which a reader may ask for each row of
// a split text: the id path with ASCII-only slugs, the one with slugs of the
// raw markup, the explicit anchor and GitHub's anchor.
func Aliases(src []byte, o Options, d Document) [][]string {
	ascii := o
	ascii.ASCII = !o.ASCII
	other := Split(src, ascii)
	outline := o.Outline
	if outline == nil {
		outline = src
	}
	head := min(max(o.HeadBytes, bomLength(src)), len(src))
	raw := map[int]string{}
	if !o.Plain {
		for _, h := range findHeadings(outline[head:], head) {
			raw[h.start] = h.raw
		}
	}
	out := make([][]string, len(d.Rows))
	seen := map[string]int{}
	for i, r := range d.Rows {
		if len(other.Rows) == len(d.Rows) {
			out[i] = append(out[i], other.Path(i))
		}
		if markup, ok := raw[r.Start]; ok {
			chain := strings.TrimSuffix(d.Path(i), r.Leaf+"#"+strconv.Itoa(r.Level))
			out[i] = append(out[i], chain+text.Slug(markup)+"#"+strconv.Itoa(r.Level))
		}
		if r.Level > 0 {
			out[i] = append(out[i], r.Anchor, githubAnchor(r.Title, seen))
		}
	}
	return out
}

// githubAnchor follows the anchors that GitHub gives to headings: lower case,
// everything but letters, digits, '-', '_' and spaces dropped, spaces to '-',
// repeats numbered from 1.
func githubAnchor(title string, seen map[string]int) string {
	anchor := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_':
			return r
		}
		if strings.ContainsRune("!\"#$%&'()*+,./:;<=>?@[\\]^`{|}~", r) || r > 127 && !isWordRune(r) {
			return -1
		}
		return r
	}, strings.ToLower(title))
	n := seen[anchor]
	seen[anchor]++
	if n > 0 {
		return anchor + "-" + strconv.Itoa(n)
	}
	return anchor
}
