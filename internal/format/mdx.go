package format

import "bytes"

// MDX to Markdown of the same length: imports and exports, JSX tags and
// expressions become spaces; prose, fences, code spans and HTML comments stay
// byte for byte, so that an offset into the one is an offset into the other.
//
// This is no parser of JavaScript. It follows strings, templates, comments and
// brackets far enough to find where a construct ends; what has no end is text.

// blankMDX blanks text from offset start on. It returns nil when there is
// nothing to blank; ok is false when text is too tangled to be MDX.
func blankMDX(text []byte, start int) (outline []byte, ok bool) {
	out := text
	for range maxPasses {
		// Blanking can complete a tag around what was blanked.
		next := blankOnce(out, start)
		if bytes.Equal(next, out) {
			if bytes.Equal(out, text) {
				return nil, true
			}
			return out, true
		}
		out = next
	}
	return nil, false
}

// blanker is one pass over a text.
type blanker struct {
	src      []byte
	out      []byte
	failures int  // constructs followed to their bound in vain
	unclosed bool // no "-->" lies ahead
}

func blankOnce(src []byte, start int) []byte {
	b := blanker{src: src, out: bytes.Clone(src)}
	paragraph := false
	for i := start; i < len(src); {
		end := b.lineEnd(i)
		content := b.content(i, end)
		switch {
		case content == end:
			paragraph = false
			i = end + 1
		case b.fenceAt(content, end) > 0:
			i = b.skipFence(i, content, end)
			paragraph = false
		case !paragraph && content == i && opensESM(src[i:end]):
			stop := b.endOfESM(i)
			b.blank(i, stop)
			i = stop
		default:
			stop := b.inline(content)
			paragraph = src[content] != '#' && !b.isBlank(i, stop)
			i = stop + 1
		}
	}
	return b.out
}

// lineEnd returns the offset of the line's end, its '\n' not included.
func (b *blanker) lineEnd(i int) int {
	if n := bytes.IndexByte(b.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(b.src)
}

// content skips indentation, quote and list markers at the start of a line.
func (b *blanker) content(i, end int) int {
	for i < end {
		c := b.src[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '>':
			i++
		case (c == '-' || c == '*' || c == '+') && i+1 < end && isSpace(b.src[i+1]):
			i += 2
		case c >= '0' && c <= '9':
			n := i
			for n < end && b.src[n] >= '0' && b.src[n] <= '9' {
				n++
			}
			if n+1 >= end || n-i > 9 || (b.src[n] != '.' && b.src[n] != ')') || !isSpace(b.src[n+1]) {
				return i
			}
			i = n + 2
		default:
			return i
		}
	}
	return end
}

// fenceAt returns the length of the code fence that opens at i, 0 for none.
func (b *blanker) fenceAt(i, end int) int {
	c := b.src[i]
	if c != '`' && c != '~' {
		return 0
	}
	n := b.run(i, end, c)
	if n < 3 || (c == '`' && bytes.IndexByte(b.src[i+n:end], '`') >= 0) {
		return 0
	}
	return n
}

// run counts equal bytes.
func (b *blanker) run(i, end int, c byte) int {
	n := 0
	for i+n < end && b.src[i+n] == c {
		n++
	}
	return n
}

// skipFence returns where the line after a fenced block begins. A block in a
// quote ends with the quote; one without an end reaches to the end of text.
func (b *blanker) skipFence(lineStart, open, end int) int {
	c, n := b.src[open], b.fenceAt(open, end)
	quoted := bytes.IndexByte(b.src[lineStart:open], '>') >= 0
	for i := end + 1; i < len(b.src); {
		end := b.lineEnd(i)
		at := i
		for at < end && (isSpace(b.src[at]) || (quoted && b.src[at] == '>')) {
			at++
		}
		if quoted && bytes.IndexByte(b.src[i:at], '>') < 0 {
			return i
		}
		if m := b.run(at, end, c); m >= n && len(bytes.TrimSpace(b.src[at+m:end])) == 0 {
			return end + 1
		}
		i = end + 1
	}
	return len(b.src)
}

// inline blanks what stands in running text from i on and returns the end of
// the line on which it is done; constructs may span lines.
func (b *blanker) inline(i int) int {
	first := i
	for i < len(b.src) && b.src[i] != '\n' {
		switch b.src[i] {
		case '\\':
			i++
			if i < len(b.src) && b.src[i] != '\n' {
				i++
			}
		case '`':
			i = b.skipCodeSpan(i)
		case '<':
			i = b.angle(i, i == first)
		case '{':
			i = b.brace(i)
		default:
			i++
		}
	}
	return min(i, len(b.src))
}

// brace blanks the expression that opens at i. A heading's {#id} is not one.
func (b *blanker) brace(i int) int {
	if bytes.HasPrefix(b.src[i:], []byte("{#")) {
		return i + 2
	}
	end := b.expression(i)
	if end == 0 {
		return i + 1
	}
	b.blank(i, end)
	return end
}

// skipCodeSpan returns the end of the code span that opens at i, or of the run
// of backticks when nothing closes it within the paragraph.
func (b *blanker) skipCodeSpan(i int) int {
	n := b.run(i, len(b.src), '`')
	for j := i + n; j < min(len(b.src), i+maxConstruct); {
		switch b.src[j] {
		case '`':
			m := b.run(j, len(b.src), '`')
			j += m
			if m == n {
				return j
			}
		case '\n':
			j++
			if j < len(b.src) && len(bytes.TrimSpace(b.src[j:b.lineEnd(j)])) == 0 {
				return i + n
			}
		default:
			j++
		}
	}
	return i + n
}

// angle handles a '<': comments and raw elements are passed over, tags are
// blanked, all else is text.
func (b *blanker) angle(i int, atStart bool) int {
	rest := b.src[i:]
	if bytes.HasPrefix(rest, []byte("<!--")) {
		if !b.unclosed {
			if n := bytes.Index(rest, []byte("-->")); n >= 0 {
				return i + n + len("-->")
			}
			b.unclosed = true
		}
		return i + 1
	}
	if atStart {
		if end := b.rawElement(i); end > 0 {
			return end
		}
	}
	if end := b.tag(i); end > 0 {
		b.blank(i, end)
		return end
	}
	return i + 1
}

// rawElement returns the end of the <pre>, <script>, <style> or <textarea>
// element at i, whose content Markdown leaves alone; 0 when there is none.
func (b *blanker) rawElement(i int) int {
	s, limit := b.window(i)
	for _, name := range []string{"pre", "script", "style", "textarea"} {
		n := i + 1 + len(name)
		if n >= limit || string(s[i+1:n]) != name || (s[n] != '>' && s[n] != '\n' && !isSpace(s[n])) {
			continue
		}
		closing := "</" + name + ">"
		if at := bytes.Index(s[n:limit], []byte(closing)); at >= 0 {
			return n + at + len(closing)
		}
		b.failures++
	}
	return 0
}

// blank replaces [i, end) with spaces, line ends kept.
func (b *blanker) blank(i, end int) {
	for ; i < end; i++ {
		if b.out[i] != '\n' && b.out[i] != '\r' {
			b.out[i] = ' '
		}
	}
}

// isBlank reports whether nothing is left of [i, end).
func (b *blanker) isBlank(i, end int) bool { return len(bytes.TrimSpace(b.out[i:end])) == 0 }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
