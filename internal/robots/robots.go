// Package robots reads and writes robots.txt after RFC 9309. It decides what an
// agent may fetch and how fast; it fetches nothing, and it does not judge
// whether a policy makes sense (audit does).
package robots

import (
	"strings"
	"time"
)

// File is a robots.txt: what was read, or what is to be written.
type File struct {
	Comment  string // lines above the first group, without "# "
	Groups   []Group
	Sitemaps []string // as written; RFC-less but universal, absolute by convention

	// DenyAll means that the file could not be had and everything must be
	// taken as forbidden (RFC 9309, 2.3.1.4).
	DenyAll bool
}

// Group is a set of rules and the agents they hold for.
type Group struct {
	Agents        []string // product tokens as written; "*" is everyone without a group of its own
	ContentSignal string   // value of a Content-Signal line, "" when absent
	Rules         []Rule   // in file order
	CrawlDelay    time.Duration
}

// Rule allows or disallows the paths that its pattern matches: a prefix with
// `*` for any bytes and a final `$` for the end.
type Rule struct {
	Allow   bool
	Pattern string
}

// Diagnostic is something in a robots.txt that was not read as its author may
// have meant.
type Diagnostic struct {
	Line    int // 1-based; 0 is the whole file
	Message string
}

// Policy is what one agent has to follow: the merged rules of all its groups.
type Policy struct {
	Rules      []Rule
	CrawlDelay time.Duration // the longest asked for; 0 is none
	DenyAll    bool
	Named      bool // a group names the agent; false: the rules are those of "*"
}

// For returns the policy for the agent with the given product token, compared
// without case. Groups that name the agent hide the groups of "*"; equal groups
// are merged (RFC 9309, 2.2.1).
func (f *File) For(agent string) Policy {
	token := productToken(agent)
	own, everyone := Policy{DenyAll: f.DenyAll, Named: true}, Policy{DenyAll: f.DenyAll}
	named := false
	for _, g := range f.Groups {
		if token != "" && g.names(token) {
			named = true
			own.add(g)
		}
		if g.names("*") {
			everyone.add(g)
		}
	}
	if named {
		return own
	}
	return everyone
}

func (g Group) names(token string) bool {
	for _, a := range g.Agents {
		if strings.EqualFold(productToken(a), token) {
			return true
		}
	}
	return false
}

func (p *Policy) add(g Group) {
	p.Rules = append(p.Rules, g.Rules...)
	p.CrawlDelay = max(p.CrawlDelay, g.CrawlDelay)
}

// productToken cuts "Name/1.0 (note)" down to "Name". A leading "*" alone, or
// followed by blank space, is everyone.
func productToken(agent string) string {
	agent = strings.TrimSpace(agent)
	if agent == "*" || strings.HasPrefix(agent, "* ") || strings.HasPrefix(agent, "*\t") {
		return "*"
	}
	end := strings.IndexFunc(agent, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
	})
	if end < 0 {
		return agent
	}
	return agent[:end]
}
