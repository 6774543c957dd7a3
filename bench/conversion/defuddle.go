package main

// This file compares what is made of defuddle's fixtures with the Markdown
// that defuddle itself makes of them.

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"evergreen/internal/extract"
	"evergreen/internal/markdown"

	"evergreen/bench/internal/pages"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
)

// content is what Markdown holds.
type content struct {
	text      string     // squashed, with the texts of images
	code      []string   // squashed
	lines     [][]string // of each code block, squashed
	rows      [][]string // of tables, squashed cells
	tables    int
	footnotes []string
	sources   []string // of each footnote: the address it consists of, "" for any other
	links     string   // addresses of all links
	callouts  []score.Callout
	page      *score.Page
	formulas  int
}

func contentOf(markdown string) content {
	var b bytes.Buffer
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	if err := gfm.Convert([]byte(markdown), &b); err != nil {
		return content{page: &score.Page{}}
	}
	root := score.Parse(b.String())
	c := content{callouts: score.Callouts(root), formulas: strings.Count(markdown, "$") / 2}
	for _, x := range score.Find(root, ".footnotes li") {
		note := score.Without(x, ".footnote-backref")
		c.footnotes = append(c.footnotes, score.Squash(score.TextOf(note)))
		c.sources = append(c.sources, onlyLink(note))
	}
	c.links = strings.Join(hrefs(root), " ")
	c.page = score.Read(root)
	for _, x := range score.Find(root, "pre") {
		code := score.Code(x)
		c.code, c.lines = append(c.code, score.Squash(code)), append(c.lines, linesOf(code))
	}
	c.tables = len(score.Find(root, "table"))
	for _, tr := range score.Find(root, "tr") {
		c.rows = append(c.rows, cellsOf(tr))
	}
	c.text = score.Squash(score.TextOf(root) + " " + altsOf(root))
	return c
}

// onlyLink is the address of a note that is one link and nothing else.
func onlyLink(note *html.Node) string {
	links := score.Find(note, "a")
	if len(links) != 1 || score.Squash(score.TextOf(links[0])) != score.Squash(score.TextOf(note)) {
		return ""
	}
	return strings.Join(hrefs(note), "")
}

func hrefs(n *html.Node) (out []string) {
	for _, a := range score.Find(n, "a") {
		for _, attr := range a.Attr {
			if attr.Key == "href" {
				out = append(out, attr.Val)
			}
		}
	}
	return out
}

func linesOf(code string) (lines []string) {
	for line := range strings.Lines(code) {
		lines = append(lines, score.Squash(line))
	}
	return lines
}

func cellsOf(tr *html.Node) (cells []string) {
	for _, x := range score.Find(tr, "td, th") {
		cells = append(cells, score.Squash(score.TextOf(x)))
	}
	return cells
}

func altsOf(root *html.Node) string {
	var alts []string
	for _, x := range score.Find(root, "img") {
		for _, a := range x.Attr {
			if a.Key == "alt" {
				alts = append(alts, a.Val)
			}
		}
	}
	return strings.Join(alts, " ")
}

// fixtureKept is what one tool kept of all fixtures.
type fixtureKept struct {
	code, codeText, rows, footnotes, footnoteTexts, callouts, calloutTexts score.Share
	text                                                                   score.Text
}

// shares are in the order of the table's columns.
func (k *fixtureKept) shares() []namedShare {
	return []namedShare{
		{"code blocks whole", &k.code, 0}, {"line by line", &k.codeText, 1}, {"table rows", &k.rows, 1}, {"footnotes", &k.footnotes, 0},
		{"or as text or link", &k.footnoteTexts, 1}, {"callouts with kind", &k.callouts, 0}, {"or as text", &k.calloutTexts, 1},
	}
}

