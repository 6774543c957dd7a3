package engine

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/folder"
	"evergreen/internal/store"
)

// Index brings a collection in line with its source: new and changed documents
// are read, unchanged ones kept, vanished ones removed. What was there before
// stays visible until the last step, and stays for good when a step fails.
func (e *Engine) Index(ctx context.Context, req evergreen.IndexRequest, progress evergreen.Progress) (evergreen.IndexReport, error) {
	started := e.opts.Now()
	if progress == nil {
		progress = func(string, int, int) {}
	}
	source, err := resolveSource(req.Source)
	if err != nil {
		return evergreen.IndexReport{}, err
	}
	req.Source = source
	if err := e.hasRoom(req); err != nil {
		return evergreen.IndexReport{}, err
	}
	gather := walkFolder
	if isWeb(source) {
		if gather, err = e.crawl(ctx, req, progress); err != nil {
			return evergreen.IndexReport{}, err
		}
	}
	report, err := e.commit(ctx, req, progress, gather)
	report.Seconds = float64(e.opts.Now().Sub(started).Milliseconds()) / 1000
	return report, err
}

// commit does the part of a run that needs the library's lock.
func (e *Engine) commit(ctx context.Context, req evergreen.IndexRequest, progress evergreen.Progress, gather gatherer) (evergreen.IndexReport, error) {
	e.writing.Lock()
	defer e.writing.Unlock()
	w, err := e.lib.Lock(ctx)
	if err != nil {
		return evergreen.IndexReport{}, err
	}
	defer w.Unlock()
	run, err := e.begin(ctx, w, req, progress)
	if err != nil {
		return evergreen.IndexReport{}, err
	}
	if err := run.do(ctx, gather); err != nil {
		run.abandon()
		return evergreen.IndexReport{}, err
	}
	e.notify()
	return run.report, nil
}

