package overlay

// This file names mirrors: which page a path would be the Markdown of, and which
// mirror a page has.

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

// pagesOf are the pages that a path may be the mirror of, the likeliest first;
// none when it is no path of a mirror.
func pagesOf(p string) []string {
	if rest, ok := strings.CutSuffix(p, ".html.md"); ok {
		if folder, ok := strings.CutSuffix(rest, "/index"); ok {
			return []string{folder + "/", p[:len(p)-len(".md")]}
		}
		return []string{rest + ".html", rest}
	}
	rest, ok := strings.CutSuffix(p, ".md")
	if !ok || strings.HasSuffix(rest, "/") {
		return nil
	}
	if folder, ok := strings.CutSuffix(rest, "/index"); ok {
		return []string{folder + "/", rest + ".html"}
	}
	return []string{rest, rest + ".html", rest + "/"}
}

// mirrorOf is the path of a page's mirror.
func mirrorOf(page string) string {
	switch ext := path.Ext(page); {
	case strings.HasSuffix(page, "/"):
		return page + "index.html.md"
	case ext == ".md":
		return page // it is Markdown already
	case ext == ".html" || ext == ".htm":
		return page + ".md"
	}
	return page + ".html.md"
}

// isFile reports whether a path names a file that is surely no page, so that
// the origin may send it in any coding.
func isFile(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".js", ".mjs", ".css", ".map", ".json", ".xml", ".txt", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif",
		".ico", ".woff", ".woff2", ".ttf", ".otf", ".pdf", ".zip", ".gz", ".mp4", ".webm", ".mp3", ".wasm":
		return true
	}
	return false
}

// escaped encodes a decoded path for a URL.
func escaped(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// climbs reports whether a decoded path would leave the site's folder or hides
// what it names: no page of any site stands there, and a server behind us might
// read it otherwise than we do.
func climbs(p string) bool {
	for segment := range strings.FieldsFuncSeq(p, func(r rune) bool { return r == '/' || r == '\\' }) {
		if segment == ".." {
			return true
		}
	}
	return strings.IndexByte(p, 0) >= 0
}

// printable is a path as a sentence may repeat it.
func printable(p string) string {
	p = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, p)
	if len(p) > maxShownPath {
		p = strings.ToValidUTF8(p[:maxShownPath], "") + "…"
	}
	return p
}
