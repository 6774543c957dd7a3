package upstream

// This file builds the transports: HTTP with the credential's headers, and
// programs on stdio.

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport builds the transport of one session. life ends every request of it;
// lose is called when a subscription to changes ends.
func (u *Upstream) transport(life context.Context, c Credential, listen bool, lose func()) (mcp.Transport, error) {
	if len(u.o.Command) > 0 {
		return u.command(life)
	}
	headers, err := u.o.expandAll(u.o.Headers)
	if err != nil {
		return nil, err
	}
	endpoint, err := u.o.expand(u.o.URL)
	if err != nil {
		return nil, err
	}
	all := http.Header{}
	for name, value := range headers {
		if strings.ContainsAny(value, "\r\n") {
			return nil, evergreen.Errorf(evergreen.Invalid, "upstream %q: the header %s holds a line break", u.o.Name, name)
		}
		all.Set(name, value)
	}
	for name, values := range c.headers {
		all[name] = values
	}
	client := &http.Client{
		Transport: &carrier{base: u.http, headers: all, life: life, along: u.readAlong, lose: lose},
		// A redirect would carry headers and arguments to another place.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if u.o.SSE {
		return &mcp.SSEClientTransport{Endpoint: endpoint, HTTPClient: client}, nil
	}
	return &mcp.StreamableClientTransport{Endpoint: endpoint, HTTPClient: client, DisableStandaloneSSE: !listen, MaxRetries: maxResumes}, nil
}

// newHTTPTransport is the connection pool of one upstream. It has no timeout
// for headers: an answer in JSON begins when the tool is done.
func newHTTPTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: dialTimeout,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     90 * time.Second,
	}
}

// carrier puts one session's headers on its requests, ends them with the
// session, and notes what became of each call.
type carrier struct {
	base    http.RoundTripper
	headers http.Header
	life    context.Context
	along   func(contentType string, body io.ReadCloser) io.ReadCloser
	lose    func() // may be nil
}

// RoundTrip implements [http.RoundTripper].
func (t *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(t.life, cancel)
	r = r.Clone(ctx)
	for name, values := range t.headers {
		r.Header[name] = values
	}
	seen, _ := ctx.Value(exchangeKey{}).(*exchange)
	if r.Method != http.MethodPost {
		seen = nil // streams and goodbyes belong to no call
	}
	resp, err := t.base.RoundTrip(r)
	if seen != nil {
		dial := dialFailed(err)
		if dial {
			seen.dialFailed.Store(true)
		} else {
			seen.sent.Store(true)
		}
		if resp != nil && resp.StatusCode >= 300 {
			seen.failed(resp)
		}
	}
	if err != nil {
		stop()
		cancel()
		return nil, err
	}
	done := func() { stop(); cancel() }
	if t.lose != nil && r.Header.Get("Mcp-Method") == "subscriptions/listen" {
		done = func() { stop(); cancel(); t.lose() }
	}
	resp.Body = t.along(resp.Header.Get("Content-Type"), &bounded{body: resp.Body, left: maxAnswer, stream: isStream(resp), done: done})
	return resp, nil
}

func isStream(r *http.Response) bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream")
}

// dialFailed reports whether no connection was made, so that nothing was sent.
func dialFailed(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// bounded is a body that ends with an error when it is too long. A stream may
// go on for as long as its session.
type bounded struct {
	body   io.ReadCloser
	left   int
	stream bool
	done   func()
}

var errTooLong = errors.New("the answer is larger than 64 MiB")

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if !b.stream {
		if b.left -= n; b.left < 0 {
			return 0, errTooLong
		}
	}
	return n, err
}

func (b *bounded) Close() error {
	defer b.done()
	return b.body.Close()
}

// confidential reports whether nobody on the way can read what is sent to u:
// it is https, or does not leave this machine.
func confidential(u *url.URL) bool {
	if u.Scheme == "https" {
		return true
	}
	host := u.Hostname()
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
