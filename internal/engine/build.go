package engine

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"evergreen"
	"evergreen/internal/format"
	"evergreen/internal/index"
	"evergreen/internal/section"
	"evergreen/internal/store"
)

// chunk is the share of the changed items that goes into one segment.
type chunk struct {
	items  []item
	number int
}

// built is what came of a chunk.
type built struct {
	info     store.SegmentInfo
	outcomes []outcome // one an item, in order
}

// chunks cuts the items at sizes that depend on nothing but the items, so that
// the same source gives the same segments on every machine.
func (r *run) chunks(items []item) []chunk {
	total := int64(0)
	for _, it := range items {
		total += it.size
	}
	target := min(max(total/4, minChunkBytes), chunkBytes)
	var out []chunk
	size := int64(0)
	for _, it := range items {
		if len(out) == 0 || size >= target {
			r.manifest.Serial++
			out = append(out, chunk{number: r.manifest.Serial})
			size = 0
		}
		c := &out[len(out)-1]
		c.items = append(c.items, it)
		size += it.size
	}
	return out
}

// build reads the changed items and writes their segments, several at a time.
func (r *run) build(ctx context.Context, items []item) ([]built, error) {
	slices.SortStableFunc(items, func(a, b item) int { return store.ComparePaths(a.path, b.path) })
	chunks := r.chunks(items)
	out := make([]built, len(chunks))
	writers := make([]*store.SegmentWriter, len(chunks))
	var done atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range chunks {
		group.Go(func() (err error) {
			defer settleNamed(debug.SetPanicOnFault(true), r.manifest.Name, &err)
			sw, err := r.w.NewSegment(r.manifest.Name, c.number)
			if err != nil {
				return err
			}
			writers[i] = sw
			s := sink{run: r, segment: sw, builder: index.NewBuilder()}
			for _, it := range c.items {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				o, err := s.item(it)
				if err != nil {
					return err
				}
				out[i].outcomes = append(out[i].outcomes, o)
				if n := done.Add(1); n%64 == 0 {
					r.progress("read", int(n), len(items))
				}
			}
			out[i].info, err = sw.Finish(s.builder.Bytes())
			return err
		})
	}
	err := group.Wait()
	for _, sw := range writers {
		if sw != nil {
			r.written = append(r.written, sw)
		}
	}
	r.progress("read", int(done.Load()), len(items))
	return out, err
}

// sink puts documents into one segment.
type sink struct {
	run     *run
	segment *store.SegmentWriter
	builder *index.Builder
	docs    int
}

// item reads one item and adds what it holds. An item that cannot be taken is
// an outcome with a reason; errors are those of the library.
func (s *sink) item(it item) (outcome, error) {
	o := outcome{state: store.FileState{
		Path: it.path, Source: s.run.source, Size: it.size, ModNanos: it.modNanos, Inode: it.inode, Segment: -1,
	}}
	old, known := s.run.old[it.path]
	data, err := it.read()
	if err != nil {
		o.reason = err.Error()
		if known && old.Segment >= 0 && evergreen.KindOf(err) != evergreen.TooLarge {
			o.keepOld, o.state = true, old
			o.reason += "; what was indexed before is kept"
		}
		return o, nil
	}
	o.state.Size = int64(len(data))
	o.state.Hash = hashOf(data)
	if known && old.Hash == o.state.Hash && s.run.sameReading(old) && (it.web != nil || !s.run.req.Refresh) {
		o.unchanged = true
		o.state.Segment, o.state.Doc, o.state.Docs, o.state.Tag = old.Segment, old.Doc, old.Docs, old.Tag
		o.reason = old.Tag
		return o, nil
	}
	options := format.Options{MDX: s.run.req.Source.MDX}
	if it.web != nil {
		options.ContentType, options.URL, options.UTF8 = it.web.contentType, it.web.url, true
	}
	doc, err := format.Read(it.path, data, options)
	if err != nil {
		o.reason = reasonOf(err)
		o.state.Tag = o.reason
		return o, nil
	}
	if it.web != nil && doc.Knowledge == nil && doc.Outline == nil {
		s.run.e.publicLinks(&doc, it.web.url)
	}
	o.warnings = doc.Warnings
	it.date(&doc.Meta)
	return o, s.add(&o, doc, it.path)
}

// date says when a document last changed, where it does not say so itself.
func (it item) date(m *evergreen.Meta) {
	if it.web != nil {
		m.URL, m.FetchedAt = it.web.url, it.web.fetchedAt
		if m.Updated == "" {
			m.Updated = it.web.modified
		}
	} else if m.Updated == "" && it.commit != "" {
		m.Updated = it.commit
	} else if m.Updated == "" {
		m.Updated = time.Unix(0, it.modNanos).UTC().Format(time.DateOnly)
	}
}

