package edge

// The HTTP edge: from a request to the SDK handler that suits it.

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// typeJSON is the media type of messages.
const typeJSON = "application/json"

// Headers of Streamable HTTP.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerSession = "Mcp-Session-Id"
	headerResume  = "Last-Event-Id"
)

// HTTPOptions sets up the HTTP edge; its zero value is ready for use.
type HTTPOptions struct {
	// DualEra gives clients of the older era real sessions (pushed
	// notifications, requests of the server to the client) on the same URL.
	// Without it they are served statelessly, which survives a restart.
	DualEra bool
	// Hook may rewrite every message; nil leaves them as they are.
	Hook Hook
	// Tools are called by the edge itself, where there is no session to keep;
	// nil leaves every call to the SDK.
	Tools Tools
	// Log takes panics and the SDK's own lines; nil drops them.
	Log *slog.Logger
}

// NewHTTP returns the MCP endpoint as a handler. server chooses the server for
// a request and may return the same one every time; a server must carry
// [Recover]. The handler bounds bodies by [MaxBody], answers every fault as a
// JSON-RPC body and expects Host and Origin to be checked outside of it; it
// takes a Content-Type other than JSON only from callers that are not browsers.
func NewHTTP(server func(*http.Request) *mcp.Server, o HTTPOptions) http.Handler {
	build := func(stateless, asJSON bool) http.Handler {
		return mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Stateless:                    stateless,
			JSONResponse:                 asJSON,
			Logger:                       o.Log,
			SessionTimeout:               sessionIdle,
			DisableLocalhostProtection:   true,
			MaxRequestBodyBytes:          -1, // bounded here, before a hook may grow the message
			PropagateRequestCancellation: true,
		})
	}
	f := &front{hook: o.Hook, log: o.Log, direct: newDirect(o.Tools, o.Log), single: build(true, true), stream: build(true, false)}
	if o.DualEra {
		f.session = build(false, false)
	}
	return f
}

// A front is the HTTP edge over up to three handlers of the SDK.
type front struct {
	hook    Hook
	log     *slog.Logger
	direct  *direct
	single  http.Handler // stateless, answers in JSON
	stream  http.Handler // stateless, answers as an event stream
	session http.Handler // stateful, nil unless dual-era
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := newAnswer(w)
	defer a.finish()
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			logPanic(f.log, "mcp over http", p)
			a.fail(&fault{status: http.StatusInternalServerError, code: codeInternal, message: "internal error; the details are in the server's log"}, nil)
		}
	}()
	own := *r // but for the header nothing of the caller's request is changed
	r = &own
	r.Header = r.Header.Clone()
	r.Header.Del(NotesHeader)
	switch {
	case r.Method == http.MethodPost:
		f.post(a, r)
	case f.session != nil && (r.Method == http.MethodGet || r.Method == http.MethodDelete) && !modern(r.Header.Get(headerVersion)):
		f.session.ServeHTTP(a, r)
	default:
		f.wrongMethod(a, r)
	}
}

// wrongMethod answers 405.
func (f *front) wrongMethod(a *answer, r *http.Request) {
	allow := "POST"
	if f.session != nil {
		allow = "GET, POST, DELETE"
	}
	a.Header().Set("Allow", allow)
	ft := faultf(codeTransport, "%s is not served here: POST one JSON-RPC message", r.Method)
	ft.status = http.StatusMethodNotAllowed
	a.fail(ft, nil)
}

// post reads the body and answers its message or batch.
func (f *front) post(a *answer, r *http.Request) {
	if ft := checkContentType(r); ft != nil {
		a.fail(ft, nil)
		return
	}
	body, ft := readBody(a, r)
	if ft != nil {
		a.fail(ft, nil)
		return
	}
	if elements, ok := batchOf(body); ok {
		f.batch(a, r, elements)
		return
	}
	f.message(a, r, body, false)
}

// checkContentType refuses what a browser may send across origins without a
// preflight, the guard against forged requests. Others, such as curl -d, may
// name any type: the body says what it is.
func checkContentType(r *http.Request) *fault {
	given := r.Header.Get("Content-Type")
	if given == typeJSON {
		return nil
	}
	if kind, _, _ := mime.ParseMediaType(given); kind == typeJSON {
		return nil
	}
	if r.Header.Get("Origin") == "" && r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Sec-Fetch-Mode") == "" {
		return nil
	}
	ft := faultf(codeInvalidRequest, "Content-Type must be application/json")
	ft.status = http.StatusUnsupportedMediaType
	return ft
}

// readBody reads at most MaxBody bytes and returns them as UTF-8.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, *fault) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
			ft := faultf(codeInvalidRequest, "the body exceeds %d bytes: split the request", tooLarge.Limit)
			ft.status = http.StatusRequestEntityTooLarge
			return nil, ft
		}
		return nil, faultf(codeInvalidRequest, "the body could not be read: %v", err)
	}
	return decodeBody(body, r.Header.Get("Content-Type")), nil
}

