package main

// This file compares ids before and after edits.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

const (
	edits  = 1000
	sample = 60 // documents
	least  = 5  // headings that each of them has
	seed   = 20261130
)

// changes counts ids of one kind of edit.
type changes struct{ edits, ids, ours, theirIDs, theirs int }

func identities(ctx context.Context, s *study.Study, p *splitter) error {
	folder := filepath.Join(s.Work, "edited")
	documents, err := sampleOf(s, folder)
	if err != nil {
		return err
	}
	library := filepath.Join(s.Work, "library-edited")
	if err := os.RemoveAll(library); err != nil {
		return err
	}
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return err
	}
	defer e.Close()
	x := editing{engine: e, peer: p, folder: folder, before: map[string][2][]found{}}
	if err := x.index(ctx); err != nil {
		return err
	}
	all := kinds()
	counts := make([]changes, len(all))
	contest := &report.Contest{Each: "edit", Of: "ids changed", Lower: true}
	r := rand.New(rand.NewPCG(seed, 0))
	for n := 0; n < edits; {
		i, d := r.IntN(len(all)), &documents[r.IntN(len(documents))]
		lines, ok := all[i].edit(r, strings.Split(d.Text, "\n"), n)
		if !ok {
			continue
		}
		n++
		next := document{d.Path, strings.Join(lines, "\n")}
		before := counts[i]
		if err := x.compare(ctx, *d, next, all[i].frees, &counts[i]); err != nil {
			return fmt.Errorf("edit %d of %s: %w", n, d.Path, err)
		}
		*d = next
		question := fmt.Sprintf("%d (%s, in %s)", n, all[i].name, d.Path)
		contest.Put("Evergreen", question, float64(counts[i].ours-before.ours))
		if p != nil {
			contest.Put("jdocmunch-mcp", question, float64(counts[i].theirs-before.theirs))
		}
	}
	t := editTable(all, counts, p != nil)
	t.Note = strings.TrimSpace(t.Note + "\n\n" + report.Wins("Evergreen", contest))
	s.Table(t)
	return nil
}

// sampleOf writes documents of three trees into a folder.
func sampleOf(s *study.Study, folder string) ([]document, error) {
	var long []document
	for _, tree := range []string{"react", "rust-book", "vue-en"} {
		source, err := s.Corpora.Docs(tree, s.Work)
		if err != nil {
			return nil, err
		}
		all, err := read(source)
		if err != nil {
			return nil, err
		}
		for _, d := range all {
			titles := 0
			for _, c := range class(strings.Split(d.Text, "\n")) {
				if c == title {
					titles++
				}
			}
			if titles >= least {
				long = append(long, document{tree + "/" + d.Path, d.Text})
			}
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	some := make([]document, sample)
	for i := range some {
		some[i] = long[i*len(long)/sample]
		if err := write(folder, some[i]); err != nil {
			return nil, err
		}
	}
	return some, nil
}

func write(folder string, d document) error {
	path := filepath.Join(folder, filepath.FromSlash(d.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(d.Text), 0o644)
}

// editing is the state between two edits: what both tools made of each
// document.
type editing struct {
	engine *engine.Engine
	peer   *splitter
	folder string
	before map[string][2][]found
}

func (x *editing) index(ctx context.Context) error {
	_, err := x.engine.Index(ctx, evergreen.IndexRequest{Source: evergreen.Source{Kind: evergreen.SourceFolder, Location: x.folder}, Name: "docs", Verify: true}, nil)
	return err
}

func (x *editing) split(ctx context.Context, d document) (both [2][]found, err error) {
	own, err := outline(ctx, x.engine, "docs", d.Path)
	if err != nil {
		return both, err
	}
	both[0] = own[d.Path]
	if x.peer != nil {
		both[1], err = x.peer.split(d)
	}
	return both, err
}

// compare makes one edit and counts the ids that it should not have changed.
func (x *editing) compare(ctx context.Context, old, next document, frees bool, c *changes) (err error) {
	before, known := x.before[old.Path]
	if !known {
		if before, err = x.split(ctx, old); err != nil {
			return err
		}
	}
	if err := write(x.folder, next); err != nil {
		return err
	}
	if err := x.index(ctx); err != nil {
		return err
	}
	after, err := x.split(ctx, next)
	if err != nil {
		return err
	}
	x.before[next.Path] = after
	c.edits++
	ids, changed := changedIDs(before[0], after[0], frees)
	c.ids, c.ours = c.ids+ids, c.ours+changed
	ids, changed = changedIDs(before[1], after[1], frees)
	c.theirIDs, c.theirs = c.theirIDs+ids, c.theirs+changed
	return nil
}

// changedIDs counts the ids that should be kept, and those that were not: that
// are gone, or name another text. When the edit frees a section, one whose text
// is nowhere any more does not count.
func changedIDs(before, after []found, frees bool) (ids, changed int) {
	named, texts := map[string]found{}, map[string]bool{}
	for _, f := range after {
		named[f.ID], texts[f.Hash] = f, true
	}
	for _, f := range before {
		if frees && !texts[f.Hash] {
			continue
		}
		ids++
		now, there := named[f.ID]
		same := now.Hash == f.Hash || !texts[f.Hash] && now.Title == f.Title
		if !there || !same {
			changed++
		}
	}
	return ids, changed
}

func editTable(all []kind, counts []changes, there bool) report.Table {
	t := report.Table{Heading: "Ids changed by " + report.Thousands(edits) + " edits",
		Columns: []string{"edit", "edits", "ids to keep", "Evergreen changed", "ids to keep", "jdocmunch-mcp changed"}}
	var sum changes
	row := func(name string, c changes) {
		cells := []string{name, report.Thousands(c.edits), report.Thousands(c.ids), report.Thousands(c.ours), "–", "–"}
		if there {
			cells[4], cells[5] = report.Thousands(c.theirIDs), report.Thousands(c.theirs)
		}
		t.Add(cells...)
	}
	for i, k := range all {
		c := counts[i]
		row(k.name, c)
		sum = changes{sum.edits + c.edits, sum.ids + c.ids, sum.ours + c.ours, sum.theirIDs + c.theirIDs, sum.theirs + c.theirs}
	}
	row("all", sum)
	if there {
		t.Note = report.Ahead("Evergreen", []report.Figure{{Name: "ids changed", Lower: true, Values: map[string]float64{
			"Evergreen": float64(sum.ours), "jdocmunch-mcp": float64(sum.theirs)}}})
	}
	return t
}
