package fetch

import (
	"bytes"
	"net/http"
	"path"
	"strings"

	"evergreen"
)

// pdf is the one binary type that is taken.
const pdf = "application/pdf"

// judge decides what a body is: the content type to report, and whether its
// bytes are text. The declared type counts as long as the bytes do not
// contradict it.
func judge(declared, urlPath string, body []byte) (contentType string, text bool, err error) {
	media := mediaType(declared)
	head := body[:min(len(body), sniffBytes)]
	binary := isBinary(head, declared)
	switch {
	case bytes.HasPrefix(bytes.TrimLeft(head, "\xef\xbb\xbf\r\n\t "), []byte("%PDF-")):
		if media == pdf {
			return declared, false, nil
		}
		return pdf, false, nil
	case media == pdf:
		return "", false, refusedType(declared, "is no PDF file")
	case !acceptedType(media) && !untypedType(media):
		return "", false, refusedType(declared, "is not read")
	case binary:
		return "", false, refusedType(declared, "holds binary data ("+http.DetectContentType(head)+")")
	case untypedType(media):
		return typeByName(urlPath, head), true, nil
	}
	return declared, true, nil
}

func refusedType(declared, why string) error {
	if declared == "" {
		declared = "a body without content type"
	}
	return evergreen.Errorf(evergreen.Blocked, "%s %s", declared, why).
		Fix("Evergreen reads text, Markdown, HTML, XML, JSON, YAML and PDF.")
}

// acceptedType tells whether a media type is one of documents.
func acceptedType(media string) bool {
	switch media {
	case "application/xhtml+xml", "application/xml", "application/json", "application/yaml",
		"application/x-yaml", "application/markdown", pdf:
		return true
	}
	return strings.HasPrefix(media, "text/") ||
		strings.HasPrefix(media, "application/") && (strings.HasSuffix(media, "+xml") || strings.HasSuffix(media, "+json") || strings.HasSuffix(media, "+yaml"))
}

// untypedType tells whether a media type says nothing about the content.
func untypedType(media string) bool {
	switch media {
	case "", "application/octet-stream", "binary/octet-stream", "application/unknown", "application/x-unknown":
		return true
	}
	return false
}

// typeByName names the type of untyped text by the file's extension, else by
// its look.
func typeByName(urlPath string, head []byte) string {
	switch strings.ToLower(path.Ext(urlPath)) {
	case ".md", ".markdown", ".mdx":
		return "text/markdown"
	case ".json":
		return "application/json"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".xml":
		return "application/xml"
	}
	if found := mediaType(http.DetectContentType(head)); found == "text/html" || found == "text/xml" {
		return found
	}
	return "text/plain"
}

// isBinary tells whether the head of a body is no text in any charset. One odd
// control character in a page is no reason; a tenth of them (a NUL counts ten
// times), or a known signature with some of them is. UTF-16 and UTF-32 are text
// when they say so.
func isBinary(head []byte, declared string) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) ||
		bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")) {
		return false
	}
	if label := strings.ToLower(declared); strings.Contains(label, "utf-16") || strings.Contains(label, "utf-32") {
		return false
	}
	controls := 0
	for _, c := range head {
		switch {
		case c == 0:
			controls += 10
		case c < 0x09, c == 0x0b, c >= 0x0e && c <= 0x1a, c >= 0x1c && c <= 0x1f:
			controls++
		}
	}
	if controls == 0 {
		return false
	}
	found := http.DetectContentType(head)
	known := !strings.HasPrefix(found, "text/") && found != "application/octet-stream"
	return known || controls*10 > len(head)
}
