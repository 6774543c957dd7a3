package pack

import (
	"strings"
	"unicode/utf8"
)

// This file cuts a body into units at four grains: Markdown blocks, lines,
// sentences, pieces. The units of one grain tile the span they are cut from.
// It is a scanner over lines, not a parser: all it must know of Markdown is
// where a cut does no harm.

// span is a byte range of a body.
type span struct{ start, end int }

// fence is an open block that may hold blank lines: fenced code, or raw HTML
// that only its end mark ends (CommonMark 0.31, section 4.6, kinds 1 and 2).
type fence struct {
	opener string // what reopens it: fence and language of code, the tag of HTML
	mark   string // what closes it: a run of ` or ~, or the end of the HTML
	raw    bool   // HTML
	indent int
	inList bool
}

func (f fence) open() bool { return f.mark != "" }

// scanner walks the lines of a body and knows whether the next one lies within
// a block that must not be cut.
type scanner struct {
	fence  fence
	inList bool
	blank  bool // the last line was blank
}

// line takes one line and tells whether a block begins with it.
func (sc *scanner) line(line string) (begins bool) {
	bare := strings.TrimRight(line, " \t\r\n")
	indent := indentOf(bare)
	afterBlank := sc.blank
	sc.blank = bare == ""
	if sc.fence.open() {
		if !sc.fence.leftBy(bare, indent) {
			if sc.fence.closedBy(bare, indent) {
				sc.fence = fence{}
			}
			return false
		}
		sc.fence = fence{}
		afterBlank = true
	}
	if bare == "" {
		return false
	}
	item := isListItem(bare[indent:])
	if sc.inList && !item && indent == 0 && afterBlank {
		sc.inList = false
	}
	continued := sc.inList && indent >= 2 || indent >= 4
	if item && indent < 4 {
		sc.inList = true
	}
	if indent < 4 || sc.inList {
		if sc.fence = opens(bare, indent); sc.fence.open() {
			sc.fence.inList = sc.inList
			return !continued
		}
	}
	return afterBlank && !continued || isHeading(bare, indent)
}

// leftBy tells whether a line ends the list item that holds the fence, and
// with it the fence.
func (f fence) leftBy(bare string, indent int) bool {
	return f.inList && f.indent >= 2 && bare != "" && indent == 0
}

func (f fence) closedBy(bare string, indent int) bool {
	if f.raw {
		return strings.Contains(strings.ToLower(bare), f.mark)
	}
	if indent >= 4 && !f.inList {
		return false
	}
	run := bare[indent:]
	return len(run) >= len(f.mark) && strings.Trim(run, f.mark[:1]) == ""
}

// opens returns the fence that a line opens and does not close.
func opens(bare string, indent int) fence {
	s := bare[indent:]
	if s == "" || strings.IndexByte("`~<", s[0]) < 0 {
		return fence{}
	}
	if mark := fenceMark(s); mark != "" {
		language, _, _ := strings.Cut(strings.TrimLeft(s[len(mark):], " \t"), " ")
		return fence{opener: mark + language, mark: mark, indent: indent}
	}
	lowered := strings.ToLower(s)
	if strings.HasPrefix(lowered, "<!--") && !strings.Contains(s, "-->") {
		return fence{opener: "<!--", mark: "-->", raw: true, indent: indent}
	}
	for _, tag := range []string{"pre", "script", "style", "textarea"} {
		rest, ok := strings.CutPrefix(lowered, "<"+tag)
		if ok && (rest == "" || strings.ContainsAny(rest[:1], " \t>")) && !strings.Contains(rest, "</"+tag+">") {
			return fence{opener: "<" + tag + ">", mark: "</" + tag + ">", raw: true, indent: indent}
		}
	}
	return fence{}
}

// fenceMark returns the run that opens a fenced code block, or "".
func fenceMark(s string) string {
	for _, c := range []string{"`", "~"} {
		n := len(s) - len(strings.TrimLeft(s, c))
		if n >= 3 && (c == "~" || !strings.Contains(s[n:], "`")) {
			return s[:n]
		}
	}
	return ""
}

func isHeading(bare string, indent int) bool {
	if indent >= 4 {
		return false
	}
	s := bare[indent:]
	n := len(s) - len(strings.TrimLeft(s, "#"))
	return n >= 1 && n <= 6 && (len(s) == n || s[n] == ' ' || s[n] == '\t')
}

func isListItem(s string) bool {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	rest := s[digits:]
	if rest == "" || digits > 9 {
		return false
	}
	markers := "-*+"
	if digits > 0 {
		markers = ".)"
	}
	return strings.IndexByte(markers, rest[0]) >= 0 && (len(rest) == 1 || rest[1] == ' ' || rest[1] == '\t')
}

// indentOf returns the bytes of leading white space, which is the column but
// for tabs; a tab counts as the four columns it is at least worth in a list.
func indentOf(bare string) int {
	return len(bare) - len(strings.TrimLeft(bare, " \t"))
}

// blocks cuts a whole body; blank lines belong to the block before them.
func blocks(body string, whole span) []span {
	var out []span
	var sc scanner
	for _, l := range lines(body, whole) {
		if sc.line(body[l.start:l.end]) || len(out) == 0 {
			out = append(out, l)
			continue
		}
		out[len(out)-1].end = l.end
	}
	return out
}

// fenceAt returns the fence that is open at the line which begins at offset.
func fenceAt(body string, offset int) fence {
	return fencesAt(body, []span{{offset, offset}})[0]
}

// fencesAt returns fenceAt of the starts of units that stand in order.
func fencesAt(body string, units []span) []fence {
	out := make([]fence, len(units))
	var sc scanner
	at := 0
	for i, u := range units {
		for at < u.start {
			end := lineEnd(body, at)
			if end > u.start {
				break
			}
			sc.line(body[at:end])
			at = end
		}
		out[i] = sc.fence
	}
	return out
}

func lines(body string, s span) []span {
	var out []span
	for at := s.start; at < s.end; {
		end := min(lineEnd(body, at), s.end)
		out = append(out, span{at, end})
		at = end
	}
	return out
}

func lineEnd(body string, at int) int {
	if i := strings.IndexByte(body[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(body)
}

// sentences cuts after full stops; the white space after one belongs to it.
func sentences(body string, s span) []span {
	var out []span
	start := s.start
	for at := s.start; at < s.end; {
		r, n := utf8.DecodeRuneInString(body[at:s.end])
		at += n
		switch {
		case strings.ContainsRune("。！？；", r):
		case strings.ContainsRune(".!?;", r) && at < s.end && body[at] == ' ':
			for at < s.end && body[at] == ' ' {
				at++
			}
		default:
			continue
		}
		out = append(out, span{start, at})
		start = at
	}
	if start < s.end {
		out = append(out, span{start, s.end})
	}
	return out
}

// pieces cuts every few runes, without regard to words.
func pieces(body string, s span) []span {
	var out []span
	for at := s.start; at < s.end; {
		end := at
		for range pieceRunes {
			_, n := utf8.DecodeRuneInString(body[end:s.end])
			end += n
		}
		out = append(out, span{at, end})
		at = end
	}
	return out
}
