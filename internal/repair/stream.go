package repair

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"evergreen"

	"evergreen/internal/repair/jsonvalue"
)

// This file repairs calls line by line, for the command line.

// Stream reads lines {"id": ..., "params": ...} and writes for each, in order,
// {"id","outcome","name","arguments","changes","error"?,"candidates"?,"text"?}.
// params is a call as it was received; a string holds its exact bytes. text is
// the hint or the refusal. Blank lines are skipped. A line that is no such
// object stops the stream with evergreen.Invalid, naming the line; what was
// read before is written.
//
// The arguments of exact calls are written with their own bytes; only line
// breaks between their tokens become spaces.
func Stream(r io.Reader, w io.Writer, cat *Catalogue) error {
	out := bufio.NewWriter(w)
	if err := stream(r, out, cat); err != nil {
		out.Flush()
		return err
	}
	if err := out.Flush(); err != nil {
		return evergreen.Errorf(evergreen.Internal, "writing repaired calls: %w", err)
	}
	return nil
}

func stream(r io.Reader, out *bufio.Writer, cat *Catalogue) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		v, err := jsonvalue.Parse(line)
		if err != nil || v.Kind != jsonvalue.Object || v.Get("params") == nil {
			return evergreen.Errorf(evergreen.Invalid, `line %d is no {"id", "params"} object`, n).Fix("write one call a line")
		}
		params := v.Get("params")
		raw := params.Raw
		if params.Kind == jsonvalue.Text {
			raw = []byte(params.Text)
		}
		if _, err := out.Write(append(answer(v.Get("id"), Call(raw, cat)), '\n')); err != nil {
			return evergreen.Errorf(evergreen.Internal, "writing repaired calls: %w", err)
		}
	}
	if err := lines.Err(); err != nil {
		return evergreen.Errorf(evergreen.TooLarge, "reading calls: %w", err).Fix("keep lines below %d MiB", maxLine>>20)
	}
	return nil
}

// answer writes one line without its break.
func answer(id *jsonvalue.Value, res Result) []byte {
	b := []byte(`{"id":`)
	if id == nil {
		id = &jsonvalue.Value{}
	}
	b = append(id.AppendJSON(b), `,"outcome":`...)
	b = jsonvalue.AppendQuoted(b, string(res.Outcome))
	if res.Name != "" {
		b = jsonvalue.AppendQuoted(append(b, `,"name":`...), res.Name)
	}
	if res.Outcome != Refused {
		b = append(b, `,"arguments":`...)
		if res.Arguments == nil {
			b = append(b, "{}"...)
		}
		b = append(b, oneLine(res.Arguments)...)
	}
	b = appendAny(b, "changes", res.Changes, true)
	b = appendAny(b, "error", res.Error, res.Error != "")
	b = appendAny(b, "candidates", res.Candidates, res.Outcome == Refused)
	text := res.Hint + res.Refusal
	return append(appendAny(b, "text", text, text != ""), '}')
}

func appendAny[T any](b []byte, key string, v T, wanted bool) []byte {
	if !wanted {
		return b
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return b
	}
	text := bytes.TrimSpace(buf.Bytes())
	if bytes.Equal(text, []byte("null")) {
		text = []byte("[]")
	}
	return append(append(append(append(b, ',', '"'), key...), '"', ':'), text...)
}

// oneLine replaces the line breaks of JSON, which can only stand between its
// tokens.
func oneLine(b []byte) []byte {
	if !bytes.ContainsAny(b, "\r\n") {
		return b
	}
	b = bytes.Clone(b)
	for i, c := range b {
		if c == '\r' || c == '\n' {
			b[i] = ' '
		}
	}
	return b
}
