package robots

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// FromResponse reads the answer to a request for /robots.txt after following
// redirects. 2xx is parsed, 5xx forbids everything, any other status allows
// everything (RFC 9309, 2.3.1). A request that timed out or found no server is
// given as status 0 and forbids everything.
func FromResponse(status int, body []byte) (*File, []Diagnostic) {
	switch {
	case status >= 200 && status < 300:
		return Parse(body)
	case status == 0:
		return &File{DenyAll: true}, []Diagnostic{{Message: "robots.txt could not be fetched: everything is taken as disallowed"}}
	case status >= 500:
		return &File{DenyAll: true}, []Diagnostic{{Message: fmt.Sprintf("robots.txt answered %d: everything is taken as disallowed", status)}}
	}
	return &File{}, nil
}

// Parse reads a robots.txt. It never fails: what cannot be read is left out and
// told as a diagnostic. An HTML page in place of the file allows everything.
func Parse(data []byte) (*File, []Diagnostic) {
	p := parser{file: &File{}}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(data) > MaxBytes {
		// A rule cut in half would forbid more than was meant: drop it.
		data = data[:bytes.LastIndexAny(data[:MaxBytes], "\r\n")+1]
		p.tell(0, "larger than %d KiB: the rest is not read", MaxBytes>>10)
	}
	if looksLikeHTML(data) {
		p.tell(0, "an HTML page stands in place of robots.txt: it is ignored")
		return p.file, p.diagnostics
	}
	for i, line := range lines(data) {
		p.line(i+1, line)
	}
	p.endGroup()
	p.file.Comment = strings.TrimLeft(strings.Join(p.comments, "\n"), "\n")
	return p.file, p.diagnostics
}

// parser collects groups. A group is open from its first User-agent line; the
// first rule closes its list of agents, so that the next User-agent line opens
// another group.
type parser struct {
	file        *File
	group       *Group
	ruled       bool
	comments    []string // before the first group
	diagnostics []Diagnostic
}

func (p *parser) tell(line int, format string, args ...any) {
	if len(p.diagnostics) < maxDiagnostics {
		p.diagnostics = append(p.diagnostics, Diagnostic{Line: line, Message: fmt.Sprintf(format, args...)})
	}
}

func (p *parser) line(n int, line string) {
	line, comment, commented := strings.Cut(line, "#")
	if strings.TrimSpace(line) == "" {
		if commented && p.group == nil && len(p.file.Groups) == 0 {
			p.comments = append(p.comments, strings.TrimSpace(comment))
		}
		return
	}
	key, value, ok := keyValue(line)
	if !ok {
		p.tell(n, "%q is no \"key: value\" line", clip(line))
		return
	}
	switch key {
	case "user-agent":
		p.agent(n, value)
	case "allow", "disallow":
		p.rule(n, key == "allow", value)
	case "crawl-delay":
		p.delay(n, value)
	case "content-signal":
		if p.open(n, "Content-Signal") {
			p.group.ContentSignal = value
		}
	case "sitemap":
		if value != "" {
			p.file.Sitemaps = append(p.file.Sitemaps, value)
		}
	default:
		p.tell(n, "unknown directive %q", clip(key))
	}
}

func (p *parser) agent(n int, value string) {
	if productToken(value) == "" {
		p.tell(n, "user-agent names nobody")
		return
	}
	if p.ruled {
		p.endGroup()
	}
	if p.group == nil {
		p.group = &Group{}
	}
	p.group.Agents = append(p.group.Agents, value)
}

func (p *parser) rule(n int, allow bool, pattern string) {
	if !p.open(n, "a rule") {
		return
	}
	p.ruled = true
	if pattern == "" {
		return // an empty pattern matches nothing: "Disallow:" allows all
	}
	if pattern[0] != '/' && pattern[0] != '*' {
		p.tell(n, "path %q does not begin with / or *", clip(pattern))
	}
	p.group.Rules = append(p.group.Rules, Rule{Allow: allow, Pattern: pattern})
}

func (p *parser) delay(n int, value string) {
	if !p.open(n, "Crawl-delay") {
		return
	}
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(value, "s"), 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 {
		p.tell(n, "crawl-delay %q is no number of seconds", clip(value))
		return
	}
	if seconds > maxCrawlDelay.Seconds() {
		p.tell(n, "crawl-delay %q is cut to %v", clip(value), maxCrawlDelay)
		seconds = maxCrawlDelay.Seconds()
	}
	p.group.CrawlDelay = time.Duration(seconds * float64(time.Second))
}

// open tells whether a group is open, and complains if not.
func (p *parser) open(n int, what string) bool {
	if p.group == nil {
		p.tell(n, "%s stands before the first user-agent line", what)
	}
	return p.group != nil
}

func (p *parser) endGroup() {
	if p.group != nil {
		p.file.Groups = append(p.file.Groups, *p.group)
	}
	p.group, p.ruled = nil, false
}

// keyValue splits a line at its first colon, or at blank space where the colon
// was forgotten, and mends the usual spellings of the keys.
func keyValue(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	if !ok {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return "", "", false
		}
		key, value = fields[0], fields[1]
	}
	key = strings.ToLower(strings.TrimSpace(key))
	switch key {
	case "useragent", "user agent", "user_agent":
		key = "user-agent"
	case "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		key = "disallow"
	case "site-map", "site map":
		key = "sitemap"
	case "crawldelay", "crawl delay":
		key = "crawl-delay"
	}
	return key, strings.TrimSpace(strings.ReplaceAll(value, "\x00", "")), true
}

// lines splits at LF, CR and CRLF.
func lines(data []byte) []string {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
}

// looksLikeHTML tells a page from a list of rules: no directive begins with <.
func looksLikeHTML(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("<"))
}

// clip shortens foreign text for a message.
func clip(s string) string {
	const most = 60
	s = strings.TrimSpace(s)
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
