package audit

// This file writes the report as one HTML file that needs nothing else.

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strconv"

	"evergreen/internal/audit/finding"
	"evergreen/internal/text"
)

//go:embed report.html.tmpl
var reportTemplate string

// bar is one bar of the chart.
type bar struct {
	Name, Value string
	Width       int // of 300
	Y           int
}

// row is one layer of the second chart: three parts of a bar.
type row struct {
	Layer
	Y, Pass, Warn, Fail, WarnX, FailX int
}

type page struct {
	Report
	Bars []bar
	Rows []row
	Open []group
	Good []finding.Check
}

// group is a phase and its gaps.
type group struct {
	Phase
	Checks []finding.Check
}

// WriteHTML writes the report with its charts. Same report, same bytes.
func (r Report) WriteHTML(w io.Writer) error {
	t, err := template.New("report").Parse(reportTemplate)
	if err != nil {
		return err
	}
	p := page{Report: r}
	p.Bars = r.bars()
	for i, l := range r.Layers {
		all := max(1, l.Passed+l.Warned+l.Failed)
		x := row{Layer: l, Y: i * 26, Pass: l.Passed * 300 / all, Warn: l.Warned * 300 / all}
		x.Fail = l.Failed * 300 / all
		x.WarnX, x.FailX = x.Pass, x.Pass+x.Warn
		p.Rows = append(p.Rows, x)
	}
	for _, phase := range r.Phases {
		g := group{Phase: phase}
		for _, c := range r.Checks {
			if c.Phase == phase.ID && (c.Status == finding.Fail || c.Status == finding.Warn) {
				g.Checks = append(g.Checks, c)
			}
		}
		p.Open = append(p.Open, g)
	}
	for _, c := range r.Checks {
		if c.Status == finding.Pass || c.Status == finding.Skip {
			p.Good = append(p.Good, c)
		}
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return err
	}
	_, err = w.Write(text.ForHTML(b.Bytes()))
	return err
}

// bars are the figures that go from 0 to 100.
func (r Report) bars() []bar {
	var bars []bar
	for _, b := range []struct {
		name  string
		value int
	}{
		{"afdocs", r.Score.Afdocs.Score}, {"Lighthouse: agentic browsing", r.Score.Lighthouse.Agentic}, {"Lighthouse: SEO", r.Score.Lighthouse.SEO},
		{"Lighthouse: best practices", r.Score.Lighthouse.Practices}, {"Cloudflare", r.Score.Cloudflare.Score}, {"Cloudflare, open access", r.Score.Cloudflare.Own},
	} {
		x := bar{Name: b.name, Value: "not applicable", Y: len(bars) * 26}
		if b.value >= 0 {
			x.Value, x.Width = strconv.Itoa(b.value), 3*b.value
		}
		bars = append(bars, x)
	}
	return bars
}
