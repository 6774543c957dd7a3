// Package lint checks llms.txt by the rules of llms-txt-check 0.1.5: the lines
// of the file, and what each link leads to. It gives counts, no score.
package lint

import (
	"context"
	"fmt"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
	"evergreen/internal/llmstxt"
)

// Count is what was found wrong.
type Count struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Links    int `json:"links"`       // looked at
	Broken   int `json:"link_faults"` // of them
}

// shortBody is below what size a linked file is taken for empty.
const shortBody = 100

// maxLinks is how many links are followed.
const maxLinks = 50

// rules are the linter's codes and what mends them.
func rules() []struct{ code, title, fix string } {
	return []struct{ code, title, fix string }{
		{llmstxt.MalformedLink, "links are whole", "- [Name](https://example.com/page.md): sentence"},
		{llmstxt.MissingTitle, "there is a title", "# Name"},
		{llmstxt.EmptySection, "no section is empty", "remove the heading, or put a link under it"},
		{llmstxt.OrphanLinks, "links stand under headings", "## Docs"},
		{llmstxt.MissingListBullet, "links are list items", "- [Name](https://example.com/page.md): sentence"},
		{llmstxt.DescriptionMissingColon, "a colon stands before the sentence", "- [Name](https://example.com/page.md): sentence"},
		{llmstxt.DuplicateURL, "no address stands twice", "keep the first of the two lines"},
		{llmstxt.RelativeURL, "links are absolute", "evergreen serve --base-url https://example.com   # writes absolute links"},
		{llmstxt.OffOriginURL, "links lead to this site", "link the page of this site that speaks of the other"},
	}
}

// Run lints the index of a site.
func Run(ctx context.Context, site *survey.Site) ([]finding.Check, Count) {
	x := site.Index
	if x == nil {
		return []finding.Check{check("llms.txt", "llms.txt can be read", finding.Failed(site.Asked[0].Request.String(), site.Asked[0].Said()),
			"evergreen serve --origin URL")}, Count{Errors: 1}
	}
	var checks []finding.Check
	var count Count
	for _, r := range rules() {
		var found []llmstxt.Diagnostic
		for _, d := range x.Diagnostics {
			if d.Code == r.code {
				found = append(found, d)
			}
		}
		o := finding.Passed(x.Answer.Request.String(), "no such line")
		if len(found) > 0 {
			o = finding.Outcome{Status: finding.Warn, Tested: len(found), Requested: x.Answer.Request.String(), Got: found[0].String()}
			if len(found) > 1 {
				o.Got += fmt.Sprintf("; %d more", len(found)-1)
			}
			if r.code == llmstxt.MalformedLink {
				o.Status = finding.Fail
				count.Errors += len(found)
			} else {
				count.Warnings += len(found)
			}
		}
		checks = append(checks, check(r.code, r.title, o, r.fix))
	}
	links := followLinks(ctx, site, &count)
	return append(checks, check("links", "links lead to text", links, "remove or mend the dead links")), count
}

func check(id, title string, o finding.Outcome, fix string) finding.Check {
	c := finding.Check{Judge: "lint", ID: id, Layer: "L1", Phase: finding.P0, Status: o.Status, Title: title,
		Requested: o.Requested, Got: o.Got, Proportion: o.Proportion, Tested: o.Tested}
	if o.Status == finding.Fail || o.Status == finding.Warn {
		c.Fix = fix
	}
	return c
}

func followLinks(ctx context.Context, site *survey.Site, count *Count) finding.Outcome {
	var t finding.Tally
	for _, l := range site.Index.File.Links() {
		if count.Links == maxLinks || !strings.HasPrefix(l.URL, "http://") && !strings.HasPrefix(l.URL, "https://") {
			continue
		}
		count.Links++
		a := site.Client.Get(ctx, l.URL)
		if why := fault(a, l.URL); why != "" {
			count.Broken++
			t.Add(finding.Fail, a.Request.String(), why)
			continue
		}
		t.Add(finding.Pass, a.Request.String(), a.Said())
	}
	return t.Outcome(0)
}

// fault says what is wrong with what a link leads to, "" for nothing.
func fault(a *probe.Answer, address string) string {
	body := strings.TrimSpace(a.Text())
	lower := strings.ToLower(body[:min(len(body), 100)])
	switch {
	case a.Err != nil || a.Status != 200:
		return a.Said()
	case body == "":
		return "an empty body"
	case len(body) < shortBody:
		return fmt.Sprintf("a body of %d bytes", len(body))
	case strings.HasSuffix(address, ".md") && (strings.HasPrefix(lower, "<!doctype") || strings.HasPrefix(lower, "<html")):
		return "HTML where Markdown is promised"
	}
	return ""
}
