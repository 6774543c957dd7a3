package index

import (
	"math"
	"math/bits"
	"sync"
)

// BM25 parameters (Robertson and Zaragoza, 2009), the same for both fields.
const (
	k1 = 1.2
	b  = 0.75
)

// phraseLift multiplies the score of a section that holds every quoted phrase.
const phraseLift = 1.5

// View is a segment as one snapshot sees it: without its dead sections.
type View struct {
	Segment *Segment
	Dead    []uint64 // bit set of removed sections, nil when there are none
	Live    int      // sections that are left
	// Lengths of the live sections, in terms.
	TitleTotal, BodyTotal uint64
}

// NewView computes a view's totals.
func NewView(s *Segment, dead []uint64) View {
	v := View{Segment: s, Dead: dead, Live: s.sections, TitleTotal: s.TitleTotal, BodyTotal: s.BodyTotal}
	for w, word := range dead {
		for ; word != 0; word &= word - 1 {
			i := w*64 + bits.TrailingZeros64(word)
			if i >= s.sections {
				break
			}
			v.Live--
			v.TitleTotal -= uint64(s.titleLen[i])
			v.BodyTotal -= uint64(s.bodyLen[i])
		}
	}
	return v
}

func (v View) dead(section uint32) bool {
	return v.Dead != nil && v.Dead[section>>6]&(1<<(section&63)) != 0
}

// Ref names a section of a view.
type Ref struct {
	View    int
	Section uint32
}

// Scored is a ranked section.
type Scored struct {
	Ref
	Score float64
}

// Options limit and order a ranking. The functions may be called from several
// goroutines, but for sections of one view from one at a time.
type Options struct {
	Limit int // most results; must be positive
	// Allow, when set, filters before the best are chosen.
	Allow func(Ref) bool
	// Less orders sections of equal score.
	Less func(a, b Ref) bool
	// Text gives a section's title chain and body, for phrases.
	Text func(Ref) (title, body string)
}

// Ranker keeps the working memory of rankings. The zero value is ready; it is
// safe for concurrent use.
type Ranker struct{ pool sync.Pool }

// scratch is the working memory of one ranking: a score for every section and a
// bit for those that were hit.
type scratch struct {
	score       []float32
	hit         []uint64
	title, body saturation
}

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

// norm is k1 x (1 - b + b x length/average). The conversion keeps compilers
// from fusing multiply and add, which would make scores differ between machines.
func (s *saturation) norm(length uint32) float32 { return s.c0 + float32(s.c1*float32(length)) }

// Rank returns the best sections for q, best first, and how many match at all.
// The statistics are those of all views together, so the result depends on what
// the sections say and not on how they lie in segments.
func (r *Ranker) Rank(views []View, q Query, o Options) (best []Scored, total int) {
	terms := lookUp(views, q)
	if len(terms) == 0 {
		return nil, 0
	}
	st := statistics(views)
	for i := range terms {
		terms[i].weigh(views, st)
	}
	top := topList{limit: o.Limit, less: o.Less}
	if len(views) == 1 || postingsOf(terms) < parallelPostings {
		for v := range views {
			total += r.rankView(views, v, terms, st, q, o, &top)
		}
		return top.sorted(), total
	}
	tops, totals := make([]topList, len(views)), make([]int, len(views))
	var done sync.WaitGroup
	for v := range views {
		tops[v] = topList{limit: o.Limit, less: o.Less}
		done.Go(func() { totals[v] = r.rankView(views, v, terms, st, q, o, &tops[v]) })
	}
	done.Wait()
	for v := range views {
		total += totals[v]
		for _, s := range tops[v].heap {
			top.offer(s)
		}
	}
	return top.sorted(), total
}

// rankView ranks the sections of one view into top and returns how many match.
func (r *Ranker) rankView(views []View, v int, terms []scorable, st stats, q Query, o Options, top *topList) int {
	sc := r.scratch(views[v].Segment.sections)
	defer r.pool.Put(sc)
	sc.title.prepare(st.titleC0, st.titleC1)
	sc.body.prepare(st.bodyC0, st.bodyC1)
	for _, t := range terms {
		t.accumulate(views[v], v, sc)
	}
	return r.collect(views, v, q, o, sc, top)
}

// postingsOf counts what a ranking has to read.
func postingsOf(terms []scorable) (n uint64) {
	for _, t := range terms {
		for v := range t.title {
			for _, p := range t.title[v] {
				n += p.count
			}
			for _, p := range t.body[v] {
				n += p.count
			}
		}
	}
	return n
}

func (r *Ranker) scratch(sections int) *scratch {
	sc, _ := r.pool.Get().(*scratch)
	if sc == nil {
		sc = &scratch{}
	}
	if len(sc.score) < sections {
		sc.score = make([]float32, sections)
		sc.hit = make([]uint64, (sections+63)/64)
	}
	return sc
}

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
	st.titleC0, st.titleC1 = normFactors(st.avgTitle)
	st.bodyC0, st.bodyC1 = normFactors(st.avgBody)
	return st
}

func normFactors(avg float64) (c0, c1 float32) {
	if avg == 0 {
		return k1, 0
	}
	return float32(k1 * (1 - b)), float32(k1 * b / avg)
}

