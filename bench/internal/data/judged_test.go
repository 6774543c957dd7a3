package data

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPagesArePutTogether(t *testing.T) {
	units := []Unit{
		{"b#0", "b", "B", "text of b"},
		{"a/x.md#0", "a/x.md", "A", "first"},
		{"a/x.md#1", "a/x.md", "A / Deep / Deeper", "second"},
	}
	want := []Page{{"a/x.md", "# A\n\nfirst\n\n### Deeper\n\nsecond\n\n"}, {"b", "# B\n\ntext of b\n\n"}}
	got := Pages(units)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	dir := t.TempDir()
	if err := WritePages(dir, got); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a~x.md")); err != nil || string(text) != want[0].Markdown {
		t.Errorf("%q, %v", text, err)
	}
}

func TestLinesAreReadAsTheyWereWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "units.jsonl")
	want := []Unit{{"1", "", "<T>", "a\nb"}, {"2", "p", "", "汉字"}}
	if err := WriteLines(file, want); err != nil {
		t.Fatal(err)
	}
	var got []Unit
	if err := ReadLines(file, func(u Unit) error { got = append(got, u); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
