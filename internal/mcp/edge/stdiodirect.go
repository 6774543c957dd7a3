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
	go func() {
		defer cancel()
		body, _ := c.direct.answer(ctx, nil, call, m.id, p.modern)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.pending[sent] != p || c.calls.Err() != nil {
			return // was told already that the time is over, or nobody listens
		}
		delete(c.pending, sent)
		_ = c.deliver(p, body) // a client that went away is no error of ours
	}()
	return true
}

// cancelDirectly cancels a call that the edge makes itself. The call is still
// answered with what its tool says.
func (c *stdioConn) cancelDirectly(m *message) bool {
	if m.method != notificationPrefix+"cancelled" {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[wireID(m.params["requestId"])]
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
