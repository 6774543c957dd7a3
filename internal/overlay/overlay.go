// Package overlay puts the layers on a site that we do not build. It stands in
// front of the site (the origin) as a reverse proxy: pages pass as they are but
// for links in the head and a visible pointer to the index, a Markdown mirror of
// each is made when it is asked for, and the paths of the layers are answered by
// a handler that is handed in. Everything else (files, streams, websockets,
// ranges, forms) passes untouched.
//
// It keeps nothing: no answer of the origin is stored, so none that depends on a
// cookie or password can reach another visitor, and neither they nor query
// strings are logged. It does not crawl the origin, and it writes no layer but
// the mirrors.
package overlay

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

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
	// Missing answers mirrors of pages that do not exist; nil is a plain 404.
	Missing http.Handler

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
	switch pages := pagesOf(r.URL.Path); {
	case !read || r.Header.Get("Upgrade") != "" || r.Header.Get("Range") != "":
		v.pass(w, r, &visit{form: untouched})
	case len(pages) > 0:
		v.serveMirror(w, r, pages)
	default:
		known := &visit{form: asPage, base: v.o.Base(r), page: r.URL.Path}
		if want := wanted(r.Header.Values("Accept")); want != wantsPage {
			known.form, known.fallback, known.plain = asMarkdown, true, want == wantsPlain
		}
		v.pass(w, r, known)
	}
}

// serveMirror answers the path of a mirror: with the origin's own file where it
// has one, else with the Markdown of the first page that is there.
func (v *Overlay) serveMirror(w http.ResponseWriter, r *http.Request, pages []string) {
	own := &visit{form: ownMarkdown, base: v.o.Base(r), page: r.URL.Path}
	if v.pass(w, r, own); !own.declined {
		return
	}
	for tries := 0; len(pages) > 0 && tries < maxTries; tries++ {
		q := r.Clone(r.Context())
		q.URL.Path, q.URL.RawPath = pages[0], ""
		made := &visit{form: asMarkdown, base: v.o.Base(r), page: pages[0]}
		if v.pass(w, q, made); !made.declined {
			return
		}
		if pages = pages[1:]; made.moved != "" {
			pages = append([]string{made.moved}, pages...)
		}
	}
	if v.o.Missing != nil {
		r = r.Clone(r.Context())
		r.Header.Del("Cookie")
		v.o.Missing.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Vary", "Accept, Accept-Encoding")
	say(w, http.StatusNotFound, "There is no page of which "+r.URL.Path+" would be the Markdown. Start at /llms.txt.")
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
	plain    bool   // Markdown goes out as text/plain
	tags     validators
	secret   bool // the request carries credentials
	zipped   bool // the client takes gzip

	declined bool   // nothing was sent: try another path
	moved    string // where the page is said to be now
}

type visitKey struct{}

// errDeclined makes the proxy send nothing.
var errDeclined = errors.New("declined")

// pass asks the origin and sends what comes back.
func (v *Overlay) pass(w http.ResponseWriter, r *http.Request, visit *visit) {
	visit.secret = r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != ""
	visit.zipped = acceptsGzip(r.Header.Get("Accept-Encoding"))
	v.proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitKey{}, visit)))
}

func visitOf(ctx context.Context) *visit {
	if known, ok := ctx.Value(visitKey{}).(*visit); ok {
		return known
	}
	return &visit{}
}

// rewrite turns the visitor's request into the one that the origin gets.
func (v *Overlay) rewrite(pr *httputil.ProxyRequest) {
	pr.SetURL(v.origin)
	pr.SetXForwarded()
	pr.Out.Header.Add("Via", via)
	visit := visitOf(pr.In.Context())
	if visit.form == untouched {
		return
	}
	if visit.form != ownMarkdown {
		visit.tags = readTags(pr.Out.Header, visit.form == asMarkdown)
	}
	coding := "identity"
	if visit.zipped {
		coding = "gzip"
	}
	switch visit.form {
	case asPage:
		if isFile(visit.page) {
			return
		}
	case asMarkdown:
		pr.Out.Method = http.MethodGet // the head of a mirror needs its text
		pr.Out.Header.Set("Accept", "text/html, application/xhtml+xml;q=0.9")
		if visit.fallback {
			pr.Out.Header.Set("Accept", joined(pr.In.Header.Values("Accept"))+", text/html;q=0.1")
		}
	}
	pr.Out.Header.Set("Accept-Encoding", coding)
}

// modify decides what of the origin's answer is sent.
func (v *Overlay) modify(res *http.Response) error {
	visit := visitOf(res.Request.Context())
	v.keepVisitors(res, visit)
	html := mediaType(res) == "text/html"
	switch visit.form {
	case ownMarkdown:
		if html || res.StatusCode >= 400 || redirects(res) {
			return errDeclined
		}
	case asPage:
		return v.page(res, visit, html)
	case asMarkdown:
		return v.markdown(res, visit, html)
	}
	return nil
}

// keepVisitors lets redirects within the origin lead to the public address.
func (v *Overlay) keepVisitors(res *http.Response, visit *visit) {
	location := res.Header.Get("Location")
	if location == "" {
		return
	}
	u, err := res.Request.URL.Parse(location)
	if err != nil || !strings.EqualFold(u.Host, v.origin.Host) || u.Scheme != v.origin.Scheme {
		return
	}
	rest, below := strings.CutPrefix(u.EscapedPath(), strings.TrimRight(v.origin.EscapedPath(), "/"))
	if !below || rest != "" && rest[0] != '/' {
		return
	}
	target := visit.base + rest // without a base a path is enough for whoever asked
	if target == "" {
		target = "/"
	}
	if u.RawQuery != "" {
		target += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		target += "#" + u.EscapedFragment()
	}
	res.Header.Set("Location", target)
}

// redirects reports whether the answer leads elsewhere.
func redirects(res *http.Response) bool {
	return res.StatusCode >= 300 && res.StatusCode < 400 && res.Header.Get("Location") != ""
}

// fail answers when the origin does not.
func (v *Overlay) fail(w http.ResponseWriter, r *http.Request, err error) {
	visit := visitOf(r.Context())
	if errors.Is(err, errDeclined) {
		visit.declined = true
		return
	}
	if r.Context().Err() != nil {
		return // the visitor is gone
	}
	v.log.Warn("the origin does not answer", "method", r.Method, "path", r.URL.Path, "fault", reason(err))
	say(w, http.StatusBadGateway, "The site behind this address does not answer. Try again later; the index is at /llms.txt.")
}

// reason is an error without the address it happened at, which may hold a query.
func reason(err error) string {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return err.Error()
}

// say answers with a sentence that nobody may store.
func say(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if status == http.StatusNotFound {
		w.Header().Set("Cache-Control", "public, max-age=60")
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, sentence+"\n") // nobody to tell when the visitor is gone
}

// quiet drops the proxy's own lines but for their level: they may hold
// addresses with their queries.
type quiet struct{ slog.Handler }

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	return q.Handler.Handle(ctx, slog.NewRecord(r.Time.Truncate(time.Millisecond), r.Level, "a connection to the origin broke", 0))
}
