package main

// This file looks for the headings of the pages' sources among our sections.

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/rest"
	"evergreen/bench/internal/score"
)

// headings counts the headings of all sources that have a page of their own.
func (s *site) headings(titles map[string][]string, pages []string) (found score.Share, sources int, err error) {
	there := map[string]bool{}
	for _, p := range pages {
		there[p] = true
	}
	err = filepath.WalkDir(s.sources, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, s.suffix) {
			return err
		}
		relative, err := filepath.Rel(s.sources, path)
		if err != nil {
			return err
		}
		page := strings.TrimSuffix(filepath.ToSlash(relative), s.suffix) + ".html"
		if !there[page] {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sources++
		want, got := score.Bag{}, score.Bag{}
		for _, h := range rest.Headings(string(text)) {
			want.Add(page + ": " + score.Squash(h.Text))
		}
		for _, title := range titles[docPath(page)] {
			name := page + ": " + score.Squash(title)
			if bare := page + ": " + score.Squash(unnumbered(title)); want[name] == 0 && want[bare] > 0 {
				name = bare
			}
			got.Add(name)
		}
		found.Add(want, got)
		return nil
	})
	return found, sources, err
}

// docPath is where a page is in the library.
func docPath(page string) string {
	if page == "index.html" {
		return "index.md"
	}
	return page + ".md"
}

// unnumbered drops the number that Sphinx puts before titles, such as "4.2.1.".
func unnumbered(title string) string {
	number, rest, ok := strings.Cut(title, " ")
	if ok && strings.Trim(number, "0123456789.") == "" {
		return rest
	}
	return title
}

// titlesOf are the titles of all sections, by document.
func titlesOf(ctx context.Context, library, collection string) (map[string][]string, error) {
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: collection, Limit: -1})
	if err != nil {
		return nil, err
	}
	titles := map[string][]string{}
	for _, d := range outline.Documents {
		for _, section := range d.Sections {
			titles[d.Path] = append(titles[d.Path], section.Title)
		}
	}
	return titles, nil
}
