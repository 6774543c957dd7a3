package engine

import (
	"context"
	"slices"
	"sort"
	"strings"

	"evergreen"
	"evergreen/internal/format"
	"evergreen/internal/store"
	"evergreen/internal/text"
)

// finish takes the results over into the manifest and commits.
func (r *run) finish(ctx context.Context, keep []store.FileState, results []built) error {
	files := append(slices.Clone(keep), r.held...)
	r.count(keep)
	for _, b := range results {
		if b.info.Documents > 0 {
			r.manifest.Segments = append(r.manifest.Segments, b.info)
		}
		for _, o := range b.outcomes {
			r.reread++
			r.take(o)
			files = append(files, o.state)
		}
	}
	r.removeVanished()
	for _, f := range r.state.Files {
		if f.Source != r.source {
			files = append(files, f)
		}
	}
	r.state.Files = files
	if err := r.compact(ctx); err != nil {
		return err
	}
	r.state.Moved = dropBorn(r.state.Moved, results)
	r.sortReport()
	r.bringBack()
	r.tellMissing()
	r.rememberSkips()
	if err := r.withinBounds(); err != nil {
		return err
	}
	return r.commit()
}

// rememberSkips keeps what this run left out, for who asks later.
func (r *run) rememberSkips() {
	r.state.Skipped = slices.DeleteFunc(r.state.Skipped, func(s store.Skipped) bool { return s.Source == r.source })
	for _, s := range r.report.Skipped {
		r.state.Skipped = append(r.state.Skipped, store.Skipped{Source: r.source, Skip: s})
	}
}

// count books files that were not even opened.
func (r *run) count(keep []store.FileState) {
	for _, f := range keep {
		if f.Segment < 0 {
			r.report.Documents.Skipped++
			r.report.Skipped = append(r.report.Skipped, evergreen.Skip{Path: f.Path, Reason: f.Tag})
			continue
		}
		r.report.Documents.Unchanged++
	}
}

// take books one outcome and removes what it replaces.
func (r *run) take(o outcome) {
	path := o.state.Path
	for _, w := range o.warnings {
		r.report.Warnings = append(r.report.Warnings, path+": "+w)
	}
	if o.knowledge != nil {
		r.manifest.Knowledge = o.knowledge
	}
	old, known := r.old[path]
	delete(r.old, path)
	switch {
	case o.reason != "":
		r.report.Documents.Skipped++
		r.report.Skipped = append(r.report.Skipped, evergreen.Skip{Path: path, Reason: o.reason})
		if known && !o.keepOld && !o.unchanged {
			r.kill(old, nil)
		}
	case o.unchanged:
		r.report.Documents.Unchanged++
	default:
		r.report.Documents.Indexed++
		if known {
			alive := map[string]bool{}
			for _, id := range o.ids {
				alive[id] = true
			}
			r.kill(old, alive)
		}
	}
}

// removeVanished takes out what the source no longer has.
func (r *run) removeVanished() {
	paths := make([]string, 0, len(r.old))
	for p := range r.old {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		if r.old[p].Segment >= 0 {
			r.report.Documents.Removed++
		}
		r.kill(r.old[p], nil)
	}
}

// kill marks a file's documents as removed and remembers the ids that are gone
// with what they said, so that a reader who asks for one can be led on.
func (r *run) kill(f store.FileState, alive map[string]bool) {
	seg := r.open[f.Segment]
	if seg == nil {
		return
	}
	r.killed = true
	i := slices.IndexFunc(r.manifest.Segments, func(s store.SegmentInfo) bool { return s.Number == f.Segment })
	if i < 0 {
		return
	}
	for n := f.Doc; n < f.Doc+f.Docs && n < seg.Docs(); n++ {
		d := seg.Doc(n)
		r.manifest.Segments[i].Kill(n, d)
		for k := d.First; k < d.First+d.Sections; k++ {
			id := d.Path
			if d.Flags&store.FlagEntry == 0 {
				id += "::" + chainOf(seg, d, k)
			}
			if !alive[id] {
				r.state.Moved = append(r.state.Moved, store.Moved{Path: id, Hash: seg.Row(k).Hash})
			}
		}
	}
}

// dropBorn forgets moved ids that exist again.
func dropBorn(moved []store.Moved, results []built) []store.Moved {
	if len(moved) == 0 {
		return moved
	}
	born := map[string]bool{} // of those that moved
	for _, m := range moved {
		born[m.Path] = false
	}
	for _, b := range results {
		for _, o := range b.outcomes {
			for _, id := range o.ids {
				if _, gone := born[id]; gone {
					born[id] = true
				}
			}
		}
	}
	return slices.DeleteFunc(moved, func(m store.Moved) bool { return born[m.Path] })
}

func (r *run) sortReport() {
	slices.SortStableFunc(r.report.Skipped, func(a, b evergreen.Skip) int { return strings.Compare(a.Path, b.Path) })
	_, r.report.Sections, r.report.Tokens = r.manifest.Totals()
}

// same tells whether the run found nothing that is new, changed or gone.
func (r *run) same() bool {
	d := r.report.Documents
	return d.Indexed == 0 && d.Removed == 0 && !r.killed && len(r.manifest.Segments) > 0
}

// commit writes the state and then the manifest. A run that read nothing leaves
// the library as it is, and one that found no document makes no collection.
func (r *run) commit() error {
	if documents, _, _ := r.manifest.Totals(); r.fresh && documents == 0 {
		r.abandon()
		return nil
	}
	if r.same() && r.reread == 0 && !r.newSource && !r.rebuilt {
		r.closeOld()
		return nil
	}
	r.manifest.Segments = slices.DeleteFunc(r.manifest.Segments, func(s store.SegmentInfo) bool { return s.Documents == 0 })
	r.manifest.Serial++
	r.manifest.State = r.manifest.Serial
	r.manifest.CheckedAt = r.started.UTC()
	if !r.same() {
		r.manifest.IndexedAt = r.manifest.CheckedAt
	}
	r.progress("commit", 0, 0)
	r.closeOld()
	if err := r.w.WriteState(r.manifest.Name, r.manifest.State, r.state); err != nil {
		return err
	}
	return r.w.Commit(r.manifest)
}

func knowledgeOf(k format.Knowledge) *store.Knowledge {
	out := &store.Knowledge{Version: k.Version, Revision: k.Revision, License: k.License, Site: k.SiteName}
	for _, c := range k.Categories {
		out.Categories = append(out.Categories, store.Category{ID: c.ID, Label: c.Label, Description: c.Description})
	}
	return out
}

// sortedEntries returns the entries in order of id, with their tokens counted.
func sortedEntries(entries []evergreen.Entry) []evergreen.Entry {
	out := slices.Clone(entries)
	for i := range out {
		out[i].Tokens = text.TokensOf(out[i].Title, "\n", out[i].Body)
	}
	slices.SortFunc(out, func(a, b evergreen.Entry) int { return strings.Compare(a.ID, b.ID) })
	return out
}
