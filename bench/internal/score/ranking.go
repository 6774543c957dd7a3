package score

// This file judges rankings.

import "math"

// Ranking is how well queries were answered: means over them.
type Ranking struct {
	ndcg, hit, reciprocal float64
	queries               int
}

// Add judges one ranking, best first: NDCG@10 with binary gains (Järvelin and
// Kekäläinen, 2002), whether one of the first five is right, and the reciprocal
// rank among ten. An item that occurs again counts once.
func (r *Ranking) Add(ranked []string, relevant map[string]int) {
	ideal, gain, right := 0.0, 0.0, 0
	for _, grade := range relevant {
		if grade > 0 && right < 10 {
			right++
			ideal += 1 / math.Log2(float64(right+1))
		}
	}
	seen := map[string]bool{}
	first := 0
	for _, item := range ranked {
		if seen[item] || len(seen) == 10 {
			continue
		}
		seen[item] = true
		if relevant[item] > 0 {
			gain += 1 / math.Log2(float64(len(seen)+1))
			if first == 0 {
				first = len(seen)
			}
		}
	}
	r.queries++
	if ideal > 0 {
		r.ndcg += gain / ideal
	}
	if first > 0 {
		r.reciprocal += 1 / float64(first)
	}
	if first > 0 && first <= 5 {
		r.hit++
	}
}

// NDCG10 is the mean of NDCG@10.
func (r Ranking) NDCG10() float64 { return r.ndcg / float64(max(1, r.queries)) }

// Hit5 is the share of queries with a right answer among the first five.
func (r Ranking) Hit5() float64 { return r.hit / float64(max(1, r.queries)) }

// MRR10 is the mean reciprocal rank of the first right answer among ten.
func (r Ranking) MRR10() float64 { return r.reciprocal / float64(max(1, r.queries)) }
