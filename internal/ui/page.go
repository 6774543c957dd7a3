package ui

// This file makes the pages of a site's content.

import (
	"bytes"
	"html/template"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"evergreen/internal/site"
)

// contentPage is a page of the site.
type contentPage struct {
	frame
	Crumbs   []site.Crumb // without the page itself
	Here     string
	W        readerWords
	Outline  []outlineRow
	Sections sectionData
	Body     template.HTML // safe: made by markdown.Renderer
	Document bool
	Updated  string
	Source   string // address of the original, "" for none
	Tokens   int
	Density  string
}

// densityMark stands where the share is filled in, once the page it is a share
// of is there.
const densityMark = "evergreen:density"

// Page writes a page of a site, with words in a language.
func (u *UI) Page(s *site.Site, p site.Page, lang string) ([]byte, error) {
	text, err := s.Markdown(p)
	if err != nil {
		return nil, err
	}
	body, headings := u.renderer.HTML(text)
	if p.Kind == site.KindCollection {
		body = withEntryAnchors(body)
	}
	byAnchor, sections, prefix := priced(s, p, headings)
	data := contentPage{frame: u.around(s, p, lang), W: readerWordsOf(lang), Here: p.Title, Body: template.HTML(body),
		Outline: outline(headings, byAnchor), Document: p.Kind == site.KindDocument, Updated: p.Updated(), Tokens: p.Tokens, Density: densityMark}
	data.Scripts = []string{"reader.mjs"}
	data.Sections = sectionData{data.W, u.o.Static, prefix, sections}
	if crumbs := s.Breadcrumbs(p); len(crumbs) > 1 {
		data.Crumbs = crumbs[:len(crumbs)-1]
	}
	if strings.HasPrefix(p.Meta.URL, "http://") || strings.HasPrefix(p.Meta.URL, "https://") {
		data.Source = p.Meta.URL
	}
	page, err := u.execute("page.tmpl", data)
	if err != nil {
		return nil, err
	}
	return bytes.Replace(page, []byte(densityMark), []byte(u.density(text, page)), 1), nil
}

// headed finds the headings of curated entries, which begin with their ids.
var headed = regexp.MustCompile(`(<h2[^>]*>)(\[([^\]\s<&"]+)\])`)

// withEntryAnchors gives curated entries anchors that do not change with their
// titles: their ids.
func withEntryAnchors(body string) string {
	return headed.ReplaceAllString(body, `$1<span id="$3">$2</span>`)
}

// entryAnchor is the anchor of a curated entry, "" for ids that can be none.
func entryAnchor(id string) string {
	if strings.ContainsFunc(id, unicode.IsSpace) || strings.ContainsAny(id, `[]<>&"`) {
		return ""
	}
	return url.PathEscape(id)
}

// density is the share of a page's tokens that its content has.
func (u *UI) density(text string, page []byte) string {
	whole := u.o.Count(string(page))
	if whole == 0 {
		return "0 %"
	}
	return strconv.Itoa(100*u.o.Count(text)/whole) + " %"
}

// pageTitle names the page and the site.
func pageTitle(title, of string) string {
	if title == of {
		return title
	}
	if utf8.RuneCountInString(title) > maxTitle {
		title = strings.TrimRight(string([]rune(title)[:maxTitle-1]), " ,;:") + "…"
	}
	return title + " · " + of
}

// thousands writes 6369 as 6,369.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
