package site

// This file makes plain sentences of Markdown: what a page is about, in one
// line.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// sentence says what a page is about: its description, else its first
// paragraph.
func (s *Site) sentence(p *Page) string {
	switch p.Kind {
	case KindHome:
		return s.say("Start page with the map of the documentation.", "首页：文档的全貌。")
	case KindCollection:
		return s.collectionSentence(p)
	}
	return s.pages.sentences()[p.number]
}

// documentSentences reads the sentences of all documents, by number of page.
func documentSentences(snap Snapshot, pages []Page) []string {
	said := make([]string, len(pages))
	for i := range pages {
		if pages[i].Kind == KindDocument {
			said[i] = documentSentence(snap, &pages[i])
		}
	}
	return said
}

func documentSentence(snap Snapshot, p *Page) string {
	if d := plain(p.Meta.Description); d != "" {
		return shorten(d, maxSentence)
	}
	stored, err := snap.Text(p.document())
	if err != nil {
		return p.Title + "." // the page itself will say what is wrong
	}
	head := min(max(p.headBytes, 0), len(stored))
	text := strings.ToValidUTF8(string(stored[head:min(len(stored), head+maxSummaryBytes)]), "")
	if found := firstParagraph(withoutScripts(text)); found != "" {
		return shorten(found, maxSentence)
	}
	return p.Title + "."
}

// firstParagraph is the first prose of a Markdown text, as plain text: no
// headings, lists, tables, code, HTML, badges or directives.
func firstParagraph(text string) string {
	var lines []string
	fence := ""
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		if fence != "" {
			if closesFence(line, fence) {
				fence = ""
			}
			continue
		}
		if fence = fenceOf(line); fence != "" || !isProse(t) {
			if len(lines) > 0 {
				if found := plain(strings.Join(lines, " ")); found != "" {
					return found
				}
				lines = nil
			}
			continue
		}
		lines = append(lines, strings.TrimLeft(t, "> "))
	}
	return plain(strings.Join(lines, " "))
}

func isProse(line string) bool {
	if line == "" || strings.Trim(line, "=-*_ ") == "" {
		return false
	}
	for _, prefix := range []string{"#", "|", "<", "{{", "{%", ":::", "import ", "export ", "- ", "* ", "+ ", "![", "[!", "> [!", "---"} {
		if strings.HasPrefix(line, prefix) {
			return false
		}
	}
	return true
}

// plain turns one paragraph of Markdown into text: links and emphasis become
// their words, images and HTML go, code loses its backticks.
func plain(s string) string {
	if !strings.ContainsAny(s, "[<*_`\\~{\n\t") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	s = string(rewriteBlock(nil, s, func(_ string, image bool) string { return "" }))
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case c == '`':
			n := codeSpan(s[i:])
			b.WriteString(strings.Trim(s[i:i+n], "`"))
			i += n - 1
		case c == '*':
		case c == '_' && (i == 0 || s[i-1] == ' ' || i+1 == len(s) || strings.IndexByte(" .,;:!?)", s[i+1]) >= 0):
		case c == '<':
			if end := strings.IndexByte(s[i:], '>'); end > 0 && i+1 < len(s) && isTagStart(s[i+1]) {
				i += end
				continue
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return oneLine(b.String())
}

func isTagStart(c byte) bool {
	return c == '/' || c == '!' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// shorten cuts at a word so that at most n characters remain.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	cut := string(runes[:n-1])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

// thousands writes 6369 as 6,369.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// roughly writes a number with two significant digits.
func roughly(n int) string {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return thousands((n + unit/2) / unit * unit)
}

// countOf writes "1 document" and "2,000 documents".
func countOf(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return thousands(n) + " " + strings.TrimSuffix(noun, "y") + "ies"
	}
	return thousands(n) + " " + noun + "s"
}
