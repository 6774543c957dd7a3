package engine

import (
	"slices"
	"strconv"

	"evergreen"
)

// This file keeps what the collections of one client hold together within what a
// client may have.

// boundsClient tells whether a run is for a client that may have so much.
func boundsClient(req evergreen.IndexRequest) bool {
	return req.Client != "" && (req.MaxClientBytes > 0 || req.MaxClientSections > 0)
}

// identify lets a new collection remember its client, and keeps a client from
// adding to the collection of another, where it would not count as its own.
// Reading again what is there is open to everybody.
func (r *run) identify() error {
	if r.req.Client == "" {
		return nil
	}
	mark, err := r.w.ClientMark(r.req.Client)
	if err != nil {
		return err
	}
	if r.fresh {
		r.manifest.Client = mark
		return nil
	}
	known := slices.ContainsFunc(r.manifest.Sources, func(s evergreen.Source) bool { return sameExtent(s, r.req.Source) })
	if boundsClient(r.req) && r.manifest.Client != mark && !known {
		return evergreen.Errorf(evergreen.Conflict, "the collection %q is not yours: what you add to it would not count as yours", r.manifest.Name).
			Fix("choose another name for it").
			Fix("to read again what is there, give the source as it was given")
	}
	return nil
}

// sameExtent tells whether two sources stand for the same documents.
func sameExtent(a, b evergreen.Source) bool {
	return a.Location == b.Location && slices.Equal(a.Include, b.Include) && slices.Equal(a.Exclude, b.Exclude) &&
		(a.Kind == evergreen.SourcePage) == (b.Kind == evergreen.SourcePage)
}

// hasRoom refuses a new collection of a client whose room is used up, before its
// source is read. What is there may be read again: it may well become smaller.
func (e *Engine) hasRoom(req evergreen.IndexRequest) error {
	mark := ""
	if boundsClient(req) {
		mark = e.lib.ClientMark(req.Client)
	}
	if mark == "" {
		return nil
	}
	name, err := e.nameFor(req)
	if err != nil {
		return err
	}
	if _, err := e.lib.Manifest(name); evergreen.KindOf(err) != evergreen.NotFound {
		return nil
	}
	bytes, sections, err := e.holdings(mark, "")
	if err != nil {
		return err
	}
	return judgeClient(req, bytes+1, sections+1)
}

// nameFor is the name of the collection that a run is for.
func (e *Engine) nameFor(req evergreen.IndexRequest) (string, error) {
	if req.Name != "" {
		return req.Name, nil
	}
	return e.freeName(defaultName(req.Source), req.Source)
}

// holdings adds up what a client's collections take, all but one.
func (e *Engine) holdings(mark, but string) (bytes int64, sections int, err error) {
	names, err := e.lib.Names()
	if err != nil {
		return 0, 0, err
	}
	for _, name := range names {
		if name == but || e.lib.Client(name) != mark {
			continue
		}
		bytes += e.lib.Size(name)
		if m, err := e.lib.Manifest(name); err == nil { // one that is damaged answers nothing
			_, n, _ := m.Totals()
			sections += n
		}
	}
	return bytes, sections, nil
}

// withinClientBounds judges what the client whose collection it is would have
// after the run.
func (r *run) withinClientBounds() error {
	mark := r.manifest.Client
	if mark == "" || !boundsClient(r.req) {
		return nil
	}
	bytes, sections, err := r.e.holdings(mark, r.manifest.Name)
	if err != nil {
		return err
	}
	_, own, _ := r.manifest.Totals()
	return judgeClient(r.req, bytes+r.e.lib.SizeAs(r.manifest), sections+own)
}

// judgeClient refuses what is more than a client may have.
func judgeClient(req evergreen.IndexRequest, bytes int64, sections int) error {
	refused := func(what, most, key string) error {
		return evergreen.Errorf(evergreen.Exhausted, "the collections that this client has made would take %s, at most %s are allowed for one client", what, most).
			Fix("delete one of them that is not needed").
			Fix("index a part of it with include or exclude").
			Fix("raise limits.%s in evergreen.json", key)
	}
	if most := req.MaxClientBytes; most > 0 && bytes > most {
		return refused(megabytes(bytes)+" of disk", megabytes(most), "client_mb")
	}
	if most := req.MaxClientSections; most > 0 && sections > most {
		return refused(strconv.Itoa(sections)+" sections", strconv.Itoa(most), "client_sections")
	}
	return nil
}
