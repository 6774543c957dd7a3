package ui

// This file makes the search page: hits with the words found in them, how many
// there are in each collection and folder, and help when there are none.

import (
	"cmp"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/site"
)

// searchPage shows hits.
type searchPage struct {
	frame
	W           searchWords
	Request     evergreen.SearchRequest
	Folder      string
	Hits        []hitRow
	Total       int
	Fault       string
	Suggestions []string
	Facets      []facetGroup
	Collections []collectionRow // what there is to find, when nothing was
	Empty       hitRow          // for the template that the script fills
	Data        searchData
}

// searchData is what the script has to know.
type searchData struct {
	Words  searchWords `json:"words"`
	Static bool        `json:"static"`
	Title  string      `json:"title"` // of the page, without a query
}

// hitRow is one hit.
type hitRow struct {
	Title, URL, Mirror, Where, Marker, Tokens string
	Snippet                                   []span
}

// facetGroup is one way to narrow a search.
type facetGroup struct {
	Name   string
	All    string // address without this narrowing, "" when there is none
	Facets []facet
}

type facet struct {
	Name, URL, Count string
	Here             bool
}

// collectionRow is a collection with its first documents.
type collectionRow struct {
	Name, URL string
	Documents []site.Crumb
}

// Search writes the search page. find is asked for the hits, and for how many
// there are in each part of the library; without a query it is not asked. What
// it refuses is said on the page.
func (u *UI) Search(s *site.Site, lang string, r evergreen.SearchRequest, find func(evergreen.SearchRequest) (evergreen.SearchResult, error)) ([]byte, error) {
	data := searchPage{frame: u.own(s, lang, "/search", "search.mjs"), W: searchWordsOf(lang), Request: r, Folder: r.PathGlob,
		Empty: hitRow{Title: "…", URL: "#"}}
	data.Title, data.Description = pageTitle(data.Words.Search, data.Site), data.SearchLabel
	data.Data = searchData{data.W, u.o.Static, data.Title}
	if data.Query = r.Query; r.Query != "" {
		data.Title = pageTitle(r.Query, data.Words.Search+" · "+data.Site)
		data.OtherURL = searchURL(r) + "&lang=" + data.OtherCode
		if err := data.find(s, r, find); err != nil {
			data.Fault = sentences(err)
		}
	}
	if len(data.Hits) == 0 {
		data.Collections = collectionRows(s)
	}
	return u.execute("search.tmpl", data)
}

// find fills in what was found.
func (d *searchPage) find(s *site.Site, r evergreen.SearchRequest, find func(evergreen.SearchRequest) (evergreen.SearchResult, error)) error {
	asked := r
	asked.Limit, asked.PathGlob = shownHits, globOf(r.PathGlob)
	result, err := find(asked)
	if err != nil {
		return err
	}
	d.Total, d.Suggestions = result.Total, result.Suggestions
	pages := map[string]site.Page{}
	for _, p := range s.Pages() {
		pages[p.Collection+"\x00"+p.DocPath] = p
	}
	words := needles(r.Query)
	for _, h := range result.Hits {
		row := hitRow{Title: cmp.Or(h.Title, h.ID), Where: h.Collection, Marker: h.Marker, Tokens: thousands(h.Tokens), Snippet: marked(bare(h.Snippet), words)}
		if h.DocTitle != "" {
			row.Title += " · " + h.DocTitle
		}
		p, ok := pages[h.Collection+"\x00"+h.DocPath]
		if ok && h.DocPath != "" {
			row.Where += " / " + h.DocPath
			row.URL, row.Mirror = s.URL(p)+fragment(h.ID), s.MirrorURL(p)
		} else if p, ok = pages[h.Collection+"\x00"]; ok {
			row.URL, row.Mirror = s.URL(p)+"#"+entryAnchor(h.ID), s.MirrorURL(p)
		}
		d.Hits = append(d.Hits, row)
	}
	return d.facets(s, r, result, find)
}

