package format

import (
	"time"

	"evergreen"
	"evergreen/internal/extract"
	"evergreen/internal/markdown"
)

// HTML to Markdown: the page's main content, found by the rules of its
// generator where that is known.

// readHTML converts a page; pageURL, when given, makes its links absolute.
func readHTML(page []byte, pageURL string) Doc {
	r := extract.Page(page, pageURL)
	doc := Doc{
		Text:     []byte(markdown.FromNode(r.Document(), "")),
		Warnings: r.Warnings,
		Meta: evergreen.Meta{
			Title: r.Title, Description: r.Description, Lang: r.Language, Updated: day(r.Updated, r.Published),
		},
	}
	return doc
}

// day returns the first of the dates that begins with an ISO day.
func day(dates ...string) string {
	for _, d := range dates {
		if len(d) < len(time.DateOnly) {
			continue
		}
		if _, err := time.Parse(time.DateOnly, d[:len(time.DateOnly)]); err == nil {
			return d[:len(time.DateOnly)]
		}
	}
	return ""
}
