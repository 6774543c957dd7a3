package index_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen/internal/index"
)

type doc struct{ title, body string }

func build(t testing.TB, docs ...doc) *index.Segment {
	t.Helper()
	b := index.NewBuilder()
	for i, d := range docs {
		b.StartDocument()
		if n := b.Add(d.title, d.body); int(n) != i {
			t.Fatalf("section %d got number %d", i, n)
		}
	}
	s, err := index.Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func rank(s *index.Segment, q string, limit int) ([]index.Scored, int) {
	var r index.Ranker
	return r.Rank([]index.View{index.NewView(s, nil)}, index.ParseQuery(q), index.Options{Limit: limit})
}

// TestScoreIsBM25 compares with the formula written out: two fields, k1 1.2, b 1
// for titles and 0.6 for bodies, scores added. A term has one document
// frequency, that of the field where it is more common.
func TestScoreIsBM25(t *testing.T) {
	s := build(t,
		doc{"otter", "heron heron crane"},
		doc{"crane", "otter finch finch finch"},
		doc{"finch", ""},
	)
	part := func(tf, b, length, avg float64) float64 {
		idf := math.Log(1 + (3-1+0.5)/(1+0.5))
		return idf * tf * 2.2 / (tf + 1.2*(1-b+b*length/avg))
	}
	got, total := rank(s, "finch crane", 10)
	want := map[uint32]float64{
		0: part(1, .6, 3, 7.0/3),
		1: part(1, 1, 1, 1) + part(3, .6, 4, 7.0/3),
		2: part(1, 1, 1, 1),
	}
	if total != 3 || len(got) != 3 || got[0].Section != 1 {
		t.Fatalf("ranking = %v, total %d", got, total)
	}
	for _, g := range got {
		if math.Abs(g.Score-want[g.Section]) > 1e-5 {
			t.Errorf("section %d scores %v, want %v", g.Section, g.Score, want[g.Section])
		}
	}
}

func TestMatching(t *testing.T) {
	s := build(t,
		doc{"Effects", "Call useEffect to run an effect after rendering."},
		doc{"Config", "Set max_bytes in the settings file."},
		doc{"安装", "运行安装程序，防止幻觉的引用。"},
		doc{"Words", "The running runner runs."},
		doc{"Phrase", "valid for one day and then some"},
		doc{"Other", "one day it is valid for nothing"},
	)
	for _, tc := range []struct {
		query string
		want  []uint32
	}{
		{"useEffect", []uint32{0}},
		{"rendered", []uint32{0}},
		{"max_bytes", []uint32{1}},
		{"bytes", []uint32{1}},
		{"幻觉", []uint32{2}},
		{"引", []uint32{2}},
		{"安装程序", []uint32{2}},
		{"run", []uint32{3, 0}},
		{`"valid for one day"`, []uint32{4}},
		{`“valid for one day”`, []uint32{4}},
		{`「防止幻觉」`, []uint32{2}},
		{`"day one"`, nil},
		{"the of", nil},
		{"", nil},
		{"?!", nil},
	} {
		got, total := rank(s, tc.query, 10)
		var sections []uint32
		for _, g := range got {
			sections = append(sections, g.Section)
		}
		o := index.Options{Limit: 10, Text: func(r index.Ref) (string, string) {
			return "", []string{"", "", "防止幻觉的引用", "", "valid for one day and then some", "one day it is valid for nothing"}[r.Section]
		}}
		if strings.ContainsAny(tc.query, `"“「`) {
			var r index.Ranker
			hits, n := r.Rank([]index.View{index.NewView(s, nil)}, index.ParseQuery(tc.query), o)
			sections, total = nil, n
			for _, g := range hits {
				sections = append(sections, g.Section)
			}
		}
		if diff := cmp.Diff(tc.want, sections); diff != "" || total != len(tc.want) {
			t.Errorf("query %q, total %d (-want +got):\n%s", tc.query, total, diff)
		}
	}
}

// TestPhraseInQuestionLifts wants a quoted phrase within a longer question to
// put its holders first without hiding the others.
func TestPhraseInQuestionLifts(t *testing.T) {
	bodies := []string{"day day day one valid", "it lasts one day in all"}
	s := build(t, doc{"a", bodies[0]}, doc{"b", bodies[1]})
	var r index.Ranker
	got, total := r.Rank([]index.View{index.NewView(s, nil)}, index.ParseQuery(`valid "one day"`), index.Options{
		Limit: 5, Text: func(r index.Ref) (string, string) { return "", bodies[r.Section] },
	})
	if total != 2 || len(got) != 2 {
		t.Errorf("ranking = %v, total %d", got, total)
	}
}

// TestSegmentsDoNotMatter splits the same sections over segments in different
// ways, with removed ones between, and wants the same scores.
func TestSegmentsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("otter heron crane finch eagle raven robin lynx ibex 幻觉 引用 预算")
	var docs []doc
	for range 120 {
		var body []string
		for range 5 + rng.IntN(40) {
			body = append(body, words[rng.IntN(len(words))])
		}
		docs = append(docs, doc{words[rng.IntN(len(words))], strings.Join(body, " ")})
	}
	whole := []index.View{index.NewView(build(t, docs...), nil)}
	var views []index.View
	offsets := []int{}
	for at := 0; at < len(docs); {
		n := min(1+rng.IntN(50), len(docs)-at)
		part := append([]doc{{"dead", "otter otter crane 幻觉"}}, docs[at:at+n]...)
		part = append(part, doc{"dead too", "finch"})
		dead := make([]uint64, (len(part)+63)/64)
		dead[0] |= 1
		dead[(len(part)-1)/64] |= 1 << ((len(part) - 1) % 64)
		views = append(views, index.NewView(build(t, part...), dead))
		offsets = append(offsets, at-1)
		at += n
	}
	number := func(r index.Ref) int { return offsets[r.View] + int(r.Section) }
	var r index.Ranker
	for _, q := range []string{"otter", "heron crane", "幻觉 finch", "幻", "eagle raven robin lynx", "dead"} {
		want, wantTotal := r.Rank(whole, index.ParseQuery(q), index.Options{Limit: 50})
		got, gotTotal := r.Rank(views, index.ParseQuery(q), index.Options{
			Limit: 50, Less: func(a, b index.Ref) bool { return number(a) < number(b) },
		})
		if gotTotal != wantTotal || len(got) != len(want) {
			t.Fatalf("query %q: total %d, want %d", q, gotTotal, wantTotal)
		}
		for i := range want {
			if number(got[i].Ref) != int(want[i].Section) || got[i].Score != want[i].Score {
				t.Errorf("query %q, place %d: section %d with %v, want %d with %v",
					q, i, number(got[i].Ref), got[i].Score, want[i].Section, want[i].Score)
			}
		}
	}
}

