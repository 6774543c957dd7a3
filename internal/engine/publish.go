package engine

import (
	"cmp"
	"iter"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/site"
	"evergreen/internal/store"
)

// Published is what the library publishes, as one snapshot: what site makes the
// layers from. Close gives the snapshot up.
type Published struct {
	engine *Engine
	snap   *snapshot
}

var _ site.Snapshot = (*Published)(nil)

// Publish takes a snapshot for a site.
func (e *Engine) Publish() (*Published, error) {
	s, err := e.acquire()
	if err != nil {
		return nil, err
	}
	return &Published{e, s}, nil
}

// Close gives the snapshot up; nothing may be asked of it afterwards.
func (p *Published) Close() { p.engine.release(p.snap) }

// Revision identifies the state.
func (p *Published) Revision() string { return p.snap.revision }

// Time is when the newest collection was indexed.
func (p *Published) Time() time.Time { return p.snap.at.UTC() }

// Collections lists what is published, by name.
func (p *Published) Collections() []evergreen.Collection {
	var out []evergreen.Collection
	for _, c := range p.snap.collections {
		out = append(out, p.engine.describe(c))
	}
	return out
}

// Documents yields a collection's documents, those where a reader starts first,
// then in order of path. Drafts and curated entries are left out. When they can no
// longer be read the error is a panic.
func (p *Published) Documents(name string) iter.Seq[site.Document] {
	return func(yield func(site.Document) bool) {
		c, ok := p.snap.byName[name]
		if !ok {
			return
		}
		for _, d := range whole(p.engine, name, func() []publishedDoc { return publishedDocs(c) }) {
			full := whole(p.engine, name, func() store.Doc { return d.segment.FullDoc(d.number) })
			if !yield(site.Document{
				Document: evergreen.Document{
					Collection: name, Path: full.Path, Title: full.Title, Meta: full.Meta, Bytes: full.TextBytes,
					HeadBytes: full.HeadBytes, Tokens: full.Tokens,
				},
				Plain: full.Flags&store.FlagPlain != 0,
			}) {
				return
			}
		}
	}
}

// publishedDoc is where a document lies.
type publishedDoc struct {
	path    string
	segment *segment
	number  int
}

// publishedDocs are a collection's documents in navigation order. They are listed
// anew each time: sites are made rarely, and the list would weigh more than all
// else that a library holds in memory.
func publishedDocs(c *collection) []publishedDoc {
	var docs []publishedDoc
	for _, p := range c.parts {
		for n := range p.Docs() {
			if !p.dead[n] && p.DocFlags(n)&(store.FlagEntry|store.FlagDraft) == 0 {
				docs = append(docs, publishedDoc{p.DocPath(n), p.segment, n})
			}
		}
	}
	slices.SortStableFunc(docs, func(a, b publishedDoc) int {
		return cmp.Or(homeRank(a.path)-homeRank(b.path), strings.Compare(a.path, b.path))
	})
	return docs
}

func homeRank(docPath string) int {
	if isHome(docPath) {
		return 0
	}
	return 1
}

// Text returns a document's stored text.
func (p *Published) Text(d site.Document) (_ []byte, err error) {
	defer p.engine.settle(debug.SetPanicOnFault(true), d.Collection, &err)
	seg, doc, err := p.find(d)
	if err != nil {
		return nil, err
	}
	return seg.DocText(doc)
}

// Sections returns a document's sections as entries.
func (p *Published) Sections(d site.Document) (_ []evergreen.Entry, err error) {
	defer p.engine.settle(debug.SetPanicOnFault(true), d.Collection, &err)
	seg, doc, err := p.find(d)
	if err != nil {
		return nil, err
	}
	out := make([]evergreen.Entry, 0, doc.Sections)
	for i := doc.First; i < doc.First+doc.Sections; i++ {
		entry := entryOf(d.Collection, seg, doc, i, p.engine.opts.Origin)
		if err := loadBody(seg, doc, i, &entry); err != nil {
			return nil, err
		}
		out = append(out, entry)
	}
	return out, nil
}

func (p *Published) find(d site.Document) (*segment, store.Doc, error) {
	c, err := p.snap.collection(d.Collection)
	if err != nil {
		return nil, store.Doc{}, err
	}
	return p.engine.findDoc(c, d.Path)
}

// Entries returns the curated entries, by collection and id.
func (p *Published) Entries() []evergreen.Entry {
	out := slices.Clone(whole(p.engine, "", p.snap.entries))
	slices.SortStableFunc(out, func(a, b evergreen.Entry) int {
		if c := strings.Compare(a.Collection, b.Collection); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// Knowledge returns what the knowledge bases say of themselves, the first one's
// version and revision.
func (p *Published) Knowledge() site.Knowledge {
	var out site.Knowledge
	for _, c := range p.snap.collections {
		k := c.manifest.Knowledge
		if k == nil {
			continue
		}
		if out.Version == "" {
			out.Version, out.Revision = k.Version, k.Revision
		}
		for _, category := range k.Categories {
			if !slices.ContainsFunc(out.Categories, func(c site.Category) bool { return c.ID == category.ID }) {
				out.Categories = append(out.Categories, site.Category{ID: category.ID, Label: category.Label, Description: category.Description})
			}
		}
	}
	return out
}
