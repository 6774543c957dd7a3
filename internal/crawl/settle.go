package crawl

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
)

// settle decides what became of a loaded item.
func (w *walker) settle(l *loaded) error {
	it := l.item
	if l.err != nil {
		reason, temporary := failure(l.err)
		w.skip(it, reason, l.err.Error(), temporary)
		return nil
	}
	if l.answer.Location != "" {
		w.settleRefusedHop(l)
		return nil
	}
	if l.final == nil || !w.inScope(l.final) && !w.opts.Single {
		w.skip(it, ReasonOutOfScope, "to "+l.answer.FinalURL, false)
		return nil
	}
	if it = w.follow(l); it == nil {
		return nil
	}
	if !isOK(l.answer) {
		w.settleStatus(it, l.answer.Status)
		return nil
	}
	w.refusals = 0
	if l.facts == nil {
		return w.settleText(it, l)
	}
	return w.settleHTML(it, l)
}

func (w *walker) settleStatus(it *item, status int) {
	temporary := status == 401 || status == 403 || status == 408 || status == 425 || status == 429 || status >= 500
	if status == 429 || status == 503 {
		w.refusals++
	} else {
		w.refusals = 0
	}
	w.skip(it, fmt.Sprintf("http_%d", status), "", temporary)
}

// settleRefusedHop names the redirect that was not followed.
func (w *walker) settleRefusedHop(l *loaded) {
	to, err := url.Parse(l.answer.Location)
	switch {
	case err == nil && isLogin(to) && !isLogin(l.at):
		w.skip(l.item, ReasonLogin, "redirects to "+l.answer.Location, true)
	case err == nil && w.inScopeRaw(to):
		w.skip(l.item, ReasonRobots, "redirects to "+l.answer.Location, false)
	default:
		w.skip(l.item, ReasonOutOfScope, "to "+l.answer.Location, false)
	}
}

func (w *walker) inScope(u *url.URL) bool { return w.scope.contains(w.scope.own(u)) }

// inScopeRaw is inScope for an address as somebody wrote it.
func (w *walker) inScopeRaw(u *url.URL) bool {
	n, ok := Normalize(u.String(), nil)
	return ok && w.inScope(n)
}

// follow settles an item that redirected, and returns the item that the answer
// belongs to, or nil when that one is settled or under way itself.
func (w *walker) follow(l *loaded) *item {
	it := l.item
	final := w.scope.own(l.final)
	if docPath(final) == it.docPath {
		return it
	}
	if isLogin(final) && l.facts != nil && l.facts.asksWho() {
		w.skip(it, ReasonLogin, "redirects to "+final.String(), true)
		return nil
	}
	w.skip(it, ReasonRedirect, "to "+final.String(), false)
	other := w.add(final, it.depth)
	if other == nil || other.state != queued {
		return nil
	}
	other.state = underWay // its answer is here already
	return other
}

// settleText takes Markdown, plain text and PDF as they are.
func (w *walker) settleText(it *item, l *loaded) error {
	a := l.answer
	media := mediaOf(a)
	markdown := media == "text/markdown" || media == "text/x-markdown" || media == "application/markdown" ||
		media == "text/plain" && isMarkdownPath(l.final.Path)
	switch {
	case len(strings.TrimSpace(string(a.Body))) == 0:
		w.skip(it, ReasonEmpty, "", false)
		return nil
	case !markdown && media != "text/plain" && media != "application/pdf":
		w.skip(it, ReasonType, media, false)
		return nil
	}
	if original, ok := w.duplicate(it, a.Body); ok {
		w.skip(it, ReasonDuplicate, "of "+original, false)
		return nil
	}
	body := a.Body
	if markdown {
		body = withoutPointer(body)
		if !w.opts.Single {
			for _, link := range markdownLinks(body, l.final) {
				w.add(link, it.depth+1)
			}
		}
	}
	return w.keep(it, page(a, body, markdown))
}

