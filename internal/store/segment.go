package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"unsafe"

	mmap "github.com/edsrzf/mmap-go"

	"evergreen"
)

// A segment file is
//
//	magic "EGSG", uint32 version, uint32 documents, uint32 sections,
//	for each of the five blobs: uint64 offset, uint64 size, uint32 crc32, uint32 zero
//	uint32 crc32 of all of the above, uint32 zero
//	the blobs: documents, rows, heap, markers, index; each at a multiple of 8
const (
	segmentMagic = "EGSG"
	blobCount    = 5
	segmentHead  = 16 + blobCount*24 + 8
)

// Segment is an opened segment, mapped from disk. It is safe for concurrent
// use until closed.
type Segment struct {
	docs, rows, heap, markers, index []byte
	parts                            [blobCount]filePart
	bad                              [blobCount]bool // parts that do not match their checksum
	mapped                           mmap.MMap
	text                             *os.File
	textBytes                        int64
	name                             string
}

// filePart is where a blob lies and what its checksum is.
type filePart struct {
	offset, size int64
	sum          uint32
}

// Numbers of the blobs.
const (
	blobDocs = iota
	blobRows
	blobHeap
)

// OpenSegment maps segment number n of a collection. Every byte is compared
// with its checksum first: what comes from an open segment is what was written.
// Texts are compared when they are read.
func (l *Library) OpenSegment(name string, n int) (*Segment, error) {
	s, err := l.mapSegment(name, n)
	if err == nil && s.bad != [blobCount]bool{} {
		s.Close()
		return nil, damaged(name, "segment "+strconv.Itoa(n)+" does not match its checksums")
	}
	return s, err
}

// mapSegment maps a segment and notes which of its parts are damaged.
func (l *Library) mapSegment(name string, n int) (*Segment, error) {
	base := filepath.Join(l.dir(name), strconv.Itoa(n))
	file, err := os.Open(base + ".seg")
	if err != nil {
		return nil, segmentError(name, n, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, segmentError(name, n, err)
	}
	if info.Size() < segmentHead {
		return nil, damaged(name, "segment "+strconv.Itoa(n)+" is cut short")
	}
	data, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		return nil, readError(err)
	}
	s := &Segment{mapped: data, name: name}
	if !s.slice(data) {
		_ = data.Unmap()
		return nil, damaged(name, "segment "+strconv.Itoa(n)+" does not hold together")
	}
	s.verify(file)
	if s.text, err = os.Open(base + ".text"); err != nil {
		_ = data.Unmap()
		return nil, segmentError(name, n, err)
	}
	if info, err := s.text.Stat(); err == nil {
		s.textBytes = info.Size()
	}
	return s, nil
}

// verify compares the parts with their checksums. It reads the file instead of
// what is mapped: pages that nobody asks for are not drawn into memory, and a
// disk that fails gives an error instead of a signal.
func (s *Segment) verify(file io.ReaderAt) {
	buffer := make([]byte, verifyBuffer)
	for i, part := range s.parts {
		sum := crc32.NewIEEE()
		_, err := io.CopyBuffer(sum, io.NewSectionReader(file, part.offset, part.size), buffer)
		s.bad[i] = err != nil || sum.Sum32() != part.sum
	}
}

// slice cuts the file into its blobs and tells whether they make sense.
func (s *Segment) slice(data []byte) bool {
	le := binary.LittleEndian
	if string(data[:4]) != segmentMagic || le.Uint32(data[4:]) != formatVersion ||
		le.Uint32(data[segmentHead-8:]) != crc32.ChecksumIEEE(data[:segmentHead-8]) {
		return false
	}
	blobs := [blobCount]*[]byte{&s.docs, &s.rows, &s.heap, &s.markers, &s.index}
	for i, blob := range blobs {
		rec := data[16+24*i:]
		off, size := le.Uint64(rec), le.Uint64(rec[8:])
		if off > uint64(len(data)) || size > uint64(len(data))-off {
			return false
		}
		*blob = data[off : off+size : off+size]
		s.parts[i] = filePart{int64(off), int64(size), le.Uint32(rec[16:])}
	}
	docs, sections := int(le.Uint32(data[8:])), int(le.Uint32(data[12:]))
	return docs >= 0 && sections >= 0 && len(s.docs) == docs*docSize && len(s.rows) == sections*rowSize && len(s.markers) == 4*sections
}

