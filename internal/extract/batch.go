package extract

// Batches: many pages from a manifest of JSON lines, answers in order.

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"time"

	"evergreen"

	"golang.org/x/net/html"
)

// BatchPage is one line of a manifest.
type BatchPage struct {
	ID   string `json:"id"`
	Path string `json:"path"` // a file; read through gzip when it ends in .gz
	URL  string `json:"url"`
}

// BatchResult is one line of the answer. Err is set instead of the rest when
// the file could not be read.
type BatchResult struct {
	ID       string  `json:"id"`
	HTML     string  `json:"html"`
	Text     string  `json:"text"`
	Markdown string  `json:"markdown"`
	Ms       float64 `json:"ms"` // wall time of decoding, extraction and conversion, in milliseconds
	Err      string  `json:"err,omitempty"`
}

// Batch reads a manifest and writes one result a line, in the manifest's
// order. decode turns a file's bytes into UTF-8 and markdown a canonical tree
// into Markdown; both are handed in because other packages own them. A page
// that cannot be read gives a line with Err; a manifest that is not JSON
// lines ends the batch with an error of kind Invalid.
func Batch(manifest io.Reader, out io.Writer, decode func([]byte) []byte, markdown func(n *html.Node, base string) string) error {
	in := json.NewDecoder(bufio.NewReaderSize(manifest, 1<<16))
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for {
		var p BatchPage
		if err := in.Decode(&p); err == io.EOF {
			return w.Flush()
		} else if err != nil {
			return evergreen.Errorf(evergreen.Invalid, "manifest is not JSON lines: %w", err).Fix(`write one object a line: {"id":"1","path":"page.html","url":"https://example.com/"}`)
		}
		if err := enc.Encode(batchOne(p, decode, markdown)); err != nil {
			return err
		}
	}
}

func batchOne(p BatchPage, decode func([]byte) []byte, markdown func(*html.Node, string) string) BatchResult {
	data, err := readFile(p.Path)
	if err != nil {
		return BatchResult{ID: p.ID, Err: err.Error()}
	}
	start := time.Now()
	r := Page(decode(data), p.URL)
	out := BatchResult{ID: p.ID, HTML: r.HTML, Text: r.Text, Markdown: markdown(r.Document(), "")}
	out.Ms = float64(time.Since(start).Microseconds()) / 1000
	return out
}

func readFile(path string) ([]byte, error) {
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
	return io.ReadAll(z)
}
