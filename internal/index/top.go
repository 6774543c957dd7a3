package index

import (
	"math"
	"sort"
	"sync/atomic"
)

// topList keeps the best results seen so far as a min-heap.
type topList struct {
	limit int
	less  func(a, b Ref) bool
	heap  []Scored
}

// better tells whether a ranks before b.
func (t *topList) better(a, b Scored) bool {
	if a.Score != b.Score {
		return a.Score > b.Score
	}
	if t.less != nil {
		return t.less(a.Ref, b.Ref)
	}
	if a.View != b.View {
		return a.View < b.View
	}
	return a.Section < b.Section
}

// floor is the score below which nothing is worth offering.
func (t *topList) floor() float32 {
	if len(t.heap) < t.limit || len(t.heap) == 0 {
		return 0
	}
	return float32(t.heap[0].Score)
}

func (t *topList) offer(s Scored) {
	if len(t.heap) < t.limit {
		t.heap = append(t.heap, s)
		t.up(len(t.heap) - 1)
		return
	}
	if len(t.heap) == 0 || s.Score < t.heap[0].Score || !t.better(s, t.heap[0]) {
		return
	}
	t.heap[0] = s
	t.down(0)
}

func (t *topList) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if t.better(t.heap[i], t.heap[parent]) {
			return
		}
		t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
		i = parent
	}
}

func (t *topList) down(i int) {
	for {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(t.heap); c++ {
			if t.better(t.heap[worst], t.heap[c]) {
				worst = c
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

func (t *topList) sorted() []Scored {
	sort.Slice(t.heap, func(i, j int) bool { return t.better(t.heap[i], t.heap[j]) })
	return t.heap
}

// floor is the highest of the floors of several lists that become one: what is
// below it is worth nothing to any of them.
type floor struct{ bits atomic.Uint32 }

func (f *floor) get() float32 { return math.Float32frombits(f.bits.Load()) }

// raise lifts the floor to a score, unless it is higher, and returns it. Scores
// are positive, so that their bits are in the same order.
func (f *floor) raise(score float32) float32 {
	bits := math.Float32bits(score)
	for {
		old := f.bits.Load()
		if bits <= old || f.bits.CompareAndSwap(old, bits) {
			return math.Float32frombits(max(old, bits))
		}
	}
}
