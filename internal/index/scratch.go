package index

import (
	"math"
	"slices"
)

// scratch is the working memory of one ranking over one view: a score for every
// section, which hits alone have, and a mark for every block of sections that
// holds any.
type scratch struct {
	score       []float32
	touched     []uint8
	title, body saturation
	peaks       []peak
}

// blockSections is how many sections share a mark.
const blockSections = 64

// take returns working memory that is all zero.
func (r *Ranker) take(sections int, st stats) *scratch {
	sc, _ := r.pool.Get().(*scratch)
	if sc == nil {
		sc = &scratch{}
	}
	if len(sc.score) < sections {
		blocks := (sections + blockSections - 1) / blockSections
		sc.score = make([]float32, blocks*blockSections)
		sc.touched = make([]uint8, blocks)
	}
	sc.title.prepare(st.titleC0, st.titleC1)
	sc.body.prepare(st.bodyC0, st.bodyC1)
	return sc
}

// give takes working memory back.
func (r *Ranker) give(sc *scratch) {
	for i, touched := range sc.touched {
		if touched != 0 {
			clear(sc.block(i))
		}
	}
	clear(sc.touched)
	r.pool.Put(sc)
}

func (sc *scratch) block(i int) []float32 {
	return sc.score[i*blockSections : (i+1)*blockSections]
}

// peak is the best score within a block.
type peak struct {
	score float32
	block int
}

// survey counts the hits and finds the peak of every block that holds any.
// Scores are compared by their bits, which for positive numbers is the same and
// needs no branch.
func (sc *scratch) survey() (hits int) {
	sc.peaks = sc.peaks[:0]
	for i, touched := range sc.touched {
		if touched == 0 {
			continue
		}
		best, n := uint32(0), uint32(0)
		for _, score := range sc.block(i) {
			bits := math.Float32bits(score)
			best = max(best, bits)
			n += (bits + math.MaxInt32) >> 31
		}
		if best == 0 {
			continue
		}
		hits += int(n)
		sc.peaks = append(sc.peaks, peak{math.Float32frombits(best), i})
	}
	return hits
}

// descend calls visit for the blocks in order of their peaks, highest first,
// until it returns false. It uses the survey up.
func (sc *scratch) descend(visit func(p peak) bool) {
	for list := sc.peaks; len(list) > 0; {
		// The first few are all that is wanted as a rule: choose them before
		// they are sorted.
		few := min(len(list), firstPeaks)
		choosePeaks(list, few)
		slices.SortFunc(list[:few], comparePeaks)
		for _, p := range list[:few] {
			if !visit(p) {
				return
			}
		}
		list = list[few:]
	}
}

// firstPeaks is how many blocks are put in order at a time.
const firstPeaks = 32

func comparePeaks(a, b peak) int {
	switch {
	case a.score != b.score && a.score > b.score:
		return -1
	case a.score != b.score:
		return 1
	}
	return a.block - b.block
}

// choosePeaks moves the n best to the front, in no order.
func choosePeaks(list []peak, n int) {
	front := list[:n]
	lowest := func() int {
		at := 0
		for i := range front {
			if comparePeaks(front[i], front[at]) > 0 {
				at = i
			}
		}
		return at
	}
	at := lowest()
	for i := n; i < len(list); i++ {
		if comparePeaks(list[i], front[at]) < 0 {
			front[at], list[i] = list[i], front[at]
			at = lowest()
		}
	}
}
