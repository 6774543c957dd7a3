package measure

// This file holds the site's answers against judged questions.

import (
	"math"
	"strings"
)

// Query is a judged question: which entries or pages answer it. Keys are entry
// ids, doc_paths or addresses.
type Query struct {
	ID       string         `json:"id"`
	Text     string         `json:"text"`
	Relevant map[string]int `json:"relevant"` // grade, above 0 is relevant
}

// Quality is retrieval quality: means over the queries, binary grades (Järvelin
// and Kekäläinen, 2002).
type Quality struct {
	Queries int     `json:"queries"`
	NDCG10  float64 `json:"ndcg10"`
	Hit5    float64 `json:"hit5"`
	MRR10   float64 `json:"mrr10"`
}

const depth = 10

func (r *run) quality(golden []Query) *Quality {
	q := &Quality{}
	var gain, hits, rank float64
	for _, g := range golden {
		b, _, ok := r.ask(g.Text, "8000", "&limit="+itoa(depth))
		if !ok {
			continue
		}
		var marks []bool
		for _, e := range b.Entries {
			marks = append(marks, g.relevant(e.ID, e.DocPath, e.URL))
		}
		n, h, m := judge(marks, g.count())
		gain, hits, rank = gain+n, hits+h, rank+m
		q.Queries++
	}
	if q.Queries > 0 {
		n := float64(q.Queries)
		q.NDCG10, q.Hit5, q.MRR10 = round3(gain/n), round3(hits/n), round3(rank/n)
	}
	return q
}

func (g Query) count() int {
	n := 0
	for _, grade := range g.Relevant {
		if grade > 0 {
			n++
		}
	}
	return n
}

// relevant reports whether an entry answers the question.
func (g Query) relevant(id, docPath, address string) bool {
	for key, grade := range g.Relevant {
		if grade > 0 && (key == id || key == docPath && docPath != "" || address != "" && strings.HasSuffix(address, key)) {
			return true
		}
	}
	return false
}

// judge scores one ranking with the given number of relevant answers.
func judge(marks []bool, relevant int) (ndcg, hit, mrr float64) {
	ideal := 0.0
	for i := range min(relevant, depth) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	for i, good := range marks[:min(len(marks), depth)] {
		if !good {
			continue
		}
		ndcg += 1 / math.Log2(float64(i)+2)
		if i < 5 {
			hit = 1
		}
		if mrr == 0 {
			mrr = 1 / float64(i+1)
		}
	}
	if ideal > 0 {
		ndcg = math.Min(1, ndcg/ideal)
	}
	return ndcg, hit, mrr
}

func round3(f float64) float64 { return math.Round(f*1000) / 1000 }
