package index

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
)

// This file computes BM25 (Robertson and Zaragoza, The Probabilistic Relevance
// Framework: BM25 and Beyond, 2009) over two fields whose scores are added.

// Parameters of BM25. Titles are short and all of them says what a section is
// about, so their length counts in full; a long body often says more and not
// only the same again.
const (
	k1     = 1.2
	titleB = 1
	bodyB  = 0.6
)

// saturation is 1/(1 + norm(length)) for short fields: what a term that stands
// once in a field is worth, the usual case, without a division.
type saturation struct {
	c0, c1 float32
	once   [1024]float32
}

func (s *saturation) prepare(c0, c1 float32) {
	if s.c0 == c0 && s.c1 == c1 {
		return
	}
	s.c0, s.c1 = c0, c1
	for length := range s.once {
		s.once[length] = 1 / (1 + s.norm(uint32(length)))
	}
}

// share is what a term of weight w adds to the score of a section that holds it
// so often in a field of that length.
func (s *saturation) share(w float32, length, frequency uint32) float32 {
	if frequency == 1 && length < uint32(len(s.once)) {
		return float32(w * s.once[length])
	}
	return float32(w*float32(frequency)) / (float32(frequency) + s.norm(length))
}

// norm is k1 x (1 - b + b x length/average). The conversion keeps compilers
// from fusing multiply and add, which would make scores differ between machines.
func (s *saturation) norm(length uint32) float32 { return s.c0 + float32(s.c1*float32(length)) }

// stats are the numbers of all live sections.
type stats struct {
	n                 float64
	avgTitle, avgBody float64
	titleC0, titleC1  float32 // k1(1-b), k1*b/avg
	bodyC0, bodyC1    float32
}

func statistics(views []View) stats {
	var n, title, body uint64
	for _, v := range views {
		n, title, body = n+uint64(v.Live), title+v.TitleTotal, body+v.BodyTotal
	}
	st := stats{n: float64(n)}
	if n > 0 {
		st.avgTitle, st.avgBody = float64(title)/float64(n), float64(body)/float64(n)
	}
	st.titleC0, st.titleC1 = normFactors(st.avgTitle, titleB)
	st.bodyC0, st.bodyC1 = normFactors(st.avgBody, bodyB)
	return st
}

func normFactors(avg, b float64) (c0, c1 float32) {
	if avg == 0 {
		return k1, 0
	}
	return float32(k1 * (1 - b)), float32(float64(k1*b) / avg)
}

// scorable is a query term with its postings in every view.
type scorable struct {
	term        string
	weight      float32
	title, body [][]postings // by view; several lists when the term stands for many
	df          uint64       // sections that hold it, in the field where they are more
	idf         float32      // x (k1+1)
	share       float32      // weight x idf
}

// lookUp finds the terms in all views. Those that no view holds are left out.
func lookUp(views []View, terms []queryTerm) []scorable {
	n := len(views)
	lists, heads := make([]postings, 2*n*len(terms)), make([][]postings, 2*n*len(terms))
	all := make([]scorable, len(terms))
	for i, t := range terms {
		own := heads[2*n*i : 2*n*(i+1)]
		all[i] = scorable{term: t.term, weight: t.weight, title: own[:n:n], body: own[n:]}
	}
	inParts(n, n*len(terms), func(v int) {
		segment := views[v].Segment
		for i, t := range terms {
			s := &all[i]
			if t.lone {
				for _, k := range segment.containing(t.term) {
					title, body := segment.lists(k)
					s.title[v], s.body[v] = append(s.title[v], title), append(s.body[v], body)
				}
			} else if k, ok := segment.find(t.term); ok {
				one := lists[2*(n*i+v) : 2*(n*i+v)+2]
				one[0], one[1] = segment.lists(k)
				s.title[v], s.body[v] = one[:1:1], one[1:]
			}
		}
	})
	return slices.DeleteFunc(all, func(s scorable) bool {
		return !slices.ContainsFunc(s.title, func(lists []postings) bool { return lists != nil })
	})
}

