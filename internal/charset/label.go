package charset

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Finding the labels that a header, a page or an XML document carries, and the
// encoding that a label means.

// lookup returns the encoding of a WHATWG label and its canonical name, ""
// when the label is unknown or means an encoding that is never decoded.
func lookup(label string) (encoding.Encoding, string) {
	enc, err := htmlindex.Get(label)
	if err != nil {
		return nil, ""
	}
	name, err := htmlindex.Name(enc)
	if err != nil || name == "replacement" || name == "x-user-defined" {
		return nil, ""
	}
	if name == "gbk" {
		enc = simplifiedchinese.GB18030 // the Encoding Standard decodes both alike
	}
	return enc, name
}

// headerLabel returns the charset parameter of a Content-Type value, quoted or
// not. It is laxer than mime.ParseMediaType, which refuses many real headers.
func headerLabel(contentType string) string {
	for from := 0; ; {
		i := indexFold(contentType[from:], "charset")
		if i < 0 {
			return ""
		}
		from += i + len("charset")
		rest := strings.TrimLeft(contentType[from:], " \t\r\n\f")
		if !strings.HasPrefix(rest, "=") {
			continue
		}
		rest = strings.TrimLeft(rest[1:], " \t\r\n\f")
		if rest == "" {
			return ""
		}
		if q := rest[0]; q == '"' || q == '\'' {
			value, _, _ := strings.Cut(rest[1:], string(q))
			return strings.TrimSpace(value)
		}
		if end := strings.IndexAny(rest, "; \t\r\n\f,"); end >= 0 {
			rest = rest[:end]
		}
		return rest
	}
}

// indexFold is strings.Index without regard to case. A text in small letters may
// have other places: bytes that are no UTF-8 grow by it.
func indexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

// metaLabel returns the label of the first <meta charset> or <meta
// http-equiv=content-type> in the head of an HTML document.
func metaLabel(data []byte) string {
	if len(data) > maxHead {
		data = data[:maxHead]
	}
	z := html.NewTokenizer(bytes.NewReader(data))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "head" {
				return ""
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) == "body" {
				return ""
			}
			if string(name) == "meta" && more {
				if label := metaCharset(z); label != "" {
					return label
				}
			}
		}
	}
}

// metaCharset reads the attributes of the <meta> the tokenizer stands on.
func metaCharset(z *html.Tokenizer) string {
	attrs := map[string]string{}
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, seen := attrs[string(key)]; !seen {
			attrs[string(key)] = string(value)
		}
	}
	if label := strings.TrimSpace(attrs["charset"]); label != "" {
		return label
	}
	if strings.EqualFold(attrs["http-equiv"], "content-type") {
		return headerLabel(attrs["content"])
	}
	return ""
}

// prologLabel returns the encoding named by an XML declaration on byte 0.
func prologLabel(data []byte) string {
	if !bytes.HasPrefix(data, []byte("<?xml")) {
		return ""
	}
	data = data[:min(len(data), maxProlog)]
	end := bytes.Index(data, []byte("?>"))
	if end < 0 {
		return ""
	}
	_, rest, ok := strings.Cut(string(data[:end]), "encoding")
	rest, eq := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), "=")
	rest = strings.TrimLeft(rest, " \t\r\n")
	if !ok || !eq || rest == "" || (rest[0] != '"' && rest[0] != '\'') {
		return ""
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	return value
}
