package fetch

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"evergreen"
	"evergreen/internal/testkit"

	"github.com/google/go-cmp/cmp"
)

func TestRedirectsThatAreRefused(t *testing.T) {
	site := testkit.NewSite(t, `
-- //docs.example.com/loop --
HTTP/1.1 302 Found
Location: /loop2

-- //docs.example.com/loop2 --
HTTP/1.1 302 Found
Location: /loop

-- //docs.example.com/private --
HTTP/1.1 302 Found
Location: http://169.254.169.254/latest/

-- //docs.example.com/inside --
HTTP/1.1 302 Found
Location: http://intranet.example.com/secret

-- //docs.example.com/file --
HTTP/1.1 302 Found
Location: file:///etc/passwd

-- //docs.example.com/user --
HTTP/1.1 302 Found
Location: http://admin:pw@docs.example.com/

-- //docs.example.com/0 --
HTTP/1.1 302 Found
Location: /1

-- //docs.example.com/1 --
HTTP/1.1 302 Found
Location: /2

-- //docs.example.com/2 --
HTTP/1.1 302 Found
Location: /3

-- //docs.example.com/3 --
HTTP/1.1 302 Found
Location: /4

-- //docs.example.com/4 --
HTTP/1.1 302 Found
Location: /5

-- //docs.example.com/5 --
HTTP/1.1 302 Found
Location: /6

-- //docs.example.com/6 --
HTTP/1.1 200 OK
Content-Type: text/plain

arrived
`)
	server := httptest.NewServer(site)
	defer server.Close()
	opts := Defaults()
	opts.Resolver = testkit.NewNames(map[string][][]string{"docs.example.com": {{"93.184.216.34"}}, "intranet.example.com": {{"10.0.0.5"}}})
	opts.Dial = testkit.DialTo(server.Listener.Addr().String(), func(address string) {
		if address != "93.184.216.34:80" {
			t.Errorf("dialled %s", address)
		}
	})
	client := New(opts)
	defer client.CloseIdle()
	for path, want := range map[string]evergreen.Kind{
		"loop": evergreen.Upstream, "private": evergreen.Blocked, "inside": evergreen.Blocked, "file": evergreen.Blocked,
		"user": evergreen.Blocked, "0": evergreen.Upstream, "1": "",
	} {
		r, err := client.Get(t.Context(), Request{URL: "http://docs.example.com/" + path})
		if got := evergreen.KindOf(err); got != want {
			t.Errorf("%s: %q (%v), want %q", path, got, err, want)
		}
		if want == "" && (r == nil || len(r.Redirects) != DefaultMaxRedirects) {
			t.Errorf("%s: %+v, want %d redirects", path, r, DefaultMaxRedirects)
		}
	}
	for _, r := range site.Requests() {
		if r == "/secret" || r == "/latest/" {
			t.Errorf("the request for %s was sent", r)
		}
	}
}

func TestNoWayBackFromTLS(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the plain request was sent") }))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/other" {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "secure")
			return
		}
		http.Redirect(w, r, map[string]string{"/down": plain.URL, "/up": "https://" + r.Host + "/other"}[r.URL.Path], http.StatusFound)
	}))
	defer secure.Close()
	opts := Defaults()
	opts.AllowPrivate = true
	opts.TLS = &tls.Config{RootCAs: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	client := New(opts)
	defer client.CloseIdle()
	if _, err := client.Get(t.Context(), Request{URL: secure.URL + "/down"}); evergreen.KindOf(err) != evergreen.Blocked {
		t.Errorf("https to http: %v, want blocked", err)
	}
	if r, err := client.Get(t.Context(), Request{URL: secure.URL + "/up"}); err != nil || string(r.Body) != "secure" {
		t.Errorf("https to https: %v", err)
	}
	opts.TLS = nil
	if _, err := New(opts).Get(t.Context(), Request{URL: secure.URL + "/other"}); evergreen.KindOf(err) != evergreen.Upstream {
		t.Errorf("unknown certificate: %v, want upstream", err)
	}
}

func TestLoopThatEndsWithACookie(t *testing.T) {
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("seen"); err != nil {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1", Path: "/"})
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return
		}
		fmt.Fprint(w, "welcome")
	}))
	r, err := client.Get(t.Context(), Request{URL: base + "/page"})
	if err != nil || string(r.Body) != "welcome" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestHopIsAskedFirst(t *testing.T) {
	site := testkit.NewSite(t, "-- /a --\nHTTP/1.1 302 Found\nLocation: /b\n\n-- /b --\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nb\n")
	base, client := serve(t, site, func(o *Options) { o.CacheDir = t.TempDir() })
	if r, err := client.Get(t.Context(), Request{URL: base + "/a"}); err != nil || r.Status != 200 {
		t.Fatalf("without a say: %+v, %v", r, err)
	}
	site.Forget()
	refuse := func(to *url.URL) bool { return to.Path != "/b" }
	r, err := client.Get(t.Context(), Request{URL: base + "/a", Hop: refuse})
	if err != nil || r.Status != 302 || r.Location != base+"/b" {
		t.Errorf("got %+v, %v", r, err)
	}
	if diff := cmp.Diff([]string{"/a"}, site.Requests()); diff != "" {
		t.Error(diff)
	}
}

func TestHeadersStayAtHome(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "key:", r.Header.Get("X-Key"))
	}))
	defer other.Close()
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/home":
			http.Redirect(w, r, "/", http.StatusFound)
		default:
			fmt.Fprint(w, "key:", r.Header.Get("X-Key"))
		}
	}))
	for path, want := range map[string]string{"/": "key:s3", "/home": "key:s3", "/away": "key:"} {
		r, err := client.Get(t.Context(), Request{URL: base + path, Header: http.Header{"x-key": {"s3"}}})
		if err != nil || string(r.Body) != want {
			t.Errorf("%s: %q, %v, want %q", path, r.Body, err, want)
		}
	}
}
