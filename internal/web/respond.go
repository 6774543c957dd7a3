package web

// This file writes answers: common headers, validators, HEAD and 304.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Media types, as sent.
const (
	typeJSON     = "application/json; charset=utf-8"
	typeProblem  = "application/problem+json"
	typeText     = "text/plain; charset=utf-8"
	typeMarkdown = "text/markdown; charset=utf-8"
	typeHTML     = "text/html; charset=utf-8"
)

// answer is a whole response before it meets the wire. Zero values mean: 200,
// the route's caching, no further headers.
type answer struct {
	status   int
	kind     string // media type
	body     []byte
	cache    string
	vary     string
	modified time.Time
	header   http.Header
}

// setCommonHeaders sets what every response carries.
func (s *Server) setCommonHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h["Link"] = s.links()
}

// links are the Link headers of every response; only what is served is named.
func (s *Server) links() []string {
	var links []string
	if s.serves("/llms.txt") {
		links = append(links, `</llms.txt>; rel="describedby"; type="text/markdown"`)
	}
	if l := s.options.Site.Licence; strings.HasPrefix(l, "http://") || strings.HasPrefix(l, "https://") {
		links = append(links, "<"+l+`>; rel="license"`)
	}
	return links
}

// answerRoute asks the route and writes what it says, or the problem.
func (s *Server) answerRoute(w http.ResponseWriter, r *http.Request, route *route) {
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Timeout)
	defer cancel()
	began := time.Now()
	a, err := route.answer(r.WithContext(ctx))
	if err != nil {
		s.problem(w, r, s.problemOf(r, err))
		return
	}
	if route.timed {
		ms := float64(time.Since(began).Microseconds()) / 1000
		w.Header().Set("Server-Timing", "answer;dur="+strconv.FormatFloat(ms, 'f', -1, 64))
	}
	if a.cache == "" {
		a.cache = route.cache
	}
	if a.vary == "" {
		a.vary = route.vary
	}
	s.write(w, r, a)
}

// write sends an answer with its validators: 304 when the client has it, no
// body for HEAD.
func (s *Server) write(w http.ResponseWriter, r *http.Request, a answer) {
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	if a.status == 0 {
		a.status = http.StatusOK
	}
	h.Set("Vary", strings.TrimPrefix(a.vary+", Accept-Encoding", ", "))
	h.Set("Cache-Control", a.cache)
	if a.status == http.StatusOK && a.cache != cacheNever {
		tag := etag(a.body)
		h.Set("ETag", tag)
		if !a.modified.IsZero() {
			h.Set("Last-Modified", a.modified.UTC().Format(http.TimeFormat))
		}
		if notModified(r, tag, a.modified) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.body) // a client that went away is no error of ours
	}
}

// etag is the strong validator of a body: half of its SHA-256.
func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// notModified decides a conditional request as RFC 9110 (13.2.2) says:
// If-None-Match wins over If-Modified-Since.
func notModified(r *http.Request, tag string, modified time.Time) bool {
	if match := strings.Join(r.Header.Values("If-None-Match"), ","); match != "" {
		for candidate := range strings.SplitSeq(match, ",") {
			candidate = strings.TrimSpace(candidate)
			if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	return err == nil && !modified.IsZero() && !modified.Truncate(time.Second).After(since)
}
