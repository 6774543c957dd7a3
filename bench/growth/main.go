// Growth measures what building, starting, asking and serving cost on libraries
// of a thousand to a million sections, and how these grow.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

const (
	chinese  = 50  // of the judged questions, beside all English ones
	headings = 370 // of the library itself
	hits     = 10
	large    = 1_000_000
)

// sizes are the libraries, in sections.
func sizes() []int { return []int{1_000, 10_000, 100_000, large} }

// largest is how often the largest library is built: each takes minutes.
var largest = flag.Int("largest", 2, "how often the library of a million sections is built; the table says so")

func main() {
	study.Main("growth", "Growth", []string{
		"How do building, starting, asking and serving grow from a thousand sections to a million?",
		"Each library is indexed from a folder of Markdown files, the larger from the smaller's and more. The files are real ones first, in a shuffled order that is always the same: the documentation of MDN, TiDB (Chinese), Hugo, React, Rust and Vue (English and Chinese), of Kubernetes, and two sets of abstracts. " +
			"**The real text ends at " + "about 150,000 sections; what a larger library holds beyond is made of it**: round after round all sections are dealt anew among the documents of their tree, each to a place of its level, so that every section comes again in other company; and every word that stands in one real document alone becomes a new one in each round, since by Good's estimate that is how many a further document would bring. " +
			"Common words are therefore as common as they are, and the vocabulary goes on to grow, but sections of a large library have near twins.",
		"Build, unchanged and changed are whole processes (`evergreen index`), the file cache warm; a start is a whole `evergreen search`. The questions are the 200 of the judged set k8s-questions, 50 of tidb-summaries-zh, and 370 headings that lie evenly over the library at hand; one client, ten hits; a percentile is taken within each run. " +
			"Ranking and hits are measured inside one process. Memory is that of a server that has answered every question by `search_sections` and by `search_context`, mapped files included. " +
			"An exponent is the slope of the least squares on logarithms of the medians: 1 is growth in proportion to the sections. The floors are those that the project set itself.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	real, err := readAll(s.Corpora, s.Work)
	if err != nil {
		return err
	}
	folder := filepath.Join(s.Work, "growth-documents")
	defer os.RemoveAll(folder)
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	m := newMaker(folder, real)
	c := newCurve()
	material := report.Table{Heading: "Material", Columns: []string{"sections", "files", "of them as written", "text, MB", "different words", "runs of the build"}}
	for i, size := range sizes() {
		if err := m.until(size); err != nil {
			return err
		}
		library := filepath.Join(s.Work, "library-growth")
		l := site{size: i, folder: folder, library: library, edited: m.last, runs: s.Runs}
		if size == large {
			l.runs = min(s.Runs, *largest)
		}
		if err := l.build(ctx, s, c); err != nil {
			return err
		}
		material.Add(report.Thousands(l.sections), report.Thousands(m.done.files), report.Thousands(m.done.real),
			report.Number(float64(m.done.bytes)/1e6), report.Thousands(len(m.done.words)), report.Thousands(l.runs))
		if l.queries, err = questions(s.Corpora, m.done.titles); err != nil {
			return err
		}
		if size == large {
			m, real = nil, nil // what is measured next shares this process
		}
		runtime.GC()
		if err := l.ask(ctx, s, c); err != nil {
			return err
		}
		if err := os.RemoveAll(library); err != nil {
			return err
		}
	}
	s.Table(material)
	c.tables(s)
	return nil
}

// questions are the judged ones, then headings of the library.
func questions(c data.Corpora, titles []string) ([]string, error) {
	english, err := c.Questions("k8s-questions")
	if err != nil {
		return nil, err
	}
	other, err := c.Questions("tidb-summaries-zh")
	return append(append(english, data.Spread(other, chinese)...), data.Spread(titles, headings)...), err
}

// curve is every quantity at every size.
type curve struct {
	sections                                               []float64
	build, cpu, peak, text, beside, unchanged, edited      *quantity
	start, rank50, rank99, hits50, hits99, resident, owned *quantity
}

func newCurve() *curve {
	q := func(name, unit string) *quantity { return &quantity{name: name, unit: unit} }
	return &curve{
		build: q("build", "s"), cpu: q("processor time of the build", "s"), peak: q("peak memory of the build", "MB"),
		text: q("text on disk", "MB"), beside: q("index beside the text", "MB"),
		unchanged: q("nothing changed", "s"), edited: q("one file changed", "s"),
		start:  q("start to first answer", "ms"),
		rank50: q("ranking to ids, p50", "ms"), rank99: q("ranking to ids, p99", "ms"),
		hits50: q("ten hits with snippets, p50", "ms"), hits99: q("ten hits with snippets, p99", "ms"),
		resident: q("server's memory", "MB"), owned: q("of it without mapped files", "MB"),
	}
}

func (c *curve) tables(s *study.Study) {
	t := report.Table{Heading: "The curve", Columns: []string{"what"}}
	for _, n := range c.sections {
		t.Columns = append(t.Columns, report.Thousands(int(n))+" sections")
	}
	t.Columns = append(t.Columns, "exponent", "of the last step")
	for _, q := range []*quantity{c.build, c.cpu, c.peak, c.text, c.beside, c.unchanged, c.edited, c.start,
		c.rank50, c.rank99, c.hits50, c.hits99, c.resident, c.owned} {
		if len(q.at) != len(c.sections) {
			s.Absent(q.name, "this system does not tell it")
			continue
		}
		q.name += ", " + q.unit
		t.Add(q.cells(c.sections)...)
	}
	s.Table(t)
	floors := report.Table{Heading: fmt.Sprintf("Floors at %s sections", report.Thousands(int(c.sections[len(c.sections)-1]))), Columns: report.Columns("what")}
	for _, f := range []struct {
		q     *quantity
		floor float64
	}{{c.build, 120}, {c.rank99, 10}, {c.hits99, 10}, {c.resident, 300}} {
		last := report.Sample{math.Inf(1)} // what was not measured holds no floor
		if n := len(f.q.at); n == len(c.sections) {
			last = f.q.at[n-1]
		}
		floors.Add(append([]string{f.q.name}, report.AtMost(last, " "+f.q.unit, f.floor)...)...)
	}
	s.Table(floors)
}
