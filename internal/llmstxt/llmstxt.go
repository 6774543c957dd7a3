// Package llmstxt reads and writes llms.txt, the Markdown list of what a site
// offers to agents (llmstxt.org). Foreign files are read leniently, with
// diagnostics; our own are written in one strict form. It fetches nothing and
// does not decide what belongs into a site's list.
package llmstxt

import "fmt"

// File is an llms.txt.
type File struct {
	Title    string
	Summary  string // the blockquote, one line
	Notes    string // paragraphs between summary and first section, Markdown
	Sections []Section
}

// Section is an H2 and its links. A section without title holds links that
// stood before the first H2.
type Section struct {
	Title    string
	Optional bool   // what a reader short of space may skip
	Prose    string // text that is no link; read, never written
	Links    []Link
}

// Link is one entry of a section.
type Link struct {
	Name     string
	URL      string // absolute when the file's own URL is known
	Sentence string // what follows the link, without the separator
}

// Diagnostic is a deviation from the format. Codes are those of the linter
// llms-txt-check where it has one.
type Diagnostic struct {
	Code    string
	Line    int // 1-based; 0 is the whole file
	Message string
}

// Codes of diagnostics.
const (
	MissingTitle            = "missing-title"
	SecondTitle             = "second-title"
	EmptySection            = "empty-section"
	OrphanLinks             = "orphan-links"
	MissingListBullet       = "missing-list-bullet"
	DescriptionMissingColon = "description-missing-colon"
	DuplicateURL            = "duplicate-url"
	RelativeURL             = "relative-url"
	OffOriginURL            = "off-origin-url"
	MalformedLink           = "malformed-link"
	NotMarkdown             = "not-markdown"
	TooLong                 = "too-long"
)

// Links returns all links of the file in order, each URL once.
func (f *File) Links() []Link {
	var all []Link
	seen := map[string]bool{}
	for _, s := range f.Sections {
		for _, l := range s.Links {
			if !seen[l.URL] {
				seen[l.URL] = true
				all = append(all, l)
			}
		}
	}
	return all
}

func (d Diagnostic) String() string {
	if d.Line == 0 {
		return d.Code + ": " + d.Message
	}
	return fmt.Sprintf("line %d: %s: %s", d.Line, d.Code, d.Message)
}
