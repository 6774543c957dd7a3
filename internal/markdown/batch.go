package markdown

// Batches: many fragments as JSON lines, answers in order.

import (
	"bufio"
	"encoding/json"
	"io"
	"time"

	"evergreen"
)

// BatchInput is one line of a batch.
type BatchInput struct {
	ID   string `json:"id"`
	HTML string `json:"html"`
}

// BatchOutput is one line of the answer.
type BatchOutput struct {
	ID       string  `json:"id"`
	Markdown string  `json:"markdown"`
	Ms       float64 `json:"ms"` // wall time of the conversion, in milliseconds
}

// Batch converts each line of in and writes one line to out, in order. Links
// are made absolute against base unless it is empty. Input that is not JSON
// lines ends the batch with an error of kind Invalid.
func Batch(in io.Reader, out io.Writer, base string) error {
	dec := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for {
		var line BatchInput
		if err := dec.Decode(&line); err == io.EOF {
			return w.Flush()
		} else if err != nil {
			return evergreen.Errorf(evergreen.Invalid, "batch is not JSON lines: %w", err).Fix(`write one object a line: {"id":"1","html":"<p>text</p>"}`)
		}
		start := time.Now()
		md := FromHTML(line.HTML, base)
		if err := enc.Encode(BatchOutput{line.ID, md, float64(time.Since(start).Microseconds()) / 1000}); err != nil {
			return err
		}
	}
}
