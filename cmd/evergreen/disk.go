package main

// This file opens real libraries.

import (
	"context"
	"path/filepath"

	"evergreen"
	"evergreen/docs"
	"evergreen/internal/config"
	"evergreen/internal/engine"
	"evergreen/internal/store"
	"evergreen/internal/text"
)

// disk is the opener of the real program.
type disk struct{}

func (disk) open(_ context.Context, s config.Settings, drafts bool) (library, error) {
	o := engineOptions(s)
	o.Drafts = drafts
	return engine.Open(o)
}

func (disk) embedded(ctx context.Context, s config.Settings) (library, error) {
	return engine.OpenEmbedded(ctx, engineOptions(s), docs.Files, "evergreen")
}

// outlineFile reads the file into a library that lives as long as the call, so
// that ids are the same as after indexing it under the name "local".
func (disk) outlineFile(ctx context.Context, s config.Settings, file string, r evergreen.OutlineRequest) (evergreen.Outline, error) {
	temp, err := store.NewTemporary("evergreen-toc-")
	if err != nil {
		return evergreen.Outline{}, err
	}
	defer func() { _ = temp.Remove() }() // the next one cleans up what stays
	s.Library = filepath.Join(temp.Path, "library")
	o := engineOptions(s)
	o.Drafts = true // whoever names the file means it
	e, err := engine.Open(o)
	if err != nil {
		return evergreen.Outline{}, err
	}
	defer e.Close()
	report, err := e.Index(ctx, evergreen.IndexRequest{Source: evergreen.Source{Location: file}, Name: r.Collection}, nil)
	if err != nil {
		return evergreen.Outline{}, err
	}
	if len(report.Skipped) > 0 {
		return evergreen.Outline{}, evergreen.Errorf(evergreen.Invalid, "%s was not read: %s", file, report.Skipped[0].Reason)
	}
	return e.Outline(ctx, r)
}

func (disk) eval(ctx context.Context, r evalRequest) (evalResult, error) {
	result, err := engine.EvalFiles(ctx, engine.EvalRequest{Corpus: r.corpus, Queries: r.queries, ByPage: r.byPage, Mode: r.mode})
	return evalResult(result), err
}

// engineOptions hands the settings on.
func engineOptions(s config.Settings) engine.Options {
	return engine.Options{Root: s.Library, ASCII: s.Index.Slug == "ascii", BaseURL: s.Site.BaseURL, Origin: s.Overlay.Origin, Estimate: estimator(s), Guard: s.Guard, Proxy: s.Fetch.ProxyURL()}
}

// estimator counts tokens as the settings say; nil is the quick estimate.
func estimator(s config.Settings) text.Estimator {
	if s.Index.Estimator == "o200k" {
		return text.NewBPE()
	}
	return nil
}
