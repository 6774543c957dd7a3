package edge

// This file makes the calls of a pipe that need nothing of the SDK.

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callDirectly makes a call without the SDK, if that can be done, and answers it
// when it is done. Calls of the older era need a session that is open.
func (c *stdioConn) callDirectly(m *message, p *pendingCall, notes []string) bool {
	session := c.session.Load()
	if session == nil || !p.modern && !c.isReady() {
		return false
	}
	call, ok := c.direct.request(m, p.modern)
	if !ok {
		return false
	}
	call.Session = session
	if len(notes) > 0 {
		call.Extra = &mcp.RequestExtra{Header: http.Header{http.CanonicalHeaderKey(NotesHeader): notes}}
	}
	ctx, cancel := context.WithCancel(c.calls)
	p.cancel = cancel
	sent := wireID(m.id)
	if stand := c.remember(sent, m, p); stand != "" {
		sent = string(encode(stand))
	}
	c.start(func() {
		defer cancel()
		body, _ := c.direct.answer(ctx, c.direct.buffer(), call, m.id, p.modern)
		if p.batch == nil { // which keeps its answers
			defer c.direct.giveBack(body)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.pending[sent] != p || c.calls.Err() != nil {
			return // was told already that the time is over, or nobody listens
		}
		delete(c.pending, sent)
		_ = c.deliver(p, body) // a client that went away is no error of ours
	})
	return true
}

// start runs a call on a goroutine that another one has left, whose stack has
// grown already, or on a new one.
func (c *stdioConn) start(call func()) {
	select {
	case c.work <- call:
	default:
		go c.worker(call)
	}
}

// worker runs one call and waits for more, unless enough others do.
func (c *stdioConn) worker(call func()) {
	for {
		call()
		if c.idle.Add(1) > idleWorkers {
			c.idle.Add(-1)
			return
		}
		select {
		case call = <-c.work:
			c.idle.Add(-1)
		case <-c.calls.Done():
			return
		}
	}
}

// cancelDirectly cancels a call that the edge makes itself. The call is still
// answered with what its tool says.
func (c *stdioConn) cancelDirectly(m *message) bool {
	if m.method != notificationPrefix+"cancelled" {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[wireID(m.params.Get("requestId"))]
	if p == nil || p.cancel == nil {
		return false
	}
	p.cancel()
	return true
}

// isReady reports whether an initialize was answered.
func (c *stdioConn) isReady() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ready
}

// wireID is an id as the SDK writes it: calls are remembered by that form.
func wireID(id json.RawMessage) string {
	id = safeID(id)
	if s, ok := unquoted(id); ok {
		return string(encode(s))
	}
	return string(id)
}
