package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	headings := []heading{{1, "One", "# One"}, {2, "in code", "## `in` code"}, {2, "Kept", "## Kept {#explicit}"}, {3, "lost", "### lost"}}
	sections := []found{{Title: "One!", Level: 1}, {Title: "`in` code", Level: 2}, {Title: "Kept", Level: 2}, {Title: "lost", Level: 2}}
	var got tally
	got.add(headings, sections)
	if got != (tally{1, 1}) {
		t.Errorf("%+v: one heading has another level", got)
	}
}

func TestWithoutFrontMatter(t *testing.T) {
	for text, want := range map[string]string{
		"---\na: 1\n---\n# T\n":     "# T\n",
		"\uFEFF---\na: 1\n---\n# T": "# T",
		"+++\na = 1\n+++\ntext":     "text",
		"# T\n\n---\n\nno matter\n": "# T\n\n---\n\nno matter\n",
		"\uFEFF# T\n":               "# T\n",
		"---\nnever closed\n# T\n":  "---\nnever closed\n# T\n",
		"---\n---\nempty\n---\n# T": "empty\n---\n# T",
	} {
		if got := withoutFrontMatter(text); got != want {
			t.Errorf("%q leaves %q, want %q", text, got, want)
		}
	}
}

const text = "---\ntitle: x\n---\n# Top\n\nFirst words here.\n\n## A\n\n- item\n\n  ```js\n  code()\n  ```\n\n## B\n\nLast words.\n\n## C\n"

func TestClass(t *testing.T) {
	lines := strings.Split(text, "\n")
	want := map[int]line{5: prose, 7: title, 12: code, 15: title, 17: prose, 19: title}
	for i, c := range class(lines) {
		if c != want[i] {
			t.Errorf("line %d %q is %d, want %d", i, lines[i], c, want[i])
		}
	}
}

// Each kind of edit changes the document, and only as its name says.
func TestEdits(t *testing.T) {
	counted := func(lines []string) (n [4]int) {
		for _, c := range class(lines) {
			n[c]++
		}
		return n
	}
	before := strings.Split(text, "\n")
	was := counted(before)
	for i, k := range kinds() {
		after, ok := k.edit(rand.New(rand.NewPCG(1, 2)), slices.Clone(before), 7)
		if !ok || slices.Equal(before, after) {
			t.Errorf("%s changes nothing", k.name)
			continue
		}
		is := counted(after)
		want := [][2]int{{0, 0}, {1, 0}, {0, 0}, {1, 1}, {1, 1}, {0, 0}, {0, -1}, {0, 0}}[i]
		if is[prose]-was[prose] != want[0] || is[title]-was[title] != want[1] {
			t.Errorf("%s: %v, before %v:\n%s", k.name, is, was, strings.Join(after, "\n"))
		}
		if i == 2 && !slices.Contains(after, "  # comment 7") {
			t.Errorf("%s leaves the list item:\n%s", k.name, strings.Join(after, "\n"))
		}
	}
	for _, k := range kinds() {
		if _, ok := k.edit(rand.New(rand.NewPCG(1, 2)), []string{""}, 7); ok {
			t.Errorf("%s finds something in an empty document", k.name)
		}
	}
}

func TestRewordingKeepsAnExplicitID(t *testing.T) {
	for before, want := range map[string]string{"## A {#x}": "## Reworded 1 {#x}", "### B {/*y*/}": "### Reworded 1 {/*y*/}", "## C": "## Reworded 1"} {
		after, ok := kinds()[5].edit(rand.New(rand.NewPCG(1, 2)), []string{before}, 1)
		if !ok || after[0] != want {
			t.Errorf("%q becomes %q, want %q", before, after, want)
		}
	}
}

func TestChangedIDs(t *testing.T) {
	before := []found{{"a", "A", "1", 1}, {"b", "B", "2", 2}, {"c", "C", "3", 2}}
	for _, c := range []struct {
		name    string
		after   []found
		frees   bool
		ids     int
		changed int
	}{
		{"nothing", before, false, 3, 0},
		{"a text", []found{{"a", "A", "9", 1}, {"b", "B", "2", 2}, {"c", "C", "3", 2}}, false, 3, 0},
		{"an id gone", []found{{"a", "A", "1", 1}, {"x", "B", "2", 2}, {"c", "C", "3", 2}}, false, 3, 1},
		{"an id that names another text", []found{{"a", "A", "1", 1}, {"b", "C", "3", 2}, {"b-2", "B", "2", 2}}, false, 3, 2},
		{"a heading reworded", []found{{"a", "A", "1", 1}, {"x", "X", "9", 2}, {"c", "C", "3", 2}}, true, 2, 0},
	} {
		if ids, changed := changedIDs(before, c.after, c.frees); ids != c.ids || changed != c.changed {
			t.Errorf("%s: %d of %d, want %d of %d", c.name, changed, ids, c.changed, c.ids)
		}
	}
}
