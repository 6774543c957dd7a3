package engines

// This file measures what the engines cost.

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

const (
	questions = 50 // of the judged set, long
	headings  = 50 // of the tree, short
	hits      = 10
)

// Material is what the engines are measured on.
type Material struct {
	name     string
	source   string // folder of files, for Evergreen
	units    string // its sections as JSON lines, for the others
	sections int
	queries  []string
}

// PagesOf are the pages of a judged set.
func PagesOf(s *study.Study, set string) (m Material, err error) {
	units, err := s.Corpora.Units(set)
	if err != nil {
		return m, err
	}
	m = Material{name: "Kubernetes docs", source: filepath.Join(s.Work, "pages-"+set), units: filepath.Join(s.Work, set+"-speed.jsonl"), sections: len(units)}
	if err := data.WritePages(m.source, data.Pages(units)); err != nil {
		return m, err
	}
	if err := data.WriteLines(m.units, units); err != nil {
		return m, err
	}
	var titles []string
	for _, u := range units {
		titles = append(titles, u.Title)
	}
	m.queries, err = mixed(s.Corpora, titles)
	return m, err
}

// mixed are questions, then headings that lie evenly over a tree.
func mixed(c data.Corpora, titles []string) ([]string, error) {
	all, err := c.Questions("k8s-questions")
	return append(data.Spread(all, questions), data.Spread(titles, headings)...), err
}

// TreeOf are the sections of a documentation tree, as the product splits it.
func TreeOf(ctx context.Context, s *study.Study, tree string) (m Material, err error) {
	m = Material{name: "MDN, English", units: filepath.Join(s.Work, tree+".jsonl")}
	if m.source, err = s.Corpora.Docs(tree, s.Work); err != nil {
		return m, err
	}
	library, err := s.Index(ctx, tree)
	if err != nil {
		return m, err
	}
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return m, err
	}
	defer e.Close()
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: tree, Limit: -1})
	if err != nil {
		return m, err
	}
	var units []data.Unit
	var titles []string
	for _, d := range outline.Documents {
		_, text, err := e.Document(ctx, tree, d.Path)
		if err != nil {
			return m, err
		}
		chains := map[string]string{}
		for _, section := range d.Sections {
			chain := section.Title
			if parent := chains[section.ParentID]; parent != "" {
				chain = parent + " / " + chain
			}
			chains[section.ID] = chain
			units = append(units, data.Unit{ID: section.ID, Title: chain, Body: string(text[section.ByteStart:section.ByteEnd])})
			titles = append(titles, section.Title)
		}
	}
	m.sections = len(units)
	if m.queries, err = mixed(s.Corpora, titles); err != nil {
		return m, err
	}
	return m, data.WriteLines(m.units, units)
}

// figures are those of one contender in all runs.
type figures struct {
	rate, cpu, peak, disk, start, p50, p99, memory report.Sample
	each                                           []report.Sample // by query, in ms
}

// built is what one build took.
type built struct {
	wall, cpu time.Duration
	peak      float64 // MB
}

func (c Contender) build(q question) (b built, err error) {
	a, err := c.start()
	if err != nil {
		return b, err
	}
	q.Do = "build"
	if _, b.wall, err = a.do(q); err != nil {
		return b, err
	}
	m, _ := a.Memory()
	b.peak = m.Peak
	b.cpu, err = a.Stop()
	return b, err
}

