package data

// This file chooses queries: the judged questions, and headings of a tree.

import (
	"regexp"
	"strings"
)

// Questions returns the texts of a judged set's queries, in order.
func (c Corpora) Questions(set string) ([]string, error) {
	queries, err := c.Queries(set)
	texts := make([]string, len(queries))
	for i, q := range queries {
		texts[i] = q.Text
	}
	return texts, err
}

// Spread returns n of all, evenly spaced and each once, without those that hold
// no word.
func Spread(all []string, n int) []string {
	word := regexp.MustCompile(`\pL{2}`)
	seen := map[string]bool{}
	var distinct []string
	for _, s := range all {
		if s = strings.TrimSpace(s); !seen[s] && word.MatchString(s) {
			seen[s] = true
			distinct = append(distinct, s)
		}
	}
	if len(distinct) <= n {
		return distinct
	}
	out := make([]string, n)
	for i := range out {
		out[i] = distinct[i*len(distinct)/n]
	}
	return out
}
