package web

// This file holds the present snapshot of the library and the sites made from
// it. A change of the library makes a new one; the old one is given up when the
// last request that reads from it has been answered.

import (
	"container/list"
	"net/http"
	"slices"
	"sync"
	"unicode"

	"evergreen"
	"evergreen/internal/site"
)

// Snapshot is what a site is made from, until it is closed.
type Snapshot interface {
	site.Snapshot
	Close()
}

// edition is one snapshot as it is served.
type edition struct {
	revision string
	snapshot Snapshot
	refs     int // guarded by Server.mu

	// first makes the site when somebody asks for one of its documents: who only
	// asks questions never pays for it.
	first func() (*site.Site, error)

	// data are the files from which pages answer without a server, by path, made
	// when somebody asks for the first of them.
	data func() (map[string][]byte, error)

	mu    sync.Mutex
	order *list.List // of *served, most recently used first
	sites map[string]*list.Element
	cache *cache
	large *spools
}

// served is an edition under one base URL.
type served struct {
	*site.Site
	base     string // as asked, or configured
	revision string
	cache    *cache
	data     func() (map[string][]byte, error)
	large    *spools
}

// acquire returns the site of the present snapshot as the request addresses it;
// release must follow.
func (s *Server) acquire(r *http.Request) (*served, func(), error) {
	return s.borrow(s.base(r))
}

// borrow returns that site under a base address; release must follow.
func (s *Server) borrow(base string) (*served, func(), error) {
	e, err := s.present()
	if err != nil {
		return nil, nil, err
	}
	at, err := e.at(base)
	if err != nil {
		s.giveUp(e)
		return nil, nil, err
	}
	return at, func() { s.giveUp(e) }, nil
}

// present returns the edition of the library's present state.
func (s *Server) present() (*edition, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.outdated() {
		s.current.refs++
		return s.current, nil
	}
	if s.current == nil || s.current.revision != s.options.Engine.Revision() {
		e, err := s.edit()
		if err != nil {
			return nil, err
		}
		if s.current != nil {
			s.drop(s.current)
		}
		s.current = e
	}
	s.current.refs++
	return s.current, nil
}

// outdated reports whether the library has to be asked again; s.mu is held.
func (s *Server) outdated() bool {
	now := s.now()
	if !s.changed.Swap(false) && s.options.OnChange != nil && s.current != nil && now.Sub(s.asked) < askEvery {
		return false
	}
	s.asked = now
	return true
}

// edit makes an edition of a fresh snapshot.
func (s *Server) edit() (*edition, error) {
	snapshot, err := s.options.Publish()
	if err != nil {
		return nil, err
	}
	first := sync.OnceValues(func() (_ *site.Site, err error) {
		defer unreadable(&err)
		o := s.options.Site
		if len(o.Languages) == 0 {
			o.Languages = Languages(snapshot)
		}
		return site.New(site.Input{Snapshot: snapshot, Policy: s.options.Policy, Tools: s.options.Tools, Options: o})
	})
	data := sync.OnceValues(func() (map[string][]byte, error) { return s.collectData(first) })
	return &edition{revision: snapshot.Revision(), snapshot: snapshot, refs: 1, first: first, data: data,
		order: list.New(), sites: map[string]*list.Element{}, cache: newCache(maxCacheBytes), large: &spools{dir: s.options.Scratch, most: maxSpoolBytes}}, nil
}

func (s *Server) giveUp(e *edition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(e)
}

// drop gives one reference up; s.mu is held.
func (s *Server) drop(e *edition) {
	if e.refs--; e.refs == 0 {
		e.large.close()
		e.snapshot.Close()
	}
}

// Warm makes the site of the present snapshot ready before anybody asks. What
// goes wrong is told to who asks, too.
func (s *Server) Warm() (err error) {
	defer unreadable(&err)
	e, err := s.present()
	if err != nil {
		return err
	}
	defer s.giveUp(e)
	made, err := e.first()
	if err == nil {
		made.EntryPoints()
	}
	return err
}

// unreadable takes the panic of a snapshot that can no longer be read as the error
// that it is.
func unreadable(err *error) {
	switch p := recover().(type) {
	case nil:
	case *evergreen.Error:
		*err = p
	default:
		panic(p)
	}
}

// Close gives up the present snapshot. Requests that are still being answered
// keep theirs until they end.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		s.drop(s.current)
		s.current = nil
	}
}

// at is the edition under a base URL. Only a few are remembered, since clients
// choose them.
func (e *edition) at(base string) (*served, error) {
	first, err := e.first()
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if found, ok := e.sites[base]; ok {
		e.order.MoveToFront(found)
		return found.Value.(*served), nil
	}
	made := &served{Site: first.At(base), base: base, revision: e.revision, cache: e.cache, large: e.large, data: e.data}
	e.sites[base] = e.order.PushFront(made)
	if e.order.Len() > maxBases {
		delete(e.sites, e.order.Remove(e.order.Back()).(*served).base)
	}
	return made, nil
}

// Languages guesses the languages of a library from titles: Chinese comes first
// when most of the first ones have Chinese characters.
func Languages(s site.Snapshot) []string {
	chinese, all := 0, 0
	for _, c := range s.Collections() {
		for d := range s.Documents(c.Name) {
			if all++; slices.ContainsFunc([]rune(d.Title), isHan) {
				chinese++
			}
			if all == sampledTitles {
				break
			}
		}
	}
	if chinese*2 > all {
		return []string{"zh-CN", evergreen.LangEnglish}
	}
	return []string{evergreen.LangEnglish}
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }
