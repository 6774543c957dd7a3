package engine

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/section"
	"evergreen/internal/store"
)

// scope is what one question looks at: parts of collections, and a filter.
type scope struct {
	snap     *snapshot
	within   []*collection
	parts    []scopedPart
	views    []index.View
	pathGlob string
	category string
	drafts   bool
	origin   string   // of Options
	memo     [][]int8 // by part and document: 0 unknown, 1 in, -1 out

	mu    sync.Mutex
	fault error // the first text that could not be read: then there is no answer
}

// note keeps what went wrong on the way. A section whose text is damaged must
// not fall out of an answer in silence.
func (sc *scope) note(err error) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if sc.fault == nil {
		sc.fault = err
	}
}

type scopedPart struct {
	part
	collection *collection
}

// scope selects collections and compiles the filters.
func (e *Engine) scope(s *snapshot, name, pathGlob, category string) (*scope, error) {
	sc := &scope{snap: s, pathGlob: pathGlob, category: category, drafts: e.opts.Drafts, origin: e.opts.Origin}
	if pathGlob != "" && !doublestar.ValidatePattern(pathGlob) {
		return nil, evergreen.Errorf(evergreen.Invalid, "%q is not a path pattern", pathGlob).
			Fix("Use * within a folder, ** across folders, for example guide/**.")
	}
	if category != "" && !slices.Contains(s.categories(), category) {
		return nil, evergreen.Errorf(evergreen.Invalid, "no entry has the category %q", category).
			Fix("The categories are %s.", strings.Join(s.categories(), ", ")).Near(nearest(category, s.categories())...)
	}
	list := s.collections
	if name == "" && len(list) == 0 && len(s.damaged) > 0 {
		return nil, s.damaged[0].err
	}
	if name != "" {
		c, err := s.collection(name)
		if err != nil {
			return nil, err
		}
		list = []*collection{c}
	}
	sc.within = list
	for _, c := range list {
		for _, p := range c.parts {
			sc.parts = append(sc.parts, scopedPart{p, c})
			sc.views = append(sc.views, p.view)
			sc.memo = append(sc.memo, nil)
		}
	}
	return sc, nil
}

// curated tells whether everything in scope is curated.
func (sc *scope) curated() bool {
	for _, p := range sc.parts {
		if !p.collection.curated {
			return false
		}
	}
	return len(sc.parts) > 0
}

// allow is the filter for the ranking; nil when everything passes.
func (sc *scope) allow() func(index.Ref) bool {
	if sc.pathGlob == "" && sc.category == "" && (sc.drafts || !sc.hasDrafts()) {
		return nil
	}
	return func(ref index.Ref) bool {
		p := sc.parts[ref.View]
		doc := p.RowDoc(int(ref.Section))
		if sc.memo[ref.View] == nil {
			sc.memo[ref.View] = make([]int8, p.Docs())
		}
		m := &sc.memo[ref.View][doc]
		if *m == 0 {
			*m = -1
			if sc.allows(p, doc) {
				*m = 1
			}
		}
		return *m > 0
	}
}

func (sc *scope) hasDrafts() bool {
	return slices.ContainsFunc(sc.parts, func(p scopedPart) bool { return p.info.Drafts > 0 })
}

// passes is allow for callers that ask about single sections.
func (sc *scope) passes(ref index.Ref) bool {
	allow := sc.allow()
	return allow == nil || allow(ref)
}

func (sc *scope) allows(p scopedPart, doc int) bool {
	if !sc.drafts && p.DocFlags(doc)&store.FlagDraft != 0 {
		return false
	}
	if sc.pathGlob != "" {
		name := p.DocPath(doc)
		if p.DocFlags(doc)&store.FlagEntry != 0 {
			name, _, _ = strings.Cut(name, "#")
		}
		if ok, _ := doublestar.Match(sc.pathGlob, name); !ok {
			return false
		}
	}
	return sc.category == "" || categoryOf(p.full(doc)) == sc.category
}

// categoryOf is the category of everything in a document.
func categoryOf(d store.Doc) string {
	if d.Meta.Category != "" {
		return d.Meta.Category
	}
	return defaultCategory
}

const defaultCategory = "doc"

// findCategories lists the categories of the snapshot.
func (s *snapshot) findCategories() []string {
	seen := map[string]bool{}
	for _, c := range s.collections {
		for _, p := range c.parts {
			for d := range p.Docs() {
				if !p.dead[d] {
					seen[categoryOf(p.FullDoc(d))] = true
				}
			}
		}
	}
	out := make([]string, 0, len(seen))
	for c := range seen {
		out = append(out, c)
	}
	sort.Strings(out)
	return out
}

// id returns the public id of a ranked section.
func (sc *scope) id(ref index.Ref) string {
	p := sc.parts[ref.View]
	return idOf(p.collection.name(), p.Segment, p.Doc(p.RowDoc(int(ref.Section))), int(ref.Section))
}

// less orders sections by id, without making the ids when their documents tell.
func (sc *scope) less(a, b index.Ref) bool {
	p, q := sc.parts[a.View], sc.parts[b.View]
	d, f := p.RowDoc(int(a.Section)), q.RowDoc(int(b.Section))
	if p.collection != q.collection || (p.DocFlags(d)|q.DocFlags(f))&store.FlagEntry != 0 {
		return sc.id(a) < sc.id(b)
	}
	if p.segment == q.segment && d == f {
		var one, other [128]byte
		first, n := p.DocSections(d)
		return bytes.Compare(appendChain(one[:0], p.Segment, first, n, int(a.Section)),
			appendChain(other[:0], p.Segment, first, n, int(b.Section))) < 0
	}
	if p.segment == q.segment {
		return d < f // documents lie in the order of their ids
	}
	return store.ComparePaths(p.DocPath(d), q.DocPath(f)) < 0
}

// text returns the title and body that phrases are looked for in.
func (sc *scope) text(ref index.Ref) (title, body string) {
	p := sc.parts[ref.View]
	r := p.Row(int(ref.Section))
	d := p.Doc(r.Doc)
	b, err := p.RowText(d, int(ref.Section), r.BodyStart)
	if err != nil {
		sc.note(err)
		return r.Title, ""
	}
	return r.Title, string(section.Searchable(b))
}

// rank runs the index over the scope.
func (e *Engine) rank(sc *scope, q index.Query, limit int) ([]index.Scored, int) {
	return e.ranker.Rank(sc.views, q, index.Options{
		Limit: limit, Allow: sc.allow(), Text: sc.text,
		Less: sc.less,
	})
}
