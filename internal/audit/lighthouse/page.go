package lighthouse

// This file looks at the page: head, links, images, address.

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/language"
)

func fields(s string) []string { return strings.Fields(s) }

// unless is a pass, or a fail with what is wrong.
func unless(ok bool, asked, fault string) finding.Outcome {
	if ok {
		return finding.Passed(asked, "as it should be")
	}
	return finding.Failed(asked, fault)
}

var (
	hasTitle = regexp.MustCompile(`(?m)^#\s+\S`)
	hasLink  = regexp.MustCompile(`\[[^\]]+\]\([^)]+\)`)
)

func (j *judge) llmsTxt() finding.Outcome {
	a := j.Client.Get(j, j.Client.Origin()+"/llms.txt")
	text := a.Text()
	switch {
	case a.Err == nil && a.Status >= 400 && a.Status < 500:
		return finding.Skipped("there is no llms.txt")
	case !a.OK():
		return finding.Failed(a.Request.String(), a.Said())
	case !hasTitle.MatchString(text):
		return finding.Failed(a.Request.String(), "a file without a title (# ...)")
	case !hasLink.MatchString(text):
		return finding.Failed(a.Request.String(), "a file without a link")
	case len(text) < 50:
		return finding.Failed(a.Request.String(), fmt.Sprintf("a file of %d characters", len(text)))
	}
	return finding.Passed(a.Request.String(), a.Said())
}

// meta is the content of a meta element, by name.
func (j *judge) meta(name string) (string, bool) {
	for _, m := range tree.Find(j.doc, atom.Meta) {
		if strings.EqualFold(tree.Attr(m, "name"), name) {
			return tree.Attr(m, "content"), true
		}
	}
	return "", false
}

var closed = regexp.MustCompile(`(?i)\b(noindex|none)\b`)

func (j *judge) crawlable() finding.Outcome {
	if content, _ := j.meta("robots"); closed.MatchString(content) {
		return finding.Failed(j.asked(), `<meta name="robots" content="`+content+`">`)
	}
	for _, tag := range j.Home.Header.Values("X-Robots-Tag") {
		if closed.MatchString(tag) && !strings.Contains(tag, ":") {
			return finding.Failed(j.asked(), "X-Robots-Tag: "+tag)
		}
	}
	if u, err := url.Parse(j.Home.URL); err == nil {
		target := u.EscapedPath()
		if target == "" {
			target = "/"
		}
		if ok, rule := j.Crawlers.For("Googlebot").Allowed(target); !ok {
			return finding.Failed("GET /robots.txt", "Disallow: "+rule.Pattern)
		}
	}
	return finding.Passed(j.asked(), "nothing forbids it")
}

func (j *judge) title() finding.Outcome {
	t := tree.First(j.doc, atom.Title)
	return unless(t != nil && strings.TrimSpace(tree.Raw(t)) != "", j.asked(), "a page whose title is empty or missing")
}

func (j *judge) description() finding.Outcome {
	content, _ := j.meta("description")
	return unless(strings.TrimSpace(content) != "", j.asked(), "a page whose description is empty or missing")
}

func (j *judge) status() finding.Outcome {
	return unless(j.Home.Err == nil && j.Home.Status < 400, j.asked(), j.Home.Said())
}

// emptyWords are texts of links that say nothing, English and Chinese.
func emptyWords() []string {
	return []string{"click here", "click this", "go", "here", "information", "learn more", "more", "more info", "more information", "right here",
		"read more", "see more", "start", "this", "点击", "点击这里", "点击此处", "更多", "了解更多", "这里", "此处"}
}

func (j *judge) linkText() finding.Outcome {
	for _, a := range tree.Find(j.doc, atom.A) {
		href := tree.Attr(a, "href")
		if href == "" || strings.HasPrefix(href, "#") || strings.HasPrefix(href, "javascript:") || strings.Contains(tree.Attr(a, "rel"), "nofollow") {
			continue
		}
		words := strings.ToLower(strings.TrimSpace(tree.Text(a)))
		for _, empty := range emptyWords() {
			if words == empty {
				return finding.Failed(j.asked(), fmt.Sprintf("a link to %s that says %q", href, words))
			}
		}
	}
	return finding.Passed(j.asked(), "links with words of their own")
}

