package highlight

// This file colours programs and data: comments, strings, numbers, words.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is how a language is read.
type kind uint8

const (
	asCode kind = iota
	asMarkup
	asPairs
	asConsole
	asDiff
	asMarkdown
)

// paint colours code of the language.
func (g *grammar) paint(p *painter, s string) {
	switch g.as {
	case asMarkup:
		markup(p, g, s)
	case asPairs:
		pairs(p, g, s)
	case asConsole:
		console(p, s)
	case asDiff:
		diff(p, s)
	case asMarkdown:
		markdown(p, s)
	default:
		code(p, g, s)
	}
}

// grammar is what is to be known of a language.
type grammar struct {
	names    string // of the language, between spaces
	as       kind
	line     string    // beginnings of comments that end with the line, between spaces
	block    [2]string // a comment's beginning and end
	quotes   string    // what begins and ends strings; a backslash escapes
	multi    string    // those of quotes whose strings may hold line breaks
	triple   bool      // three quotes begin a string that three end
	lifetime bool      // 'a is no string but a name
	sigils   string    // what begins names, such as $
	inner    string    // what names may hold beside letters and digits
	fold     bool      // keywords in any letters
	keywords string    // between spaces
	keys     string    // what stands behind a key, such as : in YAML
	script   string    // language between its tags; for markup
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// has tells whether a list of words between spaces holds one.
func has(list, word string) bool {
	return word != "" && strings.Contains(list, " "+word+" ")
}

// code colours what most languages have in common.
func code(p *painter, g *grammar, s string) {
	fresh := true // at a word's beginning, where # may begin a comment
	for s != "" {
		n, class := g.next(s, fresh)
		p.add(class, s[:n])
		r, _ := utf8.DecodeLastRuneInString(s[:n])
		fresh = !isWord(r) && (g.sigils == "" || !strings.ContainsRune(g.sigils, r))
		s = s[n:]
	}
}

// next is the length and class of what s begins with.
func (g *grammar) next(s string, fresh bool) (int, string) {
	if n := g.comment(s, fresh); n > 0 {
		return n, comment
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case strings.ContainsRune(g.quotes, r):
		return g.quoted(s)
	case fresh && '0' <= r && r <= '9':
		return numeral(s), number
	case strings.ContainsRune(g.sigils, r) && size < len(s):
		if n := g.word(s[size:]); n > 0 {
			if has(g.keywords, s[:size+n]) {
				return size + n, keyword
			}
			return size + n, name
		}
	case unicode.IsLetter(r) || r == '_':
		n := g.word(s)
		return n, g.classOf(s[:n], s[n:])
	}
	return size, ""
}

// comment is the length of the comment that s begins with, 0 without one.
func (g *grammar) comment(s string, fresh bool) int {
	for begin := range strings.FieldsSeq(g.line) {
		if strings.HasPrefix(s, begin) && (begin != "#" || fresh) {
			return upTo(s, "\n")
		}
	}
	if begin := g.block[0]; begin != "" && strings.HasPrefix(s, begin) {
		if end := strings.Index(s[len(begin):], g.block[1]); end >= 0 {
			return len(begin) + end + len(g.block[1])
		}
		return len(s)
	}
	return 0
}

// quoted is the length and class of the string that s begins with.
func (g *grammar) quoted(s string) (int, string) {
	quote := s[:1]
	if g.triple && strings.HasPrefix(s, strings.Repeat(quote, 3)) {
		if end := strings.Index(s[3:], s[:3]); end >= 0 {
			return end + 6, text
		}
		return len(s), text
	}
	if quote == "'" && g.lifetime {
		if n := g.word(s[1:]); n > 0 && !strings.HasPrefix(s[1+n:], "'") {
			return 1 + n, name
		}
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
		case s[i] == quote[0]:
			return i + 1, g.stringClass(s[i+1:])
		case s[i] == '\n' && !strings.Contains(g.multi, quote):
			return i, text
		}
	}
	return len(s), text
}

// stringClass is a key's where one may stand.
func (g *grammar) stringClass(rest string) string {
	if g.keys != "" && strings.HasPrefix(strings.TrimLeft(rest, " \t"), g.keys) {
		return name
	}
	return text
}

// word is the length of the name that s begins with.
func (g *grammar) word(s string) int {
	for i, r := range s {
		if !isWord(r) && !(i > 0 && strings.ContainsRune(g.inner, r)) {
			return i
		}
	}
	return len(s)
}

// classOf tells what a word is by itself and by what follows it.
func (g *grammar) classOf(word, rest string) string {
	known := word
	if g.fold {
		known = strings.ToLower(word)
	}
	switch {
	case has(g.keywords, known):
		return keyword
	case g.keys != "" && strings.HasPrefix(strings.TrimLeft(rest, " \t"), g.keys):
		return name
	case g.keys == "" && strings.HasPrefix(rest, "("):
		return name
	}
	return ""
}

// numeral is the length of a number with its unit.
func numeral(s string) int {
	for i, r := range s {
		if !isWord(r) && r != '%' && !(r == '.' && i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '9') {
			return i
		}
	}
	return len(s)
}

// upTo is the length of s before end, all of it without one.
func upTo(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i
	}
	return len(s)
}
