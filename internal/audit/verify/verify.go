// Package verify asks a running server whether it keeps the contract of the
// seven layers: it sends what agents send, and compares what comes back with
// what was promised. It works against any server, ours or not, and changes
// nothing there.
//
// It does not judge how well a site does for agents, which is audit's work, and
// it looks at answers only, never at the library behind them.
package verify

import (
	"context"
	"fmt"

	"evergreen/internal/audit/probe"
)

// Options say what is asked beside the contract that holds for every server.
type Options struct {
	Self      bool // the server holds Evergreen's own knowledge base: ranking is known
	RateLimit bool // flood the server until it refuses
}

// Check is one promise and whether it is kept.
type Check struct {
	Name   string `json:"name"` // stable, lower case with hyphens
	OK     bool   `json:"ok"`
	Detail string `json:"detail"` // what was found; of a failed check, what was asked for too
}

// Report is the outcome of all checks, in a fixed order.
type Report struct {
	URL    string  `json:"url"`
	Passed int     `json:"passed"`
	Failed int     `json:"failed"`
	Checks []Check `json:"checks"`
}

// check is one promise. run returns what was found, or why the promise is
// broken.
type check struct {
	name string
	run  func(ctx context.Context, r *run) (found string, broken error)
}

// run is one verification.
type run struct {
	*probe.Client
}

// Run asks the server everything. The error is that of ctx; what the server
// does wrong stands in the report.
func Run(ctx context.Context, client *probe.Client, o Options) (Report, error) {
	report := Report{URL: client.Base(), Checks: []Check{}}
	for _, c := range checks(o) {
		found, broken := c.run(ctx, &run{client})
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		done := Check{Name: c.name, OK: broken == nil, Detail: found}
		if broken != nil {
			done.Detail = broken.Error()
			report.Failed++
		} else {
			report.Passed++
		}
		report.Checks = append(report.Checks, done)
	}
	return report, nil
}

// checks lists what is asked, in the order of the report.
func checks(o Options) []check {
	list := append(apiChecks(), typeChecks()...)
	list = append(list, httpChecks()...)
	list = append(list, layerChecks()...)
	list = append(list, mcpChecks()...)
	list = append(list, packChecks()...)
	if o.Self {
		list = append(list, selfChecks()...)
	}
	if o.RateLimit {
		list = append(list, floodCheck())
	}
	return list
}

// broken is a promise that was not kept: what was asked, what came back, what
// was promised.
func broken(a *probe.Answer, promised string, args ...any) error {
	return fmt.Errorf("%s: got %s; wanted %s", a.Request, a.Said(), fmt.Sprintf(promised, args...))
}
