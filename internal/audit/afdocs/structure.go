package afdocs

// This file judges what is inside pages and mirrors: fences, links, tabs, data,
// paging, and whether the two say the same.

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fences counts a page as failed when a code block is left open. llms.txt is
// looked at too, as the scanner does.
func (j *judge) fences() finding.Outcome {
	var t finding.Tally
	look := func(a *probe.Answer) {
		if line := openFence(a.Text()); line > 0 {
			t.Add(finding.Fail, a.Request.String(), fmt.Sprintf("a code fence that is opened in line %d and never closed", line))
			return
		}
		t.Add(finding.Pass, a.Request.String(), "closed fences")
	}
	for _, p := range j.Pages {
		if a := p.Content(); a != nil {
			look(a)
		}
	}
	for _, x := range j.Indexes {
		look(x.Answer)
	}
	return t.Outcome(0)
}

var fenceLine = regexp.MustCompile("^[ >]*(?:(?:[-*+]|\\d{1,9}[.)]) +)*(`{3,}|~{3,})(.*)$")

// openFence is the line of a fence that is not closed, 0 when all are.
func openFence(text string) int {
	open, at, n := "", 0, 0
	for line := range strings.Lines(text) {
		n++
		m := fenceLine.FindStringSubmatch(strings.TrimRight(line, "\r\n \t"))
		switch {
		case m == nil || strings.Contains(line, "|"):
		case open == "":
			if m[1][0] == '`' && strings.Contains(m[2], "`") {
				continue // code in a line of prose
			}
			open, at = m[1], n
		case m[1][0] == open[0] && len(m[1]) >= len(open) && strings.TrimSpace(m[2]) == "":
			open = ""
		}
	}
	if open == "" {
		return 0
	}
	return at
}

var unsafe = regexp.MustCompile("[\\\\{}|^`\"]")

// portability follows at most fifty links of all mirrors together.
func (j *judge) portability() finding.Outcome {
	pages := j.mirrors()
	if len(pages) == 0 {
		return finding.Skipped("there are no mirrors")
	}
	quota := max(1, maxLinks/len(pages))
	planned := map[string]bool{}
	var t finding.Tally
	for _, a := range pages {
		status, got := j.portable(a, quota, planned)
		t.Add(status, a.Request.String(), got)
	}
	return t.Outcome(0.6)
}

// mirrors are the mirrors of the sample; without any, the Markdown that the
// index links to.
func (j *judge) mirrors() []*probe.Answer {
	var all []*probe.Answer
	for _, p := range j.Pages {
		if a := p.Content(); a != nil {
			all = append(all, a)
		}
	}
	if len(all) > 0 || !j.told("markdown-url-support") && !j.told("content-negotiation") && !j.told("llms-txt-links-markdown") {
		return all
	}
	links := j.SameOrigin()
	for _, l := range links[:min(len(links), maxLinks)] {
		a := j.Client.Markdown(j, l)
		if a.OK() && (a.Type() == "text/markdown" || survey.LooksLikeMarkdown(a.Text())) && !survey.IsSoft404(a.Text()) {
			all = append(all, a)
		}
	}
	return all
}

// told reports whether a check passed, if with a warning.
func (j *judge) told(id string) bool {
	s := j.done[id].Status
	return s == finding.Pass || s == finding.Warn
}

// portable judges the links of one mirror.
func (j *judge) portable(a *probe.Answer, quota int, planned map[string]bool) (finding.Status, string) {
	base, err := url.Parse(a.FinalURL)
	if err != nil {
		return finding.Skip, ""
	}
	w := worst{finding.Pass, "absolute links"}
	tried := 0
	for _, l := range linksToTry(a.Text(), base, &w) {
		if tried == quota || !planned[l] && len(planned) >= maxLinks {
			continue
		}
		planned[l] = true
		tried++
		w.add(j.alive(l))
	}
	return w.status, w.got
}

// worst keeps the first of the worst verdicts.
type worst struct {
	status finding.Status
	got    string
}

func (w *worst) add(s finding.Status, why string) {
	if s == finding.Fail && w.status != finding.Fail || s == finding.Warn && w.status == finding.Pass {
		w.status, w.got = s, why
	}
}

