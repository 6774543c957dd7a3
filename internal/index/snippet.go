package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"evergreen/internal/text"
)

// Span is a byte range of a snippet's source.
type Span struct{ Start, End int }

// Matcher finds what a question asks for in texts. It remembers the words it
// saw, so one is made for all texts of an answer; it is for one goroutine.
type Matcher struct {
	wanted map[string]float32 // terms
	lone   []string           // those of one character: any pair that holds it is meant
	begins [26 * 26]bool      // pairs of letters that wanted terms begin with
	seen   map[string]bool    // units: whether they are asked for
}

// Matcher returns one for the query.
func (q Query) Matcher() *Matcher {
	m := &Matcher{wanted: make(map[string]float32, len(q.terms)), seen: map[string]bool{}}
	for _, t := range q.terms {
		m.wanted[t.term] = t.weight
		if utf8.RuneCountInString(t.term) == 1 {
			m.lone = append(m.lone, t.term)
		}
		word := strings.TrimLeft(t.term, text.ExactPrefix+text.PartPrefix+text.WholePrefix)
		if pair, ok := firstTwo(word); ok {
			m.begins[pair] = true
		} else if first, ok := firstTwo(word + "a"); ok && len(word) == 1 {
			for second := range 26 {
				m.begins[first+second] = true
			}
		}
	}
	return m
}

// Matches returns the byte ranges of body whose terms the question asks for, in
// order, at most limit of them.
func (m *Matcher) Matches(body string, limit int) []Span {
	if len(m.wanted) == 0 {
		return nil
	}
	var out []Span
	for i := 0; len(out) < limit; {
		u, next, ok := text.NextUnit(body, i)
		if !ok {
			return out
		}
		i = next
		if m.asksFor(body[u.Start:u.End], u.CJK) {
			out = append(out, Span{u.Start, u.End})
		}
	}
	return out
}

func (m *Matcher) asksFor(surface string, cjk bool) bool {
	if pair, ok := plainFirstTwo(surface); ok && !m.begins[pair] {
		return false
	}
	hit, known := m.seen[surface]
	if !known {
		hit = m.judge(surface, cjk)
		m.seen[surface] = hit
	}
	return hit
}

func (m *Matcher) judge(surface string, cjk bool) bool {
	t := text.Expand(surface, cjk)
	for _, s := range t.Base {
		if m.wanted[s] > 0 {
			return true
		}
	}
	for _, s := range t.Extra {
		if m.wanted[s] > 0 {
			return true
		}
	}
	return cjk && slices.ContainsFunc(m.lone, func(w string) bool { return strings.Contains(surface, w) })
}

// plainFirstTwo returns the beginning of a word whose terms all begin as it
// does: of three Latin letters or more, none but the first a capital. Stemming
// keeps the first two letters but for some words in -ying (lying, lie), or leaves
// the first alone (oed).
func plainFirstTwo(word string) (pair int, ok bool) {
	if len(word) < 3 || word[1] == 'y' {
		return 0, false
	}
	for i := 1; i < len(word); i++ {
		if word[i] < 'a' || word[i] > 'z' {
			return 0, false
		}
	}
	return firstTwo(word)
}

// firstTwo numbers the first two letters of a word.
func firstTwo(word string) (pair int, ok bool) {
	if len(word) < 2 {
		return 0, false
	}
	first, second := word[0]|0x20, word[1]
	if first < 'a' || first > 'z' || second < 'a' || second > 'z' {
		return 0, false
	}
	return int(first-'a')*26 + int(second-'a'), true
}

// Snippet cuts the passage of body that holds most of the question's different
// words, about snippetBytes long, on one line, "…" where text was cut off.
func (m *Matcher) Snippet(body string) string {
	if len(body) > maxSnippetScan {
		body = body[:runeStart(body, maxSnippetScan)]
	}
	start := bestWindow(body, m.Matches(body, maxSnippetMatches))
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
