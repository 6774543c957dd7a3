package index_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen/internal/index"
)

// broken is what a reader panics with.
type broken struct{}

func panics(do func()) (p any) {
	defer func() { p = recover() }()
	do()
	return nil
}

// TestPanicsAreTheCallers: what breaks a ranking, also in one of several segments
// that are read side by side, comes to the caller, and the next ranking is as if
// nothing had been.
func TestPanicsAreTheCallers(t *testing.T) {
	s, text := fed(t)
	many := make([]doc, 5000)
	for i := range many {
		many[i] = doc{"", "walrus"}
	}
	one, other := build(t, many...), build(t, many[:4500]...)
	for name, tt := range map[string]struct {
		views  []index.View
		query  string
		good   index.Options
		breaks func(o *index.Options)
	}{
		"in a text": {[]index.View{index.NewView(s, nil)}, eight, index.Options{Limit: 10, Text: text},
			func(o *index.Options) { o.Text = func(index.Ref) (string, string) { panic(broken{}) } }},
		"side by side": {[]index.View{index.NewView(one, nil), index.NewView(other, nil)}, "walrus",
			index.Options{Limit: 10, Less: func(a, b index.Ref) bool { return a.Section < b.Section || a.Section == b.Section && a.View < b.View }},
			func(o *index.Options) { o.Less = func(index.Ref, index.Ref) bool { panic(broken{}) } }},
	} {
		t.Run(name, func(t *testing.T) {
			var r index.Ranker
			query := index.ParseQuery(tt.query)
			want, total := r.Rank(tt.views, query, tt.good)
			if total == 0 {
				t.Fatal("nothing is found")
			}
			bad := tt.good
			tt.breaks(&bad)
			for range 3 {
				if p := panics(func() { r.Rank(tt.views, query, bad) }); p != (broken{}) {
					t.Fatalf("the caller sees %v", p)
				}
				got, n := r.Rank(tt.views, query, tt.good)
				if diff := cmp.Diff(want, got); diff != "" || n != total {
					t.Errorf("afterwards %d of %d: %s", n, total, diff)
				}
			}
		})
	}
}