// linksToTry are a mirror's links to its own host, those that promise Markdown
// first. Links that cannot be used away from the site are judged on the way.
func linksToTry(text string, base *url.URL, w *worst) []string {
	var first, second []string
	seen := map[string]bool{}
	for _, l := range survey.Links(text) {
		if l.Image || l.Target == "" || seen[l.Target] || unsafe.MatchString(l.Target) || strings.HasPrefix(l.Target, "#") {
			continue
		}
		seen[l.Target] = true
		u, err := base.Parse(l.Target)
		switch {
		case err != nil:
			w.add(finding.Fail, "a malformed link: "+l.Target)
			continue
		case u.Scheme != "http" && u.Scheme != "https":
			continue
		case strings.HasPrefix(l.Target, "/"):
			w.add(finding.Warn, "a link that needs the site's address: "+l.Target)
		case !strings.Contains(l.Target, "://"):
			w.add(finding.Fail, "a link that needs the page's address: "+l.Target)
		}
		if u.Host != base.Host {
			continue
		}
		u.Fragment = ""
		if promisesMarkdown(u.String()) {
			first = append(first, u.String())
		} else {
			second = append(second, u.String())
		}
	}
	return append(first, second...)
}

func promisesMarkdown(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (strings.HasSuffix(u.Path, ".md") || strings.HasSuffix(u.Path, ".mdx"))
}

// alive follows one link and judges whether it keeps what its name promises.
func (j *judge) alive(link string) (finding.Status, string) {
	a := j.Client.Get(j, link)
	switch {
	case !a.OK():
		return finding.Fail, "a dead link: " + link + " gives " + a.Said()
	case strings.TrimSpace(a.Text()) == "":
		return finding.Fail, "a link to nothing: " + link
	case survey.IsSoft404(a.Text()):
		return finding.Fail, "a link to an error page: " + link
	case promisesMarkdown(link) && (a.Type() == "text/html" || survey.LooksLikeHTML(a.Text())):
		if len(a.Redirects) > 0 {
			return finding.Warn, "a link to Markdown that redirects to HTML: " + link
		}
		return finding.Fail, "a link to Markdown that gives HTML: " + link
	}
	return finding.Pass, ""
}

var (
	nextPage = regexp.MustCompile(`(?i)[?&](page|offset|cursor|page_token)=[^&#\s)]+|/page/[2-9]`)
	ofMany   = regexp.MustCompile(`(?i)\b(?:showing|displaying|listing|page)\s+(?:the\s+first\s+)?\d[\d,]*\s+(?:of|out\s+of)\s+\d[\d,]*\b`)
	nextText = regexp.MustCompile(`(?i)^\s*[»›→>]*\s*(next\s+page|next\s+\d+|more\s+results|load\s+more|show\s+more)\b`)
)

// singleFetch takes a mirror for a part of its page when it says "page 1 of 9"
// or links to a next page by name and address.
func (j *judge) singleFetch() finding.Outcome {
	var t finding.Tally
	for _, a := range j.mirrors() {
		status, got := finding.Pass, "the whole page"
		text := a.Text()
		var next *survey.Link
		for _, l := range survey.Links(text) {
			if nextText.MatchString(l.Text) && nextPage.MatchString(l.Target) {
				next = &l
				break
			}
		}
		switch {
		case next != nil:
			at := strings.Index(text, next.Target)
			status, got = finding.Warn, "a part of the page, with the next one named far in"
			if at <= min(5000, max(1000, len(text)/10)) {
				status = finding.Pass
			}
			if base, err := url.Parse(a.FinalURL); err == nil {
				if u, err := base.Parse(next.Target); err != nil || !j.Client.Markdown(j, u.String()).OK() {
					status, got = finding.Fail, "a part of the page whose next one cannot be had: "+next.Target
				}
			}
		case ofMany.MatchString(head(text, 2000)) && strings.Contains(strings.ToLower(text), "next"):
			status, got = finding.Fail, "a part of the page that does not say where it goes on"
		}
		t.Add(status, a.Request.String(), got)
	}
	return t.Outcome(0.6)
}

func head(text string, n int) string { return text[:min(n, len(text))] }

