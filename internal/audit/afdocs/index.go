package afdocs

// This file judges llms.txt.

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
)

// Sizes in characters: what agents read whole, and where they cut.
const (
	passSize = 50_000
	failSize = 100_000
)

// maxLinks is how many links are followed.
const maxLinks = 50

func (j *judge) exists() finding.Outcome {
	if j.Index != nil {
		a := j.Index.Answer
		if host(a.FinalURL) != host(a.URL) {
			return finding.Outcome{Status: finding.Warn, Proportion: 0.5, Tested: 1, Requested: a.Request.String(), Got: "a redirect to another host, " + a.FinalURL}
		}
		return finding.Passed(a.Request.String(), a.Said())
	}
	a := j.Asked[0]
	got := a.Said()
	if a.OK() {
		got += ", which is no text or empty"
	}
	return finding.Failed(a.Request.String(), got)
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.TrimPrefix(strings.ToLower(u.Host), "www.")
}

func (j *judge) noIndex() finding.Outcome { return finding.Skipped("there is no llms.txt") }

var heading = regexp.MustCompile(`(?m)^#{1,6}\s`)

func (j *judge) valid() finding.Outcome {
	if j.Index == nil {
		return j.noIndex()
	}
	text := j.Index.Text
	first, quoted := "", false
	for line := range strings.Lines(text) {
		if first == "" {
			first = strings.TrimRight(line, "\r\n \t")
		}
		quoted = quoted || strings.HasPrefix(strings.TrimLeft(line, " \t"), "> ")
	}
	links := 0
	for _, l := range survey.Links(text) {
		if !l.Image && l.Target != "" {
			links++
		}
	}
	title := strings.HasPrefix(first, "# ")
	sections := len(heading.FindAllString(text, 2)) > 1
	asked := j.Index.Answer.Request.String()
	switch {
	case links == 0:
		return finding.Failed(asked, "a file without Markdown links")
	case title && quoted && sections:
		return finding.Passed(asked, fmt.Sprintf("title, summary, sections and %d links", links))
	case title && quoted: // the scanner's verdict is a warning that costs nothing
		return finding.Outcome{Status: finding.Warn, Proportion: 1, Tested: 1, Requested: asked, Got: "a file without sections"}
	}
	return finding.Outcome{Status: finding.Warn, Proportion: 0.75, Tested: 1, Requested: asked, Got: "a file without " + lacked(title, quoted, sections)}
}

func lacked(title, quoted, sections bool) string {
	switch {
	case !title:
		return "a title (# ...) in its first line"
	case !quoted:
		return "a summary (> ...)"
	case !sections:
		return "sections"
	}
	return "nothing"
}

func (j *judge) size() finding.Outcome {
	if j.Index == nil {
		return j.noIndex()
	}
	n := chars(j.Index.Text)
	var t finding.Tally
	t.Add(sized(n <= passSize, n <= failSize), j.Index.Answer.Request.String(), fmt.Sprintf("%d characters", n))
	return t.Outcome(0.5)
}

// sized is a pass, a warning or a fail by two conditions.
func sized(pass, warn bool) finding.Status {
	switch {
	case pass:
		return finding.Pass
	case warn:
		return finding.Warn
	}
	return finding.Fail
}

// links are those to follow: of the own origin, spread evenly when there are
// many.
func (j *judge) links() []string {
	all := j.SameOrigin()
	if len(all) <= maxLinks {
		return all
	}
	var some []string
	stride := float64(len(all)) / maxLinks
	for i := range maxLinks {
		some = append(some, all[int(float64(i)*stride)])
	}
	return some
}

// rated is an outcome whose proportion is a rate in whole per cent.
func rated(t *finding.Tally, status finding.Status) finding.Outcome {
	o := t.Outcome(1)
	if o.Status != finding.Skip {
		o.Status, o.Proportion = status, float64(int(t.Rate()*100+0.5))/100
	}
	return o
}

func (j *judge) linksResolve() finding.Outcome {
	if j.Index == nil {
		return j.noIndex()
	}
	var t finding.Tally
	for _, l := range j.links() {
		a := j.Client.Get(j, l)
		t.Add(sized(a.OK(), false), "GET "+l, a.Said())
	}
	if t.Tested() == 0 {
		return finding.Skipped("llms.txt has no links to this origin")
	}
	return rated(&t, sized(t.Rate() == 1, t.Rate() > 0.9))
}

func (j *judge) linksMarkdown() finding.Outcome {
	if j.Index == nil {
		return j.noIndex()
	}
	var t finding.Tally
	twins := false
	for _, l := range j.links() {
		if u, err := url.Parse(l); err == nil && (strings.HasSuffix(u.Path, ".md") || strings.HasSuffix(u.Path, ".mdx")) {
			t.Add(finding.Pass, "GET "+l, "a Markdown address")
			continue
		}
		a := j.Client.Markdown(j, l)
		switch {
		case a.Type() == "text/markdown":
			t.Add(finding.Pass, a.Request.String(), a.Said())
		case strings.HasSuffix(l, ".txt") && a.OK() && survey.LooksLikeMarkdown(a.Text()):
			t.Add(finding.Pass, a.Request.String(), a.Said())
		default:
			t.Add(finding.Fail, a.Request.String(), a.Said())
			twins = twins || j.hasTwin(l)
		}
	}
	if t.Tested() == 0 {
		return finding.Skipped("llms.txt has no links to this origin")
	}
	return rated(&t, sized(t.Rate() >= 0.9, twins))
}

