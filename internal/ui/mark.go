package ui

// This file finds a question's words in a text and cuts the piece around the
// first of them. assets/mark.mjs does the same in the browser.

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"evergreen/internal/kb"
)

// span is a piece of a text; Hit pieces are marked.
type span struct {
	Text string
	Hit  bool
}

// needles are what is looked for: the question's terms without the ends that
// words take on, longest first.
func needles(question string) []string {
	var list []string
	for _, t := range kb.Terms(question) {
		list = append(list, stemmed(t))
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

func stemmed(t string) string {
	for _, end := range []string{"ing", "ed", "es", "s", "e"} {
		if bare, ok := strings.CutSuffix(t, end); ok && len(bare) >= minStem {
			return bare
		}
	}
	return t
}

// marked cuts a text into pieces with the hits apart. A hit reaches to the end
// of its word; within a word nothing begins.
func marked(text string, needles []string) []span {
	low := lower(text)
	var spans []span
	from := 0
	for i := 0; i < len(text); {
		n := hitAt(low, i, needles)
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		if i > from {
			spans = append(spans, span{Text: text[from:i]})
		}
		spans = append(spans, span{text[i : i+n], true})
		i += n
		from = i
	}
	if from < len(text) {
		spans = append(spans, span{Text: text[from:]})
	}
	return spans
}

// hitAt is the length of the hit that begins at i, 0 for none.
func hitAt(low string, i int, needles []string) int {
	for _, t := range needles {
		if !strings.HasPrefix(low[i:], t) {
			continue
		}
		if !wordByte(low[i]) {
			return len(t)
		}
		if i > 0 && wordByte(low[i-1]) {
			continue
		}
		n := len(t)
		for i+n < len(low) && wordByte(low[i+n]) {
			n++
		}
		return n
	}
	return 0
}

func wordByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// lower changes A to Z and nothing else, so that places stay the same.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// snippet is the piece of a body that shows why it was found: around the first
// hit, or the beginning.
func snippet(body, title string, needles []string) []span {
	text := plain(body, title)
	low := lower(text)
	first := 0
	for i := range text {
		if hitAt(low, i, needles) > 0 {
			first = i
			break
		}
	}
	before := []rune(text[:first])
	cut := max(0, len(before)-snippetBefore)
	if cut > 0 {
		if space := slices.Index(before[cut:], ' '); space >= 0 {
			cut += space + 1
		}
	}
	rest := []rune(string(before[cut:]) + text[first:])
	piece := string(rest[:min(len(rest), snippetRunes)])
	if len(rest) > snippetRunes {
		piece = strings.TrimRight(piece, " ") + "…"
	}
	if cut > 0 {
		piece = "…" + piece
	}
	return marked(piece, needles)
}

// plain is a Markdown text as one line without its marks, and without a first
// line that only repeats the title.
func plain(body, title string) string {
	var lines []string
	for n, line := range strings.Split(strings.TrimSpace(body), "\n") {
		line = strings.TrimLeft(line, "#>*- \t|")
		if n == 0 && strings.TrimSpace(line) == title || strings.HasPrefix(line, "```") || strings.HasPrefix(line, ":::") {
			continue
		}
		lines = append(lines, line)
	}
	return bare(strings.Join(lines, " "))
}

// linked finds inline links; fenced the ends of code that was put on one line.
var (
	linked = regexp.MustCompile(`\]\([^()\s]*\)`)
	fenced = regexp.MustCompile("```[a-zA-Z0-9+#-]*")
)

// bare is a line of Markdown without the marks that mean nothing to readers.
func bare(line string) string {
	line = linked.ReplaceAllString(fenced.ReplaceAllString(line, " "), "] ")
	return strings.Join(strings.Fields(strings.NewReplacer("**", "", "`", "", "|", " ", "[", "", "]", "").Replace(line)), " ")
}
