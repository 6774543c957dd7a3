package engines

// This file is ripgrep on the folder of pages, as an agent with a shell uses
// it: no index, one process for each question.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

// shortest is the length of a word that is looked for: whoever types a pattern
// leaves out "how", "do" and "my".
const shortest = 4

// Ripgrep adds a table of ripgrep on the pages of k8s-questions.
func Ripgrep(ctx context.Context, s *study.Study, m Material) error {
	root, version, why := peer.Debian(ctx, s.Work, "ripgrep")
	if why != "" {
		s.Absent("ripgrep", why)
		return nil
	}
	rg := filepath.Join(root, "usr", "bin", "rg")
	queries, err := s.Corpora.Queries("k8s-questions")
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, q := range queries {
		for page := range q.Relevant {
			names[page] = data.Page{Name: page}.FileName()
		}
	}
	set := set{name: "k8s-questions", language: "en", byPage: true}
	var theirs judged
	for _, q := range queries {
		relevant := map[string]int{}
		for page, grade := range q.Relevant {
			relevant[names[page]] = grade
		}
		files, _, err := byLines(ctx, rg, q.Text, m.source)
		if err != nil {
			return err
		}
		theirs.add(files, relevant)
	}
	theirs = theirs.means()
	ours, err := set.own(ctx, s, queries)
	if err != nil {
		return err
	}
	contest := set.contest()
	compare(contest, Ours, queries, ours.each)
	compare(contest, "ripgrep", queries, theirs.each)
	var p50, p99 report.Sample
	if err := s.Each(func(int) error {
		var took report.Sample
		for _, q := range m.queries {
			_, u, err := byLines(ctx, rg, q, m.source)
			if err != nil {
				return err
			}
			took = append(took, report.Milliseconds(u.Wall))
		}
		p50, p99 = append(p50, took.Percentile(50)), append(p99, took.Percentile(99))
		return nil
	}); err != nil {
		return err
	}
	t := report.Table{Heading: "ripgrep " + version + " on the pages of the same docs", Columns: []string{"what", "value", "spread"},
		Note: "Options: `--count --ignore-case --fixed-strings`, each word of four letters or more a pattern, files in order of their matching lines: it ranks nothing, and that is what an agent with a shell can do. " +
			"It needs no build: where nothing is indexed yet, its first answer comes after one pass over the files.\n\n" + report.Wins(Ours, contest)}
	t.Add("nDCG@10 (hit@5) of k8s-questions", fmt.Sprintf("%.4f (%.3f)", theirs.ndcg, theirs.hit), "–")
	t.Add("the same, Evergreen", fmt.Sprintf("%.4f (%.3f)", ours.ndcg, ours.hit), "–")
	t.Add("a whole process, p50", report.Number(p50.Median())+" ms", p50.Spread())
	t.Add("a whole process, p99", report.Number(p99.Median())+" ms", p99.Spread())
	s.Table(t)
	return nil
}

// byLines are the names of files that hold any of the query's words, those with
// the most matching lines first.
func byLines(ctx context.Context, rg, query, folder string) ([]string, program.Usage, error) {
	args := []string{"--count", "--ignore-case", "--fixed-strings"}
	for _, word := range regexp.MustCompile(`[\pL\pN_-]+`).FindAllString(query, -1) {
		if len(word) >= shortest {
			args = append(args, "--regexp", word)
		}
	}
	if len(args) == 3 {
		args = append(args, "--regexp", strings.TrimSpace(query))
	}
	u, err := program.Measure(exec.CommandContext(ctx, rg, append(args, folder)...))
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, u, nil // nothing matches
	} else if err != nil {
		return nil, u, err
	}
	type file struct {
		name  string
		lines int
	}
	var files []file
	for lines := bufio.NewScanner(bytes.NewReader(u.Out)); lines.Scan(); {
		name, count, _ := strings.Cut(filepath.Base(lines.Text()), ":")
		n, err := strconv.Atoi(count)
		if err != nil {
			return nil, u, err
		}
		files = append(files, file{name, n})
	}
	slices.SortFunc(files, func(a, b file) int {
		if a.lines != b.lines {
			return b.lines - a.lines
		}
		return strings.Compare(a.name, b.name)
	})
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.name
	}
	return names, u, nil
}
