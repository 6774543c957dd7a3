package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"evergreen"
	"evergreen/internal/llmstxt"
	"evergreen/internal/robots"
	"evergreen/internal/sitemap"
)

// start reads robots.txt and the seed. The error says why there is nothing to
// crawl.
func (w *walker) start(seed string) (*loaded, error) {
	u, ok := Normalize(seed, nil)
	if !ok {
		return nil, evergreen.Errorf(evergreen.Invalid, "%q is no web address", seed).
			Fix("Give an address like https://docs.example.com/.")
	}
	w.seed = u
	w.report.Seed = u.String()
	sitemaps, err := w.readRobots(u)
	if err != nil {
		return nil, err
	}
	w.scope = newScope(u, nil)
	w.report.Scope = w.scope.String()
	if reason, detail := w.refuses(u, 0); reason != "" {
		w.add(u, 0)
		w.warn("%s: %s", reason, detail)
		return nil, nil
	}
	l := w.loadSeed(u)
	if l.err != nil {
		if reason, _ := failure(l.err); reason != ReasonTooLarge {
			return nil, l.err
		}
	}
	if l.final != nil && l.answer.Location == "" {
		if err := w.settleScope(l, sitemaps); err != nil {
			return nil, err
		}
	}
	l.item = w.add(l.at, 0)
	if l.item == nil { // the seed is an asset by name, but was asked for
		l.item = &item{docPath: docPath(l.at), urls: []*url.URL{l.at}}
		w.items[l.item.docPath] = l.item
		w.order = append(w.order, l.item)
	}
	l.item.state = underWay
	return l, nil
}

func (w *walker) loadSeed(u *url.URL) *loaded {
	hop := func(to *url.URL) bool { return sameSite(u, to) }
	l := &loaded{at: u}
	w.fetches++
	l.answer, l.err = w.get(Request{URL: u.String(), Hop: hop})
	w.read(l)
	return l
}

// settleScope takes the scope from where the seed was found. A redirect to
// below the seed's folder, be it on another host, does not narrow it; one to
// elsewhere moves it.
func (w *walker) settleScope(l *loaded, sitemaps []string) error {
	at := *l.at
	at.Scheme, at.Host = l.final.Scheme, l.final.Host
	if !newScope(&at, nil).contains(l.final) || l.final.RawPath == at.RawPath+"/" {
		at = *l.final
	}
	if at.Host != l.at.Host || at.Scheme != l.at.Scheme {
		listed, err := w.readRobots(&at)
		if err != nil {
			return err
		}
		sitemaps = listed
	}
	found := w.readSitemaps(&at, sitemaps)
	if l.facts != nil {
		found = append(slices.Clip(found), l.facts.links...)
	}
	w.scope = newScope(&at, found)
	w.report.Scope, w.report.Seed = w.scope.String(), l.final.String()
	l.at, w.seed = &at, l.final
	return nil
}

// readRobots sets the policy and returns the sitemaps that robots.txt names. The
// error says that the host cannot be reached at all.
func (w *walker) readRobots(at *url.URL) ([]string, error) {
	address := at.Scheme + "://" + at.Host + "/robots.txt"
	redirected := false
	answer, err := w.get(Request{URL: address, Raw: true, Hop: func(*url.URL) bool { redirected = true; return true }})
	status, body := http.StatusNotFound, []byte(nil)
	switch kind := evergreen.KindOf(err); {
	case err == nil:
		status, body = answer.Status, answer.Body
	case w.ctx.Err() != nil || kind == evergreen.Upstream && !redirected:
		return nil, err
	case kind == evergreen.Timeout:
		status = 0
	default: // a circle of redirects, a refused one, a flood: no robots.txt (RFC 9309, 2.3.1.2)
		w.warn("%s: %v", address, err)
	}
	file, diagnostics := robots.FromResponse(status, body)
	for _, d := range diagnostics {
		if d.Line == 0 {
			w.warn("%s: %s", address, d.Message)
		}
	}
	w.policy = file.For(w.opts.Agent)
	if w.pace.delay = w.policy.CrawlDelay; w.pace.delay > 0 {
		w.warn("robots.txt asks for %v between requests", w.pace.delay)
	}
	return file.Sitemaps, nil
}

