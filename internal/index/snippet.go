package index

import (
	"strings"
	"unicode/utf8"

	"evergreen/internal/text"
)

// Span is a byte range of a snippet's source.
type Span struct{ Start, End int }

// Matches returns the byte ranges of body whose terms the query asks for, in
// order, at most limit of them.
func (q Query) Matches(body string, limit int) []Span {
	if len(q.terms) == 0 {
		return nil
	}
	wanted, lone := q.wanted()
	memo := map[string]bool{}
	var out []Span
	for i := 0; len(out) < limit; {
		u, next, ok := text.NextUnit(body, i)
		if !ok {
			return out
		}
		i = next
		surface := body[u.Start:u.End]
		hit, known := memo[surface]
		if !known {
			hit = asksFor(wanted, lone, surface, u.CJK)
			memo[surface] = hit
		}
		if hit {
			out = append(out, Span{u.Start, u.End})
		}
	}
	return out
}

// wanted are the terms of the query, and those that are one character: any pair
// that holds it is meant.
func (q Query) wanted() (terms map[string]float32, lone []string) {
	terms = make(map[string]float32, len(q.terms))
	for _, t := range q.terms {
		terms[t.term] = t.weight
		if utf8.RuneCountInString(t.term) == 1 {
			lone = append(lone, t.term)
		}
	}
	return terms, lone
}

func asksFor(wanted map[string]float32, lone []string, surface string, cjk bool) bool {
	t := text.Expand(surface, cjk)
	for _, s := range t.Base {
		if wanted[s] > 0 {
			return true
		}
	}
	for _, s := range t.Extra {
		if wanted[s] > 0 {
			return true
		}
	}
	if cjk {
		for _, w := range lone {
			if strings.Contains(surface, w) {
				return true
			}
		}
	}
	return false
}

// Snippet cuts the passage of body that holds most of the query's different
// words, about snippetBytes long, on one line, "…" where text was cut off.
func Snippet(body string, q Query) string {
	if len(body) > maxSnippetScan {
		body = body[:runeStart(body, maxSnippetScan)]
	}
	start := bestWindow(body, q.Matches(body, maxSnippetMatches))
	end := min(start+snippetBytes, len(body))
	start, end = wordBounds(body, start, end)
	s := strings.Join(strings.Fields(body[start:end]), " ")
	if start > 0 && s != "" {
		s = "…" + s
	}
	if end < len(body) && s != "" {
		s += "…"
	}
	return s
}

// bestWindow returns where the window with most distinct matched words begins,
// a little before its first match.
func bestWindow(body string, matches []Span) int {
	best, bestCount := 0, 0
	counts := map[string]int{}
	last := 0
	for first := range matches {
		for last < len(matches) && matches[last].End-matches[first].Start <= snippetBytes*3/4 {
			counts[strings.ToLower(body[matches[last].Start:matches[last].End])]++
			last++
		}
		if len(counts) > bestCount {
			best, bestCount = matches[first].Start, len(counts)
		}
		w := strings.ToLower(body[matches[first].Start:matches[first].End])
		if counts[w]--; counts[w] == 0 {
			delete(counts, w)
		}
	}
	return max(0, best-snippetBytes/8)
}

// wordBounds moves the ends of a range to white space nearby, else to runes.
func wordBounds(s string, start, end int) (int, int) {
	if start > 0 {
		start = runeStart(s, start)
		if i := strings.IndexAny(s[start:min(start+snippetSlack, len(s))], " \n\t"); i >= 0 {
			start += i + 1
		}
	}
	if end < len(s) {
		end = runeStart(s, end)
		from := max(start, end-snippetSlack)
		from = runeStart(s, from)
		if i := strings.LastIndexAny(s[from:end], " \n\t"); i > 0 {
			end = from + i
		}
	}
	return min(start, end), end
}

func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}
