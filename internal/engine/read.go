package engine

import (
	"context"
	"runtime/debug"
	"strings"

	"evergreen"
	"evergreen/internal/section"
	"evergreen/internal/site"
	"evergreen/internal/store"
)

// place is where a section lies.
type place struct {
	collection *collection
	segment    *segment
	doc        store.Doc
	row        int    // number of the section in the segment
	hint       string // how the id was understood, when not literally
	asked      string // the section's id, when it was asked for literally; doc has its Meta then
}

// full is the section's document with its Meta.
func (p place) full() store.Doc {
	if p.asked != "" {
		return p.doc
	}
	return p.segment.full(p.segment.RowDoc(p.row))
}

func (p place) id() string {
	if p.asked != "" {
		return p.asked
	}
	return idOf(p.collection.name(), p.segment.Segment, p.doc, p.row)
}

// Section returns the text of a section or curated entry, or the piece of it
// that begins at Offset and is at most MaxBytes long. Pieces end between blocks
// and never within a rune; a code block is only cut, at a line, when it alone
// is longer than MaxBytes.
func (e *Engine) Section(ctx context.Context, req evergreen.SectionRequest) (_ evergreen.SectionText, err error) {
	s, err := e.acquire()
	if err != nil {
		return evergreen.SectionText{}, err
	}
	defer e.release(s)
	defer e.settle(debug.SetPanicOnFault(true), "", &err)
	p, err := e.resolve(s, req.ID)
	if err != nil {
		return evergreen.SectionText{}, err
	}
	p.doc = p.full()
	if err := ctx.Err(); err != nil {
		return evergreen.SectionText{}, err
	}
	r := p.segment.Row(p.row)
	text, err := p.segment.RowText(p.doc, p.row, r.Start)
	if err != nil {
		return evergreen.SectionText{}, err
	}
	out := e.describeSection(p, r, len(text))
	if req.Verify {
		ok := hashOf(text) == r.Hash
		out.Verified = &ok
	}
	if req.Context {
		out.Context = surroundings(p, r)
	}
	if e.guard != nil {
		out.Warnings = e.warnings(out.ID, string(text))
	}
	if err := cutText(&out, text, p.doc, req); err != nil {
		return evergreen.SectionText{}, err
	}
	return out, nil
}

func (e *Engine) describeSection(p place, r store.Row, total int) evergreen.SectionText {
	id := p.id()
	out := evergreen.SectionText{
		ID: id, Title: r.Title, Level: r.Level, Collection: p.collection.name(), DocPath: filePath(p.doc),
		URL: p.doc.Meta.URL, FetchedAt: p.doc.Meta.FetchedAt, TotalBytes: total,
		ContentHash: section.HashString(r.Hash), Tokens: r.Tokens, Hint: p.hint,
		Marker: markerText(p.collection.name(), id),
	}
	if u := site.Below(e.opts.Origin, out.URL); u != nil {
		out.URL = strings.TrimSuffix(e.opts.BaseURL, "/") + u.String()
	}
	if r.Parent >= 0 {
		out.ParentID = idOf(p.collection.name(), p.segment.Segment, p.doc, p.doc.First+r.Parent)
	}
	if p.doc.Flags&store.FlagEntry != 0 {
		out.Marker = id
	}
	if p.doc.Source < len(p.collection.manifest.Sources) {
		out.Source = e.location(p.collection.manifest.Sources[p.doc.Source].Location)
	}
	return out
}

// cutText puts the asked piece of text into out.
func cutText(out *evergreen.SectionText, text []byte, d store.Doc, req evergreen.SectionRequest) error {
	if req.Offset < 0 || req.Offset > len(text) {
		return evergreen.Errorf(evergreen.Invalid, "offset %d lies outside the section's %d bytes", req.Offset, len(text)).
			Fix("Pass next_offset of the previous piece, or 0.")
	}
	start := req.Offset
	for start > 0 && start < len(text) && text[start]&0xC0 == 0x80 {
		start-- // within a rune: begin with all of it
	}
	rest := text[start:]
	end := len(rest)
	if req.MaxBytes > 0 && end > req.MaxBytes {
		bounds := section.FindBoundaries(text, d.Flags&store.FlagPlain != 0).After(start)
		end = section.Cut(rest, bounds, req.MaxBytes)
	}
	out.Markdown = string(rest[:end])
	if start+end < len(text) {
		out.Truncated = true
		out.NextOffset = start + end
	}
	return nil
}

