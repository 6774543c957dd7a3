package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"time"

	"evergreen"

	"golang.org/x/net/publicsuffix"
)

// acceptDefault prefers the page that people read; crawl asks for other forms
// where it has reason to trust them.
const acceptDefault = "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/xml;q=0.7,*/*;q=0.5"

// exchange is the work of one Get: attempts of chains of hops.
type exchange struct {
	client *Client
	req    Request
	first  *url.URL
	key    string
	stored *entry // what the cache holds, nil when nothing usable
}

// attempts runs the chain until it gives a result that is worth keeping.
func (e *exchange) attempts(ctx context.Context, place *slot) (*Result, error) {
	for attempt := 1; ; attempt++ {
		r, err := e.chain(ctx, place)
		last := attempt > e.client.opts.Retries
		pause := time.Duration(attempt) * retryPause
		switch {
		case err == nil && (last || r.RetryAfter <= 0 || !fits(ctx, r.RetryAfter)):
			return r, nil
		case err == nil:
			pause = r.RetryAfter
		case last || ctx.Err() != nil || !retryable(err):
			return nil, explain(e.first, err)
		}
		if err := e.client.opts.Sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// fits tells whether a pause ends before the deadline of ctx.
func fits(ctx context.Context, pause time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > pause
}

// chain follows redirects to the final answer.
func (e *exchange) chain(ctx context.Context, place *slot) (*Result, error) {
	t := trail{seen: map[string]bool{}}
	for u := e.first; ; {
		if err := place.enter(ctx, u.Host); err != nil {
			return nil, err
		}
		answer, err := e.send(ctx, u, &t)
		if err != nil {
			return nil, err
		}
		to, err := e.next(answer, u, &t)
		if err == nil && to == nil {
			return e.receive(answer, u, &t)
		}
		io.CopyN(io.Discard, answer.Body, 4<<10) // lets the connection be used again
		answer.Body.Close()
		if err != nil {
			return nil, err
		}
		u = to
	}
}

// trail is what a chain has seen so far.
type trail struct {
	hops    []Redirect
	seen    map[string]bool
	jar     http.CookieJar // nil until the first cookie
	private bool           // a hop was answered from outside the public internet
	refused string         // target of a redirect that the caller did not want
}

func (e *exchange) send(ctx context.Context, u *url.URL, t *trail) (*http.Response, error) {
	if e.client.proxy != nil {
		private, err := e.client.proxy.judge(ctx, u.Hostname())
		if err != nil {
			return nil, err
		}
		t.private = t.private || private
	} else {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			GotConn: func(info httptrace.GotConnInfo) { t.private = t.private || isPrivate(info.Conn) },
		})
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "%q: %w", u.Redacted(), err)
	}
	req.Header.Set("Accept", acceptDefault)
	if e.req.Accept != "" {
		req.Header.Set("Accept", e.req.Accept)
	}
	req.Header.Set("Accept-Encoding", "gzip, deflate")
	req.Header.Set("User-Agent", e.client.opts.UserAgent)
	if u.Host == e.first.Host && u.Scheme == e.first.Scheme {
		for name, values := range e.req.Header {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if s := e.stored; s != nil && s.finalURL == u.String() {
		setIf(req.Header, "If-None-Match", s.etag)
		setIf(req.Header, "If-Modified-Since", s.lastModified)
	}
	if t.jar != nil {
		for _, c := range t.jar.Cookies(u) {
			req.AddCookie(c)
		}
	}
	t.seen[u.String()+"\n"+req.Header.Get("Cookie")] = true
	answer, err := e.client.trip.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if p := e.client.opts.Proxy; p != nil && answer.StatusCode == http.StatusProxyAuthRequired {
		answer.Body.Close()
		return nil, refusedByProxy(p, u.Host, answer.Status)
	}
	t.keepCookies(u, answer)
	return answer, nil
}

func setIf(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

// keepCookies remembers cookies for the rest of the chain only: some sites
// redirect to the same URL until their cookie comes back.
func (t *trail) keepCookies(u *url.URL, answer *http.Response) {
	cookies := answer.Cookies()
	if len(cookies) == 0 {
		return
	}
	if t.jar == nil {
		t.jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
	}
	t.jar.SetCookies(u, cookies)
}

// next returns where an answer redirects to, nil when it is the final one.
func (e *exchange) next(answer *http.Response, from *url.URL, t *trail) (*url.URL, error) {
	switch answer.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil, nil
	}
	location := answer.Header.Get("Location")
	if location == "" {
		return nil, nil
	}
	to, err := from.Parse(location)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Upstream, "%s redirects to %q, which is no URL", from, location)
	}
	if err := e.client.check(to); err != nil {
		return nil, redirected(from, err)
	}
	if from.Scheme == "https" && to.Scheme == "http" {
		return nil, evergreen.Errorf(evergreen.Blocked, "%s redirects from https to http (%s)", from, to)
	}
	if e.req.Hop != nil && !e.req.Hop(to) {
		t.refused = to.String()
		return nil, nil
	}
	if len(t.hops) >= e.client.opts.MaxRedirects {
		return nil, evergreen.Errorf(evergreen.Upstream, "%s redirects more than %d times", e.first, e.client.opts.MaxRedirects)
	}
	if t.seen[to.String()+"\n"+t.cookieHeader(to)] {
		return nil, evergreen.Errorf(evergreen.Upstream, "%s redirects in a circle (%s again)", e.first, to)
	}
	t.hops = append(t.hops, Redirect{Status: answer.StatusCode, From: from.String(), To: to.String()})
	return to, nil
}

// redirected says that a refusal came by way of a redirect.
func redirected(from *url.URL, err error) error {
	var e *evergreen.Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	told.Message = from.Redacted() + " redirects: " + e.Message
	return &told
}

// cookieHeader is the Cookie header that a request for u would carry.
func (t *trail) cookieHeader(u *url.URL) string {
	if t.jar == nil {
		return ""
	}
	probe := http.Request{Header: http.Header{}}
	for _, c := range t.jar.Cookies(u) {
		probe.AddCookie(c)
	}
	return probe.Header.Get("Cookie")
}

// retryable tells a fault of the network, which may pass, from a refusal.
func retryable(err error) bool {
	var own *evergreen.Error
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var dns *net.DNSError
	switch {
	case errors.As(err, &own), errors.As(err, &certificate), errors.As(err, &record),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.As(err, &dns):
		return !dns.IsNotFound
	}
	return true
}

// explain gives a fault of the network its kind.
func explain(u *url.URL, err error) error {
	var own *evergreen.Error
	if errors.As(err, &own) {
		return own
	}
	return evergreen.Errorf(evergreen.Upstream, "%s could not be fetched: %w", u.Redacted(), err).
		Fix("Check the address and the connection, then try again.")
}

// retryAfter reads a Retry-After header: seconds or a date; 0 when absent.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}
