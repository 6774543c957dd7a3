package index

import (
	"math/bits"
	"runtime/debug"
	"sync"
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

	counted *counted // nil where nothing is dead
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
	if v.Live < s.sections {
		v.counted = &counted{live: map[*byte]uint64{}}
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
	// Text gives a section's title chain and body, for phrases and for feedback.
	// Without it there is neither.
	Text func(Ref) (title, body string)
}

// usualLimit is how many results are made room for at once.
const usualLimit = 16

// Ranker keeps the working memory of rankings. The zero value is ready; it is
// safe for concurrent use.
type Ranker struct {
	pool    sync.Pool // of *scratch
	learned sync.Pool // of *learned
	mu      sync.RWMutex
	base    map[string][]string // see baseTerms
}

// Rank returns the best sections for q, best first, and how many match at all.
// The statistics are those of all views together, so the result depends on what
// the sections say and not on how they lie in segments.
func (r *Ranker) Rank(views []View, q Query, o Options) (best []Scored, total int) {
	terms := lookUp(views, q.terms)
	if len(terms) == 0 {
		return nil, 0
	}
	st := statistics(views)
	inParts(len(terms), len(terms)*len(views), func(i int) { terms[i].weigh(views, st) })
	run := ranking{ranker: r, views: views, query: q, options: o, stats: st, scratch: make([]*scratch, len(views))}
	for v := range views {
		run.scratch[v] = r.take(views[v].Segment.sections, st)
	}
	whole := false // what a panic leaves behind is not used again
	defer func() {
		for _, sc := range run.scratch {
			if whole {
				r.give(sc)
			}
		}
	}()
	run.sideBySide = len(views) > 1 && postingsOf(terms) >= parallelPostings
	tops, totals := make([]topList, len(views)), make([]int, len(views))
	collect := func(v int) {
		tops[v] = topList{limit: o.Limit, less: o.Less, heap: make([]Scored, 0, max(min(o.Limit, usualLimit), 0))}
		totals[v] = run.collect(v, &tops[v])
	}
	if asked, ok := q.asksAtLength(); ok && o.Text != nil {
		run.each(func(v int) { run.accumulate(v, terms) })
		more := run.feedback(asked)
		run.each(func(v int) {
			run.lift(v, more)
			collect(v)
		})
	} else {
		run.each(func(v int) {
			run.accumulate(v, terms)
			collect(v)
		})
	}
	top := tops[0]
	total = totals[0]
	for v := 1; v < len(views); v++ {
		total += totals[v]
		for _, s := range tops[v].heap {
			top.offer(s)
		}
	}
	whole = true
	return top.sorted(), total
}

// ranking is one question while it is answered.
type ranking struct {
	ranker     *Ranker
	views      []View
	query      Query
	options    Options
	stats      stats
	scratch    []*scratch // by view
	floor      floor      // of the results of all views
	sideBySide bool
}

// each calls do for every view, side by side when there is much to read.
func (r *ranking) each(do func(v int)) {
	if !r.sideBySide {
		for v := range r.views {
			do(v)
		}
		return
	}
	var done sync.WaitGroup
	panics := make([]any, len(r.views))
	for v := range r.views {
		done.Go(func() {
			// Faults of memory are the caller's to judge, and so is what else breaks.
			debug.SetPanicOnFault(true)
			defer func() { panics[v] = recover() }()
			do(v)
		})
	}
	done.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
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
