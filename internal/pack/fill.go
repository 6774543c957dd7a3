package pack

import (
	"evergreen"
	"evergreen/internal/text"
)

// This file fills a budget with entries.

// Options bounds a filling.
type Options struct {
	Budget   int // tokens, effective
	Limit    int // most entries; 0 is no limit
	Passages bool
	Terms    []string

	Reserve int                         // tokens kept free
	Cost    func(e evergreen.Entry) int // tokens that an entry costs beside its own; nil is none

	Load     func(*evergreen.Entry) error // see Request.Load
	Estimate text.Estimator               // nil means text.Tokens
}

// Filling is what fitted and what did not.
type Filling struct {
	Packed    []evergreen.PackedEntry // in order of rank, never nil
	Used      int                     // sum of the packed entries' tokens
	Truncated bool                    // something did not fit
	LeftOut   []evergreen.PackedEntry // the first maxLeftOut that did not fit
}

// Fill takes the ranked entries in order while they fit, passes over those that
// do not and goes on to smaller ones. Reaching the limit ends it and is no
// truncation. With Passages a best entry that alone exceeds the budget is
// replaced by its best passage, so that the right answer never vanishes.
func Fill(ranked []evergreen.PackedEntry, o Options) (Filling, error) {
	if o.Estimate == nil {
		o.Estimate = text.Tokens
	}
	f := Filling{Packed: []evergreen.PackedEntry{}}
	room := max(0, o.Budget-o.Reserve)
	for i, p := range ranked {
		if o.Limit > 0 && len(f.Packed) >= o.Limit {
			break
		}
		loaded := false
		load := func() error {
			if loaded || o.Load == nil {
				return nil
			}
			loaded = true
			return o.Load(&p.Entry)
		}
		if p.Tokens <= 0 {
			if err := load(); err != nil {
				return Filling{}, err
			}
			p.Tokens = o.Estimate(p.Title + "\n" + p.Body)
		}
		extra := 0
		if o.Cost != nil {
			extra = o.Cost(p.Entry)
		}
		if p.Tokens+extra > room {
			f.Truncated = true
			if i > 0 || !o.Passages {
				f.leave(p)
				continue
			}
			if err := load(); err != nil {
				return Filling{}, err
			}
			passage, ok := shorten(p, o.Terms, room-extra, o.Estimate)
			if !ok {
				f.leave(p)
				continue
			}
			p = passage
		}
		if err := load(); err != nil {
			return Filling{}, err
		}
		room -= p.Tokens + extra
		f.Used += p.Tokens
		f.Packed = append(f.Packed, complete(p))
	}
	return f, nil
}

func (f *Filling) leave(p evergreen.PackedEntry) {
	if len(f.LeftOut) < maxLeftOut {
		f.LeftOut = append(f.LeftOut, p)
	}
}

// shorten returns p with its best passage of at most budget tokens, title
// included.
func shorten(p evergreen.PackedEntry, terms []string, budget int, estimate text.Estimator) (evergreen.PackedEntry, bool) {
	head := p.Title + "\n"
	fits := func(s string) bool { return estimate(head+s) <= budget }
	passage, ok := findPassage(p.Body, terms, budget-estimate(head), estimate, fits)
	if !ok {
		return p, false
	}
	return withPassage(p, passage, estimate), true
}

// withPassage puts a passage in the place of p's body. A passage of a passage is
// placed within the whole as if nothing had been reopened before the first.
func withPassage(p evergreen.PackedEntry, passage Passage, estimate text.Estimator) evergreen.PackedEntry {
	part := evergreen.Partial{Offset: passage.Offset, Bytes: passage.Bytes, Total: len(p.Body)}
	if p.Partial != nil {
		part.Total = p.Partial.Total
		part.Bytes = min(part.Bytes, p.Partial.Bytes)
		part.Offset = p.Partial.Offset + min(part.Offset, p.Partial.Bytes-part.Bytes)
	}
	p.Partial = &part
	p.Body = passage.Text
	p.Tokens = estimate(p.Title + "\n" + p.Body)
	return p
}

// complete gives an entry the form that answers promise: lists are never null.
func complete(p evergreen.PackedEntry) evergreen.PackedEntry {
	if p.Tags == nil {
		p.Tags = []string{}
	}
	return p
}
