// Passages measures what an agent reads until the right passage is before it:
// in tokens, with Evergreen's bundles, with whole pages, and with the answers
// of a peer.
package main

import (
	"context"
	"fmt"
	"path/filepath"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
	"evergreen/internal/text"
)

const (
	set       = "k8s-questions"
	mostHits  = 10 // that an agent reads before it gives up
	mostPages = 5  // five whole pages are above the largest budget
)

// budgets are in tokens.
func budgets() []int { return []int{500, 1000, 2000, 4000, 8000} }

func main() {
	study.Main("passages", "Tokens until the right passage", []string{
		"How many tokens does an agent read until a passage of the right page is before it?",
		"The judged set k8s-questions: 200 vague questions about the Kubernetes docs with one right page each, its pages put together as Markdown files. " +
			"All text that a tool returns counts, as o200k_base counts it, up to the end of the first passage of the right page; questions and calls do not. " +
			"An agent gives up after ten hits or five whole pages. The answers are the same in every run, so there is one.",
		"Evergreen: one call of `search_context` with the budget, nothing else set. " +
			"Whole pages: the pages in Evergreen's own order, each fetched whole by mcp-server-fetch 2026.10.10 (`fetch`, max_length 999,999, `--allow-private-ips`, because the pages are served over loopback as HTML); the search that leads to them is a gift. " +
			"The right page alone: the same, for an agent that knows the page beforehand. " +
			"jdocmunch-mcp " + jdocmunchVersion + ", without summaries and embeddings, which need a model elsewhere: `search_sections` with compact rows, then `get_section` for each hit in order; " +
			"and one call of `search_sections` with 1,000 bytes of each hit beside compact rows.",
	}, measure)
}

// way is one way to read: how many tokens it takes to the right passage of
// each question, 0 where it does not get there.
type way struct {
	name   string
	tokens []int
	within map[int][]bool // by budget, where the budget is asked for; nil: tokens decide
}

func (w way) found(question, budget int) bool {
	if w.within != nil {
		return w.within[budget][question]
	}
	return w.tokens[question] > 0 && w.tokens[question] <= budget
}

// task is what all of them are to do.
type task struct {
	folder  string
	queries []data.Judged
	files   map[string]string // page to file
	count   text.Estimator
}

func measure(ctx context.Context, s *study.Study) error {
	t, pages, err := prepare(s)
	if err != nil {
		return err
	}
	own, order, err := bundles(ctx, s, t)
	if err != nil {
		return err
	}
	ways := []way{own}
	read, why, err := wholePages(ctx, s, t, pages, order)
	if err != nil {
		return err
	}
	if why != "" {
		s.Absent("mcp-server-fetch", why)
	}
	ways = append(ways, read...)
	theirs, why, err := jdocmunch(ctx, s, t)
	if err != nil {
		return err
	}
	if why != "" {
		s.Absent("jdocmunch-mcp "+jdocmunchVersion, why)
	}
	ways = append(ways, theirs...)
	const other = "@arabold/docs-mcp-server@2.4.4"
	if _, why := peer.Node(ctx, filepath.Join(s.Work, "arabold"), other); why != "" {
		s.Absent("docs-mcp-server", why)
	} else {
		s.Absent("docs-mcp-server", other+" is there, but this program does not drive it")
	}
	s.Table(shares(ways, len(t.queries)))
	s.Table(costs(ways, len(t.queries)))
	return nil
}

// prepare writes the pages as files.
func prepare(s *study.Study) (t task, pages []data.Page, err error) {
	units, err := s.Corpora.Units(set)
	if err != nil {
		return t, nil, err
	}
	pages = data.Pages(units)
	t = task{folder: filepath.Join(s.Work, "pages-"+set), files: map[string]string{}, count: text.NewBPE()}
	for _, p := range pages {
		t.files[p.Name] = p.FileName()
	}
	if err := data.WritePages(t.folder, pages); err != nil {
		return t, nil, err
	}
	t.queries, err = s.Corpora.Queries(set)
	return t, pages, err
}

// right reports whether a file is that of a right page.
func (t task) right(q data.Judged, file string) bool {
	for page, grade := range q.Relevant {
		if grade > 0 && t.files[page] == file {
			return true
		}
	}
	return false
}

// shares is how often the passage is there within each budget.
func shares(ways []way, questions int) report.Table {
	t := report.Table{Heading: fmt.Sprintf("Found within a budget: share of %d questions", questions), Columns: []string{"way"}}
	var figures []report.Figure
	for _, b := range budgets() {
		t.Columns = append(t.Columns, report.Thousands(b)+" tokens")
		figures = append(figures, report.Figure{Name: report.Thousands(b), Values: map[string]float64{}})
	}
	for _, w := range ways {
		row := []string{w.name}
		for i, b := range budgets() {
			n := 0
			for q := range questions {
				if w.found(q, b) {
					n++
				}
			}
			share := float64(n) / float64(questions)
			figures[i].Values[w.name] = share
			row = append(row, fmt.Sprintf("%.3f", share))
		}
		t.Add(row...)
	}
	t.Note = report.Ahead(ways[0].name, figures)
	return t
}

// costs compares the tokens on the questions that both get right.
func costs(ways []way, questions int) report.Table {
	t := report.Table{Heading: "Tokens until the right passage", Columns: []string{"way", "questions answered", "tokens, median", "90th percentile",
		"answered by Evergreen too", "tokens / Evergreen's, median"},
		Note: "Evergreen's are those of its bundle of 2,000 tokens, up to the end of the first right passage."}
	for _, w := range ways {
		var tokens, ratios report.Sample
		for q := range questions {
			if w.tokens[q] == 0 {
				continue
			}
			tokens = append(tokens, float64(w.tokens[q]))
			if own := ways[0].tokens[q]; own > 0 {
				ratios = append(ratios, float64(w.tokens[q])/float64(own))
			}
		}
		t.Add(w.name, report.Thousands(len(tokens)), report.Number(tokens.Median()), report.Number(tokens.Percentile(90)),
			report.Thousands(len(ratios)), report.Number(ratios.Median()))
	}
	return t
}
