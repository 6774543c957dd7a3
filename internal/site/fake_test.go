package site

// This file holds the snapshot that tests are made from.

import (
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/text"
)

// fake is a snapshot in memory.
type fake struct {
	revision    string
	at          time.Time
	collections []evergreen.Collection
	documents   []Document
	texts       map[string]string // by collection, slash, path
	entries     []evergreen.Entry
	knowledge   Knowledge
}

func (f *fake) Revision() string                    { return f.revision }
func (f *fake) Time() time.Time                     { return f.at }
func (f *fake) Collections() []evergreen.Collection { return f.collections }
func (f *fake) Entries() []evergreen.Entry          { return f.entries }
func (f *fake) Knowledge() Knowledge                { return f.knowledge }

func (f *fake) Documents(collection string) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for _, d := range f.documents {
			if d.Collection == collection && !yield(d) {
				return
			}
		}
	}
}

func (f *fake) Text(d Document) ([]byte, error) {
	body, ok := f.texts[d.Collection+"/"+d.Path]
	if !ok {
		return nil, fmt.Errorf("no text of %s", d.Path)
	}
	return []byte(body), nil
}

// Sections splits at headings of any level, which is enough here.
func (f *fake) Sections(d Document) ([]evergreen.Entry, error) {
	body, err := f.Text(d)
	if err != nil {
		return nil, err
	}
	var out []evergreen.Entry
	for part := range strings.SplitSeq("\n"+string(body[d.HeadBytes:]), "\n#") {
		title, rest, _ := strings.Cut(part, "\n")
		title = strings.Trim(title, "# ")
		if title == "" {
			continue
		}
		slug := text.Slug(title)
		rest = strings.TrimSpace(rest)
		out = append(out, evergreen.Entry{ID: evergreen.SectionID(d.Collection, d.Path, slug+"#1"), Category: "doc", Title: title,
			Summary: firstParagraph(rest), Body: rest, Tags: []string{}, Confidence: 1, Tokens: text.TokensOf(title, "\n", rest),
			Collection: d.Collection, DocPath: d.Path, Anchor: slug, Updated: d.Meta.Updated})
	}
	return out, nil
}

// document adds one; title and head are taken from the text.
func (f *fake) document(collection, path, body string, meta evergreen.Meta) {
	d := Document{Document: evergreen.Document{Collection: collection, Path: path, Meta: meta, Bytes: len(body), Tokens: text.Tokens(body)}}
	if strings.HasPrefix(body, "---\n") {
		d.HeadBytes = 4 + strings.Index(body[4:], "---\n") + 4
	}
	d.Title = meta.Title
	if d.Title == "" {
		own, _ := takeTitle(body[d.HeadBytes:], "")
		d.Title = plain(strings.TrimPrefix(own, "# "))
	}
	d.Plain = strings.HasSuffix(path, ".txt")
	f.documents = append(f.documents, d)
	if f.texts == nil {
		f.texts = map[string]string{}
	}
	f.texts[collection+"/"+path] = body
	for i := range f.collections {
		if f.collections[i].Name == collection {
			f.collections[i].Documents++
			f.collections[i].Tokens += d.Tokens
			return
		}
	}
	f.collections = append(f.collections, evergreen.Collection{Name: collection, Documents: 1, Tokens: d.Tokens, IndexedAt: f.at})
}

func (f *fake) entry(collection string, e evergreen.Entry) {
	e.Collection, e.Curated = collection, true
	if e.Confidence == 0 {
		e.Confidence = 1
	}
	e.Tokens = text.TokensOf(e.Title, "\n", e.Body)
	f.entries = append(f.entries, e)
	for i := range f.collections {
		if f.collections[i].Name == collection {
			f.collections[i].Sections++
			return
		}
	}
	f.collections = append(f.collections, evergreen.Collection{Name: collection, Knowledge: true, Sections: 1, Documents: 1, IndexedAt: f.at})
}

// must returns the site of an input, or ends the test.
func must(t *testing.T, in Input) *Site {
	t.Helper()
	s, err := New(in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read returns what is served at a path, or ends the test.
func read(t *testing.T, s *Site, path string) string {
	t.Helper()
	r, ok := s.Lookup(path)
	if !ok {
		t.Fatalf("nothing is served at %s", path)
	}
	b, err := r.Bytes()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(b)
}
