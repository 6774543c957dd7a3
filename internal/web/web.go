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
	"slices"
	"time"

	"evergreen"
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

	// MCP answers POST, GET and DELETE on /mcp for everyone who may read; nil
	// serves no /mcp. Admin answers instead for those who may administer; nil
	// is MCP.
	MCP, Admin http.Handler

	// Documents are further files, served as they are.
	Documents []Document

	// Guard wraps everything: which hosts and origins pass. nil lets all pass.
	Guard func(http.Handler) http.Handler
	// MayRead and MayAdmin judge one request; nil lets everyone.
	MayRead, MayAdmin func(*http.Request) bool

	// Timeout bounds one answer of the API; 0 means 30 s.
	Timeout time.Duration

	Log *slog.Logger // nil discards
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
	handler http.Handler
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
	}
	s.entries = s.entryPoints()
	s.handler = http.HandlerFunc(s.dispatch)
	if o.Guard != nil {
		s.handler = o.Guard(s.handler)
	}
	s.handler = s.logged(s.recovered(s.handler))
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// serves reports whether a path has a route.
func (s *Server) serves(path string) bool { return s.routes[path] != nil }