// resolveSource makes the location absolute and finds out what it is.
func resolveSource(s evergreen.Source) (evergreen.Source, error) {
	if s.Location == "" {
		return s, evergreen.Errorf(evergreen.Invalid, "no source is named").
			Fix("Name a folder, a file or a web address, for example `evergreen index ./docs`.")
	}
	if web, ok, err := resolveWeb(s); ok || err != nil {
		return web, err
	}
	abs, err := filepath.Abs(s.Location)
	if err != nil {
		return s, evergreen.Errorf(evergreen.Invalid, "source %s: %w", s.Location, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		if os.IsNotExist(err) {
			return s, evergreen.Errorf(evergreen.NotFound, "there is no file or folder %s", s.Location).Fix("Check the path; a relative one starts at the current folder.")
		}
		return s, evergreen.Errorf(evergreen.Invalid, "source %s: %w", s.Location, err)
	}
	s.Location = abs
	switch {
	case s.Kind != "":
	case info.IsDir():
		s.Kind = evergreen.SourceFolder
		if _, err := os.Stat(filepath.Join(abs, ".git")); err == nil {
			s.Kind = evergreen.SourceGit
		}
	case strings.EqualFold(filepath.Base(abs), "context.json"):
		s.Kind = evergreen.SourceKnowledge
	default:
		s.Kind = evergreen.SourceFile
	}
	return s, nil
}

// run is one indexing run.
type run struct {
	e        *Engine
	w        *store.Writer
	req      evergreen.IndexRequest
	progress evergreen.Progress
	started  time.Time

	manifest store.Manifest
	source   int // index of req.Source in the manifest
	old      map[string]store.FileState
	held     []store.FileState // skipped this time, kept from the last
	taken    map[string]int    // paths that other sources of the collection hold, to the source
	state    store.State
	report   evergreen.IndexReport
	written  []*store.SegmentWriter
	open     map[int]*store.Segment // segments of the old state, by number

	// comparesIDs: there are old ids that new ones may bring back or replace.
	comparesIDs bool

	reread    int  // items that were read, changed or not
	killed    bool // documents were removed
	newSource bool
	rebuilt   bool // parts of the old state could not be read
	fresh     bool // the collection does not exist yet

	faults     []string // what did not hold together
	unreadable bool     // nothing of the collection but its sources is known
}

// begin finds the collection that the source belongs to, or names a new one.
func (e *Engine) begin(ctx context.Context, w *store.Writer, req evergreen.IndexRequest, progress evergreen.Progress) (_ *run, err error) {
	defer e.settle(debug.SetPanicOnFault(true), req.Name, &err)
	if strings.Contains(req.Name, "::") {
		return nil, evergreen.Errorf(evergreen.Invalid, "a collection cannot be named %q: \"::\" separates the parts of section ids", req.Name).
			Fix("Choose a name without it.")
	}
	r := &run{e: e, w: w, req: req, progress: progress, started: e.opts.Now(), open: map[int]*store.Segment{}}
	name, err := e.nameFor(req)
	if err != nil {
		return nil, err
	}
	if err := r.load(ctx, name, req.Verify); err != nil {
		return nil, err
	}
	if err := r.identify(); err != nil {
		return nil, err
	}
	r.source = -1
	for i, s := range r.manifest.Sources {
		if s.Location == req.Source.Location {
			r.source = i
		}
	}
	if r.source < 0 {
		r.newSource = true
		r.source = len(r.manifest.Sources)
		r.manifest.Sources = append(r.manifest.Sources, req.Source)
	}
	if !reflect.DeepEqual(r.manifest.Sources[r.source], req.Source) {
		r.manifest.Sources[r.source], r.newSource = req.Source, true
	}
	r.old, r.taken = map[string]store.FileState{}, map[string]int{}
	for _, f := range r.state.Files {
		if f.Source == r.source {
			r.old[f.Path] = f
		} else if f.Segment >= 0 {
			r.taken[f.Path] = f.Source
		}
	}
	r.comparesIDs = len(r.old) > 0 || len(r.state.Moved) > 0
	r.report = evergreen.IndexReport{Collection: name, Source: req.Source.Location, Skipped: []evergreen.Skip{}}
	r.tellMended()
	return r, nil
}

// load reads what the collection is now and puts aside what is damaged of it.
// A collection that cannot be read at all begins anew, with the sources that
// are still known and after the highest number of its files: no file that a
// reader may hold is written again.
func (r *run) load(ctx context.Context, name string, thorough bool) error {
	r.w.Sweep(name)
	m, err := r.e.lib.Manifest(name)
	switch evergreen.KindOf(err) {
	case "":
		r.manifest = m
		return r.salvage(ctx, thorough)
	case evergreen.NotFound, evergreen.Damaged:
		r.manifest = store.Manifest{Name: name, Sources: r.e.lib.Sources(name), Serial: r.e.lib.LastNumber(name), Client: r.e.lib.Client(name)}
		r.fresh = len(r.manifest.Sources) == 0
		if !r.fresh {
			r.found(err)
			r.loseAll()
			r.unreadable = true
		}
		return nil
	}
	return err
}

func (r *run) closeOld() {
	for _, s := range r.open {
		s.Close()
	}
	r.open = nil
}

func (r *run) abandon() {
	for _, w := range r.written {
		w.Abandon()
	}
	r.closeOld()
}

// freeName returns the name of the collection that has the source already, or
// the first free one of name, name-2, name-3.
func (e *Engine) freeName(name string, source evergreen.Source) (string, error) {
	for i := 1; ; i++ {
		candidate := name
		if i > 1 {
			candidate += "-" + strconv.Itoa(i)
		}
		m, err := e.lib.Manifest(candidate)
		switch evergreen.KindOf(err) {
		case evergreen.NotFound, evergreen.Damaged:
			return candidate, nil
		case "":
		default:
			return "", err
		}
		for _, s := range m.Sources {
			if s.Location == source.Location {
				return candidate, nil
			}
		}
	}
}

func defaultName(s evergreen.Source) string {
	switch {
	case s.Kind == evergreen.SourceKnowledge:
		return "kb"
	case isWeb(s):
		return webName(s.Location)
	}
	return strings.ReplaceAll(folder.DefaultName(s.Location), "::", "-")
}

// item is a document as its source offers it: what is known without reading
// it, and how to read it.
type item struct {
	path     string
	size     int64
	modNanos int64
	inode    uint64
	read     func() ([]byte, error)
	web      *webFacts // nil for files
	commit   string    // ISO date of the last commit, "" when unknown
}

// gatherer finds the items of a source and books in r what needs no reading.
// close releases what the items read from.
type gatherer func(ctx context.Context, r *run) (changed []item, keep []store.FileState, close func(), err error)

// do gathers what the source has, reads what changed and commits.
func (r *run) do(ctx context.Context, gather gatherer) (err error) {
	defer settleNamed(debug.SetPanicOnFault(true), r.manifest.Name, &err)
	changed, keep, release, err := gather(ctx, r)
	if err != nil {
		return err
	}
	defer release()
	results, err := r.build(ctx, changed)
	if err != nil {
		return err
	}
	return r.finish(ctx, keep, results)
}

// walkFolder gathers the files of a folder.
func walkFolder(ctx context.Context, r *run) (changed []item, keep []store.FileState, release func(), err error) {
	r.progress("walk", 0, 0)
	found, err := folder.Walk(ctx, r.req.Source.Location, folder.Options{
		Include: r.req.Source.Include, Exclude: r.req.Source.Exclude, MaxFiles: r.req.MaxFiles,
	})
	if err != nil {
		return nil, nil, nil, err
	}
	tree, err := folder.Open(found.Root, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	r.report.Truncated = found.Truncated
	r.report.Documents.Discovered = found.Discovered
	r.report.Skipped = append(append(r.report.Skipped, found.Skipped...), found.Places...)
	r.report.Skipped = append(r.report.Skipped, otherKinds(found.OtherKinds)...)
	r.report.Documents.Skipped = len(found.Skipped)
	r.holdBelow(found.Places)
	limit := r.manifest.CheckedAt.Add(-unchangedMargin).UnixNano()
	for _, f := range found.Files {
		if r.takenElsewhere(f.Path) {
			continue
		}
		old, known := r.old[f.Path]
		same := known && old.Size == f.Size && old.ModNanos == f.ModTime && old.Inode == f.Inode && f.ModTime < limit
		if same && !r.req.Verify && !r.req.Refresh {
			keep = append(keep, old)
			delete(r.old, f.Path)
			continue
		}
		changed = append(changed, item{
			path: f.Path, size: f.Size, modNanos: f.ModTime, inode: f.Inode,
			read: func() ([]byte, error) { return tree.Read(f) },
		})
	}
	dateByCommits(ctx, found.Root, changed)
	return changed, keep, func() { _ = tree.Close() }, nil
}

// holdBelow keeps what was indexed below folders that cannot be read now: a
// missing permission or mount has deleted nothing.
func (r *run) holdBelow(places []evergreen.Skip) {
	for _, p := range places {
		if !strings.HasPrefix(p.Reason, "cannot be read") {
			continue
		}
		for path, old := range r.old {
			if strings.HasPrefix(path, p.Path+"/") {
				r.held = append(r.held, old)
				delete(r.old, path)
			}
		}
	}
}

// otherKinds names the files that are no documents, a line for each kind.
func otherKinds(kinds map[string]int) []evergreen.Skip {
	var out []evergreen.Skip
	for ext, n := range kinds {
		pattern := "*" + ext
		if ext == "" {
			pattern = "* (no extension)"
		}
		files := " files"
		if n == 1 {
			files = " file"
		}
		out = append(out, evergreen.Skip{Path: pattern, Reason: strconv.Itoa(n) + files + " of a kind that is not read"})
	}
	return out
}

// dateByCommits dates files that are under version control.
func dateByCommits(ctx context.Context, root string, items []item) {
	if len(items) == 0 || !underGit(ctx, root) {
		return
	}
	wanted := map[string]bool{}
	for _, it := range items {
		wanted[it.path] = true
	}
	dates := gitDates(ctx, root, wanted)
	for i := range items {
		items[i].commit = dates[items[i].path]
	}
}

// takenElsewhere reports a path that another source of the collection holds.
func (r *run) takenElsewhere(path string) bool {
	of, ok := r.taken[path]
	if ok {
		r.report.Documents.Skipped++
		r.report.Skipped = append(r.report.Skipped, evergreen.Skip{
			Path: path, Reason: "the collection has this path from " + r.manifest.Sources[of].Location,
		})
	}
	return ok
}

// unchangedMargin is how much older than the last run a file's time must be to
// be trusted: file systems with coarse clocks round it.
const unchangedMargin = 2 * time.Second

// outcome is what became of one changed file.
type outcome struct {
	state     store.FileState
	unchanged bool
	keepOld   bool   // could not be read now: what was indexed before stays
	reason    string // why it was skipped, "" when indexed
	warnings  []string
	ids       []string // path::chain of the new sections, when the run compares them
	knowledge *store.Knowledge
}

func hashOf(b []byte) [32]byte { return sha256.Sum256(b) }
