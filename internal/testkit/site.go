// Package testkit holds what several packages' tests share: fake web sites
// written as text, and a network that reaches nothing but this machine. It is
// for tests only and judges nothing.
package testkit

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Site is a web site made of raw HTTP answers in a txtar archive. A file is
// named by the path and query it answers ("/docs/a?b=c"), for one host only
// when it begins with two slashes ("//other.example/a"). A name that ends in
// "#2" answers from the second request on, and so on. {{origin}} in an answer
// becomes scheme and host of the request. Anything else is 404.
type Site struct {
	mu       sync.Mutex
	answers  map[string]string
	asked    map[string]int
	requests []string
}

// NewSite reads a site; the test fails when an answer is no HTTP.
func NewSite(t testing.TB, archive string) *Site {
	t.Helper()
	s := &Site{answers: map[string]string{}, asked: map[string]int{}}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		s.answers[f.Name] = string(f.Data)
		if _, err := parseAnswer(string(f.Data), nil); err != nil {
			t.Fatalf("answer %s: %v", f.Name, err)
		}
	}
	return s
}

// Requests lists what was asked for, in order, as "path?query"; requests with
// validators end in " if-none-match" or " if-modified-since".
func (s *Site) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

// Forget empties the list of requests, but not the counts behind "#2".
func (s *Site) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// ServeHTTP answers as the archive says.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := s.RoundTrip(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer answer.Body.Close()
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body)
}

// RoundTrip answers without a socket. An answer with an ETag that the request
// names becomes 304.
func (s *Site) RoundTrip(r *http.Request) (*http.Response, error) {
	raw := s.find(r)
	origin := "http://" + r.Host
	if r.URL.Scheme != "" {
		origin = r.URL.Scheme + "://" + r.URL.Host
	}
	answer, err := parseAnswer(strings.ReplaceAll(raw, "{{origin}}", origin), r)
	if err != nil {
		return nil, err
	}
	if tag := answer.Header.Get("ETag"); tag != "" && tag == r.Header.Get("If-None-Match") {
		answer.StatusCode = http.StatusNotModified
		answer.Body = http.NoBody
	}
	return answer, nil
}

func (s *Site) find(r *http.Request) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	host, target := r.Host, r.URL.RequestURI()
	if host == "" {
		host = r.URL.Host
	}
	note := target
	for _, h := range []string{"If-None-Match", "If-Modified-Since"} {
		if r.Header.Get(h) != "" {
			note += " " + strings.ToLower(h)
		}
	}
	s.requests = append(s.requests, note)
	for _, name := range []string{"//" + host + target, target} {
		if _, ok := s.answers[name]; !ok {
			continue
		}
		s.asked[name]++
		for n := s.asked[name]; n > 1; n-- {
			if answer, ok := s.answers[fmt.Sprintf("%s#%d", name, n)]; ok {
				return answer
			}
		}
		return s.answers[name]
	}
	return "HTTP/1.1 404 Not Found\nContent-Type: text/html\n\n<title>Not found</title><p>There is no such page.\n"
}

func parseAnswer(raw string, r *http.Request) (*http.Response, error) {
	answer, err := http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), r)
	if err != nil {
		return nil, err
	}
	// The whole body is there: give it a length, so that it can be sent again.
	body, err := io.ReadAll(answer.Body)
	answer.Body = io.NopCloser(bytes.NewReader(body))
	answer.Header.Del("Connection")
	return answer, err
}
