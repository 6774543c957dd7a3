// Package web is the library's face to browsers, curl and agents over HTTP: the
// layers and pages of the site, the retrieval API, health, and the protocol
// endpoints it is handed. One table of routes (routes.go) says what is served
// beside the site, to whom and for how long it may be cached; everything around
// (guards, rate limits, methods, negotiation, validators, codings, problems, the
// 404 that shows the way) is done once for all of them.
//
// It does not write the layers, which package site does, nor the HTML of pages,
// nor does it speak MCP or A2A. It neither ranks nor stores.
package web

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
	"evergreen/internal/site"
)

// Engine is what the routes ask. Errors are *evergreen.Error; their texts are
// shown to the caller. All methods are safe for concurrent use.
type Engine interface {
	Collections(ctx context.Context) ([]evergreen.Collection, error)
	Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error)
	Search(ctx context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error)
	PromptPack(ctx context.Context, scenario, lang string) (string, error)
	// Metrics is a JSON object.
	Metrics(ctx context.Context) (json.RawMessage, error)
	// Revision changes with every committed change of the library.
	Revision() string
}

// Options say what a Server serves and as whom.
type Options struct {
	Engine  Engine
	Version string // of the program

	// Publish takes a snapshot of what Engine answers from.
	Publish func() (Snapshot, error)
	// OnChange registers what is called after every change made by this process.
	// With it the library is asked for changes of others only now and then;
	// without it, for every request.
	OnChange func(func())
	// Site says how the site speaks of itself. Without a base URL links are made
	// with the address that each request asked; what is served of A2A, API and
	// metrics is filled in here, and MCP needs its particulars.
	Site   site.Options
	Policy evergreen.Policy
	Tools  []evergreen.ToolInfo
	// Pages makes what people read; nil serves Markdown only.
	Pages Pages

	// Rate bounds the calls of one client; the zero Rate bounds nothing.
	Rate Rate
	// MaxRequests is how many requests may be worked on at a time; those beyond
	// are answered 503. 0 is no bound.
	MaxRequests int
	// Proxies are the networks whose forwarded headers are believed.
	Proxies []netip.Prefix

	// MCP answers /mcp for everyone who may read; nil serves no /mcp. Admin
	// answers instead for those who may administer; nil is MCP. DenyMCP writes
	// what the guards refuse there; nil is plain text.
	MCP, Admin http.Handler
	DenyMCP    httpguard.Deny
	// Calls are the calls of tools for the operator's figures; nil tells none.
	Calls func() Calls
	// A2A answers /a2a; nil serves none. The body is bounded here.
	A2A http.Handler

	// Documents are further files, served as they are.
	Documents []Document
	// Extras are further pages.
	Extras []Extra

	// Guard says which hosts, origins and tokens pass.
	Guard Guard

	// Waiting is how long clients are asked to wait for content that is not there
	// yet; 0 when it is. nil: it is.
	Waiting func() time.Duration

	// Scratch is a folder for copies of large documents, which are made when the
	// documents are sent for the first time; "" makes none.
	Scratch string

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
	// Issued judges tokens of an authorization server, which reading then needs;
	// nil takes none.
	Issued httpguard.Issued
}

// closed reports whether reading needs a token.
func (g Guard) closed() bool { return g.ReadToken != "" || g.Issued != nil }

// Document is one file with a fixed path.
type Document struct {
	Path string // from the root, such as /schema/config.json
	Type string // media type, with charset where text
	Body []byte
	Open bool // answered without a token
}

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	options Options
	log     *slog.Logger
	routes  map[string]*route
	files   *route       // what the site holds
	layered http.Handler // what is ours, behind the guards that are for it alone
	trees   []*route     // those that answer what lies below their path
	handler http.Handler // everything, guards included
	inside  http.Handler // the same without rate limits

	crowd                    crowd // that is answered at this moment
	metrics                  *metrics
	coder                    *coder
	nosniff, referrer, links []string // headers of every answer
	public                   []field  // CORS of what everyone may read
	now                      func() time.Time

	changed atomic.Bool // since the library was asked

	mu      sync.Mutex
	current *edition  // nil before the first request
	asked   time.Time // when the library was
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
	s.metrics, s.coder, s.now = newMetrics(), newCoder(), time.Now
	s.nosniff, s.referrer, s.links = []string{"nosniff"}, []string{"strict-origin-when-cross-origin"}, s.commonLinks()
	s.public = publicHeaders()
	s.routes = map[string]*route{}
	for _, r := range slices.Concat(s.table(), s.documents(), s.extras()) {
		for _, path := range append([]string{r.path}, r.aliases...) {
			s.routes[path] = &r
		}
		r.chain = s.guarded(&r)
		if r.below {
			s.trees = append(s.trees, &r)
		}
	}
	s.files = &route{methods: []string{http.MethodGet}, content: true, name: routeMissing}
	s.files.chain = s.guarded(s.files)
	s.tellSite()
	if o.OnChange != nil {
		o.OnChange(func() { s.changed.Store(true) })
	}
	token := httpguard.Token(httpguard.TokenOptions{Read: o.Guard.ReadToken, Admin: o.Guard.AdminToken, Issued: o.Guard.Issued, Deny: s.deny,
		Proxied: func(r *http.Request) bool { return s.trusts(peer(r)) }})
	limits := newLimiters(o.Rate)
	limited := func(next http.Handler) http.Handler { return s.limited(limits, next) }
	counted := func(next http.Handler) http.Handler { return s.counted(limits, next) }
	s.crowd.most = int64(o.MaxRequests)
	s.layered = httpguard.Chain(http.HandlerFunc(s.dispatch), s.ownPages, limited, s.bounded, s.patient, s.quick, token, counted)
	s.inside = s.fronted(httpguard.Chain(http.HandlerFunc(s.dispatch), s.ownPages, token))
	s.handler = s.fronted(s.layered)
	return s
}

// Inside answers requests that this process makes of itself: no rate bounds
// them, everything else is as for others.
func (s *Server) Inside() http.Handler { return s.inside }

// tellSite fills in what the site says of the services around it.
func (s *Server) tellSite() {
	o := &s.options.Site
	o.A2A, o.Metrics = s.options.A2A != nil, true
	if s.options.MCP == nil {
		o.MCP = nil
	}
	o.Operations = slices.DeleteFunc(site.Operations(), func(op site.Operation) bool {
		return s.routes[op.Path] == nil && op.Path != "/context.json"
	})
	if r := s.options.Rate; r.PerMinute > 0 {
		s.options.Policy.Rate = evergreen.RateLimit{PerMinute: r.PerMinute, Burst: r.Burst}
	}
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
