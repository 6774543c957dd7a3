package engine

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"evergreen"
	"evergreen/internal/folder"
	"evergreen/internal/format"
	"evergreen/internal/index"
	"evergreen/internal/section"
	"evergreen/internal/store"
)

// chunk is the share of the changed files that goes into one segment.
type chunk struct {
	files  []folder.File
	number int
}

// built is what came of a chunk.
type built struct {
	info     store.SegmentInfo
	outcomes []outcome // one a file, in order
}

// chunks cuts the files at sizes that depend on
// nothing but the files, so that the same source gives the same segments on
// every machine.
func (r *run) chunks(files []folder.File) []chunk {
	total := int64(0)
	for _, f := range files {
		total += f.Size
	}
	target := min(max(total/4, minChunkBytes), chunkBytes)
	var out []chunk
	size := int64(0)
	for _, f := range files {
		if len(out) == 0 || size >= target {
			r.manifest.Serial++
			out = append(out, chunk{number: r.manifest.Serial})
			size = 0
		}
		c := &out[len(out)-1]
		c.files = append(c.files, f)
		size += f.Size
	}
	return out
}

// build reads the changed files and writes their segments, several at a time.
func (r *run) build(ctx context.Context, root string, files []folder.File) ([]built, error) {
	if len(files) == 0 {
		return nil, nil
	}
	tree, err := folder.Open(root, 0)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	slices.SortStableFunc(files, func(a, b folder.File) int { return store.ComparePaths(a.Path, b.Path) })
	chunks := r.chunks(files)
	out := make([]built, len(chunks))
	writers := make([]*store.SegmentWriter, len(chunks))
	var done atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range chunks {
		group.Go(func() error {
			sw, err := r.w.NewSegment(r.manifest.Name, c.number)
			if err != nil {
				return err
			}
			writers[i] = sw
			s := sink{run: r, segment: sw, builder: index.NewBuilder()}
			for _, f := range c.files {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				o, err := s.file(tree, f)
				if err != nil {
					return err
				}
				out[i].outcomes = append(out[i].outcomes, o)
				if n := done.Add(1); n%64 == 0 {
					r.progress("read", int(n), len(files))
				}
			}
			out[i].info, err = sw.Finish(s.builder.Bytes())
			return err
		})
	}
	err = group.Wait()
	for _, sw := range writers {
		if sw != nil {
			r.written = append(r.written, sw)
		}
	}
	r.progress("read", int(done.Load()), len(files))
	return out, err
}

// sink puts documents into one segment.
type sink struct {
	run     *run
	segment *store.SegmentWriter
	builder *index.Builder
	docs    int
}

// file reads one file and adds what it holds. A file that cannot be taken is an
// outcome with a reason; errors are those of the library.
func (s *sink) file(tree *folder.Tree, f folder.File) (outcome, error) {
	o := outcome{state: store.FileState{
		Path: f.Path, Source: s.run.source, Size: f.Size, ModNanos: f.ModTime, Inode: f.Inode, Segment: -1,
	}}
	old, known := s.run.old[f.Path]
	data, err := tree.Read(f)
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
	if known && old.Hash == o.state.Hash && s.run.sameReading(old) {
		o.unchanged = true
		o.state.Segment, o.state.Doc, o.state.Docs, o.state.Tag = old.Segment, old.Doc, old.Docs, old.Tag
		o.reason = old.Tag
		return o, nil
	}
	doc, err := format.Read(f.Path, data, format.Options{MDX: s.run.req.Source.MDX})
	if err != nil {
		o.reason = reasonOf(err)
		o.state.Tag = o.reason
		return o, nil
	}
	o.warnings = doc.Warnings
	return o, s.add(&o, doc, f)
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
func (s *sink) add(o *outcome, doc format.Doc, f folder.File) error {
	o.state.Segment, o.state.Doc = s.segment.Number(), s.docs
	if doc.Meta.Updated == "" {
		doc.Meta.Updated = time.Unix(0, f.ModTime).UTC().Format(time.DateOnly)
	}
	if doc.Knowledge != nil {
		o.knowledge = knowledgeOf(*doc.Knowledge)
		return s.addEntries(o, doc, f.Path)
	}
	d := store.Doc{Path: f.Path, Meta: doc.Meta, Source: s.run.source, Hash: hashOf(doc.Text)}
	if doc.Plain {
		d.Flags |= store.FlagPlain
	}
	if doc.Outline != nil {
		d.Flags |= store.FlagMDX
	}
	if doc.Meta.Draft {
		d.Flags |= store.FlagDraft
	}
	d.HeadBytes = doc.FrontMatterEnd
	ids, err := s.document(d, doc.Text, doc.Outline)
	o.ids, o.state.Docs = ids, 1
	return err
}

// document splits, indexes and stores one text.
func (s *sink) document(d store.Doc, text, outline []byte) ([]idHash, error) {
	split := section.Split(text, splitOptions(d, outline, s.run.e.opts.ASCII))
	d.Title = split.Title
	d.HeadBytes = split.HeadBytes
	if outline == nil {
		outline = text
	}
	rows := make([]store.Row, len(split.Rows))
	ids := make([]idHash, len(split.Rows))
	for i, r := range split.Rows {
		chain := split.Path(i)
		ids[i] = idHash{d.Path + "::" + chain, r.Hash}
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
		o.ids = append(o.ids, idHash{d.Path, d.Hash})
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
	s.builder.Add(title, entry.Body)
}
