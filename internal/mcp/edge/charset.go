package edge

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// utf8BOM is the byte order mark that Windows tools put before UTF-8.
var utf8BOM = []byte("\xef\xbb\xbf")

// decodeBody returns body as UTF-8 without byte order mark. The charset
// parameter of contentType is honoured by its WHATWG name; an absent or unknown
// one means UTF-8. Bytes that do not fit become U+FFFD.
func decodeBody(body []byte, contentType string) []byte {
	if contentType == typeJSON {
		return clean(body)
	}
	_, params, _ := mime.ParseMediaType(contentType)
	name := strings.ToLower(params["charset"])
	if name != "" && name != "utf-8" && name != "utf8" {
		if enc, err := htmlindex.Get(name); err == nil {
			if decoded, err := enc.NewDecoder().Bytes(body); err == nil {
				body = decoded
			}
		}
	}
	return clean(body)
}

// clean drops a byte order mark and replaces invalid UTF-8.
func clean(raw []byte) []byte {
	raw = bytes.TrimPrefix(raw, utf8BOM)
	if utf8.Valid(raw) {
		return raw
	}
	return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
}
