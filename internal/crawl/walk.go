package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"evergreen"
	"evergreen/internal/robots"
)

// walker is one crawl. All its state belongs to one goroutine; others only
// fetch and read pages (load).
type walker struct {
	ctx   context.Context
	f     Fetcher
	opts  Options
	visit func(Page) error

	scope  scope
	seed   *url.URL
	policy robots.Policy
	probe  *probe // the answer to a path that cannot exist, nil when it is an error
	pace   pace
	loads  sync.WaitGroup // loads under way

	sitemap []*url.URL // locations that the site's sitemaps list

	items    map[string]*item // by docPath
	order    []*item          // in the order found
	queue    [stages][]*item
	flying   [stages]int // items under way
	bodies   map[[32]byte]string
	texts    map[uint64]*url.URL // first page with these words
	pages    int                 // indexed or unchanged
	fetches  int
	refusals int  // answers 429 and 503 in a row
	unknown  int  // URLs beyond maxKnown
	stopped  bool // visit failed
	report   Report
}

func newWalker(ctx context.Context, f Fetcher, opts Options, visit func(Page) error) *walker {
	if opts.Agent == "" {
		opts.Agent = "evergreen"
	}
	if opts.MaxPages <= 0 {
		opts.MaxPages = DefaultMaxPages
	}
	if opts.MaxDepth <= 0 {
		opts.MaxDepth = DefaultMaxDepth
	}
	if opts.Single {
		opts.MaxPages = 1
	}
	if opts.Sleep == nil {
		opts.Sleep = wait
	}
	return &walker{ctx: ctx, f: f, opts: opts, visit: visit, items: map[string]*item{}, bodies: map[[32]byte]string{}, texts: map[uint64]*url.URL{}}
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pace keeps the distance between requests that robots.txt asks for.
type pace struct {
	mu    sync.Mutex
	delay time.Duration
	owed  bool
}

// get fetches, after the pause that the last request left behind.
func (w *walker) get(req Request) (*Response, error) {
	req.Revalidate = w.opts.Revalidate
	if w.pace.delay == 0 {
		return w.f.Fetch(w.ctx, req)
	}
	w.pace.mu.Lock()
	defer w.pace.mu.Unlock()
	if w.pace.owed {
		if err := w.opts.Sleep(w.ctx, w.pace.delay); err != nil {
			return nil, err
		}
	}
	answer, err := w.f.Fetch(w.ctx, req)
	w.pace.owed = err != nil || !answer.FromCache
	return answer, err
}

// run loads items in a sliding window and settles them in order. What is
// dispatched depends on what was settled before only, so the same site gives
// the same report.
func (w *walker) run(first *loaded) error {
	ready := []chan *loaded{}
	if first != nil {
		c := make(chan *loaded, 1)
		c <- first
		w.flying[first.item.stage]++
		ready = append(ready, c)
	}
	places := make(chan struct{}, concurrency)
	for {
		for len(ready) < w.window() && w.pages+len(ready) < w.opts.MaxPages {
			it := w.pop()
			if it == nil {
				break
			}
			ready = append(ready, w.dispatch(it, places))
		}
		if len(ready) == 0 {
			return w.ctx.Err()
		}
		select {
		case l := <-ready[0]:
			ready = ready[1:]
			w.flying[l.item.stage]--
			if err := w.settle(l); err != nil {
				w.stopped = true
				return err
			}
			w.tell()
		case <-w.ctx.Done():
			return w.ctx.Err()
		}
	}
}

func (w *walker) window() int {
	if w.pace.delay > 0 {
		return 1
	}
	return window
}

func (w *walker) dispatch(it *item, places chan struct{}) chan *loaded {
	it.state = underWay
	w.flying[it.stage]++
	w.fetches++
	urls := append([]*url.URL(nil), it.urls...)
	twins := w.twinsOf(it)
	c := make(chan *loaded, 1)
	w.loads.Go(func() {
		places <- struct{}{}
		defer func() { <-places }()
		l := w.load(urls, twins)
		l.item = it
		c <- l
	})
	return c
}

func (w *walker) tell() {
	if w.opts.Progress != nil {
		finished := 0
		for _, it := range w.order {
			if it.state == done {
				finished++
			}
		}
		w.opts.Progress("crawl", finished, len(w.order))
	}
}

// skip settles an item without a page.
func (w *walker) skip(it *item, reason, detail string, temporary bool) {
	it.state = done
	it.entry = &Entry{URL: it.name().String(), DocPath: it.docPath, Outcome: Skipped, Reason: reason, Detail: detail, Temporary: temporary}
}

// keep settles an item with its page, and calls visit when that is new.
func (w *walker) keep(it *item, p Page) error {
	sum := sha256.Sum256(p.Body)
	p.Hash = hex.EncodeToString(sum[:])
	p.DocPath = it.docPath
	p.URL = it.name().String()
	outcome := Indexed
	if w.opts.Known != nil {
		if hash, ok := w.opts.Known(p.DocPath); ok && hash == p.Hash {
			outcome = Unchanged
		}
	}
	it.state = done
	it.entry = &Entry{URL: p.URL, DocPath: p.DocPath, Outcome: outcome}
	w.pages++
	if outcome == Indexed {
		return w.visit(p)
	}
	return nil
}

// finish names what was found and never fetched, and makes the report.
func (w *walker) finish() Report {
	reason, detail := ReasonLimit, fmt.Sprintf("more than %d pages", w.opts.MaxPages)
	switch {
	case w.ctx.Err() != nil, w.stopped:
		reason, detail = ReasonInterrupted, ""
	case w.refusals >= maxRefusals:
		reason, detail = ReasonRefusals, fmt.Sprintf("%d refusals in a row", w.refusals)
	case w.opts.Single:
		reason, detail = ReasonLimit, "only one page was asked for"
	}
	for _, it := range w.order {
		if it.state != done {
			w.skip(it, reason, detail, true)
			w.report.Truncated = true
		}
		w.report.Entries = append(w.report.Entries, *it.entry)
	}
	if w.unknown > 0 {
		w.report.Truncated = true
		w.warn("%d links beyond the first %d pages were not noted", w.unknown, maxKnown)
	}
	return w.report
}

func (w *walker) warn(format string, args ...any) {
	w.report.Warnings = append(w.report.Warnings, fmt.Sprintf(format, args...))
}

// failure gives an error of the Fetcher its reason.
func failure(err error) (reason string, temporary bool) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return ReasonInterrupted, true
	}
	switch evergreen.KindOf(err) {
	case evergreen.Timeout:
		return ReasonTimeout, true
	case evergreen.TooLarge:
		return ReasonTooLarge, false
	case evergreen.Blocked:
		return ReasonBlocked, false
	}
	return ReasonFailed, true
}