func (k *fixtureKept) add(id string, want, got content) {
	everything := strings.Join(got.code, " ")
	for i, c := range want.code {
		k.code.Count(strings.Contains(everything, c), id+" "+c)
		k.codeText.Count(holdsAll(got.text, want.lines[i]), id+" "+c)
	}
	for _, cells := range want.rows {
		k.rows.Count(holdsAll(got.text, cells), id+" "+strings.Join(cells, " | "))
	}
	notes := strings.Join(got.footnotes, " ")
	for i, f := range want.footnotes {
		k.footnotes.Count(strings.Contains(notes, f), id+" "+f)
		// A note that only names where a link leads is kept by that link.
		linked := want.sources[i] != "" && strings.Contains(got.links, want.sources[i])
		k.footnoteTexts.Count(linked || strings.Contains(got.text, f), id+" "+f)
	}
	for _, c := range want.callouts {
		k.callouts.Count(c.Holds(got.callouts), id+" "+c.Kind+" "+c.Text)
		k.calloutTexts.Count(c.In(got.text), id+" "+c.Text)
	}
	k.text.Add(want.page.Text, got.page.Text)
}

func holdsAll(text string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// defuddleTables is the table of what was kept, and the report of each
// fixture's differences, which quotes no page.
func defuddleTables(fixtures []pages.Page, l *losses) (report.Table, *report.Report) {
	table := report.Table{Heading: fmt.Sprintf("What defuddle's Markdown holds, of %d fixtures", len(fixtures)),
		Note: "The fixtures are pages reduced to what broke an extractor; their truth is the Markdown that defuddle 0.19 itself writes. Text is squashed to letters and digits before it is looked for; code whole, and line by line, because defuddle joins and splits blocks, and drops some C++ itself. " +
			"What differs for each fixture: [defuddle.md](defuddle.md).",
		Columns: []string{"tool", "text F1"}}
	for _, s := range (&fixtureKept{}).shares() {
		table.Columns = append(table.Columns, s.name)
	}
	var differences *report.Report
	text := &report.Contest{Each: "fixture", Of: "text F1", Format: figure}
	for _, t := range []struct {
		name string
		run  func(pages.Page) string
	}{{ours, own}, {"go-readability v2 and html-to-markdown v2, table options", readabilityAndTables}} {
		k := &fixtureKept{}
		var list []difference
		for _, p := range fixtures {
			want, got := contentOf(p.Expected), contentOf(t.run(p))
			k.add(p.ID, want, got)
			text.Put(t.name, p.ID, score.F1(want.page.Text, got.page.Text))
			list = append(list, differ(p.ID, want, got))
		}
		row, floors, holds := []string{t.name, figure(k.text.F1())}, []string{"floor", "–"}, []string{"holds", "–"}
		for _, s := range k.shares() {
			row = append(row, fmt.Sprintf("%d of %d", s.share.Found, s.share.All))
			cells := []string{"", "", "–", "–"}
			if s.floor > 0 {
				cells = report.AtLeast(report.Sample{s.share.Value()}, "", s.floor)
			}
			floors, holds = append(floors, cells[2]), append(holds, cells[3])
			if t.name == ours {
				l.say("fixture, "+s.name, s.share.Lost())
			}
		}
		table.Add(row...)
		if t.name == ours {
			table.Add(floors...)
			table.Add(holds...)
			differences = differencesReport(list)
		}
	}
	table.Note += "\n\n" + report.Wins(ours, text)
	return table, differences
}

func own(p pages.Page) string {
	return markdown.FromNode(extract.Page([]byte(p.HTML), p.URL).Document(), "")
}

func readabilityAndTables(p pages.Page) string {
	address, err := url.Parse(p.URL)
	if err != nil {
		return ""
	}
	parser := readability.NewParser()
	parser.KeepClasses = true
	article, err := parser.Parse(strings.NewReader(p.HTML), address)
	if err != nil || article.Node == nil {
		return ""
	}
	text, err := tables().ConvertString(score.HTML(article.Node))
	if err != nil {
		return ""
	}
	return text
}
