package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/engine"
)

// TestFilesCutUnderAReader: a segment that is cut while it is mapped ends no
// process. Whatever is asked for then gives the error of that collection, or what
// it gave before; the others go on answering, and indexing brings it back.
func TestFilesCutUnderAReader(t *testing.T) {
	asked := map[string]func(b *shared) error{
		"search": func(b *shared) error {
			_, err := b.e.Search(t.Context(), evergreen.SearchRequest{Query: "walrus " + common})
			return err
		},
		"ask": func(b *shared) error {
			_, err := b.e.Ask(t.Context(), evergreen.Query{Topic: "walrus"})
			return err
		},
		"section": func(b *shared) error {
			_, err := b.e.Section(t.Context(), evergreen.SectionRequest{ID: "walrus::text.md::walrus-900#1", Context: true})
			return err
		},
		"entry": func(b *shared) error {
			_, _, err := b.e.Entry(t.Context(), "walrus::text.md::walrus-900#1")
			return err
		},
		"document": func(b *shared) error {
			_, _, err := b.e.Document(t.Context(), "walrus", "text.md")
			return err
		},
		"outline": func(b *shared) error {
			_, err := b.e.Outline(t.Context(), evergreen.OutlineRequest{Collection: "walrus", Limit: -1})
			return err
		},
		"ids": func(b *shared) error {
			_, err := b.e.RankIDs(t.Context(), "walrus", "walrus", 5)
			return err
		},
		"site": func(b *shared) error { return readWhole(b.e) },
	}
	for name, ask := range asked {
		cuts := []int64{0, 4, 12, 20, 28}
		if name == "search" { // some of them within the postings, which are read side by side
			cuts = []int64{0, 24, 26, 28, 30}
		}
		for _, parts := range cuts {
			t.Run(fmt.Sprintf("%s, %d of 32 left", name, parts), func(t *testing.T) { cutUnder(t, parts, ask) })
		}
	}
}

// common are words of every section, whose postings fill most of the index.
const common = "otter heron crane finch eagle raven robin"

// cutUnder cuts a collection's segment down to so many of 32 parts, in whole pages,
// since what is behind the end within a page reads as zeros and not as a fault.
func cutUnder(t *testing.T, parts int64, ask func(b *shared) error) {
	b := newShared(t)
	index := func() error {
		folder := filepath.Join(b.source, "walrus")
		b.write(map[string]string{"walrus/text.md": strings.ReplaceAll(document("walrus", 3000), "This is", common)})
		_, err := b.e.Index(t.Context(), evergreen.IndexRequest{Name: "walrus", Verify: true, Source: evergreen.Source{Location: folder}}, nil)
		return err
	}
	b.passes(index())
	b.passes(b.run("", "narwhal", 3, evergreen.IndexRequest{}))
	if err := ask(b); err != nil {
		t.Fatalf("before: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(b.root, "collections", "walrus", "*.seg"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	page := int64(os.Getpagesize())
	if err := os.Truncate(files[0], info.Size()*parts/32/page*page); err != nil {
		t.Fatal(err)
	}
	err = ask(b)
	told := evergreen.KindOf(err) == evergreen.Damaged && strings.Contains(err.Error(), "walrus") && len(evergreen.Hints(err)) > 0
	if !told && (err != nil || parts == 0) {
		t.Errorf("cut: %v", err)
	}
	if found, err := b.e.Search(t.Context(), evergreen.SearchRequest{Query: "narwhal", Collection: "narwhal"}); err != nil || len(found.Hits) == 0 {
		t.Errorf("the other collection: %+v, %v", found, err)
	}
	if damaged := b.e.Damaged(t.Context()); told && (len(damaged) != 1 || damaged[0].Name != "walrus") {
		t.Errorf("afterwards damaged: %+v", damaged)
	}
	b.passes(index())
	if err := ask(b); err != nil {
		t.Errorf("indexed again: %v", err)
	}
}

// readWhole reads everything of a snapshot that a site is made from.
func readWhole(e *engine.Engine) (err error) {
	p, err := e.Publish()
	if err != nil {
		return err
	}
	defer p.Close()
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case *evergreen.Error:
			err = fault
		default:
			err = fmt.Errorf("%v", fault)
		}
	}()
	p.Entries()
	for _, c := range p.Collections() {
		for d := range p.Documents(c.Name) {
			if _, err := p.Sections(d); err != nil {
				return err
			}
			if _, err := p.Text(d); err != nil {
				return err
			}
		}
	}
	return nil
}
