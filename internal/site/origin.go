package site

// This file reads what a site built elsewhere says of itself in the titles of
// its pages.

import (
	"net/url"
	"strings"
)

// titleSeparators stand between a page's own title and the site's name.
func titleSeparators() [6]string { return [6]string{" | ", " - ", " – ", " — ", " · ", " :: "} }

// originName is what a site built elsewhere calls itself: what most of its titles
// end with, else the title of its first page, else its host.
func originName(snap Snapshot, origin string) string {
	if suffix := titleSuffix(snap, origin); suffix != "" {
		for _, separator := range titleSeparators() {
			suffix = strings.TrimPrefix(suffix, separator)
		}
		return suffix
	}
	for _, c := range snap.Collections() {
		for d := range snap.Documents(c.Name) {
			if u := Below(origin, d.Meta.URL); u != nil && u.Path == "/" && u.RawQuery == "" {
				return titleOf(d)
			}
		}
	}
	u, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return u.Host
}

// titleSuffix is what the titles of more than half of the origin's pages end
// with, separator included; "" for none, or where there are too few to tell.
func titleSuffix(snap Snapshot, origin string) string {
	counts, pages := map[string]int{}, 0
	for _, c := range snap.Collections() {
		for d := range snap.Documents(c.Name) {
			if Below(origin, d.Meta.URL) == nil {
				continue
			}
			pages++
			title := titleOf(d)
			at := -1
			for _, separator := range titleSeparators() {
				at = max(at, strings.LastIndex(title, separator))
			}
			if at > 0 {
				counts[title[at:]]++
			}
		}
	}
	for suffix, n := range counts {
		if n*2 > pages && n >= minTitled {
			return suffix
		}
	}
	return ""
}
