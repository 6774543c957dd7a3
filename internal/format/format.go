// Package format turns the bytes of a file or page, of whatever kind, into a
// document: text in UTF-8 that can be split into sections, and what the
// document says about itself. It reads Markdown, MDX, plain text, HTML and
// context.json, one kind a file. It opens no files, splits nothing and keeps
// nothing.
package format

import (
	"strings"

	"evergreen"
	"evergreen/internal/charset"
)

// Options say what is known about the bytes beside their path.
type Options struct {
	MDX         bool   // read Markdown as MDX whatever the extension
	ContentType string // of a web answer; "" lets path and content decide
	UTF8        bool   // the bytes are UTF-8 already, whatever they say of themselves
	URL         string // where the bytes came from; links are made absolute against it
}

// Doc is a document read.
type Doc struct {
	// Text is what is stored and split. For Markdown and plain text in UTF-8 it
	// is the file, byte for byte; HTML becomes Markdown.
	Text []byte
	// Outline is Text with everything blanked that is not Markdown, of equal
	// length and with the same line ends; nil means that Text itself is to be
	// parsed and indexed.
	Outline []byte
	// FrontMatterEnd is the number of bytes of Text that front matter, its
	// fences and a byte order mark before it take; 0 when there is none.
	FrontMatterEnd int
	Plain          bool // Text is not Markdown: '#' opens no heading
	Meta           evergreen.Meta
	Entries        []evergreen.Entry // of a context.json, in file order
	Knowledge      *Knowledge        // of a context.json, nil for all else
	Warnings       []string          // what was doubtful; each a sentence without the path
}

// Knowledge is what a context.json says about itself.
type Knowledge struct {
	Version, Revision, License string
	SiteName, SiteURL          string
	Categories                 []Category
}

// Category is a declared category of a context.json.
type Category struct{ ID, Label, Description string }

// Read reads the document at path (a doc_path; only its name matters). Bytes
// that are no readable document give an Invalid error whose message is a reason
// fit for one line of a report.
func Read(path string, data []byte, opts Options) (Doc, error) {
	k := kindOf(path, data, opts)
	if why := unreadable(data, opts.ContentType); why != "" {
		return Doc{}, evergreen.Errorf(evergreen.Invalid, "%s", why)
	}
	text, warning := data, ""
	if !opts.UTF8 {
		text, _, warning = charset.Decode(data, opts.ContentType, k == kindHTML)
	}
	var doc Doc
	var err error
	switch k {
	case kindMarkdown, kindMDX:
		doc = readMarkdown(text, k == kindMDX)
	case kindHTML:
		doc = readHTML(text, opts.URL)
	case kindKnowledge:
		doc, err = readKnowledge(text)
	default:
		doc = Doc{Text: text, Plain: true}
	}
	if err != nil {
		return Doc{}, err
	}
	if warning != "" {
		doc.Warnings = append([]string{warning}, doc.Warnings...)
	}
	if opts.URL != "" {
		doc.Meta.URL = opts.URL
	}
	return doc, nil
}

// readMarkdown takes Markdown as it is: front matter is read and marked off,
// MDX gets an outline.
func readMarkdown(text []byte, mdx bool) Doc {
	doc := Doc{Text: text}
	if fm, ok := findFrontMatter(text); ok {
		doc.FrontMatterEnd = fm.end
		fields, err := fm.fields(text)
		if err != nil {
			doc.Warnings = append(doc.Warnings, "front matter: "+oneLine(err.Error()))
		}
		var warnings []string
		doc.Meta, warnings = metaFrom(fields)
		doc.Warnings = append(doc.Warnings, warnings...)
	}
	if mdx {
		outline, ok := blankMDX(text, doc.FrontMatterEnd)
		if !ok {
			doc.Warnings = append(doc.Warnings, "not MDX after all: its tags and braces are nested beyond reason; read as Markdown")
		}
		doc.Outline = outline
	}
	return doc
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
