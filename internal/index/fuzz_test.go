package index_test

import (
	"fmt"
	"testing"

	"evergreen/internal/index"
)

// FuzzSegment: whatever bytes are taken for a segment, reading them ends, and
// touches nothing outside of them.
func FuzzSegment(f *testing.F) {
	small, large := index.NewBuilder(), index.NewBuilder()
	small.Add("title", "otter heron 幻觉引用")
	for i := range 70 { // more than one word of a bit set
		large.Add(fmt.Sprintf("title %d", i), "otter heron 幻觉引用 useEffect max_bytes running")
	}
	f.Add(small.Bytes(), []byte{1})
	f.Add(large.Bytes(), []byte{0xff, 0xff})
	f.Add([]byte("EGX1"), []byte{})
	f.Add(small.Bytes()[:60], []byte{})
	queries := []index.Query{index.ParseQuery("otter effect max_bytes"), index.ParseQuery("幻"), index.ParseQuery(`"otter heron"`), index.ParseQuery("ottre")}
	var ranker index.Ranker
	f.Fuzz(func(t *testing.T, data, dead []byte) {
		s, err := index.Open(data)
		if err != nil {
			return
		}
		var bits []uint64
		if len(dead) > 0 { // as long as the store makes it
			bits = make([]uint64, (s.Sections()+63)/64)
			for i := range bits {
				bits[i] = uint64(dead[i%len(dead)]) * 0x0101010101010101
			}
		}
		views := []index.View{index.NewView(s, bits), index.NewView(s, nil)}
		for _, q := range queries {
			best, total := ranker.Rank(views, q, index.Options{Limit: 3,
				Text: func(index.Ref) (string, string) { return "title", "otter heron" }})
			if len(best) > 3 || total > 2*s.Sections() {
				t.Errorf("%d results, %d in all, of %d sections", len(best), total, s.Sections())
			}
			for _, r := range best {
				s.Lengths(r.Section)
				s.Keywords(r.Section)
			}
			index.Suggest(views, q, 3)
		}
	})
}
