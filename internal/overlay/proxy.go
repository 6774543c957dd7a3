package overlay

// This file asks the origin, and decides what of its answers is sent.

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
)

type visitKey struct{}

// errDeclined makes the proxy send nothing.
var errDeclined = errors.New("declined")

// pass asks the origin and sends what comes back.
func (v *Overlay) pass(w http.ResponseWriter, r *http.Request, visit *visit) {
	visit.base, visit.asked = v.o.Base(r), joined(r.Header.Values("If-None-Match"))
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
	visit := visitOf(pr.In.Context())
	v.forward(pr, visit.base)
	pr.Out.Header.Add("Via", via)
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

// forward tells the origin who asked, and by which address.
func (v *Overlay) forward(pr *httputil.ProxyRequest, base string) {
	if v.o.Trusts != nil && v.o.Trusts(pr.In) {
		pr.Out.Header["X-Forwarded-For"] = pr.In.Header["X-Forwarded-For"]
	}
	pr.SetXForwarded()
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		pr.Out.Header.Set("X-Forwarded-Host", u.Host)
		pr.Out.Header.Set("X-Forwarded-Proto", u.Scheme)
	}
}

// modify decides what of the origin's answer is sent.
func (v *Overlay) modify(res *http.Response) error {
	visit := visitOf(res.Request.Context())
	v.keepVisitors(res, visit)
	html := mediaType(res) == "text/html"
	if html && visit.waysIn && (res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone) {
		return errDeclined
	}
	switch visit.form {
	case ownMarkdown:
		if html || res.StatusCode >= 400 || redirects(res) {
			return errDeclined
		}
	case asPage:
		if err := v.page(res, visit, html); err != nil {
			return err
		}
		unchanged(res, visit)
	case asMarkdown:
		if err := v.markdown(res, visit, html); err != nil {
			return err
		}
		unchanged(res, visit)
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
