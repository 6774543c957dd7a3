package highlight

// This file colours markup: tags, attributes, and what other languages stand
// between them.

import "strings"

// markup colours HTML, XML and templates of them.
func markup(p *painter, g *grammar, s string) {
	for s != "" {
		switch {
		case strings.HasPrefix(s, "<!--"):
			s = take(p, comment, s, within(s, "-->"))
		case strings.HasPrefix(s, "{{"):
			s = expression(p, g, s)
		case tagBegins(s):
			s = tag(p, g, s)
		case s[0] == '&':
			s = take(p, number, s, entity(s))
		default:
			s = take(p, "", s, plain(s))
		}
	}
}

// take colours the first n bytes and returns the rest.
func take(p *painter, class, s string, n int) string {
	p.add(class, s[:n])
	return s[n:]
}

// within is the length of s up to and with end, all of it without one.
func within(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}

// plain is the length of text before anything else may begin, at least 1.
func plain(s string) int {
	if i := strings.IndexAny(s[1:], "<{&"); i >= 0 {
		return i + 1
	}
	return len(s)
}

func tagBegins(s string) bool {
	if len(s) < 2 || s[0] != '<' {
		return false
	}
	c := s[1]
	return c == '/' || c == '!' || c == '?' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// entity is the length of a character reference, 1 for a lone ampersand.
func entity(s string) int {
	for i := 1; i < len(s) && i < 32; i++ {
		if s[i] == ';' && i > 1 {
			return i + 1
		}
		if s[i] != '#' && !isWord(rune(s[i])) {
			break
		}
	}
	return 1
}

// expression colours {{ ... }} by the words of the template language.
func expression(p *painter, g *grammar, s string) string {
	n := within(s, "}}")
	if strings.HasPrefix(s, "{{/*") || strings.HasPrefix(s, "{{- /*") || strings.HasPrefix(s, "{{!") {
		return take(p, comment, s, n)
	}
	code(p, &grammar{quotes: "\"'`", multi: "`", sigils: "$", keywords: g.keywords}, s[:n])
	return s[n:]
}

// tag colours one tag; what stands between the tags of a script or a style is
// code of its language.
func tag(p *painter, g *grammar, s string) string {
	begin := 1
	if s[1] == '/' || s[1] == '!' || s[1] == '?' {
		begin = 2
	}
	end := begin
	for end < len(s) && (isWord(rune(s[end])) || strings.IndexByte("-:.", s[end]) >= 0 || s[end] >= 0x80) {
		end++
	}
	called := strings.ToLower(s[begin:end])
	s = take(p, keyword, s, end)
	for s != "" && s[0] != '>' {
		s = attribute(p, g, s)
	}
	if s == "" {
		return s
	}
	s = take(p, keyword, s, 1)
	inside := map[string]string{"script": "js", "style": "css"}[called]
	if inside == "" || begin == 2 || g.script == "" {
		return s
	}
	n := closing(s, called)
	code(p, find(inside), s[:n])
	return s[n:]
}

// closing is the length of s before the tag that closes an element, in any
// letters; all of it without one.
func closing(s, element string) int {
	for i := 0; ; i += 2 {
		n := strings.Index(s[i:], "</")
		if n < 0 {
			return len(s)
		}
		i += n
		if rest := s[i+2:]; len(rest) >= len(element) && strings.EqualFold(rest[:len(element)], element) {
			return i
		}
	}
}

// attribute colours what s, inside of a tag, begins with.
func attribute(p *painter, g *grammar, s string) string {
	switch c := s[0]; {
	case c == '"' || c == '\'':
		n := 1 + within(s[1:], s[:1])
		return take(p, text, s, n)
	case strings.HasPrefix(s, "{{"):
		return expression(p, g, s)
	case strings.IndexByte(" \t\r\n=/?", c) >= 0:
		return take(p, "", s, 1)
	}
	n := strings.IndexAny(s, " \t\r\n=>\"'")
	if n <= 0 {
		n = len(s)
		if s[0] == '>' {
			n = 1
		}
	}
	return take(p, name, s, n)
}
