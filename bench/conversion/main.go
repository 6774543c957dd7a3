// Conversion measures what HTML loses on its way to Markdown: fragments of
// real pages are converted and rendered back, inputs that broke other
// converters are tried, and small pages are compared with what defuddle writes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/pages"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"
	"evergreen/bench/internal/study"
)

func main() {
	lost := flag.String("lost", "", "also write what Evergreen lost to this `FILE`; it quotes the pages, so keep it to yourself")
	study.Main("conversion", "HTML to Markdown", []string{
		"What does HTML lose on its way to Markdown?",
		"Round trip: the expected articles of Mozilla's Readability and the content containers of documentation pages are converted and rendered back by goldmark with GFM; " +
			"what a fragment holds is looked for again. Text is the F1 of four-word shingles; shares are of items that are the same after blanks are made equal. " +
			"Links count with text and address, those in code left out: Markdown code holds no links. Headings count with their level.",
		"Cases: `cases/html-to-markdown.jsonl` of the corpora, inputs from public reports with patterns that the Markdown must and must not match. " +
			"Speed is of one thread over all fragments in processor time: what an otherwise idle core would do, whoever else is at work; " +
			"times of peers that are scripts are taken inside their process, helper threads included.",
	}, func(ctx context.Context, s *study.Study) error { return measure(ctx, s, *lost) })
}

func measure(ctx context.Context, s *study.Study, lost string) error {
	articles, docs, err := fragments(s.Corpora)
	if err != nil {
		return err
	}
	s.Peers(standing()...)
	tools := append(inProcess(), scripts(ctx, s)...)
	losses := &losses{}
	answers, speed, err := race(s, tools, slices.Concat(articles, docs))
	if err != nil {
		return err
	}
	s.Table(tripTable("Round trip of articles", tools, articles, cut(answers, 0, len(articles)), .98, losses))
	s.Table(tripTable("Round trip of documentation", tools, docs, cut(answers, len(articles), len(articles)+len(docs)), .995, losses))
	s.Table(speed)
	cases, err := caseTable(s.Corpora, tools, losses)
	if err != nil {
		return err
	}
	s.Table(cases)
	kept, err := besideDefuddle(s, losses)
	if err != nil {
		return err
	}
	s.Table(kept)
	if lost == "" {
		return nil
	}
	return os.WriteFile(lost, []byte(losses.String()), 0o600)
}

// noise is what the pages' own containers hold beside content.
const noise = "script, style, noscript, template, button, .hash-link, .headerlink, .header-anchor, a.anchor, a.anchorjs-link, .md-content__button, " +
	".md-source-file, .edit-this-page, .tsd-anchor-icon, .linenos, .line-numbers-wrapper, nav, .copy-path, .src, svg"

// fragment is a piece of HTML with the name of its page.
type fragment struct{ id, html string }

// fragments are the pieces of HTML that are converted.
func fragments(c data.Corpora) (articles, docs []fragment, err error) {
	readable, err := pages.Readability(c)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range readable {
		articles = append(articles, fragment{p.ID, p.Expected})
	}
	saved, err := pages.Documentation(c)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range saved {
		found := score.Find(score.Parse(p.HTML), p.Selector)
		if len(found) == 0 {
			return nil, nil, fmt.Errorf("%s has no %s", p.ID, p.Selector)
		}
		docs = append(docs, fragment{p.ID, score.HTML(score.Without(found[0], noise))})
	}
	return articles, docs, nil
}

// race converts everything once a run with every tool, so that a busy moment
// meets all, and returns the answers of the last run.
func race(s *study.Study, tools []tool, all []fragment) (answers [][]answer, table report.Table, err error) {
	size := 0
	var pieces []string
	for _, f := range all {
		size += len(f.html)
		pieces = append(pieces, f.html)
	}
	speed, slowest, each := make([]report.Sample, len(tools)), make([]report.Sample, len(tools)), make([][]report.Sample, len(tools))
	for i := range each {
		each[i] = make([]report.Sample, len(all))
	}
	err = s.Each(func(int) error {
		answers = nil
		for i, t := range tools {
			a, err := t.run(pieces)
			if err != nil {
				return err
			}
			answers = append(answers, a)
			var took report.Sample
			sum := 0.0
			for k, x := range a {
				took, sum = append(took, x.All), sum+x.All
				each[i][k] = append(each[i][k], x.All)
			}
			speed[i] = append(speed[i], float64(size)/1000/sum)
			slowest[i] = append(slowest[i], took.Max())
		}
		return nil
	})
	table = report.Table{Heading: fmt.Sprintf("Speed, one thread: %d fragments, %s MB", len(all), report.Number(float64(size)/1e6)),
		Columns: append(report.Columns("tool"), "slowest fragment")}
	rate := report.Figure{Name: "speed"}
	for i, t := range tools {
		rate.Put(t.name, speed[i].Median())
		cells := report.Plain(speed[i], " MB/s")
		if t.name == ours {
			cells = report.AtLeast(speed[i], " MB/s", 10)
		}
		table.Add(append(append([]string{t.name}, cells...), report.Number(slowest[i].Median())+" ms")...)
	}
	table.Note = report.Ahead(ours, []report.Figure{rate}) + "\n\n" + report.Wins(ours, timeContest(tools, all, each))
	return answers, table, err
}

// least is the shortest time that says anything, in milliseconds: below, clocks
// are coarse.
const least = .2

// timeContest compares the time of each fragment, medians over the runs.
func timeContest(tools []tool, all []fragment, took [][]report.Sample) *report.Contest {
	c := &report.Contest{Each: "fragment", Of: "time", Lower: true, Times: true, Format: func(ms float64) string { return report.Number(ms) + " ms" }}
	for i, t := range tools {
		for k, sample := range took[i] {
			c.Put(t.name, all[k].id, max(least, sample.Median()))
		}
	}
	return c
}

// cut returns each tool's answers to some of the pieces.
func cut(answers [][]answer, from, to int) (some [][]answer) {
	for _, a := range answers {
		some = append(some, a[from:to])
	}
	return some
}

func figure(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// besideDefuddle compares the fixtures of defuddle, and writes the differences
// into a file of their own.
func besideDefuddle(s *study.Study, l *losses) (report.Table, error) {
	fixtures, err := pages.Defuddle(s.Corpora)
	if err != nil {
		return report.Table{}, err
	}
	table, differences := defuddleTables(fixtures, l)
	differences.Facts = s.Facts
	return table, differences.Write(filepath.Join(s.Out, "defuddle.md"))
}
