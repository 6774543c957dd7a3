// Package probe asks a web server questions and keeps what came back, so that
// checks can judge it and tell of it: status, headers, redirects, body. It
// follows no links and it judges nothing.
package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"evergreen"
)

// Options are the outside world of a Client.
type Options struct {
	Transport http.RoundTripper                                // nil is Transport of the base URL
	Timeout   time.Duration                                    // of one request with its redirects; 0 is 15 s
	UserAgent string                                           // "" is "evergreen-audit"
	Sleep     func(ctx context.Context, d time.Duration) error // nil waits
}

// Client asks one site. It is safe for concurrent use.
type Client struct {
	base *url.URL
	opts Options

	mu     sync.Mutex
	stored map[string]*once
}

// once is an answer that several may wait for.
type once struct {
	sync.Once
	answer *Answer
}

// New makes a client for the site at baseURL, with or without a final slash.
// An address that is no http or https URL is an error of kind Invalid.
func New(baseURL string, o Options) (*Client, error) {
	u, err := url.Parse(strings.TrimSpace(baseURL))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, evergreen.Errorf(evergreen.Invalid, "%q is no web address", baseURL).
			Fix("Give one like https://docs.example.com.")
	}
	u.Fragment, u.RawQuery = "", ""
	u = &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: strings.TrimRight(u.Path, "/")}
	if o.Transport == nil {
		o.Transport = Transport(u.Hostname())
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.UserAgent == "" {
		o.UserAgent = "evergreen-audit"
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Client{base: u, opts: o, stored: map[string]*once{}}, nil
}

// Base is the site's address without a final slash.
func (c *Client) Base() string { return c.base.String() }

// Origin is scheme and host of the site's address.
func (c *Client) Origin() string { return c.base.Scheme + "://" + c.base.Host }

// Request is one question.
type Request struct {
	Method string // "" is GET
	// URL is absolute, or a path with its query: one that begins with a slash
	// stands below the base URL.
	URL    string
	Header map[string]string
	Body   string
	Raw    bool // send the path byte for byte, dots and escapes as they are
	Stay   bool // a redirect is the answer
}

// Get asks for a URL as a client that takes anything. Equal requests are asked
// once: further calls give the same answer.
func (c *Client) Get(ctx context.Context, url string) *Answer {
	return c.Once(ctx, Request{URL: url})
}

// Markdown asks for a URL as a client that reads Markdown only.
func (c *Client) Markdown(ctx context.Context, url string) *Answer {
	return c.Once(ctx, Request{URL: url, Header: map[string]string{"Accept": "text/markdown"}})
}

// Once answers equal requests with one question.
func (c *Client) Once(ctx context.Context, r Request) *Answer {
	key := r.key()
	c.mu.Lock()
	o := c.stored[key]
	if o == nil {
		o = &once{}
		c.stored[key] = o
	}
	c.mu.Unlock()
	o.Do(func() { o.answer = c.Do(ctx, r) })
	return o.answer
}

// Do asks, and asks again when the server says when to (429 and 503 with a
// Retry-After of at most a minute, twice). The answer is never nil; what went
// wrong is its Err.
func (c *Client) Do(ctx context.Context, r Request) *Answer {
	for retry := 0; ; retry++ {
		a := c.follow(ctx, r)
		wait := a.retryAfter()
		if retry == maxRetries || wait == 0 || c.opts.Sleep(ctx, wait) != nil {
			return a
		}
	}
}

// Ask asks once and takes a 429 as it is.
func (c *Client) Ask(ctx context.Context, r Request) *Answer { return c.follow(ctx, r) }

// follow asks and goes after redirects.
func (c *Client) follow(ctx context.Context, r Request) *Answer {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	a := &Answer{Request: r}
	target, err := c.target(r)
	if err != nil {
		a.Err = err
		return a
	}
	a.URL = target.String()
	for {
		c.exchange(ctx, a, r, target)
		next := a.location(target)
		if a.Err != nil || next == nil || r.Stay {
			return a
		}
		if len(a.Redirects) == maxRedirects {
			a.Err = fmt.Errorf("more than %d redirects", maxRedirects)
			return a
		}
		a.Redirects = append(a.Redirects, Redirect{a.Status, next.String()})
		target, r.Raw = next, false
		if a.Status == http.StatusSeeOther && r.Method != http.MethodHead {
			r.Method, r.Body = http.MethodGet, ""
		}
	}
}

// target is the URL that a request goes to.
func (c *Client) target(r Request) (*url.URL, error) {
	if !strings.HasPrefix(r.URL, "/") {
		return url.Parse(r.URL)
	}
	if r.Raw {
		return &url.URL{Scheme: c.base.Scheme, Host: c.base.Host, Opaque: c.base.EscapedPath() + r.URL}, nil
	}
	return url.Parse(c.base.String() + r.URL)
}

// exchange sends one request and fills the answer.
func (c *Client) exchange(ctx context.Context, a *Answer, r Request, target *url.URL) {
	method := r.Method
	if method == "" {
		method = http.MethodGet
	}
	q, err := http.NewRequestWithContext(ctx, method, c.Origin(), strings.NewReader(r.Body))
	if err != nil {
		a.Err = err
		return
	}
	q.URL, q.Host = target, target.Host
	if r.Body == "" {
		q.Body, q.ContentLength = http.NoBody, 0
	}
	q.Header.Set("User-Agent", c.opts.UserAgent)
	for name, value := range r.Header {
		q.Header.Set(name, value)
	}
	answer, err := c.opts.Transport.RoundTrip(q)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %v", c.opts.Timeout)
		}
		a.Err = err
		return
	}
	defer answer.Body.Close()
	a.Status, a.Header, a.FinalURL = answer.StatusCode, answer.Header, target.String()
	a.Body, a.Err = io.ReadAll(io.LimitReader(answer.Body, maxBodyBytes+1))
	if len(a.Body) > maxBodyBytes {
		a.Body, a.Cut = a.Body[:maxBodyBytes], true
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// key tells requests apart.
func (r Request) key() string {
	var b strings.Builder
	b.WriteString(r.Method + "\x00" + r.URL + "\x00" + strconv.FormatBool(r.Stay) + r.Body)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		b.WriteString("\x00" + name + ":" + r.Header[name])
	}
	return b.String()
}

