package site

// This file writes sitemap.xml: the pages that have an address of their own.

import (
	"io"
	"time"

	"evergreen/internal/sitemap"
)

// sitemaps are the sitemap and the parts it is cut into.
func (s *Site) sitemaps() []sitemap.File {
	var pages []sitemap.Page
	for i, p := range s.pages.list {
		if s.pages.shown(i) {
			pages = append(pages, sitemap.Page{Loc: s.url(p.Path), LastMod: p.updated})
		}
	}
	return sitemap.Format(s.base+"/", pages)
}

func (s *Site) writeSitemap(w io.Writer) error { return writeAll(w, s.sitemaps()[0].Data) }

func (s *Site) sitemapPart(path string) (Resource, bool) {
	for _, f := range s.sitemaps()[1:] {
		if "/"+f.Name == path {
			return Resource{Path: path, Type: typeXML, Modified: s.snap.Time().UTC().Truncate(time.Second),
				write: func(w io.Writer) error { return writeAll(w, f.Data) }}, true
		}
	}
	return Resource{}, false
}
