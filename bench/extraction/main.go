// Extraction measures whether the content of web pages is found: the article
// of a news page, and on a page of documentation all of its code, tables,
// headings, tabs and admonitions. Peers do the same in the same run.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync"

	"evergreen/bench/internal/pages"
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

var (
	//go:embed peer.mjs
	javascript []byte
	//go:embed peer.py
	python []byte
)

// Versions of the packages.
const (
	readabilityJS = "0.6.0"
	defuddle      = "0.19.4"
	trafilaturaPy = "2.3.1"
)

// packages are the JavaScript peers with what they need, in the versions that
// were the newest when this was written.
func packages() []string {
	return []string{"@mozilla/readability@" + readabilityJS, "defuddle@" + defuddle, "linkedom@0.18.15", "turndown@7.2.5", "@joplin/turndown-plugin-gfm@1.0.68"}
}

func main() {
	lost := flag.String("lost", "", "also write what Evergreen lost or added to this `FILE`; it quotes the pages, so keep it to yourself")
	study.Main("extraction", "Finding the content of pages", []string{
		"Is the content of a web page found, all of it and nothing else?",
		"Articles: 91 news pages of the article extraction benchmark (scrapinghub), scored by its own method: shingles of four words, precision and recall averaged over the pages. " +
			"Readability pages: 130 test pages of Mozilla's Readability, its expected HTML as the truth, the same measure. " +
			"Documentation: 20 saved pages of ten generators; the truth is the page's own content container without anchors and buttons, and everything in it is looked for again. " +
			"Documentation as Markdown: the same, after the tool's Markdown was rendered by goldmark (GFM), which is what an agent gets.",
		"Every tool is handed the same UTF-8 text. Pages per second are of processor time on one thread, reading of the page included: what an otherwise idle core would do, whoever else is at work. " +
			"The Node peers read pages with linkedom; times of peers that are scripts are taken inside their process, helper threads included. " +
			"In the Markdown table the text lacks one thing on purpose: the language that VitePress shows above code, which Markdown says in the fence.",
	}, func(ctx context.Context, s *study.Study) error { return measure(ctx, s, *lost) })
}

func measure(ctx context.Context, s *study.Study, lost string) error {
	articles, err := pages.Articles(s.Corpora)
	if err != nil {
		return err
	}
	readable, err := pages.Readability(s.Corpora)
	if err != nil {
		return err
	}
	docs, err := pages.Documentation(s.Corpora)
	if err != nil {
		return err
	}
	s.Peers(standing()...)
	tools := append(inProcess(), scripts(ctx, s)...)
	losses := &losses{}
	news, speed, err := race(s, tools, articles)
	if err != nil {
		return err
	}
	s.Table(articleTable(news, articles, losses))
	answers, err := askAtOnce(tools, readable)
	if err != nil {
		return err
	}
	s.Table(readableTable(answers, readable, losses))
	if answers, err = askAtOnce(tools, docs); err != nil {
		return err
	}
	s.Table(docsTable(answers, docs, losses))
	s.Table(docsMarkdownTable(answers, docs, losses))
	s.Table(speed)
	if lost == "" {
		return nil
	}
	return os.WriteFile(lost, []byte(losses.String()), 0o600)
}

// scripts are the tools that are JavaScript or Python, without those that
// cannot be had.
func scripts(ctx context.Context, s *study.Study) (tools []tool) {
	if folder, why := peer.Node(ctx, s.Work, packages()...); why != "" {
		s.Absent("Readability.js and defuddle", why)
	} else {
		tools = append(tools, scripted(ctx, "Readability.js "+readabilityJS, folder, javascript, "readability"),
			scripted(ctx, "defuddle "+defuddle, folder, javascript, "defuddle"))
	}
	if folder, why := peer.Python(ctx, s.Work, "trafilatura=="+trafilaturaPy, "lxml_html_clean==0.4.6"); why != "" {
		s.Absent("trafilatura", why)
	} else {
		tools = append(tools, scripted(ctx, "trafilatura "+trafilaturaPy, folder, python))
	}
	return tools
}

// scripted is a tool behind a script.
func scripted(ctx context.Context, name string, folder peer.Folder, script []byte, args ...string) tool {
	type line struct {
		ID   string `json:"id"`
		HTML string `json:"html"`
		URL  string `json:"url"`
	}
	return tool{name: name, convert: true, script: true, run: func(all []pages.Page) ([]answer, error) {
		var in []line
		for _, p := range all {
			in = append(in, line{p.ID, p.HTML, p.URL})
		}
		return peer.Run[line, answer](ctx, folder, "extraction", script, args, in)
	}}
}

