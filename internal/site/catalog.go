package site

// This file writes the catalogues that name the other documents: ARD (AI
// Catalog) and the API catalog of RFC 9727.

import (
	"io"
	"net"
	"strings"
	"time"
)

type catalog struct {
	SpecVersion string         `json:"specVersion"`
	Host        catalogHost    `json:"host"`
	Entries     []catalogEntry `json:"entries"`
}

type catalogHost struct {
	DisplayName      string `json:"displayName"`
	Identifier       string `json:"identifier,omitempty"`
	DocumentationURL string `json:"documentationUrl"`
}

type catalogEntry struct {
	Identifier   string   `json:"identifier"`
	DisplayName  string   `json:"displayName"`
	Type         string   `json:"type"`
	URL          string   `json:"url"`
	Description  string   `json:"description"`
	Tags         []string `json:"tags,omitempty"`
	Capabilities []string `json:"capabilities,omitempty"`
	Queries      []string `json:"representativeQueries"`
	Version      string   `json:"version"`
	UpdatedAt    string   `json:"updatedAt"`
}

// writeCatalog lists the server card, the agent card and the skill. The plain
// API is no entry: it has no type that readers of catalogues know.
func (s *Site) writeCatalog(w io.Writer) error {
	c := catalog{SpecVersion: "1.0", Entries: []catalogEntry{},
		Host: catalogHost{DisplayName: s.o.Name, DocumentationURL: s.url("/")}}
	if strings.HasPrefix(s.base, "https://") && publicHost(s.host()) {
		c.Host.Identifier = "did:web:" + s.host()
	}
	add := func(kind, name, display, mediaType, path, description, asked string) *catalogEntry {
		c.Entries = append(c.Entries, catalogEntry{
			Identifier: "urn:air:" + s.publisher() + ":" + kind + ":" + name, DisplayName: display, Type: mediaType,
			URL: s.url(path), Description: description, Queries: s.questions(asked),
			Version: s.o.Version, UpdatedAt: s.snap.Time().UTC().Format(time.RFC3339)})
		return &c.Entries[len(c.Entries)-1]
	}
	if s.o.MCP != nil {
		e := add("mcp", "evergreen", s.o.Name+" (MCP)", "application/mcp-server-card+json", serverCardPath, s.serverDescription(), "mcp")
		e.Tags = []string{"documentation", "search"}
		for _, t := range s.in.Tools {
			e.Capabilities = append(e.Capabilities, t.Name)
		}
	}
	if s.o.A2A {
		add("agent", "docs", s.o.Name+" (A2A)", "application/a2a-agent-card+json", cardPath, s.agentDescription(), "a2a")
	}
	if s.hasSkill() {
		k := s.skill()
		add("skill", k.name, "Working with "+s.o.Name+" (skill)", `text/markdown; profile="urn:air:agent-skills"`,
			s.skillPath(), "How an agent searches and cites "+s.o.Name+".", "skill")
	}
	return writeJSON(w, c)
}

// publisher is the host that identifiers are made with.
func (s *Site) publisher() string {
	if host := s.host(); host != "" && !strings.Contains(host, ":") {
		return host
	}
	return "localhost"
}

func publicHost(host string) bool {
	return strings.Contains(host, ".") && net.ParseIP(host) == nil && !strings.HasSuffix(host, ".localhost")
}

// questions are two to five things that readers ask: those configured for a
// tool or document, else the general ones, else made from the content.
func (s *Site) questions(asked string) []string {
	found := s.o.Questions[asked]
	if len(found) < minQuestions {
		found = append(append([]string{}, found...), s.o.Questions[""]...)
	}
	if len(found) < minQuestions {
		found = append(found, s.contentQuestions()...)
	}
	seen := map[string]bool{}
	unique := []string{}
	for _, q := range found {
		if q = oneLine(q); q != "" && !seen[q] && len(unique) < maxQuestions {
			seen[q] = true
			unique = append(unique, q)
		}
	}
	return unique
}

// contentQuestions are the questions that entries answer, then the titles of
// the first documents, then what can be asked of any site.
func (s *Site) contentQuestions() []string {
	var found []string
	for _, e := range s.faq() {
		found = append(found, e.Title)
	}
	for i := range s.pages.list {
		if p := &s.pages.list[i]; p.Kind == KindDocument && len(found) < minQuestions {
			found = append(found, p.Title)
		}
	}
	if len(found) < minQuestions {
		found = append(found, "What is "+s.o.Subject+"?", "How do I start with "+s.o.Subject+"?")
	}
	return found
}

type linkset struct {
	Linkset []linkContext `json:"linkset"`
}

type linkContext struct {
	Anchor      string       `json:"anchor"`
	Item        []linkTarget `json:"item,omitempty"`
	ServiceDesc []linkTarget `json:"service-desc,omitempty"`
	ServiceDoc  []linkTarget `json:"service-doc,omitempty"`
	Status      []linkTarget `json:"status,omitempty"`
}

type linkTarget struct {
	Href string `json:"href"`
	Type string `json:"type,omitempty"`
}

// writeAPICatalog writes the linkset of RFC 9264 that RFC 9727 asks for.
func (s *Site) writeAPICatalog(w io.Writer) error {
	to := func(path, mediaType string) []linkTarget { return []linkTarget{{s.url(path), mediaType}} }
	all := linkContext{Anchor: s.url("/.well-known/api-catalog")}
	var contexts []linkContext
	add := func(path string, c linkContext) {
		all.Item = append(all.Item, linkTarget{Href: s.url(path)})
		c.Anchor = s.url(path)
		contexts = append(contexts, c)
	}
	var status []linkTarget
	if s.serves("/healthz") {
		status = to("/healthz", "application/json")
	}
	if s.api() {
		add(contextPath, linkContext{ServiceDesc: to("/openapi.json", "application/json"),
			ServiceDoc: to("/llms.txt", "text/markdown"), Status: status})
	}
	if s.o.MCP != nil {
		add(mcpPath, linkContext{ServiceDesc: to(serverCardPath, "application/mcp-server-card+json"), Status: status})
	}
	if s.o.A2A {
		add(a2aPath, linkContext{ServiceDesc: to(cardPath, "application/json")})
	}
	return writeJSON(w, linkset{append([]linkContext{all}, contexts...)})
}
