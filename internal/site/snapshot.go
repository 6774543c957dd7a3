package site

// This file says what a site needs of the library.

import (
	"iter"
	"time"

	"evergreen"
)

// Snapshot is an immutable state of the library: what is published of it, and
// nothing else. All methods are safe for concurrent use, and give the same
// answers for as long as the snapshot is held.
type Snapshot interface {
	// Revision names the state; equal states have equal revisions.
	Revision() string
	// Time is when the newest content came in, UTC.
	Time() time.Time
	// Collections lists what is published, by name.
	Collections() []evergreen.Collection
	// Documents yields the documents of a collection in navigation order,
	// curated entries and drafts left out.
	Documents(collection string) iter.Seq[Document]
	// Text returns the whole stored text of a document, front matter included.
	Text(d Document) ([]byte, error)
	// Sections returns a document's sections as entries, bodies included, in
	// document order.
	Sections(d Document) ([]evergreen.Entry, error)
	// Entries returns the curated entries, by collection and file order, bodies
	// included.
	Entries() []evergreen.Entry
	// Knowledge says what the knowledge bases say about themselves; the zero
	// value is nothing.
	Knowledge() Knowledge
}

// Document is one published document. Its Sections stay empty: they are asked
// for where they are needed.
type Document struct {
	evergreen.Document
	Plain bool // plain text: '#' is no heading and '[' no link
}

// Knowledge is what a knowledge base says about itself.
type Knowledge struct {
	Version    string
	Revision   string
	Categories []Category
}

// Category is a declared category of entries.
type Category struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description"`
}