// TestManyPostingsRankAlike takes the way that ranks segments side by side.
func TestManyPostingsRankAlike(t *testing.T) {
	var docs []doc
	for i := range 8000 {
		docs = append(docs, doc{fmt.Sprintf("title %d", i%97), "otter " + strings.Repeat("heron ", i%13)})
	}
	whole := []index.View{index.NewView(build(t, docs...), nil)}
	var views []index.View
	for at := 0; at < len(docs); at += 2000 {
		views = append(views, index.NewView(build(t, docs[at:at+2000]...), nil))
	}
	number := func(r index.Ref) uint32 { return uint32(r.View)*2000 + r.Section }
	o := index.Options{Limit: 30, Less: func(a, b index.Ref) bool { return number(a) < number(b) },
		Allow: func(r index.Ref) bool { return number(r)%3 != 0 }}
	var r index.Ranker
	want, wantTotal := r.Rank(whole, index.ParseQuery("otter heron"), o)
	for range 5 {
		got, total := r.Rank(views, index.ParseQuery("otter heron"), o)
		if total != wantTotal || len(got) != len(want) {
			t.Fatalf("%d hits of %d, want %d of %d", len(got), total, len(want), wantTotal)
		}
		for i := range want {
			if number(got[i].Ref) != number(want[i].Ref) || got[i].Score != want[i].Score {
				t.Fatalf("place %d: %v, want %v", i, got[i], want[i])
			}
		}
	}
}

