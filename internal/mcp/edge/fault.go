package edge

// Error answers, and their codes.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"evergreen"
)

// Codes of JSON-RPC 2.0, and those that MCP adds.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeTransport      = -32000 // wrong HTTP method, as the TypeScript server says it
	codeNoSession      = -32001 // likewise: unknown session
	codeCapabilities   = -32021 // the client lacks a capability
	codeVersion        = -32022 // unsupported protocol version
)

// A fault is an error answer: its HTTP status and its JSON-RPC error.
type fault struct {
	status  int
	code    int
	message string
	data    json.RawMessage
}

// faultf makes a fault with HTTP status 400.
func faultf(code int, format string, args ...any) *fault {
	return &fault{status: http.StatusBadRequest, code: code, message: fmt.Sprintf(format, args...)}
}

// body encodes the fault as the answer to the request with the given raw id
// (nil or invalid: null).
func (f *fault) body(id json.RawMessage) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	type wireError struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wireError       `json:"error"`
	}{"2.0", id, wireError{f.code, f.message, f.data}})
}

// write sends the fault as an HTTP answer.
func (f *fault) write(w http.ResponseWriter, id json.RawMessage) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Del("Content-Length")
	w.WriteHeader(f.status)
	w.Write(f.body(id))
}

// Deny writes a refusal of a guard (wrong host, foreign origin, missing token)
// as a JSON-RPC error body. It fits httpguard's Deny option.
func Deny(w http.ResponseWriter, _ *http.Request, status int, err *evergreen.Error) {
	f := &fault{status: status, code: codeTransport, message: err.Message}
	if fixes := evergreen.Hints(err); len(fixes) > 0 {
		f.data = encode(map[string][]string{"fix": fixes})
	}
	f.write(w, nil)
}

// encode is marshal for what is always encodable.
func encode(v any) []byte {
	raw, err := marshal(v)
	if err != nil {
		panic(fmt.Sprintf("edge: encoding %T: %v", v, err))
	}
	return raw
}

// marshal is v as JSON with <, > and & as they are.
func marshal(v any) ([]byte, error) { return appendJSON(nil, v) }

// appendJSON appends what marshal returns.
func appendJSON(dst []byte, v any) ([]byte, error) {
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
