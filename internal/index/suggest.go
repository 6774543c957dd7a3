package index

import (
	"math/bits"
	"sort"
	"strings"
	"unicode/utf8"

	"evergreen/internal/text"
)

// Suggest returns spellings for the query's words that no section holds: words
// of the sections at most two edits away, best first, at most limit.
func Suggest(views []View, q Query, limit int) []string {
	type candidate struct {
		word     string
		distance int
		count    uint64
	}
	var all []candidate
	seen := map[string]bool{}
	for _, unit := range q.units {
		if utf8.RuneCountInString(unit) < minSuggestRunes || isCJKUnit(unit) || known(views, unit) {
			continue
		}
		allowed := 1
		if len(unit) > 5 {
			allowed = 2
		}
		letters := letterSet(unit)
		for _, v := range views {
			v.Segment.eachWord(func(word string, i int) {
				if d := len(word) - len(unit); d > allowed || d < -allowed ||
					bits.OnesCount64(letters^letterSet(word)) > 2*allowed || seen[word] {
					return
				}
				if d := text.Distance(unit, word); d > 0 && d <= allowed {
					seen[word] = true
					_, body := v.Segment.lists(i)
					all = append(all, candidate{word, d, body.count})
				}
			})
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if a.distance != b.distance {
			return a.distance < b.distance
		}
		if a.count != b.count {
			return a.count > b.count
		}
		return a.word < b.word
	})
	var out []string
	for _, c := range all {
		if len(out) == limit {
			break
		}
		out = append(out, strings.Clone(c.word))
	}
	return out
}

// letterSet has a bit for every letter or digit of a word: words that differ in
// many letters are not near, which is far cheaper to see than their distance.
func letterSet(word string) (set uint64) {
	for i := range len(word) {
		set |= 1 << (word[i] & 63)
	}
	return set
}

func known(views []View, unit string) bool {
	for _, base := range text.Expand(unit, false).Base {
		for _, v := range views {
			if _, ok := v.Segment.find(base); ok {
				return true
			}
		}
	}
	return false
}

// eachWord calls f for every word as it was written: exact forms, and stems that
// are words themselves.
func (s *Segment) eachWord(f func(word string, i int)) {
	for i := range s.termCount() {
		t := s.term(i)
		if t == "" {
			continue
		}
		switch t[:1] {
		case text.WholePrefix, text.PartPrefix:
			continue
		case text.ExactPrefix:
			f(strings.TrimPrefix(t, text.ExactPrefix), i)
			continue
		}
		if t[0] >= utf8.RuneSelf {
			return
		}
		if _, word := s.word(t); word {
			f(t, i)
		}
	}
}

// word finds a keyword of the segment.
func (s *Segment) word(w string) (int, bool) {
	n := len(s.wordOff) - 1
	i := sort.Search(n, func(i int) bool { return slice(s.words, s.wordOff, i) >= w })
	return i, i < n && slice(s.words, s.wordOff, i) == w
}
