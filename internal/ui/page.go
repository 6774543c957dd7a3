package ui

// This file makes the pages of a site's content.

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"evergreen/internal/markdown"
	"evergreen/internal/site"
)

// frame is what every page has around its content.
type frame struct {
	Words
	Lang        string // of the content
	Site        string
	Title       string // of the page, with the site's name
	Description string
	Head        []site.Link
	JSONLD      template.JS // written by site: no text in it can end the element
	Root        string      // of paths: that of the base URL, so that a page works under every name of its host
	Home        string
	Index       string // address of llms.txt
	Mirror      string // address of the page's Markdown, "" for none
	Version     string
	Static      bool
	Query       string // in the search box
	Licence     string
}

// Words lets templates reach the words by name.
type Words = words

// contentPage is a page of the site.
type contentPage struct {
	frame
	Crumbs   []site.Crumb // without the page itself
	Here     string
	Outline  []markdown.Heading
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
	data := contentPage{frame: u.frame(s, p, lang), Here: p.Title, Body: template.HTML(body), Outline: outline(headings),
		Document: p.Kind == site.KindDocument, Updated: p.Updated(), Tokens: p.Tokens, Density: densityMark}
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

// density is the share of a page's tokens that its content has.
func (u *UI) density(text string, page []byte) string {
	whole := u.o.Count(string(page))
	if whole == 0 {
		return "0 %"
	}
	return strconv.Itoa(100*u.o.Count(text)/whole) + " %"
}

// frame is what surrounds a page of the site.
func (u *UI) frame(s *site.Site, p site.Page, lang string) frame {
	f := u.bare(s, lang)
	f.Lang, f.Title, f.Description = s.Lang(p), pageTitle(p.Title, f.Site), s.Description(p)
	if p.Kind != site.KindDocument && !strings.HasPrefix(f.Lang, "zh") {
		f.Lang = "en" // the site's own words
	}
	f.Head, f.Mirror = s.HeadLinks(p), s.MirrorURL(p)
	if ld, err := s.JSONLD(p); err == nil {
		f.JSONLD = template.JS(strings.TrimSpace(string(ld)))
	}
	if f.Description == "" {
		f.Description = fmt.Sprintf("%s: %s", f.Site, p.Title)
	}
	return f
}

// bare is what surrounds a page that is none of the site's content.
func (u *UI) bare(s *site.Site, lang string) frame {
	home := s.Pages()[0]
	f := frame{Words: wordsOf(lang), Site: home.Title, Root: rootOf(s), Home: s.URL(home), Index: s.Base() + "/llms.txt",
		Version: u.o.Version, Static: u.o.Static}
	f.Lang = f.Words.Lang
	for _, l := range s.HeadLinks(home) {
		if l.Rel == "license" {
			f.Licence = l.URL
		}
	}
	return f
}

// rootOf is the path of the site's base URL, without a final slash.
func rootOf(s *site.Site) string {
	u, err := url.Parse(s.Base())
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.EscapedPath(), "/")
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

// outline are the headings below the page's own that its contents list.
func outline(headings []markdown.Heading) []markdown.Heading {
	var listed []markdown.Heading
	for _, h := range headings {
		if (h.Level == 2 || h.Level == 3) && len(listed) < maxOutline {
			listed = append(listed, h)
		}
	}
	if len(listed) < 2 {
		return nil
	}
	return listed
}

// thousands writes 6369 as 6,369.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
