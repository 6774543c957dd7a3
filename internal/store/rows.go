package store

import (
	"encoding/binary"
	"encoding/json"
	"strings"

	"evergreen"
)

// Flags of a stored document.
const (
	FlagPlain = 1 << iota // not Markdown: no headings
	FlagMDX               // read with JSX blanked
	FlagEntry             // a curated entry: its only section's id is its path behind '#'
	FlagDraft             // front matter says draft
)

// Doc is a stored document.
type Doc struct {
	Path       string // doc_path; of a curated entry, its file's with '#' and the entry's id
	Title      string
	Meta       evergreen.Meta
	Source     int // index into the manifest's sources
	Flags      int
	TextOffset int64
	TextBytes  int
	HeadBytes  int
	First      int // number of its first section in the segment
	Sections   int
	Tokens     int
	Hash       [32]byte // sha256 of the stored text
}

// Row is a stored section.
type Row struct {
	Doc       int // number of its document in the segment
	Parent    int // number of the parent section within the document, -1 for none
	Start     int // byte range of the document's text
	End       int
	BodyStart int
	Tokens    int
	Level     int
	Title     string
	Leaf      string
	Anchor    string
	Marker    uint32 // first 4 bytes of sha256 of the section's id
	Hash      [32]byte
}

// Sizes of the fixed part of a stored document and section, in bytes.
const (
	docSize = 4*12 + 8 + 32
	rowSize = 4*10 + 32
)

// heap is the blob of strings that fixed records point into.
type heap struct{ data []byte }

func (h *heap) put(s string) (offset uint32) {
	offset = uint32(len(h.data))
	h.data = append(h.data, s...)
	return offset
}

func appendDoc(b []byte, h *heap, d Doc) ([]byte, error) {
	meta, err := json.Marshal(d.Meta)
	if err != nil {
		return b, err
	}
	if string(meta) == "{}" {
		meta = nil
	}
	le := binary.LittleEndian
	path := h.put(d.Path)
	title := h.put(d.Title)
	metaAt := h.put(string(meta))
	for _, v := range []int{int(path), len(d.Path), int(title), len(d.Title), int(metaAt), len(meta),
		d.Source<<8 | d.Flags, d.TextBytes, d.HeadBytes, d.First, d.Sections, d.Tokens} {
		b = le.AppendUint32(b, uint32(v))
	}
	b = le.AppendUint64(b, uint64(d.TextOffset))
	return append(b, d.Hash[:]...), nil
}

func appendRow(b []byte, h *heap, r Row) []byte {
	le := binary.LittleEndian
	title := h.put(r.Title)
	leaf := h.put(r.Leaf)
	anchor := len(r.Anchor)
	if r.Anchor == r.Leaf {
		anchor = 0xffff // the usual case costs nothing
	} else {
		h.put(r.Anchor)
	}
	for _, v := range []uint32{
		uint32(r.Doc), uint32(r.Parent + 1), uint32(r.Start), uint32(r.End), uint32(r.BodyStart), uint32(r.Tokens),
		title, leaf, uint32(len(r.Title))<<8 | uint32(r.Level), uint32(len(r.Leaf))<<16 | uint32(anchor),
	} {
		b = le.AppendUint32(b, v)
	}
	return append(b, r.Hash[:]...)
}

func (s *Segment) string(offset, n uint32) string { return string(s.bytes(offset, n)) }

func (s *Segment) bytes(offset, n uint32) []byte {
	end := uint64(offset) + uint64(n)
	if end > uint64(len(s.heap)) {
		return nil
	}
	return s.heap[offset:end:end]
}

// docRecord and rowRecord are the fixed parts of a document and a section. What
// is asked for beyond the last, which only a forged segment can bring about, is
// empty.
func (s *Segment) docRecord(i int) []byte { return record(s.docs, i, docSize) }
func (s *Segment) rowRecord(i int) []byte { return record(s.rows, i, rowSize) }

func record(blob []byte, i, size int) []byte {
	if uint(i) >= uint(len(blob)/size) {
		return make([]byte, size)
	}
	return blob[i*size : (i+1)*size : (i+1)*size]
}

// Doc returns document i without its Meta, which FullDoc has to decode.
func (s *Segment) Doc(i int) Doc {
	rec := s.docRecord(i)
	u := func(k int) uint32 { return binary.LittleEndian.Uint32(rec[4*k:]) }
	d := Doc{
		Path: s.string(u(0), u(1)), Title: s.string(u(2), u(3)),
		Source: int(u(6) >> 8), Flags: int(u(6) & 0xff), TextBytes: int(u(7)), HeadBytes: int(u(8)),
		Tokens:     int(u(11)),
		TextOffset: int64(binary.LittleEndian.Uint64(rec[48:])),
	}
	copy(d.Hash[:], rec[56:])
	d.First, d.Sections = s.DocSections(i)
	return d
}

