package ui

// This file makes the page of the layers: what each is worth, what it costs to
// read, whether it keeps its promise.

import (
	"errors"
	"strconv"
	"strings"

	"evergreen/internal/site"
)

// layersPage shows what the site says to agents.
type layersPage struct {
	frame
	W      layersWords
	Layers []layerCard
	Passed int // promises that are kept, 0 where nothing was verified
	Failed int
	Base   string
}

// layerCard is one layer.
type layerCard struct {
	Name, Title, Worth string
	Path, URL, Kind    string // of its main document
	Tokens, Width      string
	Head               string // the main document's first lines
	More               bool   // it goes on
	Marked             bool   // it was verified
	Broken             []string
	Missing            string // what to do about what is not there
	Documents          []layerRow

	tokens int
}

// layerRow is one document.
type layerRow struct {
	Path, URL, Kind string // URL is "" for what is no single document
	Tokens          string
	Bytes           string
}

// Mark says whether a promise of a layer is kept.
type Mark struct {
	Layer  string // L1 to L7
	OK     bool
	Detail string // of a broken one: what was asked, found and wanted
}

// mainDocuments are what stands for a layer.
func mainDocuments() map[string]string {
	return map[string]string{"L1": "/llms.txt", "L2": "/index.html.md", "L3": "/context.json", "L4": "/.well-known/agent-card.json",
		"L5": "/.well-known/mcp/server-card.json", "L7": "/robots.txt"}
}

// Layers writes the page of the layers.
func (u *UI) Layers(s *site.Site, lang string) ([]byte, error) {
	measured, err := s.Layers()
	if err != nil {
		return nil, err
	}
	data := layersPage{frame: u.own(s, lang, "/layers"), W: layersWordsOf(lang), Base: s.Base()}
	data.Title, data.Description = pageTitle(data.Words.Layers, data.Site), data.W.Intro
	var marks []Mark
	if u.o.Verify != nil && s.Base() != "" {
		if marks, err = u.o.Verify(s.Base()); err != nil {
			return nil, err
		}
	}
	largest := 1
	for i, name := range []string{"L1", "L2", "L3", "L4", "L5", "L6", "L7"} {
		c := layerCard{Name: name, Title: data.W.Titles[i], Worth: data.W.Worth[i]}
		for _, l := range measured {
			if l.Layer == name {
				c.Documents = append(c.Documents, u.layerRow(s, l))
			}
		}
		if err := u.mainDocument(s, &c); err != nil {
			return nil, err
		}
		if main := mainDocuments()[name]; main != "" && c.Path != main {
			c.Missing = data.W.Missing[i]
		}
		for _, m := range marks {
			switch {
			case m.Layer == name && !m.OK:
				c.Broken = append(c.Broken, m.Detail)
				data.Failed++
			case m.OK && (m.Layer == name || m.Layer == "" && i == 0):
				data.Passed++
			}
			c.Marked = c.Marked || m.Layer == name
		}
		largest = max(largest, c.tokens)
		data.Layers = append(data.Layers, c)
	}
	for i := range data.Layers {
		c := &data.Layers[i]
		c.Width = strconv.FormatFloat(float64(c.tokens)*100/float64(largest), 'f', 2, 64) + "%"
	}
	return u.execute("layers.tmpl", data)
}

func (u *UI) layerRow(s *site.Site, l site.Layer) layerRow {
	row := layerRow{Path: l.Path, Tokens: thousands(l.Tokens), Bytes: thousands(int(l.Bytes))}
	if strings.HasPrefix(l.Path, "/") {
		row.URL = s.Base() + l.Path
	}
	if r, ok := s.Lookup(l.Path); ok {
		row.Kind = r.Type
	}
	return row
}

// mainDocument fills in what stands for a layer: its document, or for
// structured data that of the home page.
func (u *UI) mainDocument(s *site.Site, c *layerCard) error {
	if c.Name == "L6" {
		ld, err := s.JSONLD(s.Pages()[0])
		if err != nil {
			return err
		}
		c.Path, c.Kind = `<script type="application/ld+json">`, "application/ld+json"
		c.tokens = u.o.Count(string(ld))
		c.Head, c.More = firstLines(string(ld))
		c.Tokens = thousands(c.tokens)
		return nil
	}
	r, ok := s.Lookup(mainDocuments()[c.Name])
	if !ok {
		if len(c.Documents) == 0 {
			return nil
		}
		if r, ok = s.Lookup(c.Documents[0].Path); !ok {
			return nil
		}
	}
	head := &headWriter{}
	if _, err := r.WriteTo(head); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	c.Path, c.URL, c.Kind = r.Path, s.Base()+r.Path, r.Type
	c.Head, c.More = firstLines(string(head.bytes))
	for _, d := range c.Documents {
		if d.Path == r.Path {
			c.Tokens = d.Tokens
			c.tokens, _ = strconv.Atoi(strings.ReplaceAll(d.Tokens, ",", ""))
		}
	}
	if c.Tokens == "" {
		body, err := r.Bytes()
		if err != nil {
			return err
		}
		c.tokens = u.o.Count(string(body))
		c.Tokens = thousands(c.tokens)
	}
	return nil
}

// errEnough ends the writing of a document of which only the head is shown.
var errEnough = errors.New("enough")

// headWriter keeps the beginning of what is written.
type headWriter struct{ bytes []byte }

func (w *headWriter) Write(p []byte) (int, error) {
	if w.bytes = append(w.bytes, p...); len(w.bytes) > shownHeadBytes {
		return 0, errEnough
	}
	return len(p), nil
}

// firstLines are the lines of a document that are shown; more says that there
// are others. A line ends where it grows too long to be looked at.
func firstLines(s string) (head string, more bool) {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	more = len(lines) > shownLines
	lines = lines[:min(len(lines), shownLines)]
	for i, l := range lines {
		if runes := []rune(l); len(runes) > shownLineRunes {
			lines[i] = string(runes[:shownLineRunes]) + "…"
		}
	}
	return strings.ToValidUTF8(strings.Join(lines, "\n"), ""), more
}
