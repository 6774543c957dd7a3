package robots

import (
	"strconv"
	"strings"
)

// Format writes the file: comment, groups with a blank line between, sitemaps.
// Same file, same bytes. A group without rules gets "Allow: /", because a group
// ends with its first rule only. DenyAll is not written: it is a fact about a
// fetch.
func (f *File) Format() []byte {
	var b strings.Builder
	if f.Comment != "" {
		for _, line := range strings.Split(oneKindOfBreak(f.Comment), "\n") {
			b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	wrote := false
	for _, g := range f.Groups {
		if len(g.Agents) == 0 {
			continue
		}
		if wrote {
			b.WriteByte('\n')
		}
		g.format(&b)
		wrote = true
	}
	if len(f.Sitemaps) > 0 && wrote {
		b.WriteByte('\n')
	}
	for _, s := range f.Sitemaps {
		field(&b, "Sitemap", s)
	}
	return []byte(b.String())
}

func (g Group) format(b *strings.Builder) {
	for _, agent := range g.Agents {
		field(b, "User-agent", agent)
	}
	if g.ContentSignal != "" {
		field(b, "Content-Signal", g.ContentSignal)
	}
	if g.CrawlDelay > 0 {
		field(b, "Crawl-delay", strconv.FormatFloat(g.CrawlDelay.Seconds(), 'f', -1, 64))
	}
	rules := g.Rules
	if len(rules) == 0 {
		rules = []Rule{{Allow: true, Pattern: "/"}}
	}
	for _, r := range rules {
		if r.Allow {
			field(b, "Allow", r.Pattern)
		} else {
			field(b, "Disallow", r.Pattern)
		}
	}
}

// field writes one line; a break or comment sign inside value would start
// another directive, so they are percent-encoded.
func field(b *strings.Builder, key, value string) {
	value = strings.NewReplacer("\r", "%0D", "\n", "%0A", "#", "%23").Replace(strings.TrimSpace(value))
	b.WriteString(key + ": " + value + "\n")
}

func oneKindOfBreak(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
