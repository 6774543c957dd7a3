package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/store"
)

// snapshot is the immutable state of the library that one answer is made from.
type snapshot struct {
	generation  string
	revision    string
	at          time.Time // when the newest collection was indexed
	collections []*collection
	byName      map[string]*collection
	damaged     []damage // collections that could not be opened

	refs       int // guarded by Engine.mu
	categories func() []string
	entries    func() []evergreen.Entry
}

// damage is a collection that could not be opened, and why.
type damage struct {
	name string
	err  error
}

// collection is one collection of a snapshot.
type collection struct {
	manifest store.Manifest
	parts    []part
	curated  bool // holds curated entries only
	ordered  func() []liveDoc
}

// part is a segment as its collection's manifest sees it.
type part struct {
	*segment
	info store.SegmentInfo
	view index.View
	dead map[int]bool // documents
}

// segment is an open segment, shared by snapshots.
type segment struct {
	*store.Segment
	index *index.Segment
	key   string
	refs  int      // guarded by Engine.mu
	metas sync.Map // document number to evergreen.Meta, decoded once
}

// full returns a document with its Meta.
func (s *segment) full(n int) store.Doc {
	if m, ok := s.metas.Load(n); ok {
		d := s.Doc(n)
		d.Meta = m.(evergreen.Meta)
		return d
	}
	d := s.FullDoc(n)
	s.metas.Store(n, d.Meta)
	return d
}

func (c *collection) name() string { return c.manifest.Name }

// acquire returns the present snapshot; release must follow.
func (e *Engine) acquire() (*snapshot, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	if e.current != nil && now.Sub(e.looked) < lookAgain {
		e.current.refs++
		return e.current, nil
	}
	generation := e.lib.Generation()
	e.looked = now
	if e.current != nil && e.current.generation == generation {
		e.current.refs++
		return e.current, nil
	}
	s, err := e.load(generation)
	if err != nil {
		return nil, err
	}
	if e.current != nil {
		e.drop(e.current)
	}
	e.current = s
	s.refs = 2 // the engine's and the caller's
	return s, nil
}

func (e *Engine) release(s *snapshot) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.drop(s)
	if e.mappedBytes() > maxMapped {
		go e.unload()
	}
}

// mappedBytes is the size of the open segments, of which no more can be in
// memory.
func (e *Engine) mappedBytes() (n int64) {
	for _, s := range e.segments {
		n += s.Bytes()
	}
	return n
}

// unload gives memory back until mapped files take no more than they may, a
// segment at a time and any of them: no question has to map everything again.
// Readers go on meanwhile.
func (e *Engine) unload() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.segments {
		if n, ok := store.Mapped(); !ok || n <= maxMapped {
			return
		}
		s.Unload()
	}
}

// drop gives up one reference. The last one closes segments that no other
// snapshot uses.
func (e *Engine) drop(s *snapshot) {
	if s.refs--; s.refs > 0 {
		return
	}
	for _, c := range s.collections {
		e.closeParts(c.parts)
	}
}

func (e *Engine) closeParts(parts []part) {
	for _, p := range parts {
		if p.refs--; p.refs == 0 {
			if e.segments[p.key] == p.segment { // it may have been opened anew
				delete(e.segments, p.key)
			}
			p.Segment.Close()
		}
	}
}

// load opens every collection. One that is damaged is left out and remembered,
// so that the others go on answering.
func (e *Engine) load(generation string) (*snapshot, error) {
	names, err := e.lib.Names()
	if err != nil {
		return nil, err
	}
	s := &snapshot{generation: generation, byName: map[string]*collection{}}
	hash := sha256.New()
	for _, name := range names {
		c, err := e.open(name)
		if err != nil {
			s.damaged = append(s.damaged, damage{name, err})
			hash.Write([]byte("without " + strconv.Quote(name) + "\n")) // as answers say
			continue
		}
		s.collections = append(s.collections, c)
		s.byName[name] = c
		if c.manifest.IndexedAt.After(s.at) {
			s.at = c.manifest.IndexedAt
		}
		line, err := json.Marshal([]any{c.manifest.Name, c.manifest.IndexedAt, c.manifest.Segments})
		if err != nil {
			return nil, err
		}
		hash.Write(line)
	}
	sort.Slice(s.collections, func(i, j int) bool { return s.collections[i].name() < s.collections[j].name() })
	s.revision = hex.EncodeToString(hash.Sum(nil)[:6])
	s.categories = sync.OnceValue(s.findCategories)
	s.entries = sync.OnceValue(s.loadEntries)
	return s, nil
}

