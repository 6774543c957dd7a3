package score

// This file counts items that are found again.

import "slices"

// Bag counts items by their text.
type Bag map[string]int

// Add counts one item; empty ones are none.
func (b Bag) Add(item string) {
	if item != "" {
		b[item]++
	}
}

// Share is how many of the wanted items were found.
type Share struct {
	Found, All int
	lost       []string
}

// Add looks for each of the wanted items.
func (s *Share) Add(want, got Bag) {
	for item, n := range want {
		s.All += n
		s.Found += min(n, got[item])
		for range n - min(n, got[item]) {
			s.lost = append(s.lost, item)
		}
	}
}

// Count notes one item; where says which one it was.
func (s *Share) Count(found bool, where string) {
	s.All++
	if found {
		s.Found++
	} else {
		s.lost = append(s.lost, where)
	}
}

// Value is the share, 1 when nothing was wanted.
func (s *Share) Value() float64 {
	if s.All == 0 {
		return 1
	}
	return float64(s.Found) / float64(s.All)
}

// Lost are the items that were not found, in alphabetical order.
func (s *Share) Lost() []string { return slices.Sorted(slices.Values(s.lost)) }
