package pack

import (
	"slices"
	"sort"
	"strings"

	"evergreen/internal/text"
)

// This file finds the passage of a body that tells most about a question.

// Passage is a part of a body.
type Passage struct {
	Offset int    // bytes into the body
	Bytes  int    // of the body
	Text   string // body[Offset:Offset+Bytes], with a fence reopened or closed where it was cut
}

// BestPassage returns the part of body, at most budget tokens long, that holds
// most of the terms: whole Markdown blocks around the hits, as many as fit. Only
// a block that alone exceeds the budget is cut, between lines, then sentences,
// then runes. Terms are lower-cased and sought as substrings; without a hit the
// passage is the beginning. ok is false when not even a few runes fit.
func BestPassage(body string, terms []string, budget int, estimate text.Estimator) (p Passage, ok bool) {
	if estimate == nil {
		estimate = text.Tokens
	}
	return findPassage(body, terms, budget, estimate, func(s string) bool { return estimate(s) <= budget })
}

// findPassage is BestPassage with the last word left to fits; budget guides.
func findPassage(body string, terms []string, budget int, estimate text.Estimator, fits func(string) bool) (Passage, bool) {
	if fits(body) {
		return Passage{0, len(body), body}, true
	}
	f := finder{body: body, terms: terms[:min(len(terms), maxTerms)], budget: budget, estimate: estimate, fits: fits}
	scope := span{0, len(body)}
	for _, cut := range []func(string, span) []span{blocks, lines, sentences, pieces} {
		f.units = cut(body, scope)
		if len(f.units) == 0 {
			return Passage{}, false
		}
		f.measure()
		core := f.core()
		best := f.richest(core)
		if !f.fitsWindow(core) {
			core = window{best, best + 1}
		}
		if f.fitsWindow(core) {
			return f.passage(f.grow(core)), true
		}
		scope = f.units[best]
	}
	return Passage{}, false
}

// Terms returns the lower-cased words of a question that a passage is chosen
// around, without stop words, words that only ask, and duplicates: stems where
// they begin the word, and pairs of CJK characters. Where all words only ask,
// they are what is left.
func Terms(topic string) []string {
	if terms := termsWithout(topic, text.IsQuestionWord); len(terms) > 0 {
		return terms
	}
	return termsWithout(topic, func(string) bool { return false })
}

func termsWithout(topic string, spare func(word string) bool) []string {
	var terms []string
	for at := 0; len(terms) < maxTerms; {
		u, next, ok := text.NextUnit(topic, at)
		if !ok {
			break
		}
		at = next
		word := strings.ToLower(topic[u.Start:u.End])
		if spare(word) {
			continue
		}
		if stem := text.Stem(word); strings.HasPrefix(word, stem) {
			word = stem
		}
		if len(word) > 1 && !text.IsStopWord(word) && !slices.Contains(terms, word) {
			terms = append(terms, word)
		}
	}
	return terms
}

// window is a range of units, end exclusive.
type window struct{ first, end int }

// finder looks for a window among the units of one grain.
type finder struct {
	body     string
	terms    []string
	budget   int
	estimate text.Estimator
	fits     func(string) bool

	units  []span
	opened []fence // at the start of each unit
	cost   []int   // tokens of each unit
	hits   [][]int // by unit, by term
}

func (f *finder) measure() {
	f.opened = fencesAt(f.body, f.units)
	f.cost = make([]int, len(f.units))
	f.hits = make([][]int, len(f.units))
	n := len(f.terms)
	counts := make([]int, n*len(f.units))
	reach := 0
	for _, term := range f.terms {
		reach = max(reach, len(term))
	}
	for i, u := range f.units {
		f.cost[i] = f.estimate(f.body[u.start:u.end])
		f.hits[i] = counts[i*n : (i+1)*n]
		// A term may begin in one unit and end in the next.
		lowered := strings.ToLower(f.body[u.start:min(len(f.body), u.end+reach)])
		own := len(strings.ToLower(f.body[u.start:u.end])) // İ is shorter as i
		for t, term := range f.terms {
			if term != "" {
				end := max(0, min(len(lowered), own+len(term)-1))
				f.hits[i][t] = strings.Count(lowered[:end], term)
			}
		}
	}
}

