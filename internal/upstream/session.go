package upstream

// This file opens, shares and ends sessions.

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is one session with an upstream for one credential.
type session struct {
	key    print
	opened chan struct{} // closed when client or err is set
	client *mcp.ClientSession
	err    error

	cut    func() // cuts off every request, ends a program
	ending sync.Once
	ended  atomic.Bool // by us

	lost     chan struct{} // closed when a stream for changes ended
	loseOnce sync.Once

	// Guarded by Upstream.mu.
	users   int
	used    time.Time
	dropped bool // ends with its last user
}

// acquire returns the credential's open session, opening it when there is
// none. The caller must release it.
func (u *Upstream) acquire(ctx context.Context, c Credential) (*session, error) {
	key := c.print()
	u.mu.Lock()
	if u.closed {
		u.mu.Unlock()
		return nil, evergreen.Errorf(evergreen.Upstream, "upstream %s is shut down", u.o.Name)
	}
	s := u.sessions[key]
	if s == nil {
		if !u.makeRoom() {
			u.mu.Unlock()
			return nil, evergreen.Errorf(evergreen.Exhausted, "upstream %s has %d sessions, all in use", u.o.Name, maxSessions).
				Fix("try again in a moment")
		}
		s = &session{key: key, opened: make(chan struct{}), lost: make(chan struct{})}
		u.sessions[key] = s
		go u.open(s, c) // outlives the caller that began it: others wait for it too
	}
	s.users++
	u.mu.Unlock()
	select {
	case <-s.opened:
	case <-ctx.Done():
		u.release(s)
		return nil, ctx.Err()
	}
	if s.err != nil {
		u.release(s)
		return nil, s.err
	}
	return s, nil
}

// makeRoom ends the longest unused session when there are too many. It reports
// false when all are in use. u.mu is held.
func (u *Upstream) makeRoom() bool {
	if len(u.sessions) < maxSessions {
		return true
	}
	var oldest *session
	for _, s := range u.sessions {
		if s.users == 0 && (oldest == nil || s.used.Before(oldest.used)) {
			oldest = s
		}
	}
	if oldest == nil {
		return false
	}
	delete(u.sessions, oldest.key)
	go oldest.end()
	return true
}

func (u *Upstream) release(s *session) {
	u.mu.Lock()
	defer u.mu.Unlock()
	s.users--
	s.used = time.Now()
	if s.dropped && s.users == 0 {
		go s.end()
	}
	if !u.sweeping && !u.closed {
		u.sweeping = true
		time.AfterFunc(u.idle, u.sweep)
	}
}

// sweep ends sessions that nobody has used for a while, and comes again as
// long as there are others.
func (u *Upstream) sweep() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for key, s := range u.sessions {
		if s.users == 0 && time.Since(s.used) >= u.idle {
			delete(u.sessions, key)
			go s.end()
		}
	}
	if u.sweeping = len(u.sessions) > 0 && !u.closed; u.sweeping {
		time.AfterFunc(u.idle, u.sweep)
	}
}

// drop forgets a session that is of no use for further calls. It ends when the
// calls that are still on it have.
func (u *Upstream) drop(s *session) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.sessions[s.key] == s {
		delete(u.sessions, s.key)
	}
	if s.dropped = true; s.users == 0 {
		go s.end()
	}
}

// end says goodbye to the upstream, and cuts requests off that do not end.
func (s *session) end() {
	s.ended.Store(true)
	s.ending.Do(func() {
		<-s.opened
		if s.client == nil {
			return
		}
		timer := time.AfterFunc(endTimeout, s.cut)
		defer timer.Stop()
		_ = s.client.Close() // the peer is gone or does not matter any more
		s.cut()
	})
}

func (s *session) info() Info {
	var info Info
	if r := s.client.InitializeResult(); r != nil {
		info.Protocol = r.ProtocolVersion
		if r.ServerInfo != nil {
			info.Name, info.Version = r.ServerInfo.Name, r.ServerInfo.Version
		}
	}
	return info
}

// open connects s; a session that cannot be opened is forgotten at once.
func (u *Upstream) open(s *session, c Credential) {
	life, cut := context.WithCancelCause(context.Background())
	s.cut = func() { cut(context.Canceled) }
	timer := time.AfterFunc(openTimeout, func() { cut(context.DeadlineExceeded) })
	seen := &exchange{}
	s.client, s.err = u.connect(context.WithValue(life, exchangeKey{}, seen), c, s.lose)
	if !timer.Stop() && s.err == nil {
		_ = s.client.Close() // too late: nobody waits for it
		s.client, s.err = nil, context.DeadlineExceeded
	}
	if s.err != nil {
		if errors.Is(context.Cause(life), context.DeadlineExceeded) {
			s.err = context.DeadlineExceeded
		}
		s.err = u.explain(context.Background(), s.err, seen)
		s.cut()
		u.mu.Lock()
		if u.sessions[s.key] == s {
			delete(u.sessions, s.key)
		}
		u.mu.Unlock()
	}
	close(s.opened)
	if s.err == nil && c.Own() && u.o.Changed != nil {
		go u.watch(s)
	}
}

// watch tells when a session that listens for changes ended without us: what
// changed since nobody would hear of.
func (u *Upstream) watch(s *session) {
	over := make(chan struct{})
	go func() {
		_ = s.client.Wait() // that it ended is all there is to know
		close(over)
	}()
	select {
	case <-over:
	case <-s.lost:
	}
	if !s.ended.Load() {
		u.drop(s)
		u.o.Changed()
	}
}

// lose notes that the stream for changes ended.
func (s *session) lose() { s.loseOnce.Do(func() { close(s.lost) }) }

// connect does the handshake. The operator's own session also listens for
// changes of the list of tools; one of a caller's credential only answers calls,
// so that its credential is used for nothing the caller did not ask for.
func (u *Upstream) connect(life context.Context, c Credential, lose func()) (*mcp.ClientSession, error) {
	listen := c.Own() && u.o.Changed != nil
	session, err := u.handshake(life, c, listen, lose)
	if err != nil && listen && life.Err() == nil && strings.Contains(err.Error(), "subscriptions/listen") {
		// The upstream announces changes but does not let anyone listen.
		session, err = u.handshake(life, c, false, nil)
	}
	return session, err
}

func (u *Upstream) handshake(life context.Context, c Credential, listen bool, lose func()) (*mcp.ClientSession, error) {
	transport, err := u.transport(life, c, listen, lose)
	if err != nil {
		return nil, err
	}
	o := &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}, // passed on to the caller
	}
	if listen {
		o.ToolListChangedHandler = func(context.Context, *mcp.ToolListChangedRequest) { u.o.Changed() }
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "evergreen", Version: u.o.Version}, o)
	var so mcp.ClientSessionOptions
	if u.o.Legacy {
		so.ProtocolVersion = lastLegacy
	}
	return client.Connect(life, transport, &so)
}

// lastLegacy is the last revision of the protocol that has sessions.
const lastLegacy = "2025-11-25"

// isClosed reports whether the session ended under a call.
func isClosed(err error) bool {
	return errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, mcp.ErrSessionMissing) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
