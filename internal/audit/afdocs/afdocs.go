// Package afdocs scores a site by the rules of afdocs 0.22.2 (Agent-Friendly
// Docs Spec 0.6): 28 checks, their weights, the coefficients that take weight
// from what an agent never gets to see, and the caps. The arithmetic is that of
// the scanner; the checks are our own reading of its rules. Where ours see less
// is said at the check.
package afdocs

import (
	"context"
	"math"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/survey"
)

// Score is the scanner's figure.
type Score struct {
	Score int    `json:"score"` // 0 to 100
	Grade string `json:"grade"`
	Cap   string `json:"cap,omitempty"` // what holds the score down
	Pages int    `json:"pages"`         // looked at
	Found int    `json:"found"`         // before sampling
}

// minPages is how many pages there must be for checks over pages to count.
const minPages = 5

// rule is one check of the table.
type rule struct {
	id     string
	weight float64
	layer  string
	phase  finding.Phase
	paged  bool // looks at the sample
	title  string
	fix    string
	run    func(*judge) finding.Outcome
}

// judge is one run. Outcomes of earlier checks stand in done.
type judge struct {
	context.Context
	*survey.Site
	done map[string]finding.Outcome
}

// Run judges a site.
func Run(ctx context.Context, site *survey.Site) ([]finding.Check, Score) {
	j := &judge{ctx, site, map[string]finding.Outcome{}}
	var checks []finding.Check
	for _, r := range table() {
		o := r.run(j)
		if r.paged && len(site.Pages) < minPages && o.Status != finding.Skip {
			o = finding.Skipped("fewer than 5 pages were found")
		}
		j.done[r.id] = o
		checks = append(checks, finding.Check{Judge: "afdocs", ID: r.id, Layer: r.layer, Phase: r.phase, Status: o.Status, Title: r.title,
			Requested: o.Requested, Got: o.Got, Weight: r.weight, Proportion: o.Proportion, Tested: o.Tested})
	}
	for i, r := range table() {
		c := &checks[i]
		if c.Coefficient = j.coefficient(r.id); c.Status == finding.Fail || c.Status == finding.Warn {
			c.Fix = r.fix
		}
	}
	return checks, j.score(checks)
}

// score adds up what the checks earned.
func (j *judge) score(checks []finding.Check) Score {
	earned, most := 0.0, 0.0
	for _, c := range checks {
		if c.Counts() {
			earned += c.Weight * c.Coefficient * c.Proportion
			most += c.Weight * c.Coefficient
		}
	}
	raw := 0.0
	if most > 0 {
		raw = earned / most * 100
	}
	s := Score{Pages: len(j.Pages), Found: j.Found}
	if limit, why := j.limit(); limit < raw {
		raw, s.Cap = limit, why
	}
	s.Score = int(math.Floor(raw + 0.5))
	s.Grade = grade(s.Score)
	return s
}

// coefficient is what is left of a check's weight when an agent hardly gets to
// see what it is about.
func (j *judge) coefficient(id string) float64 {
	passed := func(id string) bool { return j.done[id].Status == finding.Pass }
	switch id {
	case "page-size-markdown", "markdown-code-fence-validity", "markdown-content-parity", "single-fetch-completeness", "markdown-link-portability":
		switch {
		case passed("content-negotiation"):
			return 1
		case passed("llms-txt-directive-html") || passed("llms-txt-directive-md"):
			return 0.8
		case passed("llms-txt-links-markdown"):
			return 0.5
		}
		return 0
	case "page-size-html", "content-start-position", "tabbed-content-serialization", "section-header-quality", "embedded-data-serialization":
		if o := j.done["rendering-strategy"]; o.Status != finding.Skip {
			return o.Proportion
		}
	case "llms-txt-links-resolve", "llms-txt-valid", "llms-txt-coverage", "llms-txt-links-markdown":
		switch j.done["llms-txt-size"].Status {
		case finding.Warn:
			return 0.8
		case finding.Fail:
			return math.Min(1, failSize/float64(chars(j.Index.Text)))
		}
	}
	return 1
}

// limit is the lowest cap and the reason for it; 100 without one.
func (j *judge) limit() (float64, string) {
	limit, why := 100.0, ""
	lower := func(to float64, reason string) {
		if to < limit {
			limit, why = to, reason
		}
	}
	if j.done["llms-txt-exists"].Status == finding.Fail {
		lower(59, "no llms.txt")
	}
	if len(j.Pages) < minPages {
		lower(59, "fewer than 5 pages were found")
	}
	for _, id := range []string{"rendering-strategy", "auth-gate-detection"} {
		o := j.done[id]
		switch {
		case o.Status == finding.Skip:
		case o.Proportion <= 0.25:
			lower(39, id+": three quarters of the pages or more")
		case o.Proportion <= 0.5:
			lower(59, id+": half of the pages or more")
		}
	}
	if j.noWay() {
		lower(39, "no way for agents to the content")
	}
	return limit, why
}

// noWay reports whether neither index, pages nor Markdown lead to the content.
func (j *judge) noWay() bool {
	links, checked := j.done["llms-txt-links-resolve"], j.done["llms-txt-links-resolve"].Status != finding.Skip
	if j.done["llms-txt-exists"].Status != finding.Fail && !(checked && links.Proportion < 0.1) {
		return false
	}
	if s := j.done["rendering-strategy"].Status; s != finding.Fail && s != finding.Skip {
		return false
	}
	url := j.done["markdown-url-support"].Status
	announced := j.done["content-negotiation"].Status == finding.Pass && j.done["llms-txt-directive-html"].Status == finding.Pass
	return url == finding.Fail || url == finding.Pass && !announced
}

func grade(score int) string {
	switch {
	case score >= 100:
		return "A+"
	case score >= 90:
		return "A"
	case score >= 80:
		return "B"
	case score >= 70:
		return "C"
	case score >= 60:
		return "D"
	}
	return "F"
}

// chars counts as the scanner does: UTF-16 units.
func chars(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