func TestFilterComesBeforeTheBest(t *testing.T) {
	var docs []doc
	for i := range 50 {
		docs = append(docs, doc{"t", strings.Repeat("otter ", 50-i)})
	}
	s := build(t, docs...)
	var r index.Ranker
	got, total := r.Rank([]index.View{index.NewView(s, nil)}, index.ParseQuery("otter"), index.Options{
		Limit: 3, Allow: func(r index.Ref) bool { return r.Section >= 40 },
	})
	if total != 10 || len(got) != 3 || got[0].Section < 40 {
		t.Errorf("ranking = %v, total %d", got, total)
	}
}

func TestKeywords(t *testing.T) {
	s := build(t, doc{"t", "Otter otter OTTER heron and heron the crane 引用引用 x1 about"})
	want := []string{"otter", "heron", "引用", "crane", "用引"}
	if diff := cmp.Diff(want, s.Keywords(0)); diff != "" {
		t.Errorf("keywords (-want +got):\n%s", diff)
	}
}

// TestAnswersOutliveTheSegment overwrites the bytes that a segment was opened
// from, as unmapping would.
func TestAnswersOutliveTheSegment(t *testing.T) {
	b := index.NewBuilder()
	b.Add("t", "narwhal narwhal otter")
	data := b.Bytes()
	s, err := index.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	keywords := s.Keywords(0)
	spellings := index.Suggest([]index.View{index.NewView(s, nil)}, index.ParseQuery("narwhalle"), 1)
	clear(data)
	if diff := cmp.Diff([]string{"narwhal", "otter"}, keywords); diff != "" {
		t.Errorf("keywords (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"narwhal"}, spellings); diff != "" {
		t.Errorf("spellings (-want +got):\n%s", diff)
	}
}

func TestSuggest(t *testing.T) {
	s := build(t, doc{"t", "configure the narwhal narwhal and its configuration"})
	views := []index.View{index.NewView(s, nil)}
	for q, want := range map[string]string{"narwhalle": "narwhal", "confgure": "configure", "narwhal": "", "xyzzy": ""} {
		got := strings.Join(index.Suggest(views, index.ParseQuery(q), 1), " ")
		if got != want {
			t.Errorf("Suggest(%q) = %q, want %q", q, got, want)
		}
	}
}

func TestSnippet(t *testing.T) {
	body := strings.Repeat("filler words here. ", 50) + "The narwhal keeps its keys. " + strings.Repeat("more filler. ", 50)
	got := index.ParseQuery("narwhal keys").Matcher().Snippet(body)
	if !strings.Contains(got, "narwhal keeps its keys") || len(got) > 300 || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
		t.Errorf("snippet = %q", got)
	}
	zh := strings.Repeat("这里是很多没有空格的文字", 60) + "防止幻觉的引用" + strings.Repeat("后面还有", 60)
	if got := index.ParseQuery("幻觉").Matcher().Snippet(zh); !strings.Contains(got, "幻觉") || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("Chinese snippet = %q", got)
	}
	if got := index.ParseQuery("nothing").Matcher().Snippet("short\ntext"); got != "short text" {
		t.Errorf("snippet without a match = %q", got)
	}
}

// TestOpenRefusesDamage cuts and flips a segment everywhere: it is refused, or
// read without a panic.
func TestOpenRefusesDamage(t *testing.T) {
	b := index.NewBuilder()
	for i := range 20 {
		b.Add(fmt.Sprintf("title %d", i), "otter heron 幻觉引用 useEffect max_bytes running")
	}
	data := b.Bytes()
	use := func(d []byte) {
		s, err := index.Open(d)
		if err != nil {
			return
		}
		rank(s, "otter 幻 effect", 5)
		index.Suggest([]index.View{index.NewView(s, nil)}, index.ParseQuery("oter"), 3)
		for i := range s.Sections() {
			s.Keywords(uint32(i))
		}
	}
	for n := range len(data) {
		if _, err := index.Open(data[:n]); err == nil {
			t.Fatalf("a segment cut to %d of %d bytes is accepted", n, len(data))
		}
		broken := []byte(string(data))
		broken[n] ^= 0xff
		use(broken)
	}
}

func FuzzQuery(f *testing.F) {
	s := build(f, doc{"otter", "heron 幻觉引用 useEffect max_bytes"}, doc{"中", "“quoted” 'text'"})
	for _, q := range []string{`"a b`, "“x” y", "幻", "\xff", "a_b-c.d", `""`, "「」"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		query := index.ParseQuery(q)
		var r index.Ranker
		got, total := r.Rank([]index.View{index.NewView(s, nil)}, query, index.Options{
			Limit: 5, Text: func(index.Ref) (string, string) { return "otter", "heron 幻觉引用" },
		})
		if len(got) > total || total > 2 {
			t.Errorf("query %q: %d hits, total %d", q, len(got), total)
		}
		query.Matcher().Snippet("heron 幻觉引用 useEffect")
	})
}

func BenchmarkRank(b *testing.B) {
	builder := index.NewBuilder()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 50_000 {
		var body strings.Builder
		for range 60 {
			fmt.Fprintf(&body, "w%d ", int(math.Exp(rng.Float64()*9)))
		}
		builder.Add(fmt.Sprintf("title w%d", i%500), body.String())
	}
	s, err := index.Open(builder.Bytes())
	if err != nil {
		b.Fatal(err)
	}
	views := []index.View{index.NewView(s, nil)}
	query := index.ParseQuery("w12 w190 w1500 w7000")
	var r index.Ranker
	b.ReportAllocs()
	for b.Loop() {
		r.Rank(views, query, index.Options{Limit: 10})
	}
}

func BenchmarkAdd(b *testing.B) {
	body := strings.Repeat("The server's configuration file lists useEffect, max_bytes and other running things. ", 20)
	b.SetBytes(int64(len(body)))
	builder := index.NewBuilder()
	for b.Loop() {
		builder.Add("Configuration of servers", body)
	}
}

// TestManySegmentsRankAsOne wants what is looked up side by side to come to the
// same: scores, order and number of hits.
func TestManySegmentsRankAsOne(t *testing.T) {
	var all []doc
	var views []index.View
	for i := range 60 {
		d := doc{fmt.Sprintf("otter %d", i%7), strings.Repeat("heron crane ", i%5) + fmt.Sprintf("finch w%d runningWater max_bytes", i)}
		all = append(all, d)
		views = append(views, index.NewView(build(t, d), nil))
	}
	whole := []index.View{index.NewView(build(t, all...), nil)}
	var r index.Ranker
	for _, q := range []string{"running otters w3 heron cranes max_bytes", "w17", "nowhere"} {
		want, wantTotal := r.Rank(whole, index.ParseQuery(q), index.Options{Limit: 9})
		got, total := r.Rank(views, index.ParseQuery(q), index.Options{Limit: 9})
		if total != wantTotal || len(got) != len(want) {
			t.Fatalf("%q: %d of %d hits, want %d of %d", q, len(got), total, len(want), wantTotal)
		}
		for i := range got {
			if got[i].Score != want[i].Score || uint32(got[i].View) != want[i].Section {
				t.Errorf("%q, hit %d: %+v, want %+v", q, i, got[i], want[i])
			}
		}
	}
}

// TestEveryTermIsFoundAmongMany wants terms looked up that begin alike, again and
// again in one segment.
func TestEveryTermIsFoundAmongMany(t *testing.T) {
	word := func(i int) string { return fmt.Sprintf("%x%sz%x", i%16, strings.Repeat("q", i%11), i) }
	const words = 40_000
	var docs []doc
	for i := 0; i < words; i += 100 {
		var b strings.Builder
		for k := range 100 {
			b.WriteString(word(i+k) + " ")
		}
		docs = append(docs, doc{"", b.String()})
	}
	s := build(t, docs...)
	for range 2 {
		for i := 0; i < words; i += 7 {
			if got, total := rank(s, word(i), 2); total != 1 || got[0].Section != uint32(i/100) {
				t.Fatalf("%q is found in %v, want section %d", word(i), got, i/100)
			}
			if _, total := rank(s, word(i+words), 2); total != 0 {
				t.Fatalf("%q is found", word(i+words))
			}
		}
	}
}
