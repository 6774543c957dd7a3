package main

// This file draws bars.

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// plotFile is the picture that the README shows.
const plotFile = "docs/benchmarks.svg"

// panel is one group of bars: a column of a table.
type panel struct {
	title, file, heading, column, unit string
	powers                             bool // bars grow with the logarithm
}

// bar is one contender's figure.
type bar struct {
	name, figure string
	value        float64
}

func (p panel) bars(results map[string]result) ([]bar, error) {
	r, ok := results[p.file]
	if !ok {
		return nil, fmt.Errorf("there is no result %s.md; measure it first", p.file)
	}
	t, err := r.table(p.heading)
	if err != nil {
		return nil, err
	}
	column, err := t.column(p.column)
	if err != nil {
		return nil, err
	}
	var bars []bar
	for _, row := range t.rows {
		if x, ok := value(row[column]); ok && row[0] != "floor" && row[0] != "holds" {
			bars = append(bars, bar{row[0], plain(row[column]) + p.unit, x})
		}
	}
	return bars, nil
}

// Measures of the plot, in pixels of its own width.
const (
	plotWidth = 760
	barLeft   = 290 // where bars begin
	barMost   = 350 // length of the longest
	barHeight = 14
	barStep   = 22
	margin    = 24
)

// style is that of the docs' pictures: readable on light and dark paper, and
// the product's bars are told by more than their colour.
const style = `<style>
    .paper { fill: #FAF9F5 } .ink { fill: #1B1F1A } .muted { fill: #5C635A } .ours { fill: #1F6F4A } .peer { fill: #A9ADA3 }
    @media (prefers-color-scheme: dark) { .paper { fill: #0F1411 } .ink { fill: #E6E9E3 } .muted { fill: #9AA39A } .ours { fill: #6FCF97 } .peer { fill: #59625B } }
  </style>`

// draw makes the picture. The same results give the same bytes.
func draw(results map[string]result) (string, error) {
	var b strings.Builder
	y := margin + 8
	var said []string
	for _, p := range panels() {
		bars, err := p.bars(results)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "  <text class=\"muted\" x=\"%d\" y=\"%d\">%s</text>\n", margin, y, escape(p.title))
		y += 12
		for i, length := range lengths(bars, p.powers) {
			class, weight := "peer", ""
			if bars[i].name == ours {
				class, weight = "ours", ` font-weight="600"`
			}
			fmt.Fprintf(&b, "  <text class=\"ink\"%s x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", weight, barLeft-10, y+11, escape(bars[i].name))
			fmt.Fprintf(&b, "  <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"/>\n", class, barLeft, y, length, barHeight)
			fmt.Fprintf(&b, "  <text class=\"ink\"%s x=\"%d\" y=\"%d\">%s</text>\n", weight, barLeft+length+8, y+11, escape(bars[i].figure))
			y += barStep
		}
		said = append(said, p.title+". "+spoken(bars))
		y += 26
	}
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title description\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n"+
		"  <title id=\"title\">Evergreen beside its peers</title>\n  <desc id=\"description\">%s</desc>\n  %s\n  <rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n%s</svg>\n",
		plotWidth, y-8, escape(strings.Join(said, " ")), style, plotWidth, y-8, b.String()), nil
}

// spoken lists the bars for those who do not see them.
func spoken(bars []bar) string {
	var parts []string
	for _, b := range bars {
		parts = append(parts, b.name+" "+b.figure)
	}
	return strings.Join(parts, ", ") + "."
}

// lengths are the bars' pixels, at least two.
func lengths(bars []bar, powers bool) []int {
	low, high := math.Inf(1), 0.0
	for _, b := range bars {
		if b.value > 0 {
			low, high = min(low, b.value), max(high, b.value)
		}
	}
	out := make([]int, len(bars))
	for i, b := range bars {
		share := b.value / high
		if powers && b.value > 0 {
			// One power of ten below the least, so that the least has a length.
			share = (math.Log10(b.value/low) + 1) / (math.Log10(high/low) + 1)
		}
		out[i] = max(2, int(math.Round(share*barMost)))
	}
	return out
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return strconv.Quote(s) // a Builder takes everything
	}
	return b.String()
}

// plotImage is the picture in Markdown, described by its figures.
func plotImage(results map[string]result) (string, error) {
	var said []string
	for _, p := range panels() {
		bars, err := p.bars(results)
		if err != nil {
			return "", err
		}
		said = append(said, p.title+". "+spoken(bars))
	}
	alt := strings.NewReplacer("[", "(", "]", ")").Replace(strings.Join(said, " "))
	return "![" + alt + "](" + plotFile + ")\n", nil
}

// textBars draws bars of letters, for documents that are read as text.
func textBars(p panel, results map[string]result) (string, error) {
	bars, err := p.bars(results)
	if err != nil {
		return "", err
	}
	const most = 40
	letters := lengths(bars, p.powers)
	for i := range letters {
		letters[i] = letters[i] * most / barMost
	}
	return lettered(p.title, bars, letters), nil
}

// lettered are bars of so many letters below a title.
func lettered(title string, bars []bar, letters []int) string {
	widest := 0
	for _, b := range bars {
		widest = max(widest, len([]rune(b.name)))
	}
	var s strings.Builder
	s.WriteString("```text\n" + title + "\n")
	for i, b := range bars {
		fmt.Fprintf(&s, "%-*s  %s %s\n", widest, b.name, strings.Repeat("█", max(1, letters[i])), b.figure)
	}
	return s.String() + "```\n"
}
