package site

// This file rewrites the links of a Markdown text, leaving code alone. It works
// on the text and not on a parsed tree, so that everything else stays as its
// author wrote it.

import (
	"strings"
)

// relink says where a link goes: a new destination, or "" when it leads
// nowhere and only its text is to stay.
type relink func(destination string, image bool) string

// rewriteLinks returns text with every link's destination replaced: inline
// links and images, reference definitions, href and src of HTML tags.
func rewriteLinks(text string, to relink) string {
	out := make([]byte, 0, len(text)+len(text)/8)
	fence, block := "", 0
	flush := func(end int) {
		out = rewriteBlock(out, text[block:end], to)
	}
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := text[at:end]
		open := fenceOf(line)
		switch {
		case fence != "":
			out = append(out, line...)
			block = end
			if closesFence(line, fence) {
				fence = ""
			}
		case open != "":
			flush(at)
			out = append(out, line...)
			fence, block = open, end
		case strings.TrimSpace(line) == "":
			flush(end)
			block = end
		}
		at = end
	}
	flush(len(text))
	return string(out)
}

// fenceOf returns the run of backticks or tildes that opens a code block on
// this line, also within a quote or list item.
func fenceOf(line string) string {
	s := strings.TrimLeft(line, " \t>")
	for _, marker := range []string{"- ", "* ", "+ "} {
		s = strings.TrimLeft(strings.TrimPrefix(s, marker), " \t")
	}
	if len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return ""
	}
	run := s[:len(s)-len(strings.TrimLeft(s, s[:1]))]
	if len(run) < 3 || s[0] == '`' && strings.Contains(s[len(run):], "`") {
		return ""
	}
	return run
}

func closesFence(line, fence string) bool {
	s := strings.TrimSpace(strings.TrimLeft(line, " \t>"))
	return len(s) >= len(fence) && strings.Trim(s, fence[:1]) == ""
}

// openLink is a bracket that may begin a link.
type openLink struct {
	at    int // in the output
	image bool
}

// rewriteBlock appends one run of lines without a blank one.
func rewriteBlock(out []byte, s string, to relink) []byte {
	if !strings.ContainsAny(s, "[<") {
		return append(out, s...)
	}
	var open []openLink
	lineStart := true
	for i := 0; i < len(s); {
		if lineStart {
			if definition, n := rewriteDefinition(s[i:], to); n > 0 {
				out = append(out, definition...)
				i += n
				continue
			}
		}
		lineStart = s[i] == '\n'
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			out = append(out, s[i:i+2]...)
			i += 2
		case c == '`':
			n := codeSpan(s[i:])
			out = append(out, s[i:i+n]...)
			i += n
		case c == '<':
			tag, n := rewriteTag(s[i:], to)
			out = append(out, tag...)
			i += n
		case c == '[' && len(open) < maxLinkDepth:
			open = append(open, openLink{at: len(out), image: i > 0 && s[i-1] == '!' && len(out) > 0})
			out = append(out, c)
			i++
		case c == ']' && len(open) > 0:
			o := open[len(open)-1]
			open = open[:len(open)-1]
			var n int
			out, n = closeLink(out, o, s[i:], to)
			i += n
		default:
			n := 1
			if c != '\n' {
				n = plainRun(s[i:])
			}
			out = append(out, s[i:i+n]...)
			i += n
		}
	}
	return out
}

// plainRun is the length of the text that begins s and means nothing here, at
// least 1.
func plainRun(s string) int {
	if n := strings.IndexAny(s[1:], "\\`<[]\n"); n >= 0 {
		return n + 1
	}
	return len(s)
}

// closeLink ends the link that o began: s begins with its bracket.
func closeLink(out []byte, o openLink, s string, to relink) ([]byte, int) {
	destination, rest, n := inlineDestination(s)
	if n == 0 {
		return append(out, ']'), 1
	}
	target := to(destination, o.image)
	if target == "" {
		text := append([]byte{}, out[o.at+1:]...)
		if o.image {
			o.at-- // the exclamation mark
		}
		return append(out[:o.at], text...), n
	}
	out = append(out, "]("...)
	out = append(out, markdownTarget(target)...)
	out = append(out, rest...)
	return out, n
}