// open reads a collection. A writer may replace its files between the reading
// of the manifest and the opening of the segments, so that is tried again.
func (e *Engine) open(name string) (c *collection, err error) {
	for range openTries {
		var m store.Manifest
		if m, err = e.lib.Manifest(name); err != nil {
			continue
		}
		c = &collection{manifest: m, curated: len(m.Segments) > 0}
		if err = e.openParts(c); err == nil {
			c.ordered = sync.OnceValue(c.orderDocs)
			return c, nil
		}
		e.closeParts(c.parts)
	}
	return nil, err
}

func (e *Engine) openParts(c *collection) (err error) {
	defer settleNamed(debug.SetPanicOnFault(true), c.name(), &err)
	for _, info := range c.manifest.Segments {
		seg, err := e.segment(c.manifest, info.Number)
		if err != nil {
			return err
		}
		seg.refs++
		c.parts = append(c.parts, part{segment: seg})
		if seg.TextBytes() < info.TextBytes {
			return store.CutShort(c.name(), info.Number)
		}
		p := part{segment: seg, info: info, dead: map[int]bool{}}
		p.view = index.NewView(seg.index, deadSections(seg, info.Dead, p.dead))
		c.parts[len(c.parts)-1] = p
		c.curated = c.curated && info.Entries == info.Documents
		if err := checkEntries(p); err != nil {
			return err
		}
	}
	return nil
}

// checkEntries reads the curated entries of a segment: they are few, and every
// answer of a knowledge base weighs all of them.
func checkEntries(p part) error {
	if p.info.Entries == 0 {
		return nil
	}
	for n := range p.Docs() {
		if p.dead[n] || p.DocFlags(n)&store.FlagEntry == 0 {
			continue
		}
		if _, err := p.DocText(p.Doc(n)); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) segment(m store.Manifest, n int) (*segment, error) {
	// IndexedAt tells a segment from one of a deleted collection of that name.
	key := m.Name + "\x00" + strconv.Itoa(n)
	if seg, ok := e.segments[key]; ok && e.lib.SameSegment(m.Name, n, seg.Segment) {
		return seg, nil
	}
	opened, err := e.lib.OpenSegment(m.Name, n)
	if err != nil {
		return nil, err
	}
	idx, err := index.Open(opened.Index())
	if err != nil || idx.Sections() != opened.Sections() {
		opened.Close()
		return nil, evergreen.Errorf(evergreen.Damaged, "the index of collection %q does not fit its sections", m.Name).
			Fix("Index its source again: `evergreen index SOURCE --name %s`.", m.Name)
	}
	seg := &segment{Segment: opened, index: idx, key: key}
	e.segments[key] = seg
	return seg, nil
}

// deadSections turns dead documents into a bit set of sections.
func deadSections(s *segment, docs []int, dead map[int]bool) []uint64 {
	if len(docs) == 0 {
		return nil
	}
	bits := make([]uint64, (s.Sections()+63)/64)
	for _, d := range docs {
		if d < 0 || d >= s.Docs() {
			continue
		}
		dead[d] = true
		doc := s.Doc(d)
		for i := doc.First; i < doc.First+doc.Sections; i++ {
			bits[i>>6] |= 1 << (i & 63)
		}
	}
	return bits
}

// collection finds a collection by name.
func (s *snapshot) collection(name string) (*collection, error) {
	if c, ok := s.byName[name]; ok {
		return c, nil
	}
	return nil, s.unknown(name)
}

// mayHold returns the damage of the collection that an id names, or of any when
// it names none: what cannot be read cannot be said not to exist.
func (s *snapshot) mayHold(id string) error {
	name, _, named := strings.Cut(id, ":")
	for _, d := range s.damaged {
		if !named || d.name == name {
			return d.err
		}
	}
	return nil
}

func (s *snapshot) unknown(name string) error {
	for _, d := range s.damaged {
		if d.name == name {
			return d.err
		}
	}
	err := evergreen.Errorf(evergreen.NotFound, "no collection is named %q", name)
	names := make([]string, 0, len(s.collections))
	for _, c := range s.collections {
		names = append(names, c.name())
	}
	if len(names) == 0 {
		return err.Fix("The library is empty: `evergreen index SOURCE` fills it.")
	}
	return err.Near(nearest(name, names)...).Fix("`evergreen list` shows all collections.")
}
