package site

// This file decides where every page stands: its URL, its mirrors, and the
// other paths that lead to it.

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"evergreen"
)

// Kinds of page.
const (
	KindHome       = "home"
	KindCollection = "collection"
	KindDocument   = "document"
)

// Page is one HTML page of the site and what is known about it.
type Page struct {
	Path       string // canonical, from the root, decoded
	Title      string
	Kind       string // one of the Kind constants
	Collection string // "" for the home page
	DocPath    string // of a document
	Meta       evergreen.Meta
	Tokens     int // of a document's text

	number           int // in the table
	bytes, headBytes int // of a document's stored text
	plain            bool
	markdown         bool   // it is Markdown where it stands: its own mirror
	updated          string // ISO date of the content's last change
	table            *pageTable
}

// Mirrors are the decoded paths of the page's Markdown twin, the one that links
// point at first.
func (p Page) Mirrors() []string { return append(p.ownMirrors(), p.folderMirrors()...) }

// ownMirrors are those that belong to the page's own address.
func (p *Page) ownMirrors() []string {
	if p.markdown {
		return []string{p.Path}
	}
	return mirrorPaths(p.Path)
}

// mirror is the path that links to the page's Markdown twin point at.
func (p *Page) mirror() string { return p.ownMirrors()[0] }

// document is what the snapshot knows the page's document by.
func (p *Page) document() Document {
	return Document{Plain: p.plain, Document: evergreen.Document{Collection: p.Collection, Path: p.DocPath, Title: p.Title,
		Meta: p.Meta, Bytes: p.bytes, HeadBytes: p.headBytes, Tokens: p.Tokens}}
}

// Updated is the ISO date of the content's last change, "" when not known.
func (p Page) Updated() string { return p.updated }

// pageTable holds every page of a snapshot. It is immutable.
type pageTable struct {
	list   []Page         // home, then by collection: its own page, its documents
	byPath map[string]int // canonical paths
	names  nameTable
	byURL  map[string]int // where the original stands

	changed   string          // ISO date of the newest content
	sentences func() []string // by number of page
}

const docsPrefix = "/docs/"

func newPageTable(snap Snapshot, o Options, base string) *pageTable {
	pages := 1
	for _, c := range snap.Collections() {
		pages += 1 + c.Documents
	}
	t := &pageTable{list: make([]Page, 0, pages), byPath: make(map[string]int, pages), names: newNameTable(), byURL: map[string]int{}}
	suffix := ""
	if o.Origin != "" {
		suffix = titleSuffix(snap, o.Origin)
	}
	t.add(Page{Path: "/", Title: o.Name, Kind: KindHome, updated: day(snap.Time())})
	for _, c := range snap.Collections() {
		own, newest := -1, ""
		if o.Layout == LayoutDocs { // a site that others build keeps its own pages
			own = t.add(Page{Path: docsPrefix + c.Name, Title: collectionTitle(c, o), Kind: KindCollection, Collection: c.Name,
				updated: day(c.IndexedAt)})
		}
		for d := range snap.Documents(c.Name) {
			if d.Meta.Draft {
				continue
			}
			p := Page{Title: strings.TrimSuffix(titleOf(d), suffix), Kind: KindDocument, Collection: c.Name, DocPath: d.Path, Meta: d.Meta,
				Tokens: d.Tokens, bytes: d.Bytes, headBytes: d.HeadBytes, plain: d.Plain, updated: updatedOf(d.Meta)}
			if p.Path = pagePath(c.Name, d, o, base); p.Path == "" {
				continue
			}
			p.Path = t.free(p.Path)
			p.markdown = o.Layout == LayoutOrigin && path.Ext(p.Path) == ".md"
			newest = max(newest, p.updated)
			t.add(p)
		}
		for _, e := range snap.Entries() {
			if e.Collection == c.Name {
				newest = max(newest, e.Updated)
			}
		}
		if own >= 0 && newest != "" {
			t.list[own].updated = newest
		}
		t.changed = max(t.changed, newest)
	}
	if newest := t.changed; newest != "" {
		t.list[0].updated = newest
	}
	t.link()
	t.sentences = sync.OnceValue(func() []string { return documentSentences(snap, t.list) })
	return t
}

