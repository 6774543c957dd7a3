package gateway

// This file remembers the repairs of each session, for shorter hints and to see
// whether hints teach.

import (
	"container/list"
	"strings"
	"sync"

	"evergreen/internal/repair"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionOf identifies the caller's session: its id, or the connection of a
// pipe. A stateless HTTP request has no session, which is nil.
func sessionOf(r *sdk.CallToolRequest) any {
	if r.Session == nil {
		return nil
	}
	if id := r.Session.ID(); id != "" {
		return id
	}
	if r.Extra != nil && r.Extra.Header.Get("Content-Type") != "" {
		return nil
	}
	return r.Session
}

// memory holds the most recently used sessions.
type memory struct {
	mu       sync.Mutex
	sessions map[any]*list.Element
	order    *list.List // of *remembered, the latest first
}

// remembered is what is known of one session.
type remembered struct {
	session any
	times   map[string]int  // by tool and codes
	taught  map[string]bool // tools whose last call was repaired
}

func newMemory() *memory { return &memory{sessions: map[any]*list.Element{}, order: list.New()} }

// of returns what is known of a session. m.mu is held.
func (m *memory) of(session any) *remembered {
	if e := m.sessions[session]; e != nil {
		m.order.MoveToFront(e)
		return e.Value.(*remembered)
	}
	if m.order.Len() >= maxRemembered {
		last := m.order.Back()
		delete(m.sessions, last.Value.(*remembered).session)
		m.order.Remove(last)
	}
	r := &remembered{session: session, times: map[string]int{}, taught: map[string]bool{}}
	m.sessions[session] = m.order.PushFront(r)
	return r
}

// times counts a repair and returns how often the session saw an equal one, this
// one included; 1 without a session.
func (m *memory) times(session any, tool string, changes []repair.Change) int {
	if session == nil {
		return 1
	}
	key := tool + " " + strings.Join(codes(changes), " ")
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.of(session)
	if len(r.times) >= maxPerSession && r.times[key] == 0 {
		clear(r.times)
	}
	if len(r.taught) < maxPerSession {
		r.taught[tool] = true
	}
	r.times[key]++
	return r.times[key]
}

// followed reports whether an exact call is the first one of its tool after a
// repaired one in the session.
func (m *memory) followed(session any, tool string) bool {
	if session == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.sessions[session]
	if e == nil {
		return false
	}
	r := e.Value.(*remembered)
	taught := r.taught[tool]
	delete(r.taught, tool)
	return taught
}