// core returns the smallest window around the best hits: of all windows that
// fit, and of the units too large to fit, the one with most different terms,
// then most hits, then the first. The beginning, which introduces the rest, needs
// no more hits when it holds as many different terms. Without any hit it is the
// first unit.
func (f *finder) core() window {
	best, bestScore := window{0, 1}, 0
	lead, leadScore := best, 0
	counts := make([]int, len(f.terms))
	sum, first := 0, 0
	for i := range f.units {
		sum += f.cost[i]
		add(counts, f.hits[i], 1)
		for sum > f.budget && first < i {
			sum -= f.cost[first]
			add(counts, f.hits[first], -1)
			first++
		}
		if score := score(counts); score > bestScore {
			best, bestScore = window{first, i + 1}, score
		}
		if first == 0 && different(score(counts)) > different(leadScore) {
			lead, leadScore = window{0, i + 1}, score(counts)
		}
	}
	if leadScore > 0 && different(leadScore) == different(bestScore) {
		best = lead
	}
	for best.end-best.first > 1 && !f.hasHit(best.first) {
		best.first++
	}
	return best
}

func add(counts, hits []int, sign int) {
	for t, n := range hits {
		counts[t] += sign * n
	}
}

// score puts different terms before repeated ones.
func score(counts []int) int {
	kinds, total := 0, 0
	for _, n := range counts {
		if n > 0 {
			kinds++
		}
		total += min(n, 9)
	}
	return kinds*1000 + total
}

// different is how many different terms a score is for.
func different(score int) int { return score / 1000 }

func (f *finder) hasHit(unit int) bool {
	for _, n := range f.hits[unit] {
		if n > 0 {
			return true
		}
	}
	return false
}

// richest returns the unit of a window with the best hits.
func (f *finder) richest(w window) int {
	best := w.first
	for i := w.first; i < w.end; i++ {
		if score(f.hits[i]) > score(f.hits[best]) {
			best = i
		}
	}
	return best
}

// grow widens a window that fits: in turn after and before, then on each side
// alone as far as it goes.
func (f *finder) grow(core window) window {
	w := f.widest(core, func(w window, k int) window {
		return window{w.first - k/2, w.end + k - k/2}
	})
	w = f.widest(w, func(w window, k int) window { return window{w.first, w.end + k} })
	return f.widest(w, func(w window, k int) window { return window{w.first - k, w.end} })
}

// widest takes the most steps that still fit.
func (f *finder) widest(w window, step func(window, int) window) window {
	within := func(v window) window { return window{max(0, v.first), min(len(f.units), v.end)} }
	k := sort.Search(2*len(f.units), func(k int) bool { return !f.fitsWindow(within(step(w, k+1))) })
	return within(step(w, k))
}

func (f *finder) fitsWindow(w window) bool {
	return f.fits(f.passage(w).Text)
}

// passage renders a window, without the blank lines at its end.
func (f *finder) passage(w window) Passage {
	start, end := f.units[w.first].start, f.units[w.end-1].end
	end = start + len(strings.TrimRight(f.body[start:end], " \t\r\n"))
	s := f.body[start:end]
	if opened := f.opened[w.first]; opened.open() {
		s = opened.opener + "\n" + s
	}
	return Passage{start, end - start, closeFence(s)}
}

// closeFence closes a fenced code block or raw HTML that s leaves open.
func closeFence(s string) string {
	if !strings.ContainsAny(s, "`~<") {
		return s
	}
	open := fenceAt(s+"\n", len(s)+1)
	if !open.open() {
		return s
	}
	return strings.TrimRight(s, "\r\n") + "\n" + strings.Repeat(" ", open.indent) + open.mark
}
