package extract_test

import (
	"strings"
	"testing"

	"evergreen/internal/extract"
)

// TestPageOfUnknownAddress keeps relative addresses relative.
func TestPageOfUnknownAddress(t *testing.T) {
	for href, want := range map[string]string{
		"c.html": "c.html", "../up.html#x": "../up.html#x", "../../a/b": "../../a/b", "/root.html": "/root.html", "#here": "#here",
		"https://x.example/y": "https://x.example/y", "sub/e f.html": "sub/e f.html", "mailto:a@x.example": "mailto:a@x.example", "./": "./",
	} {
		text := strings.Repeat("Some words of prose that make this a paragraph. ", 5)
		r := extract.Page([]byte("<h1>T</h1><p>"+text+"<a href='"+href+"'>link</a></p>"), "")
		if !strings.Contains(r.HTML, `href="`+want+`"`) {
			t.Errorf("%s came out as %s", href, r.HTML)
		}
	}
}
