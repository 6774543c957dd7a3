package offline

import (
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"evergreen/internal/text"
)

// This file inverts sections by the same analysis as the server's index, so
// that both rank alike.

// inverter collects postings. Its two fields are the title chain and the body.
type inverter struct {
	ids    map[string]int
	terms  []string
	lists  [2][]postings // by field, by term
	lens   [2][]int      // by field, by section: terms, as BM25 counts them
	words  map[string]bool
	counts map[int]int // of the field at hand
}

// postings are the sections of one term, encoded as they come.
type postings struct {
	data  []byte
	count int
	last  int // section of the last posting, plus one
}

func newInverter() *inverter {
	return &inverter{ids: map[string]int{}, words: map[string]bool{}, counts: map[int]int{}}
}

// add inverts one section; sections are numbered as they come.
func (v *inverter) add(title, body string) {
	section := len(v.lens[0])
	for field, s := range []string{title, body} {
		v.lens[field] = append(v.lens[field], v.count(s))
		for _, id := range v.counted() {
			v.lists[field][id].add(section, v.counts[id])
		}
		clear(v.counts)
	}
}

// count counts the terms of s and returns how many make up its length.
func (v *inverter) count(s string) int {
	length := 0
	for at := 0; ; {
		u, next, ok := text.NextUnit(s, at)
		if !ok {
			return length
		}
		at = next
		surface := s[u.Start:u.End]
		t := text.Expand(surface, u.CJK)
		length += len(t.Base)
		for _, list := range [][]string{t.Base, t.Extra} {
			for _, term := range list {
				v.counts[v.id(term)]++
			}
		}
		if k := text.Keyword(surface, u.CJK); k != "" && !u.CJK {
			v.words[k] = true
		}
	}
}

func (v *inverter) id(term string) int {
	id, ok := v.ids[term]
	if !ok {
		id = len(v.terms)
		term = strings.Clone(term)
		v.ids[term] = id
		v.terms = append(v.terms, term)
		for field := range v.lists {
			v.lists[field] = append(v.lists[field], postings{})
		}
	}
	return id
}

func (v *inverter) counted() []int {
	ids := make([]int, 0, len(v.counts))
	for id := range v.counts {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (p *postings) add(section, frequency int) {
	delta := uint64(section + 1 - p.last)
	p.last = section + 1
	p.count++
	if frequency == 1 {
		p.data = binary.AppendUvarint(p.data, delta<<1|1)
		return
	}
	p.data = binary.AppendUvarint(p.data, delta<<1)
	p.data = binary.AppendUvarint(p.data, uint64(frequency))
}

// encode returns the three blocks of an index: lengths, terms, postings.
func (v *inverter) encode() (lengths, terms, lists []byte) {
	for field := range v.lens {
		for _, n := range v.lens[field] {
			lengths = binary.AppendUvarint(lengths, uint64(n))
		}
	}
	order := make([]int, len(v.terms))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return v.terms[order[i]] < v.terms[order[j]] })
	before := ""
	for _, id := range order {
		term := v.terms[id]
		shared := 0
		for shared < min(len(term), len(before)) && term[shared] == before[shared] {
			shared++
		}
		head := uint64(shared) << 1
		if v.words[term] {
			head |= 1
		}
		terms = binary.AppendUvarint(terms, head)
		terms = binary.AppendUvarint(terms, uint64(len(term)-shared))
		terms = append(terms, term[shared:]...)
		before = term
		for field := range v.lists {
			p := v.lists[field][id]
			lists = binary.AppendUvarint(lists, uint64(p.count))
			lists = binary.AppendUvarint(lists, uint64(len(p.data)))
			lists = append(lists, p.data...)
		}
	}
	return lengths, terms, lists
}
