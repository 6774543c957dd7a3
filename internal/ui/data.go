package ui

// This file writes what the scripts answer from when there is no server.

import (
	"bytes"
	"encoding/json"
	"iter"
	"net/url"

	"evergreen"
	"evergreen/internal/offline"
	"evergreen/internal/site"
)

// DataPrefix is where the files of Data lie.
const DataPrefix = "/offline/"

// manifest says what there is. Collections are in order of name.
type manifest struct {
	Revision    string               `json:"revision"`
	Bytes       int                  `json:"bytes"` // of all files
	Collections []manifestCollection `json:"collections"`
	Partial     bool                 `json:"partial,omitempty"` // collections are too large to be here
}

type manifestCollection struct {
	Name  string `json:"name"`
	Path  string `json:"path"`  // of its folder, escaped, from the manifest
	Texts int    `json:"texts"` // files of texts
}

// Data hands everything that answers without a server to put, the manifest
// last: knowledge, and each collection's index and texts. Libraries of more than
// most tokens have their knowledge only; 0 is no bound.
func (u *UI) Data(s *site.Site, most int, put func(path string, body []byte) error) error {
	snapshot := s.Snapshot()
	m := manifest{Revision: snapshot.Revision(), Collections: []manifestCollection{}}
	counted := func(path string, body []byte) error {
		m.Bytes += len(body)
		return put(DataPrefix+path, body)
	}
	var knowledge bytes.Buffer
	if err := offline.WriteKnowledge(&knowledge, knowledgeOf(s)); err != nil {
		return err
	}
	if err := counted("knowledge.json", knowledge.Bytes()); err != nil {
		return err
	}
	tokens := 0
	for _, c := range snapshot.Collections() {
		tokens += c.Tokens
	}
	m.Partial = most > 0 && tokens > most
	for _, c := range snapshot.Collections() {
		if m.Partial {
			break
		}
		about := manifestCollection{Name: c.Name, Path: url.PathEscape(c.Name) + "/"}
		err := offline.WriteCollection(c.Name, documentsOf(snapshot, c.Name), func(file string, body []byte) error {
			if file != offline.IndexName {
				about.Texts++
			}
			return counted(c.Name+"/"+file, body)
		})
		if err != nil {
			return err
		}
		m.Collections = append(m.Collections, about)
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return put(DataPrefix+"manifest.json", append(body, '\n'))
}

// knowledgeOf is what a site knows of its curated entries.
func knowledgeOf(s *site.Site) offline.Knowledge {
	snapshot := s.Snapshot()
	k := offline.Knowledge{Revision: snapshot.Revision(), GeneratedAt: snapshot.Time(), BaseURL: s.Base(), Entries: snapshot.Entries()}
	about := snapshot.Knowledge()
	for _, c := range snapshot.Collections() {
		if c.Knowledge {
			k.Collections = append(k.Collections, offline.Base{Name: c.Name, Version: about.Version, Revision: about.Revision})
		}
	}
	return k
}

// documentsOf are the documents of a collection, curated entries last.
func documentsOf(snapshot site.Snapshot, name string) iter.Seq2[offline.Document, error] {
	return func(yield func(offline.Document, error) bool) {
		for d := range snapshot.Documents(name) {
			sections, err := snapshot.Sections(d)
			if !yield(offline.Document{Path: d.Path, Title: d.Title, Sections: sections}, err) {
				return
			}
		}
		var curated []evergreen.Entry
		for _, e := range snapshot.Entries() {
			if e.Collection == name {
				curated = append(curated, e)
			}
		}
		if len(curated) > 0 {
			yield(offline.Document{Path: curated[0].DocPath, Sections: curated}, nil)
		}
	}
}
