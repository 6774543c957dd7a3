package section

import (
	"bytes"
	"unicode"
)

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// Searchable returns the part of a section's text that ranking may see: HTML
// comments outside code are blanked, byte offsets kept. body is not changed;
// it is returned as it is when it holds no comment.
func Searchable(body []byte) []byte {
	if !bytes.Contains(body, []byte("<!--")) {
		return body
	}
	code := boundaries(body, false)
	out := bytes.Clone(body)
	for i := 0; ; {
		n := bytes.Index(out[i:], []byte("<!--"))
		if n < 0 {
			return out
		}
		start := i + n
		if c, inside := code.codeAt(start + 1); inside {
			i = c[1]
			continue
		}
		if inCodeSpan(out, start) {
			i = start + 4
			continue
		}
		end := len(out)
		if m := bytes.Index(out[start:], []byte("-->")); m >= 0 {
			end = start + m + 3
		}
		for j := start; j < end; j++ {
			if out[j] != '\n' {
				out[j] = ' '
			}
		}
		i = end
	}
}

// inCodeSpan tells whether position i stands behind an odd number of backtick
// runs on its line, which is how a span that holds a comment opener looks.
func inCodeSpan(src []byte, i int) bool {
	open := false
	for j := lineStart(src, i); j < i; {
		if src[j] != '`' {
			j++
			continue
		}
		for j < i && src[j] == '`' {
			j++
		}
		open = !open
	}
	return open
}
