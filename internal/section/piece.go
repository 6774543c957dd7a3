package section

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"evergreen/internal/text"
)

// pieces cuts oversized sections so that each part can be found and read by
// itself. A piece is a level-0 child of the section it was cut from.
func (s *splitter) pieces() {
	rows, paths := s.doc.Rows, s.paths
	moved := make([]int, len(rows)) // old index to new
	s.doc.Rows, s.paths = nil, nil
	for i, r := range rows {
		moved[i] = len(s.doc.Rows)
		if r.Parent >= 0 {
			r.Parent = moved[r.Parent]
		}
		end := r.End
		cuts := s.cutsOf(r)
		if len(cuts) > 0 {
			r.End = cuts[0]
			r.BodyStart = min(r.BodyStart, r.End) // the heading itself may be that long
		}
		s.doc.Rows, s.paths = append(s.doc.Rows, r), append(s.paths, paths[i])
		for j, cut := range cuts {
			next := end
			if j+1 < len(cuts) {
				next = cuts[j+1]
			}
			title := firstLine(s.src[cut:next])
			if title == "" {
				title = r.Title
			}
			s.add(Row{Title: title, Parent: moved[i], Start: cut, End: next, BodyStart: cut})
		}
	}
}

// cutsOf returns where the section is to be cut, none when it is short enough.
func (s *splitter) cutsOf(r Row) []int {
	if r.End-r.Start <= splitAbove {
		return nil
	}
	var cuts []int
	start := r.Start
	bounds := boundaries(s.outline[r.BodyStart:r.End], s.opts.Plain)
	for r.End-start > splitAbove {
		cut := Cut(s.outline[start:r.End], shift(bounds, r.BodyStart-start), splitTarget)
		if cut <= 0 || start+cut >= r.End {
			break
		}
		start += cut
		cuts = append(cuts, start)
	}
	return cuts
}

// Boundaries are the places where a text may be cut, ascending byte offsets.
type Boundaries struct {
	blocks []int    // starts of blocks outside code
	code   [][2]int // ranges of code blocks, fences included
}

// FindBoundaries parses src for Cut.
func FindBoundaries(src []byte, plain bool) Boundaries { return boundaries(src, plain) }

func boundaries(src []byte, plain bool) Boundaries {
	var b Boundaries
	if plain {
		for i := 0; i < len(src); {
			n := bytes.Index(src[i:], []byte("\n\n"))
			if n < 0 {
				break
			}
			i += n + 2
			b.blocks = append(b.blocks, i)
		}
		return b
	}
	b.collect(parse(src), src)
	return b
}

func (b *Boundaries) collect(parent ast.Node, src []byte) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Type() != ast.TypeBlock {
			continue
		}
		start := lineStart(src, n.Pos())
		if n.Pos() >= 0 && start > 0 && (len(b.blocks) == 0 || b.blocks[len(b.blocks)-1] < start) {
			b.blocks = append(b.blocks, start)
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			b.code = append(b.code, [2]int{start, fenceEnd(n, src)})
		case *ast.CodeBlock:
			if lines := n.Lines(); lines.Len() > 0 {
				b.code = append(b.code, [2]int{start, lineEnd(src, lines.At(lines.Len()-1).Start)})
			}
		case *ast.List, *ast.ListItem, *ast.Blockquote:
			b.collect(n, src)
		}
	}
}

// fenceEnd returns the first byte after the closing fence, or after the last
// line of code when the fence is never closed.
func fenceEnd(n *ast.FencedCodeBlock, src []byte) int {
	last := lineEnd(src, n.Pos())
	if lines := n.Lines(); lines.Len() > 0 {
		last = max(last, lines.At(lines.Len()-1).Stop)
		last = lineStart(src, last)
		if last < lines.At(lines.Len()-1).Stop {
			last = lineEnd(src, last)
		}
	}
	line := bytes.TrimLeft(src[last:lineEnd(src, last)], " \t>")
	if bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")) {
		return lineEnd(src, last)
	}
	return last
}

func shift(b Boundaries, by int) Boundaries {
	out := Boundaries{blocks: make([]int, len(b.blocks)), code: make([][2]int, len(b.code))}
	for i, v := range b.blocks {
		out.blocks[i] = v + by
	}
	for i, v := range b.code {
		out.code[i] = [2]int{v[0] + by, v[1] + by}
	}
	return out
}

// Cut returns where to end a piece of at most limit bytes of src: at the last
// block that begins within the limit, unless that wastes more than half of it
// on a long paragraph, which is then cut at a line or a space; else before a
// code block; else at a line, a space, a rune. The result is in (0, len(src)].
// A cut inside a code block happens only when the piece would otherwise be
// empty, at a line.
func Cut(src []byte, b Boundaries, limit int) int {
	limit = max(limit, utf8.UTFMax)
	if len(src) <= limit {
		return len(src)
	}
	best := 0
	for _, start := range b.blocks {
		if start > limit {
			break
		}
		if start > best && !b.inCode(start) {
			best = start
		}
	}
	code, inCode := b.codeAt(limit)
	switch {
	case best > limit/2 || best > 0 && inCode:
		return best
	case inCode && code[0] > 0:
		return code[0]
	}
	for _, sep := range []byte{'\n', ' '} {
		if i := bytes.LastIndexByte(src[:limit], sep); i >= max(best, 1) {
			return i + 1
		}
	}
	if best > 0 {
		return best
	}
	end := limit
	for end > 1 && !utf8.RuneStart(src[end]) {
		end--
	}
	return end
}

func (b Boundaries) inCode(i int) bool {
	code, ok := b.codeAt(i)
	return ok && code[0] < i
}

func (b Boundaries) codeAt(i int) ([2]int, bool) {
	for _, c := range b.code {
		if c[0] < i && i < c[1] {
			return c, true
		}
	}
	return [2]int{}, false
}

// firstLine is a piece's title: its first line with words, markup characters
// at the ends removed, cut at a word.
func firstLine(src []byte) string {
	for line := range bytes.Lines(src) {
		t := strings.Trim(string(bytes.ToValidUTF8(line, nil)), " \t\r\n#>*-_=|`~+")
		t = text.CleanTitle(strings.Join(strings.Fields(t), " "))
		if t == "" || strings.HasPrefix(t, "<!") {
			continue
		}
		return shorten(t, titleRunes)
	}
	return ""
}

func shorten(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	cut := string(runes[:limit])
	if i := strings.LastIndexByte(cut, ' '); i > limit/2 {
		cut = cut[:i]
	}
	return strings.TrimSpace(cut)
}

// After returns the boundaries of the text behind the first n bytes, as byte
// offsets from there.
func (b Boundaries) After(n int) Boundaries {
	var out Boundaries
	for _, v := range b.blocks {
		if v > n {
			out.blocks = append(out.blocks, v-n)
		}
	}
	for _, c := range b.code {
		if c[1] > n {
			out.code = append(out.code, [2]int{c[0] - n, c[1] - n})
		}
	}
	return out
}
