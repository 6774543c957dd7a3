// Package cloudflare checks a site by the rules of the scanner behind "is it
// agent ready" (scan data and a public clone of April 2026): what its origin
// serves, how many of the checks pass, and which of five levels it reaches.
// Checks for shops are left out.
package cloudflare

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"math"
	"regexp"
	"slices"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
)

// Score is the scanner's figure and ours.
type Score struct {
	Score int `json:"score"` // passed / (passed + failed), 0 to 100
	Level int `json:"level"` // 0 to 5, each level takes those below
	// Own leaves out the two OAuth checks where reading needs no login: they
	// cannot pass on an open site, and should not.
	Own      int `json:"own_score"`
	OwnLevel int `json:"own_level"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
}

type judge struct {
	context.Context
	*survey.Site
}

type rule struct {
	id    string
	layer string
	phase finding.Phase
	title string
	fix   string
	run   func(*judge) finding.Outcome
}

const fixServe = "evergreen serve --origin URL"

func table() []rule {
	return []rule{
		{"robotsTxt", "L7", finding.P0, "robots.txt is there", "User-agent: *\nAllow: /", (*judge).robots},
		{"sitemap", "L7", finding.P0, "a sitemap is there", "Sitemap: https://example.com/sitemap.xml   # in robots.txt", (*judge).sitemap},
		{"robotsTxtAiRules", "L7", finding.P0, "robots.txt speaks to AI agents", "User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: *\nAllow: /", (*judge).aiRules},
		{"contentSignals", "L7", finding.P0, "robots.txt has a Content-Signal", "Content-Signal: search=yes, ai-input=yes", (*judge).signals},
		{"markdownNegotiation", "L2", finding.P0, "the home page is had as Markdown", fixServe, (*judge).negotiation},
		{"linkHeaders", "L7", finding.P0, "the home page links to what describes it", `Link: </llms.txt>; rel="describedby"; type="text/markdown"`, (*judge).links},
		{"agentSkills", "L5", finding.P2, "a skill index is there", fixServe + "   # /.well-known/agent-skills/index.json", (*judge).skills},
		{"apiCatalog", "L3", finding.P2, "an API catalogue is there", fixServe + "   # /.well-known/api-catalog", (*judge).catalog},
		{"mcpServerCard", "L5", finding.P2, "an MCP server card is there", fixServe + "   # /.well-known/mcp/server-card.json", (*judge).serverCard},
		{"a2aAgentCard", "L4", finding.P2, "an A2A agent card is there", fixServe + "   # /.well-known/agent-card.json", (*judge).agentCard},
		{"oauthDiscovery", "L7", finding.P2, "OAuth is announced", "only with a login: serve /.well-known/oauth-authorization-server", (*judge).oauth},
		{"oauthProtectedResource", "L7", finding.P2, "the protected resource is announced", "only with a login: serve /.well-known/oauth-protected-resource", (*judge).resource},
		{"webBotAuth", "L7", finding.P2, "own bots sign what they ask for", "only with bots of your own: serve /.well-known/http-message-signatures-directory", (*judge).botAuth},
		{"webMcp", "L5", finding.P2, "the page registers a tool", `navigator.modelContext.registerTool({name: "search", ...})   // in a script of the home page`, (*judge).webMCP},
	}
}

// unticked are checks that the scanner runs, but does not count by default.
var unticked = []string{"a2aAgentCard"}

// oauthChecks cannot pass on a site that is open to everyone.
var oauthChecks = []string{"oauthDiscovery", "oauthProtectedResource"}

// Run judges a site.
func Run(ctx context.Context, site *survey.Site) ([]finding.Check, Score) {
	j := &judge{ctx, site}
	var checks []finding.Check
	passed := map[string]bool{}
	for _, r := range table() {
		o := r.run(j)
		c := finding.Check{Judge: "cloudflare", ID: r.id, Layer: r.layer, Phase: r.phase, Status: o.Status, Title: r.title,
			Requested: o.Requested, Got: o.Got, Proportion: o.Proportion, Tested: o.Tested}
		if o.Status == finding.Fail {
			c.Fix = r.fix
		}
		if slices.Contains(oauthChecks, r.id) && o.Status == finding.Fail && j.open() {
			c.Got += "; not applicable: open access"
		}
		passed[r.id] = o.Status == finding.Pass
		checks = append(checks, c)
	}
	return checks, j.score(checks, passed)
}

