package main

// This file counts headings that become no section.

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"
	"evergreen/bench/internal/study"
)

// heading is one that the judge sees.
type heading struct {
	Level     int
	Text, Raw string
}

func trees() []string { return []string{"react", "rust-book", "vue-en", "vue-zh", "hugo", "tidb-zh"} }

// tally is how a tool's sections compare with the headings.
type tally struct{ lost, extra int }

func headings(ctx context.Context, s *study.Study, p *splitter) error {
	folder, why := peer.Node(ctx, s.Work, "commonmark@0.31.2")
	if why != "" {
		s.Absent("headings", "the judge is not here: "+why)
		return nil
	}
	t := report.Table{Heading: "Headings lost", Columns: []string{"tree", "documents", "headings", "Evergreen lost", "extra", "jdocmunch-mcp lost", "extra"}}
	var sum struct {
		documents, headings int
		ours, theirs        tally
	}
	var figures [2]report.Figure
	contest := &report.Contest{Each: "document", Of: "headings lost and sections extra", Lower: true}
	for _, tree := range trees() {
		source, err := s.Corpora.Docs(tree, s.Work)
		if err != nil {
			return err
		}
		documents, err := read(source)
		if err != nil {
			return err
		}
		judged, err := judge(ctx, folder, documents)
		if err != nil {
			return err
		}
		own, err := outlineOf(ctx, s, tree)
		if err != nil {
			return err
		}
		var ours, theirs tally
		count := 0
		for i, d := range documents {
			count += len(judged[i])
			before := ours
			ours.add(judged[i], own[d.Path])
			contest.Put("Evergreen", tree+"/"+d.Path, ours.since(before))
			if p == nil {
				continue
			}
			sections, err := p.split(d)
			if err != nil {
				return fmt.Errorf("%s: %w", d.Path, err)
			}
			before = theirs
			theirs.add(judged[i], sections)
			contest.Put("jdocmunch-mcp", tree+"/"+d.Path, theirs.since(before))
		}
		t.Add(append([]string{tree, report.Thousands(len(documents)), report.Thousands(count)}, cells(ours, theirs, p != nil)...)...)
		sum.documents, sum.headings = sum.documents+len(documents), sum.headings+count
		sum.ours, sum.theirs = tally{sum.ours.lost + ours.lost, sum.ours.extra + ours.extra}, tally{sum.theirs.lost + theirs.lost, sum.theirs.extra + theirs.extra}
	}
	t.Add(append([]string{"all", report.Thousands(sum.documents), report.Thousands(sum.headings)}, cells(sum.ours, sum.theirs, p != nil)...)...)
	if p != nil {
		figures[0] = report.Figure{Name: "lost", Lower: true, Values: map[string]float64{"Evergreen": float64(sum.ours.lost), "jdocmunch-mcp": float64(sum.theirs.lost)}}
		figures[1] = report.Figure{Name: "extra", Lower: true, Values: map[string]float64{"Evergreen": float64(sum.ours.extra), "jdocmunch-mcp": float64(sum.theirs.extra)}}
		t.Note = report.Ahead("Evergreen", figures[:]) + "\n\n" + report.Wins("Evergreen", contest)
	}
	s.Table(t)
	return nil
}

func cells(ours, theirs tally, there bool) []string {
	row := []string{report.Thousands(ours.lost), report.Thousands(ours.extra), "–", "–"}
	if there {
		row[2], row[3] = report.Thousands(theirs.lost), report.Thousands(theirs.extra)
	}
	return row
}

// since is how many faults were added to an earlier tally.
func (t tally) since(before tally) float64 {
	return float64(t.lost + t.extra - before.lost - before.extra)
}

// add looks for each heading among the sections, and counts those left over.
func (t *tally) add(headings []heading, sections []found) {
	left := map[string]int{}
	for _, f := range sections {
		left[key(f.Level, f.Title)]++
	}
	for _, h := range headings {
		if !take(left, key(h.Level, h.Text)) && !take(left, key(h.Level, h.Raw)) {
			t.lost++
		}
	}
	for _, n := range left {
		t.extra += n
	}
}

func take(left map[string]int, k string) bool {
	if left[k] == 0 {
		return false
	}
	left[k]--
	return true
}

// explicit is an id written behind a heading: {#id}, or as a comment of MDX,
// whose asterisks may count as emphasis.
var explicit = regexp.MustCompile(`\s*\{[#/].*?\}\s*$|<[^>]*>|\]\([^)]*\)`)

func key(level int, title string) string {
	return fmt.Sprint(level, " ", score.Squash(explicit.ReplaceAllString(strings.TrimSpace(title), "")))
}

// judge asks the reference implementation.
func judge(ctx context.Context, folder peer.Folder, documents []document) (all [][]heading, err error) {
	type answer struct{ Headings []heading }
	var texts []document
	for _, d := range documents {
		texts = append(texts, document{d.Path, withoutFrontMatter(d.Text)})
	}
	answers, err := peer.Run[document, answer](ctx, folder, "sections", judgeScript, nil, texts)
	for _, a := range answers {
		all = append(all, a.Headings)
	}
	return all, err
}

var frontMatter = regexp.MustCompile(`^(?:---\n(?s:.*?\n)??---|\+\+\+\n(?s:.*?\n)??\+\+\+)[ \t]*(?:\n|$)`)

// withoutFrontMatter also takes a byte order mark away.
func withoutFrontMatter(text string) string {
	text = strings.TrimPrefix(text, "\uFEFF")
	return text[len(frontMatter.FindString(text)):]
}

// outlineOf indexes a tree and returns its sections by path.
func outlineOf(ctx context.Context, s *study.Study, tree string) (map[string][]found, error) {
	library, err := s.Index(ctx, tree)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return outline(ctx, e, tree, "")
}

func outline(ctx context.Context, e *engine.Engine, name, docPath string) (map[string][]found, error) {
	o, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: name, DocPath: docPath, Limit: -1})
	if err != nil {
		return nil, err
	}
	all := map[string][]found{}
	for _, d := range o.Documents {
		for _, section := range d.Sections {
			all[path.Clean(d.Path)] = append(all[path.Clean(d.Path)], found{section.ID, section.Title, section.ContentHash, section.Level})
		}
		all[d.Path] = titled(all[d.Path])
	}
	return all, nil
}
