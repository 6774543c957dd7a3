package pack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// This file writes a bundle as Markdown.

// layout is how much room the parts around the entries may take.
type layout struct {
	rules    int  // tokens
	leftOut  int  // entries named
	question int  // code points of the question in the heading
	title    int  // code points of each title
	sources  bool // the list of citations, and suggestions
}

// layoutsFor returns the layouts that suit a budget, the most generous first;
// 0 is no bound.
func layoutsFor(budget int) []layout {
	if budget <= 0 {
		return []layout{{rules: 1 << 30, leftOut: maxLeftOut, question: 1000, title: 300, sources: true}}
	}
	return []layout{
		{rules: budget / 5, leftOut: min(max(budget/400, 1), maxLeftOut), question: 300, title: 120, sources: true},
		{rules: budget / 10, leftOut: 1, question: 100, title: 80, sources: true},
		{leftOut: 1, question: 60, title: 60, sources: true},
		{question: 30, title: 30},
	}
}

// write renders the whole of b. budget is only spoken of, not kept.
func write(b evergreen.Bundle, l layout, budget int, estimate text.Estimator) string {
	w := wordsFor(b.Lang)
	var s strings.Builder
	room := frameBytes
	for _, p := range b.Entries {
		room += len(p.Body)
	}
	s.Grow(room)
	s.WriteString(heading(w, l, b) + "\n")
	if note := Missing(b.Warnings, b.Lang); note != "" {
		s.WriteString("\n" + note + "\n")
	}
	for i, p := range b.Entries {
		s.WriteString("\n" + entryHeading(w, l, p, b.Citations[i].Marker) + "\n")
		if note := Addressed(b.Warnings, p.ID, b.Lang); note != "" {
			s.WriteString("\n" + note + "\n")
		}
		if body := entryBody(p); body != "" {
			s.WriteString("\n" + body + "\n")
		}
	}
	if len(b.Entries) == 0 {
		s.WriteString("\n" + w.tight + "\n")
	}
	if l.sources && len(b.Citations) > 0 {
		s.WriteString("\n## " + w.citations + "\n\n")
		for i, c := range b.Citations {
			s.WriteString(citationLine(w, l, c, b.Entries[i].Updated) + "\n")
		}
	}
	s.WriteString(ruleList(w, l, b.Rules, estimate))
	if b.Truncated {
		s.WriteString("\n" + goOn(w, l, b, budget) + "\n")
	}
	return s.String()
}

func heading(w words, l layout, b evergreen.Bundle) string {
	head := "# " + w.results
	if question := short(b.Query.Topic, l.question); question != "" {
		head = "# " + w.resultsFor + question
	}
	if b.Matched || len(b.Entries) == 0 {
		return head
	}
	note := w.unmatched
	var near []string
	for _, s := range b.Suggestions[:min(len(b.Suggestions), 3)] {
		near = append(near, short(s, 20))
	}
	if len(near) > 0 && l.sources {
		note += " " + w.didYou + strings.Join(near, w.partSep)
	}
	return head + "\n\n" + note
}

func entryHeading(w words, l layout, p evergreen.PackedEntry, marker string) string {
	size := fmt.Sprintf(w.tokens, thousands(p.Tokens))
	if p.Partial != nil {
		size = fmt.Sprintf(w.passage, thousands(p.Tokens), p.Partial.Offset, p.Partial.Offset+p.Partial.Bytes, p.Partial.Total)
	}
	title := p.Title
	if p.DocTitle != "" {
		title += " · " + p.DocTitle
	}
	return "## " + marker + " " + short(title, l.title) + " (" + size + ")"
}

// entryBody returns the entry's text without the heading that repeats its
// title, and without a fence left open that would swallow what follows.
func entryBody(p evergreen.PackedEntry) string {
	body := strings.TrimRight(strings.TrimLeft(p.Body, "\r\n"), " \t\r\n")
	first, rest, _ := strings.Cut(body, "\n")
	first = strings.TrimRight(first, " \t\r")
	if isHeading(first, 0) && sameTitle(strings.Trim(first, "# \t"), p.Title) {
		body = strings.TrimLeft(rest, "\r\n")
	}
	return closeFence(body)
}

