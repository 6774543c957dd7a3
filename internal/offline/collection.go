package offline

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"

	"evergreen"
	"evergreen/internal/section"
	"evergreen/internal/text"
)

// This file writes the files of one collection: its index and its texts.
//
// An index is gzip of
//
//	magic "EGO1"
//	four blocks, each uvarint(bytes) and then those bytes:
//	  head      JSON, see indexHead
//	  lengths   uvarint for each section's title, then for each section's body
//	  terms     in order of bytes, each uvarint(shared<<1|word), uvarint(bytes),
//	            those bytes; shared is how many bytes stand in the term before,
//	            word tells terms that are words as they were written
//	  postings  of each term for titles, then for bodies: uvarint(count),
//	            uvarint(bytes), postings: uvarint(delta<<1|once), followed by
//	            uvarint(frequency) unless once
//
// A file of texts is JSON: for each of its sections [summary, body].

const indexMagic = "EGO1"

// IndexName is the file of a collection's index.
const IndexName = "index.bin"

// TextsName is the file of a collection's texts by its number, from 0.
func TextsName(n int) string { return fmt.Sprintf("texts-%d.json", n) }

// Document is a document with its sections in order, bodies included. Curated
// entries may stand in one document.
type Document struct {
	Path     string
	Title    string
	URL      string // of its page, "" for the sections' own
	Sections []evergreen.Entry
}

// WriteCollection hands the files of a collection to put, the index last. The
// order of documents does not matter to ranking; errors are those of the
// documents and of put.
func WriteCollection(name string, documents iter.Seq2[Document, error], put func(file string, data []byte) error) error {
	w := writer{put: put, index: newInverter(), head: indexHead{Collection: name}}
	for d, err := range documents {
		if err != nil {
			return err
		}
		if err := w.document(d); err != nil {
			return err
		}
	}
	if err := w.endShard(); err != nil {
		return err
	}
	data, err := w.bytes()
	if err != nil {
		return err
	}
	return put(IndexName, data)
}

// indexHead is what an index knows of its sections beside their words. Lists
// below Documents have one value for each section.
type indexHead struct {
	Collection string         `json:"collection"`
	Shards     []int          `json:"shards"` // first section of each file of texts
	Documents  []headDocument `json:"documents"`
	Titles     []string       `json:"titles"`
	Leaves     []*string      `json:"leaves"`  // last part of the slug chain; null: the title's slug
	Anchors    []*string      `json:"anchors"` // null: the leaf
	Levels     []int          `json:"levels"`
	Parents    []int          `json:"parents"` // how many sections before; 0: none
	Tokens     []int          `json:"tokens"`  // negative: there is nothing but the heading
	Summaries  []string       `json:"summaries"`
}

