package ui

// This file makes the page of figures: what a site costs agents, and how that was
// measured. Every figure is a sentence, a chart, a table and the way it was taken.

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"evergreen/internal/chart"
	"evergreen/internal/site"
)

// Report are the figures of one snapshot, and those of the running server.
type Report struct {
	Taken     time.Time // zero: they are still being taken
	Fault     string    // why they could not be taken
	Revision  string
	Estimator string

	Questions     int // of the walks and the bundles
	With, Without Walk
	Layers        []LayerFigure
	Pages         []PageFigure // a sample
	SitePages     int          // all there are
	Bundles       []BundleFigure

	Operator *OperatorFigures // nil: not for this reader
}

// Walk is the way to a usable answer: means over the questions.
type Walk struct {
	Found            int
	Requests, Tokens float64
}

// LayerFigure is what one document costs to read whole.
type LayerFigure struct {
	Layer, Path   string
	Tokens, Bytes int
}

// PageFigure is one page of the sample. Densities are shares from 0 to 1.
type PageFigure struct {
	Path                       string
	HTMLTokens, MirrorTokens   int
	ContentTokens              int
	HTMLDensity, MirrorDensity float64
}

// BundleFigure is what the answers at one budget hold.
type BundleFigure struct {
	Budget, Questions, Found, Cut int // Cut: answers that something was left out of
	Used, Payload                 float64
}

// OperatorFigures are those of the running server since its start.
type OperatorFigures struct {
	Exact, Repaired, Refused   int
	HintsFollowed, ErrorsAfter int
	Repairs, Refusals, Routes  []Tally
	Minutes                    []MinuteFigure // the last hour, the oldest first
}

// Tally is a number of something.
type Tally struct {
	Name string
	N    int
}

// MinuteFigure are the requests of one minute.
type MinuteFigure struct {
	Start                time.Time
	All, Agents, Refused int
}

// figure is one part of the page.
type figure struct {
	ID, Title, Sentence, How string
	Chart                    template.HTML
	Head                     []string
	Rows                     [][]string
	Fold                     string // summary, when the table is folded
}

// reportPage is the page.
type reportPage struct {
	frame
	W       reportWords
	Fault   string
	Waiting bool
	Taken   string
	About   string
	Figures []figure
	Private bool // some figures are for operators only
}

// ReportPage writes the page of figures.
func (u *UI) ReportPage(s *site.Site, lang string, r Report) ([]byte, error) {
	data := reportPage{frame: u.own(s, lang, reportPath, "live.mjs"), W: reportWordsOf(lang), Fault: r.Fault,
		Waiting: r.Taken.IsZero() && r.Fault == "", Private: r.Operator == nil}
	data.offer(r.Operator != nil)
	data.Title, data.Description = pageTitle(data.W.Title, data.Site), data.W.Intro
	var makers []func(reportWords) (figure, error)
	if !r.Taken.IsZero() {
		data.Taken = r.Taken.UTC().Format(time.DateTime) + " UTC"
		data.About = fmt.Sprintf(data.W.About, r.Revision, r.Estimator)
		makers = append(makers, r.walks)
		if len(r.Layers) > 0 {
			makers = append(makers, r.layers)
		}
		if len(r.Pages) > 0 {
			makers = append(makers, r.densities)
		}
		if len(r.Bundles) > 0 {
			makers = append(makers, r.coverage)
		}
	}
	if r.Operator != nil {
		makers = append(makers, r.Operator.repairs, r.Operator.traffic)
	}
	for _, tell := range makers {
		f, err := tell(data.W)
		if err != nil {
			return nil, err
		}
		data.Figures = append(data.Figures, f)
	}
	return u.execute("report.tmpl", data)
}

// drawn is a chart as part of a page.
func drawn(svg []byte, err error) (template.HTML, error) { return template.HTML(svg), err }

