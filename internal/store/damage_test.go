package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"evergreen"
)

// TestErrorsSayWhatToDo wants each fault of the file system told by its kind,
// with a way on.
func TestErrorsSayWhatToDo(t *testing.T) {
	path := func(err error) error { return &fs.PathError{Op: "write", Path: "x", Err: err} }
	for _, tc := range []struct {
		err  error
		kind evergreen.Kind
	}{
		{writeError(nil), ""},
		{writeError(path(syscall.ENOSPC)), evergreen.Exhausted},
		{writeError(path(fs.ErrPermission)), evergreen.Blocked},
		{writeError(path(syscall.EROFS)), evergreen.Blocked},
		{writeError(errors.New("what nobody knows")), evergreen.Internal},
		{readError(path(fs.ErrPermission)), evergreen.Blocked},
		{readError(errors.New("an input error")), evergreen.Damaged},
		{segmentError("docs", 3, path(fs.ErrNotExist)), evergreen.Damaged},
		{segmentError("docs", 3, path(fs.ErrPermission)), evergreen.Blocked},
		{CutShort("docs", 3), evergreen.Damaged},
	} {
		if kind := evergreen.KindOf(tc.err); kind != tc.kind || tc.kind != "" && tc.kind != evergreen.Internal && len(evergreen.Hints(tc.err)) == 0 {
			t.Errorf("%v is %q with the hints %q, want %q", tc.err, kind, evergreen.Hints(tc.err), tc.kind)
		}
	}
}