func (j *judge) score(checks []finding.Check, passed map[string]bool) Score {
	var s Score
	own := 0
	for _, c := range checks {
		if c.Status == finding.Skip || slices.Contains(unticked, c.ID) {
			continue
		}
		open := slices.Contains(oauthChecks, c.ID) && j.open()
		if c.Status == finding.Pass {
			s.Passed++
			own++
		} else {
			s.Failed++
			if !open {
				own++
			}
		}
	}
	s.Score, s.Own = percent(s.Passed, s.Passed+s.Failed), percent(s.Passed, own)
	s.Level = level(passed)
	if s.OwnLevel = s.Level; s.Level == 4 && j.open() {
		passed["oauthProtectedResource"] = true
		s.OwnLevel = level(passed)
	}
	return s
}

func percent(n, of int) int {
	if of == 0 {
		return 0
	}
	return int(math.Floor(float64(n)/float64(of)*100 + 0.5))
}

func level(passed map[string]bool) int {
	for i, needs := range [][]string{{"robotsTxt", "sitemap"}, {"robotsTxtAiRules", "contentSignals"}, {"markdownNegotiation"},
		{"linkHeaders", "agentSkills"}, {"apiCatalog", "oauthProtectedResource", "mcpServerCard", "a2aAgentCard"}} {
		for _, id := range needs {
			if !passed[id] {
				return i
			}
		}
	}
	return 5
}

// open reports whether the home page is read without a login.
func (j *judge) open() bool { return j.Home.OK() }

// at asks for a path of the origin.
func (j *judge) at(path string) *probe.Answer { return j.Client.Get(j, j.Client.Origin()+path) }

// object reads an answer as a JSON object.
func object(a *probe.Answer) (map[string]any, bool) {
	var o map[string]any
	return o, a.OK() && json.Unmarshal(a.Body, &o) == nil
}

func said(o map[string]any, key string) bool {
	s, ok := o[key].(string)
	return ok && s != ""
}

func (j *judge) robots() finding.Outcome {
	a := j.Robots
	return finding.If(a.OK() && a.Type() == "text/plain" && len(j.Crawlers.Groups) > 0, a.Request.String(), a.Said())
}

func (j *judge) sitemap() finding.Outcome {
	places := slices.Clone(j.Crawlers.Sitemaps)
	if len(places) == 0 {
		for _, name := range []string{"/sitemap.xml", "/sitemap-index.xml", "/sitemap_index.xml", "/sitemap.xml.gz"} {
			places = append(places, j.Client.Origin()+name)
		}
	}
	first := finding.Outcome{}
	for i, place := range places {
		a := j.Client.Get(j, place)
		o := finding.If(a.OK() && isSitemap(a.Body), a.Request.String(), a.Said())
		if i == 0 || o.Status == finding.Pass {
			first = o
		}
		if o.Status == finding.Pass {
			break
		}
	}
	return first
}

// isSitemap reports whether the root element is that of a sitemap.
func isSitemap(body []byte) bool {
	if len(body) > 1 && body[0] == 0x1f && body[1] == 0x8b {
		return true // packed; the scanner does not look inside either
	}
	d := xml.NewDecoder(strings.NewReader(string(body)))
	d.Strict = false
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if start, ok := token.(xml.StartElement); ok {
			return start.Name.Local == "urlset" || start.Name.Local == "sitemapindex"
		}
	}
}

// agents are the names that the clones of the scanner look for.
func agents() []string {
	return []string{"gptbot", "chatgpt-user", "google-extended", "ccbot", "anthropic-ai", "claude-web", "bytespider", "perplexitybot",
		"cohere-ai", "applebot-extended", "amazonbot", "meta-externalagent", "facebookbot", "omgilibot", "diffbot"}
}

func (j *judge) aiRules() finding.Outcome {
	for _, g := range j.Crawlers.Groups {
		for _, a := range g.Agents {
			if slices.Contains(agents(), strings.ToLower(a)) {
				return finding.Passed(j.Robots.Request.String(), "a group for "+a)
			}
		}
	}
	return finding.Failed(j.Robots.Request.String(), j.Robots.Said()+" without a group for an AI agent")
}

var signal = regexp.MustCompile(`(?im)^\s*content-signal:.*\b(search|ai-input|ai-train)\s*=\s*(yes|no)`)

func (j *judge) signals() finding.Outcome {
	return finding.If(j.Robots.OK() && signal.Match(j.Robots.Body), j.Robots.Request.String(), j.Robots.Said())
}

func (j *judge) negotiation() finding.Outcome {
	a := j.Client.Markdown(j, j.Client.Origin()+"/")
	return finding.If(a.OK() && a.Type() == "text/markdown", a.Request.String(), a.Said())
}

var described = regexp.MustCompile(`rel="?[^";,]*\b(api-catalog|service-desc|service-doc|describedby)\b`)