type headDocument struct {
	Path       string   `json:"path"`
	Title      string   `json:"title,omitempty"` // "" for curated entries
	URL        string   `json:"url,omitempty"`
	Sections   int      `json:"sections"`
	Curated    bool     `json:"curated,omitempty"`
	Category   string   `json:"category,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Confidence float64  `json:"confidence"`
	Updated    string   `json:"updated,omitempty"`
}

type writer struct {
	put   func(string, []byte) error
	index *inverter
	head  indexHead
	texts [][2]string // of the shard at hand
	held  int
}

// document adds a document, each curated entry as one of its own.
func (w *writer) document(d Document) error {
	if len(d.Sections) > 0 && d.Sections[0].Curated {
		for _, e := range d.Sections {
			w.about(d, []evergreen.Entry{e})
			title := strings.Join(append([]string{e.ID, e.Title, e.Summary}, e.Tags...), "\n")
			if err := w.section(e, outline{leaf: e.ID}, title, e.Body); err != nil {
				return err
			}
		}
		return nil
	}
	if len(d.Sections) == 0 {
		return nil
	}
	w.about(d, d.Sections)
	rows := outlineOf(d.Sections)
	for i, e := range d.Sections {
		body := section.Searchable([]byte(e.Body))
		if err := w.section(e, rows[i], titleField(d, rows, i), string(body)); err != nil {
			return err
		}
	}
	return nil
}

// about notes what a document's sections have in common.
func (w *writer) about(d Document, sections []evergreen.Entry) {
	e := sections[0]
	h := headDocument{
		Path: d.Path, URL: d.URL, Sections: len(sections), Curated: e.Curated, Category: e.Category,
		Tags: e.Tags, Confidence: e.Confidence, Updated: e.Updated,
	}
	if !e.Curated {
		h.Title = d.Title
	}
	if h.URL == "" {
		h.URL = e.URL
	}
	w.head.Documents = append(w.head.Documents, h)
}

func (w *writer) section(e evergreen.Entry, o outline, title, body string) error {
	w.index.add(title, body)
	h := &w.head
	h.Titles = append(h.Titles, e.Title)
	h.Leaves = append(h.Leaves, unless(o.leaf, plainSlug(e.Title)))
	h.Anchors = append(h.Anchors, unless(e.Anchor, o.leaf))
	h.Levels = append(h.Levels, o.level)
	h.Parents = append(h.Parents, o.up)
	tokens := e.Tokens
	if strings.TrimSpace(e.Body) == "" {
		tokens = -tokens
	}
	h.Tokens = append(h.Tokens, tokens)
	h.Summaries = append(h.Summaries, shorten(e.Summary))
	if len(w.texts) == 0 {
		h.Shards = append(h.Shards, len(h.Titles)-1)
	}
	w.texts = append(w.texts, [2]string{e.Summary, e.Body})
	if w.held += len(e.Summary) + len(e.Body); w.held < shardBytes {
		return nil
	}
	return w.endShard()
}

// endShard writes the texts at hand.
func (w *writer) endShard() error {
	if len(w.texts) == 0 {
		return nil
	}
	data, err := encode(w.texts)
	if err != nil {
		return err
	}
	w.texts, w.held = nil, 0
	return w.put(TextsName(len(w.head.Shards)-1), data)
}

// bytes is the index.
func (w *writer) bytes() ([]byte, error) {
	head, err := encode(w.head)
	if err != nil {
		return nil, err
	}
	lengths, terms, lists := w.index.encode()
	raw := []byte(indexMagic)
	for _, block := range [][]byte{head, lengths, terms, lists} {
		raw = binary.AppendUvarint(raw, uint64(len(block)))
		raw = append(raw, block...)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(raw); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// outline is the place of a section within its document.
type outline struct {
	leaf  string
	level int
	up    int // how many sections before is its parent; 0: it has none
}

// outlineOf reads the places of sections from their ids.
func outlineOf(sections []evergreen.Entry) []outline {
	out := make([]outline, len(sections))
	at := map[string]int{} // by slug chain
	for i, e := range sections {
		_, _, chain, _ := evergreen.SplitSectionID(e.ID)
		if hash := strings.LastIndexByte(chain, '#'); hash >= 0 {
			out[i].level = int(chain[len(chain)-1] - '0')
			chain = chain[:hash]
		}
		at[chain] = i
		dir, leaf := path.Split(chain)
		out[i].leaf = chain
		if parent, ok := at[strings.TrimSuffix(dir, "/")]; ok && dir != "" {
			out[i].leaf, out[i].up = leaf, i-parent
		}
	}
	return out
}

// titleField is what the server's index holds as a section's title: the chain
// of headings, the document's title when no heading says it, and the words of
// the path.
func titleField(d Document, rows []outline, i int) string {
	top := d.Sections[i].Title
	parts := []string{top}
	for rows[i].up > 0 {
		i -= rows[i].up
		top = d.Sections[i].Title
		parts = append(parts, top)
	}
	if d.Title != top {
		parts = append(parts, d.Title)
	}
	p := strings.TrimSuffix(strings.TrimSuffix(d.Path, path.Ext(d.Path)), "/index")
	words := strings.NewReplacer("/", " ", "_", " ", "-", " ", ".", " ", "#", " ").Replace(p)
	return strings.Join(parts, "\n") + "\n" + words
}

// plainSlug is the slug of a title of ASCII and Chinese characters, which every
// browser knows alike; "" for others, and where there is nothing to keep.
func plainSlug(title string) string {
	words := false
	for _, r := range title {
		chinese := r >= 0x4E00 && r <= 0x9FFF
		if r >= 0x80 && !chinese {
			return ""
		}
		words = words || chinese || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	if !words {
		return ""
	}
	return text.Slug(title)
}

// unless is s, or nothing where it goes without saying.
func unless(s, usual string) *string {
	if s == usual {
		return nil
	}
	return &s
}

func shorten(summary string) string {
	runes := []rune(summary)
	if len(runes) <= summaryRunes {
		return summary
	}
	return string(runes[:summaryRunes-1]) + "…"
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return slices.Clip(b.Bytes()), err
}