// inParts calls do for the numbers below n, side by side when that is many
// look-ups of terms.
func inParts(n, lookUps int, do func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if lookUps < parallelLookUps || workers < 2 {
		for i := range n {
			do(i)
		}
		return
	}
	var done sync.WaitGroup
	for w := range workers {
		done.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	done.Wait()
}

// weigh computes the term's weight from its document frequency, that of the
// field that holds it more often: a word that is common in bodies tells little
// in a title too, however rare it is there.
func (s *scorable) weigh(views []View, st stats) {
	s.df = max(frequency(views, s.title), frequency(views, s.body))
	s.idf = idf(st.n, s.df)
	s.share = s.weight * s.idf
}

func idf(n float64, df uint64) float32 {
	f := float64(df)
	return float32(float64(math.Log(1+(n-f+0.5)/(f+0.5))) * (k1 + 1))
}

// frequency counts the live sections that the lists name. Lists of several
// terms are counted as a union.
func frequency(views []View, lists [][]postings) uint64 {
	df := uint64(0)
	for v, view := range views {
		switch {
		case len(lists[v]) == 0:
		case len(lists[v]) == 1:
			df += view.live(lists[v][0])
		default:
			seen := make([]uint64, (view.Segment.sections+63)/64)
			for _, p := range lists[v] {
				p.each(view.Segment.sections, func(section uint32) {
					if !view.dead(section) {
						seen[section>>6] |= 1 << (section & 63)
					}
				})
			}
			for _, w := range seen {
				df += uint64(bits.OnesCount64(w))
			}
		}
	}
	return df
}

// live counts the live sections of one list. Long lists are counted once.
func (v View) live(p postings) uint64 {
	if v.Dead == nil {
		return p.count
	}
	if n, ok := v.counted.of(p); ok {
		return n
	}
	n := uint64(0)
	p.each(v.Segment.sections, func(section uint32) {
		if !v.dead(section) {
			n++
		}
	})
	v.counted.keep(p, n)
	return n
}

// counted remembers how many live sections lists of one view have, by where
// the lists lie: questions share their common words, whose lists are long.
type counted struct {
	mu   sync.RWMutex
	live map[*byte]uint64
}

func (c *counted) of(p postings) (n uint64, ok bool) {
	if c == nil || len(p.data) < minCounted {
		return 0, false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	n, ok = c.live[&p.data[0]]
	return n, ok
}

func (c *counted) keep(p postings, n uint64) {
	if c == nil || len(p.data) < minCounted {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.live) < maxCounted {
		c.live[&p.data[0]] = n
	}
}

// accumulate adds the terms' shares to the sections of a view that hold them,
// and surveys these.
func (r *ranking) accumulate(v int, terms []scorable) {
	view, sc := r.views[v], r.scratch[v]
	for _, t := range terms {
		for _, p := range t.title[v] {
			p.score(t.share, &sc.title, view.Segment.titleLen, sc)
		}
		for _, p := range t.body[v] {
			p.score(t.share, &sc.body, view.Segment.bodyLen, sc)
		}
	}
	for w, dead := range view.Dead {
		for ; dead != 0; dead &= dead - 1 {
			if section := w*64 + bits.TrailingZeros64(dead); section < len(sc.score) {
				sc.score[section] = 0
			}
		}
	}
	sc.survey()
}

// lift adds the terms' shares to the sections of a view that have a score.
func (r *ranking) lift(v int, terms []scorable) {
	view, sc := r.views[v], r.scratch[v]
	for _, t := range terms {
		for _, p := range t.title[v] {
			p.lift(t.share, &sc.title, view.Segment.titleLen, sc)
		}
		for _, p := range t.body[v] {
			p.lift(t.share, &sc.body, view.Segment.bodyLen, sc)
		}
	}
}
