package upstream

// This file watches what became of one call on the wire, which the SDK's
// errors do not tell.

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// exchange is what one call saw on the wire. It travels in the call's context.
type exchange struct {
	sent       atomic.Bool
	dialFailed atomic.Bool
	code       atomic.Int32           // HTTP status of a failed request, 0 for none
	after      atomic.Pointer[string] // Retry-After
	body       atomic.Pointer[wireFault]
}

type exchangeKey struct{}

// wireFault is the JSON-RPC error in the body of a refused request. The SDK
// does not read one whose id is null.
type wireFault struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
}

// left reports whether the request may have reached the upstream.
func (e *exchange) left() bool { return e.sent.Load() }

func (e *exchange) status() int { return int(e.code.Load()) }

// refused reports whether the upstream refused the session itself.
func (e *exchange) refused() bool {
	s := e.status()
	return s == http.StatusUnauthorized || s == http.StatusForbidden
}

// sessionUnknown reports whether the upstream said that it does not know the
// session, so that the call cannot have run: the protocol's 404, and the 400
// that names the session, which many servers answer instead. A 404 that says
// "method not found" is an answer.
func (e *exchange) sessionUnknown(err error) bool {
	said := e.body.Load()
	switch e.status() {
	case http.StatusNotFound:
		return said == nil || said.Code != jsonrpc.CodeMethodNotFound
	case http.StatusBadRequest:
		return said != nil && said.Code != jsonrpc.CodeInvalidParams && strings.Contains(strings.ToLower(said.Message), "session")
	}
	return errors.Is(err, mcp.ErrSessionMissing)
}

// retryAfter is what a 429 said about when to come back.
func (e *exchange) retryAfter() string {
	if after := e.after.Load(); after != nil && len(*after) < 40 {
		return " (retry after " + *after + ")"
	}
	return ""
}

// failed notes the first failing status of the exchange and what its body says.
func (e *exchange) failed(r *http.Response) {
	if !e.code.CompareAndSwap(0, int32(r.StatusCode)) {
		return
	}
	if after := r.Header.Get("Retry-After"); after != "" {
		e.after.Store(&after)
	}
	head, err := io.ReadAll(io.LimitReader(r.Body, maxFault))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), r.Body), r.Body}
	var frame struct{ Error *wireFault }
	if err == nil && json.Unmarshal(head, &frame) == nil {
		e.body.Store(frame.Error)
	}
}