// tabGroups are the groups of panels of a page.
func tabGroups(page string) [][]*html.Node {
	doc, _ := tree.Parse([]byte(page))
	var groups [][]*html.Node
	claimed := map[*html.Node]bool{}
	for n := range doc.Descendants() {
		var panels []*html.Node
		switch {
		case n.Type != html.ElementNode:
		case tree.HasClass(n, "tabbed-set"):
			for c := range n.Descendants() {
				if c.Type == html.ElementNode && tree.HasClass(c, "tabbed-block") {
					panels = append(panels, c)
				}
			}
		case tree.Attr(n, "role") == "tablist":
			panels = panelsNear(n)
		}
		if len(panels) > 1 && !claimed[panels[0]] {
			for _, p := range panels {
				claimed[p] = true
			}
			groups = append(groups, panels)
		}
	}
	return groups
}

// panelsNear are the panels of the nearest ancestor that holds any.
func panelsNear(list *html.Node) []*html.Node {
	for up, depth := list.Parent, 0; up != nil && depth < 4; up, depth = up.Parent, depth+1 {
		var panels []*html.Node
		for c := range up.Descendants() {
			if tree.Attr(c, "role") == "tabpanel" {
				panels = append(panels, c)
			}
		}
		if len(panels) > 0 {
			return panels
		}
	}
	return nil
}

func (j *judge) tabs() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		if !p.IsHTML() {
			t.Add(finding.Pass, p.HTML.Request.String(), "no tabs")
			continue
		}
		n := 0
		for _, panels := range tabGroups(p.HTML.Text()) {
			for _, panel := range panels {
				n += len(tree.Text(panel))
			}
		}
		t.Add(sized(n <= passSize, n <= failSize), p.HTML.Request.String(), fmt.Sprintf("%d characters in tabs", n))
	}
	return t.Outcome(0.5)
}

// tabHeadings counts a group as generic when its panels share a heading.
func (j *judge) tabHeadings() finding.Outcome {
	var t finding.Tally
	tabbed := false
	for _, p := range j.Pages {
		if !p.IsHTML() {
			continue
		}
		groups, generic := 0, 0
		for _, panels := range tabGroups(p.HTML.Text()) {
			tabbed = true
			seen, shared, all := map[string]bool{}, 0, 0
			for _, panel := range panels {
				for _, h := range tree.Find(panel, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
					words := strings.ToLower(tree.Text(h))
					if all++; seen[words] {
						shared++
					}
					seen[words] = true
				}
			}
			if all == 0 {
				continue
			}
			if groups++; shared > 0 {
				generic++
			}
		}
		if groups > 0 {
			share := float64(generic) / float64(groups)
			t.Add(sized(share <= 0.25, share <= 0.5), p.HTML.Request.String(), fmt.Sprintf("%d of %d groups of tabs repeat a heading", generic, groups))
		}
	}
	if t.Tested() == 0 && !tabbed { // the scanner counts a site without tabs as one that does well
		return finding.Passed("", "no tabs")
	}
	return t.Outcome(0.5)
}

var tableRow = regexp.MustCompile(`(?m)^\s*\|.*\|\s*$`)

// embedded counts a page in the warn or fail band when tables of twenty rows
// or JSON of two thousand characters make half of it.
func (j *judge) embedded() finding.Outcome {
	const rows, blob = 20, 2000
	var t finding.Tally
	for _, p := range j.Pages {
		if p.HTML.Err != nil {
			continue
		}
		text := p.Converted()
		size := chars(text)
		band := sized(size < passSize, size <= failSize)
		bulk := 0
		for part := range strings.SplitSeq(text, "\n\n") {
			trimmed := strings.TrimSpace(part)
			if found := tableRow.FindAllString(part, -1); len(found) >= rows+2 ||
				len(trimmed) >= blob && (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[{") || strings.HasPrefix(trimmed, "```json")) {
				bulk += chars(part)
			}
		}
		status := finding.Pass
		if band != finding.Pass && size > 0 && bulk*2 >= size {
			status = band
		}
		t.Add(status, p.HTML.Request.String(), fmt.Sprintf("%d of %d characters are tables and data", bulk, size))
	}
	return t.Outcome(0.5)
}
