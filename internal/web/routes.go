package web

import (
	"net/http"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/httpguard"
)

// Cache-Control of the kinds of answer.
const (
	cachePublic  = "public, max-age=900"
	cacheMissing = "public, max-age=60"
	cacheNever   = "no-store"
)

// route is one thing that is served. GET stands for GET and HEAD; OPTIONS is
// answered everywhere.
type route struct {
	path    string
	aliases []string
	methods []string

	// answer makes the whole answer; handler is for protocols that write their
	// own, such as streams. Exactly one is set.
	answer  func(*http.Request) (answer, error)
	handler http.Handler
	chain   http.Handler // answer or handler behind the route's guards

	cache string // Cache-Control of a 200
	vary  string // request headers beside Accept-Encoding that choose the answer
	open  bool   // answered without a read token
	timed bool   // Server-Timing on the answer

	// What the 404 body says of it; "" leaves it out.
	english, chinese, title string
	shown                   string // how the list writes the path, when not as it is
	kind                    string // media type named in the list
}

// table lists the routes in the order of the 404 body. It is the one place to
// add one.
func (s *Server) table() []route {
	get := []string{http.MethodGet}
	table := []route{
		{path: "/", methods: get, answer: s.home, cache: cachePublic},
		{path: "/api/context", methods: get, answer: s.context, cache: cachePublic, vary: "Accept-Language", timed: true,
			shown: "/api/context?topic=<words>&budget=2000", kind: typeJSON,
			english: "retrieval within a token budget", chinese: "按 token 预算检索",
			title: "Retrieval within a token budget"},
		{path: "/api/prompt-pack", methods: get, answer: s.promptPack, cache: cachePublic, vary: "Accept-Language", timed: true},
	}
	if s.options.MCP != nil {
		table = append(table, route{path: "/mcp",
			methods: []string{http.MethodPost, http.MethodGet, http.MethodDelete}, handler: http.HandlerFunc(s.mcp),
			kind: typeJSON, english: "MCP endpoint (JSON-RPC 2.0, POST)", chinese: "MCP 端点（JSON-RPC 2.0，POST）",
			title: "MCP endpoint"})
	}
	return append(table,
		route{path: "/metrics.json", aliases: []string{"/api/metrics"}, methods: get, answer: s.metrics,
			cache: cachePublic, timed: true, kind: typeJSON,
			english: "measured figures", chinese: "评测指标", title: "Measured figures"},
		route{path: "/healthz", methods: get, answer: s.health, cache: cacheNever, open: true},
	)
}

// documents are the routes of the files that were handed in.
func (s *Server) documents() []route {
	var routes []route
	for _, d := range s.options.Documents {
		routes = append(routes, route{path: d.Path, methods: []string{http.MethodGet}, cache: cachePublic,
			answer: func(*http.Request) (answer, error) { return answer{kind: d.Type, body: d.Body}, nil },
			kind:   d.Type, english: d.Title, chinese: d.Title, title: d.Title})
	}
	return routes
}

// guarded puts a route behind the guards that belong to it: read routes are
// open to pages of any origin, protocols to allowed origins only.
func (s *Server) guarded(rt *route) http.Handler {
	require := httpguard.Require(httpguard.RequireOptions{Access: httpguard.Read, Deny: s.deny})
	if rt.open {
		require = func(next http.Handler) http.Handler { return next }
	}
	if rt.handler != nil {
		allowed := s.options.Guard.Origins
		return httpguard.Chain(rt.handler,
			httpguard.Origin(httpguard.OriginOptions{Allowed: allowed, Deny: s.deny}),
			httpguard.CORS(httpguard.CORSOptions{Allowed: allowed}),
			require)
	}
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !rt.allows(r.Method) {
			s.wrongMethod(w, r, rt)
			return
		}
		s.answerRoute(w, r, rt)
	})
	return httpguard.Chain(answer, httpguard.CORS(httpguard.CORSOptions{Public: true}), require)
}

// dispatch finds the route of a request.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request) {
	s.setCommonHeaders(w.Header())
	route := s.routeOf(r)
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", route.allow())
	}
	if route == nil {
		s.missing.ServeHTTP(w, r)
		return
	}
	route.chain.ServeHTTP(w, r)
}

// routeOf returns the route of a request, nil when nothing has its path.
func (s *Server) routeOf(r *http.Request) *route {
	if hidesSeparators(r.URL.EscapedPath()) {
		return nil
	}
	return s.routes[r.URL.Path]
}

// deny writes what a guard refuses, in the dialect of the route.
func (s *Server) deny(w http.ResponseWriter, r *http.Request, status int, err *evergreen.Error) {
	s.setCommonHeaders(w.Header())
	if route := s.routeOf(r); route != nil && route.handler != nil && s.options.DenyMCP != nil {
		s.options.DenyMCP(w, r, status, err)
		return
	}
	s.problem(w, r, problem{Status: status, Detail: sentences(err)})
}

// allows reports whether the route answers the method.
func (rt *route) allows(method string) bool {
	return slices.Contains(rt.methods, method) ||
		method == http.MethodHead && slices.Contains(rt.methods, http.MethodGet)
}

// allow is the route's Allow header; without a route it is what most have.
func (rt *route) allow() string {
	if rt == nil {
		return "GET, HEAD, OPTIONS"
	}
	var methods []string
	for _, m := range rt.methods {
		methods = append(methods, m)
		if m == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	return strings.Join(append(methods, http.MethodOptions), ", ")
}

// hidesSeparators reports whether a path as sent holds an encoded slash,
// backslash or NUL, which no path of ours does: it would only be read
// differently by someone in between.
func hidesSeparators(escaped string) bool {
	lower := strings.ToLower(escaped)
	return strings.Contains(lower, "%2f") || strings.Contains(lower, "%5c") ||
		strings.Contains(lower, "%00") || strings.Contains(lower, "\\")
}

// mcp hands a protocol request on to the face of those who may administer, or
// of those who may read.
func (s *Server) mcp(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", cacheNever)
	if httpguard.AccessOf(r.Context()) >= httpguard.Admin {
		s.options.Admin.ServeHTTP(w, r)
		return
	}
	s.options.MCP.ServeHTTP(w, r)
}
