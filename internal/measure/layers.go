package measure

// This file measures documents and pages.

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"evergreen/internal/extract"
	"evergreen/internal/sitemap"
)

// layers measures every document with a fixed path that is served.
func (r *run) layers() []Layer {
	layers := []Layer{}
	for _, d := range []struct{ layer, path string }{
		{"L1", "/llms.txt"}, {"L1", "/llms-full.txt"},
		{"L2", "/index.html.md"},
		{"L3", "/context.json"}, {"L3", "/openapi.json"}, {"L3", "/.well-known/api-catalog"},
		{"L4", "/.well-known/agent-card.json"},
		{"L5", "/mcp/server-card"}, {"L5", "/.well-known/agent-skills/index.json"},
		{"L7", "/robots.txt"}, {"L7", "/ai.txt"}, {"L7", "/ai-policy.json"}, {"L7", "/sitemap.xml"}, {"L7", "/.well-known/ard.json"},
	} {
		if a, ok := r.good(d.path, ""); ok && a.kind != "text/html" {
			layers = append(layers, Layer{d.layer, d.path, len(a.body), r.count(string(a.body))})
		}
	}
	if home, ok := r.good("/", "text/html"); ok {
		if data := structuredData(string(home.body)); data != "" {
			layers = append(layers, Layer{"L6", "/ (JSON-LD)", len(data), r.count(data)})
		}
	}
	return layers
}

// structuredData is the text of a page's JSON-LD.
func structuredData(page string) string {
	var b strings.Builder
	for rest := page; ; {
		_, after, found := strings.Cut(rest, `type="application/ld+json"`)
		if !found {
			return b.String()
		}
		_, after, _ = strings.Cut(after, ">")
		data, end, _ := strings.Cut(after, "</script")
		b.WriteString(data)
		rest = end
	}
}

// sitemap lists the paths of the site's pages, sorted.
func (r *run) sitemap() []string {
	pages, _, _ := sitemap.Collect(r, []string{r.base.String() + "/sitemap.xml"}, func(_ context.Context, address string) ([]byte, error) {
		a, err := r.get(address, "")
		return a.body, err
	}, nil) // a site without a sitemap has its home page
	paths := []string{}
	for _, p := range pages {
		if u, err := url.Parse(p.Loc); err == nil && u.Host == r.base.Host {
			paths = append(paths, strings.TrimPrefix(u.RequestURI(), r.base.EscapedPath()))
		}
	}
	if len(paths) == 0 {
		paths = append(paths, "/")
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// spread takes at most n of a list, evenly.
func spread[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	some := make([]T, 0, n)
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// pages measures a sample of pages and their mirrors.
func (r *run) pages(all []string) (Mirrors, []Page) {
	m := Mirrors{Of: len(all)}
	pages := []Page{}
	for _, path := range spread(all, maxPages) {
		a, ok := r.good(path, "text/html")
		if !ok || a.kind != "text/html" {
			continue
		}
		p := Page{Path: path, HTMLTokens: r.count(string(a.body))}
		p.ContentTokens = r.count(extract.Page(a.body, a.url).Text)
		p.HTMLDensity = min(1, ratio(p.ContentTokens, p.HTMLTokens))
		if mirror, ok := r.good(path, "text/markdown"); ok && mirror.kind == "text/markdown" {
			p.MirrorTokens = r.count(string(mirror.body))
			p.MirrorDensity = min(1, ratio(p.ContentTokens, p.MirrorTokens))
			m.Pages++
			m.HTMLTokens += p.HTMLTokens
			m.MirrorTokens += p.MirrorTokens
		}
		pages = append(pages, p)
	}
	m.Share = ratio(m.MirrorTokens, m.HTMLTokens)
	return m, pages
}
