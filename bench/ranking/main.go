// Ranking takes the parts of the ranking away one by one, on the judged sets and
// on both halves of their queries.
package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"evergreen/internal/engine"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

func main() {
	study.Main("ranking", "What each part of the ranking is worth", []string{
		"How much does each part of the ranking help or hurt, and does it do so on both halves of the queries?",
		"A second implementation of docs/adr/0004-ranking.md, in plain floating point and without an index, so that its parts can be taken away; " +
			"the first row is the program itself, by what `evergreen eval` calls. Each cell is nDCG@10 over all queries, then over the 1st, 3rd, 5th ... and over the 2nd, 4th, 6th ... of the set. " +
			"Differences of less than .01 are noise on sets of this size.",
	}, measure)
}

type variant struct {
	name string
	set  func(*model)
}

func variants() []variant {
	return []variant{
		{"all parts", func(*model) {}},
		{"without learning from the best (long questions)", func(m *model) { m.feedback = 0 }},
		{"learning for every question", func(m *model) { m.feedbackWords = 1 }},
		{"learning at twice the weight", func(m *model) { m.feedback = .3 }},
		{"without the evidence of documents", func(m *model) { m.evidence = 0 }},
		{"evidence of documents a half", func(m *model) { m.evidence = .5 }},
		{"a document frequency for each field", func(m *model) { m.ownFrequency = true }},
		{"length of titles as of bodies (b 0.6)", func(m *model) { m.titleB = .6 }},
		{"length of bodies as usual (b 0.75)", func(m *model) { m.bodyB = .75 }},
		{"repeated words in proportion", func(m *model) { m.k3 = 0 }},
		{"words that ask for texts ranked by", func(m *model) { m.requests = false }},
		{"questions with a quoted phrase learn too", func(m *model) { m.quoteLearns = true }},
		{"without the lift of quoted phrases", func(m *model) { m.phrase = 1 }},
		{"none of these: two BM25 fields, b 0.75", func(m *model) { *m = model{titleB: .75, bodyB: .75, ownFrequency: true} }},
	}
}

func measure(ctx context.Context, s *study.Study) error {
	t := report.Table{Columns: []string{"ranking"}}
	var sets []*judged
	itself := []string{"Evergreen itself"}
	for _, c := range []struct {
		name   string
		byPage bool
	}{{"cranfield", false}, {"cacm", false}, {"k8s-questions", true}, {"tidb-summaries-zh", true}} {
		set, err := read(s.Corpora, c.name, c.byPage)
		if err != nil {
			return err
		}
		q, err := engine.EvalFiles(ctx, engine.EvalRequest{ByPage: c.byPage,
			Corpus: s.Corpora.Path("retrieval", c.name, "corpus.jsonl.gz"), Queries: s.Corpora.Path("retrieval", c.name, "queries.jsonl.gz")})
		if err != nil {
			return err
		}
		sets, itself = append(sets, set), append(itself, fmt.Sprintf("%.4f", q.NDCG10))
		t.Columns = append(t.Columns, fmt.Sprintf("%s (%d)", c.name, len(set.queries)))
	}
	t.Add(itself...)
	for _, v := range variants() {
		m := whole()
		v.set(&m)
		row := make([]string, len(sets))
		var done sync.WaitGroup
		for i, set := range sets {
			done.Go(func() { row[i] = m.measure(set) })
		}
		done.Wait()
		t.Add(append([]string{v.name}, row...)...)
	}
	t.Note = agreement(t)
	s.Table(t)
	return nil
}

// agreement says whether the second implementation ranks as the program does,
// from the table's first two rows.
func agreement(t report.Table) string {
	var differ []string
	for i, itself := range t.Rows[0][1:] {
		if all, _, _ := strings.Cut(t.Rows[1][i+1], " "); all != itself {
			differ = append(differ, t.Columns[i+1])
		}
	}
	if len(differ) > 0 {
		return "**The two implementations differ** on " + strings.Join(differ, ", ") + ": one of them is not what the decision says."
	}
	return "Both implementations agree on every set to four digits."
}

// measure is the cell of one set: the mean over all queries, and over halves.
func (m model) measure(s *judged) string {
	var sum, n [2]float64
	for i, q := range s.queries {
		sum[i%2] += ndcg(s, m.rank(s, q.Text), q)
		n[i%2]++
	}
	score := func(sum, n float64) string { return strconv.FormatFloat(sum/max(n, 1), 'f', 4, 64) }
	return fmt.Sprintf("%s (%s, %s)", score(sum[0]+sum[1], n[0]+n[1]), score(sum[0], n[0]), score(sum[1], n[1]))
}

// ndcg is nDCG@10 with binary gains (Järvelin and Kekäläinen, 2002).
func ndcg(s *judged, ranked []int, q data.Judged) float64 {
	ideal, gain, wanted, place := 0.0, 0.0, 0, 0
	for _, grade := range q.Relevant {
		if grade > 0 && wanted < 10 {
			wanted++
			ideal += 1 / math.Log2(float64(wanted+1))
		}
	}
	seen := map[string]bool{}
	for _, i := range ranked {
		unit := s.sections[i].ID
		if s.byPage {
			unit = s.sections[i].Page
		}
		if seen[unit] {
			continue
		}
		seen[unit] = true
		if place++; place > 10 {
			break
		}
		if q.Relevant[unit] > 0 {
			gain += 1 / math.Log2(float64(place+1))
		}
	}
	if ideal == 0 {
		return 0
	}
	return gain / ideal
}
