// Peers measures the same work done by Evergreen and by what people use
// instead, in one run on one folder. A peer is installed from its registry into
// a scratch folder; one that cannot be had is named as absent.
package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

const (
	tree     = "react"
	headings = 100 // asked for in each run
	hits     = 10
)

func main() {
	study.Main("peers", "Beside peers", []string{
		"How do Evergreen and its peers compare at the same work, on the same folder, in the same run?",
		"The React docs. Indexing is a whole process with an empty library. A search is a call in a warm process, ten hits for each of 100 headings; " +
			"its answer is measured as JSON. ripgrep and grep need no index: they find lines that hold a word, unranked.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	source, err := s.Corpora.Docs(tree, s.Work)
	if err != nil {
		return err
	}
	queries, err := headingsOf(ctx, s)
	if err != nil {
		return err
	}
	s.Peers(
		report.Peer{Name: "Evergreen", Version: "this commit", Options: "defaults", Why: "what its users get"},
		report.Peer{Name: "jdocmunch-mcp", Version: jdocmunchVersion, Options: "`--no-ai-summaries --no-embeddings`, `semantic=False`", Why: "summaries and embeddings need a model elsewhere"},
		report.Peer{Name: "ripgrep", Version: "Debian's, named in the table", Options: "`--no-heading -n` and one word", Why: "what agents with a shell print: file, line and text"},
	)
	if err := besideJDocMunch(ctx, s, source, queries); err != nil {
		return err
	}
	return besideGrep(ctx, s, source, queries)
}

// headingsOf are headings spread over the tree.
func headingsOf(ctx context.Context, s *study.Study) ([]string, error) {
	library, err := s.Index(ctx, tree)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: tree, Limit: -1})
	if err != nil {
		return nil, err
	}
	var titles []string
	for _, d := range outline.Documents {
		for _, section := range d.Sections {
			titles = append(titles, section.Title)
		}
	}
	return data.Spread(titles, headings), nil
}

// figures are those of one contender.
type figures struct {
	cold, cpu, peak, disk, p50, p99, answer report.Sample
	each                                    []report.Sample // ms by query
}

func (f *figures) indexed(u program.Usage, library string) error {
	f.cold, f.cpu, f.peak = append(f.cold, u.Wall.Seconds()), append(f.cpu, u.CPU.Seconds()), append(f.peak, u.Peak)
	size := 0.0
	err := filepath.WalkDir(library, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += float64(info.Size()) / 1e6
		}
		return err
	})
	f.disk = append(f.disk, size)
	return err
}

func (f *figures) searched(ms, bytes report.Sample) {
	if f.each == nil {
		f.each = make([]report.Sample, len(ms))
	}
	for i, took := range ms {
		f.each[i] = append(f.each[i], took)
	}
	f.p50, f.p99, f.answer = append(f.p50, ms.Percentile(50)), append(f.p99, ms.Percentile(99)), append(f.answer, bytes.Median())
}

// own measures Evergreen once.
func (f *figures) own(ctx context.Context, s *study.Study, source string, queries []string) error {
	library := filepath.Join(s.Work, "library-peers")
	if err := os.RemoveAll(library); err != nil {
		return err
	}
	u, err := s.Program.Run(ctx, "index", source, "--name", tree, "--library", library, "--quiet")
	if err != nil {
		return err
	}
	if err := f.indexed(u, library); err != nil {
		return err
	}
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return err
	}
	defer e.Close()
	var ms, bytes report.Sample
	for _, q := range queries {
		started := time.Now()
		result, err := e.Search(ctx, evergreen.SearchRequest{Query: q, Limit: hits})
		if err != nil {
			return err
		}
		ms = append(ms, report.Milliseconds(time.Since(started)))
		raw, err := json.Marshal(result)
		if err != nil {
			return err
		}
		bytes = append(bytes, float64(len(raw)))
	}
	f.searched(ms, bytes)
	return nil
}
