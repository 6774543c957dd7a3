package markdown_test

import (
	"testing"

	"evergreen/internal/markdown"
)

// TestNestedOrderedList wants a list that begins elsewhere than at 1 to be one
// still: CommonMark lets only a list from 1 interrupt a paragraph.
func TestNestedOrderedList(t *testing.T) {
	for src, want := range map[string]string{
		"<ul><li>a<li>b<ol start=3><li>c</ol></ul>":      "- a\n- b\n\n  3. c\n",
		"<ul><li>a<li>b<ol><li>c</ol></ul>":              "- a\n- b\n  1. c\n",
		"<ul><li>b<ol><li value=7>c<li>d</ol><li>e</ul>": "- b\n\n  7. c\n  8. d\n- e\n",
		"<ul><li>b<ul><li>c</ul></li></ul>":              "- b\n  - c\n",
	} {
		if got := markdown.FromHTML(src, ""); got != want {
			t.Errorf("%s\n got %q\nwant %q", src, got, want)
		}
	}
}