// surroundings names what stands around a section.
func surroundings(p place, r store.Row) *evergreen.SectionContext {
	c := &evergreen.SectionContext{Ancestors: []evergreen.SectionRef{}, Children: []evergreen.SectionRef{}}
	ref := func(i int) evergreen.SectionRef {
		row := p.segment.Row(p.doc.First + i)
		return evergreen.SectionRef{
			ID:    idOf(p.collection.name(), p.segment.Segment, p.doc, p.doc.First+i),
			Title: row.Title, Tokens: row.Tokens,
		}
	}
	here := p.row - p.doc.First
	for a := r.Parent; a >= 0 && a < here; {
		c.Ancestors = append([]evergreen.SectionRef{ref(a)}, c.Ancestors...)
		next := p.segment.Row(p.doc.First + a).Parent
		if next >= a {
			break
		}
		a = next
	}
	for i := here + 1; i < p.doc.Sections; i++ {
		if p.segment.Row(p.doc.First+i).Parent == here {
			c.Children = append(c.Children, ref(i))
		}
	}
	if here > 0 {
		previous := ref(here - 1)
		c.Previous = &previous
	}
	if here+1 < p.doc.Sections {
		next := ref(here + 1)
		c.Next = &next
	}
	return c
}

// Entry returns a curated entry or a section as an entry, by any form of its
// id, with a hint when the id was not understood literally.
func (e *Engine) Entry(ctx context.Context, id string) (_ evergreen.Entry, _ string, err error) {
	s, err := e.acquire()
	if err != nil {
		return evergreen.Entry{}, "", err
	}
	defer e.release(s)
	defer e.settle(debug.SetPanicOnFault(true), "", &err)
	p, err := e.resolve(s, id)
	if err != nil {
		return evergreen.Entry{}, "", err
	}
	entry := entryOf(p.collection.name(), p.segment, p.full(), p.row, e.opts.Origin)
	if err := loadBody(p.segment, p.doc, p.row, &entry); err != nil {
		return evergreen.Entry{}, "", err
	}
	return entry, p.hint, ctx.Err()
}

// Document returns a document with its sections and its whole stored text.
func (e *Engine) Document(ctx context.Context, name, docPath string) (_ evergreen.Document, _ []byte, err error) {
	s, err := e.acquire()
	if err != nil {
		return evergreen.Document{}, nil, err
	}
	defer e.release(s)
	defer e.settle(debug.SetPanicOnFault(true), name, &err)
	c, err := s.collection(name)
	if err != nil {
		return evergreen.Document{}, nil, err
	}
	seg, d, err := e.findDoc(c, docPath)
	if err != nil {
		return evergreen.Document{}, nil, err
	}
	text, err := seg.DocText(d)
	if err != nil {
		return evergreen.Document{}, nil, err
	}
	return evergreen.Document{
		Collection: name, Path: d.Path, Title: d.Title, Meta: d.Meta, Bytes: len(text), HeadBytes: d.HeadBytes,
		Tokens: d.Tokens, Sections: sectionsOf(c.name(), seg, d, 0, d.Sections, 0, true),
	}, text, ctx.Err()
}

// sectionsOf lists a document's sections from number from up to number to, down to
// the given level, 0 for all. Without keywords those are nil.
func sectionsOf(collection string, seg *segment, d store.Doc, from, to, depth int, keywords bool) []evergreen.Section {
	out := []evergreen.Section{}
	ids := make([]string, min(to, d.Sections))
	for i := range ids {
		r := seg.Row(d.First + i)
		ids[i] = idOf(collection, seg.Segment, d, d.First+i)
		if i < from || depth > 0 && r.Level > depth {
			continue
		}
		s := evergreen.Section{
			ID: ids[i], Title: r.Title, Level: r.Level, ByteStart: r.Start, ByteEnd: r.End, Tokens: r.Tokens,
			ContentHash: section.HashString(r.Hash),
		}
		if keywords {
			s.Keywords = seg.index.Keywords(uint32(d.First + i))
		}
		if r.Parent >= 0 && r.Parent < i {
			s.ParentID = ids[r.Parent]
		}
		out = append(out, s)
	}
	return out
}