// String is the request as a person would write it down.
func (r Request) String() string {
	method := r.Method
	if method == "" {
		method = http.MethodGet
	}
	s := method + " " + r.URL
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		s += ", " + name + ": " + r.Header[name]
	}
	return s
}

// Redirect is one followed redirect.
type Redirect struct {
	Status int
	To     string
}

// Answer is what came back.
type Answer struct {
	Request   Request
	URL       string // asked for
	FinalURL  string // after redirects
	Status    int    // 0: no answer
	Header    http.Header
	Body      []byte // decoded
	Cut       bool   // the body was longer than is read
	Redirects []Redirect
	Err       error
}

// OK reports whether a whole answer with a status of 200 to 299 came.
func (a *Answer) OK() bool { return a.Err == nil && a.Status >= 200 && a.Status < 300 }

// Type is the media type, in lower case, without parameters.
func (a *Answer) Type() string {
	media, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type")) // "" when unreadable
	return media
}

// Text is the body.
func (a *Answer) Text() string { return string(a.Body) }

// HTML reports whether the answer is a page.
func (a *Answer) HTML() bool {
	return a.Type() == "text/html" || a.Type() == "application/xhtml+xml" ||
		a.Type() == "" && strings.HasPrefix(strings.TrimSpace(a.Text()), "<")
}

// Said tells in a few words what came back.
func (a *Answer) Said() string {
	if a.Err != nil {
		return "no answer: " + strings.Join(strings.Fields(a.Err.Error()), " ")
	}
	said := strconv.Itoa(a.Status)
	if kind := a.Header.Get("Content-Type"); kind != "" {
		said += " " + kind
	}
	if len(a.Redirects) > 0 {
		said += " from " + a.FinalURL
	}
	return said
}

func (a *Answer) location(at *url.URL) *url.URL {
	if a.Err != nil || a.Status < 300 || a.Status > 399 || a.Header.Get("Location") == "" {
		return nil
	}
	next, err := at.Parse(a.Header.Get("Location"))
	if err != nil || next.Scheme != "http" && next.Scheme != "https" {
		return nil
	}
	return next
}

// retryAfter is how long a server that is too busy asks to wait, 0 for not at
// all or too long.
func (a *Answer) retryAfter() time.Duration {
	if a.Err != nil || a.Status != http.StatusTooManyRequests && a.Status != http.StatusServiceUnavailable {
		return 0
	}
	seconds, err := strconv.Atoi(strings.TrimSpace(a.Header.Get("Retry-After")))
	if err != nil || seconds < 1 || time.Duration(seconds)*time.Second > maxWait {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
