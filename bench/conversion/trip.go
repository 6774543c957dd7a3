package main

// This file looks in the rendered Markdown for what the HTML held.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// losses is what Evergreen lost, for whoever improves it.
type losses struct{ strings.Builder }

func (l *losses) say(where string, items []string) {
	for _, item := range items {
		fmt.Fprintf(l, "%s: %.200q\n", where, item)
	}
}

func render(markdown string) string {
	var b bytes.Buffer
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := gfm.Convert([]byte(markdown), &b); err != nil {
		return ""
	}
	return b.String()
}

// trip is what one tool's Markdown kept of a set.
type trip struct {
	text                                                            score.Text
	code, language, cells, links, headings, inline, items, pictures score.Share
}

// missing is how many items of all kinds were not found so far.
func (t *trip) missing() (n int) {
	for _, s := range t.shares(0) {
		n += s.share.All - s.share.Found
	}
	return n
}

// add compares one fragment with what became of it, and returns its text's F1.
func (t *trip) add(src, markdown string) float64 {
	want, got := score.Read(score.Parse(src)), score.Read(score.Parse(render(markdown)))
	t.text.Add(want.Text, got.Text)
	t.code.Add(want.Code, got.Code)
	t.language.Add(want.Language, got.Language)
	t.cells.Add(want.Cells, got.Cells)
	t.links.Add(want.Links, got.Links)
	t.headings.Add(want.Levels, got.Levels)
	t.inline.Add(want.Inline, got.Inline)
	t.items.Add(want.Items, got.Items)
	t.pictures.Add(want.Images, got.Images)
	return score.F1(want.Text, got.Text)
}

type namedShare struct {
	name  string
	share *score.Share
	floor float64 // 0 is none
}

// shares are in the order of the table's columns; cells is the floor of cells.
func (t *trip) shares(cells float64) []namedShare {
	return []namedShare{
		{"code blocks", &t.code, 1}, {"with language", &t.language, 1}, {"cells", &t.cells, cells}, {"links", &t.links, .99},
		{"headings", &t.headings, 0}, {"inline code", &t.inline, 0}, {"list items", &t.items, 0}, {"images", &t.pictures, 0},
	}
}

func tripTable(heading string, tools []tool, fragments []fragment, answers [][]answer, cells float64, l *losses) report.Table {
	table := report.Table{Heading: fmt.Sprintf("%s: %d fragments", heading, len(fragments)), Columns: []string{"tool", "text F1"}}
	for _, s := range (&trip{}).shares(cells) {
		table.Columns = append(table.Columns, s.name)
	}
	figures := []report.Figure{{Name: "text F1"}}
	for _, s := range (&trip{}).shares(cells) {
		figures = append(figures, report.Figure{Name: s.name})
	}
	lost := &report.Contest{Each: "fragment", Of: "code blocks, cells, links, headings, inline code, list items and images lost", Lower: true}
	text := &report.Contest{Each: "fragment", Of: "text F1", Format: figure}
	for i, t := range tools {
		var kept trip
		for j, f := range fragments {
			before := kept.missing()
			text.Put(t.name, f.id, kept.add(f.html, answers[i][j].Markdown))
			lost.Put(t.name, f.id, float64(kept.missing()-before))
		}
		row := []string{t.name, figure(kept.text.F1())}
		floors, holds := []string{"floor"}, []string{"holds"}
		verdict := func(value, floor float64) {
			if floor == 0 {
				floors, holds = append(floors, "–"), append(holds, "–")
				return
			}
			v := report.AtLeast(report.Sample{value}, "", floor)
			floors, holds = append(floors, v[2]), append(holds, v[3])
		}
		verdict(kept.text.F1(), .998)
		figures[0].Put(t.name, kept.text.F1())
		for i, s := range kept.shares(cells) {
			figures[i+1].Put(t.name, s.share.Value())
			row = append(row, fmt.Sprintf("%s (%d of %d)", figure(s.share.Value()), s.share.Found, s.share.All))
			verdict(s.share.Value(), s.floor)
			if t.name == ours {
				l.say(heading+", "+s.name, s.share.Lost())
			}
		}
		table.Add(row...)
		if t.name == ours {
			table.Add(floors...)
			table.Add(holds...)
		}
	}
	table.Note = report.Ahead(ours, figures) + "\n\n" + report.Wins(ours, lost, text)
	return table
}

// caseTable tries the inputs that broke other converters.
func caseTable(c data.Corpora, tools []tool, l *losses) (report.Table, error) {
	raw, err := os.ReadFile(c.Path("cases", "html-to-markdown.jsonl"))
	if err != nil {
		return report.Table{}, err
	}
	type oneCase struct {
		ID, HTML string
		Want, No []string
	}
	var cases []oneCase
	var pieces []string
	for d := json.NewDecoder(bytes.NewReader(raw)); d.More(); {
		var c oneCase
		if err := d.Decode(&c); err != nil {
			return report.Table{}, err
		}
		cases, pieces = append(cases, c), append(pieces, c.HTML)
	}
	table := report.Table{Heading: "Cases", Columns: []string{"tool", "passed", "floor", "holds"}}
	contest := &report.Contest{Each: "case", Of: "outcome", Format: func(x float64) string { return map[float64]string{0: "fails", 1: "passes"}[x] }}
	for _, t := range tools {
		answers, err := t.run(pieces)
		if err != nil {
			return table, err
		}
		var passed score.Share
		for i, c := range cases {
			ok := matches(answers[i].Markdown, c.Want, true) && matches(answers[i].Markdown, c.No, false)
			passed.Count(ok, c.ID)
			contest.Put(t.name, c.ID, map[bool]float64{true: 1}[ok])
		}
		row := []string{t.name, fmt.Sprintf("%d of %d", passed.Found, passed.All), "–", "–"}
		if t.name == ours {
			copy(row[2:], report.AtLeast(report.Sample{float64(passed.Found)}, "", float64(passed.All))[2:])
			l.say("case", passed.Lost())
		}
		table.Add(row...)
	}
	table.Note = report.Wins(ours, contest)
	return table, nil
}

// matches reports whether all patterns are there, or none of them. Patterns
// may spell characters as \uXXXX.
func matches(markdown string, patterns []string, wanted bool) bool {
	spelled := regexp.MustCompile(`\\u([0-9a-f]{4})`)
	for _, p := range patterns {
		if regexp.MustCompile("(?m)"+spelled.ReplaceAllString(p, `\x{$1}`)).MatchString(markdown) != wanted {
			return false
		}
	}
	return true
}
