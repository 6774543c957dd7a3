package kb

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

type place struct {
	ID               string
	Score, Relevance float64
}

func places(ranked []evergreen.PackedEntry) []place {
	var out []place
	for _, p := range ranked {
		out = append(out, place{p.ID, p.Score, p.Relevance})
	}
	return out
}

func TestRank(t *testing.T) {
	entries := []evergreen.Entry{
		{ID: "EG-202", Title: "Budgets · 预算", Summary: "token", Body: "预算 budget BUDGET", Tags: []string{"budget", "Token"}, Confidence: 0.97},
		{ID: "EG-101", Title: "Layers", Summary: "seven", Body: strings.Repeat("token ", 9), Confidence: 1},
		{ID: "EG-301", Title: "Density", Body: "nothing here", Confidence: 0.5},
	}
	for _, tt := range []struct {
		name, topic string
		want        []place
		matched     bool
	}{
		// EG-202: tags 4 + summary 3 = 7; x (0.85 + 0.97 x 0.15) = 6.9685, half
		// away from zero. EG-101: the body counts six times at most.
		{"one term", "token", []place{{"EG-202", 6.969, 1}, {"EG-101", 6, 0.861}}, true},
		// title 5 + body 1 for the pair, title 5 + tags 4 + body 2 for the word.
		{"two terms", "预算 budget", []place{{"EG-202", 16.924, 1}}, true},
		{"an id", "eg-301", []place{{"EG-301", 7.4, 1}}, true},
		{"substring of a word", "dens", []place{{"EG-301", 4.625, 1}}, true},
		{"no hit", "unrelated", []place{{"EG-101", 0.1, 0.17}, {"EG-202", 0.097, 0.17}, {"EG-301", 0.05, 0.17}}, false},
		{"empty topic", "", []place{{"EG-101", 0.1, 0.17}, {"EG-202", 0.097, 0.17}, {"EG-301", 0.05, 0.17}}, false},
		{"only stop words", "what is 什么", []place{{"EG-101", 0.1, 0.17}, {"EG-202", 0.097, 0.17}, {"EG-301", 0.05, 0.17}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ranked, matched := Rank(entries, tt.topic)
			if matched != tt.matched {
				t.Errorf("matched = %v", matched)
			}
			if diff := cmp.Diff(tt.want, places(ranked)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRankBreaksTiesByCodePoints(t *testing.T) {
	var entries []evergreen.Entry
	// U+10000 stands after U+FFFD as a code point, but before it in UTF-16.
	for _, id := range []string{"\U00010000", "\uFFFD", "b", "B", "a-2", "a-10"} {
		entries = append(entries, evergreen.Entry{ID: id, Title: "token", Confidence: 1})
	}
	ranked, _ := Rank(entries, "token")
	var ids []string
	for _, p := range ranked {
		ids = append(ids, p.ID)
	}
	want := []string{"B", "a-10", "a-2", "b", "\uFFFD", "\U00010000"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRankNothing(t *testing.T) {
	if ranked, matched := Rank(nil, "token"); matched || len(ranked) != 0 {
		t.Errorf("got %v, %v", ranked, matched)
	}
}

func TestRound3(t *testing.T) {
	for in, want := range map[float64]float64{
		0: 0, 0.0004: 0, 0.0005: 0.001, 6.0125: 6.013, 2.5: 2.5, -0.0005: -0.001, 11.9644: 11.964,
	} {
		if got := round3(in); got != want {
			t.Errorf("round3(%v) = %v, want %v", in, got, want)
		}
	}
}

// TestRankHolds checks what must be true whatever the entries: order, range,
// that the entries' own order does not matter and that a hit more never lowers
// a score.
func TestRankHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"token", "budget", "预算", "引用", "layer", "的", "API接口", "x"}
	pick := func(n int) string {
		var b strings.Builder
		for range rng.IntN(n + 1) {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		return b.String()
	}
	for range 300 {
		var entries []evergreen.Entry
		for i := range rng.IntN(8) {
			entries = append(entries, evergreen.Entry{
				ID: "E-" + string(rune('a'+i)), Title: pick(3), Summary: pick(3), Body: pick(12),
				Tags: strings.Fields(pick(3)), Confidence: float64(rng.IntN(101)) / 100,
			})
		}
		topic := pick(4)
		ranked, matched := Rank(entries, topic)
		for i, p := range ranked {
			if i > 0 && (ranked[i-1].Score < p.Score || ranked[i-1].Score == p.Score && ranked[i-1].ID >= p.ID) {
				t.Fatalf("order of %v", places(ranked))
			}
			if p.Relevance < 0 || p.Relevance > 1 || math.Abs(p.Score*1000-math.Round(p.Score*1000)) > 1e-6 {
				t.Fatalf("range of %v", places(ranked))
			}
		}
		if !matched && len(ranked) != len(entries) {
			t.Fatalf("%d of %d entries without a hit", len(ranked), len(entries))
		}
		slices.Reverse(entries)
		again, _ := Rank(entries, topic)
		if diff := cmp.Diff(ranked, again); diff != "" {
			t.Fatalf("order of entries matters (-want +got):\n%s", diff)
		}
		for i, e := range entries {
			more := e
			more.Title += " " + topic
			if before, after := rawScore(e, Terms(topic)), rawScore(more, Terms(topic)); after < before {
				t.Fatalf("entry %d: %d hits, with the topic in its title %d", i, before, after)
			}
		}
	}
}

func FuzzRank(f *testing.F) {
	f.Add("token 预算", "Budgets", "token token", 0.9)
	f.Add("", "", "", 1.0)
	f.Add("𠮷", "\xff", "的", 0.01)
	f.Fuzz(func(t *testing.T, topic, title, body string, confidence float64) {
		if !(confidence > 0 && confidence <= 1) {
			t.Skip()
		}
		entries := []evergreen.Entry{{ID: "A", Title: title, Body: body, Confidence: confidence}, {ID: "B", Body: title, Confidence: 1}}
		ranked, matched := Rank(entries, topic)
		if len(ranked) == 0 {
			t.Fatal("no answer")
		}
		if best := ranked[0].Relevance; matched && best != 1 || !matched && best != unmatchedRelevance {
			t.Errorf("best relevance %v, matched %v", best, matched)
		}
	})
}

func BenchmarkRank(b *testing.B) {
	var entries []evergreen.Entry
	for i := range 200 {
		entries = append(entries, evergreen.Entry{ID: "E", Title: "Budgets", Body: strings.Repeat("raise the budget 提高预算 ", 20+i%7), Confidence: 1})
	}
	for b.Loop() {
		Rank(entries, "how do I raise the token 预算")
	}
}
