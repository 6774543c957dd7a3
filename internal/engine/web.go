package engine

import (
	"bytes"
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/crawl"
	"evergreen/internal/fetch"
	"evergreen/internal/format"
	"evergreen/internal/site"
	"evergreen/internal/store"
)

// webFacts is what is known of a page beside its bytes.
type webFacts struct {
	url         string
	contentType string
	fetchedAt   string // RFC 3339
	modified    string // ISO date, "" when the server does not say
}

func isWeb(s evergreen.Source) bool {
	return s.Kind == evergreen.SourceSite || s.Kind == evergreen.SourcePage
}

// resolveWeb recognises web addresses. ok is false for anything else.
func resolveWeb(s evergreen.Source) (evergreen.Source, bool, error) {
	scheme, _, found := strings.Cut(s.Location, "://")
	if !found {
		return s, false, nil
	}
	u, err := url.Parse(s.Location)
	if err != nil || u.Host == "" || scheme != "http" && scheme != "https" {
		return s, false, evergreen.Errorf(evergreen.Invalid, "%s is no web address", s.Location).
			Fix("Web sources begin with https:// or http://.")
	}
	if u.User != nil {
		return s, false, evergreen.Errorf(evergreen.Blocked, "a web address with a user name is not fetched").
			Fix("Leave it out, and pass credentials with --header.")
	}
	u.Fragment = ""
	s.Location = u.String()
	if s.Kind == "" {
		s.Kind = evergreen.SourceSite
	}
	return s, true, nil
}

// webName is the host and, when there is one, the first segment of the path.
func webName(location string) string {
	u, err := url.Parse(location)
	if err != nil {
		return "site"
	}
	first, _, more := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if first == "" || !more && path.Ext(first) != "" {
		return u.Host
	}
	return u.Host + "/" + first
}

