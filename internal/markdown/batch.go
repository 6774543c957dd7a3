package markdown

// Batches: many fragments as JSON lines, answers in order.

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"evergreen/internal/jsonl"
)

// BatchInput is one line of a batch. An id is a string or a number, and is
// repeated as it came.
type BatchInput struct {
	ID   json.RawMessage `json:"id"`
	HTML *string         `json:"html"`
}

// BatchOutput is one line of the answer.
type BatchOutput struct {
	ID       json.RawMessage `json:"id"`
	Markdown string          `json:"markdown"`
	Ms       float64         `json:"ms"` // wall time of the conversion, in milliseconds
}

// BatchError is the answer to a line that cannot be read. ID is null when even
// that cannot.
type BatchError struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// Batch converts each line of in and writes one line to out, in order. Blank
// lines are passed over; a line that cannot be read is answered with a
// BatchError and does not keep the others from being converted. It returns how
// many lines there were and how many of them failed; the error is one of in or
// out.
func Batch(in io.Reader, out io.Writer, convert func(html string) string) (lines, failed int, err error) {
	return jsonl.Answer(in, out, func(line []byte) (any, bool) { return batchLine(line, convert) })
}

// batchLine answers one line.
func batchLine(line []byte, convert func(string) string) (answer any, ok bool) {
	var in BatchInput
	err := json.Unmarshal(line, &in)
	if kind, wrong := errors.AsType[*json.UnmarshalTypeError](err); wrong && kind.Field == "html" {
		err = errors.New("html must be a string")
	}
	id, idOK := jsonl.ID(in.ID)
	switch {
	case err != nil:
	case !idOK:
		err = errors.New("id must be a string or a number")
	case in.HTML == nil:
		err = errors.New("html is missing")
	default:
		start := time.Now()
		md := convert(*in.HTML)
		return BatchOutput{id, md, float64(time.Since(start).Microseconds()) / 1000}, true
	}
	return BatchError{id, err.Error()}, false
}
