// Package evergreen holds the nouns that every part of Evergreen speaks in:
// collections, documents, sections, entries, queries, bundles. It knows no
// storage, no protocol and no ranking, and imports the standard library only.
//
// What is promised to the outside are wire formats, section ids and the command
// line; the Go API of this package may change before version 1.
package evergreen

import (
	"strings"
	"time"
)

// Kinds of source a collection can come from.
const (
	SourceFolder    = "folder"
	SourceFile      = "file"
	SourceSite      = "site"
	SourcePage      = "page"
	SourceGit       = "git"
	SourceKnowledge = "context.json"
)

// Source is where documents of a collection come from.
type Source struct {
	Kind     string   `json:"kind"`     // one of the Source constants
	Location string   `json:"location"` // absolute path or URL
	Include  []string `json:"include,omitempty"`
	Exclude  []string `json:"exclude,omitempty"`
	MDX      bool     `json:"mdx,omitempty"` // treat .md like .mdx
}

// Collection is a named set of documents from one or more sources.
type Collection struct {
	Name      string    `json:"collection"`
	Source    string    `json:"source"` // location of the first source
	Sources   []Source  `json:"sources,omitempty"`
	Documents int       `json:"documents"`
	Sections  int       `json:"sections"`
	Tokens    int       `json:"tokens"`
	IndexedAt time.Time `json:"indexed_at"` // UTC, whole seconds
	Knowledge bool      `json:"knowledge,omitempty"`
}

// Meta is what front matter, a page's head or a knowledge entry says about a
// document. Zero values mean "not said".
type Meta struct {
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Category    string   `json:"category,omitempty"`
	Confidence  float64  `json:"confidence,omitempty"` // (0,1]; 0 is read as 1
	Draft       bool     `json:"draft,omitempty"`
	Updated     string   `json:"updated,omitempty"` // ISO date of the content's last change
	Slug        string   `json:"slug,omitempty"`
	Lang        string   `json:"lang,omitempty"`
	URL         string   `json:"url,omitempty"`        // where a reader finds the original
	FetchedAt   string   `json:"fetched_at,omitempty"` // RFC 3339, web sources only
}

// Document is one file or page of a collection.
type Document struct {
	Collection string    `json:"collection"`
	Path       string    `json:"doc_path"` // relative, '/'-separated
	Title      string    `json:"title"`
	Meta       Meta      `json:"-"`
	Bytes      int       `json:"bytes"`      // length of the stored text
	HeadBytes  int       `json:"head_bytes"` // bytes before the first section
	Tokens     int       `json:"tokens"`
	Sections   []Section `json:"sections"`
}

// Section is a heading and the text under it up to the next heading: the byte
// range [ByteStart, ByteEnd) of its document's stored text.
type Section struct {
	ID          string   `json:"id"` // {collection}::{doc_path}::{slug/chain}#{level}
	Title       string   `json:"title"`
	Level       int      `json:"level"`     // 1..6; 0 for a preamble or a piece of an oversized section
	ParentID    string   `json:"parent_id"` // "" at the top
	ByteStart   int      `json:"byte_start"`
	ByteEnd     int      `json:"byte_end"`
	Tokens      int      `json:"tokens"`
	ContentHash string   `json:"content_hash,omitempty"` // sha256 of the byte range, lower-case hex
	Keywords    []string `json:"keywords,omitempty"`
}

// SectionID joins the three parts of a section's public id.
func SectionID(collection, docPath, chainAndLevel string) string {
	return collection + "::" + docPath + "::" + chainAndLevel
}

// SplitSectionID takes a section id apart. ok is false when id has not the
// form {collection}::{doc_path}::{slug/chain}#{level}.
func SplitSectionID(id string) (collection, docPath, chainAndLevel string, ok bool) {
	collection, rest, ok := strings.Cut(id, "::")
	if !ok {
		return "", "", "", false
	}
	i := strings.LastIndex(rest, "::")
	if i < 0 || !strings.Contains(rest[i:], "#") {
		return "", "", "", false
	}
	return collection, rest[:i], rest[i+2:], true
}

// Entry is what retrieval ranks and packs: a section, or a curated knowledge
// entry of a context.json.
type Entry struct {
	ID         string   `json:"id"`
	Category   string   `json:"category"`
	Title      string   `json:"title"`
	Summary    string   `json:"summary"`
	Body       string   `json:"body"`
	Tags       []string `json:"tags"`
	Confidence float64  `json:"confidence"` // (0,1]
	Tokens     int      `json:"tokens"`
	Updated    string   `json:"updated,omitempty"` // ISO date
	Collection string   `json:"collection,omitempty"`
	DocPath    string   `json:"doc_path,omitempty"`
	DocTitle   string   `json:"doc_title,omitempty"` // of the document, when it is not the title
	URL        string   `json:"url,omitempty"`
	Anchor     string   `json:"anchor,omitempty"`
	Curated    bool     `json:"-"`
}

// ToolInfo is what the machine documents say about one served tool.
type ToolInfo struct {
	Name        string
	Title       string
	Description string
	InputSchema []byte // JSON
}
