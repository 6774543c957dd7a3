package console

// This file takes the figures of the site, once for each state of its content,
// and adds those of the running server for operators.

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"evergreen/internal/gateway"
	"evergreen/internal/measure"
	"evergreen/internal/repair"
	"evergreen/internal/ui"
	"evergreen/internal/web"
)

// figures are the last ones that were taken.
type figures struct {
	mu       sync.Mutex
	revision string // of the content they are of, or will be
	taking   chan struct{}
	taken    time.Time
	metrics  measure.Metrics
	err      error
}

// present returns the figures of the present content, waiting a moment for them.
// ready is false while they are still being taken.
func (c *Console) present(ctx context.Context) (m measure.Metrics, taken time.Time, ready bool, err error) {
	f := &c.figures
	revision := c.o.Served()
	f.mu.Lock()
	if f.revision != revision && f.taking == nil || f.taken.IsZero() && f.taking == nil {
		f.revision, f.taking = revision, make(chan struct{})
		go c.take(context.WithoutCancel(ctx), revision)
	}
	taking := f.taking
	f.mu.Unlock()
	if taking != nil {
		patience, stop := context.WithTimeout(ctx, measureWait)
		defer stop()
		select {
		case <-taking:
		case <-patience.Done():
			return m, taken, false, nil
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.metrics, f.taken, true, f.err
}

// take measures in the background.
func (c *Console) take(ctx context.Context, revision string) {
	ctx, stop := context.WithTimeout(ctx, measureLimit)
	defer stop()
	m, err := c.o.Measure(ctx)
	if err != nil {
		c.o.Log.Error("the figures cannot be taken", "revision", revision, "error", err)
	}
	f := &c.figures
	f.mu.Lock()
	defer f.mu.Unlock()
	f.metrics, f.err, f.taken = m, err, c.o.Now()
	close(f.taking)
	f.taking = nil
}

// reportData are all figures that a caller may see.
func (c *Console) reportData(r *http.Request) (ui.Report, measure.Metrics, error) {
	m, taken, ready, err := c.present(r.Context())
	if err != nil {
		return ui.Report{Fault: sentence(err)}, m, err
	}
	report := ui.Report{}
	if ready {
		report = reportOf(m, taken)
	}
	if c.may(r) {
		report.Operator = c.operatorFigures()
	}
	return report, m, nil
}

// report answers the page. Figures that cannot be taken leave the others there.
func (c *Console) report(r *http.Request, at web.View) (web.Reply, error) {
	report, _, err := c.reportData(r)
	if err != nil && c.may(r) {
		report.Operator = c.operatorFigures()
	}
	return page(c.o.Pages.ReportPage(at.Site, at.Lang, report))
}

// reportJSON answers programs.
func (c *Console) reportJSON(r *http.Request, _ web.View) (web.Reply, error) {
	report, m, err := c.reportData(r)
	if err != nil {
		return web.Reply{}, err
	}
	out := struct {
		Ready   bool             `json:"ready"` // false: being taken, ask again
		Figures *measure.Metrics `json:"figures"`
		Calls   *gateway.Counts  `json:"calls,omitempty"`   // for operators
		Minutes []web.Minute     `json:"minutes,omitempty"` // the last hour, for operators
	}{Ready: !report.Taken.IsZero()}
	if out.Ready {
		out.Figures = &m
	}
	if report.Operator != nil {
		counts := c.o.Gateway.Counts()
		out.Calls = &counts
		out.Minutes, _ = c.o.Traffic()
	}
	return data(out)
}

// reportOf turns a measurement into what the page shows.
func reportOf(m measure.Metrics, taken time.Time) ui.Report {
	r := ui.Report{Taken: taken, Revision: m.Revision, Estimator: m.Estimator, Questions: m.Walk.Questions, SitePages: m.Mirrors.Of,
		With: ui.Walk(m.Walk.With), Without: ui.Walk(m.Walk.Without)}
	for _, l := range m.Layers {
		r.Layers = append(r.Layers, ui.LayerFigure{Layer: l.Layer, Path: l.Path, Tokens: l.Tokens, Bytes: l.Bytes})
	}
	slices.SortStableFunc(r.Layers, func(a, b ui.LayerFigure) int { return strings.Compare(a.Layer, b.Layer) })
	for _, p := range m.Pages {
		r.Pages = append(r.Pages, ui.PageFigure(p))
	}
	for _, b := range m.Bundles {
		r.Bundles = append(r.Bundles, ui.BundleFigure{Budget: b.Budget, Questions: b.Questions, Found: b.Found, Cut: b.Truncated, Used: b.Used, Payload: b.Payload})
	}
	return r
}

// operatorFigures are those of the running server.
func (c *Console) operatorFigures() *ui.OperatorFigures {
	counts := c.o.Gateway.Counts()
	f := &ui.OperatorFigures{HintsFollowed: counts.HintFollowed, Repairs: tallies(counts.Repairs), Refusals: tallies(counts.Refusals)}
	for _, by := range counts.Calls {
		f.Exact, f.Repaired = f.Exact+by[repair.Exact], f.Repaired+by[repair.Repaired]
	}
	for _, n := range counts.Refusals {
		f.Refused += n
	}
	for _, n := range counts.ErrorAfterRepair {
		f.ErrorsAfter += n
	}
	minutes, routes := c.o.Traffic()
	for _, m := range minutes {
		one := ui.MinuteFigure{Start: m.Start, All: m.Total(), Refused: m.Refused}
		for _, route := range []string{"context", "prompt-pack", "mcp", "a2a"} {
			one.Agents += m.Routes[route]
		}
		f.Minutes = append(f.Minutes, one)
	}
	byName := map[string]int{}
	for name, n := range routes {
		byName[name] = int(n)
	}
	f.Routes = tallies(byName)
	return f
}

// tallies orders counts, the largest first, equal ones by name.
func tallies(counts map[string]int) []ui.Tally {
	var list []ui.Tally
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, ui.Tally{Name: name, N: counts[name]})
	}
	slices.SortStableFunc(list, func(a, b ui.Tally) int { return cmp.Compare(b.N, a.N) })
	return list
}
