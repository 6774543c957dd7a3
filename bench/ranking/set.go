package main

import (
	"path"
	"strings"

	"evergreen/bench/internal/data"
	"evergreen/internal/text"
)

// This file reads a judged set and inverts it in memory.

// judged is a set whose sections are inverted.
type judged struct {
	name      string
	byPage    bool
	sections  []data.Unit
	queries   []data.Judged
	lists     [2]map[string][]posting // by field: titles, bodies
	lengths   [2][]float64
	average   [2]float64
	documents [][2]int // first section and the one behind the last
	of        []int    // document of each section
}

type posting struct {
	section   int
	frequency float64
}

func read(c data.Corpora, name string, byPage bool) (*judged, error) {
	s := &judged{name: name, byPage: byPage}
	var err error
	if s.sections, err = c.Units(name); err != nil {
		return nil, err
	}
	if s.queries, err = c.Queries(name); err != nil {
		return nil, err
	}
	for f := range s.lists {
		s.lists[f] = map[string][]posting{}
	}
	for i, section := range s.sections {
		title := section.Title
		if byPage {
			title += " " + pathWords(section.Page)
		}
		for f, field := range []string{title, section.Body} {
			s.invert(i, f, field)
		}
		if i == 0 || section.Page != s.sections[i-1].Page {
			s.documents = append(s.documents, [2]int{i, i})
		}
		d := len(s.documents) - 1
		s.documents[d][1] = i + 1
		s.of = append(s.of, d)
	}
	for f := range s.average {
		for _, n := range s.lengths[f] {
			s.average[f] += n / float64(len(s.sections))
		}
	}
	return s, nil
}

func (s *judged) invert(section, field int, content string) {
	counts, length := map[string]float64{}, 0.0
	eachUnit(content, func(surface string, terms text.Terms) {
		for _, t := range terms.Base {
			counts[t]++
			length++
		}
		for _, t := range terms.Extra {
			counts[t]++
		}
	})
	s.lengths[field] = append(s.lengths[field], length)
	for t, n := range counts {
		s.lists[field][t] = append(s.lists[field][t], posting{section, n})
	}
}

func eachUnit(content string, use func(surface string, terms text.Terms)) {
	for at := 0; ; {
		u, next, ok := text.NextUnit(content, at)
		if !ok {
			return
		}
		at = next
		surface := content[u.Start:u.End]
		use(surface, text.Expand(surface, u.CJK))
	}
}

func pathWords(p string) string {
	p = strings.TrimSuffix(strings.TrimSuffix(p, path.Ext(p)), "/index")
	return strings.NewReplacer("/", " ", "_", " ", "-", " ", ".", " ", "#", " ").Replace(p)
}
