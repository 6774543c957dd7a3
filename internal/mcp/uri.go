package mcp

import (
	"net/url"
	"strings"
)

// Resource URIs are evergreen://{collection}/{+doc_path}, percent-encoded
// except for unreserved characters and the slashes of the path: the only form
// that the SDK's templates match.
const (
	scheme           = "evergreen://"
	documentTemplate = scheme + "{collection}/{+doc_path}"
)

// documentURI is the canonical URI of a document.
func documentURI(collection, docPath string) string {
	return scheme + encode(collection, false) + "/" + encode(docPath, true)
}

// splitURI takes any spelling of a document's URI apart: raw CJK, spaces,
// needless escapes, a fragment. ok is false when it is not such a URI.
func splitURI(uri string) (collection, docPath string, ok bool) {
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return "", "", false
	}
	rest, _, _ := strings.Cut(uri[len(scheme):], "#")
	collection, docPath, ok = strings.Cut(rest, "/")
	if !ok {
		return "", "", false
	}
	collection, docPath = decode(collection), decode(docPath)
	return collection, docPath, collection != "" && docPath != ""
}

// canonicalURI rewrites every spelling of a document's URI to the one that is
// listed, and leaves other URIs alone.
func canonicalURI(uri string) string {
	if collection, docPath, ok := splitURI(uri); ok {
		return documentURI(collection, docPath)
	}
	return uri
}

// decode reads percent escapes; a text with a bad one is taken literally.
func decode(s string) string {
	if d, err := url.PathUnescape(s); err == nil {
		return d
	}
	return s
}

func encode(s string, slashes bool) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if unreserved(c) || c == '/' && slashes {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// unreserved follows RFC 3986, section 2.3.
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}
