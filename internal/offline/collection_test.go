package offline

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

func each(documents ...Document) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, d := range documents {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func filesOf(t *testing.T, documents ...Document) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := WriteCollection("web", each(documents...), func(file string, data []byte) error {
		files[file] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var guide = Document{Path: "guide/use_hooks.md", Title: "Hooks", Sections: []evergreen.Entry{
	{ID: "web::guide/use_hooks.md::hooks#0", Title: "Hooks", Summary: "About hooks.", Body: "About hooks.", Confidence: 1, Tokens: 5, URL: "/docs/web/guide/use_hooks"},
	{ID: "web::guide/use_hooks.md::use-effect#1", Title: "Use effect", Anchor: "use-effect", Body: "Effects run. Effects end. 副作用", Confidence: 1, Tokens: 12},
	{ID: "web::guide/use_hooks.md::use-effect/when#2", Title: "When?", Anchor: "own", Body: "  ", Confidence: 1, Tokens: 2},
	{ID: "web::guide/use_hooks.md::use-effect/h1234#0", Title: "？", Anchor: "h1234", Body: "x", Confidence: 1, Tokens: 2},
}}

// decoded is an index read back.
type decoded struct {
	head     indexHead
	lengths  []uint64
	postings map[string]string // term to "section:frequency" of titles | of bodies
	words    []string
}

func decode(t *testing.T, data []byte) decoded {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := bytes.CutPrefix(raw, []byte(indexMagic))
	if !ok {
		t.Fatalf("begins with %q", raw[:4])
	}
	number := func() uint64 {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			t.Fatal("cut off")
		}
		rest = rest[n:]
		return v
	}
	var blocks [4][]byte
	for i := range blocks {
		size := number()
		blocks[i], rest = rest[:size], rest[size:]
	}
	d := decoded{postings: map[string]string{}}
	if err := json.Unmarshal(blocks[0], &d.head); err != nil {
		t.Fatal(err)
	}
	for rest = blocks[1]; len(rest) > 0; {
		d.lengths = append(d.lengths, number())
	}
	var terms []string
	before := ""
	for rest = blocks[2]; len(rest) > 0; {
		head, size := number(), number()
		term := before[:head>>1] + string(rest[:size])
		rest = rest[size:]
		if head&1 != 0 {
			d.words = append(d.words, term)
		}
		terms = append(terms, term)
		before = term
	}
	if !slices.IsSorted(terms) {
		t.Errorf("terms are out of order: %q", terms)
	}
	rest = blocks[3]
	for _, term := range terms {
		var fields []string
		for range 2 {
			count, size := number(), number()
			end := len(rest) - int(size)
			var list []string
			section := -1
			for len(rest) > end {
				v := number()
				section += int(v >> 1)
				frequency := uint64(1)
				if v&1 == 0 {
					frequency = number()
				}
				list = append(list, fmt.Sprintf("%d:%d", section, frequency))
			}
			if len(list) != int(count) {
				t.Errorf("%q: %d postings, said to be %d", term, len(list), count)
			}
			fields = append(fields, strings.Join(list, " "))
		}
		d.postings[term] = strings.Join(fields, " | ")
	}
	return d
}

func TestIndexHoldsTermsOfTitlesAndBodies(t *testing.T) {
	d := decode(t, filesOf(t, guide)[IndexName])
	for term, want := range map[string]string{
		"effect":      "1:1 2:1 3:1 | 1:2",     // the chain of headings counts for those below
		"\x01effects": " | 1:2",                // as it was written
		"hook":        "0:2 1:2 2:2 3:2 | 0:1", // document title and path
		"guid":        "0:1 1:1 2:1 3:1 | ",    // path
		"副作":          " | 1:1",                // pairs
		"x":           " | 3:1",
	} {
		if got := d.postings[term]; got != want {
			t.Errorf("%q: got %s, want %s", term, got, want)
		}
	}
	// Hooks, guide, use, hooks; that and Use, effect; those and When ("?" is no word).
	if diff := cmp.Diff([]uint64{4, 6, 7, 6}, d.lengths[:4]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"effect", "end", "run"}, d.words); diff != "" { // not "hook" and "guid": stems only
		t.Error(diff)
	}
}

func TestIndexDescribesSections(t *testing.T) {
	h := decode(t, filesOf(t, guide)[IndexName]).head
	text := func(s string) *string { return &s }
	want := indexHead{
		Collection: "web", Shards: []int{0},
		Documents: []headDocument{{Path: guide.Path, Title: "Hooks", URL: "/docs/web/guide/use_hooks", Sections: 4, Confidence: 1}},
		Titles:    []string{"Hooks", "Use effect", "When?", "？"},
		Leaves:    []*string{nil, nil, nil, text("h1234")},
		Anchors:   []*string{text(""), nil, text("own"), nil},
		Levels:    []int{0, 1, 2, 0}, Parents: []int{0, 0, 1, 2},
		Tokens:    []int{5, 12, -2, 2}, // nothing stands below "When?"
		Summaries: []string{"About hooks.", "", "", ""},
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Error(diff)
	}
}

func TestCuratedEntriesStandAlone(t *testing.T) {
	h := decode(t, filesOf(t, Document{Path: "context.json", Sections: []evergreen.Entry{
		{ID: "EG-1", Title: "One", Curated: true, Category: "fact", Tags: []string{"a"}, Confidence: .5, Updated: "2026-01-02", URL: "/context.json#EG-1"},
		{ID: "EG-2", Title: "Two", Curated: true, Confidence: 1},
	}})[IndexName]).head
	want := []headDocument{
		{Path: "context.json", URL: "/context.json#EG-1", Sections: 1, Curated: true, Category: "fact", Tags: []string{"a"}, Confidence: .5, Updated: "2026-01-02"},
		{Path: "context.json", Sections: 1, Curated: true, Confidence: 1},
	}
	if diff := cmp.Diff(want, h.Documents); diff != "" {
		t.Error(diff)
	}
}

func TestTextsAreCutIntoShards(t *testing.T) {
	half := strings.Repeat("x", shardBytes/2)
	d := Document{Path: "a.md", Title: "A"}
	for i, body := range []string{half[1:], half, "y", half, half, "z"} {
		d.Sections = append(d.Sections, evergreen.Entry{ID: fmt.Sprintf("web::a.md::s%d#1", i), Title: "T", Summary: "s", Body: body, Tokens: 1})
	}
	files := filesOf(t, d)
	if diff := cmp.Diff([]int{0, 2, 5}, decode(t, files[IndexName]).head.Shards); diff != "" {
		t.Error(diff)
	}
	var texts [][2]string
	if err := json.Unmarshal(files[TextsName(1)], &texts); err != nil {
		t.Fatal(err)
	}
	if len(texts) != 3 || texts[0] != [2]string{"s", "y"} {
		t.Errorf("%d texts, the first is %.20q", len(texts), texts[0])
	}
	if len(files) != 4 {
		t.Errorf("wrote %v", slices.Sorted(maps.Keys(files)))
	}
}

func TestSummariesAreBounded(t *testing.T) {
	for _, n := range []int{summaryRunes - 1, summaryRunes, summaryRunes + 1} {
		got := shorten(strings.Repeat("字", n))
		if utf8.RuneCountInString(got) != min(n, summaryRunes) || strings.HasSuffix(got, "…") != (n > summaryRunes) {
			t.Errorf("%d characters become %d", n, utf8.RuneCountInString(got))
		}
	}
}

func TestEqualDocumentsGiveEqualFiles(t *testing.T) {
	if diff := cmp.Diff(filesOf(t, guide), filesOf(t, guide)); diff != "" {
		t.Error(diff)
	}
	if files := filesOf(t); len(files) != 1 || len(decode(t, files[IndexName]).postings) != 0 {
		t.Errorf("nothing gives %d files", len(files))
	}
}

func TestErrorsAreHandedOn(t *testing.T) {
	broken := errors.New("broken")
	failing := func(yield func(Document, error) bool) { yield(Document{}, broken) }
	if err := WriteCollection("web", failing, func(string, []byte) error { return nil }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := WriteCollection("web", each(guide), func(string, []byte) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
