package index

import "slices"

// This file chooses the best of the sections that were scored.

// collect moves the best hits of one view into top, weighed by what their
// documents say, and returns how many hits there are.
func (r *ranking) collect(v int, top *topList) int {
	sc := r.scratch[v]
	if r.options.Allow != nil || len(r.query.phrases) > 0 {
		return r.collectJudged(v, top)
	}
	// No section of a document can score more than the best of them does alone,
	// so beginning with the best few documents have to be looked at.
	var seen []uint32 // of the documents that lie in several blocks
	floor := r.floor.get()
	sc.descend(floor, func(block int, peak float32) bool {
		if peak < floor {
			return false
		}
		start, behind := uint32(block*blockSections), uint32(0)
		for i, score := range sc.block(block) {
			section := start + uint32(i)
			if score == 0 || score < floor || section < behind {
				continue
			}
			first, end := r.views[v].Segment.document(section)
			behind = end
			if first < start || end > start+blockSections {
				if slices.Contains(seen, first) {
					continue
				}
				seen = append(seen, first)
			}
			r.document(v, first, end, func(hit Scored) { top.offer(hit) })
			floor = r.floor.raise(top.floor())
		}
		return true
	})
	return sc.hits
}

// document calls use for the hits of a document.
func (r *ranking) document(v int, first, end uint32, use func(Scored)) {
	scores := r.scratch[v].score[first:end]
	evidence := evidenceOf(scores)
	for i, score := range scores {
		if score > 0 {
			use(Scored{Ref{v, first + uint32(i)}, float64(evidence.weigh(score))})
		}
	}
}

// collectJudged is collect where filters or phrases apply: every hit is judged.
func (r *ranking) collectJudged(v int, top *topList) (total int) {
	var phrase *candidates
	if len(r.query.phrases) > 0 {
		phrase = phraseFilter(r.views[v], r.query)
	}
	sc, behind := r.scratch[v], uint32(0)
	for block, peak := range sc.peaks {
		if peak == 0 {
			continue
		}
		for i, score := range sc.block(block) {
			section := uint32(block*blockSections + i)
			if score == 0 || section < behind {
				continue
			}
			first, end := r.views[v].Segment.document(section)
			behind = end
			r.document(v, first, end, func(hit Scored) {
				if hit.Score = float64(r.judge(hit.Ref, float32(hit.Score), phrase, top.floor())); hit.Score > 0 {
					total++
					top.offer(hit)
				}
			})
		}
	}
	return total
}

// judge applies filter and phrases to a hit; 0 means that it is none. One that
// stays below the floor even if it holds the phrases is not read to find out.
func (r *ranking) judge(ref Ref, score float32, phrase *candidates, floor float32) float32 {
	o := r.options
	if o.Allow != nil && !o.Allow(ref) {
		return 0
	}
	if phrase != nil && (r.query.onlyPhrases || score*phraseLift >= floor) {
		if phrase.holds(ref, r.query, o) {
			return score * phraseLift
		}
		if r.query.onlyPhrases {
			return 0
		}
	}
	return score
}
