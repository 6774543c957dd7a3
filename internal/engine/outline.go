package engine

import (
	"context"
	"runtime/debug"
	"slices"
	"sort"

	"evergreen"
	"evergreen/internal/store"
)

// Outline lists documents and sections of a collection, a page at a time, in
// order of path. A page holds at most Limit sections; a document without
// sections counts as one.
func (e *Engine) Outline(ctx context.Context, req evergreen.OutlineRequest) (_ evergreen.Outline, err error) {
	s, err := e.acquire()
	if err != nil {
		return evergreen.Outline{}, err
	}
	defer e.release(s)
	defer e.settle(debug.SetPanicOnFault(true), req.Collection, &err)
	c, err := s.collection(req.Collection)
	if err != nil {
		return evergreen.Outline{}, err
	}
	start, err := readCursor(req.Cursor, s.revision)
	if err != nil {
		return evergreen.Outline{}, err
	}
	docs, err := e.outlineDocs(c, req.DocPath)
	if err != nil {
		return evergreen.Outline{}, err
	}
	out := evergreen.Outline{Collection: c.name(), Documents: []evergreen.OutlineDocument{}, Total: len(docs), Warnings: c.lost()}
	limit := req.Limit
	if limit == 0 {
		limit = defaultOutline
	}
	at := 0 // sections passed so far, counting all depths
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		size := max(d.doc.Sections, 1)
		if at+size <= start {
			at += size
			continue
		}
		if limit > 0 && at-start >= limit {
			out.NextCursor = writeCursor(at, s.revision)
			break
		}
		from := max(start-at, 0)
		to := size
		if limit > 0 {
			to = min(size, start+limit-at)
		}
		out.Documents = append(out.Documents, outlineDocument(c, d, from, to, req))
		if to < size {
			out.NextCursor = writeCursor(at+to, s.revision)
			break
		}
		at += size
	}
	return out, nil
}

// liveDoc is a live document of a collection.
type liveDoc struct {
	segment *segment
	doc     store.Doc
}

func (e *Engine) outlineDocs(c *collection, docPath string) ([]liveDoc, error) {
	if docPath != "" {
		seg, d, err := e.findDoc(c, docPath)
		if err != nil {
			return nil, err
		}
		return []liveDoc{{seg, d}}, nil
	}
	return c.docs(e.opts.Drafts), nil
}

// docs lists the live documents in order of path.
func (c *collection) docs(drafts bool) []liveDoc {
	all := c.ordered()
	if drafts {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(d liveDoc) bool { return d.doc.Flags&store.FlagDraft != 0 })
}

// orderDocs is what collection.ordered remembers.
func (c *collection) orderDocs() []liveDoc {
	var out []liveDoc
	for _, p := range c.parts {
		for n := range p.Docs() {
			if !p.dead[n] {
				out = append(out, liveDoc{p.segment, p.Doc(n)})
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].doc.Path < out[j].doc.Path })
	return out
}

func outlineDocument(c *collection, d liveDoc, from, to int, req evergreen.OutlineRequest) evergreen.OutlineDocument {
	return evergreen.OutlineDocument{
		Path: filePath(d.doc), Title: d.doc.Title, HeadBytes: d.doc.HeadBytes,
		Sections: sectionsOf(c.name(), d.segment, d.doc, from, to, req.Depth, !req.NoKeywords),
	}
}
