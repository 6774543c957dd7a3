package web

import (
	"net/http"
	"slices"
	"strings"
)

// Cache-Control of the kinds of answer.
const (
	cachePublic  = "public, max-age=900"
	cacheMissing = "public, max-age=60"
	cachePrivate = "private, no-store"
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

// dispatch finds the route of a request and answers in its name.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request) {
	s.setCommonHeaders(w.Header())
	route := s.routes[r.URL.Path]
	if route != nil && hidesSeparators(r.URL.EscapedPath()) {
		route = nil
	}
	if r.Method == http.MethodOptions && (route == nil || route.handler == nil) {
		s.preflight(w, route)
		return
	}
	if route == nil {
		s.notFound(w, r)
		return
	}
	if !route.open && s.options.MayRead != nil && !s.options.MayRead(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="evergreen"`)
		s.problem(w, r, problem{Status: http.StatusUnauthorized,
			Detail: "Reading needs a token here. Send it as: Authorization: Bearer TOKEN."})
		return
	}
	if route.handler != nil {
		route.handler.ServeHTTP(w, r)
		return
	}
	if !route.allows(r.Method) {
		s.wrongMethod(w, r, route)
		return
	}
	s.answerRoute(w, r, route)
}

// allows reports whether the route answers the method.
func (rt *route) allows(method string) bool {
	return slices.Contains(rt.methods, method) ||
		method == http.MethodHead && slices.Contains(rt.methods, http.MethodGet)
}

// allow is the route's Allow header.
func (rt *route) allow() string {
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

// preflight answers OPTIONS; an unknown path gets what any path would.
func (s *Server) preflight(w http.ResponseWriter, route *route) {
	h := w.Header()
	if route != nil {
		h.Set("Allow", route.allow())
	} else {
		h.Set("Allow", "GET, HEAD, OPTIONS")
	}
	setCORS(h)
	w.WriteHeader(http.StatusNoContent)
}

// mcp hands a protocol request on to the face of those who may administer, or
// of those who may read.
func (s *Server) mcp(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", cacheNever)
	if s.options.MayAdmin == nil || s.options.MayAdmin(r) {
		s.options.Admin.ServeHTTP(w, r)
		return
	}
	s.options.MCP.ServeHTTP(w, r)
}
