package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"evergreen"
	"evergreen/internal/testkit"
)

// middleman is a proxy on loopback that leads everything to one server, and
// notes what it was asked for.
type middleman struct {
	*httptest.Server
	to       string // address that all names lead to
	password string // of user "u"; "" asks for none
	refuses  string // a host that it does not lead to

	mu    sync.Mutex
	asked []string
}

func newMiddleman(t *testing.T, to string) *middleman {
	t.Helper()
	m := &middleman{to: to}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

func (m *middleman) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	m.asked = append(m.asked, r.Method+" "+r.Host)
	m.mu.Unlock()
	login := &http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}
	_, password, _ := login.BasicAuth()
	switch {
	case m.password != password:
		w.WriteHeader(http.StatusProxyAuthRequired)
	case m.refuses != "" && strings.HasPrefix(r.Host, m.refuses):
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodConnect:
		m.tunnel(w)
	default:
		out := r.Clone(r.Context())
		out.URL.Host, out.RequestURI = m.to, ""
		out.Header.Del("Proxy-Authorization")
		answer, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body)
	}
}

func (m *middleman) tunnel(w http.ResponseWriter) {
	far, err := net.Dial("tcp", m.to)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	near, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		far.Close()
		return
	}
	_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(far, near); far.Close() }()
	_, _ = io.Copy(near, far)
	near.Close()
}

func (m *middleman) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// behind makes a client of the proxy. This machine knows the names of the list.
func behind(t *testing.T, m *middleman, names map[string][][]string, change ...func(*Options)) *Client {
	t.Helper()
	proxy, err := url.Parse(m.URL)
	if err != nil {
		t.Fatal(err)
	}
	opts := Defaults()
	opts.Retries, opts.Proxy, opts.Resolver = 0, proxy, testkit.NewNames(names)
	for _, f := range change {
		f(&opts)
	}
	client := New(opts)
	t.Cleanup(client.CloseIdle)
	return client
}

func hello(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	_, _ = io.WriteString(w, "hello from "+r.Host)
}

// TestProxyIsAsked fetches http pages and, through a tunnel, https ones by way of
// a proxy on this machine, by names that are public and names that only the
// proxy knows.
func TestProxyIsAsked(t *testing.T) {
	plain, secure := httptest.NewServer(http.HandlerFunc(hello)), httptest.NewTLSServer(http.HandlerFunc(hello))
	defer plain.Close()
	defer secure.Close()
	names := map[string][][]string{"example.com": {{"93.184.216.34"}}}
	m := newMiddleman(t, plain.Listener.Addr().String())
	client := behind(t, m, names)
	for _, address := range []string{"http://example.com/a", "http://docs.inside/b", "http://93.184.216.34/c"} {
		r, err := client.Get(t.Context(), Request{URL: address})
		if err != nil || !strings.HasPrefix(string(r.Body), "hello from ") {
			t.Errorf("%s: %v", address, err)
		}
	}
	tunnel := newMiddleman(t, secure.Listener.Addr().String())
	client = behind(t, tunnel, names, func(o *Options) {
		roots := x509.NewCertPool()
		roots.AddCert(secure.Certificate())
		o.TLS = &tls.Config{RootCAs: roots}
	})
	if r, err := client.Get(t.Context(), Request{URL: "https://example.com/a"}); err != nil || string(r.Body) != "hello from example.com" {
		t.Errorf("by a tunnel: %v", err)
	}
	if got := append(m.requests(), tunnel.requests()...); !slices.Equal(got, []string{"GET example.com", "GET docs.inside", "GET 93.184.216.34", "CONNECT example.com:443"}) {
		t.Errorf("the proxies were asked for %q", got)
	}
}

// TestProxyIsNotAskedForPrivateAddresses wants the guard to judge what a proxy
// would be asked for: addresses in URLs, names by their addresses, redirects.
func TestProxyIsNotAskedForPrivateAddresses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		hello(w, r)
	}))
	defer server.Close()
	names := map[string][][]string{
		"public.example": {{"93.184.216.34"}}, "private.example": {{"10.0.0.5"}}, "mapped.example": {{"::ffff:169.254.169.254"}},
		"both.example": {{"93.184.216.34", "127.0.0.1"}}, "turns.example": {{"93.184.216.34"}, {"127.0.0.1"}},
	}
	m := newMiddleman(t, server.Listener.Addr().String())
	client := behind(t, m, names)
	if _, err := client.Get(t.Context(), Request{URL: "http://turns.example/"}); err != nil {
		t.Fatal(err)
	}
	before := len(m.requests())
	for _, host := range []string{"127.0.0.1", "[::1]", "2130706433", "0x7f.1", "localhost", "a.localhost", "10.0.0.5", "169.254.169.254",
		"private.example", "mapped.example", "both.example", "turns.example"} {
		if _, err := client.Get(t.Context(), Request{URL: "http://" + host + "/"}); evergreen.KindOf(err) != evergreen.Blocked {
			t.Errorf("%s: %v", host, err)
		}
	}
	if asked := m.requests(); len(asked) != before {
		t.Errorf("the proxy was asked for %q", asked[before:])
	}
	for _, to := range []string{"http://private.example/", "http://127.0.0.1/"} {
		if _, err := client.Get(t.Context(), Request{URL: "http://public.example/?to=" + to}); evergreen.KindOf(err) != evergreen.Blocked {
			t.Errorf("a redirect to %s: %v", to, err)
		}
	}
	open := behind(t, m, names, func(o *Options) { o.AllowPrivate = true })
	for _, host := range []string{"private.example", "127.0.0.1", "both.example"} {
		if _, err := open.Get(t.Context(), Request{URL: "http://" + host + "/"}); err != nil {
			t.Errorf("%s, allowed: %v", host, err)
		}
	}
}

