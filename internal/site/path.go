package site

// This file holds the rules of paths and dates: where a document is shown, what
// its twin is called, when it changed.

import (
	"net/url"
	"path"
	"strings"
	"time"

	"evergreen"
)

// pagePath is where a document is shown, "" for nowhere.
func pagePath(collection string, d Document, o Options, base string) string {
	own := docsPrefix + collection + "/" + withoutExt(d.Path)
	switch {
	case o.Layout != LayoutOrigin:
		return own
	case o.Origin != "":
		u := Below(o.Origin, d.Meta.URL)
		if u == nil || u.RawQuery != "" { // a mirror's address has no place for a query
			return ""
		}
		return u.Path
	}
	if u := Below(base, d.Meta.URL); u != nil {
		return u.Path
	}
	return own
}

// Below reads an address as one relative to a base address: path from the
// site's root, query, no fragment. It is nil when the address does not lie below
// the base; schemes are not compared, since sites answer on both.
func Below(base, address string) *url.URL {
	u, err := url.Parse(address)
	b, baseErr := url.Parse(base)
	if err != nil || baseErr != nil || u.Host == "" || !strings.EqualFold(u.Host, b.Host) {
		return nil
	}
	rest, below := strings.CutPrefix(u.EscapedPath(), strings.TrimRight(b.EscapedPath(), "/"))
	if !below || rest != "" && rest[0] != '/' {
		return nil
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return nil
	}
	if path == "" {
		path = "/"
	}
	return &url.URL{Path: path, RawQuery: u.RawQuery}
}

// mirrorPaths are the names of a page's Markdown twin.
func mirrorPaths(p string) []string {
	if strings.HasSuffix(p, "/") {
		return []string{p + "index.html.md", p + "index.md"}
	}
	if ext := path.Ext(p); ext == ".html" || ext == ".htm" {
		return []string{p + ".md", strings.TrimSuffix(p, ext) + ".md"}
	}
	return []string{p + ".html.md", p + ".md"}
}

func titleOf(d Document) string {
	if t := oneLine(d.Title); t != "" && t != "undefined" {
		return t
	}
	return path.Base(withoutExt(d.Path))
}

func collectionTitle(c evergreen.Collection, o Options) string {
	switch {
	case !c.Knowledge && o.Origin != "":
		return o.Name
	case !c.Knowledge:
		return c.Name
	case o.chinese():
		return "知识库 " + c.Name
	}
	return "Knowledge base " + c.Name
}

// updatedOf is the day of the content's last change.
func updatedOf(m evergreen.Meta) string {
	if len(m.Updated) >= len("2006-01-02") {
		return m.Updated[:len("2006-01-02")]
	}
	if len(m.FetchedAt) >= len("2006-01-02") {
		return m.FetchedAt[:len("2006-01-02")]
	}
	return ""
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// plainURL is a URL without what does not change the page: scheme, fragment,
// final slash.
func plainURL(raw string) string {
	raw, _, _ = strings.Cut(raw, "#")
	if _, rest, ok := strings.Cut(raw, "://"); ok {
		raw = rest
	}
	return strings.TrimSuffix(strings.TrimSuffix(raw, "index.html"), "/")
}

// escapePath encodes a decoded path for a URL, leaving what RFC 3986 allows in
// one.
func escapePath(p string) string {
	const keep = "-._~!$&'()*+,;=:@/"
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(p) {
		c := p[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
