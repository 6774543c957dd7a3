// Package sitemap reads and writes XML sitemaps, sitemap indexes and text
// sitemaps after the protocol of sitemaps.org. Reading is lenient and bounded;
// whoever calls it fetches the files.
package sitemap

import "fmt"

// Page is one URL of a sitemap.
type Page struct {
	Loc     string // absolute URL
	LastMod string // W3C date or date-time as written; "" when not said
}

// Sitemap is one read file: pages, or the sitemaps of an index.
type Sitemap struct {
	Index       bool // Pages are sitemaps
	Pages       []Page
	Diagnostics []string

	full bool // MaxURLs is reached
}

// maxDiagnostics bounds the findings of one file; a wrong file has one a line.
const maxDiagnostics = 20

func (s *Sitemap) tell(format string, args ...any) {
	if len(s.Diagnostics) < maxDiagnostics {
		s.Diagnostics = append(s.Diagnostics, fmt.Sprintf(format, args...))
	}
}