// message answers one message. In a batch the answer is always one JSON body.
func (f *front) message(a *answer, r *http.Request, raw []byte, inBatch bool) {
	decodeName(r.Header)
	before, ft := parse(raw)
	strict := modern(r.Header.Get(headerVersion)) || modern(before.version())
	consistent := headersMatch(r.Header, before)
	m := before
	if !strict || consistent || ft != nil && ft.code == codeParse {
		out, notes := f.hook.run(raw, f.log)
		if !bytes.Equal(out, raw) {
			m, ft = parse(out)
			followHeaders(r.Header, m, strict && consistent)
		}
		for _, note := range notes {
			r.Header.Add(NotesHeader, note)
		}
	}
	if ft == nil && !strict {
		ft = checkLegacyVersion(r.Header.Get(headerVersion))
	}
	if ft != nil {
		a.fail(ft, m.id)
		return
	}
	a.own = m.id
	a.notification = !m.call()
	a.modern = strict
	if !strict {
		m.dropVersion()
	}
	r.Header.Set("Content-Type", typeJSON) // as the body is by now
	if f.answer(a, r, m, strict) {
		return
	}
	m.normalise()
	a.sent = safeID(m.id)
	f.forward(a, r, m, inBatch, strict)
}

// answer calls a tool without the SDK, if that can be done here.
func (f *front) answer(a *answer, r *http.Request, m *message, strict bool) bool {
	asJSON, asStream := accepts(r.Header["Accept"])
	held := f.session != nil && !strict && r.Header.Get(headerSession) != ""
	if held || asStream && !asJSON || r.Header.Get(headerResume) != "" || strict && !headersMatch(r.Header, m) {
		return false
	}
	call, ok := f.direct.request(m, strict)
	if !ok {
		return false
	}
	call.Extra = &mcp.RequestExtra{Header: r.Header}
	ctx := r.Context()
	if !strict { // in the older era a lost connection cancels nothing
		ctx = context.WithoutCancel(ctx)
	}
	buffer := f.direct.buffer()
	body, status := f.direct.answer(ctx, buffer, call, m.id, strict)
	a.whole(body, status)
	f.direct.giveBack(body)
	return true
}

// forward hands the message to the handler that suits it.
func (f *front) forward(a *answer, r *http.Request, m *message, inBatch, strict bool) {
	next := f.single
	asJSON, asStream := accepts(r.Header.Values("Accept"))
	switch {
	case f.session != nil && !strict && (r.Header.Get(headerSession) != "" || m.method == "initialize" && !inBatch):
		next = f.session
	case inBatch:
	case asStream && (m.streams() || !asJSON):
		next = f.stream
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Body = io.NopCloser(bytes.NewReader(m.raw))
	r.ContentLength = int64(len(m.raw))
	next.ServeHTTP(a, r)
}

// modern reports whether a version belongs to the stateless era. Revisions are
// dates, so they compare as strings.
func modern(version string) bool { return version >= ModernVersion }

// checkLegacyVersion refuses a version header that no revision ever had.
func checkLegacyVersion(version string) *fault {
	legacy := []string{version2511, version2506, version2503, version2024}
	if version == "" || slices.Contains(legacy, version) {
		return nil
	}
	ft := faultf(codeVersion, "protocol version %q is not supported", version)
	ft.data = encode(map[string]any{"supported": append([]string{ModernVersion}, legacy...), "requested": version})
	return ft
}

// decodeName turns the base64 form of Mcp-Name, which a client must use for
// names outside of printable ASCII (SEP-2243), into the name itself; the SDK
// compares the header as it stands.
func decodeName(h http.Header) {
	encoded, ok := strings.CutPrefix(h.Get(headerName), "=?base64?")
	if !ok {
		return
	}
	if encoded, ok = strings.CutSuffix(encoded, "?="); !ok {
		return
	}
	if name, err := base64.StdEncoding.DecodeString(encoded); err == nil {
		h.Set(headerName, string(name))
	}
}

// headersMatch reports whether the standard headers repeat what the body says.
func headersMatch(h http.Header, m *message) bool {
	if h.Get(headerVersion) != m.version() || h.Get(headerMethod) != m.method {
		return false
	}
	name, ok := m.name()
	return !ok || h.Get(headerName) == name
}

// followHeaders makes the headers of a request that was consistent follow the
// message that the hook made of it.
func followHeaders(h http.Header, m *message, consistent bool) {
	if !consistent {
		return
	}
	h.Set(headerMethod, m.method)
	if name, ok := m.name(); ok {
		h.Set(headerName, name)
	}
}

// accepts reads Accept headers. A caller that names neither form, or none at
// all, gets JSON.
func accepts(values []string) (asJSON, asStream bool) {
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			kind, _, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case "application/json", "application/*":
				asJSON = true
			case "text/event-stream", "text/*":
				asStream = true
			case "*/*":
				asJSON, asStream = true, true
			}
		}
	}
	return asJSON, asStream
}

// batchOf returns the elements of a body that is a JSON array.
func batchOf(body []byte) ([]json.RawMessage, bool) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '[' {
		return nil, false
	}
	var elements []json.RawMessage
	err := json.Unmarshal(body, &elements)
	return elements, err == nil
}
