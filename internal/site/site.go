// Package site writes every document of a site that agents read: indexes,
// mirrors, entries, cards, catalogues, policy, structured data. All of them come
// from one snapshot of the library, one policy and one list of tools, so that no
// two can contradict each other, and the same input gives the same bytes.
//
// It answers no requests: it tells for a path what is there, of which type and
// how to write it, and a face adds negotiation, caching and headers. It renders
// no HTML and it does not read the library but through Snapshot.
package site

import (
	"encoding/json"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"

	"evergreen"
	"evergreen/internal/llmstxt"
	"evergreen/internal/text"
)

// Input is everything a site is made of.
type Input struct {
	Snapshot Snapshot
	Policy   evergreen.Policy
	Tools    []evergreen.ToolInfo // those that every reader may call, in the order of tools/list
	Options  Options
}

// Options say how the site speaks of itself. Every zero value has a meaning.
type Options struct {
	BaseURL   string   // absolute, with or without a final slash; "" writes site-absolute links
	Name      string   // "" is what the origin's pages say, else "Evergreen"
	Summary   string   // one sentence: the blockquote of llms.txt
	Subject   string   // what the documentation is about, as in "questions about X"; "" is Name
	Topics    string   // ends "Use for any question ..." in the skill; "" is "its documentation can answer"
	Version   string   // of the served site in its cards; "" is "1.0.0"
	Languages []string // BCP 47, first is the main one; empty is "en"

	Organization Organization
	Software     *Software // nil: the site documents no software
	Home         string    // Markdown below the title of the home page; "" lists the collections

	// Questions are examples of what readers ask, by who answers them: the name
	// of a tool, "mcp", "a2a" or "skill"; those under "" stand in for the rest.
	// Where there are none they are made from titles.
	Questions map[string][]string

	MCP        *MCP        // nil: /mcp is not served
	A2A        bool        // /a2a is served
	Operations []Operation // of the HTTP API, see Operations; none: it is not served
	Metrics    bool        // /metrics.json is served
	Skill      []byte      // SKILL.md; nil writes one, as Skill does

	Optional    []llmstxt.Link // further links at the end of llms.txt
	Layout      Layout
	Origin      string         // of LayoutOrigin: the address that documents were fetched from; "" is the base URL's
	FrontMatter bool           // mirrors begin with YAML front matter
	PlainText   bool           // llms.txt files are sent as text/plain
	Count       text.Estimator // nil: text.Tokens
}

// Organization is who publishes the site.
type Organization struct {
	Name string // "" is the site's name
	URL  string // "" is the site's own
}

// Software is the program that the site documents.
type Software struct {
	Name     string
	Category string // schema.org applicationCategory; "" is DeveloperApplication
	Systems  string // schema.org operatingSystem
	Price    string // "" is "0"
	Currency string // "" is "USD"
}

// MCP is what the live MCP server says of itself.
type MCP struct {
	Name         string          // serverInfo.name; "" is ServerName of the base URL
	Protocols    []string        // revisions it negotiates, newest first
	Capabilities json.RawMessage // as discover answers them
}

// Layout decides the URLs of pages.
type Layout int

// The layouts.
const (
	// LayoutDocs puts a document at /docs/{collection}/{path without extension}.
	LayoutDocs Layout = iota
	// LayoutOrigin leaves pages where they were fetched from: below Options.Origin,
	// or on the base URL's own host. With an origin, documents from elsewhere have
	// no page, since nothing answers for them.
	LayoutOrigin
)

// Site is one snapshot's site under one base URL. It is safe for concurrent use
// and valid for as long as its snapshot is.
type Site struct {
	in    Input
	o     Options // in.Options with defaults filled in
	snap  Snapshot
	base  string // no final slash
	pages *pageTable
	fixed map[string]Resource // by path; aliases included
	order []string            // canonical paths of fixed, in order

	list     func() []EntryPoint
	index    func() indexFiles
	contexts func() ([]contextPart, error)
	full     func() (int, error) // tokens of llms-full.txt
}

