package edge

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// StdioOptions sets up the stdio edge; its zero value is ready for use.
type StdioOptions struct {
	// Hook may rewrite every message; nil leaves them as they are.
	Hook Hook
	// Tools are called by the edge itself once the session is open; nil leaves
	// every call to the SDK.
	Tools Tools
	// Log takes what cannot be answered; nil drops it. It must not write to
	// the protocol's output.
	Log *slog.Logger
	// Drain is how long calls may run on after the end of the input; 0 means
	// [DrainTimeout].
	Drain time.Duration
}

// ServeStdio serves one client, one JSON-RPC message or batch per line, until
// in ends or ctx is cancelled. Broken lines are answered and survived; calls
// without a preceding initialize are served as those of an old client; at the
// end of the input every running call is still answered, or told that the time
// was over. server must carry [Recover].
//
// It returns nil when the input ended and ctx's error when it was cancelled; a
// goroutine may then stay blocked in in.Read until the process exits.
func ServeStdio(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer, o StdioOptions) error {
	if o.Drain == 0 {
		o.Drain = DrainTimeout
	}
	calls, cancel := context.WithCancel(ctx)
	defer cancel()
	conn := newStdioConn(calls, in, out, o)
	session, err := server.Connect(ctx, stdioTransport{conn}, nil)
	if err != nil {
		return fmt.Errorf("starting the stdio session: %w", err)
	}
	conn.session.Store(session)
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-conn.abandoned:
		return awaitEnd(ended, nil)
	case <-ctx.Done():
		go session.Close()
		return awaitEnd(ended, ctx.Err())
	}
}

// awaitEnd gives cancelled handlers a moment to return.
func awaitEnd(ended <-chan error, result error) error {
	select {
	case <-ended:
	case <-time.After(abandonTimeout):
	}
	return result
}

// stdioTransport hands the connection to the SDK.
type stdioTransport struct{ conn *stdioConn }

// Connect implements [mcp.Transport].
func (t stdioTransport) Connect(context.Context) (mcp.Connection, error) { return t.conn, nil }

// Read implements [mcp.Connection]. It returns [io.EOF] only when everything
// was answered.
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			next := c.queue[0]
			c.queue = c.queue[1:]
			return next, nil
		}
		// While the edge's own initialize is under way the next line waits, as
		// it may be the client's.
		lines := c.lines
		if c.opening.sent && !c.opening.done() {
			lines = nil
		} else if len(c.came) > 0 {
			next := c.came[0]
			c.came = c.came[1:]
			c.take(next)
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case <-c.opening.wait(lines == nil):
		case came, ok := <-lines:
			if !ok {
				c.drain(ctx)
				return nil, io.EOF
			}
			c.came = came
		}
	}
}

// drain waits until no call is pending, at most for the drain time; what is
// then left is answered with an error.
func (c *stdioConn) drain(ctx context.Context) {
	timer := time.NewTimer(c.o.Drain)
	defer timer.Stop()
	for {
		if c.unanswered() == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-ctx.Done():
			return
		case <-c.closed:
			return
		case <-timer.C:
			c.abandon()
			close(c.abandoned)
			return
		}
	}
}

// unanswered counts the calls that will still be answered.
func (c *stdioConn) unanswered() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, p := range c.pending {
		if !p.listen {
			n++
		}
	}
	return n
}

// abandon answers every pending call with an error.
func (c *stdioConn) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, sent := range slices.Sorted(maps.Keys(c.pending)) {
		p := c.pending[sent]
		delete(c.pending, sent)
		if p.listen {
			continue
		}
		ft := faultf(codeInternal, "the input ended and the call was not done within %s", c.o.Drain)
		c.deliver(p, ft.body(p.own))
	}
}

// Close implements [mcp.Connection].
func (c *stdioConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements [mcp.Connection]; a pipe has no session id.
func (c *stdioConn) SessionID() string { return "" }