func (j *judge) links() finding.Outcome {
	a := j.at("/")
	link := strings.Join(a.Header.Values("Link"), ", ")
	got := "Link: " + link
	if link == "" {
		got = a.Said() + " without a Link header"
	}
	return finding.If(described.MatchString(link), a.Request.String(), got)
}

const skillSchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"

func (j *judge) skills() finding.Outcome {
	a := j.at("/.well-known/agent-skills/index.json")
	if !a.OK() {
		if old := j.at("/.well-known/skills/index.json"); old.OK() {
			a = old
		}
	}
	o, ok := object(a)
	list, _ := o["skills"].([]any)
	if !ok || len(list) == 0 || o["$schema"] != skillSchema {
		return finding.Failed(a.Request.String(), a.Said())
	}
	for _, s := range list[:min(3, len(list))] {
		skill, _ := s.(map[string]any)
		address, _ := skill["url"].(string)
		if strings.HasPrefix(address, "/") {
			address = j.Client.Origin() + address
		}
		if address != "" && j.Client.Get(j, address).OK() {
			return finding.Passed(a.Request.String(), a.Said())
		}
	}
	return finding.Failed(a.Request.String(), "an index whose skills cannot be had")
}

func (j *judge) catalog() finding.Outcome {
	a := j.at("/.well-known/api-catalog")
	o, ok := object(a)
	set, _ := o["linkset"].([]any)
	return finding.If(ok && len(set) > 0 && strings.Contains(a.Header.Get("Content-Type"), "application/linkset+json"), a.Request.String(), a.Said())
}

func (j *judge) serverCard() finding.Outcome {
	var first finding.Outcome
	for i, path := range []string{"/.well-known/mcp/server-card.json", "/.well-known/mcp/server-cards.json", "/.well-known/mcp.json"} {
		a := j.at(path)
		o, ok := object(a)
		info, _ := o["serverInfo"].(map[string]any)
		good := ok && said(o, "endpoint") && (said(o, "name") && said(o, "version") || said(info, "name") && said(info, "version"))
		if out := finding.If(good, a.Request.String(), a.Said()); i == 0 || good {
			first = out
		}
		if good {
			break
		}
	}
	return first
}

func (j *judge) agentCard() finding.Outcome {
	a := j.at("/.well-known/agent-card.json")
	o, ok := object(a)
	skills, _ := o["skills"].([]any)
	return finding.If(ok && said(o, "name") && said(o, "version") && len(skills) > 0, a.Request.String(), a.Said())
}

func (j *judge) oauth() finding.Outcome {
	var last finding.Outcome
	for _, path := range []string{"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"} {
		a := j.at(path)
		o, ok := object(a)
		good := ok && said(o, "issuer") && said(o, "authorization_endpoint") && said(o, "token_endpoint") && said(o, "jwks_uri")
		if last = finding.If(good, a.Request.String(), a.Said()); good {
			break
		}
	}
	return last
}

func (j *judge) resource() finding.Outcome {
	a := j.at("/.well-known/oauth-protected-resource")
	o, ok := object(a)
	return finding.If(ok && said(o, "resource"), a.Request.String(), a.Said())
}

func (j *judge) botAuth() finding.Outcome {
	a := j.at("/.well-known/http-message-signatures-directory")
	o, ok := object(a)
	if !a.OK() {
		return finding.Skipped("no directory, which is neither good nor bad")
	}
	keys, _ := o["keys"].([]any)
	return finding.If(ok && len(keys) > 0, a.Request.String(), a.Said())
}

var (
	registers = regexp.MustCompile(`modelContext\s*\.\s*(registerTool|provideContext)\s*\(`)
	scriptSrc = regexp.MustCompile(`(?i)<script[^>]+src\s*=\s*["']([^"']+)["']`)
)

// webMCP looks for the registration in the scripts of the home page: what the
// scanner sees when it runs them.
func (j *judge) webMCP() finding.Outcome {
	a := j.at("/")
	if registers.Match(a.Body) {
		return finding.Passed(a.Request.String(), "an inline script that registers a tool")
	}
	for i, m := range scriptSrc.FindAllStringSubmatch(a.Text(), maxScripts) {
		address := m[1]
		switch {
		case strings.HasPrefix(address, "//"):
			continue
		case strings.HasPrefix(address, "/"):
			address = j.Client.Origin() + address
		case !strings.Contains(address, "://"):
			address = j.Client.Origin() + "/" + address
		}
		if s := j.Client.Get(j, address); i < maxScripts && s.OK() && registers.Match(s.Body) {
			return finding.Passed(a.Request.String(), "a script that registers a tool, "+address)
		}
	}
	return finding.Failed(a.Request.String(), "no script that registers a tool")
}

// maxScripts bounds how many scripts of a page are looked into.
const maxScripts = 10
