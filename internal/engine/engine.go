// Package engine is the one place that knows the order of steps: from a source
// to the library (ingest), and from a question to an answer (ask, search,
// section, outline). Faces see it through small interfaces of their own.
package engine

import (
	"context"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/injection"
	"evergreen/internal/store"
	"evergreen/internal/text"
)

// Options configure an Engine. The zero value of every field has a meaning.
type Options struct {
	Root      string           // the library's folder
	Estimate  text.Estimator   // nil: text.Tokens
	Drafts    bool             // answer from drafts too
	ASCII     bool             // slugs keep ASCII only
	UserAgent string           // of the crawler; "" is "evergreen"
	BaseURL   string           // put before citation URLs; "" leaves them site-absolute
	Origin    string           // pages fetched from below it are cited where they stand, below BaseURL
	Proxy     *url.URL         // asked for web pages; nil is none
	Guard     bool             // mark passages that address the model with instructions
	Logger    *slog.Logger     // nil: silent
	Now       func() time.Time // nil: time.Now
}

// Engine answers from one library and keeps it up to date. It is safe for
// concurrent use: readers work on snapshots and never wait for a writer.
type Engine struct {
	lib    *store.Library
	opts   Options
	ranker index.Ranker
	guard  *injection.Finder // nil: nothing is marked
	temp   *store.Temporary  // folder to remove on Close, nil for none

	mu       sync.Mutex
	current  *snapshot
	looked   time.Time           // when the library was last looked at for changes
	segments map[string]*segment // open ones, by collection and number
	changed  []func()
	writing  sync.Mutex // one writer in this process
}

// Open opens the library at o.Root, which may not exist yet.
func Open(o Options) (*Engine, error) {
	lib, err := store.Open(o.Root)
	if err != nil {
		return nil, err
	}
	if o.Estimate == nil {
		o.Estimate = text.Tokens
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	e := &Engine{lib: lib, opts: o, segments: map[string]*segment{}}
	if o.Guard {
		e.guard = injection.New()
	}
	return e, nil
}

// Close releases everything that is open.
func (e *Engine) Close() error {
	e.mu.Lock()
	if e.current != nil {
		e.drop(e.current)
		e.current = nil
	}
	e.mu.Unlock()
	if e.temp != nil {
		return e.temp.Remove()
	}
	return nil
}

// Root returns the library's folder.
func (e *Engine) Root() string { return e.lib.Root() }

// OnChange registers f to be called after every commit made through e.
func (e *Engine) OnChange(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.changed = append(e.changed, f)
}

func (e *Engine) notify() {
	e.mu.Lock()
	e.looked = time.Time{}
	fs := append([]func(){}, e.changed...)
	e.mu.Unlock()
	for _, f := range fs {
		f()
	}
}

// Revision identifies the state that answers are made from.
func (e *Engine) Revision() string {
	s, err := e.acquire()
	if err != nil {
		return ""
	}
	defer e.release(s)
	return s.revision
}

// Collections lists the collections, by name.
func (e *Engine) Collections(ctx context.Context) ([]evergreen.Collection, error) {
	s, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release(s)
	out := []evergreen.Collection{}
	for _, c := range s.collections {
		out = append(out, e.describe(c))
	}
	return out, ctx.Err()
}

func (e *Engine) describe(c *collection) evergreen.Collection {
	docs, sections, tokens := c.manifest.Totals()
	sources := slices.Clone(c.manifest.Sources)
	for i := range sources {
		sources[i].Location = e.location(sources[i].Location)
	}
	d := evergreen.Collection{
		Name: c.name(), Sources: sources, Documents: docs, Sections: sections, Tokens: tokens,
		IndexedAt: c.manifest.IndexedAt.UTC().Truncate(time.Second), Knowledge: c.curated,
	}
	if len(d.Sources) > 0 {
		d.Source = d.Sources[0].Location
	}
	return d
}

// Damaged lists the collections that cannot be read, or that damage has taken
// documents of, with their sources as far as those are still known. The others
// go on answering.
func (e *Engine) Damaged(ctx context.Context) []evergreen.Damage {
	s, err := e.acquire()
	if err != nil {
		return nil
	}
	defer e.release(s)
	var out []evergreen.Damage
	for _, d := range s.damaged {
		if ctx.Err() != nil {
			break
		}
		out = append(out, evergreen.Damage{Name: d.name, Kind: evergreen.KindOf(d.err), Message: d.err.Error(), Sources: e.lib.Sources(d.name)})
	}
	for _, c := range s.collections {
		if lost := missing(c.manifest); len(lost) > 0 {
			out = append(out, evergreen.Damage{Name: c.name(), Kind: evergreen.Damaged,
				Message: "collection " + strconv.Quote(c.name()) + " is not whole: " + lost[0], Sources: c.manifest.Sources})
		}
	}
	return out
}

// Skips lists what the last runs over the collection's sources left out, with
// their reasons. Of an unknown collection there is none.
func (e *Engine) Skips(ctx context.Context, name string) ([]evergreen.Skip, error) {
	m, err := e.lib.Manifest(name)
	if evergreen.KindOf(err) == evergreen.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	state, _ := e.lib.State(m) // of one that is damaged the list is short
	var out []evergreen.Skip
	for _, s := range state.Skipped {
		out = append(out, s.Skip)
	}
	return out, ctx.Err()
}

// location is a source's location as it is shown: embedded documents have been
// unpacked somewhere that means nothing to anybody.
func (e *Engine) location(path string) string {
	if e.temp == nil {
		return path
	}
	rest, ok := strings.CutPrefix(path, e.temp.Path)
	if !ok {
		return path
	}
	return "embedded:" + strings.Trim(filepath.ToSlash(rest), "/")
}
