package ui

// This file makes the pages that are none of the content's: the layers and the
// search.

import (
	"cmp"
	"html/template"
	"strings"

	"evergreen"
	"evergreen/internal/site"
)

// layersPage shows what the site says to agents.
type layersPage struct {
	frame
	Layers  []layerGroup
	Largest int
}

// layerGroup is one layer and its documents.
type layerGroup struct {
	Name, Worth string
	Documents   []layerRow
}

// layerRow is one document.
type layerRow struct {
	Path, URL string // URL is "" for what is no single document
	Tokens    int
	Bytes     int64
}

// Layers writes the page of the layers.
func (u *UI) Layers(s *site.Site, lang string) ([]byte, error) {
	measured, err := s.Layers()
	if err != nil {
		return nil, err
	}
	data := layersPage{frame: u.own(s, lang, "/layers"), Largest: 1}
	data.Title, data.Description = pageTitle(data.Words.Layers, data.Site), data.LayersIntro
	for _, name := range []string{"L1", "L2", "L3", "L4", "L5", "L6", "L7"} {
		g := layerGroup{Name: name, Worth: data.worth[name]}
		for _, l := range measured {
			if l.Layer != name {
				continue
			}
			row := layerRow{Path: l.Path, Tokens: l.Tokens, Bytes: l.Bytes}
			if strings.HasPrefix(l.Path, "/") {
				row.URL = s.Base() + l.Path
			}
			data.Largest = max(data.Largest, l.Tokens)
			g.Documents = append(g.Documents, row)
		}
		if len(g.Documents) > 0 || name == "L6" {
			data.Layers = append(data.Layers, g)
		}
	}
	return u.execute("layers.tmpl", data)
}

// searchPage shows hits.
type searchPage struct {
	frame
	Hits        []hitRow
	Total       int
	Suggestions []string
	Collections []site.Crumb
}

// hitRow is one hit.
type hitRow struct {
	Title, URL, Where, Snippet, Marker string
	Tokens                             int
}

// Search writes the search page.
func (u *UI) Search(s *site.Site, lang, query string, result evergreen.SearchResult) ([]byte, error) {
	data := searchPage{frame: u.own(s, lang, "/search"), Total: result.Total, Suggestions: result.Suggestions}
	data.Title, data.Description = pageTitle(data.Words.Search, data.Site), data.SearchLabel
	if data.Query = query; query != "" {
		data.Title = pageTitle(query, data.Words.Search+" · "+data.Site)
	}
	pages := map[string]site.Page{}
	for _, p := range s.Pages() {
		pages[p.Collection+"\x00"+p.DocPath] = p
		top, _, ok := s.PageAt("/docs/" + p.Collection)
		if n := len(data.Collections); ok && p.Collection != "" && (n == 0 || data.Collections[n-1].Name != p.Collection) {
			data.Collections = append(data.Collections, site.Crumb{Name: p.Collection, URL: s.URL(top)})
		}
	}
	for _, h := range result.Hits {
		row := hitRow{Title: cmp.Or(h.Title, h.ID), Where: h.Collection, Snippet: h.Snippet, Marker: h.Marker, Tokens: h.Tokens}
		p, ok := pages[h.Collection+"\x00"+h.DocPath]
		if ok && h.DocPath != "" {
			row.Where += " / " + h.DocPath
			row.URL = s.URL(p) + fragment(h.ID)
		} else if p, ok = pages[h.Collection+"\x00"]; ok {
			row.URL = s.URL(p)
		}
		data.Hits = append(data.Hits, row)
	}
	return u.execute("search.tmpl", data)
}

// fragment leads to a section: "#" and the last slug of its id's chain.
func fragment(id string) string {
	_, _, chain, ok := evergreen.SplitSectionID(id)
	if !ok {
		return ""
	}
	chain = chain[:strings.LastIndex(chain, "#")]
	return "#" + template.URLQueryEscaper(chain[strings.LastIndex(chain, "/")+1:])
}
