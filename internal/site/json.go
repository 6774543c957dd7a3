package site

// This file writes JSON as the contract wants it: keys in declared order, CJK,
// '<', '>' and '&' as they are, two blanks of indentation, one final newline.

import (
	"bytes"
	"encoding/json"
	"io"
)

// writeJSON writes v. Lists in v must not be nil where the contract shows them
// empty.
func writeJSON(w io.Writer, v any) error {
	b, err := encode(v, "  ")
	if err != nil {
		return err
	}
	return writeAll(w, b)
}

func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// list is v with nothing instead of nil.
func list[T any](v []T) []T {
	if v == nil {
		return []T{}
	}
	return v
}
