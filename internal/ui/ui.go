// Package ui makes the pages that people read: documents, lists, the layers, the
// search. Pages are whole without a script and change with nothing but their
// content; styles and scripts are files of their own whose names hold their hash.
//
// It answers no requests and knows no routes: a face asks it for a page of a
// site and for assets by path. What a page says of itself to machines (links,
// structured data) package site writes.
package ui

import (
	"bytes"
	"html/template"

	"evergreen/internal/highlight"
	"evergreen/internal/markdown"
	"evergreen/internal/text"
)

// Options say what of the server the pages may use.
type Options struct {
	Version string // of the program, at the foot of pages
	// Static leaves out what needs a server.
	Static bool
	// Running are the paths of the pages of a running server that everybody who
	// reads the site may open: /metrics-report, /lab, /operate.
	Running []string
	// Slug makes the ids of headings; nil is text.Slug, as sections have them.
	Slug func(string) string
	// Verify asks the site at a base URL whether it keeps its promises; nil leaves
	// the layers without marks.
	Verify func(base string) ([]Mark, error)
	// Count estimates tokens; nil is text.Tokens.
	Count text.Estimator
}

// UI makes pages. It is safe for concurrent use.
type UI struct {
	o         Options
	templates *template.Template
	assets    map[string]asset // by path
	names     map[string]string
	renderer  *markdown.Renderer
}

// New prepares a UI. It fails only when a template or asset that belongs to the
// program is broken.
func New(o Options) (*UI, error) {
	if o.Count == nil {
		o.Count = text.Tokens
	}
	u := &UI{o: o, assets: map[string]asset{}, names: map[string]string{}}
	if err := u.loadAssets(); err != nil {
		return nil, err
	}
	u.renderer = markdown.NewRenderer(markdown.HTMLOptions{Slug: o.Slug, Highlight: highlight.HTML})
	t, err := template.New("").Funcs(template.FuncMap{
		"asset": func(name string) string { return u.names[name] },
		"count": thousands,
		"pair":  func(first, second any) pair { return pair{first, second} },
	}).ParseFS(files, "templates/*.tmpl")
	u.templates = t
	return u, err
}

// Policy is the Content-Security-Policy of pages: nothing but our own styles and
// scripts, and images from where documents have them.
func (u *UI) Policy() string {
	return "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
		"img-src 'self' https: data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// execute writes a template.
func (u *UI) execute(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := u.templates.ExecuteTemplate(&b, name, data); err != nil {
		return nil, err
	}
	return text.ForHTML(b.Bytes()), nil
}

// pair hands two values to a template.
type pair struct{ First, Second any }
