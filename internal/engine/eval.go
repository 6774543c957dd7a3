package engine

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"strings"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/kb"
)

// evalDepth is how many sections are ranked per query when pages are judged: a
// page counts by its best section.
const evalDepth = 100

// EvalRequest names a judged set: JSON lines, gzip-compressed when the name
// ends in .gz. Corpus lines are {"id","page","title","body"}, query lines
// {"id","text","relevant":{id or page: grade}}.
type EvalRequest struct {
	Corpus, Queries string
	ByPage          bool
	Mode            string
	// Each, when set, is told where each query's wanted units were found.
	Each func(query string, found []EvalPlace)
}

// EvalPlace is where a wanted section or page was found, from 1.
type EvalPlace struct {
	Rank int
	ID   string
}

// EvalResult is retrieval quality: means over the queries. NDCG10 counts any
// positive grade as relevant (Järvelin and Kekäläinen, 2002, binary gains).
type EvalResult struct {
	NDCG10  float64 `json:"ndcg10"`
	Hit5    float64 `json:"hit5"`
	MRR10   float64 `json:"mrr10"`
	Queries int     `json:"queries"`
}

type evalSection struct{ ID, Page, Title, Body string }

type evalQuery struct {
	ID, Text string
	Relevant map[string]int
}

// EvalFiles indexes the corpus in memory and measures how well its judged
// queries are answered.
func EvalFiles(ctx context.Context, req EvalRequest) (EvalResult, error) {
	var corpus []evalSection
	if err := readLines(req.Corpus, func(line []byte) error {
		var s evalSection
		err := json.Unmarshal(line, &s)
		corpus = append(corpus, s)
		return err
	}); err != nil {
		return EvalResult{}, err
	}
	if req.ByPage {
		for i := range corpus {
			corpus[i].Title += " " + pathWords(corpus[i].Page)
		}
	}
	rank, err := evalRanker(corpus, req.Mode)
	if err != nil {
		return EvalResult{}, err
	}
	var sum EvalResult
	err = readLines(req.Queries, func(line []byte) error {
		var q evalQuery
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		units := unitsOf(rank(q.Text), corpus, req.ByPage)
		sum.add(judge(units, q))
		if req.Each != nil {
			req.Each(q.ID, placesOf(units, q))
		}
		return nil
	})
	if err != nil || sum.Queries == 0 {
		return sum, err
	}
	n := float64(sum.Queries)
	return EvalResult{sum.NDCG10 / n, sum.Hit5 / n, sum.MRR10 / n, sum.Queries}, nil
}

// evalRanker returns a function from a question to corpus positions, best
// first.
func evalRanker(corpus []evalSection, mode string) (func(string) []int, error) {
	switch mode {
	case "", evergreen.ModeAuto, evergreen.ModeBM25:
		return bm25Ranker(corpus)
	case evergreen.ModeWeighted:
		return weightedRanker(corpus), nil
	}
	return nil, unknownMode(mode)
}

func bm25Ranker(corpus []evalSection) (func(string) []int, error) {
	builder := index.NewBuilder()
	for i, s := range corpus {
		if i == 0 || s.Page != corpus[i-1].Page {
			builder.StartDocument()
		}
		builder.Add(s.Title, s.Body)
	}
	seg, err := index.Open(builder.Bytes())
	if err != nil {
		return nil, err
	}
	views := []index.View{index.NewView(seg, nil)}
	var ranker index.Ranker
	return func(q string) []int {
		hits, _ := ranker.Rank(views, index.ParseQuery(q), index.Options{
			Limit: evalDepth,
			Less:  func(a, b index.Ref) bool { return corpus[a.Section].ID < corpus[b.Section].ID },
			Text: func(r index.Ref) (string, string) {
				return corpus[r.Section].Title, corpus[r.Section].Body
			},
		})
		out := make([]int, len(hits))
		for i, h := range hits {
			out[i] = int(h.Section)
		}
		return out
	}, nil
}

func (r *EvalResult) add(o EvalResult) {
	r.NDCG10 += o.NDCG10
	r.Hit5 += o.Hit5
	r.MRR10 += o.MRR10
	r.Queries++
}

// unitsOf returns the ids that are judged, best first and each once: those of
// the ranked sections, or of their pages.
func unitsOf(ranked []int, corpus []evalSection, byPage bool) []string {
	var units []string
	seen := map[string]bool{}
	for _, i := range ranked {
		unit := corpus[i].ID
		if byPage {
			unit = corpus[i].Page
		}
		if !seen[unit] {
			seen[unit] = true
			units = append(units, unit)
		}
	}
	return units
}

func placesOf(units []string, q evalQuery) (found []EvalPlace) {
	for i, unit := range units {
		if q.Relevant[unit] > 0 {
			found = append(found, EvalPlace{i + 1, unit})
		}
	}
	return found
}

func judge(units []string, q evalQuery) EvalResult {
	var out EvalResult
	var ideal, gain float64
	relevant := 0
	for _, grade := range q.Relevant {
		if grade > 0 {
			relevant++
		}
	}
	for i := 0; i < min(relevant, 10); i++ {
		ideal += 1 / math.Log2(float64(i+2))
	}
	for _, p := range placesOf(units[:min(10, len(units))], q) {
		gain += 1 / math.Log2(float64(p.Rank+1))
		if p.Rank <= 5 {
			out.Hit5 = 1
		}
		out.MRR10 = max(out.MRR10, 1/float64(p.Rank))
	}
	if ideal > 0 {
		out.NDCG10 = gain / ideal
	}
	return out
}

func readLines(name string, f func(line []byte) error) error {
	file, err := os.Open(name)
	if err != nil {
		return evergreen.Errorf(evergreen.NotFound, "open %s: %w", name, err).Fix("Name a file of JSON lines, .gz allowed.")
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			return evergreen.Errorf(evergreen.Invalid, "read %s: %w", name, err)
		}
	}
	lines := bufio.NewReaderSize(r, 1<<20)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			if ferr := f(line); ferr != nil {
				return evergreen.Errorf(evergreen.Invalid, "%s line %d: %w", name, number, ferr)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return evergreen.Errorf(evergreen.Invalid, "read %s: %w", name, err)
		}
	}
}

// weightedRanker ranks with the integer form of weighted retrieval, for
// comparison.
func weightedRanker(corpus []evalSection) func(string) []int {
	at := map[string]int{}
	for i, s := range corpus {
		at[s.ID] = i
	}
	rows := func(yield func(kb.Row) bool) {
		for _, s := range corpus {
			if !yield(kb.Row{ID: s.ID, Title: s.Title, DocPath: s.Page}) {
				return
			}
		}
	}
	return func(q string) []int {
		best, _ := kb.RankInteger(rows, q, evalDepth)
		out := make([]int, len(best))
		for i, b := range best {
			out[i] = at[b.ID]
		}
		return out
	}
}
