package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// pages makes both files.
func pages(root string) (page, soaked string, err error) {
	r, err := load(root)
	if err != nil {
		return "", "", err
	}
	if err := r.check(); err != nil {
		return "", "", err
	}
	return r.page(), r.soakPage(), nil
}

// check refuses results that the page must not be made from: something lost, or
// a row whose test nobody has seen fail.
func (r results) check() (err error) {
	for _, o := range r.outcomes {
		if o.Lost > 0 || o.Survived != o.Tried || o.Tried == 0 {
			err = errors.Join(err, fmt.Errorf("%s: %d of %d survived, %d lost", o.Name, o.Survived, o.Tried, o.Lost))
		}
		if len(r.seenBy(o.Name)) == 0 {
			err = errors.Join(err, fmt.Errorf("%s: no deliberate bug was tried", o.Name))
		}
	}
	for _, m := range r.mutants {
		if !m.Seen {
			err = errors.Join(err, fmt.Errorf("%s does not see %q", m.Test, m.Bug))
		}
	}
	return err
}

func (r results) page() string {
	var b strings.Builder
	b.WriteString(`# Reliability

What was done to Evergreen, and what was left. This page is written by ` + "`make reliability`" + ` from the results in ` + "`" + resultsDir + "`" + `; none of its figures is typed. The runs were made on one machine with ` +
		strconv.Itoa(r.soak.Processors) + ` processors that other work shared; repeat them with ` + "`make faults KILLS=200 FLIPS=20 OUTCOMES=" + resultsDir + "`, `make soak OUTCOMES=" + resultsDir + "` and `make mutants`" + `.

*Survived* means: every answer was of the state before or of the state after, or an error that says what to do; the next run succeeded; nothing was left behind. *Lost* is everything else: a wrong answer, a mixture of two states, a document that no repair brought back while its source was there.

## Faults

`)
	row(&b, "fault", "tried", "survived", "lost", "how")
	row(&b, "---", "---:", "---:", "---:", "---")
	tried, survived, lost := 0, 0, 0
	for i, o := range r.outcomes {
		row(&b, order[i][1], thousands(o.Tried), thousands(o.Survived), thousands(o.Lost), o.Detail)
		tried, survived, lost = tried+o.Tried, survived+o.Survived, lost+o.Lost
	}
	row(&b, "**all**", thousands(tried), thousands(survived), thousands(lost), "")
	b.WriteString(`
Beside these, each package has tests of its own faults: what another server does wrong (` + "`internal/upstream`, `internal/gateway`" + `: 401 to 503, refused, slow, restarted in mid-call; the next good call succeeds), and what a page, an archive or a caller may send (docs/security.md).

## Bad inputs

`)
	if r.fuzz == "" {
		b.WriteString("`make fuzz` feeds every reader of foreign bytes; no longer run has been recorded in `" + fuzzFile + "`.\n")
	} else {
		b.WriteString("From `" + fuzzFile + "`:\n\n" + r.fuzz)
	}
	b.WriteString("\n## Load\n\n")
	r.load(&b)
	b.WriteString("\n## The tests, tested\n\nA test that cannot fail proves nothing. Each deliberate bug below was put into a copy of the tree, alone, and the test of its row was run (`make mutants`). Every one failed.\n\n")
	row(&b, "row", "bug that was put in", "test that failed", "what it said")
	row(&b, "---", "---", "---", "---")
	for _, m := range r.mutants {
		row(&b, m.Row, m.Bug, "`"+m.Test+"` in `"+m.Package+"`", "`"+cell(m.Says)+"`")
	}
	return b.String()
}