// TestProxyThatRefuses tells which proxy refused what and what to do, without
// the password, and asks it once.
func TestProxyThatRefuses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(hello))
	defer server.Close()
	m := newMiddleman(t, server.Listener.Addr().String())
	m.password, m.refuses = "secret", "closed.example"
	for _, tc := range []struct{ user, address, says string }{
		{"", "http://a.example/", "407"},
		{"", "https://a.example/", "407"},
		{"u:wrong", "http://a.example/", "407"},
		{"u:secret", "https://closed.example/", "403"},
		{"u:secret", "http://a.example/", ""},
	} {
		before := len(m.requests())
		client := behind(t, m, nil, func(o *Options) {
			o.Retries = 2
			if name, password, ok := strings.Cut(tc.user, ":"); ok {
				own := *o.Proxy
				own.User = url.UserPassword(name, password)
				o.Proxy = &own
			}
		})
		_, err := client.Get(t.Context(), Request{URL: tc.address})
		if tc.says == "" {
			if err != nil {
				t.Errorf("%s: %v", tc.address, err)
			}
			continue
		}
		all := strings.Join(append(evergreen.Hints(err), err.Error()), " ")
		if evergreen.KindOf(err) != evergreen.Upstream || !strings.Contains(all, "the proxy "+m.Listener.Addr().String()) || !strings.Contains(all, tc.says) {
			t.Errorf("%s as %q: %v", tc.address, tc.user, err)
		}
		if strings.Contains(all, "secret") || strings.Contains(all, "wrong") || len(m.requests()) != before+1 {
			t.Errorf("%s as %q: says %s, asked %d times", tc.address, tc.user, all, len(m.requests())-before)
		}
	}
	m.Close()
	if _, err := behind(t, m, nil).Get(t.Context(), Request{URL: "https://a.example/"}); evergreen.KindOf(err) != evergreen.Upstream || !strings.Contains(err.Error(), "proxy") {
		t.Errorf("a proxy that is not there: %v", err)
	}
}

// TestProxyOfTheEnvironmentIsNotAsked names none, so none is used.
func TestProxyOfTheEnvironmentIsNotAsked(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	base, client := serve(t, http.HandlerFunc(hello))
	if _, err := client.Get(t.Context(), Request{URL: base + "/"}); err != nil {
		t.Error(err)
	}
}

// TestCacheBehindAProxy keeps what may come from a private network from those who
// may not reach one.
func TestCacheBehindAProxy(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(hello))
	defer server.Close()
	m := newMiddleman(t, server.Listener.Addr().String())
	dir := t.TempDir()
	names := map[string][][]string{"public.example": {{"93.184.216.34"}}, "private.example": {{"10.0.0.5"}}}
	for _, allowed := range []bool{true, false} {
		client := behind(t, m, names, func(o *Options) { o.AllowPrivate, o.CacheDir = allowed, dir })
		for host, fromCache := range map[string]bool{"public.example": !allowed, "unknown.example": false} {
			if r, err := client.Get(t.Context(), Request{URL: "http://" + host + "/"}); err != nil || r.FromCache != fromCache {
				t.Errorf("%s, private allowed %v: from the cache %v, %v", host, allowed, r.FromCache, err)
			}
		}
		if _, err := client.Get(t.Context(), Request{URL: "http://private.example/"}); (err == nil) != allowed {
			t.Errorf("private.example, private allowed %v: %v", allowed, err)
		}
	}
}

// silent is a resolver that never answers.
type silent struct{ asked chan string }

func (s silent) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	s.asked <- host
	<-ctx.Done()
	return nil, errors.Join(errors.New("no answer"), ctx.Err())
}

// TestNamesNobodyAnswersFor waits once for a resolver that does not answer, and
// leaves the name to the proxy from then on.
func TestNamesNobodyAnswersFor(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a resolver")
	}
	server := httptest.NewServer(http.HandlerFunc(hello))
	defer server.Close()
	m := newMiddleman(t, server.Listener.Addr().String())
	asked := make(chan string, 3)
	proxy, err := url.Parse(m.URL)
	if err != nil {
		t.Fatal(err)
	}
	opts := Defaults()
	opts.Proxy, opts.Resolver = proxy, silent{asked}
	client := New(opts)
	defer client.CloseIdle()
	for range 3 {
		if _, err := client.Get(t.Context(), Request{URL: "http://docs.inside/"}); err != nil {
			t.Error(err)
		}
	}
	if len(asked) != 1 {
		t.Errorf("the resolver was asked %d times", len(asked))
	}
}
