package text_test

import (
	"testing"

	"evergreen/internal/text"
)

func TestForHTML(t *testing.T) {
	for page, want := range map[string]string{
		"": "",
		"<p>a\tb\r\nc\f幻觉 é 𠮷 \uFFFD</p>":     "<p>a\tb\r\nc\f幻觉 é 𠮷 \uFFFD</p>",
		"\x00\x01\x1B~\x7F\u0080\u009F\u00A0": "\uFFFD\uFFFD\uFFFD~\uFFFD\uFFFD\uFFFD\u00A0",
		"\uFDD0\uFDEF\uFDF0\uFFFE\U0001FFFF":  "\uFFFD\uFFFD\uFDF0\uFFFD\uFFFD",
	} {
		if got := string(text.ForHTML([]byte(page))); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
}
