package ui

// This file makes the page of the layers.

import (
	"strings"

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
