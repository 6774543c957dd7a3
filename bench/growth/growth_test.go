package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestExponent(t *testing.T) {
	n := []float64{10, 100, 1000}
	for want, x := range map[float64][]float64{0: {5, 5, 5}, 1: {2, 20, 200}, 0.5: {1, math.Sqrt(10), 10}, 2: {1, 100, 10000}} {
		if got := exponent(n, x); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v grows with %v, want %v", x, got, want)
		}
	}
}

// small are two trees; "otter" and "weasel" stand in one document each.
func small() []document {
	return []document{
		{path: "a/one.md", head: "---\ntitle: one\n---\n", units: []unit{{"One", "# One\nan otter and some words\n", 1}, {"Deep", "## Deep\nmore words", 2}}},
		{path: "a/two.md", units: []unit{{"Two", "# Two\nwords and a weasel, a Weasel\n", 1}, {"Low", "## Low\nfew words\n", 2}}},
		{path: "b/three.md", tree: 1, units: []unit{{"Three", "# Three\nother words\n", 1}}},
	}
}

func TestOwnWords(t *testing.T) {
	own := ownWords(small())
	for _, want := range []string{"otter", "weasel", "deep", "title", "three"} {
		if !own[want] {
			t.Errorf("%q is no word of one document's own", want)
		}
	}
	for _, shared := range []string{"words", "one", "few"} {
		if own[shared] {
			t.Errorf("%q is one", shared)
		}
	}
	if got := rename("A Weasel's otter_otter: 汉字 words.", own, "be"); got != "A Weaselbe's otterbe_otterbe: 汉字 words." {
		t.Error(got)
	}
}

// A round holds every section once more, below headings of its level; what was
// written first is as it was.
func TestRounds(t *testing.T) {
	folder := t.TempDir()
	m := newMaker(folder, small())
	if err := m.until(15); err != nil {
		t.Fatal(err)
	}
	if m.done.sections != 15 || m.done.files != 9 || m.done.real != 3 {
		t.Errorf("%+v", m.done)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := read("a/one.md"); got != "---\ntitle: one\n---\n# One\nan otter and some words\n## Deep\nmore words" {
		t.Errorf("%q", got)
	}
	for _, suffix := range []string{"be", "bi"} {
		var lines []string
		for _, name := range []string{"a/one.md", "a/two.md", "b/three.md"} {
			text := read("round-" + suffix + "/" + name)
			if !strings.HasPrefix(text[max(0, strings.Index(text, "# ")):], "# ") {
				t.Errorf("%s begins %q", name, text)
			}
			lines = append(lines, strings.Split(strings.TrimSpace(text), "\n")...)
		}
		for _, want := range []string{"an otter" + suffix + " and some" + suffix + " words", "## Deep" + suffix, "few words", "# Three" + suffix} {
			if n := len(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l != want })); n != 1 {
				t.Errorf("%q stands %d times in round %s: %q", want, n, suffix, lines)
			}
		}
	}
}
