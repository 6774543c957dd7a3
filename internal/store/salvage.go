package store

// Remains is what is left of a damaged segment: the documents whose record and
// text are still what was written.
type Remains struct {
	seg  *Segment
	Docs int // documents that can be asked for, 0 when their records are gone
}

// Remains opens a segment that OpenSegment refuses. It fails when nothing of it
// can be read.
func (l *Library) Remains(name string, n int) (*Remains, error) {
	s, err := l.mapSegment(name, n)
	if err != nil {
		return nil, err
	}
	r := &Remains{seg: s}
	if !s.bad[blobDocs] && !s.bad[blobHeap] {
		r.Docs = s.Docs()
	}
	return r, nil
}

// Doc returns document i with its text, and false when either is damaged. The
// row of a curated entry is needed too.
func (r *Remains) Doc(i int) (d Doc, text []byte, row Row, ok bool) {
	d = r.seg.FullDoc(i)
	if d.Flags&FlagEntry != 0 {
		if r.seg.bad[blobRows] || d.Sections == 0 {
			return d, nil, row, false
		}
		row = r.seg.Row(d.First)
	}
	text, err := r.seg.DocText(d)
	return d, text, row, err == nil
}

// Close ends the reading.
func (r *Remains) Close() { r.seg.Close() }
