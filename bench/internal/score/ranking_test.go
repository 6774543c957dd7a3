package score

import (
	"fmt"
	"strings"
	"testing"
)

func TestRanking(t *testing.T) {
	for _, c := range []struct {
		ranked, relevant string
		want             string // NDCG@10, hit@5, MRR@10
	}{
		{"a b c", "a", "1.000 1 1.000"},
		{"b a c", "a", "0.631 1 0.500"},
		{"b b a c", "a", "0.631 1 0.500"},
		{"b c d e f a", "a", "0.356 0 0.167"},
		{"a b c d e f g h i j k", "k", "0.000 0 0.000"},
		{"a b", "a b", "1.000 1 1.000"},
		{"x a y b", "a b", "0.651 1 0.500"},
		{"", "a", "0.000 0 0.000"},
	} {
		relevant := map[string]int{"never": 0}
		for _, r := range strings.Fields(c.relevant) {
			relevant[r] = 2
		}
		var r Ranking
		r.Add(strings.Fields(c.ranked), relevant)
		if got := fmt.Sprintf("%.3f %.0f %.3f", r.NDCG10(), r.Hit5(), r.MRR10()); got != c.want {
			t.Errorf("%s for %s: %s, want %s", c.ranked, c.relevant, got, c.want)
		}
	}
	var two Ranking
	two.Add([]string{"a"}, map[string]int{"a": 1})
	two.Add(nil, map[string]int{"a": 1})
	if two.NDCG10() != .5 || two.Hit5() != .5 || two.MRR10() != .5 {
		t.Errorf("means: %+v", two)
	}
}
