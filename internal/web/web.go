// Package web is the library's face to browsers, curl and agents over HTTP:
// the retrieval API, health, the front page, and the MCP endpoint it is handed.
// One table of routes (routes.go) says what is served, to whom and for how
// long it may be cached; everything around a route (guards, methods, validators,
// problems, the 404 that shows the way) is done once for all of them.
//
// It is not the site's layers and pages, which package site writes, and not the
// MCP protocol, which package mcp speaks. It neither ranks nor stores.
package web

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
)

// Engine is what the routes ask. Errors are *evergreen.Error; their texts are
// shown to the caller. All methods are safe for concurrent use.
type Engine interface {
	Collections(ctx context.Context) ([]evergreen.Collection, error)
	Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error)
	PromptPack(ctx context.Context, scenario, lang string) (string, error)
	// Metrics is a JSON object.
	Metrics(ctx context.Context) (json.RawMessage, error)
	// Revision changes with every committed change of the library.
	Revision() string
}

// Options say what a Server serves and as whom.
type Options struct {
	Engine  Engine
	Version string
	Site    Site

	// MCP answers /mcp for everyone who may read; nil serves no /mcp. Admin
	// answers instead for those who may administer; nil is MCP. DenyMCP writes
	// what the guards refuse there; nil is plain text.
	MCP, Admin http.Handler
	DenyMCP    httpguard.Deny

	// Documents are further files, served as they are.
	Documents []Document

	// Guard says which hosts, origins and tokens pass.
	Guard Guard

	// Timeout bounds one answer of the API; 0 means 30 s.
	Timeout time.Duration

	Log *slog.Logger // nil discards
}

// Guard says who may come in.
type Guard struct {
	Hosts      []string // names beside loopback and the base URL's host
	Origins    []string // web origins that may use /mcp, beside the server's own
	ReadToken  string   // needed for reading; "" leaves it open
	AdminToken string   // opens administration from other machines; "" closes it
}

// Site is what the front page and the 404 body say about the site.
type Site struct {
	Name    string
	BaseURL string // without a final slash; "" is unknown
	Licence string // SPDX identifier or URL; "" or "unspecified" is not stated
	Contact string
}

// Document is one file with a fixed path.
type Document struct {
	Path  string // from the root, such as /schema/config.json
	Type  string // media type, with charset where text
	Body  []byte
	Title string // what the 404 body calls it in its list; "" leaves it out
}

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	options Options
	log     *slog.Logger
	routes  map[string]*route
	entries []entry
	missing http.Handler // answers what has no route
	handler http.Handler // everything, guards included
}

// New builds a Server.
func New(o Options) *Server {
	s := &Server{options: o, log: o.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.options.Timeout <= 0 {
		s.options.Timeout = defaultTimeout
	}
	if s.options.Admin == nil {
		s.options.Admin = o.MCP
	}
	if s.options.Site.Name == "" {
		s.options.Site.Name = "Evergreen"
	}
	s.routes = map[string]*route{}
	for _, r := range slices.Concat(s.table(), s.documents()) {
		for _, path := range append([]string{r.path}, r.aliases...) {
			s.routes[path] = &r
		}
		r.chain = s.guarded(&r)
	}
	s.missing = httpguard.CORS(httpguard.CORSOptions{Public: true})(http.HandlerFunc(s.notFound))
	s.entries = s.entryPoints()
	s.handler = s.logged(httpguard.Chain(http.HandlerFunc(s.dispatch),
		httpguard.Recover(httpguard.RecoverOptions{Log: s.log, Deny: s.deny}),
		httpguard.Host(httpguard.HostOptions{Hosts: s.hosts(), Deny: s.deny}),
		httpguard.Token(httpguard.TokenOptions{Read: o.Guard.ReadToken, Admin: o.Guard.AdminToken, Deny: s.deny}),
	))
	return s
}

// hosts are the names that the server answers to beside loopback.
func (s *Server) hosts() []string {
	hosts := slices.Clone(s.options.Guard.Hosts)
	if u, err := url.Parse(s.options.Site.BaseURL); err == nil && u.Host != "" {
		hosts = append(hosts, u.Host, u.Hostname())
	}
	return hosts
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// serves reports whether a path has a route.
func (s *Server) serves(path string) bool { return s.routes[path] != nil }
