package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"evergreen"
)

// SnippetJSON is a snippet as [[text, hit], ...].
func SnippetJSON(body, title, question string) string {
	pieces := [][]any{}
	for _, s := range snippet(body, title, needles(question)) {
		pieces = append(pieces, []any{s.Text, s.Hit})
	}
	return plainJSON(pieces)
}

// LinesJSON are the commands that ask a question, by id.
func LinesJSON(t *testing.T, q evergreen.Query) string {
	t.Helper()
	u, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]string{}
	for _, l := range u.lines("http://a", q) {
		byID[l.ID] = l.Text
	}
	return plainJSON([]string{byID["_curl"], byID["_mcp"], byID["_cli"]})
}

func plainJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}
