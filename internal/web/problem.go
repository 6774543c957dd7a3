package web

// This file turns every error into one body: RFC 9457 for JSON clients and the
// API, the same words as text for others.

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"evergreen"
)

// problem is an RFC 9457 problem with our extensions, in the order they are
// written.
type problem struct {
	Type      string   `json:"type"`
	Title     string   `json:"title"`
	Status    int      `json:"status"`
	Detail    string   `json:"detail"`
	Instance  string   `json:"instance"`
	Parameter string   `json:"parameter,omitempty"`
	Allowed   []string `json:"allowed,omitempty"`
	Nearest   []string `json:"nearest,omitempty"`
}

// StatusOf is the one table from kinds of error to HTTP.
func StatusOf(kind evergreen.Kind) int {
	switch kind {
	case evergreen.Invalid:
		return http.StatusBadRequest
	case evergreen.NotFound:
		return http.StatusNotFound
	case evergreen.Blocked:
		return http.StatusForbidden
	case evergreen.TooLarge:
		return http.StatusRequestEntityTooLarge
	case evergreen.Timeout:
		return http.StatusGatewayTimeout
	case evergreen.Upstream:
		return http.StatusBadGateway
	case evergreen.Conflict:
		return http.StatusConflict
	case evergreen.Exhausted:
		return http.StatusInsufficientStorage
	}
	return http.StatusInternalServerError // Damaged, Internal
}

// problemOf describes an error. What is not meant for callers is logged and
// stays here.
func (s *Server) problemOf(r *http.Request, err error) problem {
	if e, ok := errors.AsType[*paramError](err); ok {
		p := problem{Type: "urn:evergreen:problem:invalid-parameter", Title: "A parameter cannot be read",
			Status: http.StatusBadRequest, Detail: e.detail, Parameter: e.name, Allowed: e.allowed, Nearest: e.nearest}
		if e.urn != "" {
			p.Type = "urn:evergreen:problem:" + e.urn
		}
		if e.urn == "unknown-scenario" {
			p.Title = "Unknown scenario"
		}
		return p
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return problem{Status: http.StatusGatewayTimeout,
			Detail: "The answer took longer than " + s.options.Timeout.String() + ". Ask a narrower question or try again."}
	}
	e, ok := errors.AsType[*evergreen.Error](err)
	if !ok {
		s.log.Error("request failed", "path", r.URL.Path, "error", err)
		return problem{Status: http.StatusInternalServerError, Detail: "Something went wrong here; the server's log says what. Try again later."}
	}
	p := problem{Status: StatusOf(e.Kind), Detail: sentences(e), Nearest: e.Nearest}
	switch e.Kind {
	case evergreen.Invalid:
		p.Type, p.Title = "urn:evergreen:problem:invalid-parameter", "The request cannot be read"
	case evergreen.NotFound:
		p.Type, p.Title = "urn:evergreen:problem:unknown-id", "Unknown id"
	}
	if p.Status >= http.StatusInternalServerError {
		s.log.Error("request failed", "path", r.URL.Path, "error", err)
	}
	return p
}

// sentences joins what happened and what to do into sentences.
func sentences(e *evergreen.Error) string {
	parts := append([]string{e.Message}, e.Fixes...)
	for i, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		if part != "" && !strings.ContainsAny(part[len(part)-1:], ".!?") {
			part += "."
		}
		parts[i] = part
	}
	return strings.Join(parts, " ")
}

// problem writes p in the dialect of the client.
func (s *Server) problem(w http.ResponseWriter, r *http.Request, p problem) {
	if p.Type == "" {
		p.Type = "about:blank"
	}
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	p.Instance = r.URL.Path
	a := answer{status: p.Status, cache: cacheNever, vary: "Accept"}
	if p.Status == http.StatusNotFound {
		a.cache = cacheMissing
	}
	if wantsProblem(r) {
		body, err := Encode(p, "  ")
		if err != nil {
			s.log.Error("encode problem", "error", err)
		}
		a.kind, a.body = typeProblem, body
	} else {
		a.kind, a.body = typeText, []byte(p.Title+"\n\n"+p.Detail+"\n")
	}
	s.write(w, r, a)
}

// wantsProblem reports whether the client reads JSON: it says so, or it asked
// the API.
func wantsProblem(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || namesJSON(acceptOf(r))
}

// namesJSON reports whether an Accept header names a JSON type.
func namesJSON(accept string) bool {
	return acceptQuality(accept, "application/json") > 0 || acceptQuality(accept, "application/problem+json") > 0
}

// wrongMethod answers 405 with the methods that work.
func (s *Server) wrongMethod(w http.ResponseWriter, r *http.Request, route *route) {
	w.Header().Set("Allow", route.allow())
	s.problem(w, r, problem{Status: http.StatusMethodNotAllowed,
		Detail: r.URL.Path + " answers " + route.allow() + ". Use " + route.methods[0] + "."})
}
