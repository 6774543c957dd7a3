package engines

// This file judges what the engines find.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"evergreen/internal/engine"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"
	"evergreen/bench/internal/study"
)

// depth is how many hits are asked for when quality is judged.
const depth = 100

// set is one judged set.
type set struct {
	name     string
	language string
	byPage   bool
}

func sets() []set {
	return []set{{"cranfield", "en", false}, {"cacm", "en", false}, {"k8s-questions", "en", true}, {"tidb-summaries-zh", "zh", true}}
}

// judged is how well one contender answered one set.
type judged struct {
	ndcg, hit float64
	each      []single // by query
}

// single is how well one query was answered; first is the rank of the first
// right answer among ten, 0 without one.
type single struct {
	ndcg  float64
	first int
}

func (c set) path(file string, s *study.Study) string {
	return s.Corpora.Path("retrieval", c.name, file+".jsonl.gz")
}

// Quality adds a table of how well the contenders answer the judged sets.
func Quality(ctx context.Context, s *study.Study, all []Contender) error {
	t := report.Table{Heading: "Quality: nDCG@10 (hit@5)", Columns: []string{"engine"}}
	found := map[string][]string{}
	var figures []report.Figure
	var wins []string
	for _, c := range sets() {
		t.Columns = append(t.Columns, c.name)
		f := report.Figure{Name: c.name, Values: map[string]float64{}}
		queries, err := s.Corpora.Queries(c.name)
		if err != nil {
			return err
		}
		contest := c.contest()
		answers, err := c.askAll(ctx, s, all, queries)
		if err != nil {
			return err
		}
		for i, engine := range all {
			cell := "–"
			if j := answers[i]; j != nil {
				cell = fmt.Sprintf("%.4f (%.3f)", j.ndcg, j.hit)
				f.Values[engine.name] = j.ndcg
				compare(contest, engine.name, queries, j.each)
			}
			found[engine.name] = append(found[engine.name], cell)
		}
		figures = append(figures, f)
		wins = append(wins, report.Wins(Ours, contest))
	}
	for _, engine := range all {
		t.Add(append([]string{engine.name}, found[engine.name]...)...)
	}
	t.Note = report.Ahead(Ours, figures) + "\n\n" + strings.Join(wins, "\n\n")
	s.Table(t)
	return nil
}

func (c set) contest() *report.Contest {
	return &report.Contest{Each: c.name + " query", Of: "nDCG@10", Format: func(x float64) string { return fmt.Sprintf("%.4f", x) }}
}

// compare notes how a contender answered the queries.
func compare(contest *report.Contest, name string, queries []data.Judged, each []single) {
	for i, q := range queries {
		question := q.ID + " " + report.Quote(q.Text)
		contest.Put(name, question, each[i].ndcg)
		rank := "no right answer among ten"
		if each[i].first > 0 {
			rank = fmt.Sprintf("first right answer at %d", each[i].first)
		}
		contest.Remark(name, question, rank)
	}
}

// askAll asks the contenders, as many at once as there are processors: nothing
// is timed. Who does not know the language has no answer.
func (c set) askAll(ctx context.Context, s *study.Study, all []Contender, queries []data.Judged) ([]*judged, error) {
	file, pages, err := c.write(s)
	if err != nil {
		return nil, err
	}
	answers, failed := make([]*judged, len(all)), make([]error, len(all))
	free := make(chan struct{}, runtime.NumCPU())
	var done sync.WaitGroup
	for i, engine := range all {
		if c.language != "en" && !engine.chinese {
			continue
		}
		done.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			var j judged
			var err error
			if engine.name == Ours {
				j, err = c.own(ctx, s, queries)
			} else {
				j, err = c.ask(engine, file, filepath.Join(s.Work, fmt.Sprint("index-quality-", i)), pages, queries)
			}
			if err != nil {
				failed[i] = fmt.Errorf("%s on %s: %w", engine.name, c.name, err)
			}
			answers[i] = &j
		})
	}
	done.Wait()
	return answers, errors.Join(failed...)
}

// write writes the units of the set, and returns their pages by id.
func (c set) write(s *study.Study) (file string, pages map[string]string, err error) {
	units, err := s.Corpora.Units(c.name)
	if err != nil {
		return "", nil, err
	}
	pages = map[string]string{}
	for i, u := range units {
		pages[u.ID] = u.Page
		if c.byPage {
			units[i].Title += " " + words(u.Page)
		}
	}
	file = filepath.Join(s.Work, c.name+".jsonl")
	return file, pages, data.WriteLines(file, units)
}

func (c set) ask(engine Contender, file, index string, pages map[string]string, queries []data.Judged) (j judged, err error) {
	if err := os.RemoveAll(index); err != nil {
		return j, err
	}
	defer os.RemoveAll(index)
	if _, err := engine.build(question{Units: file, Index: index, Language: c.language}); err != nil {
		return j, err
	}
	a, err := engine.start()
	if err != nil {
		return j, err
	}
	if _, _, err := a.do(question{Do: "open", Index: index, Language: c.language}); err != nil {
		return j, err
	}
	for _, q := range queries {
		answer, _, err := a.do(question{Do: "search", Query: q.Text, Limit: depth})
		if err != nil {
			return j, fmt.Errorf("%q: %w", q.Text, err)
		}
		if c.byPage {
			for i, id := range answer.IDs {
				answer.IDs[i] = pages[id]
			}
		}
		j.add(answer.IDs, q.Relevant)
	}
	_, err = a.Stop()
	return j.means(), err
}

// own asks what the product's command eval asks.
func (c set) own(ctx context.Context, s *study.Study, queries []data.Judged) (j judged, err error) {
	places := map[string][]engine.EvalPlace{}
	if _, err = engine.EvalFiles(ctx, engine.EvalRequest{Corpus: c.path("corpus", s), Queries: c.path("queries", s), ByPage: c.byPage,
		Each: func(query string, found []engine.EvalPlace) { places[query] = found }}); err != nil {
		return j, err
	}
	for _, q := range queries {
		ranked := make([]string, depth)
		for i := range ranked {
			ranked[i] = fmt.Sprint("another ", i)
		}
		for _, p := range places[q.ID] {
			if p.Rank <= len(ranked) {
				ranked[p.Rank-1] = p.ID
			}
		}
		j.add(ranked, q.Relevant)
	}
	return j.means(), nil
}

// add judges one ranking.
func (j *judged) add(ranked []string, relevant map[string]int) {
	var r score.Ranking
	r.Add(ranked, relevant)
	one := single{ndcg: r.NDCG10()}
	if r.MRR10() > 0 {
		one.first = int(math.Round(1 / r.MRR10()))
	}
	j.each = append(j.each, one)
	j.hit += r.Hit5()
	j.ndcg += r.NDCG10()
}

// means divides the sums.
func (j judged) means() judged {
	n := float64(max(1, len(j.each)))
	j.ndcg, j.hit = j.ndcg/n, j.hit/n
	return j
}

// words are those of a page's name.
func words(page string) string {
	return strings.NewReplacer("/", " ", "_", " ", "-", " ", ".", " ").Replace(strings.TrimSuffix(page, ".md"))
}
