package engine_test

import (
	"context"
	"strings"
	"testing"

	"evergreen"
)

// TestOutlinePages walks an outline a few sections at a time and wants every
// section once, in order.
func TestOutlinePages(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	whole, err := b.e.Outline(context.Background(), evergreen.OutlineRequest{Collection: "docs", Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, d := range whole.Documents {
		for _, s := range d.Sections {
			want = append(want, s.ID)
		}
	}
	if len(want) != 7 || whole.Total != 4 || whole.NextCursor != "" {
		t.Fatalf("outline = %v, total %d", want, whole.Total)
	}
	req := evergreen.OutlineRequest{Collection: "docs", Limit: 2}
	for range 10 {
		page, err := b.e.Outline(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, d := range page.Documents {
			for _, s := range d.Sections {
				got = append(got, s.ID)
				n++
			}
		}
		if n > 2 {
			t.Errorf("a page holds %d sections, want at most 2", n)
		}
		if req.Cursor = page.NextCursor; req.Cursor == "" {
			break
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("pages give\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	b.write(map[string]string{"more.md": "# More\n"})
	stale := req
	stale.Cursor = ""
	page, err := b.e.Outline(context.Background(), stale)
	if err != nil {
		t.Fatal(err)
	}
	b.index()
	stale.Cursor = page.NextCursor
	if _, err := b.e.Outline(context.Background(), stale); evergreen.KindOf(err) != evergreen.Conflict {
		t.Errorf("a cursor of an older state gives %v, want a conflict", err)
	}
}
