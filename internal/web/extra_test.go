package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
)

// withExtras serves a page that tells what it was asked, and one below it.
func withExtras(o *Options) {
	answer := func(r *http.Request, at View) (Reply, error) {
		if r.URL.Path == "/desk/missing" {
			return Reply{}, evergreen.Errorf(evergreen.NotFound, "there is no %s", r.URL.Path)
		}
		return Reply{Type: typeHTML, Body: fmt.Appendf(nil, "%s %s %s %s %s", r.Method, r.URL.Path, at.Lang, at.Base(), httpguard.AccessOf(r.Context()))}, nil
	}
	o.Extras = []Extra{
		{Path: "/desk", Below: true, Name: "desk", Methods: []string{"GET", "POST"}, Open: true, Answer: answer},
		{Path: "/desk/in", Name: "desk", Methods: []string{"POST"}, Open: true, Metered: true, Answer: answer},
		{Path: "/lab", Name: "lab", Methods: []string{"GET"}, Answer: answer},
	}
}

func TestExtraPages(t *testing.T) {
	s := newServer(&fakeEngine{}, withExtras)
	for _, c := range []struct {
		method, target, want string
		status               int
		headers              []string
	}{
		{"GET", "/desk", "GET /desk en http://localhost read", 200, nil},
		{"GET", "/desk?lang=zh", "GET /desk zh http://localhost read", 200, nil},
		{"GET", "/desk", "GET /desk zh http://localhost read", 200, []string{"Accept-Language: zh"}},
		{"POST", "/desk/index", "POST /desk/index en http://localhost read", 200, nil},
		{"POST", "/desk/index", "POST /desk/index en http://localhost read", 200, []string{"Origin: http://localhost", "Sec-Fetch-Site: same-origin"}},
		{"POST", "/desk/index", "may not use this server", 403, []string{"Origin: https://evil.example"}},
		{"POST", "/desk/index", "may not use this server", 403, []string{"Origin: null"}},
		{"POST", "/desk/index", "may not use this server", 403, []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}},
		{"GET", "/desk", "GET /desk en http://localhost read", 200, []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}},
		{"GET", "/desk/missing", "There is no /desk/missing.", 404, nil},
		{"PUT", "/desk", "answers GET, HEAD, POST, OPTIONS", 405, nil},
		{"GET", "/desk/in", "answers POST, OPTIONS", 405, nil}, // the nearer route wins
		{"GET", "/desks", "/api/context", 404, nil},
		{"GET", "/desk%2findex", "/api/context", 404, nil},
	} {
		r := ask(s, c.method, c.target, c.headers...)
		if got := body(t, r); r.StatusCode != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %s %v: %d %s, want %d with %q", c.method, c.target, c.headers, r.StatusCode, got, c.status, c.want)
		}
		if r.StatusCode == 200 && (r.Header.Get("Cache-Control") != "no-store" || r.Header.Get("Content-Security-Policy") == "" ||
			r.Header.Get("X-Robots-Tag") != "noindex" || r.Header.Get("Access-Control-Allow-Origin") != "" || r.Header.Get("Etag") != "") {
			t.Errorf("%s %s: headers %v", c.method, c.target, r.Header)
		}
	}
}

func TestExtraPagesBehindAReadToken(t *testing.T) {
	s := newServer(&fakeEngine{}, withExtras, func(o *Options) { o.Guard.ReadToken = "sesame" })
	if r := ask(s, "GET", "/lab"); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("a page for readers: %d", r.StatusCode)
	}
	if r := ask(s, "GET", "/lab", "Authorization: Bearer sesame"); r.StatusCode != http.StatusOK {
		t.Errorf("with the token: %d", r.StatusCode)
	}
	if r := ask(s, "GET", "/desk"); body(t, r) != "GET /desk en http://localhost none" {
		t.Errorf("an open page decides itself: %d", r.StatusCode)
	}
}

func TestMeteredPagesCountAsCalls(t *testing.T) {
	s := newLimited(withExtras)
	for range 2 {
		ask(s, "POST", "/desk/in")
	}
	if r := ask(s, "POST", "/desk/in"); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the third at a burst of two: %d", r.StatusCode)
	}
	for range 3 {
		if r := ask(s, "GET", "/desk"); r.StatusCode != http.StatusOK {
			t.Errorf("others count as pages: %d", r.StatusCode)
		}
	}
}

func TestTrafficByTheMinute(t *testing.T) {
	s := newServer(&fakeEngine{}, withExtras)
	now := time.Date(2026, 11, 30, 12, 0, 30, 0, time.UTC)
	s.metrics.now = func() time.Time { return now }
	ask(s, "GET", "/llms.txt")
	now = now.Add(time.Minute)
	ask(s, "GET", "/api/context")
	ask(s, "GET", "/api/context")
	ask(s, "POST", "/desk", "Origin: https://evil.example")
	minutes, routes := s.Traffic()
	if len(minutes) != trafficMinutes || routes["context"] != 2 || routes["desk"] != 1 {
		t.Fatalf("%d minutes, %v", len(minutes), routes)
	}
	last, before := minutes[trafficMinutes-1], minutes[trafficMinutes-2]
	if last.Total() != 3 || last.Routes["context"] != 2 || last.Refused != 1 || last.Failed != 0 || !last.Start.Equal(now.Truncate(time.Minute)) {
		t.Errorf("this minute: %+v", last)
	}
	if before.Total() != 1 || before.Routes[routeResource] != 1 {
		t.Errorf("the minute before: %+v", before)
	}
	now = now.Add((trafficMinutes - 1) * time.Minute)
	if minutes, _ = s.Traffic(); minutes[0].Total() != 3 {
		t.Errorf("the oldest minute that is remembered: %+v", minutes[0])
	}
	now = now.Add(time.Minute) // its place in the ring is another minute's
	if minutes, _ = s.Traffic(); minutes[0].Total() != 0 || minutes[trafficMinutes-1].Total() != 0 {
		t.Errorf("an hour without requests: %+v", minutes[0])
	}
}