// inlineDestination reads "](destination "title")". rest is what follows the
// destination, n the length of all; 0 when it is no link.
func inlineDestination(s string) (destination, rest string, n int) {
	if len(s) < 2 || s[1] != '(' {
		return "", "", 0
	}
	s = s[:min(len(s), maxLinkBytes)]
	at := 2 + leadingBlank(s[2:])
	if at < len(s) && s[at] == '<' {
		end := strings.IndexAny(s[at:], ">\n")
		if end < 0 || s[at+end] != '>' {
			return "", "", 0
		}
		destination, at = s[at+1:at+end], at+end+1
	} else {
		length := bareDestination(s[at:])
		destination, at = s[at:at+length], at+length
	}
	end := titleEnd(s[at:])
	if end == 0 {
		return "", "", 0
	}
	return destination, s[at : at+end], at + end
}

func leadingBlank(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\n")) }

// bareDestination is the length of a destination without angle brackets: up to
// blank space or the parenthesis it did not open.
func bareDestination(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ' ', '\t', '\n':
			return i
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(s)
}

// titleEnd is the length of an optional title and the closing parenthesis, 0
// when something else stands there.
func titleEnd(s string) int {
	at := leadingBlank(s)
	if at < len(s) && at > 0 && strings.IndexByte(`"'(`, s[at]) >= 0 {
		closer := s[at]
		if closer == '(' {
			closer = ')'
		}
		end := at + 1
		for end < len(s) && s[end] != closer {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s) {
			return 0
		}
		at = end + 1
		at += leadingBlank(s[at:])
	}
	if at >= len(s) || s[at] != ')' {
		return 0
	}
	return at + 1
}

// markdownTarget writes a destination so that every reader finds its end.
func markdownTarget(target string) string {
	return targetEscaper.Replace(target)
}

// Replacers cost more to build than to use, and do not change.
var (
	targetEscaper = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E")
	textEscaper   = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "*", `\*`)
)

// rewriteDefinition rewrites "[label]: destination" at the begin of s. A
// destination that leads nowhere becomes "#", since a missing definition would
// leave its links as bare brackets.
func rewriteDefinition(s string, to relink) (definition string, n int) {
	blank := len(s) - len(strings.TrimLeft(s, " "))
	if blank > 3 || blank >= len(s) || s[blank] != '[' || strings.HasPrefix(s[blank:], "[^") {
		return "", 0
	}
	line, _, _ := strings.Cut(s, "\n")
	end := strings.Index(line, "]:")
	if end < 0 || strings.ContainsAny(line[blank+1:end], "[]") {
		return "", 0
	}
	at := end + len("]:")
	at += len(line[at:]) - len(strings.TrimLeft(line[at:], " \t"))
	destination := line[at:]
	if space := strings.IndexAny(destination, " \t"); space >= 0 {
		destination = destination[:space]
	}
	if destination == "" {
		return "", 0
	}
	target := to(strings.Trim(destination, "<>"), false)
	if target == "" {
		target = "#"
	}
	return line[:at] + markdownTarget(target), at + len(destination)
}

// codeSpan is the length of the code span that begins s, or of its run of
// backticks when nothing closes it.
func codeSpan(s string) int {
	run := len(s) - len(strings.TrimLeft(s, "`"))
	for i := run; i < len(s); {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			break
		}
		i += at
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		i += n
		if n == run {
			return i
		}
	}
	return run
}

// rewriteTag rewrites href and src of the HTML tag that begins s. Whatever is
// no tag passes as one character.
func rewriteTag(s string, to relink) (tag string, n int) {
	if len(s) < 2 || !(s[1] >= 'a' && s[1] <= 'z' || s[1] >= 'A' && s[1] <= 'Z') {
		return s[:1], 1
	}
	end := strings.IndexByte(s[:min(len(s), maxLinkBytes)], '>')
	if end < 0 {
		return s[:1], 1
	}
	tag = s[:end+1]
	for _, attribute := range []string{"href", "src"} {
		from, to2 := attributeValue(tag, attribute)
		if from < 0 {
			continue
		}
		target := to(tag[from:to2], attribute == "src")
		if target == "" && attribute == "src" {
			return "", end + 1
		}
		if target == "" {
			target = "#"
		}
		tag = tag[:from] + strings.ReplaceAll(target, `"`, "%22") + tag[to2:]
	}
	return tag, end + 1
}

// attributeValue finds the value of a quoted attribute; -1 when there is none.
func attributeValue(tag, name string) (from, to int) {
	at := indexFold(tag, " "+name+"=")
	if at < 0 {
		return -1, -1
	}
	at += len(name) + 2
	if at >= len(tag) || tag[at] != '"' && tag[at] != '\'' {
		return -1, -1
	}
	end := strings.IndexByte(tag[at+1:], tag[at])
	if end < 0 {
		return -1, -1
	}
	return at + 1, at + 1 + end
}

// indexFold is strings.Index without regard to case. A text in small letters may
// have other places: bytes that are no UTF-8 grow by it.
func indexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}
