package index

import (
	"strings"

	"evergreen/internal/text"
)

// containing returns the numbers of the segment's terms that a lone CJK
// character stands for: every pair that holds it.
func (s *Segment) containing(char string) []int {
	var out []int
	for i := s.lowerBound("\u3005"); i < s.termCount(); i++ {
		if strings.Contains(s.term(i), char) {
			out = append(out, i)
		}
	}
	return out
}

// candidates is the set of sections that hold every word of every phrase.
type candidates struct {
	set  []uint64
	left int // sections that may still be read
}

// phraseFilter returns nil when the query has no phrase.
func phraseFilter(view View, q Query) *candidates {
	if len(q.phrases) == 0 {
		return nil
	}
	n := (view.Segment.sections + 63) / 64
	set := make([]uint64, n)
	for i := range set {
		set[i] = ^uint64(0)
	}
	for _, phrase := range q.phrases {
		for _, unit := range phrase {
			cjk := len(unit) > 0 && isCJKUnit(unit)
			for _, base := range text.Expand(unit, cjk).Base {
				holds := make([]uint64, n)
				if i, ok := view.Segment.find(base); ok {
					title, body := view.Segment.lists(i)
					mark := func(section uint32) { holds[section>>6] |= 1 << (section & 63) }
					title.each(view.Segment.sections, mark)
					body.each(view.Segment.sections, mark)
				}
				for i := range set {
					set[i] &= holds[i]
				}
			}
		}
	}
	return &candidates{set, maxPhraseCandidates}
}

func isCJKUnit(unit string) bool {
	u, _, ok := text.NextUnit(unit, 0)
	return ok && u.CJK
}

func (c *candidates) holds(ref Ref, q Query, o Options) bool {
	if c.set[ref.Section>>6]&(1<<(ref.Section&63)) == 0 || c.left == 0 || o.Text == nil {
		return false
	}
	c.left--
	title, body := o.Text(ref)
	for _, p := range q.phrases {
		if !p.In(title) && !p.In(body) {
			return false
		}
	}
	return true
}
