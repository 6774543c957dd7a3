package main

// This file looks in our Markdown of every page for what its HTML holds.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"evergreen/internal/charset"
	"evergreen/internal/extract"
	"evergreen/internal/markdown"

	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// What Sphinx puts on its pages beside content: anchors, marks of footnotes,
// and in listings of source code the ways back to the documentation.
const (
	container = "div[role=main], div.body, #yui-main > .yui-b"
	furniture = "script, style, a.headerlink, a.viewcode-back, .linenos, .footnote-reference"
	marks     = ".footnote-ref, sup:empty"
)

func contentTable() report.Table {
	return report.Table{Heading: "What the pages hold, found in the Markdown", Columns: []string{"site", "pages", "code blocks", "table cells", "headings with level", "admonitions with kind"},
		Note: "Every page's own content container, without anchors and marks of footnotes, against our Markdown rendered by goldmark (GFM, footnotes). Django's `_modules/` pages hold source code."}
}

// content compares every page of a site.
func (d *site) content(files []string, t *report.Table, notes *strings.Builder) error {
	var code, cells, headings, callouts score.Share
	pages := 0
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(html.WithUnsafe()))
	for _, f := range files {
		raw, err := os.ReadFile(filepath.Join(d.html, filepath.FromSlash(f)))
		if err != nil {
			return err
		}
		text, _, _ := charset.Decode(raw, "", true)
		page := score.Find(score.Without(score.Parse(string(text)), furniture), container)
		if len(page) == 0 {
			continue
		}
		var rendered bytes.Buffer
		if err := gfm.Convert([]byte(markdown.FromNode(extract.Page(text, "https://docs.example.org/"+f).Document(), "")), &rendered); err != nil {
			return err
		}
		answer := score.Without(score.Parse(rendered.String()), marks)
		want, got := score.Read(page[0]), score.Read(answer)
		pages++
		code.Add(placed(f, want.Code), placed(f, got.Code))
		cells.Add(placed(f, want.Cells), placed(f, got.Cells))
		headings.Add(placed(f, want.Levels), placed(f, got.Levels))
		all := score.Callouts(answer)
		for _, box := range score.Find(page[0], ".admonition") {
			if c := score.CalloutOf(box); c.Kind != "" {
				callouts.Count(c.Holds(all), f+" "+c.Kind+" "+score.Line(box))
			}
		}
	}
	row := []string{d.name, report.Thousands(pages)}
	for _, s := range []struct {
		name string
		*score.Share
	}{{"code", &code}, {"cell", &cells}, {"heading", &headings}, {"admonition", &callouts}} {
		row = append(row, fmt.Sprintf("%.4f (%s of %s)", s.Value(), report.Thousands(s.Found), report.Thousands(s.All)))
		for _, item := range s.Lost() {
			fmt.Fprintf(notes, "lost %s of %s: %.200q\n", s.name, d.name, item)
		}
	}
	t.Add(row...)
	return nil
}

// placed names the page of each item.
func placed(page string, items score.Bag) score.Bag {
	all := score.Bag{}
	for item, n := range items {
		all[page+": "+item] = n
	}
	return all
}
