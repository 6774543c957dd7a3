package index_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"evergreen/internal/index"
)

// documents builds a segment of documents, each with its bodies.
func documents(t testing.TB, list ...[]string) *index.Segment {
	t.Helper()
	b := index.NewBuilder()
	for _, bodies := range list {
		b.StartDocument()
		for _, body := range bodies {
			b.Add("", body)
		}
	}
	s, err := index.Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDocumentsSpeakForTheirSections wants equal sections to differ by what
// stands around them: one part in three is the mean of the five best sections of
// the document, or of all when there are fewer.
func TestDocumentsSpeakForTheirSections(t *testing.T) {
	const yes, no = "otter", "heron"
	for name, tc := range map[string]struct {
		bodies []string
		hits   float64 // among the five best, beside the first
		of     float64 // sections that are looked at
	}{
		"alone":               {[]string{yes}, 0, 1},
		"two of two":          {[]string{yes, yes}, 1, 2},
		"one of two":          {[]string{yes, no}, 0, 2},
		"two of five":         {[]string{yes, no, no, yes, no}, 1, 5},
		"one of six":          {[]string{yes, no, no, no, no, no}, 0, 5},
		"six of six":          {[]string{yes, yes, yes, yes, yes, yes}, 4, 5},
		"of a long document":  {append([]string{yes, yes}, strings.Split(strings.Repeat(no+" ", 98)+no, " ")...), 1, 5},
		"hits far from first": {append(strings.Split(strings.Repeat(no+" ", 69)+no, " "), yes, yes), 1, 5},
	} {
		t.Run(name, func(t *testing.T) {
			s := documents(t, []string{no}, tc.bodies, []string{no, no})
			got, _ := rank(s, yes, 1)
			df := 0.0
			for _, b := range tc.bodies {
				if b == yes {
					df++
				}
			}
			n := float64(s.Sections())
			own := math.Log(1+(n-df+.5)/(df+.5)) * 2.2 / (1 + 1.2)
			want := own * (2 + (1+tc.hits)/tc.of) / 3
			if len(got) != 1 || math.Abs(got[0].Score-want) > 1e-5 {
				t.Errorf("got %v, want a score of %v", got, want)
			}
		})
	}
}

// TestBestAreFoundAmongMany compares what is found by looking at few documents
// with the judging of every hit.
func TestBestAreFoundAmongMany(t *testing.T) {
	var list [][]string
	for i := range 900 {
		var bodies []string
		for k := range 1 + i*7%11 {
			bodies = append(bodies, strings.Repeat("otter ", (i*31+k*17)%9)+strings.Repeat("heron ", (i+k*5)%13)+"finch")
		}
		list = append(list, bodies)
	}
	for name, views := range map[string][]index.View{
		"one segment":    {index.NewView(documents(t, list...), nil)},
		"three segments": {index.NewView(documents(t, list[:300]...), nil), index.NewView(documents(t, list[300:310]...), nil), index.NewView(documents(t, list[310:]...), nil)},
		"dead sections":  {index.NewView(documents(t, list...), slices.Repeat([]uint64{0x10f0_0000_ffff_0001}, 90))},
	} {
		var r index.Ranker
		for _, q := range []string{"otter", "otter heron", "finch", "heron heron otter"} {
			for _, limit := range []int{1, 10, 100, 20_000} {
				got, total := r.Rank(views, index.ParseQuery(q), index.Options{Limit: limit})
				want, wantTotal := r.Rank(views, index.ParseQuery(q), index.Options{Limit: limit, Allow: func(index.Ref) bool { return true }})
				if total != wantTotal || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: %q, %d: %d hits, %d of all", name, q, limit, total, wantTotal)
				}
			}
		}
	}
}

func TestRepeatedWordsSaturate(t *testing.T) {
	s := build(t, doc{"", "otter"}, doc{"", "heron"}, doc{"", "finch"})
	score := func(q string) float64 {
		got, _ := rank(s, q, 1)
		return got[0].Score
	}
	once := score("otter")
	for n, want := range map[int]float64{2: 1.5, 4: 2, 100: 300. / 102} {
		if got := score(strings.Repeat("otter ", n)) / once; math.Abs(got-want) > 1e-5 {
			t.Errorf("%d times: weighs %v, want %v", n, got, want)
		}
	}
}

// TestRequestWordsAreSpared wants the words that ask for texts to count in short
// questions only.
func TestRequestWordsAreSpared(t *testing.T) {
	s := build(t, doc{"", "article"}, doc{"", "otter"}, doc{"", "heron"}, doc{"", "finch"}, doc{"", "crane"})
	for q, want := range map[string]int{
		"article":                               1,
		"article otter":                         2,
		"articles about otter heron finch":      4, // three other words: too few to spare one
		"articles on otter heron finch crane":   4,
		"what papers describe":                  0,
		"which papers discuss articles found":   1,
		"find otter, heron, finch and a crane.": 4,
	} {
		if _, total := rank(s, q, 10); total != want {
			t.Errorf("%q finds %d, want %d", q, total, want)
		}
	}
}
