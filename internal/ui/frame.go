package ui

// This file makes what surrounds every page: head, navigation, switches. A new
// page of ours takes four steps:
//  1. its line in ownPages below, which puts it into the navigation;
//  2. NAME.go with a struct that embeds frame (from u.own), its words in both
//     languages, and a method that ends in u.execute("NAME.tmpl", data);
//  3. templates/NAME.tmpl: {{template "head" .}}, <main id="_main">, and
//     {{template "foot" .}};
//  4. the method in web.Pages and its path in web/content.go.
// A script is a file assets/NAME.mjs (it may import its neighbours), named in
// u.own(s, lang, path, "NAME.mjs"). Inline scripts and style attributes do not
// run: the policy forbids them. Scripts get words and data from one
// <script type="application/json"> element, which does not run either.

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"evergreen/internal/site"
)

// ownPage is a page of ours that the navigation lists.
type ownPage struct {
	path   string // from the root
	label  func(words) string
	static bool // exports have it too
	always bool // every server has it
}

// ownPages are the pages of the navigation, in its order.
func ownPages() []ownPage {
	return []ownPage{
		{"/", func(w words) string { return w.Playground }, true, true},
		{"/layers", func(w words) string { return w.Layers }, true, true},
		{"/search", func(w words) string { return w.Search }, true, true},
	}
}

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
	Nav         []navLink
	Index       string // address of llms.txt
	Mirror      string // address of the page's Markdown, "" for none
	Version     string
	Static      bool
	Query       string   // in the search box
	SearchBox   bool     // in the header
	Scripts     []string // modules of the page
	OtherURL    string   // this page in the other language
	Licence     string
}

// Words lets templates reach the words by name.
type Words = words

// navLink is one link of the navigation.
type navLink struct {
	URL, Label string
	Here       bool
}

// own is what surrounds a page of its own path, which loads the named modules.
func (u *UI) own(s *site.Site, lang, path string, scripts ...string) frame {
	f := u.bare(s, lang, path)
	home := s.Pages()[0]
	f.Scripts = scripts
	f.Head = []site.Link{{URL: s.Base() + path, Rel: "canonical"}}
	for _, l := range s.HeadLinks(home) {
		if l.Rel != "canonical" && l.Rel != "alternate" {
			f.Head = append(f.Head, l)
		}
	}
	f.setJSONLD(s, home)
	return f
}

// around is what surrounds a page of the site's content.
func (u *UI) around(s *site.Site, p site.Page, lang string) frame {
	f := u.bare(s, lang, p.Path)
	f.Lang, f.Title, f.Description = s.Lang(p), pageTitle(p.Title, f.Site), s.Description(p)
	if p.Kind != site.KindDocument && !strings.HasPrefix(f.Lang, "zh") {
		f.Lang = "en" // the site's own words
	}
	f.Head, f.Mirror = s.HeadLinks(p), s.MirrorURL(p)
	f.setJSONLD(s, p)
	if f.Description == "" {
		f.Description = f.Site + ": " + p.Title
	}
	return f
}

func (f *frame) setJSONLD(s *site.Site, p site.Page) {
	if ld, err := s.JSONLD(p); err == nil {
		f.JSONLD = template.JS(strings.TrimSpace(string(ld)))
	}
}

// bare is what surrounds any page at a path.
func (u *UI) bare(s *site.Site, lang, path string) frame {
	home := s.Pages()[0]
	f := frame{Words: wordsOf(lang), Site: home.Title, Root: rootOf(s), Home: s.URL(home), Index: s.Base() + "/llms.txt",
		Version: u.o.Version, Static: u.o.Static, SearchBox: path != "/" && path != "/search"}
	f.Lang, f.OtherURL = f.Words.Lang, "?lang="+f.Words.OtherCode
	for _, p := range slices.Concat(ownPages(), runningPages()) {
		if p.static || !u.o.Static && (p.always || slices.Contains(u.o.Running, p.path)) {
			f.Nav = append(f.Nav, navLink{f.Root + p.path, p.label(f.Words), p.path == path})
		}
	}
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
