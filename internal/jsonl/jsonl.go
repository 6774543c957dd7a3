// Package jsonl answers streams of JSON lines (jsonlines.org): one line in, one
// line out, in order.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// Answer writes what answer says of each line of in as one line of JSON to out.
// Blank lines are passed over. ok tells whether the line could be answered; one
// that could not is answered all the same and keeps no other from its answer.
// Answers are flushed when no more input waits. Answer returns how many lines
// there were and how many of them failed; the error is one of in or out.
func Answer(in io.Reader, out io.Writer, answer func(line []byte) (said any, ok bool)) (lines, failed int, err error) {
	r := bufio.NewReaderSize(in, 1<<16)
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for {
		line, readErr := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			said, ok := answer(line)
			lines++
			if !ok {
				failed++
			}
			if err := enc.Encode(said); err != nil {
				return lines, failed, err
			}
		}
		if readErr != nil || r.Buffered() == 0 { // who waits for an answer gets it
			if err := w.Flush(); err != nil {
				return lines, failed, err
			}
		}
		if readErr == io.EOF {
			return lines, failed, nil
		} else if readErr != nil {
			return lines, failed, readErr
		}
	}
}

// ID is the id of a line as it came, a string or a number, and null when there
// is none. ok is false for anything else, which is not repeated.
func ID(raw json.RawMessage) (id json.RawMessage, ok bool) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return json.RawMessage("null"), true
	case raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return raw, true
	}
	return json.RawMessage("null"), false
}
