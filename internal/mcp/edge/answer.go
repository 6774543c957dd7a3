package edge

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An answer is the response writer that the SDK's handlers see. It turns their
// plain-text errors into JSON-RPC bodies, puts the request's own id back, and
// keeps event streams alive.
type answer struct {
	w  http.ResponseWriter
	rc *http.ResponseController

	own, sent    json.RawMessage // the request's id, and the one the SDK was given
	notification bool            // the message wants no answer
	modern       bool

	mu     sync.Mutex // guards what follows, and writes to w
	status int        // 0 until the header was written
	held   *bytes.Buffer
	stop   chan struct{} // ends the keep-alive of an event stream
}

func newAnswer(w http.ResponseWriter) *answer {
	return &answer{w: w, rc: http.NewResponseController(w)}
}

// Header implements [http.ResponseWriter].
func (a *answer) Header() http.Header { return a.w.Header() }

// WriteHeader implements [http.ResponseWriter]; a plain-text error is held back
// until [answer.finish].
func (a *answer) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writeHeader(status)
}

func (a *answer) writeHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	kind := a.w.Header().Get("Content-Type")
	if status >= http.StatusBadRequest && strings.HasPrefix(kind, "text/plain") {
		a.held = new(bytes.Buffer)
		return
	}
	h := a.w.Header()
	h.Set("Cache-Control", "no-store")
	if strings.HasPrefix(kind, "text/event-stream") {
		h.Set("X-Accel-Buffering", "no") // or nginx collects the stream
		a.rc.SetWriteDeadline(time.Time{})
		a.stop = make(chan struct{})
		go a.keepAlive(a.stop)
	}
	a.w.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *answer) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writeHeader(http.StatusOK)
	if a.held != nil {
		if room := maxPlain - a.held.Len(); room > 0 {
			a.held.Write(p[:min(len(p), room)])
		}
		return len(p), nil
	}
	if _, err := a.w.Write(a.rewrite(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// rewrite mends what the SDK writes: a whole JSON body, or a whole event of a
// stream in one call.
func (a *answer) rewrite(p []byte) []byte {
	if a.modern {
		if i := bytes.Index(p, []byte(`{"jsonrpc":"2.0","id":`)); i >= 0 {
			body := bytes.TrimRight(p[i:], "\n")
			if mended := completed(body); len(mended) != len(body) {
				p = slices.Concat(p[:i], mended, p[i+len(body):])
			}
		}
	}
	return restoreID(p, a.sent, a.own)
}

// FlushError lets an [http.ResponseController] flush through the answer.
func (a *answer) FlushError() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held != nil {
		return nil
	}
	return a.rc.Flush()
}

// Unwrap lets an [http.ResponseController] reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.w }

// keepAlive writes a comment whenever the pause has passed.
func (a *answer) keepAlive(stop chan struct{}) {
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			a.mu.Lock()
			if a.stop != nil {
				a.w.Write([]byte(": keep-alive\n\n"))
				a.rc.Flush()
			}
			a.mu.Unlock()
		}
	}
}

// whole writes an answer that needs no mending.
func (a *answer) whole(body []byte, status int) {
	h := a.w.Header()
	h["Content-Type"] = []string{typeJSON}
	h["Cache-Control"] = []string{"no-store"}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status = status
	a.w.WriteHeader(status)
	_, _ = a.w.Write(body) // a client that went away is no error of ours
}

// fail answers with a fault unless an answer has begun.
func (a *answer) fail(ft *fault, id json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.status == 0 || a.held != nil {
		a.status, a.held = ft.status, nil
		ft.write(a.w, id)
	}
}

// finish ends the answer: a plain-text error of the SDK is written as what it
// means. No handler may use the answer afterwards.
func (a *answer) finish() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop != nil {
		close(a.stop)
		a.stop = nil
	}
	if a.held == nil {
		return
	}
	ft := a.translate(strings.TrimSpace(a.held.String()))
	a.held = nil
	if ft == nil {
		a.w.Header().Del("Content-Type")
		a.w.WriteHeader(http.StatusAccepted)
		return
	}
	ft.write(a.w, a.own)
}

// translate reads a plain-text error of the SDK. nil means that the message was
// an unknown notification, which is accepted and dropped.
func (a *answer) translate(text string) *fault {
	if method, unknown := strings.CutPrefix(text, "JSON RPC not handled: "); unknown {
		if a.notification {
			return nil
		}
		ft := faultf(codeMethodNotFound, "method not found: %s", strings.TrimSuffix(method, " unsupported"))
		if !a.modern {
			ft.status = http.StatusOK // the older era answers requests with 200
		}
		return ft
	}
	ft := faultf(codeInvalidRequest, "%s", text)
	ft.status = a.status
	switch {
	case a.status == http.StatusNotFound:
		ft.code = codeNoSession
	case a.status == http.StatusMethodNotAllowed:
		ft.code = codeTransport
	case a.status >= http.StatusInternalServerError:
		ft.code = codeInternal
	}
	return ft
}
