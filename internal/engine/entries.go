package engine

import (
	"strings"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/section"
	"evergreen/internal/store"
)

// loadEntries reads all curated entries of the snapshot.
func (s *snapshot) loadEntries() []evergreen.Entry {
	var out []evergreen.Entry
	for _, c := range s.collections {
		for _, p := range c.parts {
			if p.info.Entries == 0 {
				continue
			}
			for n := range p.Docs() {
				if p.dead[n] || p.DocFlags(n)&store.FlagEntry == 0 {
					continue
				}
				d := p.FullDoc(n)
				entry := entryOf(c.name(), p.segment, d, d.First, "")
				if loadBody(p.segment, d, d.First, &entry) == nil {
					out = append(out, entry)
				}
			}
		}
	}
	return out
}

// entries returns the curated entries in scope, noting their places by id.
func (sc *scope) entries(at map[string]index.Ref) []evergreen.Entry {
	allowed := map[string]bool{}
	for v, p := range sc.parts {
		for n := range p.Docs() {
			if p.dead[n] || p.DocFlags(n)&store.FlagEntry == 0 {
				continue
			}
			d := p.Doc(n)
			ref := index.Ref{View: v, Section: uint32(d.First)}
			if d.Sections > 0 && sc.passes(ref) {
				at[entryID(d.Path)] = ref
				allowed[p.collection.name()+"\x00"+entryID(d.Path)] = true
			}
		}
	}
	var out []evergreen.Entry
	for _, entry := range sc.snap.entries() {
		if allowed[entry.Collection+"\x00"+entry.ID] {
			out = append(out, entry)
		}
	}
	return out
}

// entryOf describes section i as an entry, without its body and summary when
// those would have to be read. origin is that of Options.
func entryOf(collection string, s *segment, d store.Doc, i int, origin string) evergreen.Entry {
	r := s.Row(i)
	entry := evergreen.Entry{
		ID: idOf(collection, s.Segment, d, i), Category: categoryOf(d), Title: r.Title, Tags: d.Meta.Tags,
		Confidence: d.Meta.Confidence, Tokens: r.Tokens, Updated: d.Meta.Updated,
		Collection: collection, DocPath: filePath(d),
	}
	if entry.Confidence <= 0 || entry.Confidence > 1 {
		entry.Confidence = 1
	}
	if entry.Tags == nil {
		entry.Tags = []string{}
	}
	if d.Flags&store.FlagEntry != 0 {
		entry.Curated = true
		entry.Summary = d.Meta.Description
		entry.URL = "/context.json#" + entry.ID
		return entry
	}
	entry.Anchor = r.Anchor
	if d.Title != r.Title {
		entry.DocTitle = d.Title
	}
	entry.URL = pageURL(collection, d.Path, d.Meta.URL, origin)
	if r.Parent < 0 && d.Meta.Description != "" {
		entry.Summary = shorten(d.Meta.Description)
	}
	return entry
}

// loadBody completes an entry.
func loadBody(s *segment, d store.Doc, i int, entry *evergreen.Entry) error {
	r := s.Row(i)
	b, err := s.RowText(d, i, r.BodyStart)
	if err != nil {
		return err
	}
	entry.Body = string(b)
	if !entry.Curated {
		entry.Body = section.Body(b, section.Row{End: len(b)})
	}
	if entry.Summary == "" {
		entry.Summary = firstParagraph(entry.Body)
	}
	return nil
}

// firstParagraph returns the first lines of prose of a Markdown text.
func firstParagraph(body string) string {
	var lines []string
	fence := ""
	for line := range strings.Lines(body) {
		t := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(t, fence) {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fence = t[:3]
		}
		prose := t != "" && fence == "" && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "|") &&
			!strings.HasPrefix(t, "<") && !strings.HasPrefix(t, "{{") && !strings.HasPrefix(t, ":::")
		switch {
		case prose:
			lines = append(lines, strings.TrimLeft(t, "> "))
		case len(lines) > 0:
			return shorten(strings.Join(lines, " "))
		}
	}
	return shorten(strings.Join(lines, " "))
}

// shorten cuts a summary at a word.
func shorten(s string) string {
	runes := []rune(s)
	if len(runes) <= summaryRunes {
		return s
	}
	cut := string(runes[:summaryRunes-1])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return cut + "…"
}
