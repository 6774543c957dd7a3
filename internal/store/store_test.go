package store_test

import (
	"context"
	"crypto/sha256"
	"fmt"
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
			{Parent: 0, Start: 10, End: len(text), BodyStart: 12, Tokens: 3, Level: 2, Title: "Ü", Leaf: "ü-2", Anchor: "own", Hash: sha256.Sum256(text[10:])},
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
		Moved:   []store.Moved{{Path: "a.md::t#1", Hash: sha256.Sum256([]byte("x"))}},
		Skipped: []store.Skipped{{Source: 1, Skip: evergreen.Skip{Path: "big.md", Reason: "larger than 10 bytes"}}},
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
	kept, whole := lib.State(got)
	if diff := cmp.Diff(state(), kept); diff != "" || !whole {
		t.Errorf("state, whole %v (-want +got):\n%s", whole, diff)
	}
	seg, err := lib.OpenSegment(got.Name, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	if seg.Docs() != 2 || seg.Sections() != 4 || string(seg.Index()) != "index bytes" {
		t.Errorf("segment: %d documents, %d sections, index %q", seg.Docs(), seg.Sections(), seg.Index())
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
	if r.Title != "Ü" || r.Leaf != "ü-2" || r.Anchor != "own" || r.Parent != 0 || r.Level != 2 || r.Doc != 1 || r.Hash == d.Hash {
		t.Errorf("row = %+v", r)
	}
	if first := seg.Row(d.First); first.Anchor != "t" || first.Marker != 77 || first.Parent != -1 {
		t.Errorf("row = %+v", first)
	}
	text := "# T\n\ntext of b/中文.md\n\n## U\n\nmore\n"
	if got, err := seg.DocText(d); err != nil || string(got) != text {
		t.Errorf("text = %q, %v", got, err)
	}
	for from, want := range map[int]string{0: text[10:], 12: text[12:], 1 << 30: ""} {
		if got, err := seg.RowText(d, d.First+1, from); err != nil || string(got) != want {
			t.Errorf("section from %d = %q, %v", from, got, err)
		}
	}
}

// What was unloaded is read again as it was, also while it is being unloaded.
func TestUnloadedSegmentsAnswer(t *testing.T) {
	lib := library(t)
	m := collection(t, lib, "otter")
	seg, err := lib.OpenSegment(m.Name, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	want := fmt.Sprintf("%+v %+v", seg.FullDoc(1), seg.Row(3))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			seg.Unload()
		}
	}()
	for range 200 {
		if got := fmt.Sprintf("%+v %+v", seg.FullDoc(1), seg.Row(3)); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	<-done
	if n, ok := store.Mapped(); ok && n <= 0 {
		t.Errorf("%d bytes are mapped", n)
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

// TestDamageIsNoticed flips and cuts every byte of every file of a collection.
// What can still be read is what was written; the rest is refused as damaged.
func TestDamageIsNoticed(t *testing.T) {
	lib := library(t)
	m := collection(t, lib, "docs")
	m.Format = formatOf(t, lib)
	dir := filepath.Join(lib.Root(), "collections", "docs")
	for _, name := range []string{"1.seg", "1.text", "2.state", "manifest.json", "repo.json"} {
		good, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			bad := append([]byte{}, good...)
			bad[i] ^= 1 << (i % 8)
			if i%3 == 0 {
				bad = bad[:i]
			}
			if err := os.WriteFile(filepath.Join(dir, name), bad, 0o644); err != nil {
				t.Fatal(err)
			}
			readAll(t, lib, m, fmt.Sprintf("%s damaged at %d", name, i))
		}
		if err := os.WriteFile(filepath.Join(dir, name), good, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func formatOf(t *testing.T, lib *store.Library) int {
	t.Helper()
	m, err := lib.Manifest("docs")
	if err != nil {
		t.Fatal(err)
	}
	return m.Format
}

// readAll reads a damaged collection of the test's two documents.
func readAll(t *testing.T, lib *store.Library, want store.Manifest, what string) {
	t.Helper()
	if names, err := lib.Names(); err != nil || len(names) != 1 || names[0] != "docs" {
		t.Fatalf("%s: names %q, %v", what, names, err)
	}
	m, err := lib.Manifest("docs")
	if refused(t, err, what) {
		if sources := lib.Sources("docs"); cmp.Diff(want.Sources, sources) != "" {
			t.Fatalf("%s: the sources are %v", what, sources)
		}
		return
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Fatalf("%s: manifest (-want +got):\n%s", what, diff)
	}
	if s, whole := lib.State(m); whole && cmp.Diff(state(), s) != "" || !whole && len(s.Files) > 0 {
		t.Fatalf("%s: the state is believed: %+v", what, s)
	}
	seg, err := lib.OpenSegment("docs", 1)
	if refused(t, err, what) {
		return
	}
	defer seg.Close()
	for i, path := range []string{"a.md", "b/中文.md"} {
		n, ok := seg.FindDoc(path)
		d := seg.FullDoc(n)
		if n != i || !ok || d.Title != "Title of "+path || d.Sections != 2 {
			t.Fatalf("%s: document %+v", what, d)
		}
		text, err := seg.DocText(d)
		if !refused(t, err, what) && string(text) != "# T\n\ntext of "+path+"\n\n## U\n\nmore\n" {
			t.Fatalf("%s: text %q", what, text)
		}
		if text, err := seg.RowText(d, d.First+1, 12); !refused(t, err, what) && !strings.HasSuffix(string(text), "## U\n\nmore\n") {
			t.Fatalf("%s: section %q", what, text)
		}
	}
}

// refused tells whether there is an error, which must be of damage and say what
// to do.
func refused(t *testing.T, err error, what string) bool {
	t.Helper()
	if err != nil && (evergreen.KindOf(err) != evergreen.Damaged || len(evergreen.Hints(err)) == 0) {
		t.Fatalf("%s: %v (%s)", what, err, evergreen.KindOf(err))
	}
	return err != nil
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
