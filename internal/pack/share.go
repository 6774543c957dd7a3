package pack

import (
	"cmp"
	"slices"

	"evergreen"
)

// This file shares a budget among sections, so that an answer rests on several
// documents and not on the length of their sections.

// sharing is a filling under way. Its lists go by rank.
type sharing struct {
	o      Options
	room   int // tokens not yet given away
	list   []candidate
	size   []int // tokens given to each, 0 when it was not chosen
	packed []evergreen.PackedEntry
	refuse []bool
}

// fillShared chooses entries by their worth, each with at most a share of the
// budget, until nothing fits; gives what is left over to the best of them; and
// packs them in order of rank, the best passage of each that has not room for
// the whole. What is chosen is never refused for its length, and where
// everything fits everything is packed whole.
func fillShared(ranked []evergreen.PackedEntry, o Options) (Filling, error) {
	n := len(ranked)
	s := sharing{o: o, room: max(0, o.Budget-o.Reserve), list: make([]candidate, n),
		size: make([]int, n), packed: make([]evergreen.PackedEntry, n), refuse: make([]bool, n)}
	if err := s.choose(ranked); err != nil {
		return Filling{}, err
	}
	return s.pack(ranked)
}

// shareOf is the most that a section gets of a budget before all have a share.
func shareOf(budget int) int {
	return min(max(budget/sharesOfBudget, minShare), maxShare)
}

// shareOfBest is shareOf for the best section.
func shareOfBest(budget int) int {
	return max(budget*bestPercent/100, minShareOfBest)
}

// choose gives out the shares.
func (s *sharing) choose(ranked []evergreen.PackedEntry) error {
	chosen := 0
	for n, i := range byWorth(ranked) {
		if s.o.Limit > 0 && chosen >= s.o.Limit {
			break
		}
		c := &s.list[i]
		*c = candidate{PackedEntry: ranked[i], load: s.o.Load}
		if err := c.count(s.o); err != nil {
			return err
		}
		size := shareOf(s.o.Budget)
		if n == 0 {
			size = shareOfBest(s.o.Budget)
		}
		if c.Tokens > size {
			c.extra = s.costCut(c.PackedEntry)
		}
		size = min(c.Tokens, size)
		if n == 0 {
			size = min(size, s.room-c.extra)
		}
		if size <= 0 || size+c.extra > s.room {
			s.refuse[i] = true
			continue
		}
		s.room -= size + c.extra
		s.size[i] = size
		chosen++
	}
	return nil
}

// costCut is what an entry costs beside its own tokens when a passage of it is
// packed and its heading says which.
func (s *sharing) costCut(p evergreen.PackedEntry) int {
	if s.o.Cost == nil {
		return 0
	}
	bytes := p.Tokens * bytesPerToken
	p.Partial = &evergreen.Partial{Offset: bytes, Bytes: bytes, Total: bytes}
	return s.o.Cost(p)
}

// pack makes the filling from what was chosen. Passages end with a paragraph
// and seldom use all of their room: the rest is given out once more.
func (s *sharing) pack(ranked []evergreen.PackedEntry) (Filling, error) {
	for range 2 {
		for i := range s.list {
			if err := s.give(i); err != nil {
				return Filling{}, err
			}
		}
	}
	f := Filling{Packed: []evergreen.PackedEntry{}}
	for i, p := range s.packed {
		if s.size[i] > 0 {
			f.Used += p.Tokens
			f.Packed = append(f.Packed, p)
			f.Truncated = f.Truncated || p.Partial != ranked[i].Partial
		} else if s.refuse[i] {
			f.Truncated = true
			f.leave(ranked[i])
		}
	}
	return f, nil
}

// give packs an entry into its share and what is left over, whole when it fits.
func (s *sharing) give(i int) error {
	c, had := s.list[i], s.size[i]
	if had == 0 || had == c.Tokens && s.packed[i].Tokens == had {
		return nil
	}
	size := min(c.Tokens, had+s.room)
	if again := s.packed[i].Tokens > 0; again && size < c.Tokens && s.room < minPassage {
		return nil
	}
	if err := s.list[i].complete(); err != nil {
		return err
	}
	c = s.list[i]
	if c.Tokens > size && !c.shorten(s.o, size) {
		s.refuse[i], s.size[i] = true, 0
		s.room += had + c.extra
		return nil
	}
	s.room += had - c.Tokens
	s.size[i], s.packed[i] = c.Tokens, c.PackedEntry
	return nil
}

// byWorth returns the places of ranked entries in the order of their worth: the
// score, less for each better entry of the same document.
func byWorth(ranked []evergreen.PackedEntry) []int {
	order, worth := make([]int, len(ranked)), make([]float64, len(ranked))
	weight := map[string]float64{}
	for i, p := range ranked {
		document := p.Collection + "\x00" + p.DocPath
		if p.Curated {
			document = p.Collection + "\x00" + p.ID
		}
		w, ok := weight[document]
		if !ok {
			w = 1
		}
		order[i], worth[i] = i, float64(p.Score*w)
		weight[document] = float64(w * sameDocument)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	return order
}
