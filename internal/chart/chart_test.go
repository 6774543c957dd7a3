package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

func example() Chart {
	return Chart{ID: "c", Title: `Tokens & "layers"`, Description: "What each costs.", Labels: []string{"/llms.txt", "/.well-known/agent-skills/index.json", "/robots.txt"},
		Series: []Series{{Name: "tokens", Values: []float64{1200, 40, 7}}}}
}

func lines() Chart {
	return Chart{ID: "l", Title: "答", Description: "预算", Labels: []string{"500", "1,000", "2,000"}, Max: 100,
		Format: func(v float64) string {
			return strings.TrimSuffix(strings.TrimRight(string(rune('0'+int(v/100)))+"00", "0"), ".") + " %"
		},
		Series: []Series{{Name: "found", Values: []float64{10, math.NaN(), 100}}, {Name: "整体", Values: []float64{0, 5, 60}}}}
}

// TestChartsFitIntoPages holds what a strict policy and a reader of the page need.
func TestChartsFitIntoPages(t *testing.T) {
	for name, draw := range map[string]func() ([]byte, error){
		"bars":  func() ([]byte, error) { return Bars(example()) },
		"lines": func() ([]byte, error) { return Lines(lines()) },
	} {
		svg, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"style=", "<style", "<script", "rgb(", "font-family", `fill="none" stroke="none"`} {
			if bytes.Contains(svg, []byte(bad)) {
				t.Errorf("%s: holds %s", name, bad)
			}
		}
		for _, want := range []string{`role="img"`, "<title id=", "<desc id=", "fill-ink", "stroke-axis"} {
			if !bytes.Contains(svg, []byte(want)) {
				t.Errorf("%s: lacks %s in\n%s", name, want, svg)
			}
		}
		for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s is no XML: %v", name, err)
			}
		}
		if again, _ := draw(); !bytes.Equal(again, svg) {
			t.Errorf("%s: the same chart twice differs", name)
		}
		if out := os.Getenv("CHART_OUT"); out != "" {
			if err := os.WriteFile(out+"/"+name+".svg", svg, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestBarsShowLabelsAndValuesFromTheTop(t *testing.T) {
	svg, err := Bars(example())
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]string{}
	for _, m := range regexp.MustCompile(`<text x="[^"]*" y="(\d+)"[^>]*>([^<]*)</text>`).FindAllStringSubmatch(string(svg), -1) {
		at[strings.TrimSuffix(m[2], "\u00a0")] = m[1]
	}
	for label, value := range map[string]string{"/llms.txt": "1200", "/.well-k…skills/index.json": "40", "/robots.txt": "7"} {
		if at[label] == "" || at[value] == "" {
			t.Errorf("%s with %s is not there: %v", label, value, at)
		}
	}
	if len(at["/llms.txt"]) > len(at["/robots.txt"]) || at["/llms.txt"] >= at["/robots.txt"] {
		t.Errorf("/llms.txt at %s, /robots.txt at %s: the first is not on top", at["/llms.txt"], at["/robots.txt"])
	}
	if !strings.Contains(string(svg), "Tokens &amp; &#34;layers&#34;</title>") {
		t.Errorf("the title is not escaped:\n%s", svg[:300])
	}
}

func TestNoLineCrossesAGap(t *testing.T) {
	line := regexp.MustCompile(`<path [^>]*class="stroke-1"`)
	svg, err := Lines(lines())
	if err != nil {
		t.Fatal(err)
	}
	whole := lines()
	whole.Series[0].Values[1] = 50
	without, err := Lines(whole)
	if err != nil {
		t.Fatal(err)
	}
	if line.Match(svg) || !line.Match(without) {
		t.Errorf("a line over the gap: %v, over three values: %v", line.Match(svg), line.Match(without))
	}
}

func TestWhatCannotBeDrawn(t *testing.T) {
	for name, spoil := range map[string]func(*Chart){
		"no labels":              func(c *Chart) { c.Labels = nil },
		"no series":              func(c *Chart) { c.Series = nil },
		"uneven values":          func(c *Chart) { c.Series[0].Values = []float64{1} },
		"too many to tell apart": func(c *Chart) { c.Series = append(c.Series, c.Series[0], c.Series[0], c.Series[0]) },
	} {
		c := example()
		spoil(&c)
		if _, err := Bars(c); err == nil {
			t.Errorf("%s: drawn as bars", name)
		}
		if _, err := Lines(c); err == nil {
			t.Errorf("%s: drawn as lines", name)
		}
	}
	c := example()
	c.Series = append(c.Series, c.Series[0], c.Series[0])
	if _, err := Bars(c); err != nil {
		t.Errorf("three series: %v", err)
	}
}

func TestLongLabelsKeepBothEnds(t *testing.T) {
	exact, over := strings.Repeat("x", maxLabel), "a"+strings.Repeat("x", maxLabel-1)+"z"
	got := shortened([]string{exact, over})
	if got[0] != exact+"\u00a0" || len([]rune(got[1])) != maxLabel+1 || !strings.HasPrefix(got[1], "a") || !strings.HasSuffix(got[1], "z\u00a0") {
		t.Errorf("%q", got)
	}
}
