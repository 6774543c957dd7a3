package rest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeadings(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []Heading
	}{
		{"underline", "Title\n=====\n\ntext\n\nPart\n----\n\nTitle two\n=========\n", []Heading{{1, "Title"}, {2, "Part"}, {1, "Title two"}}},
		{"overline is a style of its own", "====\nBook\n====\n\nTitle\n=====\n\n ====\n", []Heading{{1, "Book"}, {2, "Title"}}},
		{"inset title", "======\n Book\n======\n", []Heading{{1, "Book"}}},
		{"underline too short", "A longer title\n====\n", nil},
		{"wide characters count as one", "«À propos»\n==========\n", []Heading{{1, "«À propos»"}}},
		{"transition", "text\n\n----\n\ntext\n", nil},
		{"within a paragraph", "one\ntwo\n===\n", nil},
		{"literal block", "::\n\n   Title\n   =====\n", nil},
		{"table", "==== ====\nA    B\n==== ====\na    b\n==== ====\n", nil},
		{"Windows", "Title\r\n=====\r\n", []Heading{{1, "Title"}}},
	} {
		if diff := cmp.Diff(c.want, Headings(c.text)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		":mod:`abc` --- Abstract Base Classes":      "abc --- Abstract Base Classes",
		":class:`~django.db.models.Model` methods":  "Model methods",
		":ref:`The title <label>` and :pep:`8`":     "The title and PEP 8",
		"``**kwargs`` and *emphasis*, **strong**":   "**kwargs and emphasis, strong",
		"`A link <https://a.example/>`_ and `term`": "A link and term",
		`The \*args`:                        "The *args",
		":py:func:`!open` or :c:type:`int`": "open or int",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// Whatever the text, levels are gapless and titles have no line breaks.
func FuzzHeadings(f *testing.F) {
	for _, seed := range []string{"====\nBook\n====\n\nTitle\n=====\n", ":ref:`a <b>`\n-----------\n", "`\n==\n", "\\\n==\n\x00\n--\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		deepest := 0
		for _, h := range Headings(text) {
			if h.Level < 1 || h.Level > deepest+1 || strings.Contains(h.Text, "\n") {
				t.Fatalf("%+v after level %d", h, deepest)
			}
			deepest = max(deepest, h.Level)
		}
	})
}
