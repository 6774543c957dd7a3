package httpguard

// The Origin guard and CORS: which web pages may speak to us, and what their
// browsers are told.

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"evergreen"
)

// OriginOptions says which foreign web pages may use a guarded route.
type OriginOptions struct {
	// Allowed are origins such as "http://localhost:6274" or "null"; "*" allows
	// every page, which only a server without private data should do.
	Allowed []string
	Deny    Deny
}

// Origin refuses requests of foreign web pages with 403: the Origin header must
// be absent, the server's own or allowed, and a request that the browser marks
// as cross-site must carry an allowed Origin. Following a link is no such
// request. It changes nothing for callers that are not browsers.
//
// The MCP specification demands this check (Streamable HTTP, security warning).
func Origin(o OriginOptions) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !o.admits(r) {
				o.Deny.write(w, r, http.StatusForbidden,
					evergreen.Errorf(evergreen.Blocked, "the origin %q may not use this server", r.Header.Get("Origin")).
						Fix("add the origin to the configured origins"))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// admits reports whether the request may pass.
func (o OriginOptions) admits(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin != "" {
		return sameOrigin(origin, r) || allowed(o.Allowed, origin)
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	safe := r.Method == http.MethodGet || r.Method == http.MethodHead
	return safe && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// sameOrigin reports whether origin is that of the request itself. The scheme is
// not compared: behind a proxy that ends TLS it is unknown.
func sameOrigin(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	return strings.EqualFold(u.Host, r.Host)
}

// Foreign reports whether a web page of another origin asks, other than the
// allowed ones: its Origin header says so.
func Foreign(r *http.Request, allowedOrigins []string) bool {
	origin := r.Header.Get("Origin")
	return origin != "" && !sameOrigin(origin, r) && !allowed(allowedOrigins, origin)
}

// allowed reports whether list names origin.
func allowed(list []string, origin string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		return entry == "*" || strings.EqualFold(strings.TrimSuffix(entry, "/"), origin)
	})
}

// CORSOptions says what browsers are told about a route.
type CORSOptions struct {
	// Public opens reading to every page: `*` for GET and HEAD. Without it only
	// the allowed origins are named.
	Public  bool
	Allowed []string
}

// Header lists of CORS answers.
const (
	allowHeaders  = "Content-Type, Accept, Authorization, If-None-Match, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, A2A-Version"
	exposeHeaders = "ETag, Link, Retry-After, RateLimit, RateLimit-Policy, X-Markdown-Tokens, Mcp-Session-Id"
	paramHeader   = "mcp-param-" // headers that repeat a tool's arguments (SEP-2243)
)

// CORS sets the headers that let web pages of other origins read answers, and
// answers every OPTIONS request with 204. On guarded routes it belongs inside
// of [Origin].
func CORS(o CORSOptions) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			origin := r.Header.Get("Origin")
			named := origin != "" && allowed(o.Allowed, origin)
			switch {
			case o.Public:
				h.Set("Access-Control-Allow-Origin", "*")
			case named:
				h.Set("Access-Control-Allow-Origin", origin)
			}
			if !o.Public {
				h.Add("Vary", "Origin")
			}
			if o.Public || named {
				h.Set("Access-Control-Expose-Headers", exposeHeaders)
			}
			if r.Method == http.MethodOptions {
				if o.Public || named {
					preflight(h, r, o.Public)
				}
				w.WriteHeader(http.StatusNoContent)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// preflight sets the headers of a preflight's answer.
func preflight(h http.Header, r *http.Request, public bool) {
	methods := "GET, HEAD, POST, OPTIONS"
	if !public {
		methods = "GET, HEAD, POST, DELETE, OPTIONS"
	}
	headers := allowHeaders
	for name := range strings.SplitSeq(r.Header.Get("Access-Control-Request-Headers"), ",") {
		if name = strings.TrimSpace(name); len(name) <= 64 && strings.HasPrefix(strings.ToLower(name), paramHeader) {
			headers += ", " + name
		}
	}
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", headers)
	h.Set("Access-Control-Max-Age", preflightAge)
}
