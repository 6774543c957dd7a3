package main

// This file runs jdocmunch-mcp, a Python package that splits documentation into
// sections too.

import (
	"context"
	_ "embed"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

// jdocmunchVersion is the one that was the newest when this was written.
const jdocmunchVersion = "1.150.1"

//go:embed jdocmunch.py
var jdocmunchScript []byte

// jdocmunch is an installed one.
type jdocmunch struct {
	folder           peer.Folder
	queries, storage string
}

func besideJDocMunch(ctx context.Context, s *study.Study, source string, queries []string) error {
	installed, why := installJDocMunch(ctx, s.Work, queries)
	if why != "" {
		s.Absent("jdocmunch-mcp "+jdocmunchVersion, why)
	}
	var ours, theirs figures
	if err := s.Each(func(int) error {
		if err := ours.own(ctx, s, source, queries); err != nil || why != "" {
			return err
		}
		return theirs.jdocmunch(ctx, installed, source)
	}); err != nil {
		return err
	}
	t := report.Table{Heading: "Evergreen and jdocmunch-mcp " + jdocmunchVersion,
		Columns: []string{"what", "Evergreen", "spread", "jdocmunch-mcp", "spread", "theirs / ours"}}
	for _, row := range []struct {
		name, unit   string
		ours, theirs report.Sample
	}{
		{"index, cold", " s", ours.cold, theirs.cold},
		{"index, processor time", " s", ours.cpu, theirs.cpu},
		{"index, peak memory", " MB", ours.peak, theirs.peak},
		{"library on disk, text included", " MB", ours.disk, theirs.disk},
		{"search, p50", " ms", ours.p50, theirs.p50},
		{"search, p99", " ms", ours.p99, theirs.p99},
		{"ten hits as JSON", " bytes", ours.answer, theirs.answer},
	} {
		a, b := report.Plain(row.ours, row.unit), []string{"–", "–"}
		ratio := "–"
		if len(row.theirs) > 0 {
			b = report.Plain(row.theirs, row.unit)
			ratio = report.Number(row.theirs.Median() / row.ours.Median())
		}
		t.Add(row.name, a[0], a[1], b[0], b[1], ratio)
	}
	t.Note = report.Wins("Evergreen", fastest(queries, map[string][]report.Sample{"Evergreen": ours.each, "jdocmunch-mcp": theirs.each}),
		costs(ours, theirs))
	s.Table(t)
	return nil
}

// fastest compares the time of each query, medians over the runs.
func fastest(queries []string, each map[string][]report.Sample) *report.Contest {
	c := &report.Contest{Each: "query", Of: "time", Lower: true, Times: true, Format: func(ms float64) string { return report.Number(ms) + " ms" }}
	for _, name := range slices.Sorted(maps.Keys(each)) {
		for i, took := range each[name] {
			c.Put(name, report.Quote(queries[i]), took.Median())
		}
	}
	return c
}

// costs compares everything else of the table.
func costs(ours, theirs figures) *report.Contest {
	c := &report.Contest{Each: "figure", Of: "cost", Lower: true, Times: true}
	for _, row := range []struct {
		name string
		of   func(figures) report.Sample
	}{
		{"index, cold (s)", func(f figures) report.Sample { return f.cold }},
		{"index, processor time (s)", func(f figures) report.Sample { return f.cpu }},
		{"index, peak memory (MB)", func(f figures) report.Sample { return f.peak }},
		{"library on disk (MB)", func(f figures) report.Sample { return f.disk }},
		{"ten hits as JSON (bytes)", func(f figures) report.Sample { return f.answer }},
	} {
		if len(row.of(theirs)) > 0 {
			c.Put("Evergreen", row.name, row.of(ours).Median())
			c.Put("jdocmunch-mcp", row.name, row.of(theirs).Median())
		}
	}
	return c
}

// installJDocMunch makes a Python environment. why says what is missing, ""
// when nothing is.
func installJDocMunch(ctx context.Context, work string, queries []string) (j jdocmunch, why string) {
	folder, why := peer.Python(ctx, work, "jdocmunch-mcp=="+jdocmunchVersion)
	if why != "" {
		return j, why
	}
	j = jdocmunch{folder, filepath.Join(work, "queries.json"), filepath.Join(work, "jdocmunch-index")}
	raw, err := json.Marshal(queries)
	if err == nil {
		err = os.WriteFile(j.queries, raw, 0o644)
	}
	if err != nil {
		return j, err.Error()
	}
	return j, ""
}

// jdocmunch measures the peer once.
func (f *figures) jdocmunch(ctx context.Context, j jdocmunch, source string) error {
	if err := os.RemoveAll(j.storage); err != nil {
		return err
	}
	index := j.folder.Command(ctx, "jdocmunch-mcp", "index-local", "--path", source, "--name", tree, "--no-ai-summaries", "--no-embeddings")
	index.Env = append(os.Environ(), "DOC_INDEX_PATH="+j.storage, "JDOCMUNCH_SHARE_SAVINGS=0")
	u, err := program.Measure(index)
	if err != nil {
		return err
	}
	if err := f.indexed(u, j.storage); err != nil {
		return err
	}
	search, err := j.folder.Script(ctx, "peers", jdocmunchScript, j.storage, "local/"+tree, j.queries)
	if err != nil {
		return err
	}
	search.Env = index.Env
	if u, err = program.Measure(search); err != nil {
		return err
	}
	var answers struct{ MS, Bytes report.Sample }
	if err := json.Unmarshal(u.Out, &answers); err != nil {
		return err
	}
	f.searched(answers.MS, answers.Bytes)
	return nil
}
