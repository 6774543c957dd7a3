package site

// This file writes context.json: all entries in one file, or an index of parts
// when they are too many.

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"evergreen"
)

const contextPartPath = "/context/%d.json"

//go:embed context.schema.json
var contextSchema []byte

func writeContextSchema(w io.Writer) error { return writeAll(w, contextSchema) }

// contextHead is what a context.json says of itself.
type contextHead struct {
	Schema     string      `json:"$schema"`
	Version    string      `json:"version"`
	Revision   string      `json:"revision"`
	License    string      `json:"license"`
	Site       contextSite `json:"site"`
	Categories []Category  `json:"categories"`
}

type contextSite struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	URL         string        `json:"canonicalUrl"`
	Languages   []string      `json:"languages"`
	RateLimit   *contextLimit `json:"rateLimit,omitempty"`
}

type contextLimit struct {
	PerMinute int `json:"requestsPerMinute"`
	Burst     int `json:"burst"`
}

// contextEntry is an entry as it is published.
type contextEntry struct {
	ID         string   `json:"id"`
	Category   string   `json:"category"`
	Title      string   `json:"title"`
	Summary    string   `json:"summary"`
	Body       string   `json:"body"`
	Tags       []string `json:"tags"`
	Confidence float64  `json:"confidence"`
	Tokens     int      `json:"tokens"`
	Updated    string   `json:"updated,omitempty"`
	Collection string   `json:"collection,omitempty"`
	DocPath    string   `json:"doc_path,omitempty"`
	URL        string   `json:"url"`
}

// contextPart is one file of entries.
type contextPart struct {
	walk   entryWalk
	page   int // number of the page that its first entry is of
	skip   int // entries of that page which stand in the part before
	count  int
	tokens int
}

// entryWalk calls do with entries in order, beginning with those of a page by
// its number; curated entries count as the home page's.
type entryWalk func(page int, do func(page int, e evergreen.Entry) error) error

func (s *Site) contextHead() contextHead {
	k := s.snap.Knowledge()
	h := contextHead{
		Schema: s.url("/schema/context.json"), Version: k.Version, Revision: k.Revision,
		License: s.in.Policy.LicenceID(), Categories: list(k.Categories),
		Site: contextSite{Name: s.o.Name, Description: s.o.Summary, URL: s.url("/"), Languages: s.o.Languages},
	}
	if h.Version == "" {
		h.Version = s.snap.Revision()
	}
	if h.Revision == "" || s.documentCollections() > 0 {
		h.Revision = s.snap.Revision()
	}
	if h.License == "" {
		h.License = "unspecified"
	}
	if r := s.in.Policy.Rate; r.PerMinute > 0 {
		h.Site.RateLimit = &contextLimit{r.PerMinute, r.Burst}
	}
	return h
}