// facets counts what else there is to find: in other collections, and in the
// folders of the hits.
func (d *searchPage) facets(s *site.Site, r evergreen.SearchRequest, found evergreen.SearchResult, find func(evergreen.SearchRequest) (evergreen.SearchResult, error)) error {
	count := func(to evergreen.SearchRequest) (facet, error) {
		counted := to
		counted.Limit, counted.PathGlob = 1, globOf(to.PathGlob)
		result, err := find(counted)
		return facet{URL: searchURL(to), Count: thousands(result.Total)}, err
	}
	collections := s.Snapshot().Collections()
	if len(collections) > 1 && len(collections) <= maxFacets {
		group := facetGroup{Name: d.W.InCollection}
		if r.Collection != "" {
			group.All = searchURL(evergreen.SearchRequest{Query: r.Query})
		}
		for _, c := range collections {
			f, err := count(evergreen.SearchRequest{Query: r.Query, Collection: c.Name})
			if err != nil {
				return err
			}
			if f.Name, f.Here = c.Name, c.Name == r.Collection; f.Count != "0" {
				group.Facets = append(group.Facets, f)
			}
		}
		d.Facets = append(d.Facets, group)
	}
	return d.folders(r, found, len(collections) == 1, count)
}

// folders adds the folders of one collection's hits.
func (d *searchPage) folders(r evergreen.SearchRequest, found evergreen.SearchResult, only bool, count func(evergreen.SearchRequest) (facet, error)) error {
	if r.Collection == "" && !only {
		return nil
	}
	group := facetGroup{Name: d.W.InFolder}
	if r.PathGlob != "" {
		group.All = searchURL(evergreen.SearchRequest{Query: r.Query, Collection: r.Collection})
	}
	var names []string
	for _, h := range found.Hits {
		folder := path.Dir(h.DocPath)
		if r.PathGlob != "" {
			folder = r.PathGlob
		}
		if folder != "." && !slices.Contains(names, folder) && len(names) < maxFacets {
			names = append(names, folder)
		}
	}
	for _, name := range names {
		f, err := count(evergreen.SearchRequest{Query: r.Query, Collection: r.Collection, PathGlob: name})
		if err != nil {
			return err
		}
		f.Name, f.Here = name, name == r.PathGlob
		group.Facets = append(group.Facets, f)
	}
	if len(names) > 0 {
		d.Facets = append(d.Facets, group)
	}
	return nil
}

// globOf is the pattern of everything in a folder, "" for everywhere.
func globOf(folder string) string {
	if folder == "" {
		return ""
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(folder) + "/**"
}

// searchURL is a search as the query of an address. PathGlob is a folder.
func searchURL(r evergreen.SearchRequest) string {
	query := "?q=" + url.QueryEscape(r.Query)
	if r.Collection != "" {
		query += "&collection=" + url.QueryEscape(r.Collection)
	}
	if r.PathGlob != "" {
		query += "&path=" + url.QueryEscape(r.PathGlob)
	}
	return query
}

// collectionRows are the collections with what they begin with.
func collectionRows(s *site.Site) []collectionRow {
	var rows []collectionRow
	at := map[string]int{}
	for _, p := range s.Pages() {
		if p.Collection == "" {
			continue
		}
		i, ok := at[p.Collection]
		if !ok {
			i = len(rows)
			at[p.Collection] = i
			row := collectionRow{Name: p.Collection, URL: s.URL(p)}
			if top, _, ok := s.PageAt("/docs/" + p.Collection); ok {
				row.URL = s.URL(top)
			}
			rows = append(rows, row)
		}
		if p.Kind == site.KindDocument && len(rows[i].Documents) < outlinedDocuments {
			rows[i].Documents = append(rows[i].Documents, site.Crumb{Name: p.Title, URL: s.URL(p)})
		}
	}
	return rows
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
