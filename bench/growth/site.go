package main

// This file measures one library.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

// site is one library while it is measured.
type site struct {
	size            int // its number among the sizes
	folder, library string
	edited          string // the file that is changed
	runs            int    // of the build
	sections        int
	queries         []string
}

// index runs "evergreen index" once.
func (l *site) index(ctx context.Context, s *study.Study) (program.Usage, error) {
	cmd := s.Program.Command(ctx, "index", l.folder, "--name", "growth", "--library", l.library,
		"--max-files", strconv.Itoa(large), "--json", "--quiet")
	u, err := program.Watch(cmd) // this process, which made the documents, is larger
	if err != nil {
		return u, err
	}
	var r struct{ Sections int }
	err = json.Unmarshal(u.Out, &r)
	l.sections = r.Sections
	return u, err
}

// build measures the library from nothing, unchanged and after an edit.
func (l *site) build(ctx context.Context, s *study.Study, c *curve) error {
	before, err := os.ReadFile(l.edited)
	if err != nil {
		return err
	}
	err = s.Times(l.runs, func(run int) error {
		if err := os.RemoveAll(l.library); err != nil {
			return err
		}
		u, err := l.index(ctx, s)
		if err != nil {
			return err
		}
		c.build.add(l.size, u.Wall.Seconds())
		c.cpu.add(l.size, u.CPU.Seconds())
		c.peak.add(l.size, u.Peak)
		if run == 0 {
			c.sections = append(c.sections, float64(l.sections))
		}
		text, beside, err := study.Sizes(l.library)
		if err != nil {
			return err
		}
		c.text.add(l.size, text)
		c.beside.add(l.size, beside)
		if u, err = l.index(ctx, s); err != nil {
			return err
		}
		c.unchanged.add(l.size, u.Wall.Seconds())
		if err := os.WriteFile(l.edited, fmt.Appendf(nil, "%s\nOne more line, number %d.\n", before, run), 0o644); err != nil {
			return err
		}
		if u, err = l.index(ctx, s); err != nil {
			return err
		}
		c.edited.add(l.size, u.Wall.Seconds())
		if err := os.WriteFile(l.edited, before, 0o644); err != nil {
			return err
		}
		return os.Chtimes(l.edited, age, age)
	})
	return err
}

// ask measures starting, asking and serving.
func (l *site) ask(ctx context.Context, s *study.Study, c *curve) error {
	if err := s.Each(func(int) error {
		u, err := s.Program.Run(ctx, "search", l.queries[0], "--library", l.library, "--json", "--quiet")
		c.start.add(l.size, report.Milliseconds(u.Wall))
		return err
	}); err != nil {
		return err
	}
	if err := l.inProcess(ctx, s, c); err != nil {
		return err
	}
	return l.serve(ctx, s, c)
}

func (l *site) inProcess(ctx context.Context, s *study.Study, c *curve) error {
	e, err := engine.Open(engine.Options{Root: l.library})
	if err != nil {
		return err
	}
	defer e.Close()
	for _, m := range []struct {
		p50, p99 *quantity
		do       func(q string) error
	}{
		{c.rank50, c.rank99, func(q string) error {
			_, err := e.RankIDs(ctx, "", q, hits)
			return err
		}},
		{c.hits50, c.hits99, func(q string) error {
			_, err := e.Search(ctx, evergreen.SearchRequest{Query: q, Limit: hits})
			return err
		}},
	} {
		runtime.GC()
		if err := s.Each(func(int) error {
			var took report.Sample
			for _, q := range l.queries {
				began := time.Now()
				if err := m.do(q); err != nil {
					return fmt.Errorf("%q: %w", q, err)
				}
				took = append(took, report.Milliseconds(time.Since(began)))
			}
			m.p50.add(l.size, took.Percentile(50))
			m.p99.add(l.size, took.Percentile(99))
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// serve asks a server everything and looks what it holds.
func (l *site) serve(ctx context.Context, s *study.Study, c *curve) error {
	p, err := s.Program.Serve(ctx, s.Work, "--library", l.library)
	if err != nil {
		return err
	}
	e := study.Endpoint(p)
	for _, tool := range []string{"search_sections", "search_context"} {
		for _, q := range l.queries {
			if _, err := e.Call(ctx, tool, map[string]any{"query": q}); err != nil {
				_ = p.Stop() // the first error is told
				return fmt.Errorf("%s %q: %w", tool, q, err)
			}
		}
	}
	if m, ok := p.Memory(); ok {
		c.resident.add(l.size, m.Resident)
		c.owned.add(l.size, m.Own)
	}
	return p.Stop()
}
