package edge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A stdioConn is the connection of one stdio client: lines in, lines out.
type stdioConn struct {
	o         StdioOptions
	lines     chan []line
	closed    chan struct{}
	closeOnce sync.Once
	abandoned chan struct{} // closed when the drain time was over
	answered  chan struct{} // signals that a pending call was answered

	// Used by Read alone.
	queue     []jsonrpc.Message
	came      []line // read and not yet taken
	opened    bool   // the SDK's session knows a protocol version
	opening   opening
	duplicate int

	direct  *direct
	work    chan func()     // to a goroutine that waits for it
	idle    atomic.Int32    // of those goroutines
	calls   context.Context // of the calls made by the edge itself
	session atomic.Pointer[mcp.ServerSession]

	mu      sync.Mutex // guards what follows, and writes to out
	out     io.Writer
	pending map[string]*pendingCall // by the JSON of the id that the SDK was given
	ready   bool                    // an initialize was answered
}

// A pendingCall is a call that the SDK has not answered yet.
type pendingCall struct {
	own    json.RawMessage
	batch  *stdioBatch // nil for a single call
	slot   int
	listen bool // a subscription: it lasts as long as the connection
	modern bool
	opens  bool               // an initialize
	cancel context.CancelFunc // of a call made by the edge itself
}

// A stdioBatch collects the answers of one batch, in the order of its calls.
type stdioBatch struct {
	answers []json.RawMessage
	missing int
}

// add makes room for one more answer and returns its place.
func (b *stdioBatch) add() int {
	b.answers = append(b.answers, nil)
	b.missing++
	return len(b.answers) - 1
}

func newStdioConn(calls context.Context, in io.Reader, out io.Writer, o StdioOptions) *stdioConn {
	c := &stdioConn{
		o:         o,
		calls:     calls,
		direct:    newDirect(o.Tools, o.Log),
		work:      make(chan func()),
		lines:     make(chan []line),
		closed:    make(chan struct{}),
		abandoned: make(chan struct{}),
		answered:  make(chan struct{}, 1),
		opening:   opening{answered: make(chan struct{})},
		out:       out,
		pending:   make(map[string]*pendingCall),
	}
	go scanLines(in, MaxBody, c.lines, c.closed)
	return c
}

// take answers a line at once or queues its messages for the SDK.
func (c *stdioConn) take(l line) {
	if l.tooLong {
		c.answer(&pendingCall{}, faultf(codeInvalidRequest, "the line exceeds %d bytes: split the request", MaxBody).body(nil))
		return
	}
	elements, ok := batchOf(l.data)
	if !ok {
		c.accept(l.data, nil)
		return
	}
	if ft := checkBatch(elements, false); ft != nil {
		c.answer(&pendingCall{}, ft.body(nil))
		return
	}
	// The batch holds one missing answer of its own until every element was
	// taken, or the first fault would end it.
	batch := &stdioBatch{missing: 1}
	for _, element := range elements {
		c.accept(element, batch)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complete(batch)
}

// accept reads one message and queues it, or answers its fault.
func (c *stdioConn) accept(raw []byte, batch *stdioBatch) {
	raw, notes := c.o.Hook.run(raw, c.o.Log)
	m, ft := parse(raw)
	p := &pendingCall{own: m.id, batch: batch, listen: m.method == "subscriptions/listen", modern: modern(m.version()), opens: m.method == "initialize"}
	if ft == nil && p.listen && batch != nil {
		ft = faultf(codeInvalidRequest, "a subscription cannot be part of a batch")
	}
	if batch != nil && (ft != nil || m.call()) {
		c.mu.Lock()
		p.slot = batch.add()
		c.mu.Unlock()
	}
	if ft != nil {
		c.answer(p, ft.body(m.id))
		return
	}
	if c.callDirectly(m, p, notes) || c.cancelDirectly(m) {
		return
	}
	m.normalise()
	msg, err := jsonrpc.DecodeMessage(m.raw)
	if err != nil { // nested too deep for the SDK
		if m.call() {
			c.answer(p, faultf(codeInvalidRequest, "%v", err).body(m.id))
		}
		return
	}
	if req, ok := msg.(*jsonrpc.Request); ok {
		if !c.open(m, p) {
			return
		}
		if len(notes) > 0 {
			req.Extra = &mcp.RequestExtra{Header: http.Header{http.CanonicalHeaderKey(NotesHeader): notes}}
		}
		if m.call() {
			c.track(req, m, p)
		}
	}
	c.queue = append(c.queue, msg)
}

// track remembers a call until its answer, under an id that no other call in
// flight has.
func (c *stdioConn) track(req *jsonrpc.Request, m *message, p *pendingCall) {
	sent := string(encode(req.ID.Raw()))
	if stand := c.remember(sent, m, p); stand != "" {
		req.ID, _ = jsonrpc.MakeID(stand) // a string is always an id
	}
}

// remember keeps a call under the id that it goes by. When another one in flight
// has that id, the call goes by the id that is returned.
func (c *stdioConn) remember(sent string, m *message, p *pendingCall) (stand string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.pending[sent]; taken {
		c.duplicate++
		stand = standIn + strconv.Itoa(c.duplicate) + ":" + string(m.id)
		sent = string(encode(stand))
	}
	c.pending[sent] = p
	return stand
}

// Write implements [mcp.Connection].
func (c *stdioConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		for sent, p := range c.pending {
			if p.listen {
				data = restoreID(data, json.RawMessage(sent), p.own)
			}
		}
		return c.writeLine(data)
	}
	if resp.ID.Raw() == openingID {
		c.opening.result = resp.Result
		c.ready = resp.Error == nil
		close(c.opening.answered)
		return nil
	}
	sent := encode(resp.ID.Raw())
	p, ok := c.pending[string(sent)]
	if !ok {
		return nil // was told already that the time is over
	}
	delete(c.pending, string(sent))
	c.ready = c.ready || p.opens && resp.Error == nil
	if p.modern {
		data = completed(data)
	}
	return c.deliver(p, restoreID(data, sent, p.own))
}

// answer is deliver for callers that do not hold the lock.
func (c *stdioConn) answer(p *pendingCall, answer json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deliver(p, answer)
}

// deliver writes the answer to a call, or keeps it until its batch is complete.
func (c *stdioConn) deliver(p *pendingCall, answer json.RawMessage) error {
	select {
	case c.answered <- struct{}{}:
	default:
	}
	if p.batch == nil {
		return c.writeLine(answer)
	}
	p.batch.answers[p.slot] = answer
	return c.complete(p.batch)
}

// complete counts one answer of a batch and writes the batch after the last.
func (c *stdioConn) complete(b *stdioBatch) error {
	b.missing--
	if b.missing > 0 || len(b.answers) == 0 {
		return nil
	}
	return c.writeLine(encode(b.answers))
}

// writeLine writes one line of output in one call.
func (c *stdioConn) writeLine(data []byte) error {
	data = append(bytes.TrimSpace(data), '\n')
	_, err := c.out.Write(data)
	return err
}