// Close unmaps the segment.
func (s *Segment) Close() {
	_ = s.text.Close()
	_ = s.mapped.Unmap()
}

// Docs returns how many documents the segment holds, dead ones included.
func (s *Segment) Docs() int { return len(s.docs) / docSize }

// Sections returns how many sections the segment holds, dead ones included.
func (s *Segment) Sections() int { return len(s.rows) / rowSize }

// Index returns the opaque index bytes.
func (s *Segment) Index() []byte { return s.index }

// DocText returns a document's text. It is Damaged when it is not what was
// stored.
func (s *Segment) DocText(d Doc) ([]byte, error) {
	text, err := s.read(d, 0, d.TextBytes)
	if err == nil && sha256.Sum256(text) != d.Hash {
		err = damaged(s.name, "the text of "+d.Path+" is not what was indexed")
	}
	return text, err
}

// RowText returns the text of section i from the given byte of its document
// on, or from the section's own beginning when that is later. It is Damaged
// when the section is not what was stored.
func (s *Segment) RowText(d Doc, i, from int) ([]byte, error) {
	rec := s.rowRecord(i)
	start := int(binary.LittleEndian.Uint32(rec[8:]))
	text, err := s.read(d, start, int(binary.LittleEndian.Uint32(rec[12:])))
	if err == nil && sha256.Sum256(text) != [sha256.Size]byte(rec[40:]) {
		err = damaged(s.name, "a section of "+d.Path+" is not what was indexed")
	}
	if err != nil {
		return nil, err
	}
	return text[min(max(from-start, 0), len(text)):], nil
}

// read reads the byte range [start, end) of a document's text.
func (s *Segment) read(d Doc, start, end int) ([]byte, error) {
	start, end = max(start, 0), min(end, d.TextBytes)
	if start >= end {
		return nil, nil
	}
	if d.TextOffset < 0 || d.TextOffset > s.textBytes-int64(end) {
		return nil, damaged(s.name, "a text is cut short")
	}
	buf := make([]byte, end-start)
	if _, err := s.text.ReadAt(buf, d.TextOffset+int64(start)); err != nil {
		return nil, readError(err)
	}
	return buf, nil
}

func segmentError(name string, n int, err error) error {
	if os.IsNotExist(err) {
		return damaged(name, "segment "+strconv.Itoa(n)+" is missing")
	}
	return readError(err)
}

// SegmentWriter collects documents for one segment. Texts go to disk at once,
// rows stay in memory. Documents must come in the order of ComparePaths.
type SegmentWriter struct {
	dir     string
	number  int
	file    *os.File
	text    *bufio.Writer
	offset  int64
	docs    []byte
	rows    []byte
	markers []byte
	heap    heap
	info    SegmentInfo
}

// NewSegment begins segment number n of a collection.
func (w *Writer) NewSegment(name string, n int) (*SegmentWriter, error) {
	dir := w.lib.dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, writeError(err)
	}
	file, err := createNew(filepath.Join(dir, strconv.Itoa(n)+".text"))
	if err != nil {
		return nil, writeError(err)
	}
	return &SegmentWriter{
		dir: dir, number: n, file: file, text: bufio.NewWriterSize(file, 1<<18),
		info: SegmentInfo{Number: n},
	}, nil
}

// createNew makes a file that was not there: one of the same name, left behind by
// an interrupted write, may still be mapped by a reader and must not change.
func createNew(name string) (*os.File, error) {
	_ = os.Remove(name)
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// Add appends a document with its text and sections. It fills in where the
// text lies and which sections belong to the document.
func (s *SegmentWriter) Add(d Doc, text []byte, rows []Row) error {
	number := s.info.Documents
	d.TextOffset, d.TextBytes = s.offset, len(text)
	d.First, d.Sections = s.info.Sections, len(rows)
	d.Tokens = 0
	le := binary.LittleEndian
	for _, r := range rows {
		r.Doc = number
		d.Tokens += r.Tokens
		s.rows = appendRow(s.rows, &s.heap, r)
		s.markers = le.AppendUint32(s.markers, r.Marker)
	}
	var err error
	if s.docs, err = appendDoc(s.docs, &s.heap, d); err != nil {
		return err
	}
	if _, err := s.text.Write(text); err != nil {
		return writeError(err)
	}
	s.offset += int64(len(text))
	s.info.Documents++
	if d.Flags&FlagEntry != 0 {
		s.info.Entries++
	}
	if d.Flags&FlagDraft != 0 {
		s.info.Drafts++
	}
	s.info.Sections += len(rows)
	s.info.Tokens += d.Tokens
	s.info.TextBytes += int64(len(text))
	return nil
}

// Finish writes the segment to disk and returns what the manifest says of it.
func (s *SegmentWriter) Finish(index []byte) (SegmentInfo, error) {
	err := s.text.Flush()
	if err == nil {
		err = s.file.Sync()
	}
	if cerr := s.file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return SegmentInfo{}, writeError(err)
	}
	if err := s.writeRows(index); err != nil {
		return SegmentInfo{}, writeError(err)
	}
	return s.info, syncDir(s.dir)
}

