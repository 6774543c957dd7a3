package site

// This file writes what the policy says: robots.txt, ai.txt, ai-policy.json and
// the Content-Signal header.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/robots"
)

func (s *Site) writeRobots(w io.Writer) error {
	p := s.in.Policy
	f := robots.File{Comment: s.o.Name + ": agents are welcome. Start at " + s.url("/llms.txt")}
	if p.DeniesEveryone() || p.Disallows("/") {
		f.Comment = s.o.Name + ": closed to agents"
	}
	if s.base != "" {
		f.Sitemaps = []string{s.url("/sitemap.xml")}
	}
	var welcome []string
	for _, agent := range append(evergreen.Crawlers(), "*") {
		if !denies(p, agent) {
			welcome = append(welcome, agent)
		}
	}
	if len(welcome) > 0 && !p.DeniesEveryone() {
		g := robots.Group{Agents: welcome, ContentSignal: s.ContentSignal()}
		for _, path := range p.Disallow {
			g.Rules = append(g.Rules, robots.Rule{Pattern: path})
		}
		if !p.Disallows("/") {
			g.Rules = append(g.Rules, robots.Rule{Allow: true, Pattern: "/"})
		}
		f.Groups = append(f.Groups, g)
	}
	if len(p.Deny) > 0 {
		f.Groups = append(f.Groups, robots.Group{Agents: p.Deny, ContentSignal: "search=no, ai-input=no, ai-train=no",
			Rules: []robots.Rule{{Pattern: "/"}}})
	}
	return writeAll(w, f.Format())
}

func denies(p evergreen.Policy, agent string) bool {
	return slices.ContainsFunc(p.Deny, func(d string) bool { return strings.EqualFold(d, agent) })
}

// signals are the three uses of Content-Signal (contentsignals.org).
type signals struct {
	Search  bool  `json:"search"`
	AIInput bool  `json:"aiInput"`
	AITrain *bool `json:"aiTrain,omitempty"` // nil: the licence does not say
}

func signalsOf(p evergreen.Policy) signals {
	out := signals{Search: p.Allows(evergreen.UseIndex), AIInput: p.Allows(evergreen.UseInference) || p.Allows(evergreen.UseRAG)}
	if d := p.TrainingDecision(); d != evergreen.Undecided {
		yes := d == evergreen.Yes
		out.AITrain = &yes
	}
	return out
}

// ContentSignal is the value of the Content-Signal header and of the line in
// robots.txt.
func (s *Site) ContentSignal() string { return ContentSignal(s.in.Policy) }

