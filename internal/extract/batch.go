package extract

// Batches: many pages from a manifest of JSON lines, answers in order.

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"evergreen/internal/jsonl"

	"golang.org/x/net/html"
)

// BatchPage is one line of a manifest. An id is a string or a number, and is
// repeated as it came.
type BatchPage struct {
	ID   json.RawMessage `json:"id"`
	Path string          `json:"path"` // a file; read through gzip when it ends in .gz
	URL  string          `json:"url"`
}

// BatchResult is one line of the answer.
type BatchResult struct {
	ID       json.RawMessage `json:"id"`
	HTML     string          `json:"html"`
	Text     string          `json:"text"`
	Markdown string          `json:"markdown"`
	Ms       float64         `json:"ms"` // wall time of decoding, extraction and conversion, in milliseconds
}

// BatchError is the answer to a line or a page that cannot be read. ID is null
// when even that cannot.
type BatchError struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// Batch reads a manifest and writes one result a line, in the manifest's
// order. decode turns a file's bytes into UTF-8 and markdown a canonical tree
// into Markdown; both are handed in because other packages own them. Blank
// lines are passed over; a line or a page that cannot be read is answered with
// a BatchError and does not keep the others from being read. Batch returns how
// many lines there were and how many of them failed; the error is one of the
// manifest's reader or of out.
func Batch(manifest io.Reader, out io.Writer, decode func([]byte) []byte, markdown func(n *html.Node, base string) string) (lines, failed int, err error) {
	return jsonl.Answer(manifest, out, func(line []byte) (any, bool) { return batchLine(line, decode, markdown) })
}

// batchLine answers one line.
func batchLine(line []byte, decode func([]byte) []byte, markdown func(*html.Node, string) string) (answer any, ok bool) {
	var p BatchPage
	err := json.Unmarshal(line, &p)
	if kind, wrong := errors.AsType[*json.UnmarshalTypeError](err); wrong && kind.Field != "" {
		err = errors.New(kind.Field + " must be a string")
	}
	id, idOK := jsonl.ID(p.ID)
	switch {
	case err != nil:
	case !idOK:
		err = errors.New("id must be a string or a number")
	case p.Path == "":
		err = errors.New("path is missing")
	}
	var data []byte
	if err == nil {
		data, err = readFile(p.Path, maxPacked)
	}
	if err != nil {
		return BatchError{id, err.Error()}, false
	}
	start := time.Now()
	r := Page(decode(data), p.URL)
	out := BatchResult{ID: id, HTML: r.HTML, Text: r.Text, Markdown: markdown(r.Document(), "")}
	out.Ms = float64(time.Since(start).Microseconds()) / 1000
	return out, true
}

// readFile reads a page, of one that is compressed at most the given bytes.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !strings.HasSuffix(path, ".gz") {
		return io.ReadAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	page, err := io.ReadAll(io.LimitReader(z, most+1))
	if err == nil && int64(len(page)) > most {
		err = fmt.Errorf("%s unpacks to more than %d bytes", path, most)
	}
	return page, err
}