// run measures one contender once.
func (f *figures) run(s *study.Study, c Contender, m Material) error {
	index := filepath.Join(s.Work, "index-engines")
	if err := os.RemoveAll(index); err != nil {
		return err
	}
	b, err := c.build(question{Units: m.units, Source: m.source, Index: index, Language: "en"})
	if err != nil {
		return err
	}
	f.rate, f.cpu, f.peak = append(f.rate, float64(m.sections)/b.wall.Seconds()), append(f.cpu, b.cpu.Seconds()), append(f.peak, b.peak)
	size, err := sizeOf(index)
	if err != nil {
		return err
	}
	f.disk = append(f.disk, size)
	started := time.Now()
	a, err := c.start()
	if err != nil {
		return err
	}
	if _, _, err := a.do(question{Do: "open", Index: index, Language: "en"}); err != nil {
		return err
	}
	var took report.Sample
	if f.each == nil {
		f.each = make([]report.Sample, len(m.queries))
	}
	for i, q := range m.queries {
		_, t, err := a.do(question{Do: "search", Query: q, Limit: hits})
		if err != nil {
			return fmt.Errorf("%q: %w", q, err)
		}
		if i == 0 {
			f.start = append(f.start, report.Milliseconds(time.Since(started)))
		}
		took = append(took, report.Milliseconds(t))
		f.each[i] = append(f.each[i], report.Milliseconds(t))
	}
	f.p50, f.p99 = append(f.p50, took.Percentile(50)), append(f.p99, took.Percentile(99))
	if memory, ok := a.Memory(); ok {
		f.memory = append(f.memory, memory.Resident)
	}
	_, err = a.Stop()
	return err
}

func sizeOf(folder string) (mb float64, err error) {
	err = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			mb += float64(info.Size()) / 1e6
		}
		return err
	})
	return mb, err
}

// Speed adds a table of what the contenders cost.
func Speed(ctx context.Context, s *study.Study, all []Contender, m Material) error {
	var here []Contender
	for _, c := range all {
		if c.limit == 0 || m.sections <= c.limit {
			here = append(here, c)
		} else {
			s.Absent(c.name+" on "+m.name, "it lives in memory, a gigabyte and more there; such engines are asked up to "+report.Thousands(c.limit)+" sections")
		}
	}
	found := make([]figures, len(here))
	if err := s.Each(func(int) error {
		for i, c := range here {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := found[i].run(s, c, m); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	s.Table(speedTable(here, found, m))
	return nil
}

// speedTable is a row for each contender: medians with their spread.
func speedTable(here []Contender, found []figures, m Material) report.Table {
	t := report.Table{Heading: fmt.Sprintf("%s: %s sections, %d queries", m.name, report.Thousands(m.sections), len(m.queries)),
		Columns: []string{"engine"}}
	columns := []struct {
		name  string
		lower bool
		of    func(figures) report.Sample
	}{
		{"build, sections/s", false, func(f figures) report.Sample { return f.rate }},
		{"processor time, s", true, func(f figures) report.Sample { return f.cpu }},
		{"peak memory, MB", true, func(f figures) report.Sample { return f.peak }},
		{"on disk, MB", true, func(f figures) report.Sample { return f.disk }},
		{"start to first answer, ms", true, func(f figures) report.Sample { return f.start }},
		{"p50, ms", true, func(f figures) report.Sample { return f.p50 }},
		{"p99, ms", true, func(f figures) report.Sample { return f.p99 }},
		{"memory, MB", true, func(f figures) report.Sample { return f.memory }},
	}
	var ahead []report.Figure
	for _, c := range columns {
		t.Columns = append(t.Columns, c.name)
		values := map[string]float64{}
		for i, engine := range here {
			values[engine.name] = c.of(found[i]).Median()
		}
		ahead = append(ahead, report.Figure{Name: c.name, Lower: c.lower, Values: values})
	}
	for i, engine := range here {
		row := []string{engine.name}
		for _, c := range columns {
			row = append(row, c.of(found[i]).Cell())
		}
		t.Add(row...)
	}
	t.Note = report.Ahead(Ours, ahead) + "\n\n" + report.Wins(Ours, byQuery(here, found, m))
	return t
}

// byQuery compares the times of each query, medians over the runs.
func byQuery(here []Contender, found []figures, m Material) *report.Contest {
	c := &report.Contest{Each: "query", Of: "time", Lower: true, Times: true, Format: func(ms float64) string { return report.Number(ms) + " ms" }}
	for i, engine := range here {
		for k, took := range found[i].each {
			c.Put(engine.name, report.Quote(m.queries[k]), took.Median())
		}
	}
	return c
}