// sameReading tells whether a file with the same bytes would be read the same
// way now.
func (r *run) sameReading(old store.FileState) bool {
	return old.Segment < 0 || r.open[old.Segment] != nil
}

func reasonOf(err error) string {
	if e, ok := errors.AsType[*evergreen.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// add writes a read document, or the entries of a knowledge base.
func (s *sink) add(o *outcome, doc format.Doc, path string) error {
	o.state.Segment, o.state.Doc = s.segment.Number(), s.docs
	if doc.Knowledge != nil {
		o.knowledge = knowledgeOf(*doc.Knowledge)
		return s.addEntries(o, doc, path)
	}
	d := store.Doc{
		Path: path, Meta: doc.Meta, Source: s.run.source, Hash: hashOf(doc.Text), HeadBytes: doc.FrontMatterEnd,
	}
	if doc.Plain {
		d.Flags |= store.FlagPlain
	}
	if doc.Outline != nil {
		d.Flags |= store.FlagMDX
	}
	if doc.Meta.Draft {
		d.Flags |= store.FlagDraft
	}
	ids, err := s.document(d, doc.Text, doc.Outline)
	o.ids, o.state.Docs = ids, 1
	return err
}

// document splits, indexes and stores one text, and returns the path::chain of
// each section where the run compares them.
func (s *sink) document(d store.Doc, text, outline []byte) ([]string, error) {
	split := section.Split(text, splitOptions(d, outline, s.run.e.opts.ASCII))
	d.Title = split.Title
	d.HeadBytes = split.HeadBytes
	if outline == nil {
		outline = text
	}
	rows := make([]store.Row, len(split.Rows))
	var ids []string
	s.builder.StartDocument()
	for i, r := range split.Rows {
		chain := split.Path(i)
		if s.run.comparesIDs {
			ids = append(ids, d.Path+"::"+chain)
		}
		rows[i] = store.Row{
			Parent: r.Parent, Start: r.Start, End: r.End, BodyStart: r.BodyStart, Tokens: r.Tokens, Level: r.Level,
			Title: r.Title, Leaf: r.Leaf, Anchor: r.Anchor, Hash: r.Hash,
			Marker: marker(evergreen.SectionID(s.run.manifest.Name, d.Path, chain)),
		}
		body := section.Searchable(outline[r.BodyStart:r.End])
		s.builder.Add(titleField(split.Title, d.Path, split.Rows, i), string(body))
	}
	s.docs++
	return ids, s.segment.Add(d, text, rows)
}

// splitOptions are how a stored document is split, the first time and again.
func splitOptions(d store.Doc, outline []byte, ascii bool) section.Options {
	return section.Options{
		Path: d.Path, Title: d.Meta.Title, HeadBytes: d.HeadBytes,
		Plain: d.Flags&store.FlagPlain != 0, Outline: outline, ASCII: ascii,
	}
}

// addEntries stores each curated entry as a document with one section.
func (s *sink) addEntries(o *outcome, doc format.Doc, file string) error {
	for _, entry := range sortedEntries(doc.Entries) {
		d := store.Doc{
			Path: file + "#" + entry.ID, Title: entry.Title, Source: s.run.source, Flags: store.FlagEntry,
			Hash: hashOf([]byte(entry.Body)),
			Meta: evergreen.Meta{
				Title: entry.Title, Description: entry.Summary, Tags: entry.Tags, Category: entry.Category,
				Confidence: entry.Confidence, Updated: entry.Updated,
			},
		}
		s.entry(d, entry)
		row := store.Row{
			Parent: -1, End: len(entry.Body), Tokens: entry.Tokens, Title: entry.Title, Leaf: entry.ID,
			Marker: marker(entry.ID), Hash: d.Hash,
		}
		if s.run.comparesIDs {
			o.ids = append(o.ids, d.Path)
		}
		if err := s.segment.Add(d, []byte(entry.Body), []store.Row{row}); err != nil {
			return err
		}
		s.docs++
		o.state.Docs++
	}
	return nil
}

// entry indexes a curated entry.
func (s *sink) entry(d store.Doc, entry evergreen.Entry) {
	title := strings.Join(append([]string{entry.ID, entry.Title, entry.Summary}, entry.Tags...), "\n")
	s.builder.StartDocument()
	s.builder.Add(title, entry.Body)
}
