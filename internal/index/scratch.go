package index

import (
	"math"
	"unsafe"
)

// scratch is the working memory of one ranking over one view: a score for every
// section, which hits alone have, a mark for every block of sections that holds
// any, and the best score within it.
type scratch struct {
	score       []float32
	pairs       []uint64 // the same memory
	touched     []uint8
	peaks       []float32
	hits        int
	queue       []uint64 // blocks to visit: the peak's bits, then the block's number inverted
	title, body saturation
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
		sc.pairs = make([]uint64, blocks*blockSections/2)
		sc.score = unsafe.Slice((*float32)(unsafe.Pointer(&sc.pairs[0])), blocks*blockSections)
		sc.touched = make([]uint8, blocks)
		sc.peaks = make([]float32, blocks)
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
	clear(sc.peaks)
	r.pool.Put(sc)
}

func (sc *scratch) block(i int) []float32 {
	return sc.score[i*blockSections : (i+1)*blockSections]
}

// survey counts the hits and finds the peak of every block, its best score.
// Scores are taken by their bits, whose order is the same for positive numbers,
// and two at a time; nothing branches, and four maxima do not wait for each other.
func (sc *scratch) survey() {
	hits := 0
	for i, touched := range sc.touched {
		if touched == 0 {
			continue
		}
		const high = math.MaxInt32<<32 | math.MaxInt32 // carries out of all but 0
		var a, b, c, d uint32
		n := uint64(0)
		pairs := (*[blockSections / 2]uint64)(sc.pairs[i*blockSections/2:])
		for k := 0; k < len(pairs); k += 2 {
			p, q := pairs[k], pairs[k+1]
			a, b = max(a, uint32(p)), max(b, uint32(p>>32))
			c, d = max(c, uint32(q)), max(d, uint32(q>>32))
			n += (p+high)>>31&(1<<32|1) + (q+high)>>31&(1<<32|1)
		}
		sc.peaks[i] = math.Float32frombits(max(max(a, b), max(c, d)))
		hits += int(uint32(n) + uint32(n>>32))
	}
	sc.hits = hits
}

// descend calls visit for the blocks that hold hits in order of their peaks,
// highest first, until it returns false. Those below the floor are left out.
func (sc *scratch) descend(floor float32, visit func(block int, peak float32) bool) {
	// As a rule the first few are all that is wanted: a heap orders no more.
	queue := sc.queue[:0]
	for i, peak := range sc.peaks {
		if peak > 0 && peak >= floor {
			queue = append(queue, uint64(math.Float32bits(peak))<<32|uint64(^uint32(i)))
		}
	}
	sc.queue = queue
	for i := len(queue)/2 - 1; i >= 0; i-- {
		sink(queue, i)
	}
	for len(queue) > 0 {
		block := int(^uint32(queue[0]))
		if !visit(block, sc.peaks[block]) {
			return
		}
		last := len(queue) - 1
		queue[0] = queue[last]
		queue = queue[:last]
		sink(queue, 0)
	}
}

// sink restores a max-heap whose element i may be too small.
func sink(heap []uint64, i int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] > heap[child] {
			child++
		}
		if heap[i] >= heap[child] {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
