package main

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	"evergreen"
	"evergreen/internal/config"

	"github.com/spf13/cobra"
)

// fallback answers from the library, and from a second one as long as that is
// empty. What is indexed goes into the library, so that the first index ends
// the fallback.
type fallback struct {
	library library
	second  func() (library, error) // opened at the first need, the same ever after; nil: there is none

	filled atomic.Pointer[string] // revision at which the library was not empty
}

// now is the library that answers at this moment, and whether it is the second.
func (f *fallback) now(ctx context.Context) (answers library, second bool, err error) {
	revision := f.library.Revision()
	if at := f.filled.Load(); f.second == nil || at != nil && revision != "" && *at == revision {
		return f.library, false, nil
	}
	collections, err := f.library.Collections(ctx)
	if err != nil {
		return nil, false, err
	}
	if len(collections) == 0 && len(f.library.Damaged(ctx)) == 0 {
		answers, err = f.second()
		return answers, true, err
	}
	if len(collections) > 0 && f.library.Revision() == revision {
		f.filled.Store(&revision)
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

// Damaged is about the library: the second is fresh.
func (f *fallback) Damaged(ctx context.Context) []evergreen.Damage { return f.library.Damaged(ctx) }

// Check and Repair are about the library too.
func (f *fallback) Check(ctx context.Context, name string) ([]string, error) {
	return f.library.Check(ctx, name)
}

func (f *fallback) Repair(ctx context.Context, r evergreen.RepairRequest, progress evergreen.Progress) (evergreen.RepairReport, error) {
	return f.library.Repair(ctx, r, progress)
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

// OnChange is told of changes to the library; the second does not change.
func (f *fallback) OnChange(do func()) { f.library.OnChange(do) }

// Close does nothing: both libraries are closed by who opened them.
func (f *fallback) Close() error { return nil }

// withOwnDocs puts Evergreen's own documentation behind an empty library. It is
// unpacked at the first need; the second value removes it.
func (a *app) withOwnDocs(ctx context.Context, lib library, s config.Settings) (*fallback, func()) {
	var opened atomic.Pointer[library]
	second := sync.OnceValues(func() (library, error) {
		own, err := a.world.opener.embedded(ctx, s)
		if err == nil {
			opened.Store(&own)
		}
		return own, err
	})
	return &fallback{library: lib, second: second}, func() {
		if own := opened.Load(); own != nil {
			_ = (*own).Close() // a folder that cannot be removed is the system's to clean up
		}
	}
}

// openToAsk is open for commands that answer: as long as the library is empty
// they answer from Evergreen's own documentation, and say so.
func (a *app) openToAsk(cmd *cobra.Command) (library, config.Settings, error) {
	lib, s, err := a.open(cmd)
	if err != nil {
		return nil, s, err
	}
	f, closeOwn := a.withOwnDocs(cmd.Context(), lib, s)
	collections, err := lib.Collections(cmd.Context())
	if err != nil {
		lib.Close()
		return nil, s, err
	}
	a.sayDamaged(cmd.Context(), lib)
	if len(collections) == 0 && len(lib.Damaged(cmd.Context())) == 0 {
		a.say("The library is empty: answering from Evergreen's own documentation. Index a folder or a site: evergreen index ./docs")
	}
	return asking{f, closeOwn}, s, nil
}

// asking is a fallback that closes what it asks.
type asking struct {
	*fallback
	closeOwn func()
}

// Close closes the library and what stands behind it.
func (a asking) Close() error {
	a.closeOwn()
	return a.library.Close()
}
