package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
)

// Cache-Control of the kinds of answer.
const (
	cachePublic  = "public, max-age=900"
	cacheCard    = "public, max-age=3600"
	cacheForever = "public, max-age=31536000, immutable"
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
	// own, such as streams; content is for what the site holds. Exactly one is
	// set.
	answer  func(*http.Request) (answer, error)
	handler http.Handler
	content bool
	chain   http.Handler // one of them behind the route's guards

	cache string // Cache-Control of a 200
	vary  string // request headers beside Accept-Encoding that choose the answer
	open  bool   // answered without a read token
	timed bool   // Server-Timing on the answer
	kept  bool   // same question, same answer, as long as the library stays
	below bool   // answers what lies below its path, too
	own   bool   // for the server's own pages and for programs, not for pages of other origins
	name  string // in the metrics
}

// table lists the routes. It is the one place to add one.
func (s *Server) table() []route {
	get := []string{http.MethodGet}
	table := []route{
		{path: "/api/context", name: "context", methods: get, answer: s.context, cache: cachePublic, vary: "Accept-Language", timed: true, kept: true},
		{path: "/api/prompt-pack", name: "prompt-pack", methods: get, answer: s.promptPack, cache: cachePublic, vary: "Accept-Language", timed: true},
		{path: "/metrics.json", name: "metrics", aliases: []string{"/api/metrics"}, methods: get, answer: s.figures, cache: cachePublic, timed: true},
		{path: "/healthz", name: "healthz", methods: get, answer: s.health, cache: cacheNever, open: true},
	}
	if s.options.MCP != nil {
		table = append(table, route{path: "/mcp", name: "mcp",
			methods: []string{http.MethodPost, http.MethodGet, http.MethodDelete}, handler: http.HandlerFunc(s.mcp)})
	}
	if s.options.A2A != nil {
		table = append(table, route{path: "/a2a", name: "a2a", methods: []string{http.MethodPost},
			handler: httpguard.Body(httpguard.BodyOptions{Deny: s.deny})(http.HandlerFunc(s.a2a))})
	}
	return table
}

// documents are the routes of the files that were handed in.
func (s *Server) documents() []route {
	var routes []route
	for _, d := range s.options.Documents {
		routes = append(routes, route{path: d.Path, name: routeResource, methods: []string{http.MethodGet}, cache: cachePublic, open: d.Open,
			answer: func(*http.Request) (answer, error) { return answer{kind: d.Type, body: d.Body}, nil }})
	}
	return routes
}

// guarded puts a route behind the guards that belong to it: read routes are
// open to pages of any origin, protocols to allowed origins only.
func (s *Server) guarded(rt *route) http.Handler {
	require := httpguard.Require(httpguard.RequireOptions{Access: httpguard.Read, Issued: s.options.Guard.Issued, Deny: s.deny})
	if rt.open {
		require = func(next http.Handler) http.Handler { return next }
	}
	if rt.handler != nil {
		allowed := s.options.Guard.Origins
		return httpguard.Chain(rt.handler,
			httpguard.Patience(httpguard.PatienceOptions{Body: bodyTimeout, Answer: protocolTimeout}),
			httpguard.Origin(httpguard.OriginOptions{Allowed: allowed, Deny: s.deny}),
			httpguard.CORS(httpguard.CORSOptions{Allowed: allowed}),
			require)
	}
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rt.content {
			s.content(w, r)
			return
		}
		if !rt.allows(r.Method) {
			s.wrongMethod(w, r, rt)
			return
		}
		s.answerRoute(w, r, rt)
	})
	if rt.own {
		return httpguard.Chain(answer,
			httpguard.Origin(httpguard.OriginOptions{Deny: s.deny}),
			httpguard.CORS(httpguard.CORSOptions{}),
			require, httpguard.Body(httpguard.BodyOptions{Deny: s.deny}))
	}
	return httpguard.Chain(answer, httpguard.CORS(httpguard.CORSOptions{Public: true}), require)
}