// FullDoc returns document i.
func (s *Segment) FullDoc(i int) Doc {
	d := s.Doc(i)
	rec := s.docRecord(i)[16:]
	if meta := s.string(binary.LittleEndian.Uint32(rec), binary.LittleEndian.Uint32(rec[4:])); meta != "" {
		_ = json.Unmarshal([]byte(meta), &d.Meta)
	}
	return d
}

// DocPath returns the path of document i, cheaper than Doc.
func (s *Segment) DocPath(i int) string { return string(s.docPath(i)) }

func (s *Segment) docPath(i int) []byte {
	rec := s.docRecord(i)
	return s.bytes(binary.LittleEndian.Uint32(rec), binary.LittleEndian.Uint32(rec[4:]))
}

// DocFlags returns the flags of document i.
func (s *Segment) DocFlags(i int) int {
	return int(binary.LittleEndian.Uint32(s.docRecord(i)[24:]) & 0xff)
}

// DocSections returns the first section of document i and how many it has,
// cheaper than Doc.
func (s *Segment) DocSections(i int) (first, n int) {
	rec := s.docRecord(i)
	first, n = int(binary.LittleEndian.Uint32(rec[36:])), int(binary.LittleEndian.Uint32(rec[40:]))
	if first+n > s.Sections() {
		return 0, 0
	}
	return first, n
}

// Row returns section i.
func (s *Segment) Row(i int) Row {
	rec := s.rowRecord(i)
	u := func(k int) uint32 { return binary.LittleEndian.Uint32(rec[4*k:]) }
	r := Row{
		Doc: int(u(0)), Parent: int(u(1)) - 1, Start: int(u(2)), End: int(u(3)), BodyStart: int(u(4)), Tokens: int(u(5)),
		Level: int(u(8) & 0xff), Title: s.string(u(6), u(8)>>8), Leaf: s.string(u(7), u(9)>>16),
		Marker: s.Marker(i),
	}
	switch n := u(9) & 0xffff; n {
	case 0xffff:
		r.Anchor = r.Leaf
	default:
		r.Anchor = s.string(u(7)+u(9)>>16, n)
	}
	copy(r.Hash[:], rec[40:])
	if r.Doc >= s.Docs() {
		r.Doc = 0
	}
	return r
}

// RowLeaf returns the level of section i, the parent section's number within the
// document, -1 for none, and its leaf, which lies in the mapped file: it is to be
// compared and not kept.
func (s *Segment) RowLeaf(i int) (level, parent int, leaf []byte) {
	rec := s.rowRecord(i)
	u := func(k int) uint32 { return binary.LittleEndian.Uint32(rec[4*k:]) }
	return int(u(8) & 0xff), int(u(1)) - 1, s.bytes(u(7), u(9)>>16)
}

// RowDoc returns the document of section i, cheaper than Row.
func (s *Segment) RowDoc(i int) int {
	if d := int(binary.LittleEndian.Uint32(s.rowRecord(i))); d < s.Docs() {
		return d
	}
	return 0
}

// RowTokens returns the tokens of section i, cheaper than Row.
func (s *Segment) RowTokens(i int) int {
	return int(binary.LittleEndian.Uint32(s.rowRecord(i)[20:]))
}

// Marker returns the first four bytes of the sha256 of section i's id.
func (s *Segment) Marker(i int) uint32 { return binary.LittleEndian.Uint32(record(s.markers, i, 4)) }

// ComparePaths orders doc_paths as the ids that begin with them are ordered,
// where "::" follows the path. Segments hold their documents in this order.
func ComparePaths(a, b string) int { return comparePaths(a, b) }

// comparePaths compares bytes with a string without making a string of them.
func comparePaths[T string | []byte](a T, b string) int {
	n := min(len(a), len(b))
	switch {
	case string(a[:n]) < b[:n]:
		return -1
	case string(a[:n]) > b[:n]:
		return 1
	case len(a) == len(b):
		return 0
	}
	return strings.Compare(string(a[n:])+"::", b[n:]+"::")
}

// FindDoc returns the number of the document with the given path.
func (s *Segment) FindDoc(path string) (int, bool) {
	lo, hi := 0, s.Docs()
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if comparePaths(s.docPath(mid), path) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < s.Docs() && string(s.docPath(lo)) == path
}

// RowHash returns the content hash of section i, cheaper than Row.
func (s *Segment) RowHash(i int) (h [32]byte) {
	copy(h[:], s.rowRecord(i)[40:])
	return h
}

// NumberOf returns the number of a document of this segment.
func (s *Segment) NumberOf(d Doc) int {
	if d.Sections > 0 {
		return s.RowDoc(d.First)
	}
	n, _ := s.FindDoc(d.Path)
	return n
}
