package index

// This file encodes what a builder has collected, as segment.go tells.

import (
	"encoding/binary"
	"sort"
)

// Bytes encodes all that was added.
func (b *Builder) Bytes() []byte {
	order := sortedOrder(b.terms)
	words := sortedOrder(b.wordList)
	rank := make([]uint32, len(words))
	for i, w := range words {
		rank[w] = uint32(i)
	}
	var postings []byte
	postOff := make([]uint32, 0, len(order)+1)
	for _, id := range order {
		postOff = append(postOff, uint32(len(postings)))
		postings = binary.AppendUvarint(postings, uint64(b.title[id].count))
		postings = binary.AppendUvarint(postings, uint64(len(b.title[id].data)))
		postings = binary.AppendUvarint(postings, uint64(b.body[id].count))
		postings = append(postings, b.title[id].data...)
		postings = append(postings, b.body[id].data...)
	}
	postOff = append(postOff, uint32(len(postings)))
	termBlob, termOff := joinStrings(b.terms, order)
	wordBlob, wordOff := joinStrings(b.wordList, words)
	var rows []byte
	rowOff := make([]uint32, 0, len(b.keywords)+1)
	for _, k := range b.keywords {
		rowOff = append(rowOff, uint32(len(rows)))
		for _, w := range k {
			rows = binary.AppendUvarint(rows, uint64(rank[w]))
		}
	}
	rowOff = append(rowOff, uint32(len(rows)))

	le := binary.LittleEndian
	out := make([]byte, 0, headerSize+4*(2*len(b.titleLen)+len(termOff)+len(postOff)+len(wordOff)+len(rowOff)+len(b.starts))+
		len(termBlob)+len(postings)+len(wordBlob)+len(rows))
	out = append(out, magic...)
	for _, v := range []int{len(b.titleLen), len(order), len(words), len(termBlob), len(postings), len(wordBlob), len(rows), 0, 0} {
		out = le.AppendUint32(out, uint32(v))
	}
	out = le.AppendUint64(out, total(b.titleLen))
	out = le.AppendUint64(out, total(b.bodyLen))
	for _, column := range [][]uint32{b.titleLen, b.bodyLen, termOff, postOff, wordOff, rowOff, b.starts} {
		for _, v := range column {
			out = le.AppendUint32(out, v)
		}
	}
	for _, blob := range [][]byte{termBlob, postings, wordBlob, rows} {
		out = append(out, blob...)
	}
	return out
}

func sortedOrder(list []string) []uint32 {
	order := make([]uint32, len(list))
	for i := range order {
		order[i] = uint32(i)
	}
	sort.Slice(order, func(i, j int) bool { return list[order[i]] < list[order[j]] })
	return order
}

func joinStrings(list []string, order []uint32) (blob []byte, off []uint32) {
	for _, i := range order {
		off = append(off, uint32(len(blob)))
		blob = append(blob, list[i]...)
	}
	return blob, append(off, uint32(len(blob)))
}

func total(lengths []uint32) uint64 {
	sum := uint64(0)
	for _, l := range lengths {
		sum += uint64(l)
	}
	return sum
}