func (r results) load(b *strings.Builder) {
	s := r.soak
	row(b, "what", "value")
	row(b, "---", "---")
	row(b, "held for, after a warm-up of a tenth", minutes(s.Seconds))
	row(b, "connections kept alive", thousands(s.Connections))
	row(b, "MCP streams that listened", fmt.Sprintf("%s, told of changes %s times", thousands(s.Streams), thousands(int(s.Events))))
	row(b, "requests answered", fmt.Sprintf("%s, %s of them wrong", thousands(int(s.Requests)), thousands(int(s.Wrong))))
	row(b, "crawls by the server, commits of another process", fmt.Sprintf("%s, %s", thousands(int(s.Crawls)), thousands(int(s.Commits))))
	row(b, "slow clients served or cut off", thousands(int(s.Slow)))
	row(b, "memory at the start and at the end", fmt.Sprintf("%.0f MB, %.0f MB", s.Start.MemoryMB, s.End.MemoryMB))
	row(b, "goroutines at the start and at the end, after all have left", fmt.Sprintf("%.0f, %.0f, %.0f", s.Start.Goroutines, s.End.Goroutines, s.After.Goroutines))
	row(b, "descriptors at the start and at the end, after all have left", fmt.Sprintf("%.0f, %.0f, %.0f", s.Start.Descriptors, s.End.Descriptors, s.After.Descriptors))
	o := r.overload
	row(b, fmt.Sprintf("overload: %d clients beyond their limit for %.0f s", o.Clients, o.Seconds),
		fmt.Sprintf("%s refused with Retry-After (p99 %.0f ms), %s served, %d otherwise; `/healthz` at most %.0f ms; served again after %.1f s", thousands(o.Refused), o.RefusedMS, thousands(o.Served), o.Other, o.HealthMS, o.Recovered))
	c := r.crowd
	row(b, fmt.Sprintf("crowd: %d clients without a limit for %.0f s", c.Clients, c.Seconds),
		fmt.Sprintf("%s served, %d otherwise; an answer %.0f ms after they left", thousands(c.Served), c.Other, c.Recovered*1000))
	w := r.busy
	row(b, fmt.Sprintf("busy: %d clients that have a folder read again for %.0f s, where 64 requests may be worked on", w.Clients, w.Seconds),
		fmt.Sprintf("%s refused with 503 and Retry-After (p99 %.0f ms), %s served, %d otherwise; `/healthz` at most %.0f ms; a question answered after %.1f s", thousands(w.Busy), w.RefusedMS, thousands(w.Served), w.Other, w.HealthMS, w.Recovered))
}

// soakPage is the longer story of the soak.
func (r results) soakPage() string {
	var b strings.Builder
	b.WriteString(`# Soak

Does a busy server stay as it is?

A server answers searches, MCP calls, pages and the whole text, crawls a site every two seconds and sees another process commit every three, while connections are kept alive and used every 20 s, MCP streams listen, and 40 clients send or read a few bytes at a time. Written by ` + "`make reliability`" + ` from ` + "`" + resultsDir + "/soak.json`" + `, which ` + "`make soak`" + ` writes; the machine was shared with other work.

## What happened

`)
	r.load(&b)
	b.WriteString("\n## How flat\n\nA line is fitted through the second half of the samples. It may rise over that half by a tenth of the mean, or by 20 MB and 25 goroutines or descriptors where that is more.\n\n")
	row(&b, "what", "mean", "rise over the second half", "allowed")
	row(&b, "---", "---:", "---:", "---:")
	for _, f := range r.soak.Rises {
		row(&b, f.What, fmt.Sprintf("%.1f", f.Mean), fmt.Sprintf("%+.1f", f.Rise), fmt.Sprintf("%.1f", f.Allowed))
	}
	b.WriteString("\n## Samples\n\n")
	row(&b, "after", "memory", "of it anonymous", "goroutines", "descriptors")
	row(&b, "---:", "---:", "---:", "---:", "---:")
	step := max(1, len(r.soak.Samples)/20)
	for i := 0; i < len(r.soak.Samples); i += step {
		s := r.soak.Samples[i]
		row(&b, minutes(s.Seconds), fmt.Sprintf("%.1f MB", s.MemoryMB), fmt.Sprintf("%.1f MB", s.AnonymousMB), fmt.Sprintf("%.0f", s.Goroutines), fmt.Sprintf("%.0f", s.Descriptors))
	}
	return b.String()
}

func row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// scratch is a folder of a test's own, which is another at each run.
var scratch = regexp.MustCompile(`/tmp/[^ "\]]*`)

// cell keeps a text from ending its cell.
func cell(s string) string {
	return strings.NewReplacer("|", "¦", "`", "'", "\n", " ").Replace(scratch.ReplaceAllString(s, "DIR"))
}

func minutes(seconds float64) string {
	if seconds < 60 {
		return fmt.Sprintf("%.0f s", seconds)
	}
	return fmt.Sprintf("%.1f min", seconds/60)
}

// thousands groups digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
