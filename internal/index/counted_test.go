package index

import "testing"

// A long list of a view with dead sections is counted once, and right.
func TestLiveSectionsAreCountedOnce(t *testing.T) {
	b := NewBuilder()
	const n = 3000
	for range n {
		b.StartDocument()
		b.Add("Title", "common")
	}
	s, err := Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	dead := make([]uint64, (n+63)/64)
	dead[0], dead[3] = 0b1011, 1
	view, whole := NewView(s, dead), NewView(s, nil)
	k, ok := s.find("common")
	if !ok {
		t.Fatal("the term is not there")
	}
	_, body := s.lists(k)
	for range 2 {
		if got := view.live(body); got != n-4 {
			t.Errorf("%d live sections, want %d", got, n-4)
		}
	}
	if kept, ok := view.counted.of(body); !ok || kept != n-4 || len(view.counted.live) != 1 {
		t.Errorf("remembered %d, %v", kept, ok)
	}
	if got := whole.live(body); got != n || whole.counted != nil {
		t.Errorf("%d live sections where none is dead", got)
	}
	short := postings{data: body.data[:minCounted-1], count: 1}
	view.live(short)
	if len(view.counted.live) != 1 {
		t.Error("a short list is remembered")
	}
}
