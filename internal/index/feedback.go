package index

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"evergreen/internal/text"
)

// This file asks the best sections of a long question what else to look for, in
// the manner of relevance feedback without a judge (Rocchio, 1971; weights after
// Robertson's BM25 term selection). Long questions say enough for their first
// hits to be about the right thing; short ones are led astray by it.

// feedback returns the terms that the best sections have in common, weighed as a
// part of what the question's own words weigh.
func (r *ranking) feedback(asked float64) []scorable {
	sources := r.sources()
	total := 0.0
	for _, s := range sources {
		total += s.Score
	}
	learned, _ := r.ranker.learned.Get().(*learned)
	if learned == nil {
		learned = newLearned()
	}
	defer func() {
		learned.forget()
		r.ranker.learned.Put(learned)
	}()
	for _, s := range sources {
		r.read(s, s.Score/total, learned)
	}
	shared := slices.DeleteFunc(learned.terms, func(c candidate) bool { return c.sections < 2 })
	slices.SortFunc(shared, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.term, b.term))
	})
	return r.choose(shared[:min(len(shared), maxFeedbackCandidates)], asked)
}

// asksAtLength tells whether a question holds words enough for feedback, all of
// them Latin, and what they weigh together.
func (q Query) asksAtLength() (weight float64, ok bool) {
	n := 0
	for _, t := range q.terms {
		if t.term[0] >= utf8.RuneSelf {
			return 0, false
		}
		if t.word {
			n++
			weight += float64(t.weight)
		}
	}
	return weight, n >= feedbackWords && len(q.phrases) == 0
}

// sources are the best sections by their own words, whatever filters apply:
// what a question means does not depend on where its answer is wanted.
func (r *ranking) sources() []Scored {
	top := topList{limit: feedbackSections, less: r.options.Less}
	for v, sc := range r.scratch {
		lengths := r.views[v].Segment.bodyLen
		sc.descend(top.floor(), func(block int, peak float32) bool {
			if peak < top.floor() {
				return false
			}
			for i, score := range sc.block(block) {
				section := uint32(block*blockSections + i)
				if score > 0 && score >= top.floor() && lengths[section] <= maxFeedbackTerms {
					top.offer(Scored{Ref{v, section}, float64(score)})
				}
			}
			return true
		})
	}
	return top.sorted()
}

// candidate is a term of the best sections.
type candidate struct {
	term     string
	sections int
	weight   float64
	here     int     // how often it stands in the section that is being read
	worth    float64 // weight x idf
}

// learned are the candidates, and where they are.
type learned struct {
	number map[string]int
	terms  []candidate
	here   []int // those in the section that is being read
}

func newLearned() *learned { return &learned{number: map[string]int{}} }

func (l *learned) forget() {
	clear(l.number)
	clear(l.terms)
	l.terms, l.here = l.terms[:0], l.here[:0]
}

func (l *learned) count(terms []string) {
	for _, term := range terms {
		if len(term) < 2 {
			continue
		}
		n, ok := l.number[term]
		if !ok {
			n = len(l.terms)
			l.number[term] = n
			l.terms = append(l.terms, candidate{term: term})
		}
		c := &l.terms[n]
		if c.here == 0 {
			l.here = append(l.here, n)
		}
		c.here++
	}
}

// read adds the terms of one section's body to the candidates, weighed by the
// section's share of all scores.
func (r *ranking) read(s Scored, share float64, l *learned) {
	_, body := r.options.Text(s.Ref)
	r.ranker.baseTerms(body, l.count)
	norm := float64(r.scratch[s.View].body.norm(r.views[s.View].Segment.bodyLen[s.Section]))
	for _, n := range l.here {
		c := &l.terms[n]
		c.sections++
		c.weight += float64(share * (float64(c.here) / (float64(c.here) + norm)))
		c.here = 0
	}
	l.here = l.here[:0]
}

// choose keeps the terms that tell most, and shares a part of the question's own
// weight among them.
func (r *ranking) choose(found []candidate, asked float64) []scorable {
	frequencies := make([]uint64, len(found))
	inParts(len(found), len(found)*len(r.views), func(i int) { frequencies[i] = r.frequency(found[i].term) })
	kept := found[:0]
	for i, c := range found {
		if df := frequencies[i]; df > 0 && float64(df) <= feedbackCommon*r.stats.n {
			c.worth = c.weight * float64(idf(r.stats.n, df))
			kept = append(kept, c)
		}
	}
	slices.SortFunc(kept, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), strings.Compare(a.term, b.term))
	})
	kept = kept[:min(len(kept), feedbackTerms)]
	sum := 0.0
	terms := make([]queryTerm, len(kept))
	for i, c := range kept {
		sum += c.worth
		terms[i].term = c.term
	}
	chosen := lookUp(r.views, terms) // all of them: each has been found before
	for i := range chosen {
		s := &chosen[i]
		s.weigh(r.views, r.stats)
		s.share = float32(kept[i].worth/sum*asked*feedbackWeight) * s.idf
	}
	return chosen
}

// frequency returns the document frequency of a term, as weigh computes it,
// without keeping its lists.
func (r *ranking) frequency(term string) uint64 {
	var titles, bodies uint64
	for _, view := range r.views {
		if i, ok := view.Segment.find(term); ok {
			title, body := view.Segment.lists(i)
			titles, bodies = titles+view.live(title), bodies+view.live(body)
		}
	}
	return max(titles, bodies)
}

// baseTerms calls use with the terms of every word or pair of a text. It
// remembers what common words expand to: stemming them anew would take most of
// the time that feedback takes.
func (r *Ranker) baseTerms(s string, use func(terms []string)) {
	var unknown []text.Unit
	r.mu.RLock()
	for u, i, ok := text.NextUnit(s, 0); ok; u, i, ok = text.NextUnit(s, i) {
		if terms, ok := r.base[s[u.Start:u.End]]; ok {
			use(terms)
		} else {
			unknown = append(unknown, u)
		}
	}
	r.mu.RUnlock()
	if len(unknown) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, u := range unknown {
		unit := s[u.Start:u.End]
		terms, ok := r.base[unit]
		if !ok {
			unit = strings.Clone(unit)
			terms = text.Expand(unit, u.CJK).Base
			if r.base == nil || len(r.base) >= maxBaseTerms {
				r.base = map[string][]string{}
			}
			r.base[unit] = terms
		}
		use(terms)
	}
}
