// Package overlay puts the layers on a site that we do not build. It stands in
// front of the site (the origin) as a reverse proxy: pages pass as they are but
// for links in the head and a visible pointer to the index, a Markdown mirror of
// each is made when it is asked for, and the paths of the layers are answered by
// a handler that is handed in. Everything else (files, streams, websockets,
// ranges, forms) passes untouched. Who asks for a page that does not exist, and
// not for HTML, is told the ways in instead of the origin's own words.
//
// It keeps nothing: no answer of the origin is stored, so none that depends on a
// cookie or password can reach another visitor, and neither they nor query
// strings are logged. It does not crawl the origin, and it writes no layer but
// the mirrors.
package overlay

import (
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// Layers is what the overlay needs to know of the layers that others write.
type Layers interface {
	// ServeHTTP answers the paths of the layers: documents, API, protocols. It
	// sees no cookies of the origin.
	http.Handler
	// Serves reports whether a decoded path is one of the layers. It is false for
	// pages and their mirrors.
	Serves(path string) bool
	// Mirrored reports whether the page at a decoded path is known, so that links
	// to it may lead to its mirror.
	Mirrored(path string) bool
}

// Options say what is put on what.
type Options struct {
	Origin string // address of the site, with or without a path
	Layers Layers

	// Base is the public address that a request came to, without a final slash;
	// nil derives it from the request's own Host.
	Base func(*http.Request) string
	// Links is the value of the Link header that holds for every page, written
	// for a base address; nil names /llms.txt only.
	Links func(base string) string
	// Missing answers mirrors of pages that do not exist, and pages that do not
	// to clients that name no HTML; nil is a plain 404, and the origin's own.
	Missing http.Handler
	// Limited is put around the making of mirrors, which costs more than passing
	// a page on; nil limits nothing.
	Limited func(http.Handler) http.Handler
	// Trusts reports whether a request comes from a proxy whose forwarded
	// addresses are handed on; nil trusts none.
	Trusts func(*http.Request) bool

	Signal    string            // Content-Signal of mirrors; "" sends none
	Count     text.Estimator    // of X-Markdown-Tokens; nil is text.Tokens
	Transport http.RoundTripper // nil is a transport without a proxy
	Log       *slog.Logger      // nil discards
}

// Overlay answers requests to the site with its layers. It is safe for
// concurrent use.
type Overlay struct {
	o      Options
	origin *url.URL
	proxy  *httputil.ReverseProxy
	made   http.Handler // makes Markdown
	log    *slog.Logger
}

// New makes an overlay. An origin that is no http or https URL is an error of
// kind Invalid.
func New(o Options) (*Overlay, error) {
	u, err := url.Parse(o.Origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "the origin %q is no http or https URL", o.Origin).
			Fix("Write it as https://docs.example.com.")
	}
	u.RawQuery, u.Fragment = "", ""
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Count == nil {
		o.Count = text.Tokens
	}
	if o.Base == nil {
		o.Base = ownBase
	}
	if o.Links == nil {
		o.Links = func(base string) string { return "<" + base + `/llms.txt>; rel="describedby"; type="text/markdown"` }
	}
	if o.Transport == nil {
		o.Transport = transport()
	}
	v := &Overlay{o: o, origin: u, log: o.Log}
	if v.made = http.HandlerFunc(v.serveMade); o.Limited != nil {
		v.made = o.Limited(v.made)
	}
	v.proxy = &httputil.ReverseProxy{
		Rewrite: v.rewrite, ModifyResponse: v.modify, ErrorHandler: v.fail, Transport: o.Transport,
		ErrorLog: slog.NewLogLogger(quiet{o.Log.Handler()}, slog.LevelDebug),
	}
	return v, nil
}

// transport leaves content codings to the client and the origin.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.DisableCompression = true
	t.ResponseHeaderTimeout = headerTimeout
	return t
}

