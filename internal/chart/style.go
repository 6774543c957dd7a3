package chart

// This file turns the library's colours into classes. It draws with colours that
// stand for names: red is the number of the name, green and blue are nothing.

import (
	"regexp"
	"strings"

	"github.com/go-analyze/charts"
)

// names are the classes that colours stand for, by their red.
func names() []string { return []string{"", "ink", "axis", "grid", "1", "2", "3"} }

func colour(name string) charts.Color {
	for i, n := range names() {
		if n == name {
			return charts.Color{R: uint8(i), A: 255}
		}
	}
	return charts.Color{}
}

func theme() charts.ColorPalette {
	return charts.MakeTheme(charts.ThemeOption{
		AxisStrokeColor: colour("axis"), AxisSplitLineColor: colour("grid"), TextColor: colour("ink"),
		SeriesColors: []charts.Color{colour("1"), colour("2"), colour("3")},
	})
}

func font() charts.FontStyle { return charts.FontStyle{FontSize: fontPoints, FontColor: colour("ink")} }

func padding() charts.Box { return charts.NewBox(4, 8, 20, 8) }

var (
	styled  = regexp.MustCompile(`<(path|circle|text|rect) ([^>]*?) ?style="([^"]*)"([^>]*)>`)
	coded   = regexp.MustCompile(`^rgba?\((\d+),0,0`)
	nothing = regexp.MustCompile(`<path [^>]*fill="none" stroke="none"/>|<path [^>]*stroke="none" fill="none"/>`)
)

// classed rewrites style attributes, which a page's policy forbids, as classes
// and presentation attributes, and drops what is not to be seen.
func classed(svg string) string {
	svg = strings.NewReplacer("\nL ", " L ", "\nL", " L").Replace(svg)
	svg = styled.ReplaceAllStringFunc(svg, func(element string) string {
		m := styled.FindStringSubmatch(element)
		var classes, attributes []string
		for declaration := range strings.SplitSeq(m[3], ";") {
			property, value, _ := strings.Cut(declaration, ":")
			code := coded.FindStringSubmatch(value)
			switch {
			case property == "font-family": // the page's own
			case code != nil && (property == "fill" || property == "stroke"):
				classes = append(classes, property+"-"+nameOf(code[1]))
			default:
				attributes = append(attributes, property+`="`+value+`"`)
			}
		}
		out := "<" + m[1] + " " + m[2]
		if len(classes) > 0 {
			out += ` class="` + strings.Join(classes, " ") + `"`
		}
		if len(attributes) > 0 {
			out += " " + strings.Join(attributes, " ")
		}
		return out + m[4] + ">"
	})
	return nothing.ReplaceAllString(svg, "")
}

func nameOf(red string) string {
	for i, n := range names() {
		if string(rune('0'+i)) == red {
			return n
		}
	}
	return "ink"
}
