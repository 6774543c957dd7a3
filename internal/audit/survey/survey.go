// Package survey gathers once what the judges of an audit look at: the index,
// robots.txt, the sitemap, and a sample of pages with their mirrors. What it
// takes for a page, and which pages it samples, follows afdocs 0.22.2, so that
// our figures can be held beside that scanner's. It judges nothing.
package survey

import (
	"context"
	"net/url"
	"strings"
	"sync"

	"evergreen/internal/audit/probe"
	"evergreen/internal/llmstxt"
	"evergreen/internal/robots"
)

// Site is what was found.
type Site struct {
	Client *probe.Client
	Home   *probe.Answer // of the base URL
	Robots *probe.Answer
	// Crawlers is robots.txt as read; empty when there is none.
	Crawlers *robots.File

	Asked   []*probe.Answer // places where llms.txt was looked for
	Indexes []*Index        // those where one is
	Index   *Index          // the one that counts; nil when there is none

	Sitemaps []string        // documents that were read
	Listed   []string        // pages in the sitemap
	Covered  map[string]bool // paths that the index and the files it links to name, see Plain

	Pages []*Page // the sample, sorted as it was taken
	Found int     // pages before sampling
}

// Index is an llms.txt.
type Index struct {
	URL         string
	Answer      *probe.Answer
	Text        string
	File        *llmstxt.File
	Diagnostics []llmstxt.Diagnostic
	Links       []string // absolute http and https links as written, each once
}

// Page is one page of the sample.
type Page struct {
	URL      string
	Original string          // mirror that the index links to, "" when not told
	HTML     *probe.Answer   // redirects followed
	Mirrors  []*probe.Answer // tried, in order; the last is the mirror where there is one
	Mirror   *probe.Answer   // nil: none
	Asked    *probe.Answer   // the page asked for as Markdown
	Missing  *probe.Answer   // a URL beside the page's that nothing is at
	NoMirror bool            // a file of a kind that has no Markdown form

	content *probe.Answer
	plain   sync.Once
	text    string
}

// Gather looks at a site.
func Gather(ctx context.Context, client *probe.Client) *Site {
	s := &Site{Client: client, Crawlers: &robots.File{}, Covered: map[string]bool{}}
	s.Home = client.Get(ctx, "/")
	s.Robots = client.Get(ctx, client.Origin()+"/robots.txt")
	if s.Robots.OK() && !s.Robots.HTML() {
		s.Crawlers, _ = robots.Parse(s.Robots.Body)
	}
	s.findIndexes(ctx)
	s.findPages(ctx)
	s.fill(ctx)
	return s
}

// same reports whether an address lies on the site: same host, "www." aside.
func (s *Site) same(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	base, err := url.Parse(s.Client.Base())
	return err == nil && plainHost(u.Host) == plainHost(base.Host)
}

func plainHost(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }

// below reports whether an address lies under the path that is audited.
func (s *Site) below(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	prefix := strings.TrimPrefix(s.Client.Base(), s.Client.Origin())
	return prefix == "" || u.Path == prefix || strings.HasPrefix(u.Path, prefix+"/")
}

// SameOrigin lists the index's links that lie on the audited origin and path.
func (s *Site) SameOrigin() []string {
	var links []string
	if s.Index == nil {
		return nil
	}
	for _, l := range s.Index.Links {
		u, err := url.Parse(l)
		if err == nil && strings.EqualFold(u.Scheme+"://"+u.Host, s.Client.Origin()) && s.below(l) {
			links = append(links, l)
		}
	}
	return links
}

// findIndexes looks for llms.txt where scanners do.
func (s *Site) findIndexes(ctx context.Context) {
	var places []string
	seen := map[string]bool{}
	for _, p := range []string{s.Client.Base(), s.Client.Origin(), s.Client.Origin() + "/docs"} {
		if p += "/llms.txt"; !seen[p] {
			seen[p] = true
			places = append(places, p)
		}
	}
	best := -1
	for _, place := range places {
		a := s.Client.Get(ctx, place)
		s.Asked = append(s.Asked, a)
		if !isIndex(a) {
			continue
		}
		x := &Index{URL: place, Answer: a, Text: a.Text()}
		x.File, x.Diagnostics = llmstxt.Parse(a.Body, a.FinalURL)
		seen := map[string]bool{}
		for _, l := range Links(x.Text) {
			if !l.Image && isWeb(l.Target) && !seen[l.Target] {
				seen[l.Target] = true
				x.Links = append(x.Links, l.Target)
			}
		}
		s.Indexes = append(s.Indexes, x)
		if rank := s.rank(place); rank > best {
			best, s.Index = rank, x
		}
	}
}

// rank prefers the index that stands closest above the audited path.
func (s *Site) rank(place string) int {
	folder := strings.TrimSuffix(strings.TrimPrefix(place, s.Client.Origin()), "/llms.txt")
	path := strings.TrimPrefix(s.Client.Base(), s.Client.Origin())
	if folder == "" || folder == path || strings.HasPrefix(path, folder+"/") {
		return 1 + len(folder)
	}
	return 0
}

// isIndex reports whether an answer is a text and no page.
func isIndex(a *probe.Answer) bool {
	if !a.OK() || !strings.HasPrefix(a.Type(), "text/") {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(a.Text()))
	return text != "" && !strings.HasPrefix(text, "<!") && !strings.HasPrefix(text, "<html")
}

func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// Each calls do for every page, three at a time, as many as scanners use.
func (s *Site) Each(do func(*Page)) {
	slots := make(chan struct{}, workers)
	var all sync.WaitGroup
	for _, p := range s.Pages {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			do(p)
		})
	}
	all.Wait()
}