// add appends a page. A document that stands at a collection's or the site's
// own address takes the place of the page that would only list it.
func (t *pageTable) add(p Page) int {
	if i, taken := t.byPath[p.Path]; taken {
		if p.updated == "" {
			p.updated = t.list[i].updated
		}
		t.list[i] = p
		return i
	}
	t.byPath[p.Path] = len(t.list)
	t.list = append(t.list, p)
	return len(t.list) - 1
}

// free is the path itself, or the first of path~2, path~3 ... that no document
// has yet: guide.md and guide.html are two pages.
func (t *pageTable) free(want string) string {
	at := want
	for n := 2; ; n++ {
		i, taken := t.byPath[at]
		if !taken || t.list[i].Kind != KindDocument {
			return at
		}
		at = want + "~" + strconv.Itoa(n)
	}
}

// link fills the tables of names. The first page keeps a name.
func (t *pageTable) link() {
	for i := range t.list {
		p := &t.list[i]
		p.number, p.table = i, t
		if p.Meta.URL != "" {
			if key := plainURL(p.Meta.URL); !has(t.byURL, key) {
				t.byURL[key] = i
			}
		}
		if p.Kind == KindDocument {
			t.names.add(p)
		}
	}
}

func withoutExt(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// PageAt finds the page at a decoded path. canonical is false when the page is
// shown there, but has its own address elsewhere.
func (s *Site) PageAt(path string) (p Page, canonical, ok bool) {
	if i, ok := s.pages.byPath[path]; ok {
		if s.pages.list[i].Kind == KindCollection {
			if j, ok := s.pages.alias(path); ok {
				return s.pages.list[j], false, true // a folder shows its index document
			}
		}
		return s.pages.list[i], true, true
	}
	if i, ok := s.pages.alias(path); ok {
		return s.pages.list[i], false, true
	}
	return Page{}, false, false
}

// Moved finds the path that a request for another form of a page's path is sent
// to with a 301: the one without .html or final slash.
func (s *Site) Moved(path string) (string, bool) {
	if _, _, here := s.PageAt(path); here {
		return "", false
	}
	for _, end := range []string{".html", "/"} {
		bare, cut := strings.CutSuffix(path, end)
		if p, _, ok := s.PageAt(bare); cut && ok {
			return p.Path, true
		}
	}
	return "", false
}

// Pages lists every page that has an address of its own, the home page first.
func (s *Site) Pages() []Page {
	var pages []Page
	for i, p := range s.pages.list {
		if s.pages.shown(i) {
			pages = append(pages, p)
		}
	}
	return pages
}

// shown is false for the own page of a collection whose index document stands
// in for it.
func (t *pageTable) shown(i int) bool {
	p := &t.list[i]
	if p.Kind != KindCollection {
		return true
	}
	_, replaced := t.alias(p.Path)
	return !replaced
}

// mirrorOf finds the page whose Markdown twin a path is.
func (t *pageTable) mirrorOf(path string) *Page {
	if p := t.ownMirror(path); p != nil {
		return p
	}
	if i, ok := t.folderMirror(path); ok {
		return &t.list[i]
	}
	return nil
}

// ownMirror finds the page that has a path among the mirrors of its own
// address. A collection's own page has none while an index document stands in
// for it.
func (t *pageTable) ownMirror(mirror string) *Page {
	bare, ok := strings.CutSuffix(mirror, ".md")
	if !ok {
		return nil
	}
	names := []string{mirror, bare, bare + ".html", bare + ".htm", strings.TrimSuffix(bare, ".html")}
	if name := path.Base(bare); name == "index" || name == "index.html" {
		names = append(names, strings.TrimSuffix(bare, name))
	}
	for _, name := range names {
		i, ok := t.byPath[name]
		if ok && t.shown(i) && slices.Contains(t.list[i].ownMirrors(), mirror) {
			return &t.list[i]
		}
	}
	return nil
}