// locked is a library of one document, "docs", and its writer.
func locked(t *testing.T) (*Library, *Writer, Manifest) {
	t.Helper()
	lib, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w, err := lib.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Unlock)
	s, err := w.NewSegment("docs", 1)
	if err == nil {
		err = s.Add(Doc{Path: "a.md", Title: "A"}, []byte("# A\n\ntext\n"), []Row{{Parent: -1, End: 10, BodyStart: 4, Level: 1, Tokens: 3, Title: "A", Leaf: "a", Anchor: "a"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Finish(nil)
	m := Manifest{Name: "docs", Serial: 1, Segments: []SegmentInfo{info}}
	if err == nil {
		err = w.Commit(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	if documents, sections, tokens := m.Totals(); documents != 1 || sections != 1 || tokens != 3 {
		t.Errorf("%d documents, %d sections, %d tokens", documents, sections, tokens)
	}
	return lib, w, m
}

// TestManifestsThatCannotBe wants every manifest that is not as it was written
// refused as damage, and a folder in its place as well.
func TestManifestsThatCannotBe(t *testing.T) {
	lib, w, m := locked(t)
	file := filepath.Join(lib.dir("docs"), manifestName)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func() error{
		"cut":       func() error { return os.Truncate(file, int64(len(good)/2)) },
		"empty":     func() error { return os.Truncate(file, 0) },
		"no JSON":   func() error { return os.WriteFile(file, []byte("{"), 0o644) },
		"no sum":    func() error { return os.WriteFile(file, fmt.Appendf(nil, `{"format":%d}`, formatVersion), 0o644) },
		"too large": func() error { return os.Truncate(file, maxManifestBytes+1) },
		"missing":   func() error { return os.Remove(file) },
		"a folder":  func() error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o755)) },
	} {
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		if m, err := lib.Manifest("docs"); evergreen.KindOf(err) != evergreen.Damaged || m.Name != "" {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
		if err := errors.Join(os.RemoveAll(file), os.WriteFile(file, good, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := lib.Manifest("docs"); err != nil {
		t.Error(err)
	}
	if ok, err := w.Delete("docs"); !ok || err != nil {
		t.Errorf("removed %v, %v", ok, err)
	}
	if _, err := lib.Manifest(m.Name); evergreen.KindOf(err) != evergreen.NotFound {
		t.Errorf("after the removal: %v", err)
	}
}

// TestSegmentsThatAreNotThere opens segments without one of their files, and
// tells whether an open one is still the one on disk.
func TestSegmentsThatAreNotThere(t *testing.T) {
	lib, w, m := locked(t)
	s, err := lib.OpenSegment("docs", m.Segments[0].Number)
	if err != nil {
		t.Fatal(err)
	}
	if !lib.SameSegment("docs", 1, s) || lib.SameSegment("docs", 2, s) || s.TextBytes() != 10 {
		t.Errorf("segment 1 of %d bytes is not the one on disk, or 2 is", s.TextBytes())
	}
	s.Close()
	for _, ext := range []string{".text", ".seg"} {
		name := filepath.Join(lib.dir("docs"), "1"+ext)
		if err := os.Rename(name, name+".away"); err != nil {
			t.Fatal(err)
		}
		if _, err := lib.OpenSegment("docs", 1); evergreen.KindOf(err) != evergreen.Damaged || !strings.Contains(err.Error(), "missing") {
			t.Errorf("without %s: %v", ext, err)
		}
		if _, err := lib.Remains("docs", 1); err == nil {
			t.Errorf("something remains without %s", ext)
		}
		if err := os.Rename(name+".away", name); err != nil {
			t.Fatal(err)
		}
	}
	other, err := w.NewSegment("docs", 2)
	if err != nil {
		t.Fatal(err)
	}
	other.Abandon()
	if left, _ := filepath.Glob(filepath.Join(lib.dir("docs"), "2.*")); len(left) > 0 {
		t.Errorf("an abandoned segment leaves %q", left)
	}
}

// TestPlacesBeyondTheLast asks a sound segment for what only forged ones name.
func TestPlacesBeyondTheLast(t *testing.T) {
	lib, _, _ := locked(t)
	s, err := lib.OpenSegment("docs", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, i := range []int{-1, 1, math.MaxInt32} {
		if d, r := s.Doc(i), s.Row(i); d.Path != "" || d.Sections != 0 || r.Title != "" || r.Doc != 0 {
			t.Errorf("%d: %+v, %+v", i, d, r)
		}
		if n, tokens, hash := s.RowDoc(i), s.RowTokens(i), s.RowHash(i); n != 0 || tokens != 0 || hash != [32]byte{} {
			t.Errorf("%d: document %d, %d tokens, hash %x", i, n, tokens, hash)
		}
	}
	if text := s.string(math.MaxUint32, 1); text != "" {
		t.Errorf("a name beyond the names is %q", text)
	}
	good := s.Doc(0)
	for change, d := range map[string]Doc{"behind the end": {TextOffset: 1 << 40, TextBytes: 5, HeadBytes: 0}, "before the beginning": {TextOffset: -1, TextBytes: 5}} {
		if _, err := s.read(d, 0, 5); evergreen.KindOf(err) != evergreen.Damaged {
			t.Errorf("a text %s: %v", change, err)
		}
	}
	if text, err := s.read(good, 7, 3); text != nil || err != nil {
		t.Errorf("a range that ends before it begins: %q, %v", text, err)
	}
}

// TestStatesAreBounded keeps the newest of the moved and the first of the
// skipped, and refuses numbers that count nothing.
func TestStatesAreBounded(t *testing.T) {
	lib, w, m := locked(t)
	var s State
	for i := range maxMoved + 5 {
		s.Moved = append(s.Moved, Moved{Path: fmt.Sprint(i)})
		s.Skipped = append(s.Skipped, Skipped{Skip: evergreen.Skip{Path: fmt.Sprint(i)}})
	}
	s.Files = []FileState{{Path: "b"}, {Path: "a", Source: 1}, {Path: "a"}}
	if err := w.WriteState("docs", 1, s); err != nil {
		t.Fatal(err)
	}
	if none, whole := lib.State(m); !whole || len(none.Moved) > 0 {
		t.Errorf("a collection without a state: %v", whole)
	}
	m.State = 1
	got, whole := lib.State(m)
	if !whole || len(got.Moved) != maxMoved || got.Moved[0].Path != "5" || len(got.Skipped) != maxSkipped || got.Skipped[0].Path != "0" {
		t.Errorf("whole %v, %d moved, %d skipped", whole, len(got.Moved), len(got.Skipped))
	}
	if f := got.Files; len(f) != 3 || f[0].Path != "a" || f[1].Path != "b" || f[2].Source != 1 {
		t.Errorf("files %+v", f)
	}
	r := reader{b: []byte{0xff, 0xff, 0xff, 0xff, 0x7f}}
	if n := r.number(); n != 0 || !r.bad {
		t.Errorf("%d sources", n)
	}
}
