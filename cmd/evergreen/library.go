package main

import (
	"context"
	"encoding/json"

	"evergreen"
	"evergreen/internal/config"
)

// library is what the commands ask of the open library.
type library interface {
	Collections(ctx context.Context) ([]evergreen.Collection, error)
	Outline(ctx context.Context, r evergreen.OutlineRequest) (evergreen.Outline, error)
	Search(ctx context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error)
	Section(ctx context.Context, r evergreen.SectionRequest) (evergreen.SectionText, error)
	Entry(ctx context.Context, id string) (evergreen.Entry, string, error)
	Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error)
	PromptPack(ctx context.Context, scenario, lang string) (string, error)
	Metrics(ctx context.Context) (json.RawMessage, error)
	Index(ctx context.Context, r evergreen.IndexRequest, progress evergreen.Progress) (evergreen.IndexReport, error)
	Delete(ctx context.Context, name string) (bool, error)
	Document(ctx context.Context, collection, docPath string) (evergreen.Document, []byte, error)
	Revision() string
	// OnChange registers what is called after every change made through this
	// library. It must return at once.
	OnChange(f func())
	// Damaged lists the collections that cannot be read or are not whole, by name.
	Damaged(ctx context.Context) []evergreen.Damage
	// Check compares all of a collection with its checksums and returns what is
	// wrong; Repair brings it back as far as it can.
	Check(ctx context.Context, name string) ([]string, error)
	Repair(ctx context.Context, r evergreen.RepairRequest, progress evergreen.Progress) (evergreen.RepairReport, error)
	Close() error
}

// opener opens libraries and does what needs no library.
type opener interface {
	// open opens the library that the settings name. drafts answers from drafts
	// too.
	open(ctx context.Context, s config.Settings, drafts bool) (library, error)
	// embedded opens Evergreen's own docs and knowledge base.
	embedded(ctx context.Context, s config.Settings) (library, error)
	// outlineFile outlines one file that need not be in the library, under the
	// name of r.Collection.
	outlineFile(ctx context.Context, s config.Settings, file string, r evergreen.OutlineRequest) (evergreen.Outline, error)
	// eval measures retrieval on judged queries.
	eval(ctx context.Context, r evalRequest) (evalResult, error)
}

// evalRequest names a judged set.
type evalRequest struct {
	corpus, queries string
	byPage          bool
	mode            string
}

// evalResult is the quality of the answers, means over the queries.
type evalResult struct {
	NDCG10  float64 `json:"ndcg10"`
	Hit5    float64 `json:"hit5"`
	MRR10   float64 `json:"mrr10"`
	Queries int     `json:"queries"`
}
