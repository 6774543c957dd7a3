package fetch

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/testkit"

	"github.com/google/go-cmp/cmp"
)

// serve starts a server and a client that may reach it. Pauses take no time.
func serve(t *testing.T, handler http.Handler, change ...func(*Options)) (string, *Client) {
	t.Helper()
	server := httptest.NewServer(handler)
	opts := Defaults()
	opts.AllowPrivate = true
	opts.Dial = testkit.Dial
	opts.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	for _, f := range change {
		f(&opts)
	}
	client := New(opts)
	t.Cleanup(func() {
		client.CloseIdle()
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL, client
}

func TestGet(t *testing.T) {
	site := testkit.NewSite(t, `
-- /page --
HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8
ETag: "1"
Last-Modified: Mon, 30 Nov 2026 10:00:00 GMT
Link: </page.md>; rel="alternate"; type="text/markdown"
X-Robots-Tag: noarchive

<title>Page</title>
-- /old --
HTTP/1.1 301 Moved Permanently
Location: /older

-- /older --
HTTP/1.1 307 Temporary Redirect
Location: page

-- /broken --
HTTP/1.1 500 Internal Server Error
Content-Type: text/plain

sorry
-- /image404 --
HTTP/1.1 404 Not Found
Content-Type: image/png

no picture
-- /nowhere --
HTTP/1.1 302 Found

-- /choices --
HTTP/1.1 300 Multiple Choices
Content-Type: text/plain
Location: /page

choose
`)
	base, client := serve(t, site, func(o *Options) {
		o.Platform = func(url, media string, text []byte) string { return media + " " + string(text[:min(3, len(text))]) }
	})
	fixed := func(r *Result) *Result { r.FetchedAt = time.Time{}; return r }
	got, err := client.Get(t.Context(), Request{URL: base + "/old#part"})
	if err != nil {
		t.Fatal(err)
	}
	want := &Result{
		URL: base + "/old", FinalURL: base + "/page", Status: 200, ContentType: "text/html; charset=utf-8", Charset: "utf-8",
		Platform: "text/html <ti", Bytes: 20, Body: []byte("<title>Page</title>\n"),
		Redirects:    []Redirect{{301, base + "/old", base + "/older"}, {307, base + "/older", base + "/page"}},
		ETag:         `"1"`,
		LastModified: "Mon, 30 Nov 2026 10:00:00 GMT",
		Links:        []string{`</page.md>; rel="alternate"; type="text/markdown"`}, RobotsTag: []string{"noarchive"},
	}
	if diff := cmp.Diff(want, fixed(got)); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]struct {
		status int
		body   string
	}{
		"/broken": {500, "sorry\n"}, "/image404": {404, ""}, "/nowhere": {302, ""}, "/choices": {300, "choose\n"}, "/missing": {404, "<title>Not found</title><p>There is no such page.\n"},
	} {
		r, err := client.Get(t.Context(), Request{URL: base + path})
		if err != nil || r.Status != want.status || string(r.Body) != want.body {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
	}
}

func TestResultJSON(t *testing.T) {
	data, err := json.Marshal(Result{URL: "https://a/", FinalURL: "https://a/", Status: 200, Redirects: []Redirect{}, Body: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"url":"https://a/","final_url":"https://a/","status":200,"content_type":"","charset":"","charset_warning":"","platform":"","from_cache":false,"redirects":[],"bytes":0}`
	if string(data) != want {
		t.Errorf("got %s", data)
	}
}

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

func TestTooLarge(t *testing.T) {
	const most = 64 << 10
	zeros := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	pack := func(data []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(data)
		w.Close()
		return b.Bytes()
	}
	bodies := map[string]struct {
		coding string
		body   []byte
		large  bool
	}{
		"/exact":      {"", zeros(most), false},
		"/over":       {"", zeros(most + 1), true},
		"/exact-gzip": {"gzip", pack(zeros(most)), false},
		"/bomb":       {"gzip", pack(zeros(most + 1)), true},
		"/bomb2":      {"gzip, gzip", pack(pack(zeros(10 << 20))), true},
	}
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		b, ok := bodies[r.URL.Path]
		if !ok { // endless, and without a length
			for r.Context().Err() == nil {
				if _, err := w.Write(zeros(4 << 10)); err != nil {
					return
				}
			}
		}
		if b.coding != "" {
			w.Header().Set("Content-Encoding", b.coding)
		}
		w.Write(b.body)
	}), func(o *Options) { o.MaxBytes = most })
	for path, b := range bodies {
		r, err := client.Get(t.Context(), Request{URL: base + path})
		if large := evergreen.KindOf(err) == evergreen.TooLarge; large != b.large || err != nil && !large {
			t.Errorf("%s: %v, want too large %v", path, err, b.large)
		}
		if err == nil && len(r.Body) != most {
			t.Errorf("%s: %d bytes", path, len(r.Body))
		}
	}
	if _, err := client.Get(t.Context(), Request{URL: base + "/endless"}); evergreen.KindOf(err) != evergreen.TooLarge {
		t.Errorf("endless body: %v", err)
	}
}

func TestContentCodings(t *testing.T) {
	var zlibbed, deflated bytes.Buffer
	zw := zlib.NewWriter(&zlibbed)
	zw.Write([]byte("hello"))
	zw.Close()
	deflated.Write(zlibbed.Bytes()[2 : zlibbed.Len()-4]) // zlib's head and sum around raw deflate
	bodies := map[string]struct {
		coding, body, want string
		kind               evergreen.Kind
	}{
		"/zlib":     {"deflate", zlibbed.String(), "hello", ""},
		"/deflate":  {"deflate", deflated.String(), "hello", ""},
		"/identity": {"identity", "hello", "hello", ""},
		"/empty":    {"gzip", "", "", ""},
		"/brotli":   {"br", "hello", "", evergreen.Upstream},
		"/not-gzip": {"gzip", "hello, this is no gzip at all", "", evergreen.Upstream},
		"/too-many": {"gzip, gzip, gzip", "x", "", evergreen.Upstream},
		"/bad-zlib": {"deflate", "\x78\x9c\xff\xff\xff\xff\xff\xff", "", evergreen.Upstream},
	}
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := bodies[r.URL.Path]
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Encoding", b.coding)
		io.WriteString(w, b.body)
	}))
	for path, b := range bodies {
		r, err := client.Get(t.Context(), Request{URL: base + path})
		if evergreen.KindOf(err) != b.kind {
			t.Errorf("%s: %v, want %q", path, err, b.kind)
		}
		if err == nil && string(r.Body) != b.want {
			t.Errorf("%s: %q", path, r.Body)
		}
	}
}

func TestTimeouts(t *testing.T) {
	hold := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			hold(w, r)
		case "/slow": // sends its head, then a byte now and then
			w.Header().Set("Content-Type", "text/plain")
			for r.Context().Err() == nil {
				w.Write([]byte("."))
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		case "/chain": // the limit holds for the whole chain, not for each hop
			time.Sleep(60 * time.Millisecond)
			http.Redirect(w, r, fmt.Sprintf("/chain?%s1", r.URL.RawQuery), http.StatusFound)
		case "/later":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}), func(o *Options) { o.Timeout = 150 * time.Millisecond })
	for _, path := range []string{"/silent", "/slow", "/chain"} {
		if _, err := client.Get(t.Context(), Request{URL: base + path}); evergreen.KindOf(err) != evergreen.Timeout {
			t.Errorf("%s: %v, want a timeout", path, err)
		}
	}
	// A pause beyond the limit is not waited for: the answer is told at once.
	if r, err := client.Get(t.Context(), Request{URL: base + "/later"}); err != nil || r.Status != 503 || r.RetryAfter != time.Hour {
		t.Errorf("/later: %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := client.Get(ctx, Request{URL: base + "/silent"}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestRetries(t *testing.T) {
	var calls atomic.Int32
	var pauses []time.Duration
	drop := func(w http.ResponseWriter) {
		c, _, _ := w.(http.Hijacker).Hijack()
		c.Close()
	}
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := calls.Add(1)
		switch r.URL.Path {
		case "/third-time":
			if n < 3 {
				drop(w)
				return
			}
			fmt.Fprint(w, "ok")
		case "/cut": // promises more than it sends
			if n < 2 {
				w.Header().Set("Content-Length", "100")
				w.Write([]byte("only this"))
				return
			}
			fmt.Fprint(w, "ok")
		case "/never":
			drop(w)
		case "/500":
			w.WriteHeader(500)
		case "/429":
			if n < 2 {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			fmt.Fprint(w, "ok")
		case "/429-without":
			w.WriteHeader(http.StatusTooManyRequests)
		case "/429-always":
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}), func(o *Options) {
		o.Sleep = func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	})
	tests := []struct {
		path   string
		calls  int32
		pauses []time.Duration
		status int // 0 is an error
	}{
		{"/third-time", 3, []time.Duration{retryPause, 2 * retryPause}, 200},
		{"/cut", 2, []time.Duration{retryPause}, 200},
		{"/never", 3, []time.Duration{retryPause, 2 * retryPause}, 0},
		{"/500", 1, nil, 500},
		{"/429", 2, []time.Duration{7 * time.Second}, 200},
		{"/429-without", 1, nil, 429},
		{"/429-always", 3, []time.Duration{time.Second, time.Second}, 429},
	}
	for _, tt := range tests {
		calls.Store(0)
		pauses = nil
		// The transport itself retries on a reused connection; use a new one.
		client.CloseIdle()
		r, err := client.Get(t.Context(), Request{URL: base + tt.path})
		if tt.status == 0 && evergreen.KindOf(err) != evergreen.Upstream {
			t.Errorf("%s: %v, want an upstream error", tt.path, err)
		}
		if tt.status != 0 && (err != nil || r.Status != tt.status) {
			t.Errorf("%s: %+v, %v, want status %d", tt.path, r, err, tt.status)
		}
		if calls.Load() != tt.calls {
			t.Errorf("%s: %d requests, want %d", tt.path, calls.Load(), tt.calls)
		}
		if diff := cmp.Diff(tt.pauses, pauses); diff != "" {
			t.Errorf("%s: %s", tt.path, diff)
		}
	}
}

func TestUnknownHostIsNotAskedAgain(t *testing.T) {
	opts := Defaults()
	opts.Resolver = testkit.NewNames(nil)
	opts.Sleep = func(context.Context, time.Duration) error { t.Error("waited"); return nil }
	_, err := New(opts).Get(t.Context(), Request{URL: "http://nobody.example.com/"})
	if evergreen.KindOf(err) != evergreen.Upstream {
		t.Errorf("got %v", err)
	}
}

func TestDeadAddressIsPassedOver(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") }))
	defer server.Close()
	opts := Defaults()
	opts.Resolver = testkit.NewNames(map[string][][]string{"docs.example.com": {{"93.184.216.34", "93.184.216.35", "93.184.216.36"}}})
	opts.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		switch address {
		case "93.184.216.34:80":
			return nil, errors.New("refused")
		case "93.184.216.35:80": // never answers
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return testkit.Dial(ctx, network, server.Listener.Addr().String())
	}
	client := New(opts)
	defer client.CloseIdle()
	if r, err := client.Get(t.Context(), Request{URL: "http://docs.example.com/"}); err != nil || string(r.Body) != "ok" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestConnectionsPerHost(t *testing.T) {
	var now, most atomic.Int32
	full := make(chan struct{})
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == maxPerHost {
			close(full)
		}
		<-full // all places must be taken before the first one is free again
		fmt.Fprint(w, "ok")
	}))
	var wg sync.WaitGroup
	for range maxPerHost {
		wg.Go(func() {
			if _, err := client.Get(t.Context(), Request{URL: base}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for range 3 * maxPerHost {
		wg.Go(func() {
			if _, err := client.Get(t.Context(), Request{URL: base}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != maxPerHost {
		t.Errorf("%d requests at a time, want %d", most.Load(), maxPerHost)
	}
	if n := len(client.gate.hosts); n != 0 {
		t.Errorf("the gate still knows %d hosts", n)
	}
}

func TestWaitingForAPlaceEndsWithTheContext(t *testing.T) {
	g := newGate(1)
	first := g.slot()
	if err := first.enter(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	second := g.slot()
	if err := second.enter(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	second.leave()
	first.leave()
	if len(g.hosts) != 0 {
		t.Errorf("the gate still knows %v", g.hosts)
	}
}

func TestTypes(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00"
	tests := []struct {
		path, declared, body string
		want                 string // content type; "" is refused
		text                 bool
	}{
		{"/a", "text/html; charset=utf-8", "<p>x", "text/html; charset=utf-8", true},
		{"/a", "application/xhtml+xml", "<p/>", "application/xhtml+xml", true},
		{"/a", "application/json", "{}", "application/json", true},
		{"/a", "application/atom+xml", "<feed/>", "application/atom+xml", true},
		{"/a.md", "application/octet-stream", "# T", "text/markdown", true},
		{"/a.md", "", "# T", "text/markdown", true},
		{"/a.yaml", "binary/octet-stream", "a: b", "application/yaml", true},
		{"/a", "application/octet-stream", "<!doctype html><p>x", "text/html", true},
		{"/a", "application/octet-stream", "plain words", "text/plain", true},
		{"/a", "application/octet-stream", png, "", false},
		{"/a", "text/html", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "application/pdf", false},
		{"/a", "application/pdf", "%PDF-1.4", "application/pdf", false},
		{"/a", "application/pdf", "<p>not found", "", false},
		{"/a", "text/html", png, "", false},
		{"/a", "image/png", png, "", false},
		{"/a", "application/zip", "PK\x03\x04", "", false},
		{"/a", "application/javascript", "x()", "", false},
		{"/a", "text/plain", "BM25 ranks by terms", "text/plain", true}, // "BM" begins a bitmap
		{"/a", "text/html", "<p>one odd \x0b character", "text/html", true},
		{"/a", "text/html; charset=utf-16le", "<\x00p\x00>\x00x\x00", "text/html; charset=utf-16le", true},
		{"/a", "text/plain", "\xff\xfex\x00", "text/plain", true},
	}
	for _, tt := range tests {
		got, text, err := judge(tt.declared, tt.path, []byte(tt.body))
		if got != tt.want || text != tt.text || (err == nil) != (tt.want != "") {
			t.Errorf("%s %q %.20q: %q, text %v, %v; want %q, text %v", tt.path, tt.declared, tt.body, got, text, err, tt.want, tt.text)
		}
		if err != nil && evergreen.KindOf(err) != evergreen.Blocked {
			t.Errorf("%s: kind %q", tt.declared, evergreen.KindOf(err))
		}
	}
}

func TestRefusedTypesAreNotRead(t *testing.T) {
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		w.Write([]byte("\x00\x00"))
	}))
	if _, err := client.Get(t.Context(), Request{URL: base}); evergreen.KindOf(err) != evergreen.Blocked {
		t.Errorf("got %v", err)
	}
	r, err := client.Get(t.Context(), Request{URL: base, AnyType: true})
	if err != nil || string(r.Body) != "\x00\x00" {
		t.Errorf("any type: %+v, %v", r, err)
	}
}

func TestCharsets(t *testing.T) {
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		w.Write([]byte("<title>\xd6\xd0\xce\xc4</title>")) // 中文 in GBK
	}))
	for declared, warned := range map[string]bool{"text/html; charset=gb2312": false, `text/html; charset="GBK"`: false, "text/html; charset=nonsense": true} {
		r, err := client.Get(t.Context(), Request{URL: base + "/?type=" + url.QueryEscape(declared)})
		if err != nil {
			t.Fatal(err)
		}
		if (r.CharsetWarning != "") != warned {
			t.Errorf("%s: warning %q", declared, r.CharsetWarning)
		}
		if !warned && string(r.Body) != "<title>中文</title>" {
			t.Errorf("%s: %q in %s", declared, r.Body, r.Charset)
		}
		if r.Bytes != 19 {
			t.Errorf("%d bytes, want those received", r.Bytes)
		}
	}
}

func TestLongHeadersAreRefused(t *testing.T) {
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", maxHeaderBytes))
	}))
	if _, err := client.Get(t.Context(), Request{URL: base}); evergreen.KindOf(err) != evergreen.Upstream {
		t.Errorf("got %v", err)
	}
}

func BenchmarkGet(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write(bytes.Repeat([]byte("<p>text</p>"), 3000))
	}))
	defer server.Close()
	opts := Defaults()
	opts.AllowPrivate = true
	client := New(opts)
	for b.Loop() {
		if _, err := client.Get(b.Context(), Request{URL: server.URL}); err != nil {
			b.Fatal(err)
		}
	}
}
