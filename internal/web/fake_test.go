package web

// This file holds the snapshot and the pages that the tests serve.

import (
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"evergreen"
	"evergreen/internal/site"
	"evergreen/internal/text"
)

// fakeSnapshot is a library in memory.
type fakeSnapshot struct {
	revision  string
	documents []site.Document
	texts     map[string]string // by path; all are in the collection "guide"
	closed    atomic.Bool
}

// exampleDocs has three documents, one of them Chinese.
func exampleDocs(revision string) *fakeSnapshot {
	f := &fakeSnapshot{revision: revision, texts: map[string]string{}}
	f.add("index.md", "# Guide\n\nStart here.\n", evergreen.Meta{})
	f.add("keys.md", "# Rotating keys\n\nRun `example keys rotate`. See [start](index.md).\n\n"+strings.Repeat("The old key stays valid. ", 40)+"\n", evergreen.Meta{Updated: "2026-10-02"})
	f.add("zh/幻觉.md", "# 幻觉\n\n回答时引用编号。\n", evergreen.Meta{Lang: "zh-CN"})
	return f
}

func (f *fakeSnapshot) add(path, body string, meta evergreen.Meta) {
	title, _, _ := cutTitle(body)
	f.texts[path] = body
	f.documents = append(f.documents, site.Document{Document: evergreen.Document{Collection: "guide", Path: path,
		Title: title, Meta: meta, Bytes: len(body), Tokens: text.Tokens(body)}})
}

func cutTitle(body string) (title, rest string, ok bool) {
	for i, c := range body {
		if c == '\n' {
			return body[2:i], body[i:], true
		}
	}
	return "", body, false
}

func (f *fakeSnapshot) Close() {
	if f.closed.Swap(true) {
		panic("closed twice")
	}
}
func (f *fakeSnapshot) Revision() string { return f.revision }
func (f *fakeSnapshot) Time() time.Time  { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) }
func (f *fakeSnapshot) Collections() []evergreen.Collection {
	return []evergreen.Collection{{Name: "guide", Documents: len(f.documents), Sections: len(f.documents), Tokens: 60}}
}
func (f *fakeSnapshot) Documents(string) iter.Seq[site.Document] {
	return func(yield func(site.Document) bool) {
		for _, d := range f.documents {
			if !yield(d) {
				return
			}
		}
	}
}
func (f *fakeSnapshot) Text(d site.Document) ([]byte, error) {
	if f.closed.Load() {
		return nil, fmt.Errorf("the snapshot is closed")
	}
	body, ok := f.texts[d.Path]
	if !ok {
		return nil, fmt.Errorf("no text of %s", d.Path)
	}
	return []byte(body), nil
}
func (f *fakeSnapshot) Sections(d site.Document) ([]evergreen.Entry, error) {
	return []evergreen.Entry{{ID: evergreen.SectionID("guide", d.Path, "top#1"), Title: d.Title, Body: f.texts[d.Path],
		Confidence: 1, Tokens: d.Tokens, Collection: "guide", DocPath: d.Path, Tags: []string{}}}, nil
}
func (f *fakeSnapshot) Entries() []evergreen.Entry { return nil }
func (f *fakeSnapshot) Knowledge() site.Knowledge  { return site.Knowledge{} }

// plainPages writes pages that name what they were made from.
type plainPages struct{}

func (plainPages) Page(s *site.Site, p site.Page, lang string) ([]byte, error) {
	body, err := s.Markdown(p)
	return fmt.Appendf(nil, "<html lang=%s><h1>%s</h1>%s\n", lang, p.Title, body), err
}
func (p plainPages) Playground(s *site.Site, home site.Page, lang string, q evergreen.Query, ask func(evergreen.Query) (evergreen.Bundle, error)) ([]byte, error) {
	body, err := p.Page(s, home, lang)
	if q.Topic == "" || err != nil {
		return body, err
	}
	b, err := ask(q)
	if err != nil {
		return fmt.Appendf(body, "refused: %v\n", err), nil
	}
	return fmt.Appendf(body, "asked %q %d: %d entries\n", q.Topic, q.Budget, b.EntryCount), nil
}
func (plainPages) Layers(_ *site.Site, lang string) ([]byte, error) {
	return []byte("layers " + lang + "\n"), nil
}
func (plainPages) Search(_ *site.Site, lang string, r evergreen.SearchRequest, find func(evergreen.SearchRequest) (evergreen.SearchResult, error)) ([]byte, error) {
	var found evergreen.SearchResult
	if r.Query != "" {
		var err error
		if found, err = find(r); err != nil {
			return nil, err
		}
	}
	return fmt.Appendf(nil, "search %s %q %d\n", lang, r.Query, len(found.Hits)), nil
}
func (plainPages) Data(s *site.Site, most int, put func(path string, body []byte) error) error {
	if err := put("/offline/kb/index.bin", []byte("EGO1")); err != nil {
		return err
	}
	return put("/offline/manifest.json", fmt.Appendf(nil, `{"base":%q,"most":%d}`+"\n", s.Base(), most))
}
func (plainPages) Asset(path string) (body []byte, kind string, fixed, ok bool) {
	switch path {
	case "/assets/site-1f.css":
		return []byte("a{}\n"), "text/css; charset=utf-8", true, true
	case "/favicon.ico":
		return []byte("<svg/>\n"), "image/svg+xml", false, true
	}
	return nil, "", false, false
}
func (plainPages) Policy() string { return "default-src 'none'" }
