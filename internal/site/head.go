package site

// This file says how pages and documents point at each other: Link headers and
// the link elements of a page's head.

import (
	"strings"
)

// Link is one typed link (RFC 8288).
type Link struct {
	URL  string
	Rel  string
	Type string // media type of the target, "" when not said
}

// Links are the Link header's links of an HTML page: to its mirror, to the
// index, and to the documents that describe the site's services.
func (s *Site) Links(p Page) []Link {
	links := append([]Link{{s.url(p.mirror()), "alternate", "text/markdown"}}, s.SiteLinks()...)
	if url := s.in.Policy.LicenceURL(); url != "" {
		links = append(links, Link{url, "license", ""})
	}
	return links
}

// SiteLinks are the links that hold for every answer of the site.
func (s *Site) SiteLinks() []Link {
	links := []Link{{s.url("/llms.txt"), "describedby", "text/markdown"}}
	for _, l := range []Link{
		{"/.well-known/api-catalog", "api-catalog", "application/linkset+json"},
		{"/openapi.json", "service-desc", "application/json"},
		{catalogPath, "ai-catalog", "application/ai-catalog+json"},
		{"/.well-known/ard.json", "ard", "application/json"},
	} {
		if _, served := s.fixed[l.URL]; served {
			links = append(links, Link{s.url(l.URL), l.Rel, l.Type})
		}
	}
	return links
}

// MirrorLinks are the Link header's links of a page's mirror.
func (s *Site) MirrorLinks(p Page) []Link {
	return []Link{{s.url(p.Path), "canonical", ""}, {s.url("/llms.txt"), "describedby", "text/markdown"}}
}

// HeadLinks are the link elements of a page's head.
func (s *Site) HeadLinks(p Page) []Link {
	links := []Link{
		{s.url(p.Path), "canonical", ""},
		{s.url(p.mirror()), "alternate", "text/markdown"},
		{s.url("/llms.txt"), "describedby", "text/markdown"},
	}
	if _, served := s.fixed[catalogPath]; served {
		links = append(links, Link{s.url(catalogPath), "ai-catalog", "application/ai-catalog+json"})
	}
	if url := s.in.Policy.LicenceURL(); url != "" {
		links = append(links, Link{url, "license", ""})
	}
	return links
}

// LinkHeader writes links as the value of a Link header.
func LinkHeader(links []Link) string {
	var values []string
	for _, l := range links {
		value := "<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(l.URL) + `>; rel="` + l.Rel + `"`
		if l.Type != "" {
			value += `; type="` + l.Type + `"`
		}
		values = append(values, value)
	}
	return strings.Join(values, ", ")
}

// Description is what a page is about, in one plain sentence.
func (s *Site) Description(p Page) string { return s.sentence(&p) }

// URL is a page's own address.
func (s *Site) URL(p Page) string { return s.url(p.Path) }

// MirrorURL is the address of a page's Markdown twin.
func (s *Site) MirrorURL(p Page) string { return s.url(p.mirror()) }
