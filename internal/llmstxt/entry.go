package llmstxt

import (
	"net/url"
	"regexp"
	"strings"
)

// A bare address at the begin of an entry, or behind "Name: ".
var bareURL = regexp.MustCompile(`^(?:([^\[\]<>]{1,120}?)(?:: |：| - | – | — ))?<?(https?://[^\s<>"]+[^\s<>".,;:!?)])>?`)

// entry reads the content of a line as an entry of a link list. listed tells
// that the line is a list item: there the link may stand behind other words;
// elsewhere it must begin the line.
func (p *reader) entry(n int, content string, listed bool) (Link, bool) {
	body := strings.TrimLeft(content, "*_ ")
	emphasis := strings.TrimSpace(content[:len(content)-len(body)])
	if strings.HasPrefix(body, "[ ] ") || strings.HasPrefix(body, "[x] ") {
		body = body[4:]
	}
	if strings.HasPrefix(body, "[") {
		if l, end, ok := inlineLink(body, 0); ok {
			return p.finishLink(n, l, closeEmphasis(body[end:], emphasis))
		}
		if close := closing(body[:min(len(body), maxNameBytes)], 0, '[', ']'); close > 0 && strings.HasPrefix(body[close+1:], "(") {
			p.tell(MalformedLink, n, "%q is no complete link", clip(body))
			return Link{}, false
		}
	}
	if m := bareURL.FindStringSubmatch(body); m != nil && (listed || m[1] == "") {
		return p.finishLink(n, Link{Name: plain(m[1]), URL: m[2]}, body[len(m[0]):])
	}
	if !listed {
		return Link{}, false
	}
	links := InlineLinks(body)
	if len(links) == 0 {
		return Link{}, false
	}
	return p.finishLink(n, links[0], "")
}

// finishLink resolves the URL and cuts the separator from the sentence.
func (p *reader) finishLink(n int, l Link, rest string) (Link, bool) {
	u, err := url.Parse(strings.TrimSpace(l.URL))
	if err != nil || l.URL == "" || strings.ContainsAny(u.Host, "()<>\"'`\\") {
		p.tell(MalformedLink, n, "%q is no URL", clip(l.URL))
		return Link{}, false
	}
	if !u.IsAbs() {
		p.tell(RelativeURL, n, "%q is relative", clip(l.URL))
	}
	if p.base != nil {
		u = p.base.ResolveReference(u)
		if u.Host != p.base.Host && u.Host != "" {
			p.tell(OffOriginURL, n, "%q lies on another host", clip(l.URL))
		}
	}
	l.URL = u.String()
	if p.seen[l.URL] {
		p.tell(DuplicateURL, n, "%q is linked a second time", clip(l.URL))
	}
	p.seen[l.URL] = true
	l.Name = plain(l.Name)
	l.Sentence = p.sentence(n, rest)
	return l, true
}

func (p *reader) sentence(n int, rest string) string {
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return ""
	}
	for _, sep := range []string{":", "：", "-", "–", "—"} {
		if after, ok := strings.CutPrefix(rest, sep); ok {
			return plain(after)
		}
	}
	p.tell(DescriptionMissingColon, n, "no colon between link and %q", clip(rest))
	return plain(rest)
}

// closeEmphasis drops the end of the emphasis that began before a link: right
// behind the link or behind its colon.
func closeEmphasis(rest, emphasis string) string {
	if emphasis == "" {
		return rest
	}
	if after, ok := strings.CutPrefix(rest, emphasis); ok {
		return after
	}
	if after, ok := strings.CutPrefix(rest, ":"+emphasis); ok {
		return ":" + after
	}
	return rest
}

// plain brings foreign text to one line of single blanks.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip shortens foreign text for a message.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
