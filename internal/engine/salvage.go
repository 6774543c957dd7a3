package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/store"
)

// salvage opens the segments of the collection. Those that are damaged are
// replaced by what is whole of them; files with documents that are not are
// booked as lost and will be read again. thorough compares the texts too.
func (r *run) salvage(ctx context.Context, thorough bool) error {
	state, whole := r.e.lib.State(r.manifest)
	r.state = state
	var bad []int
	var docs []storedDoc
	for _, info := range r.manifest.Segments {
		seg, err := r.e.openSound(r.manifest.Name, info, thorough)
		if err == nil {
			r.open[info.Number] = seg
			continue
		}
		r.found(err)
		bad = append(bad, info.Number)
		docs = append(docs, r.remains(info)...)
	}
	if !whole {
		r.found(evergreen.Errorf(evergreen.Damaged, "what is known of the source's files is damaged"))
		r.state = store.State{Files: r.remember(docs)}
	}
	if len(bad) == 0 {
		return nil
	}
	if !whole {
		r.loseAll() // nothing says which files the damaged documents were of
	}
	r.loseFiles(bad, docs)
	slices.SortStableFunc(docs, func(a, b storedDoc) int { return store.ComparePaths(a.Path, b.Path) })
	return r.rewrite(ctx, bad, docs)
}

// found books what does not hold together.
func (r *run) found(err error) {
	r.rebuilt = true
	r.faults = append(r.faults, reasonOf(err))
}

// openSound opens a segment and refuses it when something of it is damaged.
func (e *Engine) openSound(name string, info store.SegmentInfo, thorough bool) (*store.Segment, error) {
	seg, err := e.lib.OpenSegment(name, info.Number)
	if err != nil {
		return nil, err
	}
	if err := sound(name, seg, info, thorough); err != nil {
		seg.Close()
		return nil, err
	}
	return seg, nil
}

func sound(name string, seg *store.Segment, info store.SegmentInfo, thorough bool) (err error) {
	defer settleNamed(debug.SetPanicOnFault(true), name, &err)
	if seg.TextBytes() < info.TextBytes {
		return store.CutShort(name, info.Number)
	}
	if idx, err := index.Open(seg.Index()); err != nil || idx.Sections() != seg.Sections() {
		return evergreen.Errorf(evergreen.Damaged, "the index of segment %d does not fit its sections", info.Number)
	}
	for n := 0; thorough && n < seg.Docs(); n++ {
		if _, dead := slices.BinarySearch(info.Dead, n); dead {
			continue
		}
		if _, err := seg.DocText(seg.Doc(n)); err != nil {
			return err
		}
	}
	return nil
}

// remains returns the live documents of a damaged segment that are whole.
func (r *run) remains(info store.SegmentInfo) (docs []storedDoc) {
	rest, err := r.e.lib.Remains(r.manifest.Name, info.Number)
	if err != nil {
		return nil
	}
	defer rest.Close()
	for n := range rest.Docs {
		if _, dead := slices.BinarySearch(info.Dead, n); dead {
			continue
		}
		d, text, row, ok := rest.Doc(n)
		if ok {
			docs = append(docs, storedDoc{Doc: d, segment: info.Number, number: n, text: text, row: row})
		}
	}
	return docs
}

// loseFiles takes the documents that are not whole out of the state. A file
// that keeps some of its entries is changed in our eyes: it is read again as
// soon as it can be.
func (r *run) loseFiles(bad []int, docs []storedDoc) {
	whole := map[[2]int]bool{}
	for _, d := range docs {
		whole[[2]int{d.segment, d.number}] = true
	}
	r.state.Files = slices.DeleteFunc(r.state.Files, func(f store.FileState) bool {
		return slices.Contains(bad, f.Segment) && !slices.ContainsFunc(numbersOf(f), func(n int) bool { return whole[[2]int{f.Segment, n}] }) &&
			r.lose(f)
	})
	for i := range r.state.Files {
		f := &r.state.Files[i]
		if !slices.Contains(bad, f.Segment) {
			continue
		}
		left := slices.DeleteFunc(numbersOf(*f), func(n int) bool { return !whole[[2]int{f.Segment, n}] })
		if len(left) < f.Docs {
			r.lose(*f)
			*f = store.FileState{Path: f.Path, Source: f.Source, Size: -1, Segment: f.Segment, Doc: left[0], Docs: len(left)}
		}
	}
}

func numbersOf(f store.FileState) []int {
	numbers := make([]int, f.Docs)
	for i := range numbers {
		numbers[i] = f.Doc + i
	}
	return numbers
}

// lose books a file as missing. It returns true.
func (r *run) lose(f store.FileState) bool {
	lost := store.Missing{Source: f.Source, Path: f.Path}
	if !slices.Contains(r.manifest.Missing, lost) {
		r.manifest.Missing = append(r.manifest.Missing, lost)
	}
	return true
}

// loseAll books all sources as missing.
func (r *run) loseAll() {
	r.manifest.Missing = nil
	for i := range r.manifest.Sources {
		r.manifest.Missing = append(r.manifest.Missing, store.Missing{Source: i})
	}
}

// bringBack takes what the run's source has given, or has no more, off the
// missing. What was there and could not be read stays.
func (r *run) bringBack() {
	r.manifest.Missing = slices.DeleteFunc(r.manifest.Missing, func(m store.Missing) bool {
		skipped := m.Path != "" && slices.ContainsFunc(r.report.Skipped, func(s evergreen.Skip) bool { return s.Path == m.Path })
		return m.Source == r.source && !skipped
	})
}

// remember makes up the state of the files from the documents: of each only
// which documents it made, so that every file is read again.
func (r *run) remember(docs []storedDoc) []store.FileState {
	for _, info := range r.manifest.Segments {
		seg := r.open[info.Number]
		for n := 0; seg != nil && n < seg.Docs(); n++ {
			if _, dead := slices.BinarySearch(info.Dead, n); !dead {
				docs = append(docs, storedDoc{Doc: seg.Doc(n), segment: info.Number, number: n})
			}
		}
	}
	var files []store.FileState
	for _, d := range docs {
		last := len(files) - 1
		if last >= 0 && files[last].Path == filePath(d.Doc) && files[last].Segment == d.segment && files[last].Source == d.Source {
			files[last].Docs = d.number - files[last].Doc + 1
			continue
		}
		files = append(files, store.FileState{Path: filePath(d.Doc), Source: d.Source, Size: -1, Segment: d.segment, Doc: d.number, Docs: 1})
	}
	return files
}

// tellMended says in the report of a run what it found damaged.
func (r *run) tellMended() {
	for _, f := range r.faults {
		r.report.Warnings = append(r.report.Warnings, f+"; mended")
	}
}

// tellMissing says what the run could not bring back.
func (r *run) tellMissing() {
	r.report.Warnings = append(r.report.Warnings, missing(r.manifest)...)
}

// missing says for each source what is missing of it.
func missing(m store.Manifest) (out []string) {
	for i, s := range m.Sources {
		var paths []string
		all := false
		for _, lost := range m.Missing {
			if lost.Source == i {
				paths = append(paths, lost.Path)
				all = all || lost.Path == ""
			}
		}
		switch {
		case all:
			out = append(out, "documents of "+s.Location+" are missing since the collection was damaged: index it again")
		case len(paths) > 0:
			out = append(out, fmt.Sprintf("%d of the documents of %s are missing since they were damaged, such as %s: index it again", len(paths), s.Location, paths[0]))
		}
	}
	return out
}
