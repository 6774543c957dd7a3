package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// pages makes all files, by name from the root of the tree.
func pages(root string) (map[string]string, error) {
	r, err := load(root)
	if err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	fuzz, err := os.ReadFile(filepath.Join(root, fuzzFile))
	if err != nil {
		return nil, err
	}
	before, rest, ok := strings.Cut(string(fuzz), fuzzBegin)
	_, after, closed := strings.Cut(rest, fuzzEnd)
	if !ok || !closed {
		return nil, fmt.Errorf("%s has no table between %q and %q", fuzzFile, fuzzBegin, fuzzEnd)
	}
	var table strings.Builder
	r.inputs(&table)
	return map[string]string{pageFile: r.page(), soakFile: r.soakPage(), fuzzFile: before + fuzzBegin + table.String() + fuzzEnd + after}, nil
}

// What stands around the table of the fuzzed.
const (
	fuzzBegin = "## Fuzzed\n\n"
	fuzzEnd   = "\nSome of what was found interesting"
)

// leastFuzzed is for how many seconds a target must have run to be told of, and
// leastOfKinds those that read what comes from elsewhere as it is.
const (
	leastFuzzed  = 10
	leastOfKinds = 60
)

// kinds are the readers of what comes from elsewhere as it is.
func kinds() []string {
	return []string{"sections", "Markdown", "extraction", "charset", "robots", "sitemap", "llms.txt", "front matter", "repair",
		"JSON-RPC edge", "index reader", "context.json"}
}

// check refuses results that the page must not be made from: something lost, or
// a row whose test nobody has seen fail.
func (r results) check() (err error) {
	wrong := func(format string, args ...any) { err = errors.Join(err, fmt.Errorf(format, args...)) }
	for _, o := range r.outcomes {
		if o.Lost > 0 || o.Survived != o.Tried || o.Tried == 0 {
			wrong("%s: %d of %d survived, %d lost", o.Name, o.Survived, o.Tried, o.Lost)
		}
		if len(r.seenBy(o.Name)) == 0 {
			wrong("%s: no deliberate bug was tried", o.Name)
		}
	}
	for _, f := range r.fuzzed {
		least := leastFuzzed
		if slices.Contains(kinds(), r.reader(f)) {
			least = leastOfKinds
		}
		if f.Failures > 0 || f.Seconds < float64(least) {
			wrong("%s in %s: %d failures in %.0f s, of which %d are wanted", f.Target, f.Package, f.Failures, f.Seconds, least)
		}
		if r.reader(f) == "" {
			wrong("%s in %s: no deliberate bug was tried", f.Target, f.Package)
		}
	}
	for _, l := range r.loads() {
		if len(r.seenBy(l.row)) == 0 {
			wrong("%s: no deliberate bug was tried", l.row)
		}
	}
	for _, m := range r.mutants {
		if !m.Seen {
			wrong("%s does not see %q", m.Test, m.Bug)
		}
	}
	return err
}

