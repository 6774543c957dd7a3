// Passages measures what an agent reads until the right passage is before it:
// in tokens, with Evergreen's bundles, with whole pages, and with the answers
// of a peer.
package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

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

// Peers in the versions that were the newest when this was written.
const (
	fetchVersion  = "2026.10.10"
	fetchPackage  = "mcp-server-fetch==" + fetchVersion
	serverVersion = "2.4.4"
	serverPackage = "@arabold/docs-mcp-server@" + serverVersion
)

func measure(ctx context.Context, s *study.Study) error {
	s.Peers(
		report.Peer{Name: "Evergreen", Version: "this commit", Options: "one call of `search_context` with the budget, nothing else set", Why: "what an agent does that knows its budget"},
		report.Peer{Name: "whole pages", Version: "mcp-server-fetch " + fetchVersion, Options: "`fetch` with max_length 999,999; `--allow-private-ips`; pages in Evergreen's own order, or the right one alone",
			Why: "whole pages are what agents without an index read; the pages are served over loopback as HTML; the search that leads to them is a gift"},
		report.Peer{Name: "jdocmunch-mcp, search and read", Version: jdocmunchVersion, Options: "`search_sections` with compact rows, then `get_section` of each hit in order; no summaries, no embeddings",
			Why: "the calls that its documentation recommends; summaries and embeddings need a model elsewhere"},
		report.Peer{Name: "jdocmunch-mcp, search with snippets", Version: jdocmunchVersion, Options: "one `search_sections` with compact rows and 1,000 bytes of each hit", Why: "its answer in a single call, as Evergreen's is"},
		report.Peer{Name: "docmunch, search and read pages", Version: "npm's " + docmunchVersion, Options: "`search_docs` with ten hits, then `read_page` of each in order; the pages laid as its `add` lays them",
			Why: "its two tools for this; pages are read whole, for the hits name no sections"},
	)
	t, pages, err := prepare(s)
	if err != nil {
		return err
	}
	own, order, err := bundles(ctx, s, t)
	if err != nil {
		return err
	}
	ways := []way{own}
	var others []func() ([]way, error)
	if folder, why := peer.Python(ctx, s.Work, fetchPackage); why != "" {
		s.Absent("mcp-server-fetch "+fetchVersion, why)
	} else {
		others = append(others, func() ([]way, error) { return wholePages(ctx, folder, t, pages, order) })
	}
	if folder, why := peer.Python(ctx, s.Work, "jdocmunch-mcp=="+jdocmunchVersion); why != "" {
		s.Absent("jdocmunch-mcp "+jdocmunchVersion, why)
	} else {
		others = append(others, func() ([]way, error) { return jdocmunch(ctx, folder, filepath.Join(s.Work, "jdocmunch-passages"), t) })
	}
	if folder, why := peer.Node(ctx, s.Work, "docmunch@"+docmunchVersion); why != "" {
		s.Absent("docmunch "+docmunchVersion, why)
	} else {
		others = append(others, func() ([]way, error) {
			return docmunch(ctx, folder, filepath.Join(s.Work, "docmunch-passages"), pages, t)
		})
	}
	theirs, err := sideBySide(others)
	if err != nil {
		return err
	}
	ways = append(ways, theirs...)
	if _, why := peer.Node(ctx, filepath.Join(s.Work, "arabold"), serverPackage); why != "" {
		s.Absent("docs-mcp-server "+serverVersion, why)
	} else {
		s.Absent("docs-mcp-server "+serverVersion, "it can be had, but this program does not drive it")
	}
	s.Table(shares(ways, t.queries))
	s.Table(costs(ways, t.queries))
	return nil
}

// sideBySide runs the peers at once, for nothing here is timed, and returns
// their ways in order.
func sideBySide(peers []func() ([]way, error)) (all []way, err error) {
	found, failed := make([][]way, len(peers)), make([]error, len(peers))
	var done sync.WaitGroup
	for i, run := range peers {
		done.Go(func() { found[i], failed[i] = run() })
	}
	done.Wait()
	return slices.Concat(found...), errors.Join(failed...)
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
func shares(ways []way, queries []data.Judged) report.Table {
	questions := len(queries)
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
	t.Note = report.Ahead(ways[0].name, figures) + "\n\n" + report.Wins(ways[0].name, within(ways, queries)...)
	return t
}

// costs compares the tokens on the questions that both get right.
func costs(ways []way, queries []data.Judged) report.Table {
	questions := len(queries)
	t := report.Table{Heading: "Tokens until the right passage", Columns: []string{"way", "questions answered", "tokens, median", "90th percentile",
		"answered by Evergreen too", "tokens / Evergreen's, median"},
		Note: "Evergreen's are those of its bundle of 2,000 tokens, up to the end of the first right passage.\n\n" + report.Wins(ways[0].name, toRight(ways, queries))}
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

// within compares, question by question, who is there within a budget: the
// usual one first.
func within(ways []way, queries []data.Judged) (all []*report.Contest) {
	for _, budget := range append([]int{usual}, budgets()...) {
		c := &report.Contest{Each: "question", Of: "the right passage within " + report.Thousands(budget) + " tokens",
			Format: func(x float64) string { return map[float64]string{0: "not there", 1: "there"}[x] }}
		for i, q := range queries {
			for _, w := range ways {
				found := 0.
				if w.found(i, budget) {
					found = 1
				}
				c.Put(w.name, quoted(q), found)
			}
		}
		all = append(all, c)
	}
	return all
}

// toRight compares the tokens of the questions that a way answers.
func toRight(ways []way, queries []data.Judged) *report.Contest {
	c := &report.Contest{Each: "question", Of: "tokens", Lower: true, Times: true}
	for i, q := range queries {
		for _, w := range ways {
			if w.tokens[i] > 0 {
				c.Put(w.name, quoted(q), float64(w.tokens[i]))
			}
		}
	}
	return c
}

func quoted(q data.Judged) string { return q.ID + " (" + strings.TrimSpace(q.Text) + ")" }
