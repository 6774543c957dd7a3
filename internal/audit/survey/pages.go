package survey

// This file finds the pages of a site and takes the sample.

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"evergreen/internal/audit/probe"
	"evergreen/internal/sitemap"
)

// found is the list of pages before sampling, each once, in order.
type found struct {
	pages    []string
	original map[string]string // page to the mirror that named it
	seen     map[string]bool
}

func (f *found) add(page, original string) {
	if !f.seen[page] {
		f.seen[page] = true
		f.pages = append(f.pages, page)
		if original != "" {
			f.original[page] = original
		}
	}
}

func (s *Site) findPages(ctx context.Context) {
	named := s.fromIndex(ctx)
	for _, p := range named.pages {
		s.Covered[Plain(p)] = true
	}
	s.Listed = s.fromSitemap(ctx)
	kept := &found{original: named.original, seen: map[string]bool{}}
	for _, p := range named.pages {
		if s.below(p) {
			kept.add(p, named.original[p])
		}
	}
	if len(kept.pages) < maxSample {
		for i, p := range s.Listed {
			if i < maxDiscovered && s.below(p) {
				kept.add(p, "")
			}
		}
	}
	if len(kept.pages) == 0 {
		kept.add(s.Client.Base(), "")
	}
	s.Found = len(kept.pages)
	s.sample(ctx, kept)
}

// fromIndex lists the pages that the index links to, directly or in a text file
// that it links to.
func (s *Site) fromIndex(ctx context.Context) *found {
	f := &found{original: map[string]string{}, seen: map[string]bool{}}
	if s.Index == nil {
		return f
	}
	files := map[string]bool{s.Index.URL: true, s.Index.Answer.FinalURL: true}
	var texts []string
	for _, l := range s.targets(s.Index.Text, s.Index.URL) {
		switch {
		case !s.same(l):
		case isText(l):
			if !files[l] {
				files[l] = true
				texts = append(texts, l)
			}
		default:
			page := PageOf(l)
			f.add(page, originalOf(page, l))
		}
	}
	for _, t := range texts {
		a := s.Client.Get(ctx, t)
		if !isIndex(a) {
			continue
		}
		for _, l := range s.targets(a.Text(), t) {
			if page := PageOf(l); s.same(l) && !isText(l) && !IsFile(page) {
				f.add(page, originalOf(page, l))
			}
		}
	}
	return f
}

// targets are the absolute and root-relative links of a text, absolute.
func (s *Site) targets(text, at string) []string {
	base, err := url.Parse(at)
	if err != nil {
		return nil
	}
	var all []string
	for _, l := range Links(text) {
		if l.Image || !isWeb(l.Target) && !strings.HasPrefix(l.Target, "/") {
			continue
		}
		if u, err := base.Parse(l.Target); err == nil {
			all = append(all, u.String())
		}
	}
	return all
}

func originalOf(page, link string) string {
	if page == link {
		return ""
	}
	return link
}

// fromSitemap lists the pages of the site's sitemaps.
func (s *Site) fromSitemap(ctx context.Context) []string {
	roots := slices.DeleteFunc(slices.Clone(s.Crawlers.Sitemaps), func(l string) bool { return !isWeb(l) })
	if len(s.Crawlers.Sitemaps) == 0 {
		for _, name := range []string{"/sitemap.xml", "/sitemap-index.xml", "/sitemap_index.xml"} {
			roots = append(roots, s.Client.Origin()+name)
		}
	}
	files := 0
	pages, _, _ := sitemap.Collect(ctx, roots, func(ctx context.Context, address string) ([]byte, error) {
		if files++; files > maxSitemaps {
			return nil, fmt.Errorf("more than %d sitemaps", maxSitemaps)
		}
		a := s.Client.Get(ctx, address)
		if !a.OK() || a.HTML() {
			return nil, fmt.Errorf("%s", a.Said())
		}
		s.Sitemaps = append(s.Sitemaps, address)
		return a.Body, nil
	}, nil) // what went wrong is judged where sitemaps are
	var list []string
	seen := map[string]bool{}
	for _, p := range pages {
		if s.same(p.Loc) && !seen[p.Loc] && len(list) < maxListed {
			seen[p.Loc] = true
			list = append(list, p.Loc)
		}
	}
	return list
}

// sample takes at most fifty pages, evenly spread over all of them sorted.
// Mirrors whose page does not exist make room for others.
func (s *Site) sample(ctx context.Context, f *found) {
	ordered := f.pages
	if len(ordered) > maxSample {
		sorted := slices.Sorted(slices.Values(ordered))
		stride := float64(len(sorted)) / maxSample
		picked := map[int]bool{}
		for i := range maxSample {
			picked[int(float64(i)*stride)] = true
		}
		ordered = nil
		for _, first := range []bool{true, false} {
			for i, p := range sorted {
				if picked[i] == first {
					ordered = append(ordered, p)
				}
			}
		}
	}
	for i := 0; i < len(ordered) && i < 2*maxSample && len(s.Pages) < maxSample; i++ {
		p := &Page{URL: ordered[i], Original: f.original[ordered[i]]}
		if p.Original != "" {
			if status := s.Client.Get(ctx, p.URL).Status; status == 404 || status == 410 {
				continue
			}
		}
		s.Pages = append(s.Pages, p)
	}
	if len(s.Pages) == 0 {
		s.Pages = append(s.Pages, &Page{URL: s.Client.Base()})
	}
}

