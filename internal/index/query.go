package index

import (
	"sort"
	"strings"
	"unicode/utf8"

	"evergreen/internal/text"
)

// Weights of the terms that a query's words expand to, beside 1 for the stem.
// Chosen on the judged query sets: larger values help none of them.
const (
	exactWeight = 0.08 // the word exactly as it was written
	partWeight  = 0.15 // parts of a camel-case identifier
	wholeWeight = 0.5  // an identifier with underscores, whole
)

// k3 bounds what repeating a word in a question adds (Robertson et al., Okapi at
// TREC-3, 1994).
const k3 = 2

// Query is a parsed question.
type Query struct {
	terms   []queryTerm
	phrases []Phrase
	// onlyPhrases: nothing stands outside the quotes, so sections without the
	// phrase do not match; otherwise a phrase only lifts those that hold it.
	onlyPhrases bool
	units       []string // surface forms, lower-cased, in order
}

// queryTerm is one term to score. anyOf is set for a lone CJK character, which
// stands for every pair that holds it.
type queryTerm struct {
	term   string
	weight float32
	lone   bool
	word   bool // a word of the question itself, as its stem or pair
}

// Phrase is a sequence of units that must stand together in the text.
type Phrase []string

// ParseQuery reads a question. Text in double quotes (also typographic and
// corner ones) is a phrase.
func ParseQuery(q string) Query {
	asks := func(word string) bool { return text.IsQuestionWord(word) || text.IsRequestWord(word) }
	if out := parseQuery(q, asks); out.words() >= verboseWords {
		return out
	}
	if out := parseQuery(q, text.IsQuestionWord); !out.Empty() {
		return out
	}
	return parseQuery(q, func(string) bool { return false })
}

// parseQuery reads a question without the words to spare.
func parseQuery(q string, spare func(word string) bool) Query {
	var out Query
	weights, words := map[string]float32{}, map[string]bool{}
	order := []string{}
	add := func(term string, w float32) {
		if _, ok := weights[term]; !ok {
			order = append(order, term)
		}
		weights[term] += w
	}
	onlyLone := true
	for i, n := 0, 0; n < maxQueryUnits; n++ {
		u, next, ok := text.NextUnit(q, i)
		if !ok {
			break
		}
		i = next
		surface := q[u.Start:u.End]
		out.units = append(out.units, strings.ToLower(surface))
		onlyLone = onlyLone && u.CJK && utf8.RuneCountInString(surface) == 1
		if spare(strings.ToLower(surface)) {
			continue
		}
		t := text.Expand(surface, u.CJK)
		for _, s := range t.Base {
			add(s, 1)
			words[s] = true
			if !u.CJK {
				add(text.PartPrefix+s, partWeight)
			}
		}
		for _, s := range t.Extra {
			add(s, extraWeight(s))
			if part, ok := strings.CutPrefix(s, text.PartPrefix); ok {
				add(part, partWeight)
			}
		}
	}
	sort.Strings(order)
	for _, s := range order {
		t := queryTerm{term: s, weight: weights[s], lone: onlyLone, word: words[s]}
		if t.word {
			t.weight = saturate(t.weight)
		}
		out.terms = append(out.terms, t)
	}
	var rest string
	out.phrases, rest = parsePhrases(q)
	out.onlyPhrases = len(out.phrases) > 0 && len(unitsOf(rest)) == 0
	return out
}

// saturate is the weight of a word that a question repeats: said three times it
// is not three times as important.
func saturate(weight float32) float32 {
	return float32((k3+1)*weight) / (k3 + weight)
}

func extraWeight(term string) float32 {
	switch term[:1] {
	case text.ExactPrefix:
		return exactWeight
	case text.WholePrefix:
		return wholeWeight
	}
	return partWeight
}

// Empty tells whether the query holds nothing to rank by.
func (q Query) Empty() bool { return len(q.terms) == 0 }

// words counts the different words of the question that are ranked by.
func (q Query) words() (n int) {
	for _, t := range q.terms {
		if t.word {
			n++
		}
	}
	return n
}

// Phrases returns the quoted phrases.
func (q Query) Phrases() []Phrase { return q.phrases }

var quotePairs = [][2]string{{`"`, `"`}, {"“", "”"}, {"「", "」"}, {"『", "』"}}

// parsePhrases returns the phrases of q and what stands outside of them.
func parsePhrases(q string) (phrases []Phrase, rest string) {
	for _, pair := range quotePairs {
		rest := q
		q = ""
		for {
			before, after, ok := strings.Cut(rest, pair[0])
			inside, tail, closed := strings.Cut(after, pair[1])
			if !ok || !closed {
				q += rest
				break
			}
			q += before + " "
			p := unitsOf(inside)
			if len(p) > 1 {
				phrases = append(phrases, p)
			} else {
				q += inside + " "
			}
			rest = tail
		}
	}
	return phrases, q
}

func unitsOf(s string) []string {
	var out []string
	for i := 0; ; {
		u, next, ok := text.NextUnit(s, i)
		if !ok {
			return out
		}
		i = next
		out = append(out, strings.ToLower(s[u.Start:u.End]))
	}
}

// In tells whether the phrase stands in s, regardless of case and of what
// separates its words.
func (p Phrase) In(s string) bool {
	matched := 0
	var window []string
	for i := 0; ; {
		u, next, ok := text.NextUnit(s, i)
		if !ok {
			return false
		}
		i = next
		window = append(window, s[u.Start:u.End])
		if len(window) > len(p) {
			window = window[1:]
		}
		if len(window) < len(p) {
			continue
		}
		for matched = 0; matched < len(p) && strings.EqualFold(window[matched], p[matched]); matched++ {
		}
		if matched == len(p) {
			return true
		}
	}
}

// Words returns the query's words and CJK pairs, lower-cased, stop words left
// out, in the order of the query.
func (q Query) Words() []string {
	var out []string
	seen := map[string]bool{}
	for _, u := range q.units {
		if !seen[u] && !text.IsStopWord(u) {
			seen[u] = true
			out = append(out, u)
		}
	}
	return out
}
