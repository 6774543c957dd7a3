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
	candidates := map[string]*candidate{}
	total := 0.0
	for _, s := range sources {
		total += s.Score
	}
	for _, s := range sources {
		r.read(s, s.Score/total, candidates)
	}
	var shared []queryTerm
	for term, c := range candidates {
		if c.sections > 1 {
			shared = append(shared, queryTerm{term: term})
		}
	}
	slices.SortFunc(shared, func(a, b queryTerm) int {
		return cmp.Or(cmp.Compare(candidates[b.term].weight, candidates[a.term].weight), strings.Compare(a.term, b.term))
	})
	shared = shared[:min(len(shared), maxFeedbackCandidates)]
	return r.choose(lookUp(r.views, shared), candidates, asked)
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
		sc.descend(func(block int, peak float32) bool {
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
	sections int
	weight   float64
}

// read adds the terms of one section's body to the candidates, weighed by the
// section's share of all scores.
func (r *ranking) read(s Scored, share float64, candidates map[string]*candidate) {
	_, body := r.options.Text(s.Ref)
	counts := map[string]int{}
	for i := 0; ; {
		u, next, ok := text.NextUnit(body, i)
		if !ok {
			break
		}
		i = next
		for _, term := range r.ranker.baseTerms(body[u.Start:u.End], u.CJK) {
			if len(term) > 1 {
				counts[term]++
			}
		}
	}
	norm := float64(r.scratch[s.View].body.norm(r.views[s.View].Segment.bodyLen[s.Section]))
	for term, n := range counts {
		c := candidates[term]
		if c == nil {
			c = &candidate{}
			candidates[term] = c
		}
		c.sections++
		c.weight += float64(share * (float64(n) / (float64(n) + norm)))
	}
}

// choose keeps the terms that tell most, and shares a part of the question's own
// weight among them.
func (r *ranking) choose(found []scorable, candidates map[string]*candidate, asked float64) []scorable {
	for i := range found {
		found[i].weigh(r.views, r.stats)
	}
	found = slices.DeleteFunc(found, func(s scorable) bool { return float64(s.df) > feedbackCommon*r.stats.n })
	worth := func(s scorable) float64 { return candidates[s.term].weight * float64(s.idf) }
	slices.SortFunc(found, func(a, b scorable) int {
		return cmp.Or(cmp.Compare(worth(b), worth(a)), strings.Compare(a.term, b.term))
	})
	found = found[:min(len(found), feedbackTerms)]
	sum := 0.0
	for _, s := range found {
		sum += worth(s)
	}
	for i, s := range found {
		found[i].share = float32(worth(s)/sum*asked*feedbackWeight) * s.idf
	}
	return found
}

// baseTerms remembers what common words expand to: stemming them anew would
// take most of the time that feedback takes.
func (r *Ranker) baseTerms(unit string, cjk bool) []string {
	r.mu.RLock()
	terms, ok := r.base[unit]
	r.mu.RUnlock()
	if ok {
		return terms
	}
	unit = strings.Clone(unit)
	terms = text.Expand(unit, cjk).Base
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.base == nil || len(r.base) >= maxBaseTerms {
		r.base = map[string][]string{}
	}
	r.base[unit] = terms
	return terms
}
