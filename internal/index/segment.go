// Package index ranks sections by their words. It holds an inverted index in
// immutable segments, encoded into plain bytes that can be mapped from disk,
// with two BM25 fields (title chain and body) whose scores are added. It knows
// section numbers only: documents, ids and files belong to others.
package index

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"
	"sync/atomic"
	"unsafe"
)

// A segment is laid out as
//
//	magic "EGX2", then nine little-endian uint32:
//	sections, terms, words, size of term blob, of postings, of word blob,
//	of keywords, two reserved
//	uint64 total title length, uint64 total body length
//	uint32[sections] title lengths, uint32[sections] body lengths
//	uint32[terms+1] offsets into the term blob, uint32[terms+1] into postings
//	uint32[words+1] offsets into the word blob
//	uint32[sections+1] offsets into keywords
//	uint32[(sections+31)/32] bit set of the sections that begin a document
//	term blob, postings, word blob, keywords
//
// Terms are sorted by bytes. The postings of a term are uvarint(count in
// titles), uvarint(bytes of those), uvarint(count in bodies), the title
// postings, then the body postings.
// A posting is uvarint(delta<<1|once); uvarint(frequency) follows unless once.
// Keywords of a section are uvarint numbers of words.
const (
	magic      = "EGX2"
	headerSize = 4 + 9*4 + 2*8
)

// errDamaged tells that bytes are not a segment.
var errDamaged = errors.New("index segment is damaged")

// Segment is an opened segment. It keeps referring to the bytes it was opened
// from and is safe for concurrent use.
type Segment struct {
	sections    int
	TitleTotal  uint64 // sum of title lengths, in terms
	BodyTotal   uint64
	titleLen    []uint32
	bodyLen     []uint32
	termOff     []uint32
	postOff     []uint32
	wordOff     []uint32
	keywordOff  []uint32
	starts      []uint32 // bit set of the sections that begin a document
	terms       string
	postings    []byte
	words       string
	keywordRows []byte
	// guide holds the beginnings of the terms that looking a term up compares
	// first, by their place in the tree of halvings; 0 before that.
	guide []atomic.Uint64
}

// Open reads a segment from data, which must stay unchanged while it is used.
func Open(data []byte) (*Segment, error) {
	if len(data) < headerSize || string(data[:4]) != magic {
		return nil, errDamaged
	}
	u32 := func(i int) uint64 { return uint64(binary.LittleEndian.Uint32(data[4+4*i:])) }
	n, terms, words := u32(0), u32(1), u32(2)
	blobs := []uint64{u32(3), u32(4), u32(5), u32(6)}
	want := uint64(headerSize) + 4*(2*n+2*(terms+1)+words+1+n+1+(n+31)/32)
	for _, b := range blobs {
		want += b
	}
	if want != uint64(len(data)) {
		return nil, errDamaged
	}
	s := &Segment{
		sections:   int(n),
		TitleTotal: binary.LittleEndian.Uint64(data[40:]),
		BodyTotal:  binary.LittleEndian.Uint64(data[48:]),
	}
	rest := data[headerSize:]
	s.titleLen, rest = takeUint32s(rest, n)
	s.bodyLen, rest = takeUint32s(rest, n)
	s.termOff, rest = takeUint32s(rest, terms+1)
	s.postOff, rest = takeUint32s(rest, terms+1)
	s.wordOff, rest = takeUint32s(rest, words+1)
	s.keywordOff, rest = takeUint32s(rest, n+1)
	s.starts, rest = takeUint32s(rest, (n+31)/32)
	s.terms, rest = takeString(rest, blobs[0])
	s.postings, rest = rest[:blobs[1]], rest[blobs[1]:]
	s.words, rest = takeString(rest, blobs[2])
	s.keywordRows = rest
	s.guide = make([]atomic.Uint64, min(terms/guideShare, maxGuide))
	return s, nil
}

