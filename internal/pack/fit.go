package pack

import (
	"slices"
	"sort"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// This file makes the Markdown of a bundle keep a budget.

// Markdown returns b as Markdown that costs at most budget tokens: a heading
// that echoes the question, the entries with marker, title and size, then
// citations, rules, and what was left out with how to go on. Where the whole
// does not fit, the parts around the entries get smaller, then the last entries
// go, then the first is cut to its best passage.
// A budget of 0 or less is no bound. estimate nil means text.Tokens.
func Markdown(b evergreen.Bundle, budget int, estimate text.Estimator) string {
	s, _ := Fit(b, budget, estimate)
	return s
}

// Fit is Markdown that also returns the bundle as it was written, for the
// metadata that stand beside the text.
func Fit(b evergreen.Bundle, budget int, estimate text.Estimator) (string, evergreen.Bundle) {
	if estimate == nil {
		estimate = text.Tokens
	}
	layouts := layoutsFor(budget)
	for range 2 {
		for _, l := range layouts {
			if s := write(b, l, budget, estimate); budget <= 0 || l.sources && estimate(s) <= budget {
				return s, b
			}
		}
		b = dropEntries(b, layouts[0], budget, estimate)
	}
	for _, l := range layouts {
		if cut, ok := cutEntry(b, l, budget, estimate); ok {
			return write(cut, l, budget, estimate), cut
		}
	}
	for len(b.Entries) > 0 {
		b = dropLast(b)
	}
	return cutText(write(b, layouts[len(layouts)-1], budget, estimate), budget, estimate), b
}

// dropEntries takes entries away from the end until the rest fits or one is
// left.
func dropEntries(b evergreen.Bundle, l layout, budget int, estimate text.Estimator) evergreen.Bundle {
	for len(b.Entries) > 1 {
		over := estimate(write(b, l, budget, estimate)) - budget
		for saved := 0; saved < over && len(b.Entries) > 1; {
			saved += b.Entries[len(b.Entries)-1].Tokens
			b = dropLast(b)
		}
		if over <= 0 {
			break
		}
	}
	return b
}

// dropLast moves the last entry to what was left out.
func dropLast(b evergreen.Bundle) evergreen.Bundle {
	last := len(b.Entries) - 1
	p, marker := b.Entries[last], b.Citations[last].Marker
	b.Entries = slices.Clone(b.Entries[:last])
	b.Citations = slices.Clone(b.Citations[:last])
	b.EntryCount = last
	b.UsedTokens -= p.Tokens
	b.Warnings = slices.DeleteFunc(slices.Clone(b.Warnings), func(w evergreen.Warning) bool {
		return w.ID == p.ID && w.Rule != evergreen.RuleDamaged
	})
	b.Truncated = true
	left := append([]evergreen.LeftOut{leftOut(p, marker)}, b.LeftOut...)
	slices.SortStableFunc(left, func(x, y evergreen.LeftOut) int {
		switch {
		case x.Score > y.Score:
			return -1
		case x.Score < y.Score:
			return 1
		}
		return strings.Compare(x.ID, y.ID)
	})
	b.LeftOut = left[:min(len(left), maxLeftOut)]
	return b
}

// cutEntry makes b fit by cutting its only entry. ok is false when too little
// of it would remain.
func cutEntry(b evergreen.Bundle, l layout, budget int, estimate text.Estimator) (evergreen.Bundle, bool) {
	fits := func(c evergreen.Bundle) bool { return estimate(write(c, l, budget, estimate)) <= budget }
	if fits(b) {
		return b, true
	}
	if len(b.Entries) != 1 {
		return b, false
	}
	whole := b.Entries[0]
	with := func(s Passage) evergreen.Bundle {
		c := b
		p := withPassage(whole, s, estimate)
		c.Entries = []evergreen.PackedEntry{p}
		c.UsedTokens, c.Truncated = p.Tokens, true
		return c
	}
	frame := estimate(write(with(Passage{}), l, budget, estimate))
	room := budget - frame
	if room < minPassage && l.sources {
		return b, false
	}
	passage, ok := findPassage(whole.Body, Terms(b.Query.Topic), room, estimate, func(s string) bool {
		return fits(with(Passage{len(whole.Body), len(s), s}))
	})
	cut := with(passage)
	return cut, ok && fits(cut)
}

// cutText is the last resort: the longest beginning of s that fits.
func cutText(s string, budget int, estimate text.Estimator) string {
	if estimate(s) <= budget {
		return s
	}
	var ends []int
	for i := range s {
		ends = append(ends, i)
	}
	n := sort.Search(len(ends)-1, func(k int) bool { return estimate(s[:ends[k+1]]) > budget })
	return s[:ends[n]]
}
