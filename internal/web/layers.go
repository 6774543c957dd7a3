package web

// This file lends the layers to a site that somebody else serves: which paths
// they take, what answers them, and what stands around both.

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
	"evergreen/internal/site"
)

// Layers answers the paths of the layers on a site built elsewhere: documents,
// API, protocols, but no pages and no mirrors. It is safe for concurrent use.
type Layers struct{ server *Server }

// Layers returns what the server lends to another site.
func (s *Server) Layers() Layers { return Layers{s} }

// ServeHTTP answers a path of the layers.
func (l Layers) ServeHTTP(w http.ResponseWriter, r *http.Request) { l.server.layered.ServeHTTP(w, r) }

// Serves reports whether a decoded path is one of the layers.
func (l Layers) Serves(path string) bool {
	s := l.server
	if s.routes[path] != nil {
		return true
	}
	if !site.Reserved(path) {
		return false
	}
	if s.waiting() > 0 {
		return true
	}
	at, release, err := s.borrow(s.options.Site.BaseURL)
	if err != nil {
		return true // told to who asks
	}
	defer release()
	found, ok := at.Lookup(path)
	return ok && found.Page == nil
}

// Mirrored reports whether the page at a decoded path is known.
func (l Layers) Mirrored(path string) bool {
	if l.server.waiting() > 0 {
		return false
	}
	at, release, err := l.server.borrow(l.server.options.Site.BaseURL)
	if err != nil {
		return false
	}
	defer release()
	_, _, ok := at.PageAt(path)
	return ok
}

// Links is the value of the Link header that holds for every page below a base
// address.
func (l Layers) Links(base string) string {
	if l.server.waiting() == 0 {
		if at, release, err := l.server.borrow(base); err == nil {
			defer release()
			return site.LinkHeader(at.SiteLinks())
		}
	}
	return site.LinkHeader([]site.Link{{URL: base + "/llms.txt", Rel: "describedby", Type: "text/markdown"}})
}

// Missing answers a path where nothing is with the ways in.
func (l Layers) Missing(w http.ResponseWriter, r *http.Request) {
	l.server.setCommonHeaders(w.Header())
	at, release, err := l.server.acquire(r)
	if err != nil {
		l.server.problem(w, r, l.server.problemOf(r, err))
		return
	}
	defer release()
	l.server.notFound(w, r, at)
}

// Limited puts the rate limit of pages and files around a handler that costs
// more than passing something on.
func (l Layers) Limited(h http.Handler) http.Handler {
	return l.server.limited(newLimiters(l.server.options.Rate), h)
}

// Base is the public address that a request came to, without a final slash.
func (l Layers) Base(r *http.Request) string {
	return strings.TrimRight(l.server.base(r), "/")
}

// Trusts reports whether a request comes from one of our own proxies.
func (l Layers) Trusts(r *http.Request) bool { return l.server.trusts(peer(r)) }

// Front puts what stands around every answer before a handler: the access log
// and the metrics, the end of panics, the host guard. What h passes on from
// elsewhere is counted as the origin's.
func (s *Server) Front(h http.Handler) http.Handler {
	return s.fronted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tally(w, routeOrigin)
		h.ServeHTTP(w, r)
	}))
}

func (s *Server) fronted(h http.Handler) http.Handler {
	return s.logged(httpguard.Chain(h,
		httpguard.Recover(httpguard.RecoverOptions{Log: s.log, Deny: s.deny}),
		httpguard.Host(httpguard.HostOptions{Hosts: s.hosts(), Deny: s.deny})))
}

// waiting is how long a client is to wait for what is not there yet.
func (s *Server) waiting() time.Duration {
	if s.options.Waiting == nil {
		return 0
	}
	return s.options.Waiting()
}

// patient answers 503 with Retry-After as long as the content is not there:
// documents written from nothing would be believed. What only the policy says
// holds already.
func (s *Server) patient(next http.Handler) http.Handler {
	if s.options.Waiting == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rt := s.routes[r.URL.Path]
		wait := s.waiting()
		if wait <= 0 || rt != nil && (rt.open || rt.name == routeResource) || policyPath(r.URL.Path) || r.Method == http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Retry-After", strconv.Itoa(max(seconds(wait), 1)))
		w.Header().Set("Cache-Control", cacheNever)
		s.deny(w, r, http.StatusServiceUnavailable, evergreen.Errorf(evergreen.Conflict, "the site is being read for the first time").
			Fix("try again in %d seconds", max(seconds(wait), 1)))
	})
}

// policyPath reports whether a document is written from the policy alone.
func policyPath(path string) bool {
	return path == "/robots.txt" || path == "/ai.txt" || path == "/ai-policy.json"
}