// scorable is a query term with its postings in every view.
type scorable struct {
	weight      float32
	title, body [][]postings // by view; several lists when the term stands for many
	titleW      float32      // weight x idf x (k1+1)
	bodyW       float32
}

func lookUp(views []View, q Query) []scorable {
	var out []scorable
	for _, t := range q.terms {
		s := scorable{weight: t.weight, title: make([][]postings, len(views)), body: make([][]postings, len(views))}
		found := false
		for v, view := range views {
			for _, i := range view.Segment.matching(t) {
				title, body := view.Segment.lists(i)
				s.title[v] = append(s.title[v], title)
				s.body[v] = append(s.body[v], body)
				found = true
			}
		}
		if found {
			out = append(out, s)
		}
	}
	return out
}

// weigh computes the term's weights from its document frequencies.
func (s *scorable) weigh(views []View, st stats) {
	s.titleW = s.weight * idf(st.n, frequency(views, s.title))
	s.bodyW = s.weight * idf(st.n, frequency(views, s.body))
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
		case len(lists[v]) == 1 && view.Dead == nil:
			df += lists[v][0].count
		default:
			seen := make([]uint64, (view.Segment.sections+63)/64)
			for _, p := range lists[v] {
				p.each(view.Segment.sections, func(section, _ uint32) {
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

func (s *scorable) accumulate(view View, v int, sc *scratch) {
	for _, p := range s.title[v] {
		p.score(view, s.titleW, &sc.title, view.Segment.titleLen, sc)
	}
	for _, p := range s.body[v] {
		p.score(view, s.bodyW, &sc.body, view.Segment.bodyLen, sc)
	}
}

// score adds one field's BM25 share to every live section of the list.
func (p postings) score(view View, w float32, sat *saturation, lengths []uint32, sc *scratch) {
	data, next := p.data, uint32(0)
	scores, hit, dead := sc.score[:len(lengths)], sc.hit, view.Dead
	for i := 0; i < len(data); {
		v := uint64(data[i])
		i++
		if v >= 0x80 { // longer than a byte: rarer, and decoded by the book
			var rest []byte
			if v, rest = uvarint(data[i-1:]); rest == nil {
				return
			}
			i = len(data) - len(rest)
		}
		section := next + uint32(v>>1) - 1
		next = section + 1
		if int(section) >= len(scores) {
			return
		}
		length := lengths[section]
		var share float32
		if v&1 != 0 && length < uint32(len(sat.once)) {
			share = w * sat.once[length]
		} else {
			frequency := uint64(1)
			if v&1 == 0 {
				var rest []byte
				if frequency, rest = uvarint(data[i:]); rest == nil {
					return
				}
				i = len(data) - len(rest)
			}
			share = w * float32(frequency) / (float32(frequency) + sat.norm(length))
		}
		if dead != nil && dead[section>>6]&(1<<(section&63)) != 0 {
			continue
		}
		scores[section] += share
		hit[section>>6] |= 1 << (section & 63)
	}
}

// each calls f for every posting.
func (p postings) each(sections int, f func(section, frequency uint32)) {
	data, next := p.data, uint32(0)
	for len(data) > 0 {
		var v uint64
		v, data = uvarint(data)
		frequency := uint64(1)
		if v&1 == 0 {
			frequency, data = uvarint(data)
		}
		section := next + uint32(v>>1) - 1
		next = section + 1
		if int(section) >= sections {
			return
		}
		f(section, uint32(frequency))
	}
}

// uvarint reads a varint and returns what follows it, nil when it is damaged.
func uvarint(b []byte) (uint64, []byte) {
	if len(b) > 1 && b[1] < 0x80 && b[0] >= 0x80 {
		return uint64(b[0]&0x7f) | uint64(b[1])<<7, b[2:]
	}
	v, shift := uint64(0), uint(0)
	for i, c := range b {
		if shift > 63 {
			return 0, nil
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, b[i+1:]
		}
		shift += 7
	}
	return 0, nil
}

// collect moves the hits of one view into the list of the best and clears the
// scratch.
func (r *Ranker) collect(views []View, v int, q Query, o Options, sc *scratch, top *topList) int {
	filtered := o.Allow != nil || len(q.phrases) > 0
	var phrase *candidates
	if filtered {
		phrase = phraseFilter(views[v], q)
	}
	total := 0
	floor := top.floor()
	for w, word := range sc.hit[:(views[v].Segment.sections+63)/64] {
		if word == 0 {
			continue
		}
		sc.hit[w] = 0
		total += bits.OnesCount64(word)
		for ; word != 0; word &= word - 1 {
			section := uint32(w*64 + bits.TrailingZeros64(word))
			score := sc.score[section]
			sc.score[section] = 0
			ref := Ref{v, section}
			if filtered {
				if score = judge(ref, score, phrase, q, o); score == 0 {
					total--
					continue
				}
			}
			if score >= floor {
				top.offer(Scored{ref, float64(score)})
				floor = top.floor()
			}
		}
	}
	return total
}

// judge applies filter and phrases to a hit; 0 means that it is none.
func judge(ref Ref, score float32, phrase *candidates, q Query, o Options) float32 {
	if o.Allow != nil && !o.Allow(ref) {
		return 0
	}
	if phrase != nil {
		if phrase.holds(ref, q, o) {
			return score * phraseLift
		}
		if q.onlyPhrases {
			return 0
		}
	}
	return score
}
