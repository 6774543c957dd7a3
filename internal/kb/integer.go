package kb

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
)

// This file is the integer form of weighted retrieval, over sections that are
// known by title, path and keywords only.

// What a query and its words add to a section's integer score.
const (
	exactTitle  = 20
	titlePhrase = 10
	titleWord   = 5
	pathWord    = 2
)

// Row is what the integer form knows of a section.
type Row struct {
	ID       string
	Title    string
	DocPath  string
	Keywords []string
}

// Scored names a row with its score.
type Scored struct {
	ID    string
	Score int
}

// RankInteger scores rows against a query and returns the best limit of them
// (all when limit is not positive), best first, ties in order of their ids, and
// how many scored at all. Rows may come in any order. Case is ignored. Words are
// separated by white space, lose outer punctuation and are sought as substrings;
// a word that holds Chinese counts as the terms it is made of.
func RankInteger(rows iter.Seq[Row], query string, limit int) (best []Scored, total int) {
	phrase := strings.ToLower(strings.Join(strings.Fields(query), " "))
	words := queryWords(phrase)
	if len(words) == 0 {
		return nil, 0
	}
	order := func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	}
	for row := range rows {
		score := integerScore(row, phrase, words)
		if score == 0 {
			continue
		}
		total++
		best = append(best, Scored{row.ID, score})
		if limit > 0 && len(best) >= 2*limit+64 {
			slices.SortFunc(best, order)
			best = best[:limit]
		}
	}
	slices.SortFunc(best, order)
	if limit > 0 && len(best) > limit {
		best = best[:limit]
	}
	return best, total
}

func integerScore(row Row, phrase string, words []string) int {
	title, path := strings.ToLower(row.Title), strings.ToLower(row.DocPath)
	score := 0
	switch {
	case title == phrase:
		score += exactTitle
	case strings.Contains(title, phrase):
		score += titlePhrase
	}
	for _, w := range words {
		if strings.Contains(title, w) {
			score += titleWord
		}
		if strings.Contains(path, w) {
			score += pathWord
		}
	}
	return score + min(keywordHits(row.Keywords, words), maxKeywordHits)
}

func keywordHits(keywords, words []string) int {
	hits := 0
	for _, w := range words {
		if slices.ContainsFunc(keywords, func(k string) bool { return strings.EqualFold(k, w) }) {
			hits++
		}
	}
	return hits
}

// queryWords returns the distinct words of a lower-cased query.
func queryWords(phrase string) []string {
	var words []string
	add := func(w string) {
		if w != "" && len(words) < maxTopicTerms && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	for w := range strings.FieldsSeq(phrase) {
		w = strings.TrimFunc(w, outerPunctuation)
		if strings.IndexFunc(w, isPaired) < 0 {
			add(w)
			continue
		}
		for _, t := range Terms(w) {
			add(t)
		}
	}
	return words
}

// outerPunctuation leaves # and + alone: they tell languages apart.
func outerPunctuation(r rune) bool {
	return unicode.IsPunct(r) && r != '#' || r == '`'
}
