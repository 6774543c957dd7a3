// Retrieval measures whether the right passage is found: the judged sets of
// the corpora, with the program's own eval command.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

func main() {
	study.Main("retrieval", "Retrieval quality", []string{
		"Is the right passage among the first?",
		"`evergreen eval` on four judged sets: two classic collections with human judgements, vague questions about the Kubernetes docs with one right page each, " +
			"and the authors' own summaries of Chinese TiDB pages, taken out of the text. nDCG@10 with binary gains, means over the queries; the floor is for nDCG@10. " +
			"The same files give the same figures, so quality is measured once; seconds are of the whole process, indexing the set included.",
	}, measure)
}

// set is one judged set. In the last two a page counts by its best section.
type set struct {
	name   string
	byPage bool
	floor  float64
}

func measure(ctx context.Context, s *study.Study) error {
	t := report.Table{Columns: []string{"set", "queries", "nDCG@10", "floor", "holds", "hit@5", "MRR@10", "seconds", "spread", "nDCG@10 of mode weighted"}}
	for _, c := range []set{
		{"cranfield", false, .420}, {"cacm", false, .500}, {"k8s-questions", true, .370}, {"tidb-summaries-zh", true, .900},
	} {
		if err := c.measure(ctx, s, &t); err != nil {
			return err
		}
	}
	s.Table(t)
	return nil
}

// quality is what "evergreen eval --json" tells.
type quality struct {
	NDCG10, Hit5, MRR10 float64
	Queries             int
}

func (c set) measure(ctx context.Context, s *study.Study, t *report.Table) error {
	var first quality
	var seconds report.Sample
	if err := s.Each(func(run int) error {
		q, took, err := c.eval(ctx, s, "auto")
		if err == nil && run > 0 && q != first {
			err = fmt.Errorf("%s: run %d found %+v, the first %+v", c.name, run+1, q, first)
		}
		first, seconds = q, append(seconds, took)
		return err
	}); err != nil {
		return err
	}
	weighted, _, err := c.eval(ctx, s, "weighted")
	if err != nil {
		return err
	}
	verdict := report.AtLeast(report.Sample{first.NDCG10}, "", c.floor)
	t.Add(c.name, report.Thousands(first.Queries), score(first.NDCG10), verdict[2], verdict[3], score(first.Hit5), score(first.MRR10),
		report.Number(seconds.Median()), seconds.Spread(), score(weighted.NDCG10))
	return nil
}

func (c set) eval(ctx context.Context, s *study.Study, mode string) (q quality, seconds float64, err error) {
	args := []string{"eval", "--corpus", s.Corpora.Path("retrieval", c.name, "corpus.jsonl.gz"),
		"--queries", s.Corpora.Path("retrieval", c.name, "queries.jsonl.gz"), "--mode", mode, "--json"}
	if c.byPage {
		args = append(args, "--by-page")
	}
	u, err := s.Program.Run(ctx, args...)
	if err != nil {
		return q, 0, err
	}
	return q, u.Wall.Seconds(), json.Unmarshal(u.Out, &q)
}

func score(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }
