// Package watch tells when local sources may have changed: by events of the file
// system where they can be had, else by looking again and again. It knows how to
// wait, not how to read: what is done about a change is the caller's.
package watch

import (
	"context"
	"sync"
	"time"
)

// Ways of noticing a change.
const (
	Events  = "events"  // of the file system
	Polling = "polling" // looking again and again
)

// Source is a local folder or file to watch.
type Source struct {
	Location string
	// Read looks at the source and tells whether it had changed. It is called by
	// one goroutine.
	Read func(ctx context.Context) (changed bool, err error)
}

// State is how one source is watched.
type State struct {
	Location string
	Way      string    // Events or Polling; "" before the first moment
	Why      string    // Polling: why there are no events
	Folders  int       // Events: how many are listened to
	Looked   time.Time // the last look; zero before the first
	Changed  time.Time // the last look that found a change; zero before the first
	Err      error     // of the last look
}

// Options are what a test sets. The zero value is right for a program.
type Options struct {
	Every      time.Duration // between two looks when polling; 0 is pollEvery
	MaxFolders int           // that are listened to; 0 is maxFolders
	Now        func() time.Time
}

// Watch watches sources. It is safe for concurrent use.
type Watch struct {
	o       Options
	sources []*source
}

// New prepares the watching of sources.
func New(o Options, sources ...Source) *Watch {
	if o.Every <= 0 {
		o.Every = pollEvery
	}
	if o.MaxFolders <= 0 {
		o.MaxFolders = maxFolders
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	w := &Watch{o: o}
	for _, s := range sources {
		w.sources = append(w.sources, &source{Source: s, o: o, state: State{Location: s.Location}})
	}
	return w
}

// Run watches until ctx ends. Sources are read one at a time each, side by side
// with each other.
func (w *Watch) Run(ctx context.Context) {
	var wait sync.WaitGroup
	for _, s := range w.sources {
		wait.Go(func() { s.run(ctx) })
	}
	wait.Wait()
}

// States tells how the sources are watched, in the order they were given.
func (w *Watch) States() []State {
	states := make([]State, 0, len(w.sources))
	for _, s := range w.sources {
		s.mu.Lock()
		states = append(states, s.state)
		s.mu.Unlock()
	}
	return states
}
