package main

// This file reads the real documents, cut into sections.

import (
	"cmp"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"evergreen/internal/format"
	"evergreen/internal/section"

	"evergreen/bench/internal/data"
)

// document is a real document: what stands before its sections, and these.
type document struct {
	path  string // below the tree's name
	order uint64 // its place in a shuffled order that is the same everywhere
	tree  int
	head  string
	units []unit
}

// unit is a section with its heading.
type unit struct {
	title, text string
	level       int
}

// trees are documentation as folders, and sets judged collections whose texts
// lie in no tree.
func trees() []string {
	return []string{"mdn-en", "tidb-zh", "hugo", "react", "rust-book", "vue-en", "vue-zh"}
}
func sets() []string { return []string{"k8s-questions", "cacm", "cranfield"} }

// readAll reads every document of the corpora, in shuffled order: any number of
// the first is a mixture of all.
func readAll(c data.Corpora, work string) ([]document, error) {
	var all []document
	for i, tree := range append(trees(), sets()...) {
		folder := filepath.Join(work, "growth-"+tree)
		if i < len(trees()) {
			var err error
			if folder, err = c.Docs(tree, work); err != nil {
				return nil, err
			}
		} else if err := writeSet(c, tree, folder); err != nil {
			return nil, err
		}
		docs, err := readTree(folder, tree, i)
		if err != nil {
			return nil, err
		}
		all = append(all, docs...)
	}
	slices.SortFunc(all, func(a, b document) int {
		return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.path, b.path))
	})
	return all, nil
}

// writeSet makes the pages of a judged set anew. Abstracts that name no page are
// a page each.
func writeSet(c data.Corpora, set, folder string) error {
	units, err := c.Units(set)
	if err != nil {
		return err
	}
	for i := range units {
		units[i].Page = cmp.Or(units[i].Page, units[i].ID)
	}
	return data.WritePages(folder, data.Pages(units))
}

func readTree(folder, name string, number int) (docs []document, err error) {
	err = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir // as the product does
		}
		if err != nil || d.IsDir() || filepath.Ext(file) != ".md" {
			return err
		}
		bytes, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		if doc, ok := cut(filepath.ToSlash(relative), bytes); ok {
			doc.path, doc.tree = name+"/"+doc.path, number
			hash := fnv.New64a()
			hash.Write([]byte(doc.path))
			doc.order = hash.Sum64()
			docs = append(docs, doc)
		}
		return nil
	})
	return docs, err
}

// cut cuts a file as the product does. ok is false where it would not take it.
func cut(path string, bytes []byte) (doc document, ok bool) {
	read, err := format.Read(path, bytes, format.Options{})
	if err != nil || read.Outline != nil {
		return doc, false
	}
	split := section.Split(read.Text, section.Options{Path: path, Title: read.Meta.Title, HeadBytes: read.FrontMatterEnd})
	doc = document{path: path, head: string(read.Text[:split.HeadBytes])}
	for _, r := range split.Rows {
		doc.units = append(doc.units, unit{r.Title, string(read.Text[r.Start:r.End]), r.Level})
	}
	return doc, len(doc.units) > 0
}