func (r Report) walks(w reportWords) (f figure, err error) {
	f = figure{ID: "walks", Title: w.Walks, How: fmt.Sprintf(w.WalksHow, r.Questions), Head: w.WalksHead,
		Sentence: fmt.Sprintf(w.WalksSays, decimal(r.With.Requests), r.With.Found, r.Questions, decimal(r.Without.Requests), r.Without.Found, decimal(r.With.Tokens), decimal(r.Without.Tokens)),
		Rows:     [][]string{r.With.row(w.With, r.Questions), r.Without.row(w.Without, r.Questions)}}
	f.Chart, err = drawn(chart.Bars(chart.Chart{ID: "walks", Title: w.Walks, Description: f.Sentence, Labels: []string{w.With, w.Without},
		Series: []chart.Series{{Name: w.Requests, Values: []float64{r.With.Requests, r.Without.Requests}}}, Format: decimal}))
	return f, err
}

func (k Walk) row(name string, questions int) []string {
	return []string{name, fmt.Sprintf("%d / %d", k.Found, questions), decimal(k.Requests), decimal(k.Tokens)}
}

func (r Report) layers(w reportWords) (f figure, err error) {
	f = figure{ID: "layers", Title: w.Layers, How: w.LayersHow, Head: w.LayersHead}
	c := chart.Chart{ID: "layers", Title: w.Layers, Series: []chart.Series{{Name: w.Tokens}}, Format: decimal}
	least, most := r.Layers[0], r.Layers[0]
	for _, l := range r.Layers {
		if l.Tokens < least.Tokens {
			least = l
		}
		if l.Tokens > most.Tokens {
			most = l
		}
		c.Labels, c.Series[0].Values = append(c.Labels, l.Path), append(c.Series[0].Values, float64(l.Tokens))
		f.Rows = append(f.Rows, []string{l.Layer + "  " + l.Path, thousands(l.Tokens), thousands(l.Bytes)})
	}
	f.Sentence = fmt.Sprintf(w.LayersSays, least.Path, thousands(least.Tokens), most.Path, thousands(most.Tokens))
	c.Description = f.Sentence
	f.Chart, err = drawn(chart.Bars(c))
	return f, err
}

func (r Report) densities(w reportWords) (f figure, err error) {
	pages := slices.Clone(r.Pages)
	slices.SortStableFunc(pages, func(a, b PageFigure) int { return int(1000*a.HTMLDensity) - int(1000*b.HTMLDensity) })
	f = figure{ID: "density", Title: w.Density, How: fmt.Sprintf(w.DensityHow, len(pages), r.SitePages), Head: w.DensityHead}
	if len(pages) > shownPages {
		f.Fold = fmt.Sprintf(w.AllPages, len(pages))
	}
	c := chart.Chart{ID: "density", Title: w.Density, Max: 100, Format: percent,
		Series: []chart.Series{{Name: w.HTML}, {Name: w.Mirror}}}
	content, whole, mirrored, mirror := 0, 0, 0, 0
	for i, p := range pages {
		if content, whole = content+p.ContentTokens, whole+p.HTMLTokens; p.MirrorTokens > 0 {
			mirrored, mirror = mirrored+p.ContentTokens, mirror+p.MirrorTokens
		}
		c.Labels = append(c.Labels, strconv.Itoa(i+1))
		c.Series[0].Values = append(c.Series[0].Values, 100*p.HTMLDensity)
		c.Series[1].Values = append(c.Series[1].Values, 100*p.MirrorDensity)
		f.Rows = append(f.Rows, []string{p.Path, thousands(p.HTMLTokens), thousands(p.MirrorTokens), percent(100 * p.HTMLDensity), percent(100 * p.MirrorDensity)})
	}
	f.Sentence = fmt.Sprintf(w.DensitySays, share(content, whole), share(min(mirrored, mirror), mirror))
	c.Description = f.Sentence + " " + w.DensityAxis
	f.Chart, err = drawn(chart.Lines(c))
	return f, err
}