// crawl walks a site without holding the library's lock, and returns what to
// do with its pages once it is held.
func (e *Engine) crawl(ctx context.Context, req evergreen.IndexRequest, progress evergreen.Progress) (gatherer, error) {
	known, err := e.knownPages(req)
	if err != nil {
		return nil, err
	}
	client := e.webClient(req)
	defer client.CloseIdle()
	var pages []crawl.Page
	report, err := crawl.Walk(ctx, req.Source.Location, fetcher{client, header(req.Header)}, crawl.Options{
		MaxPages: req.MaxPages, MaxDepth: req.Depth, Single: req.Source.Kind == evergreen.SourcePage,
		Include: req.Source.Include, Exclude: req.Source.Exclude, Revalidate: true,
		Known: func(docPath string) (string, bool) {
			f, ok := known[docPath]
			return hex.EncodeToString(f.Hash[:]), ok && f.Segment >= 0
		},
		Progress: progress,
	}, func(p crawl.Page) error {
		pages = append(pages, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if c := report.Counts(); c.Indexed+c.Unchanged == 0 {
		return nil, noPage(req.Source.Location, report)
	}
	return func(_ context.Context, r *run) ([]item, []store.FileState, func(), error) {
		changed, keep := r.gatherPages(pages, report)
		return changed, keep, func() {}, nil
	}, nil
}

// noPage is the error of a site that gives nothing. What was indexed of it
// before stays: a site that is down has not deleted its pages.
func noPage(location string, report crawl.Report) error {
	err := evergreen.Errorf(evergreen.NotFound, "%s gives no page", location)
	if skips := report.Skips(); len(skips) > 0 {
		err = evergreen.Errorf(evergreen.NotFound, "%s gives no page: %s", location, skips[0].Reason)
	}
	return err.Fix("Open the address in a browser to see what it answers.")
}

// knownPages returns what is known of the source's pages, by doc_path.
func (e *Engine) knownPages(req evergreen.IndexRequest) (map[string]store.FileState, error) {
	name, err := e.nameFor(req)
	if err != nil {
		return nil, err
	}
	known := map[string]store.FileState{}
	m, err := e.lib.Manifest(name)
	if err != nil {
		return known, nil // a new collection, or one to be built anew
	}
	damaged := map[int]bool{}
	for _, info := range m.Segments {
		seg, err := e.openSound(name, info, false)
		if damaged[info.Number] = err != nil; err == nil {
			seg.Close()
		}
	}
	state, _ := e.lib.State(m)
	for _, f := range state.Files {
		if f.Source < len(m.Sources) && m.Sources[f.Source].Location == req.Source.Location && !damaged[f.Segment] {
			known[f.Path] = f
		}
	}
	return known, nil
}

// gatherPages turns a crawl's outcome into items, and books the rest.
func (r *run) gatherPages(pages []crawl.Page, report crawl.Report) (changed []item, keep []store.FileState) {
	r.report.Truncated = report.Truncated
	r.report.Warnings = append(r.report.Warnings, report.Warnings...)
	r.report.Documents.Discovered = len(report.Entries)
	for _, entry := range report.Entries {
		old, known := r.old[entry.DocPath]
		switch {
		case entry.Outcome == crawl.Unchanged && known:
			keep = append(keep, old)
			delete(r.old, entry.DocPath)
		case entry.Outcome == crawl.Skipped:
			reason := entry.Reason
			if entry.Detail != "" {
				reason += ": " + entry.Detail
			}
			if entry.Temporary && known && old.Segment >= 0 {
				reason += "; what was indexed before is kept"
				r.held = append(r.held, old)
				delete(r.old, entry.DocPath)
			}
			r.report.Documents.Skipped++
			r.report.Skipped = append(r.report.Skipped, evergreen.Skip{Path: entry.URL, Reason: reason})
		}
	}
	for _, p := range pages {
		if r.takenElsewhere(p.DocPath) {
			continue
		}
		changed = append(changed, item{
			path: p.DocPath, size: int64(len(p.Body)),
			read: func() ([]byte, error) { return p.Body, nil },
			web:  factsOf(p),
		})
	}
	return changed, keep
}

func factsOf(p crawl.Page) *webFacts {
	f := &webFacts{url: p.FinalURL, contentType: p.ContentType, fetchedAt: p.FetchedAt.UTC().Format(time.RFC3339)}
	if f.url == "" {
		f.url = p.URL
	}
	if p.Markdown {
		f.contentType = "text/markdown; charset=utf-8"
	}
	if t, err := http.ParseTime(p.LastModified); err == nil {
		f.modified = t.UTC().Format(time.DateOnly)
	}
	return f
}

// webClient makes the client of one run. Answers are cached below the library.
func (e *Engine) webClient(req evergreen.IndexRequest) *fetch.Client {
	o := fetch.Defaults()
	o.AllowPrivate, o.Proxy = req.AllowPrivate, e.opts.Proxy
	o.CacheDir = filepath.Join(e.lib.Root(), "cache")
	o.UserAgent = e.opts.UserAgent
	if o.UserAgent == "" {
		o.UserAgent = "evergreen"
	}
	return fetch.New(o)
}

// header reads 'Key: Value' lines; those without a colon were refused before.
func header(lines []string) http.Header {
	h := http.Header{}
	for _, l := range lines {
		if k, v, ok := strings.Cut(l, ":"); ok {
			h.Add(strings.TrimSpace(k), strings.TrimSpace(v))
		}
	}
	return h
}

// fetcher lets a crawl fetch through the guarded client.
type fetcher struct {
	client *fetch.Client
	header http.Header
}

func (f fetcher) Fetch(ctx context.Context, req crawl.Request) (*crawl.Response, error) {
	res, err := f.client.Get(ctx, fetch.Request{
		URL: req.URL, Accept: req.Accept, Header: f.header, AnyType: req.Raw, Revalidate: req.Revalidate, Hop: req.Hop,
	})
	if err != nil {
		return nil, err
	}
	return &crawl.Response{
		FinalURL: res.FinalURL, Status: res.Status, ContentType: res.ContentType, Body: res.Body, ETag: res.ETag,
		LastModified: res.LastModified, Links: res.Links, RobotsTag: res.RobotsTag, Location: res.Location,
		FetchedAt: res.FetchedAt, FromCache: res.FromCache,
	}, nil
}

// publicLinks lets the links of a page of the origin lead to the public address:
// nobody but us may know where the origin stands. Without a public address they
// lead to the same host, which holds where the origin has no path of its own.
func (e *Engine) publicLinks(doc *format.Doc, address string) {
	origin, err := url.Parse(strings.TrimRight(e.opts.Origin, "/"))
	if err != nil || site.Below(e.opts.Origin, address) == nil || e.opts.BaseURL == "" && origin.Path != "" {
		return
	}
	base := strings.TrimRight(e.opts.BaseURL, "/")
	for _, scheme := range []string{"http", "https"} {
		from := "](" + scheme + "://" + origin.Host + origin.EscapedPath() + "/"
		head, text := doc.Text[:doc.FrontMatterEnd:doc.FrontMatterEnd], doc.Text[doc.FrontMatterEnd:]
		doc.Text = append(head, bytes.ReplaceAll(text, []byte(from), []byte("]("+base+"/"))...)
	}
}
