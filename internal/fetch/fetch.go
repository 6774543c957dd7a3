// Package fetch is the one HTTP client that reads the web for Evergreen. It
// refuses private addresses in the dialer, bounds time and bytes, follows and
// records redirects, keeps a readable cache and hands out UTF-8. It knows
// nothing of links, robots.txt or Markdown.
package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"evergreen"
)

// Resolver finds the addresses of a host; net.DefaultResolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Options are the policy and the outside world of a Client. Start from
// Defaults.
type Options struct {
	UserAgent    string
	Timeout      time.Duration // of one Get with all its redirects and retries; 0 is DefaultTimeout
	MaxBytes     int64         // of a body, before and after decompression; 0 is DefaultMaxBytes
	MaxRedirects int           // 0 is DefaultMaxRedirects, negative none
	Retries      int           // further attempts after network faults
	AllowPrivate bool          // reach addresses that are not public

	CacheDir string        // "" is no cache
	CacheTTL time.Duration // <= 0: answers are stored, but never used
	CacheMax int64         // bytes of the cache; 0 is DefaultCacheMax, negative no bound

	// Platform names the generator of a page; nil leaves it unnamed.
	Platform func(finalURL, mediaType string, text []byte) string

	// Proxy is asked for everything, an http or https URL; nil is none, whatever
	// the environment says. It decides where names lead that this machine does
	// not know, see [Options.AllowPrivate] for the others.
	Proxy *url.URL

	TLS      *tls.Config
	Resolver Resolver // nil is net.DefaultResolver
	// Dial connects to an address that has passed the guard; nil is a
	// net.Dialer. address is always an IP address and a port.
	Dial  func(ctx context.Context, network, address string) (net.Conn, error)
	Now   func() time.Time                                 // nil is time.Now
	Sleep func(ctx context.Context, d time.Duration) error // nil waits
}

// Defaults returns the contract's limits, without a cache.
func Defaults() Options {
	return Options{
		UserAgent:    "evergreen",
		Timeout:      DefaultTimeout,
		MaxBytes:     DefaultMaxBytes,
		MaxRedirects: DefaultMaxRedirects,
		Retries:      DefaultRetries,
		CacheTTL:     DefaultCacheTTL,
	}
}

// Client fetches. It is safe for concurrent use.
type Client struct {
	opts  Options
	trip  http.RoundTripper
	proxy *beyond // nil without a proxy
	gate  *gate
	cache *cache // nil without a cache
}

// New makes a client. Close its idle connections when done with it.
func New(opts Options) *Client {
	if opts.Timeout <= 0 {
		opts.Timeout = DefaultTimeout
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = DefaultMaxBytes
	}
	if opts.MaxRedirects == 0 {
		opts.MaxRedirects = DefaultMaxRedirects
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	if opts.CacheMax == 0 {
		opts.CacheMax = DefaultCacheMax
	}
	d := newDialer(opts)
	c := &Client{opts: opts, trip: newTransport(opts, d), gate: newGate(maxPerHost)}
	if opts.Proxy != nil {
		c.proxy = &beyond{dialer: d}
	}
	if opts.CacheDir != "" {
		c.cache = &cache{dir: opts.CacheDir, now: opts.Now, max: opts.CacheMax}
		c.cache.unseen.Store(opts.CacheMax / trimParts) // the first answer looks what others left
	}
	return c
}

// CloseIdle closes connections that are kept for further requests.
func (c *Client) CloseIdle() {
	if t, ok := c.trip.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

// Request asks for one URL.
type Request struct {
	URL        string
	Accept     string      // Accept header; "" prefers HTML
	Header     http.Header // further headers; sent to the URL's own host only
	AnyType    bool        // take any content type and leave the bytes undecoded
	Revalidate bool        // ask the server even when the stored answer is fresh

	// Hop is asked before a redirect is followed; nil follows all. When it
	// refuses, the redirect itself is the result.
	Hop func(to *url.URL) bool
}

// Redirect is one followed redirect.
type Redirect struct {
	Status int    `json:"status"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// Result is an answer with any status.
type Result struct {
	URL            string     `json:"url"`
	FinalURL       string     `json:"final_url"`
	Status         int        `json:"status"`
	ContentType    string     `json:"content_type"` // as declared, or as sniffed where that was wrong
	Charset        string     `json:"charset"`
	CharsetWarning string     `json:"charset_warning"`
	Platform       string     `json:"platform"`
	FromCache      bool       `json:"from_cache"`
	Redirects      []Redirect `json:"redirects"`
	Bytes          int        `json:"bytes"` // of the body as received, unpacked

	Body         []byte        `json:"-"` // text as UTF-8, anything else as received
	ETag         string        `json:"-"`
	LastModified string        `json:"-"`
	Links        []string      `json:"-"` // Link headers
	RobotsTag    []string      `json:"-"` // X-Robots-Tag headers
	Location     string        `json:"-"` // target of a redirect that was not followed
	RetryAfter   time.Duration `json:"-"` // of a 429 or 503
	FetchedAt    time.Time     `json:"-"` // when the server sent or confirmed it, UTC
}

// MediaType is the content type without parameters, in lower case.
func (r *Result) MediaType() string { return mediaType(r.ContentType) }

func mediaType(contentType string) string {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return ""
	}
	return media
}

// Get fetches a URL. 4xx and 5xx are results. The errors' kinds are Invalid (no
// web address), Blocked (address, redirect or content type refused), TooLarge,
// Timeout and Upstream (no answer could be had). A canceled ctx gives its own
// error.
func (c *Client) Get(ctx context.Context, req Request) (*Result, error) {
	target, err := c.target(req.URL)
	if err != nil {
		return nil, err
	}
	e := exchange{client: c, req: req, first: target, key: cacheKey(req, target)}
	if c.cache != nil {
		e.stored = e.usable(c.cache.load(e.key, c.opts.AllowPrivate))
		if e.stored != nil && !req.Revalidate && e.stored.fresh(c.opts.CacheTTL, c.opts.Now()) {
			if r, err := e.fromCache(); err == nil {
				return r, nil
			}
		}
	}
	slot := c.gate.slot()
	defer slot.leave()
	if err := slot.enter(ctx, target.Host); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	r, err := e.attempts(limited, slot)
	if err != nil && limited.Err() != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, evergreen.Errorf(evergreen.Timeout, "%s did not answer within %v", target, c.opts.Timeout).
			Fix("Try again later, or allow more time with --timeout.")
	}
	return r, err
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
