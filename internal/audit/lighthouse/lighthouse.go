// Package lighthouse runs the part of Lighthouse 13.5.0 that needs no browser,
// on the page that was named: the audits of the categories agentic browsing,
// SEO and best practices that look at documents and static HTML. Audits that
// need a browser are named and left out of the means.
package lighthouse

import (
	"context"
	"math"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/survey"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
)

// Score is the static part of each category's score, 0 to 100; -1 when no audit
// of it applies.
type Score struct {
	Agentic   int `json:"agentic_browsing"`
	SEO       int `json:"seo"`
	Practices int `json:"best_practices"`
}

// Omitted is an audit that needs a browser.
type Omitted struct {
	Category string `json:"category"`
	ID       string `json:"id"`
	Why      string `json:"why"`
}

const (
	agentic   = "agentic-browsing"
	seo       = "seo"
	practices = "best-practices"
)

// seoMain is the weight of is-crawlable: the scanner's 93/23.
const seoMain = 93.0 / 23

type rule struct {
	category string
	id       string
	weight   float64
	layer    string
	phase    finding.Phase
	title    string
	fix      string
	run      func(*judge) finding.Outcome
}

type judge struct {
	context.Context
	*survey.Site
	doc *html.Node
}

func table() []rule {
	return []rule{
		{agentic, "llms-txt", 1, "L1", finding.P0, "llms.txt is well formed", "# Name\n\n- [Page](https://example.com/page.md): what it is about.", (*judge).llmsTxt},
		{agentic, "ard-schema", 1, "L4", finding.P2, "the catalogue of agents is valid", "evergreen serve --origin URL   # /.well-known/ai-catalog.json", (*judge).ard},
		{agentic, "agent-accessibility-tree", 1, "L6", finding.P1, "controls have names and roles that exist", `<button aria-label="Search">...</button>`, (*judge).accessible},
		{seo, "is-crawlable", seoMain, "L7", finding.P0, "the page may be indexed", "remove noindex from the meta element and X-Robots-Tag, and the Disallow of the page", (*judge).crawlable},
		{seo, "document-title", 1, "L6", finding.P1, "the page has a title", "<title>Name of the page</title>", (*judge).title},
		{seo, "meta-description", 1, "L6", finding.P1, "the page has a description", `<meta name="description" content="One sentence.">`, (*judge).description},
		{seo, "http-status-code", 1, "L7", finding.P0, "the page answers with success", "return 200 for the page", (*judge).status},
		{seo, "link-text", 1, "L6", finding.P1, "links say where they lead", `<a href="/install">Installing Example</a>`, (*judge).linkText},
		{seo, "crawlable-anchors", 1, "L6", finding.P1, "links can be followed", `<a href="/install">`, (*judge).anchors},
		{seo, "robots-txt", 1, "L7", finding.P0, "robots.txt is valid", "keep only User-agent, Allow, Disallow, Content-Signal and Sitemap lines", (*judge).robots},
		{seo, "image-alt", 1, "L6", finding.P1, "images have a text", `<img src="..." alt="What it shows">`, (*judge).imageAlt},
		{seo, "hreflang", 1, "L6", finding.P1, "languages are named right", `<link rel="alternate" hreflang="en" href="https://example.com/en/">`, (*judge).hreflang},
		{seo, "canonical", 1, "L6", finding.P1, "the canonical address is valid", `<link rel="canonical" href="https://example.com/page">`, (*judge).canonical},
		{practices, "is-on-https", 5, "L7", finding.P0, "the page comes over HTTPS", "serve the site over HTTPS", (*judge).https},
		{practices, "doctype", 1, "L6", finding.P1, "the page has a doctype", "<!doctype html>", (*judge).doctype},
		{practices, "charset", 1, "L6", finding.P1, "the page names its character set", `<meta charset="utf-8">`, (*judge).charset},
	}
}

// NotRun lists the audits that need a browser.
func NotRun() []Omitted {
	var list []Omitted
	for _, o := range []struct{ category, ids string }{
		{agentic, "webmcp-form-coverage webmcp-schema-validity cumulative-layout-shift"},
		{practices, "deprecations third-party-cookies paste-preventing-inputs redirects-http geolocation-on-start notification-on-start image-aspect-ratio image-size-responsive errors-in-console inspector-issues"},
		{"accessibility", "color-contrast and all rules about what is shown"},
	} {
		ids := []string{o.ids}
		if o.category != "accessibility" {
			ids = fields(o.ids)
		}
		for _, id := range ids {
			list = append(list, Omitted{o.category, id, "needs a browser"})
		}
	}
	return list
}

// Run judges the page at the site's base URL.
func Run(ctx context.Context, site *survey.Site) ([]finding.Check, Score) {
	doc, _ := tree.Parse(site.Home.Body)
	j := &judge{ctx, site, doc}
	var checks []finding.Check
	earned, most := map[string]float64{}, map[string]float64{}
	for _, r := range table() {
		o := r.run(j)
		c := finding.Check{Judge: "lighthouse", ID: r.id, Layer: r.layer, Phase: r.phase, Status: o.Status, Title: r.title, Requested: o.Requested,
			Got: o.Got, Weight: math.Round(r.weight*100) / 100, Coefficient: 1, Proportion: o.Proportion, Tested: o.Tested}
		if o.Status == finding.Fail || o.Status == finding.Warn {
			c.Fix = r.fix
		}
		if c.Counts() {
			earned[r.category] += r.weight * o.Proportion
			most[r.category] += r.weight
		}
		checks = append(checks, c)
	}
	mean := func(category string) int {
		if most[category] == 0 {
			return -1
		}
		return int(math.Floor(earned[category]/most[category]*100 + 0.5))
	}
	return checks, Score{mean(agentic), mean(seo), mean(practices)}
}

// asked is the page as it was asked for.
func (j *judge) asked() string { return "GET " + j.Home.URL }
