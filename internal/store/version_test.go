package store_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/store"
)

// TestOtherVersions wants earlier formats counted as not indexed, with their
// sources still known, and later ones left alone.
func TestOtherVersions(t *testing.T) {
	for _, c := range []struct {
		name, manifest string
		kind           evergreen.Kind
		sources        int
	}{
		{"earlier", `{"format":1,"name":"docs","sources":[{"kind":"folder","location":"/x"}]}`, evergreen.NotFound, 1},
		{"the one before", `{"format":2,"name":"docs","sources":[{"kind":"folder","location":"/x"}]}`, evergreen.NotFound, 1},
		{"later", `{"format":4,"name":"docs","sources":[{"kind":"folder","location":"/x"}],"new":[[1]]}`, evergreen.Conflict, 1},
		{"later, of another shape", `{"format":999,"sources":"elsewhere"}`, evergreen.Conflict, 1},
		{"this one without its sum", `{"format":3,"name":"docs","sources":[]}`, evergreen.Damaged, 1},
		{"none", `{"name":"docs"}`, evergreen.Damaged, 1},
	} {
		lib := library(t)
		collection(t, lib, "docs")
		dir := filepath.Join(lib.Root(), "collections", "docs")
		if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(c.manifest), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := lib.Manifest("docs")
		if evergreen.KindOf(err) != c.kind || len(evergreen.Hints(err)) == 0 {
			t.Errorf("%s: %v (%s)", c.name, err, evergreen.KindOf(err))
		}
		if got := lib.Sources("docs"); len(got) != c.sources {
			t.Errorf("%s: sources %v", c.name, got)
		}
		before := files(t, dir)
		w, err := lib.Lock(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		w.Sweep("docs")
		w.Unlock()
		if after := files(t, dir); !slices.Equal(before, after) {
			t.Errorf("%s: %q became %q", c.name, before, after)
		}
	}
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestLockTidies wants what interrupted writes left beside the collections
// removed by the next writer, and nothing else.
func TestLockTidies(t *testing.T) {
	lib := library(t)
	collection(t, lib, "docs")
	all := filepath.Join(lib.Root(), "collections")
	for _, name := range []string{".tmp-1", "notes", "collections/.tmp-old/1.seg", "collections/half/1.text", "collections/half/.tmp-2",
		"collections/mine/1.seg", "collections/mine/letter.txt"} {
		file := filepath.Join(lib.Root(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := lib.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	w.Unlock()
	for dir, want := range map[string]string{
		lib.Root(): "collections generation lock notes", all: "docs mine", filepath.Join(all, "mine"): "letter.txt",
		filepath.Join(all, "docs"): "1.seg 1.text 2.state manifest.json repo.json",
	} {
		if got := strings.Join(files(t, dir), " "); got != want {
			t.Errorf("%s holds %s, want %s", dir, got, want)
		}
	}
}

// TestDeletedByHalves wants a collection whose removal was interrupted gone, and
// one that lost only its manifest told of.
func TestDeletedByHalves(t *testing.T) {
	lib := library(t)
	collection(t, lib, "docs")
	dir := filepath.Join(lib.Root(), "collections", "docs")
	if err := os.Remove(filepath.Join(dir, "manifest.json")); err != nil {
		t.Fatal(err)
	}
	if names, err := lib.Names(); err != nil || len(names) != 1 {
		t.Errorf("names %v, %v", names, err)
	}
	if _, err := lib.Manifest("docs"); evergreen.KindOf(err) != evergreen.Damaged {
		t.Errorf("a lost manifest gives %v", err)
	}
	if lib.LastNumber("docs") != 2 || lib.LastNumber("none") != 0 {
		t.Errorf("last numbers %d, %d", lib.LastNumber("docs"), lib.LastNumber("none"))
	}
	if err := os.Rename(dir, filepath.Join(filepath.Dir(dir), ".tmp-docs")); err != nil {
		t.Fatal(err)
	}
	if names, err := lib.Names(); err != nil || len(names) != 0 {
		t.Errorf("names %v, %v", names, err)
	}
}

// TestReadersKeepWhatTheyHold writes a segment again under the number of one
// that is open: the reader's bytes must not change.
func TestReadersKeepWhatTheyHold(t *testing.T) {
	lib := library(t)
	collection(t, lib, "docs")
	seg, err := lib.OpenSegment("docs", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	w, err := lib.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Unlock()
	sw, err := w.NewSegment("docs", 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := sw.Add(store.Doc{Path: "other"}, []byte("other"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := sw.Finish(nil); err != nil {
		t.Fatal(err)
	}
	if text, err := seg.DocText(seg.Doc(0)); err != nil || !strings.Contains(string(text), "text of a.md") {
		t.Errorf("the reader sees %q, %v", text, err)
	}
}