// ContentSignal is that value for a policy.
func ContentSignal(p evergreen.Policy) string {
	c := signalsOf(p)
	value := "search=" + yesNo(c.Search) + ", ai-input=" + yesNo(c.AIInput)
	if c.AITrain != nil {
		value += ", ai-train=" + yesNo(*c.AITrain)
	}
	return value
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// policyLists are the three lists of ai.txt.
func (s *Site) policyLists() (permissions, restrictions, content []string) {
	p := s.in.Policy
	permissions, restrictions, content = []string{}, []string{}, []string{}
	for _, use := range evergreen.Uses() {
		if p.Allows(use) {
			permissions = append(permissions, "allow-"+string(use))
		} else {
			restrictions = append(restrictions, "no-"+string(use))
		}
	}
	restrictions = append(restrictions, "no-paywall-bypass", "no-impersonation", "no-misattribution", "respect-rate-limit")
	if p.Attribution {
		content = append(content, "attribution-required")
	}
	if p.NoAlteration {
		content = append(content, "no-factual-alteration")
	}
	if id := p.LicenceID(); id != "" {
		content = append(content, "license="+id)
	}
	return permissions, restrictions, content
}

func (s *Site) writeAITxt(w io.Writer) error {
	permissions, restrictions, content := s.policyLists()
	if len(permissions) == 0 {
		permissions = []string{"none"}
	}
	site := s.host()
	if site == "" {
		site = oneLine(s.o.Name)
	}
	lines := []string{
		"# AI usage policy for " + site,
		"# Format: ai.txt (plain text directives)",
		"",
		"Permissions: " + strings.Join(permissions, ", "),
		"Restrictions: " + strings.Join(restrictions, ", "),
	}
	if len(content) > 0 {
		lines = append(lines, "Content policies: "+strings.Join(content, ", "))
	}
	if r := s.in.Policy.Rate; r.PerMinute > 0 {
		lines = append(lines, fmt.Sprintf("Rate limit: %d requests/minute, burst %d", r.PerMinute, r.Burst))
	}
	var paths []string
	for _, e := range s.endpoints() {
		paths = append(paths, e.Path)
	}
	lines = append(lines, "Machine-readable endpoints: "+strings.Join(paths, ", "))
	if c := s.in.Policy.StatedContact(); c != "" {
		lines = append(lines, "Contact: "+oneLine(c))
	}
	return writeAll(w, []byte(strings.Join(lines, "\n")+"\n"))
}

// endpoint is a machine-readable entry to the site.
type endpoint struct {
	Path        string `json:"path"`
	Type        string `json:"type"`
	Description string `json:"description"`
}

func (s *Site) endpoints() []endpoint {
	e := []endpoint{
		{"/llms.txt", "text/markdown", "Index of the site"},
		{"/llms-full.txt", "text/markdown", "The whole text"},
		{"/context.json", "application/json", "Entries with ids"},
	}
	if s.api() {
		e = append(e, endpoint{contextPath, "application/json", "Budgeted retrieval"})
	}
	if s.o.MCP != nil {
		e = append(e, endpoint{mcpPath, "application/json", "MCP"})
	}
	if s.o.A2A {
		e = append(e, endpoint{a2aPath, "application/json", "A2A"}, endpoint{cardPath, "application/json", "A2A card"})
	}
	return e
}

// aiPolicy is ai-policy.json, format evergreen-ai-policy/1.
type aiPolicy struct {
	Format          string         `json:"format"`
	Site            policySite     `json:"site"`
	Updated         string         `json:"updated"`
	Permissions     []string       `json:"permissions"`
	Restrictions    []string       `json:"restrictions"`
	ContentPolicies []string       `json:"contentPolicies"`
	Uses            policyUses     `json:"uses"`
	ContentSignals  signals        `json:"contentSignals"`
	License         *policyLicence `json:"license"`
	Attribution     attribution    `json:"attribution"`
	Crawlers        crawlers       `json:"crawlers"`
	Authentication  authentication `json:"authentication"`
	RateLimit       policyRate     `json:"rateLimit"`
	Endpoints       []endpoint     `json:"endpoints"`
	Contact         *string        `json:"contact"`
}

type policySite struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type policyUses struct {
	Crawl     bool `json:"crawl"`
	Index     bool `json:"index"`
	Inference bool `json:"inference"`
	RAG       bool `json:"rag"`
	Summarize bool `json:"summarize"`
	Quote     bool `json:"quote"`
	Citation  bool `json:"citation"`
	Training  bool `json:"training"`
}

type policyLicence struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

type attribution struct {
	Required bool   `json:"required"`
	Format   string `json:"format"`
}

type crawlers struct {
	Allow    []string `json:"allow"`
	Deny     []string `json:"deny"`
	Disallow []string `json:"disallow"`
}

type authentication struct {
	Required bool     `json:"required"`
	Schemes  []string `json:"schemes"`
}

type policyRate struct {
	PerMinute int    `json:"requestsPerMinute"`
	Burst     int    `json:"burst"`
	Scope     string `json:"scope"`
}

func (s *Site) authentication() authentication {
	schemes := list(s.in.Policy.Schemes)
	return authentication{Required: len(schemes) > 0, Schemes: schemes}
}

func (s *Site) writeAIPolicy(w io.Writer) error {
	p := s.in.Policy
	doc := aiPolicy{
		Format: "evergreen-ai-policy/1", Site: policySite{s.o.Name, s.url("/")}, Updated: p.Updated,
		Uses: policyUses{p.Allows(evergreen.UseCrawl), p.Allows(evergreen.UseIndex), p.Allows(evergreen.UseInference),
			p.Allows(evergreen.UseRAG), p.Allows(evergreen.UseSummarize), p.Allows(evergreen.UseQuote),
			p.Allows(evergreen.UseCitation), p.Allows(evergreen.UseTraining)},
		ContentSignals: signalsOf(p), Attribution: attribution{p.Attribution, "[ID]"},
		Crawlers:       crawlers{Allow: []string{"*"}, Deny: list(p.Deny), Disallow: list(p.Disallow)},
		Authentication: s.authentication(), Endpoints: s.endpoints(),
	}
	doc.Permissions, doc.Restrictions, doc.ContentPolicies = s.policyLists()
	if doc.Updated == "" {
		doc.Updated = day(s.snap.Time())
	}
	if p.DeniesEveryone() {
		doc.Crawlers.Allow = []string{}
	}
	if url := p.LicenceURL(); url != "" {
		doc.License = &policyLicence{p.LicenceID(), url}
	}
	doc.RateLimit = policyRate{p.Rate.PerMinute, p.Rate.Burst, "client"}
	if p.Rate.PerMinute == 0 {
		doc.RateLimit.PerMinute, doc.RateLimit.Burst = noRate, noRate
	}
	if c := p.StatedContact(); c != "" {
		doc.Contact = &c
	}
	return writeJSON(w, doc)
}