func (j *judge) anchors() finding.Outcome {
	for _, a := range tree.Find(j.doc, atom.A) {
		href := strings.TrimSpace(tree.Attr(a, "href"))
		clicked := tree.HasAttr(a, "onclick")
		switch {
		case tree.Attr(a, "role") != "":
		case strings.HasPrefix(href, "javascript:") && !strings.HasPrefix(href, "javascript:void"):
			return finding.Failed(j.asked(), "a link to a script: "+href)
		case !tree.HasAttr(a, "href") && clicked, href == "" && tree.HasAttr(a, "href") && clicked:
			return finding.Failed(j.asked(), "a link without an address")
		case strings.HasPrefix(href, "file:"):
			return finding.Failed(j.asked(), "a link to a file of the author: "+href)
		}
	}
	return finding.Passed(j.asked(), "addresses in all links")
}

func (j *judge) imageAlt() finding.Outcome {
	for _, img := range tree.Find(j.doc, atom.Img) {
		role := tree.Attr(img, "role")
		named := tree.HasAttr(img, "alt") || named(img)
		if !named && role != "presentation" && role != "none" && tree.Attr(img, "aria-hidden") != "true" {
			return finding.Failed(j.asked(), "an image without alt: "+tree.Attr(img, "src"))
		}
	}
	return finding.Passed(j.asked(), "texts at all images")
}

// relations are the link elements of the head with a relation.
func (j *judge) relations(rel string) []*html.Node {
	var links []*html.Node
	for _, l := range tree.Find(j.doc, atom.Link) {
		for name := range strings.FieldsSeq(strings.ToLower(tree.Attr(l, "rel"))) {
			if name == rel {
				links = append(links, l)
			}
		}
	}
	return links
}

func (j *judge) hreflang() finding.Outcome {
	for _, l := range j.relations("alternate") {
		code := tree.Attr(l, "hreflang")
		if code == "" {
			continue
		}
		if _, err := language.Parse(code); err != nil && code != "x-default" {
			return finding.Failed(j.asked(), "hreflang="+code)
		}
		if u, err := url.Parse(tree.Attr(l, "href")); err != nil || !u.IsAbs() {
			return finding.Failed(j.asked(), "hreflang with a relative address: "+tree.Attr(l, "href"))
		}
	}
	return finding.Passed(j.asked(), "valid languages")
}

func (j *judge) canonical() finding.Outcome {
	seen := map[string]bool{}
	for _, l := range j.relations("canonical") {
		href := tree.Attr(l, "href")
		u, err := url.Parse(href)
		home, homeErr := url.Parse(j.Home.FinalURL)
		switch {
		case err != nil || !u.IsAbs():
			return finding.Failed(j.asked(), "a canonical address that is not absolute: "+href)
		case homeErr == nil && u.Host == home.Host && (u.Path == "" || u.Path == "/") && len(strings.Trim(home.Path, "/")) > 0:
			return finding.Failed(j.asked(), "a canonical address that is the start page")
		}
		seen[href] = true
	}
	switch len(seen) {
	case 0:
		return finding.Skipped("no canonical address")
	case 1:
		return finding.Passed(j.asked(), "one canonical address")
	}
	return finding.Failed(j.asked(), "several canonical addresses")
}

func (j *judge) https() finding.Outcome {
	u, err := url.Parse(j.Home.FinalURL)
	if err != nil {
		return finding.Failed(j.asked(), j.Home.Said())
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || ip != nil && ip.IsLoopback()
	return unless(u.Scheme == "https" || local, j.asked(), "a page over "+u.Scheme)
}

func (j *judge) doctype() finding.Outcome {
	for c := j.doc.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.DoctypeNode {
			return unless(strings.EqualFold(c.Data, "html") && len(c.Attr) == 0, j.asked(), "a doctype other than <!doctype html>")
		}
	}
	return finding.Failed(j.asked(), "a page without a doctype")
}

func (j *judge) charset() finding.Outcome {
	if strings.Contains(strings.ToLower(j.Home.Header.Get("Content-Type")), "charset=") {
		return finding.Passed(j.asked(), j.Home.Header.Get("Content-Type"))
	}
	head := strings.ToLower(j.Home.Text()[:min(1024, len(j.Home.Body))])
	return unless(strings.Contains(head, "charset="), j.asked(), "no character set in the header and the first 1024 bytes")
}