// dispatch finds the route of a request.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request) {
	s.setCommonHeaders(w.Header())
	route := s.routeOf(r)
	tally(w, route.name)
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", route.allow())
	}
	route.chain.ServeHTTP(w, r)
}

// routeOf returns the route of a request.
func (s *Server) routeOf(r *http.Request) *route {
	route := s.routes[r.URL.Path]
	for i := 0; route == nil && i < len(s.trees); i++ {
		if strings.HasPrefix(r.URL.Path, s.trees[i].path+"/") {
			route = s.trees[i]
		}
	}
	if route != nil && !hidesSeparators(r.URL.EscapedPath()) {
		return route
	}
	return s.files
}

// deny writes what a guard refuses, in the dialect of the route.
func (s *Server) deny(w http.ResponseWriter, r *http.Request, status int, err *evergreen.Error) {
	s.setCommonHeaders(w.Header())
	if r.URL.Path == "/mcp" && s.options.DenyMCP != nil {
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

// ownPages keeps pages of other origins from reading a library that nobody has
// published: one that is asked on this machine and has no public address.
func (s *Server) ownPages(next http.Handler) http.Handler {
	if s.options.Site.BaseURL != "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if httpguard.Loopback(r) && httpguard.Foreign(r, s.options.Guard.Origins) {
			s.deny(w, r, http.StatusForbidden,
				evergreen.Errorf(evergreen.Blocked, "the origin %q may not read what is served on this machine only", r.Header.Get("Origin")).
					Fix("add the origin to server.origins, or set site.base_url when the site is public"))
			return
		}
		next.ServeHTTP(w, r)
	})
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
	r.Header.Set(clientHeader, s.Client(r)) // ours: the guard of tokens has copied it
	if httpguard.AccessOf(r.Context()) >= httpguard.Admin {
		s.options.Admin.ServeHTTP(w, r)
		return
	}
	s.options.MCP.ServeHTTP(w, r)
}

// a2a hands an A2A message on.
func (s *Server) a2a(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", cacheNever)
	s.options.A2A.ServeHTTP(w, r)
}

// answerRoute asks the route and writes what it says, or the problem.
func (s *Server) answerRoute(w http.ResponseWriter, r *http.Request, rt *route) {
	began := time.Now()
	st, err := s.answerOf(r, rt)
	if err != nil {
		s.problem(w, r, s.problemOf(r, err))
		return
	}
	if rt.timed {
		setTiming(w.Header(), time.Since(began))
	}
	s.send(w, r, st)
}

// setTiming says how long the answer took to make.
func setTiming(h http.Header, took time.Duration) {
	ms := float64(took.Microseconds()) / 1000
	h["Server-Timing"] = []string{"answer;dur=" + strconv.FormatFloat(ms, 'f', -1, 64)}
}

// keptKey is the key of an answer of the table that is kept.
func keptKey(rt *route, r *http.Request) string {
	return rt.path + "?" + r.URL.RawQuery + " " + acceptedLang(r)
}

// answerOf is the route's answer, from the edition's cache where it may be kept.
func (s *Server) answerOf(r *http.Request, rt *route) (*stored, error) {
	keep, key := func(*stored) {}, ""
	if rt.kept {
		e, err := s.present()
		if err != nil {
			return nil, err
		}
		defer s.giveUp(e)
		key = keptKey(rt, r)
		if st, ok := e.cache.get(key); ok {
			return st, nil
		}
		keep = func(st *stored) { e.cache.put(key, st) }
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Timeout)
	defer cancel()
	a, err := rt.answer(r.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	if a.cache == "" {
		a.cache = rt.cache
	}
	if a.vary == "" {
		a.vary = rt.vary
	}
	st := s.finish(a)
	st.route = rt.name
	keep(st)
	return st, nil
}
