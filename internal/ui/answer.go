package ui

// This file lays a bundle out for people: entries, the bar of the budget, what
// was left out. assets/answer.mjs does the same in the browser.

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"evergreen"
)

// answerView is a bundle as the template shows it.
type answerView struct {
	evergreen.Bundle
	Cards   []cardView
	Bar     barView
	Out     []outView
	Summary string
	Unfit   bool // the budget holds no entry
}

// cardView is one entry.
type cardView struct {
	N                          int // from 1
	Title, URL, Marker, ID     string
	Where, Updated, Confidence string
	Tokens                     string
	Relevance, Score           string
	Snippet                    []span
	Body                       string
	Cut, Sure                  bool
}

// outView is an entry that did not fit.
type outView struct {
	Title, Marker, Tokens string
	Raise                 string // the budget that holds it, "" when none does
	URL                   string
}

// barView is a budget as a bar: shares of its width in percent.
type barView struct {
	Label    string
	Segments []segment
	Out      segment // what was left out, behind the end; no width: nothing was
}

// segment is a part of a bar.
type segment struct {
	N        int
	X, Width string // per cent
	Next     bool   // every second one
	Cut      bool
}

// view lays the answer to a question out, with addresses under a root.
func (w playgroundWords) view(b evergreen.Bundle, q evergreen.Query, root string) answerView {
	v := answerView{Bundle: b, Unfit: b.EntryCount == 0 && b.Truncated}
	found := needles(b.Query.Topic)
	for i, e := range b.Entries {
		c := cardView{N: i + 1, Title: e.Title, ID: e.ID, URL: pageURL(e.Entry, b.Citations[i].URL, root), Marker: b.Citations[i].Marker,
			Where: where(e.Entry), Updated: e.Updated, Tokens: thousands(e.Tokens), Relevance: strconv.FormatFloat(e.Relevance, 'f', 2, 64),
			Confidence: strconv.FormatFloat(e.Confidence, 'f', 2, 64), Sure: e.Confidence >= 1, Score: strconv.FormatFloat(e.Score, 'f', -1, 64), Snippet: snippet(e.Body, e.Title, found), Body: e.Body, Cut: e.Partial != nil}
		if e.DocTitle != "" {
			c.Title += " · " + e.DocTitle
		}
		v.Cards = append(v.Cards, c)
	}
	needed := b.UsedTokens
	for _, o := range b.LeftOut {
		needed += o.Tokens
		out := outView{Title: o.Title, Marker: o.Marker, Tokens: thousands(o.Tokens)}
		if raise := (needed + 99) / 100 * 100; raise <= evergreen.MaxBudget {
			out.Raise = thousands(raise)
			q.Budget = raise
			out.URL = "?" + address(q)
		}
		v.Out = append(v.Out, out)
	}
	v.Summary = w.summary(b)
	v.Bar = barOf(b, v.Summary)
	return v
}

// pageURL is where people read an entry: a section where it is cited, a curated
// entry on the page of its collection rather than in a file of data.
func pageURL(e evergreen.Entry, cited, root string) string {
	if _, _, _, section := evergreen.SplitSectionID(e.ID); section || e.Collection == "" || e.URL != "" && !strings.Contains(e.URL, "/context.json#") {
		return cited
	}
	return root + "/docs/" + url.PathEscape(e.Collection) + "#" + entryAnchor(e.ID)
}

// where is the place of an entry: its collection and document.
func where(e evergreen.Entry) string {
	if e.DocPath == "" || e.Curated {
		return e.Collection
	}
	return e.Collection + " / " + e.DocPath
}

// barOf draws a bundle's budget.
func barOf(b evergreen.Bundle, label string) barView {
	bar := barView{Label: label}
	left := 0
	for _, o := range b.LeftOut {
		left += o.Tokens
	}
	behind := min(left, b.Budget/hatchShare)
	whole := float64(max(b.Budget+behind, 1))
	percent := func(tokens int) string { return strconv.FormatFloat(float64(tokens)*100/whole, 'f', 3, 64) + "%" }
	used := 0
	for i, e := range b.Entries {
		bar.Segments = append(bar.Segments, segment{i + 1, percent(used), percent(e.Tokens), i%2 == 1, e.Partial != nil})
		used += e.Tokens
	}
	if behind > 0 {
		bar.Out = segment{X: percent(b.Budget), Width: percent(behind)}
	}
	return bar
}

// summary is the answer in figures.
func (w playgroundWords) summary(b evergreen.Bundle) string {
	parts := []string{fmt.Sprintf(w.UsedOf, thousands(b.UsedTokens), thousands(b.Budget)), plural(b.EntryCount, w.OneEntry, w.Entries)}
	if n := len(b.LeftOut); n > 0 {
		count := thousands(n)
		if n == maxLeftOut {
			count += "+"
		}
		parts = append(parts, fmt.Sprintf(w.LeftOutN, count))
	}
	return strings.Join(parts, " · ")
}

// plural is the form for one, or the one for n.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, thousands(n))
}
