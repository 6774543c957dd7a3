package mcp

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"sync"
	"time"

	"evergreen"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// watcher remembers what clients watch and what it looked like.
type watcher struct {
	mu       sync.Mutex
	revision string
	watched  map[string]*watchedResource // by canonical URI
}

type watchedResource struct {
	content  [sha256.Size]byte
	sessions map[*sdk.ServerSession]int
}

// Watch calls Changed at every tick until ctx ends, for changes that other
// processes make.
func (s *Server) Watch(ctx context.Context, ticks <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			s.Changed(ctx)
		}
	}
}

// Changed tells the clients when the library has changed since the last time:
// that the list of resources is another, and which watched ones are.
func (s *Server) Changed(ctx context.Context) {
	revision := s.engine.Revision()
	s.watch.mu.Lock()
	if revision == s.watch.revision {
		s.watch.mu.Unlock()
		return
	}
	s.watch.revision = revision
	changed := s.changedResources(ctx)
	s.watch.mu.Unlock()
	// The SDK announces a changed list when a resource is added again.
	s.mcp.AddResource(s.skill.resource(), s.readSkill)
	for _, uri := range changed {
		if err := s.mcp.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			s.log.Warn("an update was not delivered", "uri", uri, "error", err)
		}
	}
}

// changedResources compares the watched resources with what they were, and
// forgets those of sessions that are gone.
func (s *Server) changedResources(ctx context.Context) []string {
	live := map[*sdk.ServerSession]bool{}
	for session := range s.mcp.Sessions() {
		live[session] = true
	}
	var changed []string
	for _, uri := range slices.Sorted(maps.Keys(s.watch.watched)) {
		w := s.watch.watched[uri]
		maps.DeleteFunc(w.sessions, func(session *sdk.ServerSession, _ int) bool { return !live[session] })
		if len(w.sessions) == 0 {
			delete(s.watch.watched, uri)
			continue
		}
		if now := s.contentOf(ctx, uri); now != w.content {
			w.content = now
			changed = append(changed, uri)
		}
	}
	return changed
}

// contentOf is the hash of a resource's text; of one that is gone, of nothing.
func (s *Server) contentOf(ctx context.Context, uri string) [sha256.Size]byte {
	if collection, docPath, ok := splitURI(uri); ok {
		if _, body, err := s.engine.Document(ctx, collection, docPath); err == nil {
			return sha256.Sum256(body)
		}
	}
	return [sha256.Size]byte{}
}

func (s *Server) subscribe(ctx context.Context, r *sdk.SubscribeRequest) error {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	w := s.watch.watched[r.Params.URI]
	if w == nil {
		if len(s.watch.watched) >= maxSubscriptions {
			return evergreen.Errorf(evergreen.Exhausted, "%d resources are watched already; no more are taken", maxSubscriptions)
		}
		if s.watch.watched == nil {
			s.watch.watched = map[string]*watchedResource{}
		}
		w = &watchedResource{content: s.contentOf(ctx, r.Params.URI), sessions: map[*sdk.ServerSession]int{}}
		s.watch.watched[r.Params.URI] = w
	}
	w.sessions[r.Session]++
	return nil
}

func (s *Server) unsubscribe(_ context.Context, r *sdk.UnsubscribeRequest) error {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	w := s.watch.watched[r.Params.URI]
	if w == nil {
		return nil
	}
	if w.sessions[r.Session]--; w.sessions[r.Session] <= 0 {
		delete(w.sessions, r.Session)
	}
	if len(w.sessions) == 0 {
		delete(s.watch.watched, r.Params.URI)
	}
	return nil
}
