package markdown

// Character data: white space collapsed, invisible characters gone, and a
// backslash where a character would be read as a mark.

import "strings"

// text writes character data.
func (r *run) text(s string) {
	for i := 0; i < len(s); {
		if blankAt(s, i) {
			r.space = true
			if i++; s[i-1] == 0xc2 {
				i++
			}
			continue
		}
		j := i
		for j < len(s) && !blankAt(s, j) {
			j++
		}
		if word := stripInvisible(s[i:j]); word != "" {
			r.flush()
			r.word(word, s[j:])
		}
		i = j
	}
}

// blankAt reports white space at s[i]: that of HTML, or a no-break space.
func blankAt(s string, i int) bool {
	switch s[i] {
	case ' ', '\n', '\t', '\r', '\f':
		return true
	case 0xc2:
		return i+1 < len(s) && s[i+1] == 0xa0
	}
	return false
}

// stripInvisible removes characters that no reader sees: controls, zero-width
// spaces, soft hyphens, tag characters, directional overrides.
func stripInvisible(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xc2 || s[i] == 0x7f || s[i] < ' ' && s[i] != '\n' && s[i] != '\t' {
			return strings.Map(visibleRune, s)
		}
	}
	return s
}

func visibleRune(c rune) rune {
	switch {
	case c < ' ' && c != '\n' && c != '\t', c == '\u200b', c == '\ufeff', c == '\u00ad', c == '\u2060', c == 0x7f, c >= 0x80 && c < 0xa0:
		return -1
	case c >= 0xe0000 && c <= 0xe007f, c >= '\u202a' && c <= '\u202e', c >= '\u2066' && c <= '\u2069':
		return -1
	}
	return c
}

// word writes one run of visible characters; rest is what follows in its node.
func (r *run) word(s, rest string) {
	r.closed = ""
	if r.link == 0 && bareURL(s) {
		if !plainURL(s) {
			s = "<" + s + ">" // its marks would need escapes that links show
		}
		r.b = append(r.b, s...)
		return
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < 0x80 && special[c] && r.mustEscape(s, i, rest) {
			r.b = append(r.b, '\\')
		}
		r.b = append(r.b, c)
	}
}

// special are the characters that may mean something inside a line.
var special = [128]bool{'\\': true, '`': true, '*': true, '_': true, '[': true, ']': true, '<': true, '&': true, '~': true, '(': true, '|': true}

// mustEscape decides whether s[i] would be read as a mark.
func (r *run) mustEscape(s string, i int, rest string) bool {
	next := byte(' ')
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch s[i] {
	case '\\':
		return i+1 == len(s) || isPunct(next)
	case '`', '*':
		return true
	case '_':
		return !(r.wordBefore(s, i) && wordByte(next))
	case '[':
		return r.link > 0 || next == '^' || i+1 == len(s) || next == ']' || strings.EqualFold(s[i:min(i+3, len(s))], "[x]")
	case ']':
		return r.link > 0 || next == '(' || next == '[' || next == ':' && len(r.b) < 64
	case '(':
		return i == 0 && len(r.b) > 0 && r.b[len(r.b)-1] == ']' && r.literal != len(r.b)
	case '<':
		return next != ' ' && next != '=' && next != '-' && next != '<' && !(next >= '0' && next <= '9')
	case '&':
		return entity(s[i:])
	case '~':
		return next == '~' || i > 0 || len(r.b) > 0 && r.b[len(r.b)-1] != ' '
	case '|':
		return r.cell
	}
	return false
}

// wordBefore reports whether a letter or digit stands before s[i].
func (r *run) wordBefore(s string, i int) bool {
	if i > 0 {
		return wordByte(s[i-1])
	}
	return len(r.b) > 0 && wordByte(r.b[len(r.b)-1])
}

// wordByte reports letters and digits; bytes above ASCII count as letters.
func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !wordByte(c)
}

// entity reports whether s begins with a character reference.
func entity(s string) bool {
	end := strings.IndexByte(s, ';')
	if end < 2 || end > 32 {
		return false
	}
	name := s[1:end]
	if name[0] == '#' {
		name = name[1:]
	}
	for i := 0; i < len(name); i++ {
		if !wordByte(name[i]) || name[i] >= 0x80 {
			return false
		}
	}
	return name != ""
}

// bareURL reports whether a word is an address by itself.
func bareURL(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "http://")
	}
	return ok && len(rest) > 3 && strings.IndexByte(rest, '.') > 0 && !strings.ContainsAny(s, "<>|`\\")
}

// plainURL reports whether an address needs no escapes as text.
func plainURL(s string) bool {
	return !strings.ContainsAny(s, "*[]&~") && !strings.Contains(s, "/_") && !strings.Contains(s, "__") && !strings.HasSuffix(s, "_")
}
