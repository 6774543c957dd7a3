package store_test

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/internal/store"
)

func TestKeyIsInjective(t *testing.T) {
	names := []string{
		"docs", "Docs", "DOCS", "a b", "a_b", "a/b", "a\\b", "中文", "中 文", "", ".", "..", "con", "CON", "nul.txt", "com1",
		"com1.x", "lpt0", "a.", "a..", ".hidden", "docs-deadbeef", "repo", strings.Repeat("x", 300), strings.Repeat("x", 301), "x\x00y", "\u00e9", "e\u0301",
	}
	seen := map[string]string{}
	for _, n := range names {
		key := store.Key(n)
		folded := strings.ToLower(key)
		if other, ok := seen[folded]; ok {
			t.Errorf("%q and %q share the folder %q", n, other, key)
		}
		seen[folded] = n
		if key == "" || len(key) > 120 || strings.ContainsAny(key, "/\\: ") || strings.HasSuffix(key, ".") || strings.HasPrefix(key, ".") {
			t.Errorf("Key(%q) = %q is no safe folder name", n, key)
		}
	}
	if store.Key("react-docs_1.0") != "react-docs_1.0" {
		t.Error("a plain name must stay readable")
	}
}

// collection writes a collection of two documents in one segment.
func collection(t *testing.T, lib *store.Library, name string) store.Manifest {
	t.Helper()
	w, err := lib.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Unlock()
	sw, err := w.NewSegment(name, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"a.md", "b/中文.md"} {
		text := []byte("# T\n\ntext of " + path + "\n\n## U\n\nmore\n")
		d := store.Doc{
			Path: path, Title: "Title of " + path, Hash: sha256.Sum256(text), HeadBytes: 3, Source: 2, Flags: store.FlagMDX,
			Meta: evergreen.Meta{Tags: []string{"x"}, Confidence: .5},
		}
		rows := []store.Row{
			{Parent: -1, Start: 0, End: 10, BodyStart: 5, Tokens: 7, Level: 1, Title: "T", Leaf: "t", Anchor: "t", Marker: 77},
			{Parent: 0, Start: 10, End: len(text), BodyStart: 12, Tokens: 3, Level: 2, Title: "Ü", Leaf: "ü-2", Anchor: "own", Hash: d.Hash},
		}
		if err := sw.Add(d, text, rows); err != nil {
			t.Fatal(err)
		}
	}
	info, err := sw.Finish([]byte("index bytes"))
	if err != nil {
		t.Fatal(err)
	}
	m := store.Manifest{
		Name: name, Serial: 2, State: 2, IndexedAt: time.Unix(1e9, 0).UTC(),
		Sources: []evergreen.Source{{Kind: "folder", Location: "/x"}}, Segments: []store.SegmentInfo{info},
	}
	if err := w.WriteState(name, 2, state()); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(m); err != nil {
		t.Fatal(err)
	}
	return m
}

func state() store.State {
	return store.State{
		Files: []store.FileState{
			{Path: "a.md", Size: 9, ModNanos: 1 << 60, Inode: 1 << 63, Hash: sha256.Sum256(nil), Segment: 1, Docs: 1},
			{Path: "skipped", Segment: -1, Tag: "binary"},
			{Path: "a.md", Source: 1, Segment: 1, Doc: 1, Docs: 2},
		},
		Moved: []store.Moved{{Path: "a.md::t#1", Hash: sha256.Sum256([]byte("x"))}},
	}
}

