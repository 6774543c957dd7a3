// Search measures how long questions take on a large library: ranking alone,
// a page of hits, a whole process, and what a server holds in memory while it
// answers.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

const (
	tree     = "mdn-en"
	set      = "k8s-questions"
	headings = 370 // of MDN, beside the questions
	rounds   = 3   // of all queries in one run
	starts   = 20  // processes in one run
	hits     = 10
)

func main() {
	study.Main("search", "Search", []string{
		"How long does a question take on a large library?",
		"All sections of MDN, English. The queries are the 200 questions of the judged set k8s-questions (long, in words that the docs do not use) " +
			"and 370 headings of MDN (short), three rounds a run, one client, ten hits. Ranking and hits are measured inside one process; " +
			"whole processes and the server from outside. A percentile is taken within each run. The floors are those that the project set itself.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	library, err := s.Index(ctx, tree)
	if err != nil {
		return err
	}
	queries, sections, err := queries(ctx, s.Corpora, library)
	if err != nil {
		return err
	}
	t := report.Table{
		Heading: fmt.Sprintf("MDN, English: %s sections, %s queries", report.Thousands(sections), report.Thousands(len(queries))),
		Columns: report.Columns("what"),
	}
	if err := inProcess(ctx, s, &t, library, queries); err != nil {
		return err
	}
	if err := processes(ctx, s, &t, library, queries); err != nil {
		return err
	}
	if err := server(ctx, s, &t, library, queries); err != nil {
		return err
	}
	s.Table(t)
	return nil
}

// queries are the questions, then headings that lie evenly over the library.
func queries(ctx context.Context, c data.Corpora, library string) (queries []string, sections int, err error) {
	if queries, err = c.Questions(set); err != nil {
		return nil, 0, err
	}
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return nil, 0, err
	}
	defer e.Close()
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: tree, Limit: -1})
	if err != nil {
		return nil, 0, err
	}
	var titles []string
	for _, d := range outline.Documents {
		for _, section := range d.Sections {
			titles = append(titles, section.Title)
		}
	}
	return append(queries, data.Spread(titles, headings)...), len(titles), nil
}

// inProcess measures ranking to ids, and a page of hits with snippets.
func inProcess(ctx context.Context, s *study.Study, t *report.Table, library string, queries []string) error {
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return err
	}
	defer e.Close()
	rank := func(q string) error {
		_, err := e.RankIDs(ctx, "", q, hits)
		return err
	}
	find := func(q string) error {
		_, err := e.Search(ctx, evergreen.SearchRequest{Query: q, Limit: hits})
		return err
	}
	ask := func(q string) error {
		_, err := e.Ask(ctx, evergreen.Query{Topic: q, Limit: 5, WholeText: true})
		return err
	}
	for _, m := range []struct {
		name     string
		do       func(string) error
		p50, p99 float64
	}{
		{"ranking to ids", rank, .3, 2},
		{"ten hits with snippets", find, 1.5, 6},
		{"a bundle of 2,000 tokens", ask, 0, 0},
	} {
		runtime.GC()
		if err := latencies(s, t, m.name, queries, rounds, m.p50, m.p99, m.do); err != nil {
			return err
		}
	}
	return nil
}

// latencies adds the rows for p50 and p99 of one way to ask.
func latencies(s *study.Study, t *report.Table, name string, queries []string, rounds int, p50, p99 float64, do func(string) error) error {
	var middle, high report.Sample
	err := s.Each(func(int) error {
		var took report.Sample
		for range rounds {
			for _, q := range queries {
				started := time.Now()
				if err := do(q); err != nil {
					return fmt.Errorf("%s: %q: %w", name, q, err)
				}
				took = append(took, report.Milliseconds(time.Since(started)))
			}
		}
		middle, high = append(middle, took.Percentile(50)), append(high, took.Percentile(99))
		return nil
	})
	if err != nil {
		return err
	}
	t.Add(append([]string{name + ", p50"}, bounded(middle, " ms", p50)...)...)
	t.Add(append([]string{name + ", p99"}, bounded(high, " ms", p99)...)...)
	return nil
}

func bounded(s report.Sample, unit string, floor float64) []string {
	if floor == 0 {
		return report.Plain(s, unit)
	}
	return report.AtMost(s, unit, floor)
}

// processes measures whole runs of the command line.
func processes(ctx context.Context, s *study.Study, t *report.Table, library string, queries []string) error {
	some := data.Spread(queries, starts)
	return latencies(s, t, "a whole `evergreen search`", some, 1, 60, 0, func(q string) error {
		_, err := s.Program.Run(ctx, "search", q, "--library", library, "--json", "--quiet")
		return err
	})
}

// server measures the MCP endpoint, and the server's memory behind it.
func server(ctx context.Context, s *study.Study, t *report.Table, library string, queries []string) error {
	p, err := s.Program.Serve(ctx, s.Work, "--library", library)
	if err != nil {
		return err
	}
	stopped := false
	stop := func() error { stopped = true; return p.Stop() }
	defer func() {
		if !stopped {
			_ = stop() // the first error is told
		}
	}()
	e := study.Endpoint(p)
	var resident, own float64
	for _, tool := range []string{"search_sections", "search_context"} {
		if err := latencies(s, t, "`"+tool+"` over HTTP", queries, 1, 0, 0, func(q string) error {
			_, err := e.Call(ctx, tool, map[string]any{"query": q})
			return err
		}); err != nil {
			return err
		}
		if m, ok := p.Memory(); ok {
			resident, own = max(resident, m.Resident), max(own, m.Own)
			fmt.Fprintf(os.Stderr, "search: server holds %.1f MB, %.1f of it its own, %.1f at most\n", m.Resident, m.Own, m.Peak)
		}
	}
	if resident == 0 {
		s.Absent("the server's memory", "this system does not tell it")
	} else {
		t.Add(append([]string{"server's memory after them"}, report.AtMost(report.Sample{resident}, " MB", 80)...)...)
		t.Add(append([]string{"of it without mapped files"}, report.Plain(report.Sample{own}, " MB")...)...)
	}
	return stop()
}
