package index

import (
	"encoding/binary"
	"sort"

	"evergreen/internal/text"
)

// Builder collects sections and encodes them as a segment. It is not safe for
// concurrent use; several builders may work side by side.
type Builder struct {
	units    map[string]*unit // surface form to what it contributes
	ids      map[string]uint32
	terms    []string
	title    []list
	body     []list
	titleLen []uint32
	bodyLen  []uint32
	starts   []uint32 // bit set of the sections that begin a document
	start    bool     // the next section begins one
	words    map[string]uint32
	wordList []string
	keywords [][]uint32

	counts  []uint32 // by term, of the field at hand
	touched []uint32
	seen    []seenUnit // keyword candidates of the section at hand
	mark    int        // number of the section at hand, plus one
}

// unit remembers the analysis of one surface form.
type unit struct {
	base, extra []uint32
	keyword     int32 // number of its keyword, -1 when it is none
	seenIn      int   // mark of the section that holds it
	slot        int   // its place in seen
}

type seenUnit struct {
	keyword uint32
	count   int
}

// list is a growing postings list.
type list struct {
	data  []byte
	count uint32
	last  uint32 // section of the last posting, plus one
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	return &Builder{
		units: map[string]*unit{},
		ids:   map[string]uint32{},
		words: map[string]uint32{},
	}
}

// StartDocument makes the next section the first of a document. The sections of
// one document speak for each other when they are ranked.
func (b *Builder) StartDocument() { b.start = true }

// Add indexes one section and returns its number. Title is the chain of
// headings with the words of the path; body is the section's own text.
func (b *Builder) Add(title, body string) uint32 {
	n := uint32(len(b.titleLen))
	b.mark = int(n) + 1
	if n%32 == 0 {
		b.starts = append(b.starts, 0)
	}
	if b.start || n == 0 {
		b.starts[n/32] |= 1 << (n % 32)
		b.start = false
	}
	b.titleLen = append(b.titleLen, b.field(title, n, false))
	b.seen = b.seen[:0]
	b.bodyLen = append(b.bodyLen, b.field(body, n, true))
	b.keywords = append(b.keywords, b.topKeywords())
	return n
}

// Len returns how many sections were added.
func (b *Builder) Len() int { return len(b.titleLen) }

// field counts the terms of s, appends them to the postings of one of the two
// fields and returns the field's length in terms.
func (b *Builder) field(s string, section uint32, body bool) uint32 {
	length := uint32(0)
	for i := 0; ; {
		u, next, ok := text.NextUnit(s, i)
		if !ok {
			break
		}
		i = next
		w := b.unit(s[u.Start:u.End], u.CJK)
		for _, id := range w.base {
			b.count(id)
		}
		length += uint32(len(w.base))
		for _, id := range w.extra {
			b.count(id)
		}
		if body && w.keyword >= 0 {
			b.see(w)
		}
	}
	lists := b.title
	if body {
		lists = b.body
	}
	for _, id := range b.touched {
		lists[id].add(section, b.counts[id])
		b.counts[id] = 0
	}
	b.touched = b.touched[:0]
	return length
}

func (b *Builder) count(id uint32) {
	if b.counts[id] == 0 {
		b.touched = append(b.touched, id)
	}
	b.counts[id]++
}

func (b *Builder) unit(surface string, cjk bool) *unit {
	if w, ok := b.units[surface]; ok {
		return w
	}
	t := text.Expand(surface, cjk)
	w := &unit{keyword: -1}
	for _, s := range t.Base {
		w.base = append(w.base, b.intern(s))
	}
	for _, s := range t.Extra {
		w.extra = append(w.extra, b.intern(s))
	}
	if k := text.Keyword(surface, cjk); k != "" {
		w.keyword = int32(b.word(k))
	}
	b.units[cloneString(surface)] = w
	return w
}

func (b *Builder) intern(term string) uint32 {
	if id, ok := b.ids[term]; ok {
		return id
	}
	id := uint32(len(b.terms))
	term = cloneString(term)
	b.ids[term] = id
	b.terms = append(b.terms, term)
	b.title = append(b.title, list{})
	b.body = append(b.body, list{})
	b.counts = append(b.counts, 0)
	return id
}

func cloneString(s string) string { return string([]byte(s)) }

func (b *Builder) word(w string) uint32 {
	if id, ok := b.words[w]; ok {
		return id
	}
	id := uint32(len(b.wordList))
	w = cloneString(w)
	b.words[w] = id
	b.wordList = append(b.wordList, w)
	return id
}

func (b *Builder) see(w *unit) {
	if w.seenIn == b.mark {
		b.seen[w.slot].count++
		return
	}
	w.seenIn, w.slot = b.mark, len(b.seen)
	b.seen = append(b.seen, seenUnit{uint32(w.keyword), 1})
}

// topKeywords orders by frequency, then by first appearance. Surface forms that
// differ in case only are one keyword.
func (b *Builder) topKeywords() []uint32 {
	merged := b.seen[:0]
	for _, s := range b.seen {
		at := -1
		if len(merged) <= keywordMergeScan {
			for i := range merged {
				if merged[i].keyword == s.keyword {
					at = i
					break
				}
			}
		}
		if at >= 0 {
			merged[at].count += s.count
			continue
		}
		merged = append(merged, s)
	}
	sort.SliceStable(merged, func(i, j int) bool { return merged[i].count > merged[j].count })
	var out []uint32
	for _, s := range merged {
		if len(out) == keywordsPerSection {
			break
		}
		if !contains(out, s.keyword) {
			out = append(out, s.keyword)
		}
	}
	return out
}

func contains(list []uint32, v uint32) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

func (l *list) add(section, frequency uint32) {
	delta := uint64(section + 1 - l.last)
	l.last = section + 1
	l.count++
	if frequency == 1 {
		l.data = binary.AppendUvarint(l.data, delta<<1|1)
		return
	}
	l.data = binary.AppendUvarint(l.data, delta<<1)
	l.data = binary.AppendUvarint(l.data, uint64(frequency))
}
