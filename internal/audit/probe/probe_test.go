package probe_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/audit/probe"
)

func client(t *testing.T, h http.HandlerFunc, o probe.Options) (*probe.Client, *httptest.Server) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, err := probe.New(server.URL+"/", o)
	if err != nil {
		t.Fatal(err)
	}
	return c, server
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"", "docs.example.com", "ftp://example.com", "http://", "/docs", "http://a b"} {
		if _, err := probe.New(bad, probe.Options{}); evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
	c, err := probe.New("https://Docs.Example.com/a/?x=1#y", probe.Options{})
	if err != nil || c.Base() != "https://docs.example.com/a" || c.Origin() != "https://docs.example.com" {
		t.Errorf("%v %v", c, err)
	}
}

func TestPathsStandBelowTheBaseAndGoOutAsTheyAre(t *testing.T) {
	var got []string
	c, _ := client(t, func(_ http.ResponseWriter, r *http.Request) { got = append(got, r.RequestURI) }, probe.Options{})
	c.Get(t.Context(), "/a?b=%E5%B9%BB")
	c.Do(t.Context(), probe.Request{URL: "/../%2e%2e/x%5cy", Raw: true})
	if want := "[/a?b=%E5%B9%BB /../%2e%2e/x%5cy]"; fmt.Sprint(got) != want {
		t.Errorf("asked for %v, want %s", got, want)
	}
}

func TestRedirects(t *testing.T) {
	c, server := client(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/a":
			http.Redirect(w, r, "/b", http.StatusMovedPermanently)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/mail":
			w.Header().Set("Location", "mailto:a@example.com")
			w.WriteHeader(302)
		case "/see":
			http.Redirect(w, r, "/b", http.StatusSeeOther)
		default:
			fmt.Fprint(w, r.Method, r.URL.Path)
		}
	}, probe.Options{})
	a := c.Get(t.Context(), "/a")
	if !a.OK() || a.FinalURL != server.URL+"/b" || len(a.Redirects) != 1 || a.Text() != "GET/b" {
		t.Errorf("%+v", a)
	}
	if !strings.Contains(a.Said(), "from "+server.URL+"/b") {
		t.Error(a.Said())
	}
	if a := c.Do(t.Context(), probe.Request{URL: "/a", Stay: true}); a.Status != 301 || a.OK() {
		t.Errorf("%+v", a)
	}
	if a := c.Get(t.Context(), "/loop"); a.Err == nil || a.OK() || len(a.Redirects) != 20 {
		t.Errorf("%v after %d", a.Err, len(a.Redirects))
	}
	if a := c.Get(t.Context(), "/mail"); a.Status != 302 {
		t.Errorf("%+v", a)
	}
	if a := c.Do(t.Context(), probe.Request{Method: "POST", URL: "/see", Body: "x"}); a.Text() != "GET/b" {
		t.Errorf("%q", a.Text())
	}
}

func TestEqualRequestsAreAskedOnce(t *testing.T) {
	n := 0
	c, _ := client(t, func(http.ResponseWriter, *http.Request) { n++ }, probe.Options{})
	c.Get(t.Context(), "/")
	c.Get(t.Context(), "/")
	c.Markdown(t.Context(), "/")
	c.Markdown(t.Context(), "/")
	if n != 2 {
		t.Errorf("%d requests", n)
	}
	if s := (probe.Request{URL: "/x", Header: map[string]string{"B": "2", "A": "1"}}).String(); s != "GET /x, A: 1, B: 2" {
		t.Error(s)
	}
}

func TestABusyServerIsAskedAgain(t *testing.T) {
	for _, tt := range []struct {
		after  string
		asked  int
		waited time.Duration
	}{{"2", 3, 4 * time.Second}, {"61", 1, 0}, {"0", 1, 0}, {"", 1, 0}} {
		n, waited := 0, time.Duration(0)
		c, _ := client(t, func(w http.ResponseWriter, _ *http.Request) {
			n++
			w.Header().Set("Retry-After", tt.after)
			w.WriteHeader(429)
		}, probe.Options{Sleep: func(_ context.Context, d time.Duration) error { waited += d; return nil }})
		if a := c.Get(t.Context(), "/"); a.Status != 429 || n != tt.asked || waited != tt.waited {
			t.Errorf("Retry-After %q: %d requests, waited %v", tt.after, n, waited)
		}
		n = 0
		if c.Ask(t.Context(), probe.Request{URL: "/"}); n != 1 {
			t.Errorf("Ask asked %d times", n)
		}
	}
}

func TestBodiesAreBounded(t *testing.T) {
	size := 10 << 20
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) {
		n := size
		if r.URL.Path == "/more" {
			n++
		}
		_, _ = w.Write([]byte(strings.Repeat("x", n)))
	}, probe.Options{})
	if a := c.Get(t.Context(), "/"); a.Cut || len(a.Body) != size {
		t.Errorf("%d bytes, cut %v", len(a.Body), a.Cut)
	}
	if a := c.Get(t.Context(), "/more"); !a.Cut || len(a.Body) != size {
		t.Errorf("%d bytes, cut %v", len(a.Body), a.Cut)
	}
}

func TestSlowServers(t *testing.T) {
	stop := make(chan struct{})
	c, _ := client(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-stop:
		}
	}, probe.Options{Timeout: 20 * time.Millisecond})
	defer close(stop)
	if a := c.Get(t.Context(), "/"); a.Err == nil || !strings.Contains(a.Said(), "no answer within 20ms") {
		t.Error(a.Said())
	}
}

func TestOtherHostsMustBePublic(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") }))
	defer other.Close()
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	c, _ := client(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, http.StatusFound) }, probe.Options{})
	if a := c.Get(t.Context(), "/"); a.Err == nil || !strings.Contains(a.Said(), "not on the public internet") {
		t.Error(a.Said())
	}
	for _, host := range []string{"http://10.0.0.1/", "http://[::1]:1/", "http://169.254.169.254/latest"} {
		if a := c.Get(t.Context(), host); a.Err == nil || !strings.Contains(a.Said(), "not on the public internet") {
			t.Errorf("%s: %s", host, a.Said())
		}
	}
}

func TestWhatAnAnswerIs(t *testing.T) {
	for kind, html := range map[string]bool{"text/html; charset=utf-8": true, "application/xhtml+xml": true, "text/plain": false, "": true} {
		a := probe.Answer{Status: 200, Header: http.Header{"Content-Type": {kind}}, Body: []byte(" <p>")}
		if kind == "" {
			a.Header = http.Header{}
		}
		if a.HTML() != html {
			t.Errorf("%q: %v", kind, a.HTML())
		}
	}
}
