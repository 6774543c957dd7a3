package site

// This file finds documents by the names that others call them by: the path in
// their collection, the folder that an index document stands for, and the
// mirrors of such folders. What follows from a path is worked out when it is
// asked for, since large sites have tens of thousands of them.

import (
	"path"
	"slices"
	"strings"
)

// nameTable holds the names of documents by number of page.
type nameTable struct {
	// byDoc is by collection, then by path without extension, or the whole path
	// where two share one.
	byDoc map[string]map[string]int
	// odd are index documents with names of unusual case, such as README, by
	// collection and folder, and by the folder of the page's path.
	odd, oddPaths map[string]int
}

func newNameTable() nameTable {
	return nameTable{byDoc: map[string]map[string]int{}, odd: map[string]int{}, oddPaths: map[string]int{}}
}

func has[V any](m map[string]V, key string) bool {
	_, ok := m[key]
	return ok
}

// add takes a document's names; those that are taken stay whose they are.
func (t nameTable) add(p *Page) {
	docs := t.byDoc[p.Collection]
	if docs == nil {
		docs = map[string]int{}
		t.byDoc[p.Collection] = docs
	}
	name := withoutExt(p.DocPath)
	if has(docs, name) {
		name = p.DocPath
	}
	if !has(docs, name) {
		docs[name] = p.number
	}
	base := path.Base(withoutExt(p.DocPath))
	if index := indexName(base); index != "" && index != base {
		for m, key := range map[*map[string]int]string{
			&t.odd:      p.Collection + "\x00" + folderOf(p.DocPath) + "\x00" + index,
			&t.oddPaths: path.Dir(p.Path) + "\x00" + index,
		} {
			if !has(*m, key) {
				(*m)[key] = p.number
			}
		}
	}
}

// indexNames are the names of documents that stand for their folder, the
// strongest first.
func indexNames() [3]string { return [3]string{"index", "_index", "readme"} }

// indexName is the one of them that a name is, whatever its case; "" for none.
func indexName(base string) string {
	for _, name := range indexNames() {
		if strings.EqualFold(base, name) {
			return name
		}
	}
	return ""
}

func folderOf(docPath string) string { return strings.TrimPrefix(path.Dir(docPath), ".") }

// doc finds a document by its path in a collection, with or without extension,
// or by the folder that it stands for.
func (t *pageTable) doc(collection, name string) (int, bool) {
	docs := t.names.byDoc[collection]
	if i, ok := docs[name]; ok {
		return i, true
	}
	var room [maxKeyRoom]byte
	folder := append(room[:0], name...)
	if name != "" {
		folder = append(folder, '/')
	}
	for _, index := range indexNames() {
		if i, ok := docs[string(append(folder, index...))]; ok {
			return i, true
		}
		if len(t.names.odd) > 0 {
			if i, ok := t.names.odd[collection+"\x00"+name+"\x00"+index]; ok {
				return i, true
			}
		}
	}
	return 0, false
}

// alias finds the index document that is shown at a folder's address, with or
// without a final slash.
func (t *pageTable) alias(at string) (int, bool) {
	at = strings.TrimSuffix(at, "/")
	if !strings.HasPrefix(at, docsPrefix) || strings.HasSuffix(at, "/") {
		return 0, false
	}
	var room [maxKeyRoom]byte
	folder := append(append(room[:0], at...), '/')
	for _, index := range indexNames() {
		if i, ok := t.byPath[string(append(folder, index...))]; ok && t.list[i].Kind == KindDocument {
			return i, true
		}
		if len(t.names.oddPaths) > 0 {
			if i, ok := t.names.oddPaths[at+"\x00"+index]; ok {
				return i, true
			}
		}
	}
	return 0, false
}

// folderMirror finds the index document whose folder has a mirror of that name.
func (t *pageTable) folderMirror(mirror string) (int, bool) {
	bare, ok := strings.CutSuffix(mirror, ".md")
	if !ok || !strings.HasPrefix(mirror, docsPrefix) {
		return 0, false
	}
	folders := []string{strings.TrimSuffix(bare, ".html"), bare}
	if name := path.Base(bare); name == "index" || name == "index.html" {
		folders = append([]string{strings.TrimSuffix(bare, "/"+name)}, folders...)
	}
	for _, folder := range folders {
		if i, ok := t.alias(folder); ok && slices.Contains(mirrorsOfFolder(folder), mirror) {
			return i, true
		}
	}
	return 0, false
}

func mirrorsOfFolder(folder string) []string {
	return append(mirrorPaths(folder), mirrorPaths(folder+"/")...)
}

// folderMirrors are the names of the page's twin under the folder that it stands
// for.
func (p *Page) folderMirrors() []string {
	if p.Kind != KindDocument || p.table == nil || indexName(path.Base(withoutExt(p.DocPath))) == "" {
		return nil
	}
	folder := path.Dir(p.Path)
	if i, ok := p.table.alias(folder); !ok || i != p.number {
		return nil
	}
	var names []string
	for _, m := range mirrorsOfFolder(folder) {
		if i, ok := p.table.folderMirror(m); ok && i == p.number && p.table.ownMirror(m) == nil {
			names = append(names, m)
		}
	}
	return names
}
