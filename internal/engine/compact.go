package engine

import (
	"context"
	"slices"

	"evergreen"
	"evergreen/internal/format"
	"evergreen/internal/index"
	"evergreen/internal/section"
	"evergreen/internal/store"
)

// compact rewrites segments when small ones have become many, or when most of
// one is dead.
func (r *run) compact(ctx context.Context) error {
	numbers := r.worthMerging()
	if len(numbers) == 0 {
		return nil
	}
	docs, err := r.liveDocs(numbers)
	if err != nil {
		return err
	}
	return r.rewrite(ctx, numbers, docs)
}

// rewrite replaces segments by one that holds the given documents of theirs.
// The texts are split and indexed again from the store, so what comes out is
// what a fresh run would give.
func (r *run) rewrite(ctx context.Context, numbers []int, docs []storedDoc) error {
	var info store.SegmentInfo
	moved := map[[2]int]int{} // segment and document to new document
	if len(docs) > 0 {
		r.manifest.Serial++
		sw, err := r.w.NewSegment(r.manifest.Name, r.manifest.Serial)
		if err != nil {
			return err
		}
		r.written = append(r.written, sw)
		s := sink{run: r, segment: sw, builder: index.NewBuilder()}
		for _, d := range docs {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			moved[[2]int{d.segment, d.number}] = s.docs
			if err := s.again(d); err != nil {
				return err
			}
		}
		if info, err = sw.Finish(s.builder.Bytes()); err != nil {
			return err
		}
	}
	r.manifest.Segments = slices.DeleteFunc(r.manifest.Segments, func(s store.SegmentInfo) bool {
		return slices.Contains(numbers, s.Number)
	})
	if len(docs) > 0 {
		r.manifest.Segments = append(r.manifest.Segments, info)
	}
	for i := range r.state.Files {
		f := &r.state.Files[i]
		if n, ok := moved[[2]int{f.Segment, f.Doc}]; ok && slices.Contains(numbers, f.Segment) {
			f.Segment, f.Doc = info.Number, n
		}
	}
	return nil
}

// worthMerging chooses the segments to rewrite, by number.
func (r *run) worthMerging() []int {
	var numbers []int
	for _, s := range r.manifest.Segments {
		if s.DeadBytes*2 > s.TextBytes && s.TextBytes-s.DeadBytes <= chunkBytes && s.Documents > 0 {
			numbers = append(numbers, s.Number)
		}
	}
	if len(r.manifest.Segments) <= maxSegments {
		return numbers
	}
	room := int64(mergeBytes)
	for _, s := range r.manifest.Segments {
		live := s.TextBytes - s.DeadBytes
		if live <= mergeBelow && live <= room && !slices.Contains(numbers, s.Number) {
			room -= live
			numbers = append(numbers, s.Number)
		}
	}
	return numbers
}

// storedDoc is a document of an existing segment.
type storedDoc struct {
	store.Doc
	segment, number int
	text            []byte
	row             store.Row // of a curated entry
}

// liveDocs reads the live documents of the segments, in order of path.
func (r *run) liveDocs(numbers []int) ([]storedDoc, error) {
	var out []storedDoc
	for _, info := range r.manifest.Segments {
		if !slices.Contains(numbers, info.Number) {
			continue
		}
		seg := r.open[info.Number]
		if seg == nil {
			var err error
			if seg, err = r.e.lib.OpenSegment(r.manifest.Name, info.Number); err != nil {
				return nil, err
			}
			r.open[info.Number] = seg
		}
		for n := range seg.Docs() {
			if _, dead := slices.BinarySearch(info.Dead, n); dead {
				continue
			}
			d := storedDoc{Doc: seg.FullDoc(n), segment: info.Number, number: n}
			var err error
			if d.text, err = seg.DocText(d.Doc); err != nil {
				return nil, err
			}
			if d.Flags&store.FlagEntry != 0 && d.Sections > 0 {
				d.row = seg.Row(d.First)
			}
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b storedDoc) int { return store.ComparePaths(a.Path, b.Path) })
	return out, nil
}

// again adds a stored document as it was added the first time.
func (s *sink) again(d storedDoc) error {
	if d.Flags&store.FlagEntry != 0 {
		s.entry(d.Doc, evergreen.Entry{
			ID: entryID(d.Path), Title: d.Title, Summary: d.Meta.Description, Tags: d.Meta.Tags, Body: string(d.text),
		})
		s.docs++
		return s.segment.Add(d.Doc, d.text, []store.Row{d.row})
	}
	_, err := s.document(d.Doc, d.text, outlineOf(d.Doc, d.text))
	return err
}

// outlineOf returns the form of a stored text that sections are found in, nil
// for the text itself.
func outlineOf(d store.Doc, text []byte) []byte {
	if d.Flags&store.FlagMDX == 0 {
		return nil
	}
	return format.BlankMDX(text, d.HeadBytes)
}

// split splits a stored document again.
func split(d store.Doc, text []byte, ascii bool) (section.Options, section.Document) {
	o := splitOptions(d, outlineOf(d, text), ascii)
	return o, section.Split(text, o)
}
