package index_test

import (
	"fmt"
	"strings"
	"testing"

	"evergreen/internal/index"
)

const (
	eight = "otter heron crane finch eagle raven robin lynx"
	seven = "otter heron crane finch eagle raven robin"
)

// fed is a segment whose first sections share a word, "ibex", that questions do
// not have. The last two differ by that word alone, the later one has it.
func fed(t *testing.T) (*index.Segment, func(index.Ref) (string, string)) {
	bodies := []string{eight + " ibex ibex ibex ibex", eight + " ibex ibex ibex ibex", eight + " vole"}
	for i := range 60 {
		bodies = append(bodies, fmt.Sprintf("unrelated words number %d", i))
	}
	bodies = append(bodies, "otter and a newt", "otter and an ibex")
	var docs []doc
	for _, b := range bodies {
		docs = append(docs, doc{"", b})
	}
	return build(t, docs...), func(r index.Ref) (string, string) { return "", bodies[r.Section] }
}

func TestLongQuestionsLearnFromTheBest(t *testing.T) {
	s, text := fed(t)
	last := uint32(s.Sections() - 1)
	for name, tc := range map[string]struct {
		query string
		text  func(index.Ref) (string, string)
		moves bool
	}{
		"eight words":            {eight, text, true},
		"seven words":            {seven, text, false},
		"the same word again":    {seven + " robins", text, false},
		"without texts":          {eight, nil, false},
		"a quoted phrase":        {`"otter heron" crane finch eagle raven robin lynx`, text, false},
		"another script as well": {eight + " 水獭", text, false},
	} {
		t.Run(name, func(t *testing.T) {
			var r index.Ranker
			got, total := r.Rank([]index.View{index.NewView(s, nil)}, index.ParseQuery(tc.query), index.Options{Limit: 10, Text: tc.text})
			if total != 5 || len(got) != 5 {
				t.Fatalf("%d hits, want 5: what is learned finds nothing by itself", total)
			}
			if moved := got[3].Section == last && got[3].Score > got[4].Score; moved != tc.moves {
				t.Errorf("places 4 and 5: %v", got[3:])
			}
		})
	}
}

// TestLearningDoesNotDependOnSegments cuts the sections differently, with dead
// ones between.
func TestLearningDoesNotDependOnSegments(t *testing.T) {
	var bodies []string
	words := strings.Fields(eight + " ibex vole newt toad moth wasp")
	for i := range 500 {
		var b strings.Builder
		for k := range 12 {
			b.WriteString(words[(i*i+k*(i%7+1))%len(words)] + " ")
		}
		fmt.Fprintf(&b, "word%d", i%50)
		bodies = append(bodies, b.String())
	}
	bodies[3] = strings.Repeat(eight+" ", 200) // too long to learn from
	ranking := func(size int) string {
		var views []index.View
		var starts []int
		for at := 0; at < len(bodies); at += size {
			docs := []doc{{"gone", eight}}
			for _, b := range bodies[at:min(at+size, len(bodies))] {
				docs = append(docs, doc{"", b})
			}
			views = append(views, index.NewView(build(t, docs...), []uint64{1, 0, 0, 0, 0, 0, 0, 0}))
			starts = append(starts, at-1)
		}
		number := func(r index.Ref) int { return starts[r.View] + int(r.Section) }
		var r index.Ranker
		got, total := r.Rank(views, index.ParseQuery("which "+eight+" toad"), index.Options{
			Limit: 40, Less: func(a, b index.Ref) bool { return number(a) < number(b) },
			Text: func(ref index.Ref) (string, string) { return "", bodies[number(ref)] },
		})
		var b strings.Builder
		fmt.Fprintln(&b, total)
		for _, g := range got {
			fmt.Fprintln(&b, number(g.Ref), g.Score)
		}
		return b.String()
	}
	whole := ranking(500)
	for _, size := range []int{250, 120, 64} {
		if got := ranking(size); got != whole {
			t.Errorf("in segments of %d:\n%s\nwant\n%s", size, got, whole)
		}
	}
}