// settleHTML judges a page and follows its links.
func (w *walker) settleHTML(it *item, l *loaded) error {
	f := l.facts
	if !f.nofollow && !w.opts.Single {
		for _, link := range f.links {
			w.add(link, it.depth+1)
		}
		if f.canonical != nil {
			w.add(f.canonical, it.depth+1)
		}
	}
	if reason, detail := w.unfit(it, l); reason != "" {
		w.skip(it, reason, detail, reason == ReasonLogin)
		return nil
	}
	p := page(l.answer, l.answer.Body, false)
	if l.twin != nil {
		p = page(l.twin, withoutPointer(l.twin.Body), true)
		p.FinalURL, p.TwinURL = l.answer.FinalURL, l.twinAt.String()
		w.settleTwin(l.twinAt, it)
	}
	if f.canonical != nil {
		p.Canonical = f.canonical.String()
	}
	return w.keep(it, p)
}

// unfit tells why an HTML page is not one to index.
func (w *walker) unfit(it *item, l *loaded) (reason, detail string) {
	f := l.facts
	isSeed := it.depth == 0
	switch {
	case f.noindex:
		return ReasonNoindex, ""
	case w.scope.excluded(l.final, w.opts.Include, w.opts.Exclude):
		return ReasonExcluded, ""
	case f.refresh != nil && f.refresh.String() != l.final.String():
		return w.refreshed(it, f.refresh)
	case l.twin != nil:
		return "", "" // whatever the page is, its text is there
	case f.asksWho():
		return ReasonLogin, ""
	case f.isShell():
		return ReasonShell, "the text is made by scripts"
	case f.isEmpty():
		return ReasonEmpty, ""
	case f.saysNotFound():
		return ReasonSoft404, "the page says so"
	case w.probe != nil && !isSeed && w.probe.answers(f, l.final.Path):
		return ReasonSoft404, "like the answer to an address that cannot exist"
	}
	if original, ok := w.duplicate(it, l.answer.Body); ok {
		return ReasonDuplicate, "of " + original
	}
	if original, ok := w.variant(f, l.final); ok {
		return ReasonDuplicate, "of " + original
	}
	return "", ""
}

// variant tells which page with the same words an address is a variant of: the
// one that it calls canonical, or the same path with another query. A canonical
// link alone proves nothing: some sites give every page the same one.
func (w *walker) variant(f *facts, at *url.URL) (string, bool) {
	signature := f.signature()
	first, ok := w.texts[signature]
	if !ok {
		w.texts[signature] = at
		return "", false
	}
	named := f.canonical != nil && f.canonical.String() == first.String()
	return first.String(), named || first.RawPath == at.RawPath
}

// refreshed treats <meta refresh> as the redirect that it is.
func (w *walker) refreshed(it *item, to *url.URL) (reason, detail string) {
	switch {
	case w.inScope(to):
	case isLogin(to):
		return ReasonLogin, "redirects to " + to.String()
	default:
		return ReasonOutOfScope, "to " + to.String()
	}
	w.add(to, it.depth)
	return ReasonRedirect, "to " + to.String()
}

// duplicate tells which page had the same bytes before.
func (w *walker) duplicate(it *item, body []byte) (string, bool) {
	sum := sha256.Sum256(body)
	if original, ok := w.bodies[sum]; ok {
		return original, true
	}
	w.bodies[sum] = it.name().String()
	return "", false
}

// settleTwin settles the document of a Markdown address that stands for a page.
func (w *walker) settleTwin(twin *url.URL, page *item) {
	if other := w.items[docPath(twin)]; other != nil && other != page && other.state == queued {
		w.skip(other, ReasonTwin, "of "+page.name().String(), false)
	}
}

// page makes a Page of an answer; keep fills in the rest.
func page(a *Response, body []byte, markdown bool) Page {
	return Page{
		FinalURL: a.FinalURL, Body: body, ContentType: a.ContentType, Status: a.Status,
		ETag: a.ETag, LastModified: a.LastModified, FetchedAt: a.FetchedAt, Markdown: markdown,
	}
}
