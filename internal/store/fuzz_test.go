package store_test

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"evergreen"
	"evergreen/internal/store"
)

// FuzzState: a state file with a right checksum and any content is read or
// taken for empty; what comes out can be used as numbers of documents.
func FuzzState(f *testing.F) {
	lib, err := store.Open(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	w, err := lib.Lock(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(w.Unlock)
	m := store.Manifest{Name: "docs", Serial: 1, State: 1, Sources: []evergreen.Source{{Kind: evergreen.SourceFolder, Location: "/docs"}}}
	if err := w.WriteState("docs", 1, store.State{
		Files: []store.FileState{{Path: "a.md", Size: 7, Segment: 1, Docs: 1}, {Path: "b.md", Segment: -1, Tag: "too large"}},
		Moved: []store.Moved{{Path: "docs::a.md::a#1"}},
	}); err != nil {
		f.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(lib.Root(), "collections", "*", strconv.Itoa(m.State)+".state"))
	if err != nil || len(files) != 1 {
		f.Fatalf("states %q, %v", files, err)
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good[8:])
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, content []byte) {
		data := binary.LittleEndian.AppendUint32(append([]byte{}, good[:4]...), crc32.ChecksumIEEE(content))
		if err := os.WriteFile(files[0], append(data, content...), 0o644); err != nil {
			t.Fatal(err)
		}
		s, whole := lib.State(m)
		if !whole && len(s.Files)+len(s.Moved) > 0 {
			t.Errorf("what is not whole is not empty: %+v", s)
		}
		if len(s.Files)+len(s.Moved) > len(content) {
			t.Errorf("%d files and %d ids from %d bytes", len(s.Files), len(s.Moved), len(content))
		}
		for _, file := range s.Files {
			if file.Source < 0 || file.Segment < -1 || file.Doc < 0 || file.Docs < 0 {
				t.Errorf("%+v", file)
			}
		}
	})
}
