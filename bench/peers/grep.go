package main

// This file runs ripgrep, or grep where that cannot be had, which many agents
// use on a checkout: they look for one exact word.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

// words is how many words are looked for.
const words = 10

// identifier is a word as code writes it, which an agent greps for.
var identifier = regexp.MustCompile(`\b[a-z]+(?:[A-Z][a-z]+)+\b`)

// wordsOf are identifiers of the headings, spread over them.
func wordsOf(headings []string) []string {
	var all []string
	for _, h := range headings {
		all = append(all, identifier.FindAllString(h, -1)...)
	}
	return data.Spread(all, words)
}

// searcher finds a line searcher and the options to print numbered lines.
func searcher(ctx context.Context, s *study.Study) (path string, options []string, ok bool) {
	root, _, why := peer.Debian(ctx, s.Work, "ripgrep")
	if why == "" {
		return filepath.Join(root, "usr", "bin", "rg"), []string{"--no-heading", "-n"}, true
	}
	s.Absent("ripgrep", why)
	path, err := exec.LookPath("grep")
	return path, []string{"-rn"}, err == nil
}

// lookups is what looking for words took, by word.
type lookups struct {
	took, printed []report.Sample
}

func lookupsOf(n int) lookups { return lookups{make([]report.Sample, n), make([]report.Sample, n)} }

func (l lookups) add(word int, u program.Usage) {
	l.took[word] = append(l.took[word], report.Milliseconds(u.Wall))
	l.printed[word] = append(l.printed[word], float64(len(u.Out)))
}

// medians are those of each word.
func medians(all []report.Sample) (s report.Sample) {
	for _, one := range all {
		s = append(s, one.Median())
	}
	return s
}

func besideGrep(ctx context.Context, s *study.Study, source string, headings []string) error {
	path, options, ok := searcher(ctx, s)
	if !ok {
		return nil
	}
	version, err := program.Measure(exec.CommandContext(ctx, path, "--version"))
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(string(version.Out), "\n")
	library, asked := filepath.Join(s.Work, "library-grep"), wordsOf(headings)
	if len(asked) == 0 {
		return fmt.Errorf("no heading of %s holds an identifier", tree)
	}
	var index report.Sample
	ours, theirs := lookupsOf(len(asked)), lookupsOf(len(asked))
	if err := s.Each(func(int) error {
		if err := os.RemoveAll(library); err != nil {
			return err
		}
		u, err := s.Program.Run(ctx, "index", source, "--name", tree, "--library", library, "--quiet")
		if err != nil {
			return err
		}
		index = append(index, report.Milliseconds(u.Wall))
		for i, word := range asked {
			if u, err = s.Program.Run(ctx, "search", word, "--library", library, "--quiet"); err != nil {
				return err
			}
			ours.add(i, u)
			if u, err = program.Measure(exec.CommandContext(ctx, path, append(options, word, source)...)); err != nil {
				return err
			}
			theirs.add(i, u)
		}
		return nil
	}); err != nil {
		return err
	}
	s.Table(grepTable(name, asked, index, ours, theirs))
	return nil
}

// grepTable shows what one word takes. The contest is about the first answer of
// all, for which Evergreen indexes, and about the later ones.
func grepTable(name string, asked []string, index report.Sample, ours, theirs lookups) report.Table {
	t := report.Table{Heading: "Evergreen and " + name, Columns: []string{fmt.Sprintf("one of %d words, whole processes", len(asked)), "median", "spread"},
		Note: "Words: " + strings.Join(asked, ", ") + ". Spread is over the words, of each the median. What " + name + " prints is every line that holds the word, unranked."}
	for _, row := range []struct {
		name, unit string
		s          report.Sample
	}{
		{name, " ms", medians(theirs.took)}, {name + " prints", " bytes", medians(theirs.printed)},
		{"Evergreen, index", " ms", index}, {"Evergreen, search", " ms", medians(ours.took)}, {"Evergreen prints", " bytes", medians(ours.printed)},
	} {
		cells := report.Plain(row.s, row.unit)
		t.Add(row.name, cells[0], cells[1])
	}
	t.Note += "\n\n" + report.Wins("Evergreen", fastest(asked, map[string][]report.Sample{"Evergreen": ours.took, name: theirs.took}))
	return t
}
