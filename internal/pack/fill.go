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
	Shared   bool // see Request.Shared
	Terms    []string

	Reserve int                               // tokens kept free
	Cost    func(p evergreen.PackedEntry) int // tokens that an entry costs beside its own; nil is none

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
// replaced by its best passage, so that the right answer never vanishes. Shared
// fills in another way, see share.go.
func Fill(ranked []evergreen.PackedEntry, o Options) (Filling, error) {
	if o.Estimate == nil {
		o.Estimate = text.Tokens
	}
	if o.Shared {
		return fillShared(ranked, o)
	}
	f := Filling{Packed: []evergreen.PackedEntry{}}
	room := max(0, o.Budget-o.Reserve)
	for i, p := range ranked {
		if o.Limit > 0 && len(f.Packed) >= o.Limit {
			break
		}
		c := candidate{PackedEntry: p, load: o.Load}
		if err := c.count(o); err != nil {
			return Filling{}, err
		}
		fits := c.Tokens+c.extra <= room
		f.Truncated = f.Truncated || !fits
		if fits || i == 0 && o.Passages {
			if err := c.complete(); err != nil {
				return Filling{}, err
			}
		}
		if !fits && i == 0 && o.Passages {
			fits = c.shorten(o, room-c.extra)
		}
		if !fits {
			f.leave(c.PackedEntry)
			continue
		}
		room -= c.Tokens + c.extra
		f.Used += c.Tokens
		f.Packed = append(f.Packed, c.PackedEntry)
	}
	return f, nil
}

// candidate is an entry on its way into a filling.
type candidate struct {
	evergreen.PackedEntry
	load  func(*evergreen.Entry) error
	extra int // tokens it costs beside its own
}

// count makes the candidate's costs known.
func (c *candidate) count(o Options) error {
	if c.Tokens <= 0 {
		if err := c.complete(); err != nil {
			return err
		}
		c.Tokens = o.Estimate(c.Title + "\n" + c.Body)
	}
	if o.Cost != nil {
		c.extra = o.Cost(c.PackedEntry)
	}
	return nil
}

// complete loads the candidate, once, and gives it the form that answers
// promise: lists are never null.
func (c *candidate) complete() error {
	if c.load != nil {
		if err := c.load(&c.Entry); err != nil {
			return err
		}
		c.load = nil
	}
	if c.Tags == nil {
		c.Tags = []string{}
	}
	return nil
}

// shorten replaces the candidate by its best passage of at most budget tokens,
// title included.
func (c *candidate) shorten(o Options, budget int) bool {
	head := c.Title + "\n"
	fits := func(s string) bool { return o.Estimate(head+s) <= budget }
	passage, ok := findPassage(c.Body, o.Terms, budget-o.Estimate(head), o.Estimate, fits)
	if ok {
		c.PackedEntry = withPassage(c.PackedEntry, passage, o.Estimate)
	}
	return ok
}

func (f *Filling) leave(p evergreen.PackedEntry) {
	if len(f.LeftOut) < maxLeftOut {
		f.LeftOut = append(f.LeftOut, p)
	}
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
