// Package chart draws charts as SVG that lives inside a page: no script, no style
// of its own, so that the strictest policy lets it through and the page's colours,
// light or dark, hold. Every chart carries its title and a description; the
// numbers themselves belong into a table beside it, which is not drawn here.
package chart

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-analyze/charts"
)

// Series is one row of values, one for each label of its chart. NaN is a gap.
type Series struct {
	Name   string
	Values []float64
}

// Chart is what charts of all kinds have in common. Elements of the result have
// classes in place of colours: fill-X and stroke-X, X being ink, axis, grid, or
// 1, 2, 3 for the series in their order.
type Chart struct {
	ID          string // unique on the page; made of letters, digits and "-"
	Title       string
	Description string // what there is to see, in a sentence
	Labels      []string
	Series      []Series                   // at most three
	Format      func(value float64) string // nil is plain numbers
	Max         float64                    // end of the axis; 0 is what the values need
}

// Bars draws horizontal bars, one for each label, from top to bottom, with their
// values; Max means nothing here. Widths and heights are in units that a page scales.
func Bars(c Chart) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	var values [][]float64
	for _, s := range c.Series {
		values = append(values, reversed(s.Values)) // the library begins at the bottom
	}
	o := charts.NewBarChartOptionWithData(values)
	o.Horizontal, o.Theme, o.Legend, o.Padding = true, theme(), c.legend(), padding()
	o.CategoryAxis = charts.CategoryAxisOption{Labels: reversed(shortened(c.Labels)), LabelFontStyle: font()}
	o.ValueAxis = []charts.ValueAxisOption{{Show: charts.Ptr(false), Min: charts.Ptr(0.0), Max: charts.Ptr(c.longest() * barRoom)}}
	for i := range o.SeriesList {
		o.SeriesList[i].Label = charts.SeriesLabel{Show: charts.Ptr(true), FontStyle: font(), ValueFormatter: c.format()}
	}
	height := barsAround + barHeight*len(c.Labels)*max(len(c.Series), 1)
	if len(c.Series) > 1 {
		height += legendHeight
	}
	return c.draw(height, func(p *charts.Painter) error { return p.BarChart(o) })
}

// Lines draws a line for each series over the labels in their order.
func Lines(c Chart) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	var values [][]float64
	for _, s := range c.Series {
		row := slices.Clone(s.Values)
		for i, v := range row {
			if math.IsNaN(v) {
				row[i] = charts.GetNullValue()
			}
		}
		values = append(values, row)
	}
	o := charts.NewLineChartOptionWithData(values)
	o.Theme, o.Legend, o.Padding = theme(), c.legend(), padding()
	o.XAxis = charts.XAxisOption{Labels: c.Labels, LabelFontStyle: font()}
	if len(c.Labels) > maxTicks {
		o.XAxis.LabelCount = maxTicks
	}
	o.YAxis = c.axis()
	return c.draw(linesHeight, func(p *charts.Painter) error { return p.LineChart(o) })
}

// check refuses what would be drawn wrongly in silence.
func (c Chart) check() error {
	if len(c.Labels) == 0 || len(c.Series) == 0 || len(c.Series) > maxSeries {
		return fmt.Errorf("chart %s: %d labels and %d series", c.ID, len(c.Labels), len(c.Series))
	}
	for _, s := range c.Series {
		if len(s.Values) != len(c.Labels) {
			return fmt.Errorf("chart %s: %d values of %s for %d labels", c.ID, len(s.Values), s.Name, len(c.Labels))
		}
	}
	return nil
}

// draw paints on a canvas of the usual width and makes the result one of a page.
func (c Chart) draw(height int, paint func(*charts.Painter) error) ([]byte, error) {
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: width, Height: height, Theme: theme()})
	if err := paint(p); err != nil {
		return nil, fmt.Errorf("chart %s: %w", c.ID, err)
	}
	drawn, err := p.Bytes()
	if err != nil {
		return nil, fmt.Errorf("chart %s: %w", c.ID, err)
	}
	_, inner, _ := strings.Cut(string(drawn), ">")
	head := fmt.Sprintf(`<svg class="chart" role="img" aria-labelledby="%s-t %s-d" viewBox="0 0 %d %d"><title id="%s-t">%s</title><desc id="%s-d">%s</desc>`,
		c.ID, c.ID, width, height, c.ID, escaped(c.Title), c.ID, escaped(c.Description))
	return []byte(head + classed(inner)), nil
}

func (c Chart) legend() charts.LegendOption {
	o := charts.LegendOption{FontStyle: font(), Symbol: charts.SymbolSquare, Show: charts.Ptr(len(c.Series) > 1)}
	for _, s := range c.Series {
		o.SeriesNames = append(o.SeriesNames, s.Name)
	}
	return o
}

// longest is the largest value, 1 when there is none.
func (c Chart) longest() float64 {
	most := 0.0
	for _, s := range c.Series {
		most = max(most, slices.Max(s.Values))
	}
	if most == 0 {
		return 1
	}
	return most
}

// axis begins at nothing and has round numbers.
func (c Chart) axis() []charts.ValueAxisOption {
	o := charts.ValueAxisOption{Min: charts.Ptr(0.0), LabelFontStyle: font(), ValueFormatter: c.format(), PreferNiceIntervals: charts.Ptr(true)}
	if c.Max > 0 {
		o.Max, o.LabelCount, o.RangeValuePaddingScale = charts.Ptr(c.Max), maxAxisLabels, charts.Ptr(0.0)
	} else {
		o.LabelCountAdjustment = -1
	}
	return []charts.ValueAxisOption{o}
}

func (c Chart) format() charts.ValueFormatter {
	if c.Format != nil {
		return c.Format
	}
	return func(v float64) string { return fmt.Sprint(v) }
}

func reversed[T any](list []T) []T {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// shortened cuts labels in their middle: of paths, both ends tell most. A space
// keeps them off the axis.
func shortened(labels []string) []string {
	out := slices.Clone(labels)
	for i, l := range out {
		if r := []rune(l); len(r) > maxLabel {
			head := maxLabel / 3
			out[i] = string(r[:head]) + "…" + string(r[len(r)-(maxLabel-head-1):])
		}
		out[i] += "\u00a0"
	}
	return out
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return cmp.Or(b.String(), "–")
}
