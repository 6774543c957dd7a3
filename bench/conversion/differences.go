package main

// This file says what differs in kind between our Markdown of a fixture and
// defuddle's, without quoting either.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"
)

// alike is the text F1 from which two texts count as the same.
const alike = .98

// difference is one fixture.
type difference struct {
	id   string
	f1   float64
	lost []string // what of defuddle's code, tables, footnotes and callouts is not in ours
	kind []string // what is there in other numbers, "what theirs → ours"
}

func differ(id string, want, got content) difference {
	d := difference{id: id, f1: score.F1(want.page.Text, got.page.Text)}
	var k fixtureKept
	k.add(id, want, got)
	for _, s := range k.shares() {
		if missing := s.share.All - s.share.Found; s.floor > 0 && missing > 0 {
			d.lost = append(d.lost, fmt.Sprintf("%d %s", missing, map[*score.Share]string{
				&k.codeText: "code blocks", &k.rows: "table rows", &k.footnoteTexts: "footnotes", &k.calloutTexts: "callouts"}[s.share]))
		}
	}
	for _, c := range []struct {
		what         string
		theirs, ours int
	}{
		{"headings", sum(want.page.Headings), sum(got.page.Headings)},
		{"code blocks", len(want.code), len(got.code)},
		{"code with language", sum(want.page.Language), sum(got.page.Language)},
		{"inline code", sum(want.page.Inline), sum(got.page.Inline)},
		{"tables", want.tables, got.tables},
		{"table rows", len(want.rows), len(got.rows)},
		{"footnotes", len(want.footnotes), len(got.footnotes)},
		{"callouts", len(want.callouts), len(got.callouts)},
		{"list items", sum(want.page.Items), sum(got.page.Items)},
		{"links", sum(want.page.Labels), sum(got.page.Labels)},
		{"images", sum(want.page.Images), sum(got.page.Images)},
		{"formulas", want.formulas, got.formulas},
	} {
		if c.theirs != c.ours {
			d.kind = append(d.kind, fmt.Sprintf("%s %d → %d", c.what, c.theirs, c.ours))
		}
	}
	return d
}

func sum(b score.Bag) (n int) {
	for _, k := range b {
		n += k
	}
	return n
}

func differencesReport(list []difference) *report.Report {
	r := &report.Report{Title: "Differences from defuddle", About: []string{
		"What differs between our Markdown of defuddle's fixtures and defuddle's own?",
		"Each fixture's page is extracted and converted, both Markdown texts are rendered by goldmark (GFM, footnotes) and counted. " +
			"Numbers are defuddle's → ours; lost is what of defuddle's code, table rows, footnotes and callouts is nowhere in our text. " +
			"Text F1 is of four-word shingles. A difference is not a fault by itself: defuddle writes metadata of some sites as text and drops the first heading.",
	}}
	same, often := 0, map[string]int{}
	table := report.Table{Columns: []string{"fixture", "text F1", "lost", "differs"}}
	for _, d := range list {
		if len(d.lost)+len(d.kind) == 0 && d.f1 >= alike {
			same++
			continue
		}
		for _, k := range d.kind {
			often[strings.TrimRight(k, "0123456789 →")]++
		}
		lost, kind := strings.Join(d.lost, ", "), strings.Join(d.kind, ", ")
		if lost == "" {
			lost = "–"
		}
		if kind == "" {
			kind = "text only"
		}
		table.Add(d.id, fmt.Sprintf("%.3f", d.f1), lost, kind)
	}
	table.Heading = fmt.Sprintf("%d of %d fixtures differ", len(list)-same, len(list))
	kinds := report.Table{Heading: "In what they differ", Columns: []string{"number of", "fixtures"}}
	for _, k := range slices.Sorted(maps.Keys(often)) {
		kinds.Add(k, fmt.Sprint(often[k]))
	}
	r.Table(kinds)
	r.Table(table)
	return r
}