func library(t *testing.T) *store.Library {
	t.Helper()
	lib, err := store.Open(filepath.Join(t.TempDir(), "library"))
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

func TestRoundTrip(t *testing.T) {
	lib := library(t)
	if names, err := lib.Names(); err != nil || len(names) != 0 {
		t.Fatalf("an unwritten library holds %v, %v", names, err)
	}
	before := lib.Generation()
	want := collection(t, lib, "My Docs 中文")
	if lib.Generation() == before {
		t.Error("a commit must change the generation")
	}
	names, err := lib.Names()
	if err != nil || len(names) != 1 || names[0] != "My Docs 中文" {
		t.Fatalf("names = %q, %v", names, err)
	}
	got, err := lib.Manifest("My Docs 中文")
	want.Format = got.Format
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("manifest, %v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(state(), lib.State(got)); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	seg, err := lib.OpenSegment(got.Name, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	if seg.Docs() != 2 || seg.Sections() != 4 || string(seg.Index()) != "index bytes" || seg.Verify() != nil {
		t.Errorf("segment: %d documents, %d sections, index %q, %v", seg.Docs(), seg.Sections(), seg.Index(), seg.Verify())
	}
	n, ok := seg.FindDoc("b/中文.md")
	d := seg.FullDoc(n)
	if !ok || d.Title != "Title of b/中文.md" || d.Meta.Tags[0] != "x" || d.Source != 2 || d.Flags != store.FlagMDX || d.First != 2 || d.Tokens != 10 {
		t.Errorf("document = %+v, %v", d, ok)
	}
	if _, ok := seg.FindDoc("b"); ok {
		t.Error("a prefix of a path is found")
	}
	r := seg.Row(d.First + 1)
	if r.Title != "Ü" || r.Leaf != "ü-2" || r.Anchor != "own" || r.Parent != 0 || r.Level != 2 || r.Doc != 1 || r.Hash != d.Hash {
		t.Errorf("row = %+v", r)
	}
	if first := seg.Row(d.First); first.Anchor != "t" || first.Marker != 77 || first.Parent != -1 {
		t.Errorf("row = %+v", first)
	}
	text, err := seg.Text(d, 5, 20)
	if err != nil || string(text) != "text of b/中文.md"[:15] {
		t.Errorf("text = %q, %v", text, err)
	}
	if text, err := seg.Text(d, -5, 1<<30); err != nil || len(text) != d.TextBytes {
		t.Errorf("a range beyond the text gives %d bytes, %v", len(text), err)
	}
}

func TestDeleteIsIdempotent(t *testing.T) {
	lib := library(t)
	collection(t, lib, "docs")
	w, err := lib.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Unlock()
	for _, want := range []bool{true, false} {
		if got, err := w.Delete("docs"); got != want || err != nil {
			t.Errorf("Delete = %v, %v, want %v", got, err, want)
		}
	}
	if _, err := lib.Manifest("docs"); evergreen.KindOf(err) != evergreen.NotFound {
		t.Errorf("a deleted collection gives %v", err)
	}
}

func TestKillCounts(t *testing.T) {
	s := store.SegmentInfo{Documents: 3, Sections: 9, Tokens: 90, Entries: 1}
	d := store.Doc{Sections: 2, Tokens: 20, TextBytes: 7, Flags: store.FlagEntry}
	s.Kill(2, d)
	s.Kill(0, d)
	s.Kill(2, d)
	want := store.SegmentInfo{Documents: 1, Sections: 5, Tokens: 50, Entries: -1, DeadBytes: 14, Dead: []int{0, 2}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("after kills (-want +got):\n%s", diff)
	}
}

func TestOneWriter(t *testing.T) {
	lib := library(t)
	w, err := lib.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	other, err := store.Open(lib.Root())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	defer cancel()
	if _, err := other.Lock(ctx); evergreen.KindOf(err) != evergreen.Conflict {
		t.Errorf("a second writer gets %v", err)
	}
	w.Unlock()
	if w, err = other.Lock(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.Unlock()
}

// TestSweep wants leftovers of interrupted writes removed, and nothing else.
func TestSweep(t *testing.T) {
	lib := library(t)
	collection(t, lib, "docs")
	dir := filepath.Join(lib.Root(), "collections", "docs")
	for _, name := range []string{"9.seg", "9.text", "9.state", ".tmp-123", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := lib.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Unlock()
	w.Sweep("docs")
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{"1.seg", "1.text", "2.state", "manifest.json", "notes.txt", "repo.json"}, left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

// TestDamageIsNoticed flips and cuts every byte of a segment and a state: they
// are refused, or read without a panic.
func TestDamageIsNoticed(t *testing.T) {
	lib := library(t)
	m := collection(t, lib, "docs")
	dir := filepath.Join(lib.Root(), "collections", "docs")
	for _, name := range []string{"1.seg", "2.state"} {
		good, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			bad := append([]byte{}, good...)
			bad[i] ^= 0xff
			if i%3 == 0 {
				bad = bad[:i]
			}
			if err := os.WriteFile(filepath.Join(dir, name), bad, 0o644); err != nil {
				t.Fatal(err)
			}
			if name == "2.state" {
				if len(lib.State(m).Files) != 0 {
					t.Fatalf("a state damaged at %d is believed", i)
				}
				continue
			}
			readAll(t, lib, i)
		}
		if err := os.WriteFile(filepath.Join(dir, name), good, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readAll(t *testing.T, lib *store.Library, at int) {
	t.Helper()
	seg, err := lib.OpenSegment("docs", 1)
	if err != nil {
		if evergreen.KindOf(err) != evergreen.Damaged || len(evergreen.Hints(err)) == 0 {
			t.Fatalf("damage at %d: %v", at, err)
		}
		return
	}
	defer seg.Close()
	for i := range seg.Docs() {
		d := seg.FullDoc(i)
		for j := range d.Sections {
			seg.Row(d.First + j)
		}
		_, _ = seg.Text(d, 0, d.TextBytes)
	}
	seg.FindDoc("b/中文.md")
	if at >= 144 && seg.Verify() == nil && seg.Docs() == 2 {
		if _, err := seg.Text(seg.Doc(0), 0, 4); err != nil {
			t.Fatalf("damage at %d passes the checksums and cannot be read: %v", at, err)
		}
	}
}

func TestOtherVersionIsRebuilt(t *testing.T) {
	lib := library(t)
	collection(t, lib, "docs")
	file := filepath.Join(lib.Root(), "collections", "docs", "manifest.json")
	b, _ := os.ReadFile(file)
	b = []byte(strings.Replace(string(b), `"format":1`, `"format":999`, 1))
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := lib.Manifest("docs")
	if evergreen.KindOf(err) != evergreen.NotFound || len(evergreen.Hints(err)) == 0 {
		t.Errorf("another version gives %v", err)
	}
}

func TestOpenRefusesAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(file); evergreen.KindOf(err) != evergreen.Invalid {
		t.Errorf("a file as library gives %v", err)
	}
	if _, err := store.Open(""); evergreen.KindOf(err) != evergreen.Invalid {
		t.Errorf("no folder gives %v", err)
	}
}
