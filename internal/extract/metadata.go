package extract

// Metadata: JSON-LD, meta elements and what the page shows, in this order of
// trust, except for titles, where the head's own comes first.

import (
	"encoding/json"
	"strings"
	"time"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

type metadata struct {
	title, rawTitle, h1, site, byline, language, published, updated, canonical, description string
	article                                                                                 bool // the page calls itself an article
}

func readMetadata(doc *html.Node) metadata {
	var m metadata
	meta := map[string]string{}
	var ld ldArticle
	tree.Walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		switch n.DataAtom {
		case atom.Html:
			m.language = first(tree.Attr(n, "lang"), tree.Attr(n, "xml:lang"))
		case atom.Title:
			if m.rawTitle == "" && n.Parent != nil && n.Parent.Data != "svg" {
				m.rawTitle = oneLine(tree.Raw(n))
			}
		case atom.Meta:
			readMeta(meta, n)
		case atom.Link:
			if strings.EqualFold(tree.Attr(n, "rel"), "canonical") && m.canonical == "" {
				m.canonical = tree.Attr(n, "href")
			}
		case atom.Script:
			if strings.EqualFold(tree.Attr(n, "type"), "application/ld+json") {
				ld.read(tree.ScriptText(n))
			}
			return false
		case atom.H1:
			if m.h1 == "" && !tree.Inside(n, atom.Nav, atom.Header) || m.h1 == "" && tree.Inside(n, atom.Article, atom.Main) {
				m.h1 = oneLine(stripMarks(tree.Text(n)))
			}
		case atom.Svg, atom.Style, atom.Pre:
			return false
		}
		return true
	})
	m.site = first(meta["og:site_name"], ld.site, meta["application-name"])
	m.byline = cleanByline(first(ld.author, meta["author"], meta["article:author"], meta["parsely-author"], meta["dc.creator"], meta["sailthru.author"], shownByline(doc)))
	m.published = cleanTime(first(ld.published, meta["article:published_time"], meta["datepublished"], meta["parsely-pub-date"], meta["dc.date"], meta["dcterms.created"], meta["date"], meta["pubdate"], meta["sailthru.date"], shownTime(doc)))
	m.updated = cleanTime(first(ld.modified, meta["article:modified_time"], meta["og:updated_time"], meta["datemodified"], meta["dcterms.modified"], meta["last-modified"], meta["revised"]))
	m.language = first(m.language, meta["content-language"], meta["og:locale"], ld.language)
	m.language = strings.ReplaceAll(m.language, "_", "-")
	if m.canonical == "" || !strings.Contains(m.canonical, "://") {
		m.canonical = first(meta["og:url"])
		if !strings.Contains(m.canonical, "://") {
			m.canonical = ""
		}
	}
	m.description = first(meta["description"], meta["og:description"])
	m.article = ld.found || meta["og:type"] == "article"
	raw := first(m.rawTitle, meta["og:title"], meta["twitter:title"], ld.headline, m.h1)
	m.title = first(cleanTitle(raw, m.site, m.h1), m.h1)
	return m
}

// readMeta notes one meta element under its lower-case name.
func readMeta(meta map[string]string, n *html.Node) {
	content := oneLine(tree.Attr(n, "content"))
	if content == "" || strings.HasPrefix(content, "{{") {
		return
	}
	for _, key := range [...]string{"property", "name", "itemprop", "http-equiv"} {
		for _, name := range strings.Fields(strings.ToLower(tree.Attr(n, key))) {
			if _, ok := meta[name]; !ok {
				meta[name] = content
			}
		}
	}
}

// first returns the first of its arguments that is not empty.
func first(list ...string) string {
	for _, s := range list {
		if s = oneLine(s); s != "" {
			return s
		}
	}
	return ""
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// ldArticle is what JSON-LD says about the page.
type ldArticle struct {
	headline, author, published, modified, site, language string
	found                                                 bool
}

// read takes one script; the first that describes an article counts.
func (a *ldArticle) read(src string) {
	if len(src) > jsonLDLimit {
		return
	}
	src = strings.TrimSpace(src)
	src = strings.TrimSuffix(strings.TrimPrefix(src, "<![CDATA["), "]]>")
	var v any
	if json.Unmarshal([]byte(src), &v) == nil {
		a.visit(v, 0)
	}
}

func (a *ldArticle) visit(v any, depth int) {
	if depth > 4 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			a.visit(x, depth+1)
		}
	case map[string]any:
		kind := ldText(v["@type"])
		switch {
		case strings.HasSuffix(kind, "Article") || strings.HasSuffix(kind, "Posting") || kind == "APIReference" || kind == "Report":
			if !a.found {
				a.found = true
				a.headline, a.language = ldText(v["headline"]), ldText(v["inLanguage"])
				a.author = ldNames(v["author"])
				a.published, a.modified = ldText(v["datePublished"]), ldText(v["dateModified"])
				a.site = first(ldName(v["publisher"]), a.site)
			}
		case kind == "WebSite":
			a.site = first(a.site, ldText(v["name"]))
		case kind == "WebPage" && !a.found:
			a.published = first(a.published, ldText(v["datePublished"]))
			a.modified = first(a.modified, ldText(v["dateModified"]))
		}
		if g, ok := v["@graph"]; ok {
			a.visit(g, depth+1)
		}
	}
}

// ldText reads a string, or the first of a list of strings.
func ldText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return ldText(v[0])
		}
	}
	return ""
}

func ldName(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		return ldText(v["name"])
	case []any:
		if len(v) > 0 {
			return ldName(v[0])
		}
	}
	return ""
}

// ldNames joins the names of several people.
func ldNames(v any) string {
	list, ok := v.([]any)
	if !ok {
		return ldName(v)
	}
	var names []string
	for _, x := range list {
		if n := oneLine(ldName(x)); n != "" {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// cleanByline drops what is no name.
func cleanByline(s string) string {
	s = oneLine(s)
	for _, lead := range [...]string{"By ", "by ", "BY ", "Written by ", "Posted by "} {
		s = strings.TrimPrefix(s, lead)
	}
	if strings.Contains(s, "://") || len([]rune(s)) > 100 {
		return ""
	}
	return s
}

var bylineAt = tree.MustCompile("[rel=author], [itemprop=author] [itemprop=name], [itemprop=author], .byline .author, .p-author, .author-name, .byline__name, .byline")

// shownByline reads the author that the page shows.
func shownByline(doc *html.Node) string {
	n := bylineAt.First(doc)
	if n == nil {
		return ""
	}
	s := oneLine(tree.Text(n))
	if len([]rune(s)) > 80 {
		return ""
	}
	return s
}

var timeAt = tree.MustCompile("[itemprop=datePublished], time[pubdate], article header time[datetime], .entry-date, .published[datetime], main time[datetime], article time[datetime]")

func shownTime(doc *html.Node) string {
	n := timeAt.First(doc)
	if n == nil {
		return ""
	}
	return first(tree.Attr(n, "datetime"), tree.Attr(n, "content"))
}

// cleanTime keeps a date as it is written, or in RFC 3339 when it is a full
// time in one of the usual spellings.
func cleanTime(s string) string {
	s = oneLine(s)
	if len(s) > 64 || strings.ContainsAny(s, "{}<>") {
		return ""
	}
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05 -0700", "2006-01-02T15:04Z07:00", time.RFC1123Z, time.RFC1123} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.RFC3339)
		}
	}
	return s
}
