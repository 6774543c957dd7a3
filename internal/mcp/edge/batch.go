package edge

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// batch answers the messages of an array one by one and in order, so that a bad
// one fails alone. The older era had batches up to 2025-03-26, and its clients
// send them under later headers too; the modern era has none.
func (f *front) batch(a *answer, r *http.Request, elements []json.RawMessage) {
	if ft := checkBatch(elements, modern(r.Header.Get(headerVersion))); ft != nil {
		a.fail(ft, nil)
		return
	}
	answers := make([]json.RawMessage, 0, len(elements))
	for _, element := range elements {
		memory := &memoryWriter{header: make(http.Header)}
		one := newAnswer(memory)
		f.message(one, r.Clone(r.Context()), element, true)
		one.finish()
		if body := memory.message(); body != nil {
			answers = append(answers, body)
		}
	}
	if len(answers) == 0 {
		a.WriteHeader(http.StatusAccepted)
		return
	}
	a.Header().Set("Content-Type", "application/json")
	a.WriteHeader(http.StatusOK)
	a.Write(encode(answers))
}

// checkBatch says why a batch as a whole cannot be served.
func checkBatch(elements []json.RawMessage, isModern bool) *fault {
	for _, element := range elements {
		if m, _ := parse(element); modern(m.version()) {
			isModern = true
		}
	}
	switch {
	case isModern:
		return faultf(codeInvalidRequest, "protocol version %s has no batches: send one message per request", ModernVersion)
	case len(elements) == 0:
		return faultf(codeInvalidRequest, "the batch is empty")
	case len(elements) > MaxBatch:
		return faultf(codeInvalidRequest, "the batch has %d messages, at most %d are allowed", len(elements), MaxBatch)
	}
	return nil
}

// A memoryWriter keeps one response in memory.
type memoryWriter struct {
	header http.Header
	body   bytes.Buffer
}

func (w *memoryWriter) Header() http.Header         { return w.header }
func (w *memoryWriter) WriteHeader(int)             {}
func (w *memoryWriter) Write(p []byte) (int, error) { return w.body.Write(p) }
func (w *memoryWriter) FlushError() error           { return nil }

// message returns the JSON-RPC answer in the response, nil if there is none.
// A session answers as an event stream, whose answer is the last event that is
// no request or notification of the server.
func (w *memoryWriter) message() json.RawMessage {
	body := bytes.TrimSpace(w.body.Bytes())
	if len(body) == 0 {
		return nil
	}
	if body[0] == '{' {
		return body
	}
	var found json.RawMessage
	for line := range bytes.Lines(body) {
		data, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data: "))
		if !ok {
			continue
		}
		if m, _ := parse(data); m.response() {
			found = data
		}
	}
	return found
}
