package crawl

import (
	"mime"
	"net/url"
	"strings"
)

// loaded is what came of fetching an item.
type loaded struct {
	item   *item
	at     *url.URL // the spelling that was asked for
	answer *Response
	err    error
	final  *url.URL  // normalised; nil when there is no usable one
	facts  *facts    // of an HTML page
	twin   *Response // Markdown that may stand for the page
	twinAt *url.URL
	tried  []*url.URL // Markdown addresses that were looked at
}

// load fetches and reads one item, and its Markdown twin. It runs beside the
// walker and touches none of its changing state.
func (w *walker) load(urls, twins []*url.URL) *loaded {
	if len(urls) == 0 {
		return w.loadOne(twins[0])
	}
	var l *loaded
	for _, u := range urls {
		l = w.loadOne(u)
		if l.err != nil || l.answer.Status != 404 && l.answer.Status != 410 {
			break // another spelling can only help against "not there"
		}
	}
	if gone := l.err == nil && (l.answer.Status == 404 || l.answer.Status == 410); gone && len(twins) > 0 {
		if m := w.loadOne(twins[0]); m.err == nil && isOK(m.answer) {
			return m
		}
		return l
	}
	w.loadTwin(l, twins)
	return l
}

func (w *walker) loadOne(u *url.URL) *loaded {
	l := &loaded{at: u}
	l.answer, l.err = w.get(Request{URL: u.String(), Hop: w.hop})
	w.read(l)
	return l
}

// hop lets redirects through that stay in scope and that robots.txt allows.
func (w *walker) hop(to *url.URL) bool {
	u, ok := Normalize(to.String(), nil)
	if !ok || !w.inScope(u) {
		return false
	}
	allowed, _ := w.policy.Allowed(u.RequestURI())
	return allowed
}

// read takes the facts from an answer.
func (w *walker) read(l *loaded) {
	if l.err != nil {
		return
	}
	if u, ok := Normalize(l.answer.FinalURL, nil); ok {
		l.final = u
	}
	if isHTML(l.answer) && isOK(l.answer) && l.final != nil {
		l.facts = readPage(l.answer.Body, l.final, w.opts.Agent)
		for _, value := range l.answer.RobotsTag {
			if name, rest, ok := strings.Cut(value, ":"); ok && !strings.Contains(name, ",") {
				if !strings.EqualFold(strings.TrimSpace(name), w.opts.Agent) {
					continue
				}
				value = rest
			}
			noindex, nofollow := robotsDirectives(value)
			l.facts.noindex = l.facts.noindex || noindex
			l.facts.nofollow = l.facts.nofollow || nofollow
		}
		l.facts.twins = append(l.facts.twins, twinHeaders(l.answer.Links, l.final)...)
	}
}

// twinHeaders reads Link headers with rel="alternate" and type Markdown.
func twinHeaders(headers []string, at *url.URL) []*url.URL {
	var twins []*url.URL
	for _, h := range headers {
		for _, part := range strings.Split(h, ",") {
			target, params, ok := strings.Cut(part, ">")
			params = strings.ToLower(params)
			if !ok || !strings.Contains(params, "alternate") || !strings.Contains(params, "text/markdown") {
				continue
			}
			if u, ok := Normalize(strings.TrimLeft(target, " <"), at); ok {
				twins = append(twins, u)
			}
		}
	}
	return twins
}

// loadTwin looks for a Markdown version that holds what the page holds.
func (w *walker) loadTwin(l *loaded, known []*url.URL) {
	if l.facts == nil || l.facts.noindex {
		return
	}
	for _, u := range append(known, l.facts.twins...) {
		if u = w.scope.own(u); len(l.tried) == maxTwins || contains(l.tried, u) || !w.hop(u) {
			continue
		}
		l.tried = append(l.tried, u)
		answer, err := w.get(Request{URL: u.String(), Accept: "text/markdown,text/plain;q=0.9", Hop: w.hop})
		if err != nil || !isOK(answer) || isHTML(answer) || looksLikeHTML(answer.Body) || !isText(answer) {
			continue
		}
		if covers(l.facts.main, answer.Body) {
			l.twin, l.twinAt = answer, u
			return
		}
	}
}

func contains(list []*url.URL, u *url.URL) bool {
	for _, other := range list {
		if other.String() == u.String() {
			return true
		}
	}
	return false
}

func mediaOf(a *Response) string {
	media, _, _ := mime.ParseMediaType(a.ContentType) // "" when it makes no sense
	return media
}

func isOK(a *Response) bool { return a.Status == 200 || a.Status == 203 }

func isHTML(a *Response) bool {
	media := mediaOf(a)
	return media == "text/html" || media == "application/xhtml+xml"
}

func isText(a *Response) bool { return strings.HasPrefix(mediaOf(a), "text/") }
