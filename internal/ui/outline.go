package ui

// This file lists the headings of a page with what their sections cost and how
// they are cited.

import (
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/markdown"
	"evergreen/internal/site"
)

// outlineRow is a heading of the contents.
type outlineRow struct {
	markdown.Heading
	Tokens string // "" where the heading is no section
	Width  string // of its bar, against the largest
}

// sectionData is what the script knows of the sections of a page, in order.
type sectionData struct {
	Words    readerWords   `json:"words"`
	Static   bool          `json:"static"`
	Prefix   string        `json:"prefix"`   // what all ids begin with
	Sections []sectionMark `json:"sections"` // in order
}

type sectionMark struct {
	Anchor string `json:"a"`
	ID     string `json:"i"` // without the prefix
}

// priced are the sections of a page by their anchors.
func priced(s *site.Site, p site.Page, headings []markdown.Heading) (byAnchor map[string]evergreen.Entry, all []sectionMark, prefix string) {
	byAnchor = map[string]evergreen.Entry{}
	if p.Kind == site.KindDocument {
		prefix = p.Collection + "::" + p.DocPath + "::"
		sections, err := s.Sections(p)
		if err != nil {
			return byAnchor, nil, prefix // told of where the text is read
		}
		for _, e := range sections {
			if _, taken := byAnchor[e.Anchor]; !taken && e.Anchor != "" {
				byAnchor[e.Anchor] = e
				all = append(all, sectionMark{e.Anchor, strings.TrimPrefix(e.ID, prefix)})
			}
		}
		return byAnchor, all, prefix
	}
	entries := map[string]evergreen.Entry{}
	for _, e := range s.Snapshot().Entries() {
		if e.Collection == p.Collection {
			entries["["+e.ID+"]"] = e
		}
	}
	for _, h := range headings {
		marker, _, _ := strings.Cut(h.Title, " ")
		if e, ok := entries[marker]; ok {
			byAnchor[h.ID] = e
			all = append(all, sectionMark{h.ID, e.ID})
		}
	}
	return byAnchor, all, ""
}

// outline are the headings below the page's own that its contents list.
func outline(headings []markdown.Heading, byAnchor map[string]evergreen.Entry) []outlineRow {
	var rows []outlineRow
	largest := 1
	for _, h := range headings {
		if (h.Level == 2 || h.Level == 3) && len(rows) < maxOutline {
			rows = append(rows, outlineRow{Heading: h})
			largest = max(largest, byAnchor[h.ID].Tokens)
		}
	}
	if len(rows) < 2 {
		return nil
	}
	for i := range rows {
		if e, ok := byAnchor[rows[i].ID]; ok {
			rows[i].Tokens = thousands(e.Tokens)
			rows[i].Width = strconv.FormatFloat(float64(e.Tokens)*100/float64(largest), 'f', 1, 64) + "%"
		}
	}
	return rows
}
