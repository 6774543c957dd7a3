package main

// This file asks Evergreen for bundles.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/endpoint"
	"evergreen/bench/internal/study"
)

// usual is the budget when an agent names none.
const usual = 2000

// depth is how many sections are ranked to find the first pages.
const depth = 100

// bundles asks for a bundle within each budget, and returns the order of pages
// by their best section for each question.
func bundles(ctx context.Context, s *study.Study, t task) (w way, order [][]string, err error) {
	library := filepath.Join(s.Work, "library-passages")
	if err := os.RemoveAll(library); err != nil {
		return w, nil, err
	}
	if _, err := s.Program.Run(ctx, "index", t.folder, "--name", "k8s", "--library", library, "--quiet"); err != nil {
		return w, nil, err
	}
	p, err := s.Program.Serve(ctx, s.Work, "--library", library)
	if err != nil {
		return w, nil, err
	}
	w = way{name: "Evergreen", tokens: make([]int, len(t.queries)), within: map[int][]bool{}}
	err = w.ask(ctx, study.Endpoint(p), t)
	if stop := p.Stop(); err == nil {
		err = stop
	}
	if err == nil {
		order, err = orderOf(ctx, library, t)
	}
	return w, order, err
}

func (w way) ask(ctx context.Context, e endpoint.Endpoint, t task) error {
	for _, budget := range budgets() {
		w.within[budget] = make([]bool, len(t.queries))
		for i, q := range t.queries {
			a, err := e.Call(ctx, "search_context", map[string]any{"query": q.Text, "budget": budget})
			if err != nil {
				return err
			}
			end, err := t.endOf(a, func(file string) bool { return t.right(q, file) })
			if err != nil {
				return fmt.Errorf("%q: %w", q.Text, err)
			}
			w.within[budget][i] = end > 0
			if budget == usual && end > 0 {
				w.tokens[i] = t.count(a.Text[:end])
			}
		}
	}
	return nil
}

// passage begins a passage of a bundle: its heading with a marker.
var passage = regexp.MustCompile(`(?m)^## \[[^\]\n]+\] .*$`)

// endOf is where the first right passage of a bundle ends, 0 when it has none.
func (t task) endOf(a endpoint.Answer, right func(file string) bool) (int, error) {
	var meta struct{ Entries []struct{ ID string } }
	if err := json.Unmarshal(a.Meta, &meta); err != nil {
		return 0, err
	}
	begins := passage.FindAllStringIndex(a.Text, -1)
	if !a.IsError && len(begins) != len(meta.Entries) {
		return 0, fmt.Errorf("the text has %d passages, the metadata %d", len(begins), len(meta.Entries))
	}
	for i, entry := range meta.Entries {
		_, file, _, ok := evergreen.SplitSectionID(entry.ID)
		if a.IsError || !ok || !right(file) {
			continue
		}
		if i+1 < len(begins) {
			return begins[i+1][0], nil
		}
		return len(a.Text), nil
	}
	return 0, nil
}

// orderOf ranks pages by their best section.
func orderOf(ctx context.Context, library string, t task) (order [][]string, err error) {
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	for _, q := range t.queries {
		ids, err := e.RankIDs(ctx, "", q.Text, depth)
		if err != nil {
			return nil, err
		}
		var files []string
		seen := map[string]bool{}
		for _, id := range ids {
			if _, file, _, ok := evergreen.SplitSectionID(id); ok && !seen[file] && len(files) < mostPages {
				seen[file] = true
				files = append(files, file)
			}
		}
		order = append(order, files)
	}
	return order, nil
}
