// Package crawl walks a documentation site below one URL and hands out its
// pages, each once, in a fixed order. It decides what belongs to the site and
// what is no page; it reads no main content, stores nothing, and fetches through
// the small interface that it defines.
package crawl

import (
	"context"
	"net/url"
	"time"

	"evergreen"
)

// Fetcher gets one URL. 4xx and 5xx are answers; errors carry a kind of
// package evergreen. It follows redirects that Hop allows, refuses private
// addresses as it likes, and keeps its own cache: a confirmed or stored answer
// is an answer like any other. It must be safe for concurrent use.
type Fetcher interface {
	Fetch(ctx context.Context, req Request) (*Response, error)
}

// Request asks a Fetcher for one URL.
type Request struct {
	URL        string
	Accept     string              // "" is the Fetcher's preference, HTML
	Raw        bool                // any content type, bytes as they are
	Revalidate bool                // do not trust a stored answer unasked
	Hop        func(*url.URL) bool // asked before each redirect; nil allows all
}

// Response is an answer. Text bodies are UTF-8 unless Raw was asked for.
type Response struct {
	FinalURL     string
	Status       int
	ContentType  string
	Body         []byte
	ETag         string
	LastModified string
	Links        []string // Link headers
	RobotsTag    []string // X-Robots-Tag headers
	Location     string   // target of a redirect that Hop refused
	FetchedAt    time.Time
	FromCache    bool // no request was sent
}

// Options are the bounds and the knowledge of a crawl.
type Options struct {
	Agent      string   // product token in robots.txt; "" is "evergreen"
	MaxPages   int      // pages indexed or unchanged; 0 is DefaultMaxPages
	MaxDepth   int      // links from the seed; 0 is DefaultMaxDepth
	Single     bool     // the seed only
	Include    []string // globs over the path, whole or below the scope; none is all
	Exclude    []string
	Revalidate bool // ask the server for every page

	// Known returns the Hash that a document had when it was last indexed.
	Known func(docPath string) (hash string, ok bool)

	Progress evergreen.Progress
	Sleep    func(ctx context.Context, d time.Duration) error // for Crawl-delay; nil waits
}

// Page is one page of a site, new or changed.
type Page struct {
	URL          string // normalised, as found
	FinalURL     string // after redirects
	DocPath      string
	Canonical    string // what the page calls itself; "" when it does not say
	Body         []byte // UTF-8 text, or a PDF
	ContentType  string
	Status       int
	ETag         string
	LastModified string
	FetchedAt    time.Time
	Markdown     bool   // Body is Markdown: the page itself, or its twin
	TwinURL      string // where Body came from, when that is a Markdown twin
	Hash         string // sha256 of Body, lower-case hex
}

// Outcomes of an entry.
const (
	Indexed   = "indexed"
	Unchanged = "unchanged"
	Skipped   = "skipped"
)

// Reasons of skipped entries. HTTP errors are "http_" and the status.
const (
	ReasonRobots      = "robots"
	ReasonNoindex     = "noindex"
	ReasonRedirect    = "redirect" // to another page in scope, which has its own entry
	ReasonOutOfScope  = "redirect_out_of_scope"
	ReasonLogin       = "login_required"
	ReasonSoft404     = "soft_404"
	ReasonShell       = "needs_javascript"
	ReasonEmpty       = "empty"
	ReasonDuplicate   = "duplicate"
	ReasonTwin        = "markdown_twin"
	ReasonType        = "content_type"
	ReasonTooLarge    = "too_large"
	ReasonTimeout     = "timeout"
	ReasonBlocked     = "blocked"
	ReasonFailed      = "fetch_failed"
	ReasonDepth       = "too_deep"
	ReasonLimit       = "page_limit"
	ReasonRefusals    = "site_refuses"
	ReasonExcluded    = "excluded"
	ReasonRepeating   = "repeating_path"
	ReasonInterrupted = "interrupted"
)

// Entry says what became of one page in scope.
type Entry struct {
	URL     string
	DocPath string
	Outcome string
	Reason  string // of a skipped entry
	Detail  string // where a redirect leads, whose duplicate it is, what failed

	// Temporary says that the page may well be there: a document that was
	// indexed before should be kept, and the next refresh tries again.
	Temporary bool
}

// Report names every page in scope that was found, in the order found.
type Report struct {
	Seed      string // final URL of the seed
	Scope     string // URL that every page in scope begins with
	Entries   []Entry
	Truncated bool // a bound left pages out
	Warnings  []string
}

// Counts sums the report up. Discovered = Indexed + Unchanged + Skipped.
func (r *Report) Counts() evergreen.Counts {
	c := evergreen.Counts{Discovered: len(r.Entries)}
	for _, e := range r.Entries {
		switch e.Outcome {
		case Indexed:
			c.Indexed++
		case Unchanged:
			c.Unchanged++
		default:
			c.Skipped++
		}
	}
	return c
}

// Skips lists the skipped entries with their reasons as text.
func (r *Report) Skips() []evergreen.Skip {
	var skips []evergreen.Skip
	for _, e := range r.Entries {
		if e.Outcome == Skipped {
			reason := e.Reason
			if e.Detail != "" {
				reason += ": " + e.Detail
			}
			skips = append(skips, evergreen.Skip{Path: e.URL, Reason: reason})
		}
	}
	return skips
}

// Walk crawls below the folder of seed on its host and calls visit for every
// page that is new or changed, one at a time, in an order that depends on the
// site alone. No single page ends the crawl. The error is that of visit or ctx,
// or tells why not even the first page could be had; the report is valid in
// each case.
func Walk(ctx context.Context, seed string, f Fetcher, opts Options, visit func(Page) error) (Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	w := newWalker(ctx, f, opts, visit)
	defer w.loads.Wait() // no request outlives the crawl
	defer cancel()
	first, err := w.start(seed)
	if err == nil {
		w.gather(first)
		err = w.run(first)
	}
	return w.finish(), err
}