func ownBase(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// via is how a request says that it went through an overlay.
const via = "1.1 evergreen-overlay"

// ServeHTTP answers one request.
func (v *Overlay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, value := range r.Header.Values("Via") {
		if strings.Contains(value, via) {
			say(w, http.StatusLoopDetected, "The origin leads back to this server. Set another one with --origin.")
			return
		}
	}
	if v.o.Layers != nil && v.o.Layers.Serves(r.URL.Path) {
		r = r.Clone(r.Context())
		r.Header.Del("Cookie") // the origin's, no business of ours
		v.o.Layers.ServeHTTP(w, r)
		return
	}
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case climbs(r.URL.Path):
		v.missing(w, r)
	case !read || r.Header.Get("Upgrade") != "" || r.Header.Get("Range") != "":
		v.pass(w, r, &visit{form: untouched})
	case len(pagesOf(r.URL.Path)) > 0 || wanted(r.Header.Values("Accept")) != wantsPage:
		v.made.ServeHTTP(w, r)
	default:
		v.servePage(w, r, &visit{form: asPage, page: r.URL.Path})
	}
}

// serveMade answers with Markdown: at the path of a mirror, or at a page's own to
// who prefers it.
func (v *Overlay) serveMade(w http.ResponseWriter, r *http.Request) {
	if pages := pagesOf(r.URL.Path); len(pages) > 0 {
		v.serveMirror(w, r, pages)
		return
	}
	v.servePage(w, r, &visit{form: asMarkdown, fallback: true, plain: wanted(r.Header.Values("Accept")) == wantsPlain, page: r.URL.Path})
}

// servePage answers a page's own path.
func (v *Overlay) servePage(w http.ResponseWriter, r *http.Request, visit *visit) {
	visit.waysIn = v.o.Missing != nil && !namesPage(r.Header.Values("Accept"))
	if v.pass(w, r, visit); visit.declined {
		v.missing(w, r)
	}
}

// serveMirror answers the path of a mirror: with the origin's own file where it
// has one, else with the Markdown of the first page that is there.
func (v *Overlay) serveMirror(w http.ResponseWriter, r *http.Request, pages []string) {
	own := &visit{form: ownMarkdown, page: r.URL.Path}
	if v.pass(w, r, own); !own.declined {
		return
	}
	for tries := 0; len(pages) > 0 && tries < maxTries; tries++ {
		q := r.Clone(r.Context())
		q.URL.Path, q.URL.RawPath = pages[0], ""
		made := &visit{form: asMarkdown, page: pages[0]}
		if v.pass(w, q, made); !made.declined {
			return
		}
		if pages = pages[1:]; made.moved != "" {
			pages = append([]string{made.moved}, pages...)
		}
	}
	v.missing(w, r)
}

// missing says that nothing is there.
func (v *Overlay) missing(w http.ResponseWriter, r *http.Request) {
	if v.o.Missing != nil {
		r = r.Clone(r.Context())
		r.Header.Del("Cookie")
		v.o.Missing.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Vary", "Accept, Accept-Encoding")
	say(w, http.StatusNotFound, "Nothing is at "+printable(r.URL.Path)+". Start at /llms.txt.")
}

// Forms of an answer.
const (
	untouched   = iota
	asPage      // HTML gets its links
	asMarkdown  // HTML becomes Markdown
	ownMarkdown // what is not HTML passes, all else is declined
)

// visit is one question to the origin and what is to be done with the answer.
type visit struct {
	form     int
	base     string // public address of the site
	page     string // decoded path of the page
	fallback bool   // what is no page passes as it is
	waysIn   bool   // a page that is not there is declined
	plain    bool   // Markdown goes out as text/plain
	tags     validators
	asked    string // If-None-Match as the visitor sent it
	secret   bool   // the request carries credentials
	zipped   bool   // the client takes gzip

	declined bool   // nothing was sent: try another path
	moved    string // where the page is said to be now
}