// eachEntry walks all entries: curated ones, then the sections of every
// document.
func (s *Site) eachEntry(from int, do func(int, evergreen.Entry) error) error {
	if from == 0 {
		for _, e := range s.snap.Entries() {
			if err := do(0, s.curated(e)); err != nil {
				return err
			}
		}
	}
	for i := from; i < len(s.pages.list); i++ {
		p := &s.pages.list[i]
		if p.Kind != KindDocument {
			continue
		}
		sections, err := s.snap.Sections(p.document())
		if err != nil {
			return fmt.Errorf("sections of %s: %w", p.DocPath, err)
		}
		for _, e := range sections {
			e.URL = s.url(p.Path)
			if e.Anchor != "" {
				e.URL += "#" + escapePath(e.Anchor)
			}
			if e.Updated == "" {
				e.Updated = p.updated
			}
			if err := do(i, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// curated gives a curated entry its address.
func (s *Site) curated(e evergreen.Entry) evergreen.Entry {
	if e.URL == "" || strings.HasPrefix(e.URL, "/context.json#") {
		e.URL = s.url("/context.json") + "#" + escapePath(e.ID)
	}
	return e
}

// eachDocumentEntry walks the documents as entries without bodies: what a
// reader chooses by before it loads parts.
func (s *Site) eachDocumentEntry(from int, do func(int, evergreen.Entry) error) error {
	for i := from; i < len(s.pages.list); i++ {
		p := &s.pages.list[i]
		if p.Kind != KindDocument {
			continue
		}
		confidence := p.Meta.Confidence
		if confidence <= 0 {
			confidence = 1
		}
		err := do(i, evergreen.Entry{ID: p.Collection + "::" + p.DocPath, Category: p.Meta.Category, Title: p.Title,
			Summary: s.sentence(p), Tags: p.Meta.Tags, Confidence: confidence, Tokens: p.Tokens, Updated: p.updated,
			Collection: p.Collection, DocPath: p.DocPath, URL: s.url(p.Path)})
		if err != nil {
			return err
		}
	}
	return nil
}

func entryLine(e evergreen.Entry) ([]byte, error) {
	if e.Category == "" {
		e.Category = "doc"
	}
	line, err := encode(contextEntry{e.ID, e.Category, e.Title, e.Summary, e.Body, list(e.Tags), e.Confidence,
		e.Tokens, e.Updated, e.Collection, e.DocPath, e.URL}, "")
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// planContext measures the entries and lays them out in files of at most
// maxContextBytes; one entry is never cut. One file that holds all is no part.
func (s *Site) planContext() ([]contextPart, error) {
	parts, err := layOut(s.eachEntry)
	if err != nil || len(parts) <= 1 {
		return nil, err
	}
	documents, err := layOut(s.eachDocumentEntry)
	return append(documents, parts...), err
}

// layOut cuts a walk into files.
func layOut(walk entryWalk) (parts []contextPart, err error) {
	size, page, inPage := 0, -1, 0
	err = walk(0, func(at int, e evergreen.Entry) error {
		line, err := entryLine(e)
		if err != nil {
			return err
		}
		if at != page {
			page, inPage = at, 0
		}
		cost := len(line) + len("    ,\n")
		if len(parts) == 0 || size+cost > maxContextBytes-contextFrame {
			parts = append(parts, contextPart{walk: walk, page: page, skip: inPage})
			size = 0
		}
		last := &parts[len(parts)-1]
		last.count++
		last.tokens += e.Tokens
		size += cost
		inPage++
		return nil
	})
	return parts, err
}

// contextFrame is room for what stands around the entries of a file.
const contextFrame = 64 << 10

// writeContext writes all entries, or the index of parts with the curated ones.
func (s *Site) writeContext(w io.Writer) error {
	parts, err := s.contexts()
	if err != nil {
		return err
	}
	if parts == nil {
		return s.writeEntries(w, "", func(do func(int, evergreen.Entry) error) error { return s.eachEntry(0, do) })
	}
	var lines []string
	for i, part := range parts {
		lines = append(lines, fmt.Sprintf("    {\"url\": %q, \"entries\": %d, \"tokens\": %d}",
			s.url(fmt.Sprintf(contextPartPath, i+1)), part.count, part.tokens))
	}
	index := "  \"parts\": [\n" + strings.Join(lines, ",\n") + "\n  ],\n"
	return s.writeEntries(w, index, func(do func(int, evergreen.Entry) error) error {
		size := 0
		for _, e := range s.snap.Entries() {
			if size += len(e.Body); size > maxContextBytes/2 {
				return nil // a larger knowledge base stands in the parts
			}
			if err := do(0, s.curated(e)); err != nil {
				return err
			}
		}
		return nil
	})
}

// contextPart is the file of one part.
func (s *Site) contextPart(path string) (Resource, bool) {
	parts, err := s.contexts()
	if err != nil {
		return Resource{}, false
	}
	for i, part := range parts {
		if path == fmt.Sprintf(contextPartPath, i+1) {
			return Resource{Path: path, Type: typeJSON, Streamed: true, Modified: s.snap.Time().UTC(),
				write: func(w io.Writer) error { return s.writeEntries(w, "", part.each) }}, true
		}
	}
	return Resource{}, false
}

// each walks the entries of the part.
func (c contextPart) each(do func(int, evergreen.Entry) error) error {
	number := 0
	err := c.walk(c.page, func(page int, e evergreen.Entry) error {
		number++
		switch {
		case number <= c.skip:
			return nil
		case number > c.skip+c.count:
			return errPartEnd
		}
		return do(page, e)
	})
	if errors.Is(err, errPartEnd) {
		return nil
	}
	return err
}

// errPartEnd ends a walk behind the last entry of a part.
var errPartEnd = errors.New("end of part")

// writeEntries writes a context.json: the head, more members, and the entries
// of a walk, one a line.
func (s *Site) writeEntries(w io.Writer, more string, walk func(func(int, evergreen.Entry) error) error) error {
	head, err := encode(s.contextHead(), "  ")
	if err != nil {
		return err
	}
	head = bytes.TrimSuffix(head, []byte("\n}\n"))
	if err := writeAll(w, append(head, (",\n"+more+"  \"entries\": [")...)); err != nil {
		return err
	}
	separator := "\n    "
	err = walk(func(_ int, e evergreen.Entry) error {
		line, err := entryLine(e)
		if err != nil {
			return err
		}
		line = append([]byte(separator), line...)
		separator = ",\n    "
		return writeAll(w, line)
	})
	if err != nil {
		return err
	}
	end := "\n  ]\n}\n"
	if separator == "\n    " {
		end = "]\n}\n"
	}
	return writeAll(w, []byte(end))
}
