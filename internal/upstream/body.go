package upstream

// This file reads along what an upstream sends, for two things that the SDK does
// not give. Structured content is kept as the upstream wrote it: the SDK reads it
// into Go values, where large integers lose digits and keys their order; so its
// text travels beside it, in _meta, and is put back afterwards. Progress is passed
// on before the answer that follows it: the SDK hands both out on goroutines of
// their own.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// keptKey is where the text of structured content travels.
const keptKey = "evergreen/structured"

// readAlong wraps the body of an HTTP answer.
func (u *Upstream) readAlong(contentType string, body io.ReadCloser) io.ReadCloser {
	switch {
	case strings.HasPrefix(contentType, "application/json"):
		return &rewritten{body: body, whole: true}
	case strings.HasPrefix(contentType, "text/event-stream"):
		return &rewritten{body: body, lines: bufio.NewReaderSize(body, lineBuffer), prefix: []byte("data:"), progress: u.passProgress}
	}
	return body
}

// lineBuffer is the size of a reader's buffer in bytes; longer lines are
// collected.
const lineBuffer = 64 << 10

// rewritten is a body whose messages pass through keep: the whole of it, or
// line by line.
type rewritten struct {
	body     io.ReadCloser
	lines    *bufio.Reader
	prefix   []byte               // of the lines that hold a message
	progress func(message []byte) // gets what may be a progress notification
	whole    bool

	ready []byte
	err   error
}

func (r *rewritten) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

func (r *rewritten) fill() {
	if r.whole {
		data, err := io.ReadAll(r.body)
		if err != nil {
			r.err = err
			return
		}
		r.ready, r.err = keep(data), io.EOF
		return
	}
	var line []byte
	var err error = bufio.ErrBufferFull
	for err == bufio.ErrBufferFull && len(line) <= maxAnswer {
		var part []byte
		part, err = r.lines.ReadSlice('\n')
		line = append(line, part...)
	}
	if r.err = err; len(line) > maxAnswer {
		r.err = errTooLong
		return
	}
	if message, ok := bytes.CutPrefix(line, r.prefix); ok {
		if bytes.Contains(message, []byte(`"notifications/progress"`)) {
			r.progress(message)
		}
		if kept := keep(message); len(kept) != len(message) {
			line = slices.Concat(r.prefix, []byte(" "), bytes.TrimSpace(kept), []byte("\n"))
		}
	}
	r.ready = line
}

func (r *rewritten) Close() error { return r.body.Close() }

// keep returns a message with the text of its structured content in _meta, or
// message itself when it has none.
func keep(message []byte) []byte {
	if !bytes.Contains(message, []byte(`"structuredContent"`)) {
		return message
	}
	var frame, result, meta map[string]json.RawMessage
	if json.Unmarshal(message, &frame) != nil || json.Unmarshal(frame["result"], &result) != nil {
		return message
	}
	kept, ok := result["structuredContent"]
	if !ok || json.Unmarshal(orEmpty(result["_meta"]), &meta) != nil {
		return message
	}
	text, err := json.Marshal(string(kept))
	if err != nil {
		return message
	}
	meta[keptKey] = text
	for _, step := range []struct {
		into map[string]json.RawMessage
		key  string
		from any
	}{{result, "_meta", meta}, {frame, "result", result}} {
		raw, err := plainJSON(step.from)
		if err != nil {
			return message
		}
		step.into[step.key] = raw
	}
	if out, err := plainJSON(frame); err == nil {
		return out
	}
	return message
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}")
	}
	return raw
}

// plainJSON is v as JSON with <, > and & as they are.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// restore puts the text of structured content back in its place.
func restore(r *mcp.CallToolResult) *mcp.CallToolResult {
	text, ok := r.Meta[keptKey].(string)
	if !ok {
		return r
	}
	delete(r.Meta, keptKey)
	if len(r.Meta) == 0 {
		r.Meta = nil
	}
	if json.Valid([]byte(text)) {
		r.StructuredContent = json.RawMessage(text)
	}
	return r
}
