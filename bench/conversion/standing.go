package main

import (
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
)

// Versions of the packages.
const (
	turndownVersion    = "7.2.5"
	markdownifyVersion = "1.2.3"
)

// standing says which versions run, and with which options.
func standing() []report.Peer {
	v2 := peer.Module("github.com/JohannesKaufmann/html-to-markdown/v2")
	return []report.Peer{
		{Name: ours, Version: "this commit", Options: "defaults", Why: "what its users get"},
		{Name: "html-to-markdown v2", Version: v2, Options: "plugins base, commonmark, strikethrough, table", Why: "what its documentation shows for GFM"},
		{Name: "html-to-markdown v2, table options", Version: v2, Options: "the same, with mirrored spans, kept line breaks, promoted headers", Why: "the options that lose least of these tables"},
		{Name: "turndown, Joplin's GFM", Version: turndownVersion, Options: "Joplin's GFM plugin 1.0.68, ATX headings, fenced code; its own DOM", Why: "without the plugin it writes no tables; indented code names no language"},
		{Name: "markdownify", Version: markdownifyVersion, Options: "ATX headings, `-` for lists, the language of code by its classes", Why: "without the callback no code names its language"},
		{Name: "go-readability v2 and html-to-markdown v2", Version: peer.Module("codeberg.org/readeck/go-readability/v2") + " and " + v2, Options: "classes kept; table options",
			Why: "the fixtures are whole pages: a converter alone would keep everything around the content"},
	}
}