// New prepares a site. It reads titles and addresses, no texts; those are read
// when a document is written. A policy that contradicts itself or closes a
// published document is an error of kind Invalid.
func New(in Input) (*Site, error) {
	if err := in.Policy.Validate(); err != nil {
		return nil, err
	}
	if in.Options.Name == "" && in.Options.Origin != "" {
		in.Options.Name = originName(in.Snapshot, in.Options.Origin)
	}
	in.Options = withDefaults(in.Options)
	base, err := cleanBase(in.Options.BaseURL)
	if err != nil {
		return nil, err
	}
	pages := newPageTable(in.Snapshot, in.Options, base)
	for _, p := range pages.list {
		for _, path := range append([]string{p.Path}, p.mirror()) {
			if err := in.Policy.CheckOpen(escapePath(path)); err != nil {
				return nil, err
			}
		}
	}
	return newSite(in, base, pages), nil
}

// At returns the site under another base URL: what a server without a
// configured one does with the address that a request came to. Pages stay where
// they are. An address that is no http or https URL changes nothing.
func (s *Site) At(baseURL string) *Site {
	base, err := cleanBase(baseURL)
	if err != nil || base == s.base {
		return s
	}
	in := s.in
	in.Options.BaseURL = baseURL
	return newSite(in, base, s.pages)
}

func newSite(in Input, base string, pages *pageTable) *Site {
	s := &Site{in: in, o: in.Options, snap: in.Snapshot, base: base, pages: pages}
	s.index = sync.OnceValue(s.writeIndex)
	s.contexts = sync.OnceValues(s.planContext)
	s.full = sync.OnceValues(s.countFull)
	s.list = sync.OnceValue(s.entryPoints)
	s.fixed = map[string]Resource{}
	for _, r := range s.documents() {
		s.order = append(s.order, r.Path)
		for _, path := range append([]string{r.Path}, r.Aliases...) {
			s.fixed[path] = r
		}
	}
	return s
}

func withDefaults(o Options) Options {
	if o.Name == "" {
		o.Name = "Evergreen"
	}
	if o.Subject == "" {
		o.Subject = o.Name
	}
	if o.Version == "" {
		o.Version = "1.0.0"
	}
	if o.Summary == "" {
		o.Summary = "Documentation of " + o.Subject + ". Every passage has an id to cite."
		if o.chinese() {
			o.Summary = o.Subject + " 的文档。每个段落都有可引用的编号。"
		}
	}
	if len(o.Languages) == 0 {
		o.Languages = []string{"en"}
	}
	if o.Organization.Name == "" {
		o.Organization.Name = o.Name
	}
	if o.Count == nil {
		o.Count = text.Tokens
	}
	return o
}

// cleanBase brings a base URL to the form that paths are appended to.
func cleanBase(raw string) (string, error) {
	if raw == "" {
		return "", nil
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", evergreen.Errorf(evergreen.Invalid, "base URL %q is no http or https URL", raw).
			Fix("Write it as https://docs.example.com.")
	}
	return u.Scheme + "://" + strings.ToLower(u.Host) + strings.TrimRight(u.EscapedPath(), "/"), nil
}

// Base is the base URL without a final slash, "" when none is known.
func (s *Site) Base() string { return s.base }

// url is the address of a decoded path of the site.
func (s *Site) url(path string) string { return s.base + escapePath(path) }

// host is the host of the base URL without port, "" when none is known.
func (s *Site) host() string {
	u, err := url.Parse(s.base)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// tool reports whether a tool is served.
func (s *Site) tool(name string) bool {
	return slices.ContainsFunc(s.in.Tools, func(t evergreen.ToolInfo) bool { return t.Name == name })
}

// api reports whether the retrieval API is served.
func (s *Site) api() bool {
	return slices.ContainsFunc(s.o.Operations, func(o Operation) bool { return o.Path == contextPath })
}

// ServerName is the MCP server's name for a site: its host's labels from the
// right, a slash and "evergreen"; "local/evergreen" without a public host.
func ServerName(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return localName
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	labels := strings.Split(host, ".")
	if len(labels) < 2 || net.ParseIP(host) != nil || labels[len(labels)-1] == "localhost" || strings.Trim(host, hostLetters) != "" {
		return localName
	}
	slices.Reverse(labels)
	name := strings.Join(labels, ".") + "/evergreen"
	if len(name) > maxServerName {
		return localName
	}
	return name
}

const (
	localName   = "local/evergreen"
	hostLetters = "abcdefghijklmnopqrstuvwxyz0123456789-."
)

// Snapshot is what the site is made from.
func (s *Site) Snapshot() Snapshot { return s.snap }

// Sections are a document's sections as entries, bodies included, in order.
func (s *Site) Sections(p Page) ([]evergreen.Entry, error) { return s.snap.Sections(p.document()) }
