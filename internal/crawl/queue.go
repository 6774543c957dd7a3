package crawl

import (
	"fmt"
	"net/url"
	"strings"
)

// item is one document in scope and all that is known about it.
type item struct {
	docPath string
	urls    []*url.URL // spellings of its address, in the order found
	twin    *url.URL   // its Markdown version, when one was named
	depth   int
	stage   int
	state   state
	entry   *Entry // set when state is done
}

type state int

const (
	queued state = iota
	underWay
	done
)

// Stages of the queue. A later one begins when nothing of an earlier one is
// queued or under way: a plain page speaks for its variants with a query, and
// any page for its Markdown.
const (
	stagePlain = iota
	stageQuery
	stageMarkdown
	stages
)

// name is the address by which the report knows the item.
func (it *item) name() *url.URL {
	if len(it.urls) > 0 {
		return it.urls[0]
	}
	return it.twin
}

// add makes a URL in scope known. Links from outside of the scope, assets and
// repeated finds change nothing.
func (w *walker) add(u *url.URL, depth int) *item {
	if u = w.scope.own(u); !w.scope.contains(u) || isAsset(u.RawPath) {
		return nil
	}
	name := docPath(u)
	it := w.items[name]
	if it == nil {
		if len(w.order) >= maxKnown {
			w.unknown++
			return nil
		}
		it = &item{docPath: name, depth: depth}
		w.items[name] = it
		w.order = append(w.order, it)
		w.spell(it, u)
		if reason, detail := w.refuses(u, depth); reason != "" {
			w.skip(it, reason, detail, reason == ReasonDepth || reason == ReasonRobots && w.policy.DenyAll)
			return it
		}
	} else if it.state != queued || !w.spell(it, u) {
		return it
	}
	switch {
	case len(it.urls) == 0:
		it.stage = stageMarkdown
	case u.RawQuery != "":
		it.stage = stageQuery
	default:
		it.stage = stagePlain
	}
	w.queue[it.stage] = append(w.queue[it.stage], it)
	return it
}

// spell notes one way to write an item's address; false when it is known.
func (w *walker) spell(it *item, u *url.URL) bool {
	if isMarkdownPath(u.RawPath) && u.RawQuery == "" {
		known := it.twin != nil
		if !known {
			it.twin = u
		}
		return !known && len(it.urls) == 0
	}
	for _, other := range it.urls {
		if other.String() == u.String() {
			return false
		}
	}
	it.urls = append(it.urls, u)
	return len(it.urls) == 1
}

// refuses tells why a URL in scope is not fetched at all.
func (w *walker) refuses(u *url.URL, depth int) (reason, detail string) {
	allowed, rule := w.policy.Allowed(u.RequestURI())
	switch {
	case !allowed && w.policy.DenyAll:
		return ReasonRobots, "robots.txt could not be read"
	case !allowed:
		return ReasonRobots, "Disallow: " + rule.Pattern
	case w.scope.excluded(u, w.opts.Include, w.opts.Exclude) && u.String() != w.seed.String():
		return ReasonExcluded, ""
	case depth > w.opts.MaxDepth:
		return ReasonDepth, fmt.Sprintf("%d links from the first page", depth)
	case repeats(u.RawPath):
		return ReasonRepeating, ""
	}
	return "", ""
}

// pop takes the next item, nil when there is none or none may go yet.
func (w *walker) pop() *item {
	if w.fetches >= fetchesPerPage*w.opts.MaxPages || w.refusals >= maxRefusals {
		return nil
	}
	for stage := range w.queue {
		for len(w.queue[stage]) > 0 {
			it := w.queue[stage][0]
			w.queue[stage] = w.queue[stage][1:]
			if it.state != queued || it.stage != stage || stage == stageMarkdown && w.isTwin(it) {
				continue
			}
			return it
		}
		if w.flying[stage] > 0 {
			return nil // what is under way may name more of this stage
		}
	}
	return nil
}

// isTwin settles a Markdown-only document whose page was indexed under another
// name: "a/index.html.md" and "a/index.md" are twins of "a/".
func (w *walker) isTwin(it *item) bool {
	for _, name := range pagesOf(it.docPath) {
		if other := w.items[name]; other != nil && other != it && other.state == done && other.entry.Outcome != Skipped {
			w.skip(it, ReasonTwin, "of "+other.entry.URL, false)
			return true
		}
	}
	return false
}

// pagesOf lists the documents that a Markdown document may be the twin of.
func pagesOf(docPath string) []string {
	var names []string
	base := strings.TrimSuffix(docPath, ".md")
	for _, end := range []string{"/index.html", "/index"} {
		if dir, ok := strings.CutSuffix("/"+base, end); ok {
			dir = strings.TrimPrefix(dir, "/")
			if dir == "" {
				dir = "index"
			}
			names = append(names, dir+".md")
		}
	}
	return append(names, base+".html.md", base+".htm.md")
}

// twinsOf lists the Markdown addresses known for an item so far.
func (w *walker) twinsOf(it *item) []*url.URL {
	var twins []*url.URL
	if it.twin != nil {
		twins = append(twins, it.twin)
	}
	base := strings.TrimSuffix(it.docPath, ".md")
	names := []string{base + "/index.html.md", base + "/index.md"}
	if stem, ok := strings.CutSuffix(base, ".html"); ok {
		names = append(names, stem+".md")
	}
	if it.docPath == "index.md" {
		names = []string{"index.html.md"}
	}
	for _, name := range names {
		if other := w.items[name]; other != nil && other.twin != nil && len(other.urls) == 0 {
			twins = append(twins, other.twin)
		}
	}
	return twins
}
