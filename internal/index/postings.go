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
	data, section := p.data, ^uint32(0)
	scores, peaks := sc.score[:len(lengths)], sc.peaks
	for i := 0; i < len(data); {
		v := uint32(data[i])
		i++
		if v >= 0x80 {
			long, rest := uvarint(data[i-1:])
			if rest == nil || long>>1 > uint64(len(lengths)) {
				return
			}
			v, i = uint32(long), len(data)-len(rest)
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
		section += v >> 1
		if uint(section) >= uint(len(lengths)) || uint(section) >= uint(len(scores)) {
			return
		}
		score := scores[section]
		if score == 0 {
			continue
		}
		score += sat.share(w, lengths[section], frequency)
		scores[section] = score
		if block := section / blockSections; score > peaks[block] {
			peaks[block] = score
		}
	}
}

// each calls f for every posting.
func (p postings) each(sections int, f func(section, frequency uint32)) {
	data, next := p.data, uint32(0)
	for len(data) > 0 {
		var v uint64
		v, data = uvarint(data)
		frequency := uint64(1)
		if v&1 == 0 {
			frequency, data = uvarint(data)
		}
		section := next + uint32(v>>1) - 1
		next = section + 1
		if int(section) >= sections {
			return
		}
		f(section, uint32(frequency))
	}
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
