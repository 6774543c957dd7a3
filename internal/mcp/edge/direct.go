package edge

// This file answers calls of tools without the SDK, which opens a session for
// every stateless request and decodes every message many times over. Only calls
// about which there is nothing to judge are taken; whatever is unusual goes to
// the SDK, so that there is one place that knows the protocol's refusals.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tools are those tools of a server that the edge may call itself: they ask
// nothing back (no input requests, no sampling), and no header repeats their
// arguments (x-mcp-header). It is safe for concurrent use.
type Tools interface {
	// Serves reports whether the tool of exactly that name is one of them.
	Serves(name string) bool
	// CallTool runs a tool behind the server's middleware. The request has no
	// session where the client has none; its _meta must not be changed, since
	// calls share it.
	CallTool(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error)
	// Implementation is the serverInfo of every modern result.
	Implementation() *mcp.Implementation
}

// direct calls tools in place of the SDK. nil calls none.
type direct struct {
	tools Tools
	info  []byte // JSON of the Implementation
	log   *slog.Logger

	metas   *metas
	buffers sync.Pool // of *[]byte
}

func newDirect(tools Tools, log *slog.Logger) *direct {
	if tools == nil {
		return nil
	}
	return &direct{tools: tools, info: encode(tools.Implementation()), log: log, metas: newMetas()}
}

// request reads a call that the SDK would let through to the tool as it is. ok
// is false for every other message, and for calls that want progress or logs.
func (d *direct) request(m *message, strict bool) (r *mcp.CallToolRequest, ok bool) {
	if d == nil || m.method != methodCall || m.id == nil || m.params == nil || m.streams() || deep(m.raw) {
		return nil, false
	}
	for _, p := range m.params {
		if key := string(p.Name); key != "name" && key != "arguments" && key != "_meta" {
			return nil, false
		}
	}
	name, ok := unquoted(m.params.Get("name"))
	if !ok || !d.tools.Serves(name) {
		return nil, false
	}
	p := &mcp.CallToolParamsRaw{Name: name, Arguments: m.params.Get("arguments")}
	raw, given := m.params.Find("_meta")
	if given {
		read := d.metas.of(m, raw)
		if p.Meta = read.meta; p.Meta == nil || strict && !read.sound {
			return nil, false
		}
	}
	return &mcp.CallToolRequest{Params: p}, given || !strict
}

// deep reports whether a message may nest deeper than the SDK's readers allow.
func deep(raw []byte) bool {
	return bytes.Count(raw, []byte("{"))+bytes.Count(raw, []byte("[")) > maxBrackets
}

// buffer is room for an answer, to be given back when the answer is written.
func (d *direct) buffer() []byte {
	if b, ok := d.buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

func (d *direct) giveBack(body []byte) {
	if cap(body) <= maxKept {
		d.buffers.Put(&body)
	}
}

// answer calls the tool and returns the whole answer, in buffer where it has
// room, and its HTTP status.
func (d *direct) answer(ctx context.Context, buffer []byte, r *mcp.CallToolRequest, id json.RawMessage, strict bool) (body []byte, status int) {
	res, err := d.call(ctx, r)
	if err != nil {
		ft := faultOf(err, strict)
		return ft.body(id), ft.status
	}
	info := d.info
	if !strict {
		info = nil
	}
	if body, err = appendAnswer(buffer, id, res, info); err != nil {
		ft := faultOf(err, strict)
		return ft.body(id), ft.status
	}
	return body, http.StatusOK
}

// call runs the tool; a panic is a result, as behind [Recover].
func (d *direct) call(ctx context.Context, r *mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(d.log, methodCall, p)
			res, err = panickedCall(), nil
		}
	}()
	res, err = d.tools.CallTool(ctx, r)
	if err == nil && res == nil {
		err = errors.New("the tool gave no result")
	}
	return res, err
}

// faultOf is an error of a handler as the SDK sends it.
func faultOf(err error, strict bool) *fault {
	ft := &fault{status: http.StatusOK, code: codeInternal, message: err.Error()}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok && wire.Code != 0 {
		ft.code, ft.message, ft.data = int(wire.Code), wire.Message, wire.Data
	}
	if !strict {
		return ft
	}
	switch ft.code {
	case codeMethodNotFound:
		ft.status = http.StatusNotFound
	case codeInvalidParams, codeVersion, codeCapabilities:
		ft.status = http.StatusBadRequest
	}
	return ft
}