// hasTwin reports whether a page has Markdown at its .md address.
func (j *judge) hasTwin(address string) bool {
	for _, p := range j.Pages {
		if p.URL == address {
			return p.Mirror != nil
		}
	}
	return false
}

func (j *judge) coverage() finding.Outcome {
	if j.Index == nil || len(j.Covered) == 0 {
		return finding.Skipped("llms.txt names no pages")
	}
	missed, of := j.Missed()
	if of == 0 {
		return finding.Skipped("there is no sitemap to compare with")
	}
	rate := float64(of-len(missed)) / float64(of)
	o := finding.Outcome{Status: sized(rate >= 0.95, rate >= 0.8), Proportion: float64(int(rate*100+0.5)) / 100, Tested: of,
		Requested: "GET " + j.Index.URL, Got: fmt.Sprintf("%d of %d pages of the sitemap", of-len(missed), of)}
	if len(missed) > 0 {
		o.Got += "; " + missed[0] + " is missing"
	}
	return o
}

// directive is a link to llms.txt in the text of a page, or its path.
var (
	bodyTag  = regexp.MustCompile(`(?i)<body[^>]*>`)
	bodyEnd  = regexp.MustCompile(`(?i)</body\s*>`)
	noise    = regexp.MustCompile(`(?is)<nav\b.*?</nav>|<script\b.*?</script>|<style\b.*?</style>`)
	linkTo   = regexp.MustCompile(`(?is)<a\s[^>]*href\s*=\s*["'][^"']*/llms\.txt(?:[?#][^"']*)?["'][^>]*>.*?</a>`)
	pathText = regexp.MustCompile(`(?i)/llms\.txt`)
)

// mark finds the pointer: how far into the text it stands, 0 to 1.
func mark(text string, links bool) (at float64, found bool) {
	var where []int
	if links {
		where = linkTo.FindStringIndex(text)
	}
	if where == nil {
		where = pathText.FindStringIndex(text)
	}
	if where == nil {
		return 0, false
	}
	return float64(where[0]) / float64(len(text)), true
}

func (j *judge) directiveHTML() finding.Outcome {
	var t finding.Tally
	top, deep := 0, 0
	for _, p := range j.Pages {
		a := j.Client.Get(j, survey.PageOf(p.URL))
		if !a.OK() {
			continue
		}
		at, found := 0.0, false
		if a.Type() == "text/html" || strings.HasPrefix(strings.TrimSpace(a.Text()), "<") {
			at, found = mark(body(a.Text()), true)
		}
		j.count(&t, a, at, found, &top, &deep)
	}
	return directiveOutcome(&t, top, deep)
}

func (j *judge) directiveMarkdown() finding.Outcome {
	var t finding.Tally
	top, deep := 0, 0
	for _, p := range j.Pages {
		if a := p.Content(); a != nil {
			at, found := mark(a.Text(), false)
			j.count(&t, a, at, found, &top, &deep)
		}
	}
	if t.Tested() == 0 {
		return finding.Failed("GET "+j.Pages[0].URL+".md", "no mirror that could point anywhere")
	}
	return directiveOutcome(&t, top, deep)
}

func (j *judge) count(t *finding.Tally, a *probe.Answer, at float64, found bool, top, deep *int) {
	if !found {
		t.Add(finding.Fail, a.Request.String(), "a page without a pointer to /llms.txt")
		return
	}
	if at <= 0.1 {
		*top++
	}
	if at > 0.5 {
		*deep++
	}
	t.Add(finding.Pass, a.Request.String(), "a pointer to /llms.txt")
}

// directiveOutcome is a pass when every page points, a warning when some do or
// all do so late. What it earns is the share that points at all.
func directiveOutcome(t *finding.Tally, top, deep int) finding.Outcome {
	if t.Tested() == 0 {
		return finding.Failed("", "no page could be read")
	}
	o := t.Share(0.6, 1)
	if o.Status == finding.Pass && deep > 0 && top == 0 {
		o.Status, o.Got = finding.Warn, "a pointer to /llms.txt in the second half of the page"
	}
	return o
}

// body is the part of a page that is read: no head, navigation, scripts.
func body(page string) string {
	if at := bodyTag.FindStringIndex(page); at != nil {
		page = page[at[1]:]
		if end := bodyEnd.FindStringIndex(page); end != nil {
			page = page[:end[0]]
		}
	}
	return noise.ReplaceAllString(page, "")
}
