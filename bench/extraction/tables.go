package main

// This file scores the tools' answers.

import (
	"bytes"
	"fmt"
	"strings"

	"evergreen/bench/internal/pages"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// What no reader wants inside a documentation page's own container, and what
// is forgiven in an answer: heading anchors, line numbers, copy buttons.
const (
	noise = "script, style, noscript, template, button, .hash-link, .headerlink, .header-anchor, a.anchor, a.anchorjs-link, .md-content__button, " +
		".md-source-file, .edit-this-page, .tsd-anchor-icon, .linenos, .line-numbers-wrapper, nav, .copy-path, .src"
	forgiven = "button, .hash-link, .headerlink, .header-anchor, a.anchor, a.anchorjs-link, .linenos, .line-numbers-wrapper"
	panels   = "[role=tabpanel], .tabbed-block"
	boxes    = ".theme-admonition, .admonition, .custom-block, .admonitionblock"
)

// textTable scores the text of answers against what is wanted.
func textTable(table report.Table, tools []answered, all []pages.Page, floor float64, want func(pages.Page) string, l *losses) report.Table {
	table.Columns = []string{"tool", "F1", "precision", "recall", "exact", "no answer", "floor", "holds"}
	figures := []report.Figure{{Name: "F1"}, {Name: "precision"}, {Name: "recall"}}
	byPage := pageContest()
	for _, t := range tools {
		var text score.Text
		empty := 0
		for i, a := range t.answers {
			got := score.TextOf(score.Parse(a.HTML))
			if len(score.Words(got)) == 0 {
				empty++
			}
			text.Add(want(all[i]), got)
			if t.name != wholeBody {
				byPage.Put(t.name, all[i].ID, score.F1(want(all[i]), got))
			}
			if t.name == ours {
				l.page(table.Heading, all[i].ID, want(all[i]), got)
			}
		}
		for i, x := range []float64{text.F1(), text.Precision(), text.Recall()} {
			if t.name != wholeBody {
				figures[i].Put(t.name, x)
			}
		}
		row := []string{t.name, figure(text.F1()), figure(text.Precision()), figure(text.Recall()), figure(text.Exact()), fmt.Sprint(empty), "–", "–"}
		if t.name == ours {
			copy(row[6:], report.AtLeast(report.Sample{text.F1()}, "", floor)[2:])
		}
		table.Add(row...)
	}
	table.Note = strings.TrimSpace(table.Note+" "+report.Ahead(ours, figures)) + "\n\n" + report.Wins(ours, byPage)
	return table
}

// pageContest compares the text of each page.
func pageContest() *report.Contest {
	return &report.Contest{Each: "page", Of: "text F1", Format: figure}
}

func articleTable(tools []answered, all []pages.Page, l *losses) report.Table {
	table := report.Table{Heading: fmt.Sprintf("Articles: %d pages", len(all)), Note: "The aim beyond the floor is .970."}
	return textTable(table, tools, all, .965, func(p pages.Page) string { return p.Text }, l)
}

func readableTable(tools []answered, all []pages.Page, l *losses) report.Table {
	table := report.Table{Heading: fmt.Sprintf("Readability pages: %d", len(all))}
	return textTable(table, tools, all, .99, func(p pages.Page) string { return score.TextOf(score.Parse(p.Expected)) }, l)
}

func rendered(markdown string) string {
	var b bytes.Buffer
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := gfm.Convert([]byte(markdown), &b); err != nil {
		return ""
	}
	return b.String()
}

// kept is what a tool kept of all documentation pages.
type kept struct {
	text                                                                                    score.Text
	pages                                                                                   [][3]string // id, text wanted and given
	lost                                                                                    []int       // items, by page
	code, language, cells, headings, levels, links, inline, panels, callouts, calloutsKinds score.Share
}

const docsNote = "Languages count when the same code names the same language. Links count by their text. " +
	"Admonitions count by their text, and with their kind, of which there are the five of GitHub's alerts."

// docsTable scores what the tools extracted.
func docsTable(tools []answered, all []pages.Page, l *losses) report.Table {
	table := report.Table{Heading: fmt.Sprintf("Documentation: %d pages", len(all)), Note: docsNote, Columns: docsColumns()}
	var figures []report.Figure
	text, lost := pageContest(), lossContest()
	for _, t := range tools {
		k := keptOf(t, all, func(a answer) string { return a.HTML })
		if t.name != wholeBody {
			figures = k.figures(figures, t.name)
			k.contest(t.name, text, lost)
		}
		table.Add(k.row(t.name)...)
		if t.name == ours {
			table.Add(k.verdicts("floor", 2)...)
			table.Add(k.verdicts("holds", 3)...)
			l.kept(table.Heading, k)
		}
	}
	table.Note += " " + report.Ahead(ours, figures) + "\n\n" + report.Wins(ours, text, lost)
	return table
}

// docsMarkdownTable scores what the tools wrote as Markdown.
func docsMarkdownTable(tools []answered, all []pages.Page, l *losses) report.Table {
	table := report.Table{Heading: fmt.Sprintf("Documentation as Markdown: %d pages", len(all)), Note: docsNote, Columns: docsColumns()}
	var figures []report.Figure
	text, lost := pageContest(), lossContest()
	for _, t := range tools {
		if !t.convert {
			continue
		}
		k := keptOf(t, all, func(a answer) string { return rendered(a.Markdown) })
		figures = k.figures(figures, t.name)
		k.contest(t.name, text, lost)
		table.Add(k.row(t.name)...)
		if t.name == ours {
			l.kept(table.Heading, k)
		}
	}
	table.Note += " " + report.Ahead(ours, figures) + "\n\n" + report.Wins(ours, text, lost)
	return table
}

// lossContest compares what is lost of each page.
func lossContest() *report.Contest {
	return &report.Contest{Each: "page", Of: "code blocks, cells, headings, links, inline code, panels and admonitions lost", Lower: true}
}

// contest notes each page's text and losses.
func (k *kept) contest(tool string, text, lost *report.Contest) {
	for i, p := range k.pages {
		text.Put(tool, p[0], score.F1(p[1], p[2]))
		lost.Put(tool, p[0], float64(k.lost[i]))
	}
}

// figures adds one tool's values, by the table's columns.
func (k *kept) figures(all []report.Figure, tool string) []report.Figure {
	if all == nil {
		all = append(all, report.Figure{Name: "text F1"})
		for _, s := range k.shares() {
			all = append(all, report.Figure{Name: s.name})
		}
	}
	all[0].Put(tool, k.text.F1())
	for i, s := range k.shares() {
		all[i+1].Put(tool, s.share.Value())
	}
	return all
}

func docsColumns() []string {
	columns := []string{"tool", "text F1"}
	for _, s := range (&kept{}).shares() {
		columns = append(columns, s.name)
	}
	return columns
}

func keptOf(t answered, all []pages.Page, html func(answer) string) *kept {
	k := &kept{}
	for i, a := range t.answers {
		k.add(all[i], html(a))
	}
	return k
}

func (k *kept) row(name string) []string {
	row := []string{name, figure(k.text.F1())}
	for _, s := range k.shares() {
		row = append(row, fmt.Sprintf("%d of %d", s.share.Found, s.share.All))
	}
	return row
}

// verdicts is one of the cells of report.AtLeast for each figure.
func (k *kept) verdicts(name string, cell int) []string {
	row := []string{name, report.AtLeast(report.Sample{k.text.F1()}, "", .985)[cell]}
	for _, s := range k.shares() {
		if s.floor == 0 {
			row = append(row, "–")
			continue
		}
		row = append(row, report.AtLeast(report.Sample{s.share.Value()}, "", s.floor)[cell])
	}
	return row
}

type namedShare struct {
	name  string
	share *score.Share
	floor float64 // 0 is none
}

// shares are in the order of the table's columns.
func (k *kept) shares() []namedShare {
	return []namedShare{
		{"code blocks", &k.code, 1}, {"with language", &k.language, 1}, {"cells", &k.cells, .995}, {"headings", &k.headings, .99}, {"with level", &k.levels, 0},
		{"link texts", &k.links, 0}, {"inline code", &k.inline, 0}, {"tab panels", &k.panels, 1}, {"admonitions", &k.callouts, 1}, {"with kind", &k.calloutsKinds, 1},
	}
}

// missing is how many items of all kinds were not found so far.
func (k *kept) missing() (n int) {
	for _, s := range k.shares() {
		n += s.share.All - s.share.Found
	}
	return n
}

// add compares one answer with the page's own content.
func (k *kept) add(p pages.Page, src string) {
	before := k.missing()
	defer func() {
		if len(k.pages) > len(k.lost) {
			k.lost = append(k.lost, k.missing()-before)
		}
	}()
	page := score.Parse(p.HTML)
	answer := score.Without(score.Parse(src), forgiven)
	said, callouts := score.Squash(score.TextOf(answer)), score.Callouts(answer)
	for _, panel := range score.Find(page, panels) {
		k.panels.Count(strings.Contains(said, score.Squash(score.TextOf(score.Without(panel, forgiven)))), p.ID+" "+score.Line(panel))
	}
	for _, box := range score.Find(page, boxes) {
		score.Without(box, forgiven)
		k.callouts.Count(strings.Contains(said, score.Squash(score.TextOf(box))), p.ID+" "+score.Line(box))
		c := score.CalloutOf(box)
		k.calloutsKinds.Count(c.Holds(callouts), p.ID+" "+c.Kind+" "+score.Line(box))
	}
	container := score.Find(page, p.Selector)
	if len(container) == 0 {
		return
	}
	want, got := score.Read(score.Without(container[0], noise)), score.Read(answer)
	k.text.Add(want.Text, got.Text)
	k.pages = append(k.pages, [3]string{p.ID, want.Text, got.Text})
	k.code.Add(want.Code, got.Code)
	k.language.Add(want.Language, got.Language)
	k.cells.Add(want.Cells, got.Cells)
	k.headings.Add(want.Headings, got.Headings)
	k.levels.Add(want.Levels, got.Levels)
	k.links.Add(want.Labels, got.Labels)
	k.inline.Add(want.Inline, got.Inline)
}
