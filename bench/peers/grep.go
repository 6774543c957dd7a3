package main

// This file runs ripgrep, or grep where that cannot be had, which many agents
// use on a checkout. They win where a folder is asked once, and for one exact word.

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

// word is in many of the React docs.
const word = "useEffect"

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

func besideGrep(ctx context.Context, s *study.Study, source string) error {
	path, options, ok := searcher(ctx, s)
	if !ok {
		return nil
	}
	version, err := program.Measure(exec.CommandContext(ctx, path, "--version"))
	if err != nil {
		return err
	}
	library := filepath.Join(s.Work, "library-grep")
	var ours, again, theirs, oursBytes, theirsBytes report.Sample
	if err := s.Each(func(int) error {
		if err := os.RemoveAll(library); err != nil {
			return err
		}
		index, err := s.Program.Run(ctx, "index", source, "--name", tree, "--library", library, "--quiet")
		if err != nil {
			return err
		}
		search, err := s.Program.Run(ctx, "search", word, "--library", library, "--quiet")
		if err != nil {
			return err
		}
		u, err := program.Measure(exec.CommandContext(ctx, path, append(options, word, source)...))
		if err != nil {
			return err
		}
		ours = append(ours, (index.Wall + search.Wall).Seconds())
		again, theirs = append(again, search.Wall.Seconds()), append(theirs, u.Wall.Seconds())
		oursBytes, theirsBytes = append(oursBytes, float64(len(search.Out))), append(theirsBytes, float64(len(u.Out)))
		return nil
	}); err != nil {
		return err
	}
	name, _, _ := strings.Cut(string(version.Out), "\n")
	t := report.Table{Heading: "Evergreen and " + name, Columns: []string{"`" + word + "`, whole processes", "median", "spread"},
		Note: name + " wins the first answer from a folder never seen before; what it prints is every line that holds the word, unranked."}
	for _, row := range []struct {
		name, unit string
		s          report.Sample
	}{
		{name, " s", theirs}, {name + " prints", " bytes", theirsBytes},
		{"Evergreen, index and search", " s", ours}, {"Evergreen, search", " s", again}, {"Evergreen prints", " bytes", oursBytes},
	} {
		cells := report.Plain(row.s, row.unit)
		t.Add(row.name, cells[0], cells[1])
	}
	s.Table(t)
	return nil
}