func takeUint32s(b []byte, n uint64) ([]uint32, []byte) {
	if n == 0 {
		return nil, b
	}
	if uintptr(unsafe.Pointer(&b[0]))%4 == 0 && littleEndian() {
		return unsafe.Slice((*uint32)(unsafe.Pointer(&b[0])), n), b[4*n:]
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out, b[4*n:]
}

func littleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

func takeString(b []byte, n uint64) (string, []byte) {
	if n == 0 {
		return "", b
	}
	return unsafe.String(&b[0], n), b[n:]
}

// Sections returns how many sections the segment holds.
func (s *Segment) Sections() int { return s.sections }

// Lengths returns the field lengths of a section, in terms.
func (s *Segment) Lengths(section uint32) (title, body uint32) {
	return s.titleLen[section], s.bodyLen[section]
}

// document returns the first section of the document that holds a section, and
// the one behind its last.
func (s *Segment) document(section uint32) (first, end uint32) {
	w := section >> 5
	below := s.starts[w] & (uint32(2)<<(section&31) - 1)
	for below == 0 && w > 0 {
		w--
		below = s.starts[w]
	}
	if below != 0 {
		first = w<<5 + uint32(bits.Len32(below)) - 1
	}
	w = section >> 5
	above := s.starts[w] &^ (uint32(2)<<(section&31) - 1)
	for above == 0 {
		if w++; int(w) == len(s.starts) {
			return first, uint32(s.sections)
		}
		above = s.starts[w]
	}
	return first, min(w<<5+uint32(bits.TrailingZeros32(above)), uint32(s.sections))
}

func (s *Segment) termCount() int { return len(s.termOff) - 1 }

func (s *Segment) term(i int) string { return slice(s.terms, s.termOff, i) }

func slice(blob string, off []uint32, i int) string {
	a, b := off[i], off[i+1]
	if a > b || uint64(b) > uint64(len(blob)) {
		return ""
	}
	return blob[a:b]
}

// find returns the number of a term.
func (s *Segment) find(term string) (int, bool) {
	i := s.lowerBound(term)
	return i, i < s.termCount() && s.term(i) == term
}

// lowerBound returns the number of the first term not below the given one.
func (s *Segment) lowerBound(term string) int {
	lo, hi, key := 0, s.termCount(), beginning(term)
	for node := 1; lo < hi; {
		mid := int(uint(lo+hi) >> 1)
		if s.below(mid, node, term, key) {
			lo, node = mid+1, 2*node+1
		} else {
			hi, node = mid, 2*node
		}
	}
	return lo
}

// below tells whether term number mid, a node of the tree that halving walks
// down, is below the given one. The upper nodes are decided by the guide as a
// rule, far from which the terms lie.
func (s *Segment) below(mid, node int, term string, key uint64) bool {
	if node < len(s.guide) {
		at := s.guide[node].Load()
		if at == 0 {
			at = beginning(s.term(mid))
			s.guide[node].Store(at)
		}
		if at != key {
			return at < key
		}
	}
	return s.term(mid) < term
}

// beginning is the first eight bytes of a term, in an order that is that of terms
// which differ in them.
func beginning(term string) (key uint64) {
	if len(term) >= 8 {
		return binary.BigEndian.Uint64(unsafe.Slice(unsafe.StringData(term), 8))
	}
	for i := range len(term) {
		key |= uint64(term[i]) << (56 - 8*i)
	}
	return key
}

// postings is one encoded list and how many sections it names.
type postings struct {
	data  []byte
	count uint64
}

// lists returns the title and body postings of term i. Damaged ones are empty.
func (s *Segment) lists(i int) (title, body postings) {
	a, b := s.postOff[i], s.postOff[i+1]
	if a > b || uint64(b) > uint64(len(s.postings)) {
		return postings{}, postings{}
	}
	p := s.postings[a:b]
	var head [3]uint64 // title count, title bytes, body count
	for k := range head {
		if len(p) > 0 && p[0] < 0x80 {
			head[k], p = uint64(p[0]), p[1:]
			continue
		}
		v, rest := uvarint(p)
		if rest == nil {
			return postings{}, postings{}
		}
		head[k], p = v, rest
	}
	if head[1] > uint64(len(p)) {
		return postings{}, postings{}
	}
	return postings{p[:head[1]], head[0]}, postings{p[head[1]:], head[2]}
}

// Keywords returns the keywords of a section, most frequent first. They are
// copies: they outlive the segment.
func (s *Segment) Keywords(section uint32) []string {
	a, b := s.keywordOff[section], s.keywordOff[section+1]
	if a > b || uint64(b) > uint64(len(s.keywordRows)) {
		return nil
	}
	var out []string
	for row := s.keywordRows[a:b]; len(row) > 0; {
		w, n := binary.Uvarint(row)
		if n <= 0 || w >= uint64(len(s.wordOff)-1) {
			return out
		}
		out = append(out, strings.Clone(slice(s.words, s.wordOff, int(w))))
		row = row[n:]
	}
	return out
}