// Addressed is the line that stands before a passage of which there are
// warnings, "" when there are none.
func Addressed(warnings []evergreen.Warning, id, lang string) string {
	var rules []string
	for _, w := range warnings {
		if w.ID == id && w.Rule != evergreen.RuleDamaged && !slices.Contains(rules, w.Rule) {
			rules = append(rules, w.Rule)
		}
	}
	if len(rules) == 0 {
		return ""
	}
	return fmt.Sprintf(wordsFor(lang).addressed, strings.Join(rules, ", "))
}

// Missing is the line that names the collections which are missing from an answer,
// "" when there are none.
func Missing(warnings []evergreen.Warning, lang string) string {
	var names []string
	for _, w := range warnings {
		switch {
		case w.Rule != evergreen.RuleDamaged:
		case len(names) < maxMissing:
			names = append(names, short(w.ID, 40))
		case len(names) == maxMissing:
			names = append(names, "…")
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(wordsFor(lang).missing, strings.Join(names, ", "))
}

// sameTitle tells whether a heading is the title, or the last of a chain of
// titles with " > " between.
func sameTitle(heading, title string) bool {
	return heading == title || strings.HasSuffix(title, " > "+heading)
}

func citationLine(w words, l layout, c evergreen.Citation, updated string) string {
	parts := []string{short(c.Text, l.title)}
	if strings.Contains(c.URL, "://") || len(c.URL) <= maxRelativeURL {
		parts = append(parts, oneLine(c.URL))
	}
	if c.Confidence > 0 && c.Confidence < 1 {
		parts = append(parts, fmt.Sprintf(w.confidence, strconv.FormatFloat(c.Confidence, 'f', 2, 64)))
	}
	if updated != "" {
		parts = append(parts, fmt.Sprintf(w.updated, short(updated, 25)))
	}
	return "- " + c.Marker + " " + strings.Join(parts, w.partSep)
}

// ruleList returns the first rules that fit into their share.
func ruleList(w words, l layout, rules []string, estimate text.Estimator) string {
	list := "\n## " + w.rules + "\n\n"
	var s string
	for _, rule := range rules {
		next := list + "- " + oneLine(rule) + "\n"
		if estimate(next) > l.rules {
			break
		}
		list, s = next, next
	}
	return s
}

// goOn says what was left out and what can be done about it.
func goOn(w words, l layout, b evergreen.Bundle, budget int) string {
	var named []string
	for _, o := range b.LeftOut[:min(len(b.LeftOut), l.leftOut)] {
		size := fmt.Sprintf(w.tokens, thousands(o.Tokens))
		named = append(named, o.Marker+" "+short(o.Title, min(l.title, 60))+" ("+size+")")
	}
	s := ""
	if len(named) > 0 {
		s = w.leftOut + strings.Join(named, w.listSep)
		if len(b.LeftOut) > len(named) || len(b.LeftOut) == maxLeftOut {
			s += w.listSep + w.andMore
		}
		s += w.stop
	}
	if budget <= 0 {
		budget = b.Budget
	}
	if want := wanted(b); want > budget {
		return s + fmt.Sprintf(w.raise, thousands(want))
	}
	return s + w.goOn
}

// wanted returns a budget that would have room for what is missing first, the
// rest of a passage or the best entry left out, in hundreds and at most
// evergreen.MaxBudget; 0 when nothing is known to be missing.
func wanted(b evergreen.Bundle) int {
	missing := 0
	if len(b.LeftOut) > 0 {
		missing = b.LeftOut[0].Tokens
	}
	if len(b.Entries) > 0 {
		if p := b.Entries[0]; p.Partial != nil && p.Partial.Bytes > 0 {
			missing = p.Tokens * (p.Partial.Total - p.Partial.Bytes) / p.Partial.Bytes
		}
	}
	if missing == 0 {
		return 0
	}
	want := b.UsedTokens + missing + frameTokens
	return min((want+99)/100*100, evergreen.MaxBudget)
}
