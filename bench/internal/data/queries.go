package data

// This file reads queries: the judged questions, and headings of a tree.

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"regexp"
	"strings"
)

// Questions returns the texts of a judged set's queries, in order.
func (c Corpora) Questions(set string) ([]string, error) {
	file, err := os.Open(c.Path("retrieval", set, "queries.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	var questions []string
	lines := bufio.NewScanner(zipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, err
		}
		questions = append(questions, q.Text)
	}
	return questions, lines.Err()
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
