package index

import (
	"math"
	"math/bits"
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

func lookUp(views []View, terms []queryTerm) []scorable {
	out := make([]scorable, 0, len(terms))
	n := len(views)
	lists, heads := make([]postings, 2*n*len(terms)), make([][]postings, 2*n*len(terms))
	for _, t := range terms {
		s := scorable{term: t.term, weight: t.weight, title: heads[:n:n], body: heads[n : 2*n : 2*n]}
		found := false
		for v, view := range views {
			if !t.lone {
				i, ok := view.Segment.find(t.term)
				if !ok {
					continue
				}
				one := lists[:2]
				lists = lists[2:]
				one[0], one[1] = view.Segment.lists(i)
				s.title[v], s.body[v] = one[:1:1], one[1:2:2]
				found = true
				continue
			}
			for _, i := range view.Segment.containing(t.term) {
				title, body := view.Segment.lists(i)
				s.title[v] = append(s.title[v], title)
				s.body[v] = append(s.body[v], body)
				found = true
			}
		}
		if found {
			heads = heads[2*n:]
			out = append(out, s)
		}
	}
	return out
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

// live counts the live sections of one list.
func (v View) live(p postings) uint64 {
	if v.Dead == nil {
		return p.count
	}
	n := uint64(0)
	p.each(v.Segment.sections, func(section uint32) {
		if !v.dead(section) {
			n++
		}
	})
	return n
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
