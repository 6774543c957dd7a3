package main

import (
	"context"
	"encoding/json"

	"evergreen"
)

// fallback answers from the library, and from a second one as long as that is
// empty. What is indexed goes into the library, so that the first index ends
// the fallback.
type fallback struct {
	library library
	second  func() (library, error) // opened at the first need, the same ever after
}

// now is the library that answers at this moment, and whether it is the second.
func (f *fallback) now(ctx context.Context) (answers library, second bool, err error) {
	collections, err := f.library.Collections(ctx)
	if err != nil {
		return nil, false, err
	}
	if len(collections) == 0 {
		answers, err = f.second()
		return answers, true, err
	}
	return f.library, false, nil
}

// through asks the engine of the moment.
func through[T any](ctx context.Context, f *fallback, ask func(library) (T, error)) (T, error) {
	e, _, err := f.now(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return ask(e)
}

func (f *fallback) Collections(ctx context.Context) ([]evergreen.Collection, error) {
	return through(ctx, f, func(e library) ([]evergreen.Collection, error) { return e.Collections(ctx) })
}

func (f *fallback) Outline(ctx context.Context, r evergreen.OutlineRequest) (evergreen.Outline, error) {
	return through(ctx, f, func(e library) (evergreen.Outline, error) { return e.Outline(ctx, r) })
}

func (f *fallback) Search(ctx context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error) {
	return through(ctx, f, func(e library) (evergreen.SearchResult, error) { return e.Search(ctx, r) })
}

func (f *fallback) Section(ctx context.Context, r evergreen.SectionRequest) (evergreen.SectionText, error) {
	return through(ctx, f, func(e library) (evergreen.SectionText, error) { return e.Section(ctx, r) })
}

func (f *fallback) Entry(ctx context.Context, id string) (evergreen.Entry, string, error) {
	e, _, err := f.now(ctx)
	if err != nil {
		return evergreen.Entry{}, "", err
	}
	return e.Entry(ctx, id)
}

func (f *fallback) Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error) {
	return through(ctx, f, func(e library) (evergreen.Bundle, error) { return e.Ask(ctx, q) })
}

func (f *fallback) AskText(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error) {
	return through(ctx, f, func(e library) (evergreen.Bundle, error) { return e.AskText(ctx, q) })
}

func (f *fallback) PromptPack(ctx context.Context, scenario, lang string) (string, error) {
	return through(ctx, f, func(e library) (string, error) { return e.PromptPack(ctx, scenario, lang) })
}

func (f *fallback) Metrics(ctx context.Context) (json.RawMessage, error) {
	return through(ctx, f, func(e library) (json.RawMessage, error) { return e.Metrics(ctx) })
}

func (f *fallback) Document(ctx context.Context, collection, docPath string) (evergreen.Document, []byte, error) {
	e, _, err := f.now(ctx)
	if err != nil {
		return evergreen.Document{}, nil, err
	}
	return e.Document(ctx, collection, docPath)
}

func (f *fallback) Index(ctx context.Context, r evergreen.IndexRequest, progress evergreen.Progress) (evergreen.IndexReport, error) {
	return f.library.Index(ctx, r, progress)
}

func (f *fallback) Delete(ctx context.Context, name string) (bool, error) {
	return f.library.Delete(ctx, name)
}

// Revision is that of the engine that answers.
func (f *fallback) Revision() string {
	e, _, err := f.now(context.Background())
	if err != nil {
		return ""
	}
	return e.Revision()
}

// Close does nothing: both libraries are closed by who opened them.
func (f *fallback) Close() error { return nil }