// Abandon removes what was written.
func (s *SegmentWriter) Abandon() {
	_ = s.file.Close()
	base := filepath.Join(s.dir, strconv.Itoa(s.number))
	_ = os.Remove(base + ".text")
	_ = os.Remove(base + ".seg")
}

func (s *SegmentWriter) writeRows(index []byte) error {
	blobs := [blobCount][]byte{s.docs, s.rows, s.heap.data, s.markers, index}
	le := binary.LittleEndian
	head := append([]byte{}, segmentMagic...)
	head = le.AppendUint32(head, formatVersion)
	head = le.AppendUint32(head, uint32(s.info.Documents))
	head = le.AppendUint32(head, uint32(s.info.Sections))
	offset := align8(segmentHead)
	for _, b := range blobs {
		head = le.AppendUint64(head, uint64(offset))
		head = le.AppendUint64(head, uint64(len(b)))
		head = le.AppendUint32(head, crc32.ChecksumIEEE(b))
		head = le.AppendUint32(head, 0)
		offset = align8(offset + len(b))
	}
	head = le.AppendUint32(head, crc32.ChecksumIEEE(head))
	head = le.AppendUint32(head, 0)
	file, err := createNew(filepath.Join(s.dir, strconv.Itoa(s.number)+".seg"))
	if err != nil {
		return err
	}
	err = writeAligned(file, append([][]byte{head}, blobs[:]...))
	if err == nil {
		err = file.Sync()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	return err
}

func writeAligned(w io.Writer, parts [][]byte) error {
	var pad [8]byte
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
		if n := align8(len(p)) - len(p); n > 0 {
			if _, err := w.Write(pad[:n]); err != nil {
				return err
			}
		}
	}
	return nil
}

func align8(n int) int { return (n + 7) &^ 7 }

// SameSegment tells whether s was opened from the file that is segment n of
// the collection now.
func (l *Library) SameSegment(name string, n int, s *Segment) bool {
	info, err := os.Stat(filepath.Join(l.dir(name), strconv.Itoa(n)+".text"))
	if err != nil {
		return false
	}
	opened, err := s.text.Stat()
	return err == nil && os.SameFile(info, opened)
}

// Bytes returns the size of what is mapped.
func (s *Segment) Bytes() int64 { return int64(len(s.mapped)) }

// TextBytes returns the size of the file with the segment's texts.
func (s *Segment) TextBytes() int64 { return s.textBytes }

// Name returns the name of the segment's collection.
func (s *Segment) Name() string { return s.name }

// Holds tells whether an address lies in what is mapped.
func (s *Segment) Holds(address uintptr) bool {
	if len(s.mapped) == 0 {
		return false
	}
	first := uintptr(unsafe.Pointer(&s.mapped[0]))
	return address >= first && address-first < uintptr(len(s.mapped))
}

// Vanished is the error for a segment that could be read when it was opened and
// cannot any more; name may be "" where nobody knows which.
func Vanished(name string) error {
	const what = "a file of it became shorter, or its disk fails"
	if name == "" {
		return evergreen.Errorf(evergreen.Damaged, "a collection can no longer be read: %s", what).Fix("Run `evergreen doctor` to see what is affected.")
	}
	return damaged(name, what)
}

// CutShort is the error for a segment whose texts end too early.
func CutShort(name string, n int) error {
	return damaged(name, "the texts of segment "+strconv.Itoa(n)+" are cut short")
}

// Number returns the segment's number.
func (s *SegmentWriter) Number() int { return s.number }
