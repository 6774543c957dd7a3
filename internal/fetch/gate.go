package fetch

import (
	"context"
	"sync"
)

// gate bounds the requests that run at one host at the same time.
type gate struct {
	limit int
	mu    sync.Mutex
	hosts map[string]*queue
}

// queue is one host's places; it lives while somebody holds or waits for one.
type queue struct {
	places chan struct{}
	users  int
}

func newGate(limit int) *gate { return &gate{limit: limit, hosts: map[string]*queue{}} }

// slot is one request's place; it moves along when a redirect leads elsewhere.
type slot struct {
	gate *gate
	host string // "" while outside
}

func (g *gate) slot() *slot { return &slot{gate: g} }

// enter leaves the present host and waits for a place at another.
func (s *slot) enter(ctx context.Context, host string) error {
	if s.host == host {
		return nil
	}
	s.leave()
	g := s.gate
	g.mu.Lock()
	q := g.hosts[host]
	if q == nil {
		q = &queue{places: make(chan struct{}, g.limit)}
		g.hosts[host] = q
	}
	q.users++
	g.mu.Unlock()
	select {
	case q.places <- struct{}{}:
		s.host = host
		return nil
	case <-ctx.Done():
		g.drop(host, q)
		return ctx.Err()
	}
}

// leave gives the place up.
func (s *slot) leave() {
	if s.host == "" {
		return
	}
	s.gate.mu.Lock()
	q := s.gate.hosts[s.host]
	s.gate.mu.Unlock()
	<-q.places
	s.gate.drop(s.host, q)
	s.host = ""
}

func (g *gate) drop(host string, q *queue) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if q.users--; q.users == 0 {
		delete(g.hosts, host)
	}
}