// answered is a tool with its answers to a set of pages.
type answered struct {
	tool
	answers []answer
}

func ask(tools []tool, all []pages.Page) (list []answered, err error) {
	for _, t := range tools {
		answers, err := t.run(all)
		if err != nil {
			return nil, err
		}
		list = append(list, answered{t, answers})
	}
	return list, nil
}

// askAtOnce is ask where nobody looks at times: the scripts run beside each
// other, and beside the tools that are Go.
func askAtOnce(tools []tool, all []pages.Page) ([]answered, error) {
	list, failed := make([]answered, len(tools)), make([]error, len(tools))
	var done sync.WaitGroup
	for i, t := range tools {
		list[i].tool = t
		if t.script {
			done.Go(func() { list[i].answers, failed[i] = t.run(all) })
		}
	}
	for i, t := range tools {
		if !t.script {
			list[i].answers, failed[i] = t.run(all)
		}
	}
	done.Wait()
	return list, errors.Join(failed...)
}

// timed are every second of the pages, which takes half the time.
func timed(all []pages.Page) (some []pages.Page) {
	for i := 0; i < len(all); i += 2 {
		some = append(some, all[i])
	}
	return some
}

// race asks every tool once a run, so that a busy moment meets all. The first
// time it asks for all articles, and returns those answers; times are those of
// every second one.
func race(s *study.Study, tools []tool, articles []pages.Page) (first []answered, table report.Table, err error) {
	some := timed(articles)
	extraction, both := make([]report.Sample, len(tools)), make([]report.Sample, len(tools))
	took := make([][]report.Sample, len(tools)) // by page
	err = s.Each(func(run int) error {
		list, err := ask(tools, some)
		if run == 0 && err == nil {
			first, err = askAtOnce(tools, articles)
		}
		if err != nil {
			return err
		}
		for i, t := range list {
			var find, all float64
			if took[i] == nil {
				took[i] = make([]report.Sample, len(some))
			}
			for k, a := range t.answers {
				find, all = find+a.Extract, all+a.All
				took[i][k] = append(took[i][k], a.All)
			}
			if find > 0 {
				extraction[i] = append(extraction[i], float64(len(some))*1000/find)
			}
			if t.convert {
				both[i] = append(both[i], float64(len(some))*1000/all)
			}
		}
		return nil
	})
	table = report.Table{Heading: fmt.Sprintf("Articles per second, one thread, every second of them: %d", len(some)), Columns: []string{"tool", "extraction", "spread", "extraction and Markdown", "spread", "floor", "holds"},
		Note: "defuddle does both in one step; trafilatura (Python) runs once for HTML and once for Markdown, and each time counts alone."}
	figures := []report.Figure{{Name: "extraction"}, {Name: "extraction and Markdown"}}
	for i, t := range tools {
		row := []string{t.name, "–", "–", "–", "–", "–", "–"}
		if t.name != wholeBody {
			figures[0].Put(t.name, extraction[i].Median())
			figures[1].Put(t.name, both[i].Median())
		}
		if len(extraction[i]) > 0 {
			copy(row[1:], report.Plain(extraction[i], "")[:2])
		}
		if t.name == ours {
			copy(row[3:], report.AtLeast(both[i], "", 120))
		} else if len(both[i]) > 0 {
			copy(row[3:], report.Plain(both[i], ""))
		}
		table.Add(row...)
	}
	table.Note += " " + report.Ahead(ours, figures) + "\n\n" + report.Wins(ours, timeContest(tools, some, took))
	return first, table, err
}

// timeContest compares the time of each page to Markdown, medians over the runs.
func timeContest(tools []tool, articles []pages.Page, took [][]report.Sample) *report.Contest {
	c := &report.Contest{Each: "page", Of: "time to Markdown", Lower: true, Times: true, Format: func(ms float64) string { return report.Number(ms) + " ms" }}
	for i, t := range tools {
		for k, sample := range took[i] {
			if t.convert && sample.Median() > 0 {
				c.Put(t.name, articles[k].ID, sample.Median())
			}
		}
	}
	return c
}

func figure(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }
