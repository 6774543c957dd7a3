package index

import "math"

// scratch is the working memory of one ranking over one view: a score for every
// section, which hits alone have, a mark for every block of sections that holds
// any, and the best score within it.
type scratch struct {
	score       []float32
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
		sc.score = make([]float32, blocks*blockSections)
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
// Scores are compared by their bits, which for positive numbers is the same and
// needs no branch; four maxima at a time do not wait for each other.
func (sc *scratch) survey() {
	sc.hits = 0
	for i, touched := range sc.touched {
		if touched == 0 {
			continue
		}
		var a, b, c, d, n uint32
		block := (*[blockSections]float32)(sc.score[i*blockSections:])
		for k := 0; k < blockSections; k += 4 {
			w, x := math.Float32bits(block[k]), math.Float32bits(block[k+1])
			y, z := math.Float32bits(block[k+2]), math.Float32bits(block[k+3])
			a, b, c, d = max(a, w), max(b, x), max(c, y), max(d, z)
			n += (w+math.MaxInt32)>>31 + (x+math.MaxInt32)>>31 + (y+math.MaxInt32)>>31 + (z+math.MaxInt32)>>31
		}
		sc.peaks[i] = math.Float32frombits(max(max(a, b), max(c, d)))
		sc.hits += int(n)
	}
}

// descend calls visit for the blocks that hold hits in order of their peaks,
// highest first, until it returns false.
func (sc *scratch) descend(visit func(block int, peak float32) bool) {
	// As a rule the first few are all that is wanted: a heap orders no more.
	queue := sc.queue[:0]
	for i, peak := range sc.peaks {
		if peak > 0 {
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
