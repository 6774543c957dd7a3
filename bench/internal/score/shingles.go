// Package score compares what a tool made of a page with what it should have
// made: texts by their shingles, and everything that has a structure (code,
// cells, headings, links) item by item. It reads HTML with x/net alone, so that
// no code of the product judges the product.
package score

import (
	"slices"
	"strings"
	"unicode"
)

// width is the length of a shingle in words, that of the article extraction
// benchmark (scrapinghub/article-extraction-benchmark, evaluate.py).
const width = 4

// Text is the macro average of precision and recall over pages, each page
// counting the same, as that benchmark computes it.
type Text struct {
	precision, recall   float64
	precisions, recalls int
	exact, pages        int
}

// Add compares the text of one page.
func (t *Text) Add(want, got string) {
	hit, extra, missing := compare(Words(want), Words(got))
	t.pages++
	if extra+missing == 0 {
		t.exact++
	}
	if hit+extra > 0 {
		t.precision += float64(hit) / float64(hit+extra)
		t.precisions++
	}
	if hit+missing > 0 {
		t.recall += float64(hit) / float64(hit+missing)
		t.recalls++
	}
}

// Precision is the share of the given text that is wanted, 0 to 1.
func (t *Text) Precision() float64 { return t.precision / float64(max(1, t.precisions)) }

// Recall is the share of the wanted text that is given, 0 to 1.
func (t *Text) Recall() float64 { return t.recall / float64(max(1, t.recalls)) }

// Exact is the share of pages whose shingles are all the same.
func (t *Text) Exact() float64 { return float64(t.exact) / float64(max(1, t.pages)) }

// F1 is the harmonic mean of both.
func (t *Text) F1() float64 { return f1(t.Precision(), t.Recall()) }

// F1 compares two texts.
func F1(want, got string) float64 {
	var t Text
	t.Add(want, got)
	return t.F1()
}

func f1(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// Differences are shingles of one text that the other does not have as often,
// in alphabetical order.
func Differences(want, got string) (missing, extra []string) {
	a, b := shingles(Words(want)), shingles(Words(got))
	more := func(a, b map[string]int) (all []string) {
		for k, n := range a {
			if n > b[k] {
				all = append(all, k)
			}
		}
		slices.Sort(all)
		return all
	}
	return more(a, b), more(b, a)
}

// Words are runs of letters, digits and underscores.
func Words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// Squash is a text's words without what lies between them, in lower case: what
// is left of it whatever the markup.
func Squash(s string) string { return strings.ToLower(strings.Join(Words(s), "")) }

func compare(want, got []string) (hit, extra, missing int) {
	a, b := shingles(want), shingles(got)
	for k, n := range a {
		hit += min(n, b[k])
		missing += max(0, n-b[k])
	}
	for k, n := range b {
		extra += max(0, n-a[k])
	}
	return hit, extra, missing
}

// shingles counts all runs of width words; a shorter text is one run.
func shingles(words []string) map[string]int {
	all := map[string]int{}
	for i := 0; i < len(words) && (i == 0 || i+width <= len(words)); i++ {
		all[strings.Join(words[i:min(i+width, len(words))], " ")]++
	}
	return all
}
