// Package offline writes what a browser needs to answer without a server: the
// knowledge base with its rules and prompt packs, and for each collection a
// compact index with the texts of its sections. The code that reads them is
// internal/ui/assets: evergreen.mjs and offline.mjs. Nothing here ranks, serves
// or decides what is published; whoever exports hands in what may be seen.
package offline

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/kb"
)

// Knowledge is what evergreen.mjs answers from.
type Knowledge struct {
	Revision    string    // of the snapshot
	GeneratedAt time.Time // the snapshot's
	BaseURL     string    // put before citation URLs; "" leaves them site-absolute
	Collections []Base    // those that hold curated entries only
	Categories  []string  // known ones; nil means those of the entries
	Entries     []evergreen.Entry
}

// Base is a collection of curated entries, and what its file says of itself.
type Base struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Revision string `json:"revision"`
}

type knowledgeFile struct {
	Revision    string                       `json:"revision"`
	GeneratedAt string                       `json:"generatedAt"`
	BaseURL     string                       `json:"baseUrl"`
	Collections []Base                       `json:"collections"`
	Categories  []string                     `json:"categories"`
	Entries     []evergreen.Entry            `json:"entries"`
	Rules       map[string][]string          `json:"rules"` // by language
	Packs       map[string]map[string]string `json:"packs"` // by language and scenario
}

// WriteKnowledge writes k as JSON with the rules and prompt packs of both
// languages, collections and categories in order of name, entries in the order
// that the server would keep: by collection, then by id.
func WriteKnowledge(w io.Writer, k Knowledge) error {
	f := knowledgeFile{
		Revision: k.Revision, GeneratedAt: k.GeneratedAt.UTC().Format(time.RFC3339), BaseURL: k.BaseURL,
		Collections: append([]Base{}, k.Collections...), Categories: append([]string{}, k.Categories...),
		Entries: append([]evergreen.Entry{}, k.Entries...),
		Rules:   map[string][]string{}, Packs: map[string]map[string]string{},
	}
	slices.SortFunc(f.Collections, func(a, b Base) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(f.Entries, func(a, b evergreen.Entry) int {
		if c := strings.Compare(a.Collection, b.Collection); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	for i := range f.Entries {
		if f.Entries[i].Tags == nil {
			f.Entries[i].Tags = []string{}
		}
		f.Categories = append(f.Categories, f.Entries[i].Category)
	}
	slices.Sort(f.Categories)
	f.Categories = slices.Compact(f.Categories)
	for _, lang := range []string{evergreen.LangEnglish, evergreen.LangChinese} {
		f.Rules[lang] = kb.Rules(lang)
		f.Packs[lang] = map[string]string{}
		for _, scenario := range kb.Scenarios(lang) {
			text, err := kb.Pack(scenario.Name, lang)
			if err != nil {
				return err
			}
			f.Packs[lang][scenario.Name] = text
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(f)
}
