package web

// This file puts the rate limit around everything: which budget a path draws
// on, and the 429.

import (
	"net/http"
	"strconv"
	"strings"

	"evergreen/internal/httpguard"
)

// limiters are the budgets that requests draw on.
type limiters struct{ static, api, mcp *limiter }

func newLimiters(r Rate) *limiters {
	if r.PerMinute <= 0 {
		return nil
	}
	return &limiters{newLimiter(budgetStatic, r.forFiles(), maxClients), newLimiter(budgetAPI, r, maxClients), newLimiter(budgetMCP, r, maxClients)}
}

// of is the budget of a request, nil for what is free. Whatever runs a question
// draws on that of the API.
func (l *limiters) of(r *http.Request, metered bool) *limiter {
	path := r.URL.Path
	switch {
	case path == "/" && strings.Contains(r.URL.RawQuery, "topic="):
		return l.api
	case path == "/healthz":
		return nil
	case path == "/mcp", path == "/a2a":
		return l.mcp
	case strings.HasPrefix(path, "/api/"), path == searchPath, metered:
		return l.api
	}
	return l.static
}

// limited refuses clients that ask too often, before anything is paid for them.
// An issued token is not judged yet here: who presents one is counted by its
// address, and gets that back in counted when the token is good.
func (s *Server) limited(limits *limiters, next http.Handler) http.Handler {
	return s.taking(limits, next, func(r *http.Request, _ *limiter) (string, bool) { return s.client(r), true })
}

// counted refuses subjects of issued tokens that ask too often, wherever they
// ask from. Others were counted already.
func (s *Server) counted(limits *limiters, next http.Handler) http.Handler {
	return s.taking(limits, next, func(r *http.Request, l *limiter) (string, bool) {
		subject := httpguard.CallerOf(r.Context()).Subject
		if subject == "" {
			return "", false
		}
		l.giveBack(s.client(r)) // the token is off the request: this is the address
		return subjectName(subject), true
	})
}

// taking spends a unit of the client that whose names, of those that it is to
// count.
func (s *Server) taking(limits *limiters, next http.Handler, whose func(*http.Request, *limiter) (string, bool)) http.Handler {
	if limits == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := limits.of(r, s.metered(r.URL.Path))
		if l == nil || r.Method == http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		client, counts := whose(r, l)
		if !counts {
			next.ServeHTTP(w, r)
			return
		}
		v := l.take(client, s.now())
		l.setFields(w.Header(), v)
		if !v.ok {
			s.tooMany(w, r, l, v)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// tooManyBody is the 429 of the contract.
type tooManyBody struct {
	problem
	Violated   []string `json:"violated-policies"`
	Error      string   `json:"error"`
	Limit      string   `json:"limit"`
	RetryAfter int      `json:"retryAfter"`
}

// tooMany answers 429. Pages of any origin may read why.
func (s *Server) tooMany(w http.ResponseWriter, r *http.Request, l *limiter, v verdict) {
	s.metrics.limited.Add(1)
	wait := max(seconds(v.wait), 1)
	unit := " seconds"
	if wait == 1 {
		unit = " second"
	}
	body, err := Encode(tooManyBody{
		problem: problem{Type: "https://iana.org/assignments/http-problem-types#quota-exceeded", Title: "Too many requests",
			Status: http.StatusTooManyRequests, Instance: r.URL.Path,
			Detail: "The limit is " + strconv.Itoa(l.rate.PerMinute) + " requests a minute with a burst of " +
				strconv.Itoa(l.rate.Burst) + ". Wait " + strconv.Itoa(wait) + unit + "."},
		Violated: []string{l.name}, Error: "rate limit exceeded",
		Limit: strconv.Itoa(l.rate.PerMinute) + " req/min", RetryAfter: wait,
	}, "  ")
	if err != nil {
		s.log.Error("encode problem", "error", err)
	}
	kind := typeProblem
	if acceptQuality(acceptOf(r), typeProblem) == 0 && !strings.HasPrefix(r.URL.Path, "/api/") {
		kind = typeJSON
	}
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.setCommonHeaders(w.Header())
		w.Header().Set("Retry-After", strconv.Itoa(wait))
		s.write(w, r, answer{status: http.StatusTooManyRequests, kind: kind, body: body, cache: cacheNever, vary: "Accept"})
	})
	httpguard.CORS(httpguard.CORSOptions{Public: l.name != budgetMCP, Allowed: s.options.Guard.Origins})(answer).ServeHTTP(w, r)
}
