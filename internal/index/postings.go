package index

// This file reads lists of postings, encoded as segment.go tells.

// score adds one field's BM25 share to every section of the list: each
// with sat.share, written out because rankings spend half of their time here.
func (p postings) score(w float32, sat *saturation, lengths []uint32, sc *scratch) {
	data, section := p.data, ^uint32(0) // before the first one
	scores, touched := sc.score[:len(lengths)], sc.touched
	for i := 0; i < len(data); {
		v := uint32(data[i])
		i++
		if v >= 0x80 { // longer than a byte: rarer
			if i < len(data) && data[i] < 0x80 {
				v = v&0x7f | uint32(data[i])<<7
				i++
			} else {
				long, rest := uvarint(data[i-1:])
				if rest == nil || long>>1 > uint64(len(lengths)) {
					return
				}
				v, i = uint32(long), len(data)-len(rest)
			}
		}
		section += v >> 1
		if uint(section) >= uint(len(lengths)) || uint(section) >= uint(len(scores)) {
			return
		}
		length := lengths[section]
		touched[section/blockSections] = 1
		if v&1 != 0 && length < uint32(len(sat.once)) {
			scores[section] += float32(w * sat.once[length])
			continue
		}
		frequency := uint32(1)
		if v&1 == 0 {
			if i < len(data) && data[i] < 0x80 {
				frequency = uint32(data[i])
				i++
			} else {
				long, rest := uvarint(data[i:])
				if rest == nil {
					return
				}
				frequency, i = uint32(long), len(data)-len(rest)
			}
		}
		scores[section] += sat.share(w, length, frequency)
	}
}

// lift adds one field's BM25 share to every section of the list that has a
// score, and keeps the peaks.
func (p postings) lift(w float32, sat *saturation, lengths []uint32, sc *scratch) {
	scores, peaks := sc.score[:len(lengths)], sc.peaks
	var b batch
	for c := p.cursor(len(lengths)); c.next(&b); {
		for i, section := range b.sections[:b.n] {
			score := scores[section]
			if score == 0 {
				continue
			}
			score += sat.share(w, lengths[section], b.frequencies[i])
			scores[section] = score
			if block := section / blockSections; score > peaks[block] {
				peaks[block] = score
			}
		}
	}
}

// each calls f for every section of the list.
func (p postings) each(sections int, f func(section uint32)) {
	var b batch
	for c := p.cursor(sections); c.next(&b); {
		for _, section := range b.sections[:b.n] {
			f(section)
		}
	}
}

// batch is some postings of one list.
type batch struct {
	n           int
	sections    [batchPostings]uint32
	frequencies [batchPostings]uint32
}

// cursor goes through a list of a segment with so many sections.
type cursor struct {
	data     []byte
	behind   uint32 // the last section that was read, plus one
	sections uint32
}

func (p postings) cursor(sections int) cursor {
	return cursor{data: p.data, sections: uint32(sections)}
}

// next fills a batch and tells whether it holds anything. What is damaged ends
// the list: no section is named that the segment does not have.
func (c *cursor) next(b *batch) bool {
	for b.n = 0; b.n < batchPostings && len(c.data) > 0; b.n++ {
		v, rest := uvarint(c.data)
		frequency := uint64(1)
		if v&1 == 0 {
			frequency, rest = uvarint(rest)
		}
		section := c.behind + uint32(v>>1) - 1
		if rest == nil || v>>1 > uint64(c.sections) || section >= c.sections {
			c.data = nil
			break
		}
		c.data, c.behind = rest, section+1
		b.sections[b.n], b.frequencies[b.n] = section, uint32(frequency)
	}
	return b.n > 0
}

// uvarint reads a varint and returns what follows it, nil when it is damaged.
func uvarint(b []byte) (uint64, []byte) {
	if len(b) > 1 && b[1] < 0x80 && b[0] >= 0x80 {
		return uint64(b[0]&0x7f) | uint64(b[1])<<7, b[2:]
	}
	v, shift := uint64(0), uint(0)
	for i, c := range b {
		if shift > 63 {
			return 0, nil
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, b[i+1:]
		}
		shift += 7
	}
	return 0, nil
}