// readSitemaps collects the locations of the sitemaps that robots.txt names,
// else of those at the usual places.
func (w *walker) readSitemaps(at *url.URL, listed []string) []*url.URL {
	if w.opts.Single {
		return nil
	}
	origin := at.Scheme + "://" + at.Host
	var roots []string
	for _, s := range listed {
		if u, err := at.Parse(s); err == nil {
			roots = append(roots, u.String())
		}
	}
	guessed := len(roots) == 0
	if guessed {
		roots = []string{origin + "/sitemap.xml"}
		if own := newScope(at, nil).String() + "sitemap.xml"; own != roots[0] {
			roots = append(roots, own)
		}
	}
	get := func(_ context.Context, address string) ([]byte, error) {
		answer, err := w.get(Request{URL: address, Raw: true})
		if err != nil {
			return nil, err
		}
		if answer.Status != 200 {
			return nil, fmt.Errorf("status %d", answer.Status)
		}
		return answer.Body, nil
	}
	allow := func(address string) bool {
		u, err := url.Parse(address)
		return err == nil && (u.Host == at.Host || slices.Contains(roots, address))
	}
	pages, diagnostics, _ := sitemap.Collect(w.ctx, roots, get, allow) // a canceled context ends the crawl itself
	if !guessed || len(pages) > 0 {
		for _, d := range diagnostics {
			w.warn("sitemap %s", d)
		}
	}
	for _, p := range pages {
		if u, ok := Normalize(p.Loc, nil); ok {
			w.sitemap = append(w.sitemap, u)
		}
	}
	return w.sitemap
}

// gather queues what the site lists about itself, llms.txt first, looks at how
// it answers for a page that cannot exist, and for the seed's Markdown.
func (w *walker) gather(first *loaded) {
	if first == nil || w.ctx.Err() != nil {
		return
	}
	if !w.opts.Single {
		w.readLLMs()
		for _, loc := range w.sitemap {
			w.add(loc, 1)
		}
		w.sendProbe()
	}
	w.loadTwin(first, w.twinsOf(first.item))
}

func (w *walker) readLLMs() {
	own := w.scope.String() + "llms.txt"
	root := w.scope.scheme + "://" + w.scope.host + "/llms.txt"
	for _, address := range slices.Compact([]string{own, root}) {
		u, err := url.Parse(address)
		if err != nil {
			continue
		}
		if allowed, _ := w.policy.Allowed(u.RequestURI()); !allowed {
			continue
		}
		answer, err := w.get(Request{URL: address, Hop: func(to *url.URL) bool { return sameSite(u, to) }})
		if err != nil || answer.Status != 200 || looksLikeHTML(answer.Body) {
			continue
		}
		list, _ := llmstxt.Parse(answer.Body, answer.FinalURL)
		for _, optional := range []bool{false, true} {
			for _, s := range list.Sections {
				if s.Optional != optional {
					continue
				}
				for _, l := range s.Links {
					if u, ok := Normalize(l.URL, nil); ok {
						w.add(u, 1)
					}
				}
			}
		}
	}
}

// sendProbe asks for a path that cannot exist. A page in answer, with status
// 200, is what the site says for every wrong address.
func (w *walker) sendProbe() {
	sum := sha256.Sum256([]byte(w.scope.String()))
	address := w.scope.String() + hex.EncodeToString(sum[:6])
	u, ok := Normalize(address, nil)
	if !ok {
		return
	}
	if allowed, _ := w.policy.Allowed(u.RequestURI()); !allowed {
		return
	}
	l := &loaded{at: u}
	l.answer, l.err = w.get(Request{URL: u.String(), Hop: w.hop})
	w.read(l)
	if l.err != nil || l.facts == nil || l.facts.isShell() {
		return
	}
	w.probe = newProbe(l.facts, u.Path)
	w.warn("unknown addresses are answered with status 200; pages like that answer are left out")
}
