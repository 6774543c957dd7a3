package engines

// This file judges what the engines find.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
type judged struct{ ndcg, hit float64 }

// Quality adds a table of how well the contenders answer the judged sets.
func Quality(ctx context.Context, s *study.Study, all []Contender) error {
	t := report.Table{Heading: "Quality: nDCG@10 (hit@5)", Columns: []string{"engine"}}
	found := map[string][]string{}
	var figures []report.Figure
	for _, c := range sets() {
		t.Columns = append(t.Columns, c.name)
		f := report.Figure{Name: c.name, Values: map[string]float64{}}
		for _, engine := range all {
			cell := "–"
			if c.language == "en" || engine.chinese {
				j, err := c.ask(ctx, s, engine)
				if err != nil {
					return fmt.Errorf("%s on %s: %w", engine.name, c.name, err)
				}
				cell = fmt.Sprintf("%.4f (%.3f)", j.ndcg, j.hit)
				f.Values[engine.name] = j.ndcg
			}
			found[engine.name] = append(found[engine.name], cell)
		}
		figures = append(figures, f)
	}
	for _, engine := range all {
		t.Add(append([]string{engine.name}, found[engine.name]...)...)
	}
	t.Note = report.Ahead(Ours, figures)
	s.Table(t)
	return nil
}

func (c set) ask(ctx context.Context, s *study.Study, engine Contender) (judged, error) {
	if engine.name == Ours {
		return c.eval(ctx, s)
	}
	units, err := s.Corpora.Units(c.name)
	if err != nil {
		return judged{}, err
	}
	pages := map[string]string{}
	for i, u := range units {
		pages[u.ID] = u.Page
		if c.byPage {
			units[i].Title += " " + words(u.Page)
		}
	}
	queries, err := s.Corpora.Queries(c.name)
	if err != nil {
		return judged{}, err
	}
	file, index := filepath.Join(s.Work, c.name+".jsonl"), filepath.Join(s.Work, "index-engines")
	if err := data.WriteLines(file, units); err != nil {
		return judged{}, err
	}
	if err := os.RemoveAll(index); err != nil {
		return judged{}, err
	}
	if _, err := engine.build(question{Units: file, Index: index, Language: c.language}); err != nil {
		return judged{}, err
	}
	a, err := engine.start()
	if err != nil {
		return judged{}, err
	}
	if _, _, err := a.do(question{Do: "open", Index: index, Language: c.language}); err != nil {
		return judged{}, err
	}
	var r score.Ranking
	for _, q := range queries {
		answer, _, err := a.do(question{Do: "search", Query: q.Text, Limit: depth})
		if err != nil {
			return judged{}, fmt.Errorf("%q: %w", q.Text, err)
		}
		if c.byPage {
			for i, id := range answer.IDs {
				answer.IDs[i] = pages[id]
			}
		}
		r.Add(answer.IDs, q.Relevant)
	}
	_, err = a.Stop()
	return judged{r.NDCG10(), r.Hit5()}, err
}

// eval asks the product's own command.
func (c set) eval(ctx context.Context, s *study.Study) (judged, error) {
	args := []string{"eval", "--corpus", s.Corpora.Path("retrieval", c.name, "corpus.jsonl.gz"),
		"--queries", s.Corpora.Path("retrieval", c.name, "queries.jsonl.gz"), "--json"}
	if c.byPage {
		args = append(args, "--by-page")
	}
	u, err := s.Program.Run(ctx, args...)
	if err != nil {
		return judged{}, err
	}
	var q struct{ NDCG10, Hit5 float64 }
	return judged{q.NDCG10, q.Hit5}, json.Unmarshal(u.Out, &q)
}

// words are those of a page's name.
func words(page string) string {
	return strings.NewReplacer("/", " ", "_", " ", "-", " ", ".", " ").Replace(strings.TrimSuffix(page, ".md"))
}
