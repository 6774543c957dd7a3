package web

// This file writes answers: common headers, validators, codings, HEAD and 304.

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// stored is an answer ready for the wire: what can be known before a request is
// worked out once. It is safe for concurrent use.
type stored struct {
	status   int
	kind     string
	route    string // in the metrics
	body     []byte
	modified time.Time
	header   []field     // shared: never changed once built
	length   []string    // of the body as it is
	tags     [3][]string // ETag by coding, nil where the answer has none
	coder    *coder
	once     [2]sync.Once
	coded    [2][]byte // nil: no gain
}

// field is one header field. A list of them is set in half the time that a map
// takes, which is a good part of what a finished answer costs.
type field struct {
	name   string // in canonical form
	values []string
}

func fieldsOf(h http.Header) []field {
	fields := make([]field, 0, len(h))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		fields = append(fields, field{name, h[name]})
	}
	return fields
}

// size is what the answer takes in memory; its codings are counted as if they
// were all there.
func (st *stored) size() int { return len(st.body)*2 + storedOverhead }

// finish works an answer out.
func (s *Server) finish(a answer) *stored {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	st := &stored{status: a.status, kind: a.kind, body: a.body, modified: a.modified, coder: s.coder,
		length: []string{strconv.Itoa(len(a.body))}}
	h := http.Header{}
	for name, values := range a.header {
		h[name] = values
	}
	h.Set("Vary", strings.TrimPrefix(a.vary+", Accept-Encoding", ", "))
	h.Set("Cache-Control", a.cache)
	h.Set("Content-Type", a.kind)
	if a.status == http.StatusOK && a.cache != cacheNever {
		tag := contentTag(a.body)
		for i, coding := range codings() {
			st.tags[i] = []string{etag(tag, coding)}
		}
		if !a.modified.IsZero() {
			h.Set("Last-Modified", a.modified.UTC().Format(http.TimeFormat))
		}
	}
	st.header = fieldsOf(h)
	return st
}

func codings() [3]string { return [3]string{codingNone, codingGzip, codingZstd} }

// in is the body in the coding that the client takes, and which coding that is
// after all: small bodies go as they are.
func (st *stored) in(accept string) (body []byte, coding string) {
	if len(st.body) < minCodedBytes {
		return st.body, codingNone
	}
	coding = codingFor(accept, st.kind)
	if coding == codingNone {
		return st.body, codingNone
	}
	i := 0
	if coding == codingZstd {
		i = 1
	}
	st.once[i].Do(func() {
		if coded, ok := st.coder.compress(st.body, coding); ok {
			st.coded[i] = coded
		}
	})
	if st.coded[i] == nil {
		return st.body, codingNone
	}
	return st.coded[i], coding
}

// setCommonHeaders sets what every response carries.
func (s *Server) setCommonHeaders(h http.Header) {
	h["X-Content-Type-Options"] = s.nosniff
	h["Referrer-Policy"] = s.referrer
	h["Link"] = s.links
}

// commonLinks is the Link header of what has none of its own.
func (s *Server) commonLinks() []string {
	links := `</llms.txt>; rel="describedby"; type="text/markdown"`
	if l := s.options.Policy.LicenceURL(); l != "" {
		links += ", <" + l + `>; rel="license"`
	}
	return []string{links}
}

// write sends an answer that is not kept.
func (s *Server) write(w http.ResponseWriter, r *http.Request, a answer) { s.send(w, r, s.finish(a)) }

// send writes an answer with its validators: 304 when the client has it, no
// body for HEAD.
func (s *Server) send(w http.ResponseWriter, r *http.Request, st *stored) {
	h := w.Header()
	for _, f := range st.header {
		h[f.name] = f.values
	}
	body, coding := st.in(joined(r.Header["Accept-Encoding"]))
	if st.tags[0] != nil {
		tag := st.tags[codingIndex(coding)]
		h["Etag"] = tag
		if notModified(r, tag[0], st.modified) {
			delete(h, "Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h["Content-Length"] = st.length
	if coding != codingNone {
		h["Content-Encoding"], h["Content-Length"] = []string{coding}, []string{strconv.Itoa(len(body))}
	}
	w.WriteHeader(st.status)
	if r.Method == http.MethodHead {
		return
	}
	if len(body) > unwatchedBytes {
		defer until(w, s.now().Add(answerTimeout))()
	}
	_, _ = w.Write(body) // a client that went away is no error of ours
}

// until bounds how long the client may take to read what is written next; the
// connection may be used for other answers once the returned function was called.
func until(w http.ResponseWriter, end time.Time) (clear func()) {
	c := http.NewResponseController(w)
	_ = c.SetWriteDeadline(end) // without support there is none
	return func() { _ = c.SetWriteDeadline(time.Time{}) }
}

func codingIndex(coding string) int {
	for i, c := range codings() {
		if c == coding {
			return i
		}
	}
	return 0
}

// contentTag is half of a body's SHA-256.
func contentTag(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:16])
}

// etag is the strong validator of a body in a coding.
func etag(tag, coding string) string {
	if coding == codingNone {
		return `"` + tag + `"`
	}
	return `"` + tag + "-" + coding + `"`
}

// notModified decides a conditional request as RFC 9110 (13.2.2) says:
// If-None-Match wins over If-Modified-Since.
func notModified(r *http.Request, tag string, modified time.Time) bool {
	if match := joined(r.Header["If-None-Match"]); match != "" {
		for candidate := range strings.SplitSeq(match, ",") {
			candidate = strings.TrimSpace(candidate)
			if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
				return true
			}
		}
		return false
	}
	text := r.Header.Get("If-Modified-Since")
	if modified.IsZero() || text == "" {
		return false
	}
	since, err := http.ParseTime(text)
	return err == nil && !modified.Truncate(time.Second).After(since)
}
