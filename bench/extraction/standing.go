package main

import (
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
)

// standing says which versions run, and with which options.
func standing() []report.Peer {
	readability, trafilatura := peer.Module("codeberg.org/readeck/go-readability/v2"), peer.Module("github.com/markusmobius/go-trafilatura")
	second := "then html-to-markdown " + peer.Module("github.com/JohannesKaufmann/html-to-markdown/v2") + " (tables with mirrored spans, kept line breaks, promoted headers)"
	return []report.Peer{
		{Name: ours, Version: "this commit", Options: "defaults", Why: "what its users get"},
		{Name: "go-readability v2", Version: readability, Options: "classes kept; " + second, Why: "without classes no code block has a language; the converter's options that lose least"},
		{Name: "go-readability v2, defaults", Version: readability, Options: "defaults; no Markdown", Why: "shows what keeping classes gains"},
		{Name: "go-trafilatura", Version: trafilatura, Options: "fallback, links, images, no comments; " + second, Why: "an agent needs links and images, and no comments"},
		{Name: "go-trafilatura, benchmark options", Version: trafilatura, Options: "fallback only; no Markdown", Why: "what its authors run the article benchmark with"},
		{Name: wholeBody, Version: "–", Options: "the page without scripts", Why: "no tool: shows what finding nothing out costs"},
		{Name: "Readability.js", Version: readabilityJS, Options: "linkedom, classes kept; then turndown 7.2.5 with Joplin's GFM plugin, ATX headings and fenced code", Why: "the usual pair; without classes no code block has a language, without the plugin there are no tables"},
		{Name: "defuddle", Version: defuddle, Options: "linkedom, Markdown beside HTML, no requests", Why: "its own Markdown; a page's text alone decides"},
		{Name: "trafilatura", Version: trafilaturaPy, Options: "links, images, tables and formatting, no comments; HTML, then Markdown", Why: "it writes both itself, each in a pass of its own"},
	}
}
