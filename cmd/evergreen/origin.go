package main

// This file puts the layers on a site that is built elsewhere: it crawls the
// site into the library, and stands before it.

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/fetch"
	"evergreen/internal/overlay"
	"evergreen/internal/robots"
	"evergreen/internal/site"
	"evergreen/internal/web"

	"github.com/spf13/cobra"
)

// origin is the site behind a server. A nil origin is none.
type origin struct {
	app     *app
	library library
	log     *slog.Logger
	address string                 // ends with a slash
	request evergreen.IndexRequest // a crawl of it
	refresh time.Duration          // between two crawls; 0 is never again
	unnamed bool                   // nobody has named the site
	crawled func()                 // after each crawl that changed something

	known atomic.Bool // the library holds it
}

// checkOrigin refuses what makes no sense beside an origin.
func checkOrigin(cmd *cobra.Command, s *config.Settings, sources []string) error {
	u, err := url.Parse(s.Overlay.Origin)
	if s.Overlay.Origin == "" || err != nil { // the settings have checked it
		return nil
	}
	if len(sources) > 0 {
		return usage("--origin serves a site as it is; %s would be another one", sources[0]).
			Fix("leave the sources out, or index them into a library of their own and serve that")
	}
	if s.Origin("site.name") == "default" {
		s.Site.Name = u.Host
		if b, err := url.Parse(s.Site.BaseURL); err == nil && b.Host != "" {
			s.Site.Name = b.Host
		}
	}
	return nil
}

// newOrigin looks for the site in the library. It is nil where the settings name
// none.
func (a *app) newOrigin(ctx context.Context, lib library, s config.Settings, log *slog.Logger) (*origin, error) {
	if s.Overlay.Origin == "" {
		return nil, nil
	}
	o := &origin{app: a, library: lib, log: log, address: strings.TrimRight(s.Overlay.Origin, "/") + "/",
		refresh: s.Overlay.Refresh, unnamed: s.Origin("site.name") == "default", crawled: func() {}}
	o.request = evergreen.IndexRequest{Name: originName(s), MaxPages: s.Overlay.MaxPages, AllowPrivate: true, // whoever names the origin means it
		Source: evergreen.Source{Kind: evergreen.SourceSite, Location: o.address}}
	collections, err := lib.Collections(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range collections {
		if c.Knowledge {
			continue
		}
		if !o.holds(c) {
			return nil, evergreen.Errorf(evergreen.Conflict, "the library holds %s, which is no part of %s: nothing would answer for its pages", c.Name, o.address).
				Fix("give the origin a library of its own: --library DIR")
		}
		o.request.Name = c.Name
		o.known.Store(c.Documents > 0)
	}
	return o, nil
}

// originName is what the origin's collection is called: by its public name, since
// ids begin with it.
func originName(s config.Settings) string {
	for _, address := range []string{s.Site.BaseURL, s.Overlay.Origin} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			continue
		}
		if _, err := netip.ParseAddr(u.Hostname()); err != nil && strings.Contains(u.Hostname(), ".") {
			return u.Hostname()
		}
	}
	return "site"
}

// holds reports whether a collection is a crawl of the origin.
func (o *origin) holds(c evergreen.Collection) bool {
	for _, s := range c.Sources {
		if s.Kind == evergreen.SourceSite && strings.TrimRight(s.Location, "/") == strings.TrimRight(o.address, "/") {
			o.request.Source.Location = s.Location
			return true
		}
	}
	return false
}

// adjust makes the HTTP face lend its layers instead of serving a site.
func (o *origin) adjust(ctx context.Context, options *web.Options) {
	if o == nil {
		return
	}
	options.Pages = nil
	options.Site.Layout, options.Site.Origin = site.LayoutOrigin, o.address
	if o.unnamed {
		options.Site.Name = "" // what its first page is called
	}
	options.Waiting = o.waiting
	options.Policy = o.policy(ctx, options.Policy)
}

// waiting is how long a client is to wait for the first crawl.
func (o *origin) waiting() time.Duration {
	if o.known.Load() {
		return 0
	}
	return originWait
}

// front stands before the origin with the layers of a server.
func (o *origin) front(s *web.Server, policy evergreen.Policy) (http.Handler, error) {
	if o == nil {
		return s, nil
	}
	layers := s.Layers()
	v, err := overlay.New(overlay.Options{
		Origin: o.address, Layers: layers, Base: layers.Base, Links: layers.Links, Missing: http.HandlerFunc(layers.Missing),
		Limited: layers.Limited, Trusts: layers.Trusts, Signal: site.ContentSignal(policy), Log: o.log,
	})
	if err != nil {
		return nil, err
	}
	return s.Front(v), nil
}

// policy adds what the origin's robots.txt closes to everyone: ours takes its
// place. What would close the layers themselves is left out and told of.
func (o *origin) policy(ctx context.Context, p evergreen.Policy) evergreen.Policy {
	file, err := o.robots(ctx)
	if err != nil {
		o.app.say("evergreen: warning: the origin's robots.txt cannot be read, so that paths which it closes stay open in ours: " + oneLine(err.Error()))
		return p
	}
	for _, rule := range file.For("*").Rules {
		wider := p
		wider.Disallow = append(append([]string{}, p.Disallow...), rule.Pattern)
		switch err := wider.Validate(); {
		case rule.Allow || rule.Pattern == "":
		case err != nil:
			o.app.say("evergreen: warning: the origin's robots.txt closes " + rule.Pattern + ", ours does not: " + oneLine(err.Error()))
		default:
			p = wider
		}
	}
	return p
}

func (o *origin) robots(ctx context.Context) (*robots.File, error) {
	u, err := url.Parse(o.address)
	if err != nil {
		return nil, err
	}
	settings := fetch.Defaults()
	settings.AllowPrivate, settings.Timeout, settings.Retries = true, robotsTimeout, 0
	client := fetch.New(settings)
	defer client.CloseIdle()
	answer, err := client.Get(ctx, fetch.Request{URL: u.Scheme + "://" + u.Host + "/robots.txt", AnyType: true})
	if err != nil {
		return nil, err
	}
	if answer.Status >= http.StatusInternalServerError {
		return nil, evergreen.Errorf(evergreen.Upstream, "it answers %d", answer.Status)
	}
	file, _ := robots.FromResponse(answer.Status, answer.Body) // what cannot be read closes nothing
	return file, nil
}

// run crawls the origin, and again and again until ctx ends. A fault is told of
// once for as long as it stays the same.
func (o *origin) run(ctx context.Context) {
	told := ""
	if o.waiting() > 0 {
		o.app.say("It is crawled in the background; until that is done the layers answer 503.")
	}
	for {
		report, err := o.library.Index(ctx, o.request, nil)
		pause := o.refresh
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if pause == 0 || pause > originRetry {
				pause = originRetry
			}
			if told != err.Error() {
				o.app.say("evergreen: " + o.address + ": " + oneLine(err.Error()))
			}
			told = err.Error()
		default:
			told = ""
			if d := report.Documents; !o.known.Swap(true) || d.Indexed+d.Removed > 0 {
				o.app.sayReport(report)
				o.crawled()
			}
		}
		if pause == 0 {
			return
		}
		o.request.Refresh = true
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
