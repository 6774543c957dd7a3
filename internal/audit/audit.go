// Package audit judges how well any site serves agents: by the arithmetic of
// three public scanners and one linter, each with its own figure, and by
// looking whether the seven layers are there. Every gap comes with what was
// asked, what came back and how to close it. The same site gives the same
// report: pages are sampled by their sorted addresses.
//
// What can only be seen in a browser is named and not judged. Whether a server
// keeps our own contract is verify's question.
package audit

import (
	"context"
	"fmt"

	"evergreen"
	"evergreen/internal/audit/afdocs"
	"evergreen/internal/audit/cloudflare"
	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/lighthouse"
	"evergreen/internal/audit/lint"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
)

// Report is everything an audit found.
type Report struct {
	URL    string               `json:"url"`
	Score  Score                `json:"score"`
	Layers []Layer              `json:"layers"`
	Phases []Phase              `json:"phases"`
	Checks []finding.Check      `json:"checks"`
	NotRun []lighthouse.Omitted `json:"not_run"`
}

// Score holds four figures that are never mixed into one.
type Score struct {
	Afdocs     afdocs.Score     `json:"afdocs"`
	Lighthouse lighthouse.Score `json:"lighthouse"` // the part that needs no browser
	Cloudflare cloudflare.Score `json:"cloudflare"`
	Lint       lint.Count       `json:"llms_txt_lint"`
}

// Layer is one of the seven and what speaks for it.
type Layer struct {
	ID     string         `json:"layer"`
	Name   string         `json:"name"`
	Status finding.Status `json:"status"` // fail when its own check fails, warn when others do
	Passed int            `json:"passed"`
	Warned int            `json:"warned"`
	Failed int            `json:"failed"`
	Checks []string       `json:"checks"` // judge/id
}

// Phase is what to do first, second and third.
type Phase struct {
	ID   finding.Phase `json:"phase"`
	Name string        `json:"name"`
	Open []string      `json:"open"` // judge/id of what failed or got a warning
}

// Run audits the site of a client. A site that does not answer at all is an
// error of kind Upstream; the error of ctx comes as it is.
func Run(ctx context.Context, client *probe.Client) (Report, error) {
	if home := client.Get(ctx, "/"); home.Err != nil {
		if ctx.Err() != nil {
			return Report{}, ctx.Err()
		}
		return Report{}, evergreen.Errorf(evergreen.Upstream, "%s does not answer: %w", client.Base(), home.Err).
			Fix("Check the address, and whether the server runs.")
	}
	site := survey.Gather(ctx, client)
	report := Report{URL: client.Base(), NotRun: lighthouse.NotRun()}
	var checks []finding.Check
	own := presence(ctx, site)
	checks, report.Score.Afdocs = afdocs.Run(ctx, site)
	report.Checks = append(own, checks...)
	checks, report.Score.Lighthouse = lighthouse.Run(ctx, site)
	report.Checks = append(report.Checks, checks...)
	checks, report.Score.Cloudflare = cloudflare.Run(ctx, site)
	report.Checks = append(report.Checks, checks...)
	checks, report.Score.Lint = lint.Run(ctx, site)
	report.Checks = append(report.Checks, checks...)
	if ctx.Err() != nil {
		return Report{}, ctx.Err()
	}
	report.Layers = layersOf(report.Checks)
	report.Phases = phasesOf(report.Checks)
	return report, nil
}

func name(c finding.Check) string { return c.Judge + "/" + c.ID }

func layersOf(checks []finding.Check) []Layer {
	names := []string{"llms.txt", "Markdown mirrors", "context API", "A2A", "MCP", "structured data", "policy and discovery"}
	var layers []Layer
	for i, n := range names {
		l := Layer{ID: fmt.Sprintf("L%d", i+1), Name: n, Status: finding.Pass, Checks: []string{}}
		for _, c := range checks {
			if c.Layer != l.ID || c.Status == finding.Skip {
				continue
			}
			l.Checks = append(l.Checks, name(c))
			switch c.Status {
			case finding.Pass:
				l.Passed++
				continue
			case finding.Warn:
				l.Warned++
			case finding.Fail:
				l.Failed++
			}
			if c.Judge == "layers" && c.Status == finding.Fail {
				l.Status = finding.Fail
			} else if l.Status == finding.Pass {
				l.Status = finding.Warn
			}
		}
		layers = append(layers, l)
	}
	return layers
}

func phasesOf(checks []finding.Check) []Phase {
	phases := []Phase{
		{finding.P0, "index, mirrors, robots.txt", []string{}},
		{finding.P1, "entries and structured data", []string{}},
		{finding.P2, "API, MCP and cards", []string{}},
	}
	for i := range phases {
		for _, c := range checks {
			if c.Phase == phases[i].ID && (c.Status == finding.Fail || c.Status == finding.Warn) {
				phases[i].Open = append(phases[i].Open, name(c))
			}
		}
	}
	return phases
}
