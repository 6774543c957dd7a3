package mcp

import (
	"context"
	"encoding/json"

	"evergreen"
)

// Engine is what the tools ask. Unknown names are *evergreen.Error of kind
// NotFound with the nearest names, values that cannot be read are of kind
// Invalid; both texts are shown to the agent. All methods are safe for
// concurrent use.
type Engine interface {
	// Collections lists the library by name.
	Collections(ctx context.Context) ([]evergreen.Collection, error)
	// Damaged lists the collections that cannot be read, wholly or in part.
	Damaged(ctx context.Context) []evergreen.Damage
	Outline(ctx context.Context, r evergreen.OutlineRequest) (evergreen.Outline, error)
	Search(ctx context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error)
	Section(ctx context.Context, r evergreen.SectionRequest) (evergreen.SectionText, error)
	// Entry finds a section or curated entry by id or marker. The second value
	// says how id was understood when it was not taken literally.
	Entry(ctx context.Context, id string) (evergreen.Entry, string, error)
	Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error)
	PromptPack(ctx context.Context, scenario, lang string) (string, error)
	// Metrics is a JSON object.
	Metrics(ctx context.Context) (json.RawMessage, error)
	// Index adds or refreshes a source. progress may be nil.
	Index(ctx context.Context, r evergreen.IndexRequest, progress evergreen.Progress) (evergreen.IndexReport, error)
	// Delete removes a collection and tells whether there was one.
	Delete(ctx context.Context, name string) (bool, error)
	// Document returns a document and its stored text.
	Document(ctx context.Context, collection, docPath string) (evergreen.Document, []byte, error)
	// Revision changes with every committed change of the library.
	Revision() string
}
