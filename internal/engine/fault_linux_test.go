package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/engine"
	"evergreen/internal/testkit"
)

// TestFilesCutUnderAReader: a segment that is cut while it is mapped ends no
// process. Whatever is asked for then gives the error of that collection, or what
// it gave before; the others go on answering, and indexing brings it back.
func TestFilesCutUnderAReader(t *testing.T) {
	asked := map[string]func(b *shared) (any, error){
		"search": func(b *shared) (any, error) {
			return b.e.Search(t.Context(), evergreen.SearchRequest{Query: "walrus " + common})
		},
		"ask": func(b *shared) (any, error) { return b.e.Ask(t.Context(), evergreen.Query{Topic: "walrus"}) },
		"section": func(b *shared) (any, error) {
			return b.e.Section(t.Context(), evergreen.SectionRequest{ID: "walrus::text.md::walrus-900#1", Context: true})
		},
		"entry": func(b *shared) (any, error) {
			entry, _, err := b.e.Entry(t.Context(), "walrus::text.md::walrus-900#1")
			return entry, err
		},
		"document": func(b *shared) (any, error) {
			d, _, err := b.e.Document(t.Context(), "walrus", "text.md")
			return d, err
		},
		"outline": func(b *shared) (any, error) {
			return b.e.Outline(t.Context(), evergreen.OutlineRequest{Collection: "walrus", Limit: -1})
		},
		"ids":  func(b *shared) (any, error) { return b.e.RankIDs(t.Context(), "walrus", "walrus", 5) },
		"site": func(b *shared) (any, error) { return readWhole(b.e) },
	}
	out, told := testkit.Outcome{Name: "cut"}, 0
	for name, ask := range asked {
		cuts := []int64{0, 4, 12, 20, 28}
		if name == "search" { // some of them within the postings, which are read side by side
			cuts = []int64{0, 24, 26, 28, 30}
		}
		for _, parts := range cuts {
			out.Tried++
			if t.Run(fmt.Sprintf("%s, %d of 32 left", name, parts), func(t *testing.T) {
				if cutUnder(t, parts, ask) {
					told++
				}
			}) {
				out.Survived++
			}
		}
	}
	out.Detail = fmt.Sprintf("segments are cut while a process reads them: %d answers refused as damaged, the others as before; the next run brings all back", told)
	testkit.Record(t, out)
}

// common are words of every section, whose postings fill most of the index.
const common = "otter heron crane finch eagle raven robin"

// cutUnder cuts a collection's segment down to so many of 32 parts, in whole pages,
// since what is behind the end within a page reads as zeros and not as a fault.
func cutUnder(t *testing.T, parts int64, ask func(b *shared) (any, error)) (told bool) {
	b := newShared(t)
	index := func() error {
		folder := filepath.Join(b.source, "walrus")
		b.write(map[string]string{"walrus/text.md": strings.ReplaceAll(document("walrus", 3000), "This is", common)})
		_, err := b.e.Index(t.Context(), evergreen.IndexRequest{Name: "walrus", Verify: true, Source: evergreen.Source{Location: folder}}, nil)
		return err
	}
	b.passes(index())
	b.passes(b.run("", "narwhal", 3, evergreen.IndexRequest{}))
	before, err := ask(b)
	if err != nil {
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
	after, err := ask(b)
	told = evergreen.KindOf(err) == evergreen.Damaged && strings.Contains(err.Error(), "walrus") && len(evergreen.Hints(err)) > 0
	if !told && (err != nil || parts == 0 || !reflect.DeepEqual(before, after)) {
		t.Errorf("cut: %v, %.300v instead of %.300v", err, after, before)
	}
	if found, err := b.e.Search(t.Context(), evergreen.SearchRequest{Query: "narwhal", Collection: "narwhal"}); err != nil || len(found.Hits) == 0 {
		t.Errorf("the other collection: %+v, %v", found, err)
	}
	if damaged := b.e.Damaged(t.Context()); told && (len(damaged) != 1 || damaged[0].Name != "walrus") {
		t.Errorf("afterwards damaged: %+v", damaged)
	}
	b.passes(index())
	if _, err := ask(b); err != nil {
		t.Errorf("indexed again: %v", err)
	}
	return told
}

// readWhole reads everything of a snapshot that a site is made from.
func readWhole(e *engine.Engine) (sections int, err error) {
	p, err := e.Publish()
	if err != nil {
		return 0, err
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
			entries, err := p.Sections(d)
			if err != nil {
				return 0, err
			}
			sections += len(entries)
			if _, err := p.Text(d); err != nil {
				return 0, err
			}
		}
	}
	return sections, nil
}
