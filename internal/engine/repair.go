package engine

import (
	"context"
	"runtime/debug"
	"slices"

	"evergreen"
	"evergreen/internal/store"
)

// Check reads everything that a collection holds and compares it with its
// checksums. It returns what is wrong, nil when all is as it was written.
func (e *Engine) Check(ctx context.Context, name string) ([]string, error) {
	for range openTries {
		before := e.lib.Generation()
		faults, err := e.check(ctx, name)
		if len(faults) == 0 && err == nil || e.lib.Generation() == before {
			return faults, err
		}
	}
	return nil, evergreen.Errorf(evergreen.Conflict, "collection %q is being written all the time", name).Fix("Try again when that has ended.")
}

func (e *Engine) check(ctx context.Context, name string) ([]string, error) {
	m, err := e.lib.Manifest(name)
	if err != nil {
		return nil, err
	}
	faults := missing(m)
	if _, whole := e.lib.State(m); !whole {
		faults = append(faults, "what is known of the source's files is damaged: they will be read again")
	}
	for _, info := range m.Segments {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		seg, err := e.openSound(name, info, true)
		if err != nil {
			faults = append(faults, reasonOf(err))
			continue
		}
		seg.Close()
	}
	return faults, nil
}

// Repair brings a damaged collection back to one that holds together. What is
// whole stays, an index that is damaged is made again from the texts in the
// library, and documents that are damaged themselves are read again from their
// sources. Those whose source is gone are missing from the collection and named
// in the report; indexing the source brings them back. A collection of an
// earlier format is built anew from its sources.
func (e *Engine) Repair(ctx context.Context, req evergreen.RepairRequest, progress evergreen.Progress) (evergreen.RepairReport, error) {
	report := evergreen.RepairReport{Collection: req.Name, Found: []string{}, Missing: []evergreen.Skip{}}
	r, err := e.mend(ctx, req.Name)
	if err != nil {
		return report, err
	}
	report.Found = append(report.Found, r.faults...)
	report.Kept, _, _ = r.manifest.Totals()
	reasons := map[int]string{}
	for i, source := range r.manifest.Sources {
		if !r.needs(i) {
			continue
		}
		got, err := e.Index(ctx, evergreen.IndexRequest{
			Source: source, Name: req.Name, MaxFiles: req.MaxFiles, AllowPrivate: req.AllowPrivate,
		}, progress)
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		report.Reread += got.Documents.Indexed
		reasons[i] = "the source has it and it cannot be read"
		if err != nil {
			reasons[i] = "its source " + source.Location + " cannot be read: " + reasonOf(err)
		}
	}
	now, err := e.lib.Manifest(req.Name)
	if err != nil { // no source could be read
		now = r.manifest
	}
	for _, m := range now.Missing {
		path := m.Path
		if path == "" {
			path = now.Sources[m.Source].Location
		}
		report.Missing = append(report.Missing, evergreen.Skip{Path: path, Reason: reasons[m.Source]})
	}
	return report, nil
}

// needs tells whether a source has to be read again: something of it is missing,
// or what is known of its files was made up from the documents.
func (r *run) needs(source int) bool {
	return slices.ContainsFunc(r.manifest.Missing, func(m store.Missing) bool { return m.Source == source }) ||
		slices.ContainsFunc(r.state.Files, func(f store.FileState) bool { return f.Source == source && f.Size < 0 })
}

// mend does the part of a repair that needs no source, and commits it.
func (e *Engine) mend(ctx context.Context, name string) (_ *run, err error) {
	defer e.settle(debug.SetPanicOnFault(true), name, &err)
	e.writing.Lock()
	defer e.writing.Unlock()
	w, err := e.lib.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer w.Unlock()
	if _, err := e.lib.Manifest(name); evergreen.KindOf(err) == evergreen.NotFound && len(e.lib.Sources(name)) == 0 {
		return nil, err
	}
	r := &run{e: e, w: w, progress: func(string, int, int) {}, started: e.opts.Now(), open: map[int]*store.Segment{}}
	if err := r.load(ctx, name, true); err != nil {
		r.abandon()
		return nil, err
	}
	if r.fresh {
		return nil, evergreen.Errorf(evergreen.Damaged, "collection %q cannot be read, and nothing says where it came from", name).
			Fix("Index its source again: `evergreen index SOURCE --name %s`.", name)
	}
	if !r.rebuilt || r.unreadable { // the sources alone can help
		r.closeOld()
		return r, nil
	}
	if err := r.commit(); err != nil {
		r.abandon()
		return nil, err
	}
	e.notify()
	return r, nil
}
