package watch

// This file watches one source.

import (
	"context"
	"sync"
	"time"
)

// source is a source that is watched.
type source struct {
	Source
	o Options

	mu    sync.Mutex
	state State
}

func (s *source) note(alter func(*State)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	alter(&s.state)
}

// run watches until ctx ends. A source without events is listened to again when
// that may have become possible: soon after it vanished, seldom otherwise.
func (s *source) run(ctx context.Context) {
	var again time.Time
	for ctx.Err() == nil {
		if now := s.o.Now(); !now.Before(again) {
			heard, why, gone := listen(ctx, s.Location, s.o.MaxFolders)
			if heard != nil {
				s.hear(ctx, heard)
				continue
			}
			if again = now.Add(lookEvery); gone {
				again = now
			}
			s.note(func(st *State) { st.Way, st.Why, st.Folders = Polling, why, 0 })
		}
		if !pause(ctx, s.o.Every) {
			return
		}
		s.look(ctx)
	}
}

// hear looks whenever something happened, until ctx ends or nothing can be heard
// any more. It looks at first: nobody listened before.
func (s *source) hear(ctx context.Context, l *listener) {
	defer l.close()
	for {
		s.note(func(st *State) { st.Way, st.Why, st.Folders = Events, "", len(l.folders) })
		s.look(ctx)
		if !l.wait(ctx, lookEvery) || !l.follow(ctx) {
			return
		}
	}
}

// look reads the source.
func (s *source) look(ctx context.Context) {
	changed, err := s.Read(ctx)
	if ctx.Err() != nil {
		return
	}
	now := s.o.Now()
	s.note(func(st *State) {
		if st.Looked, st.Err = now, err; changed {
			st.Changed = now
		}
	})
}

// pause waits; false when ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