func (r results) page() string {
	var b strings.Builder
	b.WriteString(`# Reliability

What was done to Evergreen, and what was left. This page is written by ` + "`make reliability`" + ` from the results in ` + "`" + resultsDir + "`" + `; none of its figures is typed. The runs were made on one machine with ` +
		strconv.Itoa(r.soak.Processors) + ` processors that other work shared; repeat them with ` + "`make faults KILLS=200 FLIPS=20 OUTCOMES=" + resultsDir + "`, `make soak OUTCOMES=" + resultsDir + "`, `make fuzz FUZZTIME=60s OUTCOMES=" + resultsDir + "` and `make mutants OUTCOMES=" + resultsDir + "`" + `.

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

` + "What `make fuzz` came to: of each reader of foreign bytes the longest run, on one processor. What failed would stand in the last column; what failed before, and what hostile documents found, is in `" + fuzzFile + "`, and is kept as a test.\n\n")
	r.inputs(&b)
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

// inputs is the table of the fuzzed.
func (r results) inputs(b *strings.Builder) {
	row(b, "reader", "target", "time", "inputs tried", "found interesting", "failures")
	row(b, "---", "---", "---:", "---:", "---:", "---:")
	seconds, inputs, failures := 0.0, 0, 0
	for _, f := range r.fuzzed {
		row(b, r.reader(f), "`"+f.Package+"` "+f.Target, fmt.Sprintf("%.0f s", f.Seconds), thousands(f.Inputs), thousands(f.Interesting), strconv.Itoa(f.Failures))
		seconds, inputs, failures = seconds+f.Seconds, inputs+f.Inputs, failures+f.Failures
	}
	row(b, "**all**", "", minutes(seconds), thousands(inputs), "", strconv.Itoa(failures))
}

// held is one row of what was held: row is what its deliberate bugs call it.
type held struct{ row, what, value string }

func (r results) loads() []held {
	s, o, c, w := r.soak, r.overload, r.crowd, r.busy
	return []held{
		{"requests", "held for, after a warm-up of a tenth", minutes(s.Seconds)},
		{"connections", "connections kept alive", thousands(s.Connections)},
		{"streams", "MCP streams that listened", fmt.Sprintf("%s, told of changes %s times", thousands(s.Streams), thousands(int(s.Events)))},
		{"requests", "requests answered", fmt.Sprintf("%s, %s of them wrong", thousands(int(s.Requests)), thousands(int(s.Wrong)))},
		{"crawls and commits", "crawls by the server, commits of another process", fmt.Sprintf("%s, %s", thousands(int(s.Crawls)), thousands(int(s.Commits)))},
		{"slow clients", "slow clients served or cut off", thousands(int(s.Slow))},
		{"memory", "memory at the start and at the end", fmt.Sprintf("%.0f MB, %.0f MB", s.Start.MemoryMB, s.End.MemoryMB)},
		{"goroutines", "goroutines at the start and at the end, after all have left", fmt.Sprintf("%.0f, %.0f, %.0f", s.Start.Goroutines, s.End.Goroutines, s.After.Goroutines)},
		{"descriptors", "descriptors at the start and at the end, after all have left", fmt.Sprintf("%.0f, %.0f, %.0f", s.Start.Descriptors, s.End.Descriptors, s.After.Descriptors)},
		{"overload", fmt.Sprintf("overload: %d clients beyond their limit for %.0f s", o.Clients, o.Seconds),
			fmt.Sprintf("%s refused with Retry-After (p99 %.0f ms), %s served, %d otherwise; `/healthz` at most %.0f ms; served again after %.1f s", thousands(o.Refused), o.RefusedMS, thousands(o.Served), o.Other, o.HealthMS, o.Recovered)},
		{"crowd", fmt.Sprintf("crowd: %d clients without a limit for %.0f s", c.Clients, c.Seconds),
			fmt.Sprintf("%s served, %d otherwise; an answer %.0f ms after they left", thousands(c.Served), c.Other, c.Recovered*1000)},
		{"busy", fmt.Sprintf("busy: %d clients that have a folder read again for %.0f s, where 64 requests may be worked on", w.Clients, w.Seconds),
			fmt.Sprintf("%s refused with 503 and Retry-After (p99 %.0f ms), %s served, %d otherwise; `/healthz` at most %.0f ms; a question answered after %.1f s", thousands(w.Busy), w.RefusedMS, thousands(w.Served), w.Other, w.HealthMS, w.Recovered)},
	}
}

func (r results) load(b *strings.Builder) {
	row(b, "what", "value")
	row(b, "---", "---")
	for _, l := range r.loads() {
		row(b, l.what, l.value)
	}
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

// cell keeps a text from ending its cell, and control characters out of it.
func cell(s string) string {
	s = strings.NewReplacer("|", "¦", "`", "'", "\n", " ").Replace(scratch.ReplaceAllString(s, "DIR"))
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
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
