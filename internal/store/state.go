package store

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"

	"evergreen"
)

// FileState is what is known of one file of a source since it was last read.
type FileState struct {
	Path     string // doc_path
	Source   int    // index into the manifest's sources
	Size     int64
	ModNanos int64
	Inode    uint64
	Hash     [32]byte // sha256 of the file's bytes
	Segment  int      // number of the segment with its documents, -1 when it was skipped
	Doc      int      // number of its first document there
	Docs     int      // how many documents it makes
	Tag      string   // web pages: ETag or Last-Modified; skipped files: the reason
}

// State is what an incremental run compares with: files by path, and the ids
// that left the collection with the hash of what they named. For people it keeps
// what the last runs left out.
type State struct {
	Files   []FileState // ascending by source, then path
	Moved   []Moved     // oldest first
	Skipped []Skipped   // in the order of the runs' reports, at most maxSkipped
}

// Skipped is a place that the last run over its source left out.
type Skipped struct {
	Source int // index into the manifest's sources
	evergreen.Skip
}

// Moved remembers a section that lost its id.
type Moved struct {
	Path string // doc_path::chain#level
	Hash [32]byte
}

const stateMagic = "EGST"

// State reads a collection's state; whole is false when it is missing or
// damaged, and then it is empty.
func (l *Library) State(m Manifest) (s State, whole bool) {
	if m.State == 0 {
		return State{}, true
	}
	b, err := os.ReadFile(filepath.Join(l.dir(m.Name), strconv.Itoa(m.State)+".state"))
	if err != nil || len(b) < 8 || string(b[:4]) != stateMagic ||
		binary.LittleEndian.Uint32(b[4:]) != crc32.ChecksumIEEE(b[8:]) {
		return State{}, false
	}
	r := reader{b: b[8:]}
	for n := r.uint(); n > 0 && !r.bad; n-- {
		s.Files = append(s.Files, FileState{
			Path: r.string(), Source: r.number(), Size: int64(r.uint()), ModNanos: int64(r.uint()), Inode: r.uint(),
			Hash: r.hash(), Segment: r.number() - 1, Doc: r.number(), Docs: r.number(), Tag: r.string(),
		})
	}
	for n := r.uint(); n > 0 && !r.bad; n-- {
		s.Moved = append(s.Moved, Moved{r.string(), r.hash()})
	}
	if len(r.b) > 0 && !r.bad { // states of before this list end here
		for n := r.uint(); n > 0 && !r.bad; n-- {
			s.Skipped = append(s.Skipped, Skipped{int(r.uint()), evergreen.Skip{Path: r.string(), Reason: r.string()}})
		}
	}
	if r.bad {
		return State{}, false
	}
	return s, true
}

// WriteState writes the state as file number n.
func (w *Writer) WriteState(name string, n int, s State) error {
	sort.Slice(s.Files, func(i, j int) bool {
		if s.Files[i].Source != s.Files[j].Source {
			return s.Files[i].Source < s.Files[j].Source
		}
		return s.Files[i].Path < s.Files[j].Path
	})
	if len(s.Moved) > maxMoved {
		s.Moved = s.Moved[len(s.Moved)-maxMoved:]
	}
	b := binary.AppendUvarint(nil, uint64(len(s.Files)))
	for _, f := range s.Files {
		b = appendString(b, f.Path)
		for _, v := range []uint64{uint64(f.Source), uint64(f.Size), uint64(f.ModNanos), f.Inode} {
			b = binary.AppendUvarint(b, v)
		}
		b = append(b, f.Hash[:]...)
		b = binary.AppendUvarint(b, uint64(f.Segment+1))
		b = binary.AppendUvarint(b, uint64(f.Doc))
		b = binary.AppendUvarint(b, uint64(f.Docs))
		b = appendString(b, f.Tag)
	}
	b = binary.AppendUvarint(b, uint64(len(s.Moved)))
	for _, m := range s.Moved {
		b = append(appendString(b, m.Path), m.Hash[:]...)
	}
	s.Skipped = s.Skipped[:min(len(s.Skipped), maxSkipped)]
	b = binary.AppendUvarint(b, uint64(len(s.Skipped)))
	for _, k := range s.Skipped {
		b = appendString(appendString(binary.AppendUvarint(b, uint64(k.Source)), k.Path), k.Reason)
	}
	head := binary.LittleEndian.AppendUint32([]byte(stateMagic), crc32.ChecksumIEEE(b))
	dir := w.lib.dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return writeError(err)
	}
	return writeFile(filepath.Join(dir, strconv.Itoa(n)+".state"), append(head, b...))
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// reader decodes a state; after the first fault it is bad and yields zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

// number reads what counts things: never more than a segment can hold.
func (r *reader) number() int {
	v := r.uint()
	if v > math.MaxUint32 {
		r.bad = true
		return 0
	}
	return int(v)
}

func (r *reader) string() string {
	n := r.uint()
	if r.bad || n > uint64(len(r.b)) {
		r.bad = true
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) hash() (h [32]byte) {
	if len(r.b) < 32 {
		r.bad = true
		return h
	}
	copy(h[:], r.b)
	r.b = r.b[32:]
	return h
}