func (r Report) coverage(w reportWords) (f figure, err error) {
	f = figure{ID: "coverage", Title: w.Coverage, How: fmt.Sprintf(w.CoverageHow, r.Questions), Head: w.CoverageHead}
	c := chart.Chart{ID: "coverage", Title: w.Coverage, Max: 100, Format: percent, Series: []chart.Series{{Name: w.Found}, {Name: w.Whole}}}
	for _, b := range r.Bundles {
		if b.Budget == usualBudget {
			f.Sentence = fmt.Sprintf(w.CoverageSays, thousands(b.Budget), b.Found, b.Questions, decimal(b.Used))
		}
		found, whole := of(b.Found, b.Questions), of(b.Questions-b.Cut, b.Questions)
		c.Labels = append(c.Labels, thousands(b.Budget))
		c.Series[0].Values, c.Series[1].Values = append(c.Series[0].Values, found), append(c.Series[1].Values, whole)
		f.Rows = append(f.Rows, []string{thousands(b.Budget), fmt.Sprintf("%d / %d", b.Found, b.Questions),
			fmt.Sprintf("%d / %d", b.Questions-b.Cut, b.Questions), decimal(b.Used), decimal(b.Payload)})
	}
	c.Description = strings.TrimSpace(f.Sentence + " " + w.CoverageAxis)
	f.Chart, err = drawn(chart.Lines(c))
	return f, err
}

func (o OperatorFigures) repairs(w reportWords) (f figure, err error) {
	all := o.Exact + o.Repaired + o.Refused
	f = figure{ID: "repairs", Title: w.Repairs, How: w.SinceStart, Head: w.RepairsHead,
		Sentence: fmt.Sprintf(w.RepairsSays, thousands(all), thousands(o.Exact), thousands(o.Repaired), thousands(o.Refused), thousands(o.HintsFollowed), thousands(o.ErrorsAfter))}
	c := chart.Chart{ID: "repairs", Title: w.Repairs, Description: f.Sentence, Series: []chart.Series{{Name: w.Calls}}, Format: decimal}
	for _, list := range [][]Tally{o.Repairs, o.Refusals} {
		for _, t := range list {
			f.Rows = append(f.Rows, []string{t.Name, thousands(t.N)})
			c.Labels, c.Series[0].Values = append(c.Labels, t.Name), append(c.Series[0].Values, float64(t.N))
		}
	}
	if len(c.Labels) == 0 {
		return f, nil
	}
	f.Chart, err = drawn(chart.Bars(c))
	return f, err
}

func (o OperatorFigures) traffic(w reportWords) (f figure, err error) {
	f = figure{ID: "traffic", Title: w.Traffic, How: w.TrafficHow, Head: w.TrafficHead}
	c := chart.Chart{ID: "traffic", Title: w.Traffic, Format: decimal, Series: []chart.Series{{Name: w.All}, {Name: w.Agents}, {Name: w.Refused}}}
	sum, peak := 0, 0
	for _, m := range o.Minutes {
		sum, peak = sum+m.All, max(peak, m.All)
		c.Labels = append(c.Labels, m.Start.Format("15:04"))
		for i, n := range []int{m.All, m.Agents, m.Refused} {
			c.Series[i].Values = append(c.Series[i].Values, float64(n))
		}
	}
	for _, t := range o.Routes {
		f.Rows = append(f.Rows, []string{t.Name, thousands(t.N)})
	}
	f.Sentence = fmt.Sprintf(w.TrafficSays, thousands(sum), thousands(peak))
	c.Description = f.Sentence
	if sum == 0 {
		return f, nil
	}
	f.Chart, err = drawn(chart.Lines(c))
	return f, err
}

// decimal writes a number with at most two decimals, and thousands apart.
func decimal(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	whole, rest, _ := strings.Cut(strings.TrimRight(strings.TrimRight(text, "0"), "."), ".")
	n, err := strconv.Atoi(whole)
	if err != nil {
		return text
	}
	if whole = thousands(n); rest != "" {
		whole += "." + rest
	}
	return whole
}

// percent writes a number of hundredths.
func percent(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) + " %" }

// of is a share in hundredths, 0 of nothing.
func of(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

func share(part, whole int) string { return percent(of(part, whole)) }
