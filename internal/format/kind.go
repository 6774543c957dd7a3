package format

import (
	"bytes"
	"path"
	"strings"

	"evergreen/internal/charset"
)

// Telling what kind of document bytes are, and which are none.

type kind int

const (
	kindPlain kind = iota
	kindMarkdown
	kindMDX
	kindHTML
	kindKnowledge
)

// kindOf decides by name, a web answer's type, and what is plainly to be seen
// when those two disagree.
func kindOf(name string, data []byte, opts Options) kind {
	base := strings.ToLower(path.Base(name))
	byName, known := kindPlain, true
	switch ext := path.Ext(base); {
	case base == "context.json":
		byName = kindKnowledge
	case ext == ".mdx":
		byName = kindMDX
	case ext == ".md" || ext == ".markdown":
		byName = kindMarkdown
	case ext == ".html" || ext == ".htm" || ext == ".xhtml":
		byName = kindHTML
	default:
		known = ext == ".txt" || ext == ".text"
	}
	k := byName
	switch media := mediaType(opts.ContentType); media {
	case "text/html", "application/xhtml+xml":
		// Servers label Markdown twins as HTML when they know no better.
		if !known || byName == kindHTML || looksHTML(data) {
			k = kindHTML
		}
	case "text/markdown", "text/x-markdown":
		if byName != kindMDX {
			k = kindMarkdown
		}
	case "text/plain", "":
	case "text/mdx":
		k = kindMDX
	}
	if k == kindMarkdown && opts.MDX {
		k = kindMDX
	}
	return k
}

func mediaType(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// looksHTML reports whether data begins like an HTML page.
func looksHTML(data []byte) bool {
	head := bytes.ToLower(data[:min(len(data), sniffBytes)])
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n\f")
	for bytes.HasPrefix(head, []byte("<!--")) {
		_, rest, ok := bytes.Cut(head, []byte("-->"))
		if !ok {
			return false
		}
		head = bytes.TrimLeft(rest, " \t\r\n\f")
	}
	for _, start := range []string{"<!doctype html", "<html", "<head", "<body", "<?xml"} {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
	}
	return false
}

// magics are the beginnings of files that no text reader can help with. Those
// with NUL bytes are binary anyway; the name makes a better reason.
var magics = []struct{ start, what string }{
	{"%PDF-", "a PDF"},
	{"PK\x03\x04", "a ZIP archive or office file"},
	{"\x1F\x8B", "compressed (gzip)"},
	{"BZh", "compressed (bzip2)"},
	{"\x89PNG", "an image (PNG)"},
	{"GIF8", "an image (GIF)"},
	{"\xFF\xD8\xFF", "an image (JPEG)"},
	{"\x7FELF", "a program"},
	{"{\\rtf", "rich text (RTF)"},
}

// unreadable says why data is no text, "" when it may be one.
func unreadable(data []byte, contentType string) string {
	media := mediaType(contentType)
	for _, family := range []string{"image/", "audio/", "video/", "font/"} {
		if strings.HasPrefix(media, family) {
			return "unsupported type " + media
		}
	}
	for _, m := range magics {
		if bytes.HasPrefix(data, []byte(m.start)) {
			return "unsupported: " + m.what
		}
	}
	wide := charset.HasWideBOM(data) || strings.Contains(strings.ToLower(contentType), "utf-16")
	if !wide && bytes.IndexByte(data[:min(len(data), sniffBytes)], 0) >= 0 {
		return "binary"
	}
	return ""
}