// fill asks for everything that the checks look at.
func (s *Site) fill(ctx context.Context) {
	s.Each(func(p *Page) {
		p.HTML = s.Client.Get(ctx, p.URL)
		p.Missing = s.Client.Get(ctx, missingBeside(p.URL))
		page := PageOf(p.URL)
		p.Asked = s.Client.Markdown(ctx, page)
		candidates := mirrorsOf(p.URL)
		if p.NoMirror = len(candidates) == 0; p.NoMirror {
			return
		}
		if p.Original != "" && !slices.Contains(candidates, p.Original) {
			candidates = append([]string{p.Original}, candidates...)
		}
		for _, c := range candidates {
			a := s.Client.Get(ctx, c)
			p.Mirrors = append(p.Mirrors, a)
			if a.OK() && (a.Type() == "text/markdown" || LooksLikeMarkdown(a.Text())) {
				p.Mirror = a
				break
			}
		}
		p.content = p.Mirror
		if p.content == nil && p.Negotiated() != NotMarkdown {
			p.content = p.Asked
		}
	})
}

// Content is the page's Markdown, by its own URL or by negotiation; nil when
// there is none.
func (p *Page) Content() *probe.Answer { return p.content }

// What came of asking for a page as Markdown.
const (
	NotMarkdown   = iota // HTML, an error page, nothing
	WrongType            // Markdown that is not said to be
	RightMarkdown        // text/markdown
)

// Negotiated tells what came of asking for the page as Markdown.
func (p *Page) Negotiated() int {
	switch a := p.Asked; {
	case a.Err != nil || IsSoft404(a.Text()):
		return NotMarkdown
	case a.Type() == "text/markdown" && (LooksLikeMarkdown(a.Text()) || !LooksLikeHTML(a.Text())):
		return RightMarkdown
	case LooksLikeMarkdown(a.Text()):
		return WrongType
	}
	return NotMarkdown
}

// First is the status of the first answer at the page's URL, and where it led
// to, "" when nowhere.
func (p *Page) First() (status int, to string) {
	if len(p.HTML.Redirects) > 0 {
		return p.HTML.Redirects[0].Status, p.HTML.Redirects[0].To
	}
	return p.HTML.Status, ""
}

// PageOf is the page of a mirror's address; other addresses stay.
func PageOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	for _, ext := range []string{".md", ".mdx"} {
		if folder, ok := strings.CutSuffix(u.Path, "/index"+ext); ok {
			u.Path, u.RawPath = folder+"/", ""
			return u.String()
		}
		if rest, ok := strings.CutSuffix(u.Path, ext); ok {
			u.Path, u.RawPath = rest, ""
			return u.String()
		}
	}
	return u.String()
}

// mirrorsOf are the addresses where a page's Markdown is looked for.
func mirrorsOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil || IsFile(address) {
		return nil
	}
	if isMarkdown(u.Path) {
		return []string{address}
	}
	own := strings.TrimSuffix(u.Path, "/")
	direct, index := *u, *u
	direct.RawPath, index.RawPath = "", ""
	direct.Path = strings.TrimSuffix(strings.TrimSuffix(own, ".html"), ".htm") + ".md"
	index.Path = own + "/index.md"
	return []string{direct.String(), index.String()}
}

func isMarkdown(p string) bool { return strings.HasSuffix(p, ".md") || strings.HasSuffix(p, ".mdx") }

func isText(address string) bool {
	u, err := url.Parse(address)
	return err == nil && strings.HasSuffix(strings.ToLower(u.Path), ".txt")
}

var extension = regexp.MustCompile(`(?i)\.[a-z0-9]*[a-z][a-z0-9]*$`)

// IsFile reports whether an address names a file that is neither a page nor
// Markdown.
func IsFile(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	name := path.Base(u.Path)
	lower := strings.ToLower(name)
	return extension.MatchString(name) && !strings.HasSuffix(lower, ".html") && !strings.HasSuffix(lower, ".htm") && !isMarkdown(name)
}

// missingBeside is an address beside a page's at which nothing can be.
func missingBeside(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.RawPath, u.RawQuery = "", ""
	u.Path = strings.TrimSuffix(u.Path, "/") + "-afdocs-nonexistent-8f3a"
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path
	}
	return u.String()
}

// Plain is the path of an address without what does not make another page:
// index names, extensions, a final slash, case.
func Plain(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return strings.ToLower(address)
	}
	p := strings.ToLower(u.EscapedPath())
	for _, ext := range []string{".md", ".mdx", ".html", ".htm"} {
		if folder, ok := strings.CutSuffix(p, "/index"+ext); ok {
			p = folder + "/"
			break
		}
	}
	for _, ext := range []string{".md", ".mdx", ".html", ".htm"} {
		if rest, ok := strings.CutSuffix(p, ext); ok {
			p = rest
			break
		}
	}
	if len(p) > 1 {
		p = strings.TrimSuffix(p, "/")
	}
	return p
}

// Missed are the pages of the sitemap that the index does not name, sorted, and
// the number of pages that it should name.
func (s *Site) Missed() (missed []string, of int) {
	pages := map[string]string{}
	for _, l := range s.Listed {
		if p := Plain(l); s.below(l) && !IsFile(l) && !excluded(p) {
			pages[p] = l
		}
	}
	for _, p := range slices.Sorted(maps.Keys(pages)) {
		if !s.Covered[p] {
			missed = append(missed, pages[p])
		}
	}
	return missed, len(pages)
}

var offTopic = regexp.MustCompile(`^/(blog|pricing|about|careers?|jobs?|contact|legal|privacy|terms|login|signup|sign-up|sign-in|register|404|500)(/|$)`)

// excluded are pages that no index of a documentation needs to name.
func excluded(plain string) bool { return offTopic.MatchString(plain) }
