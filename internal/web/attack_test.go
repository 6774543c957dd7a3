// What strangers, web pages and slow clients try.
package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
)

// local sends a request as a browser on this machine does.
func local(s http.Handler, method, target string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	r.RemoteAddr = "127.0.0.1:5000"
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

// A page that somebody visits must not read the library on their machine, also
// not an answer that was given to somebody else before.
func TestPagesCannotReadAPrivateLibrary(t *testing.T) {
	own := newServer(&fakeEngine{}, func(o *Options) { o.Guard.Origins = []string{"https://app.example.com"} })
	public := newServer(&fakeEngine{}, func(o *Options) { o.Site.BaseURL = "https://docs.example.com" })
	for _, path := range []string{"/api/context", "/llms.txt", "/docs/guide/keys.md", "/", "/metrics.json", "/a2a", "/mcp"} {
		for _, tt := range []struct {
			name    string
			server  *Server
			target  string
			headers []string
			status  int // 0 is anything that a guard does not refuse
		}{
			{"no browser", own, "http://127.0.0.1:4173", nil, 0},
			{"foreign page", own, "http://127.0.0.1:4173", []string{"Origin: https://evil.example"}, 403},
			{"foreign page by another name", own, "http://localhost:4173", []string{"Origin: https://evil.example"}, 403},
			{"another server on this machine", own, "http://localhost:4173", []string{"Origin: http://localhost:3000"}, 403},
			{"sandboxed frame or file", own, "http://localhost:4173", []string{"Origin: null"}, 403},
			{"its own page", own, "http://localhost:4173", []string{"Origin: http://localhost:4173"}, 0},
			{"allowed page", own, "http://localhost:4173", []string{"Origin: https://app.example.com"}, 0},
			{"rebound name", own, "http://evil.example:4173", []string{"Origin: http://evil.example:4173"}, 403},
			{"published site", public, "http://localhost:4173", nil, 0},
		} {
			r := local(tt.server, "GET", tt.target+path, tt.headers...)
			if tt.status != 0 && r.StatusCode != tt.status || tt.status == 0 && r.StatusCode == 403 {
				t.Errorf("%s, %s: %d", path, tt.name, r.StatusCode)
			}
			if r.StatusCode == 403 && r.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s, %s: the refusal may be read", path, tt.name)
			}
		}
	}
	if r := local(public, "GET", "http://localhost:4173/api/context", "Origin: https://evil.example"); r.StatusCode != 200 {
		t.Errorf("what is public may be read: %d", r.StatusCode)
	}
}

// TestProxyOnThisMachineMakesNobodyLocal: what comes from a trusted proxy is
// not local, even when the proxy rewrites the Host and adds no header.
func TestProxyOnThisMachineMakesNobodyLocal(t *testing.T) {
	who := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, httpguard.AccessOf(r.Context()).String())
	})
	for trusted, want := range map[string]string{"": "admin", "127.0.0.0/8": "read"} {
		s := newServer(&fakeEngine{}, func(o *Options) {
			o.MCP = who
			if trusted != "" {
				o.Proxies = []netip.Prefix{netip.MustParsePrefix(trusted)}
			}
		})
		if got := body(t, local(s, "POST", "http://127.0.0.1:4173/mcp")); got != want {
			t.Errorf("trusted %q: access %q, want %q", trusted, got, want)
		}
	}
}

// TestAnswersStayHere: no path, host or header of a request puts a header into
// an answer or sends its reader elsewhere.
func TestAnswersStayHere(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} })
	for _, target := range []string{
		"//evil.example/", "//evil.example", "/%5cevil.example/", "/\\evil.example", "/%09//evil.example", "/docs//evil.example/..",
		"/docs/guide/%0d%0aSet-Cookie:%20a=b", "/index.md%0d%0aX:%20y", "/.%2e//evil.example", "/docs/guide/keys/%2f%2fevil.example",
		"/search?q=%0d%0aSet-Cookie:%20a=b", "/docs/guide/index.html?lang=%0d%0aX:y", "/javascript:alert(1)", "/docs/guide/keys.md/",
	} {
		for _, header := range []string{"", "X-Forwarded-Host: evil.example\r\nSet-Cookie: a=b", "X-Forwarded-Host: evil.example/x?", "X-Forwarded-Proto: javascript"} {
			r := ask(s, "GET", "http://localhost"+target, header)
			to := r.Header.Get("Location")
			if strings.HasPrefix(to, "//") || strings.Contains(to, "\\") || strings.Contains(to, "evil.example") && strings.Contains(to, "://evil") || strings.HasPrefix(to, "javascript") {
				t.Errorf("%s leads to %q", target, to)
			}
			if r.Header.Get("Set-Cookie") != "" || r.Header.Get("X") != "" {
				t.Errorf("%s with %q sets headers: %v", target, header, r.Header)
			}
			for name, values := range r.Header {
				if strings.ContainsAny(strings.Join(values, ""), "\r\n\x00") || strings.Contains(strings.Join(values, ""), "javascript:") {
					t.Errorf("%s: %s is %q", target, name, values)
				}
			}
		}
	}
}

// raw serves s on a real listener with little patience and returns a way to
// talk to it byte by byte.
func raw(t *testing.T, s http.Handler, headers time.Duration) func() net.Conn {
	t.Helper()
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- serve(ctx, s, headers, l) }()
	t.Cleanup(func() { stop(); <-done })
	return func() net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// say writes to a connection; the server may have had enough already.
func say(c net.Conn, text string) { _, _ = io.WriteString(c, text) }

// TestHeadersThatNeverEnd: a connection that does not finish its request is
// closed, and one that sends too much is told so.
func TestHeadersThatNeverEnd(t *testing.T) {
	dial := raw(t, newServer(&fakeEngine{}), 100*time.Millisecond)
	slow := dial()
	say(slow, "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ")
	if answer, err := io.ReadAll(slow); err != nil || strings.Contains(string(answer), "200 OK") {
		t.Errorf("the slow client got %q, %v", answer, err)
	}
	for name, tt := range map[string]struct {
		size int
		want string
	}{"at the limit": {maxHeaderBytes - 1024, " 200 "}, "beyond": {maxHeaderBytes + 64<<10, " 431 "}} {
		c := dial()
		say(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-A: "+strings.Repeat("a", tt.size)+"\r\n\r\n")
		answer := make([]byte, 64)
		n, err := io.ReadAtLeast(c, answer, 12)
		if err != nil || !strings.Contains(string(answer[:n]), tt.want) {
			t.Errorf("%s: %q, %v", name, answer[:n], err)
		}
	}
}

// TestRequestsThatMeanTwoThings: what two servers may read differently is read
// by none (request smuggling).
func TestRequestsThatMeanTwoThings(t *testing.T) {
	dial := raw(t, newServer(&fakeEngine{}), time.Second)
	for name, head := range map[string]string{
		"two lengths":         "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"two hosts":           "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
		"no host":             "GET / HTTP/1.1\r\n\r\n",
		"space before colon":  "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
		"unknown coding":      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
		"host with a path":    "GET / HTTP/1.1\r\nHost: localhost/evil\r\n\r\n",
		"line break in value": "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n",
	} {
		c := dial()
		say(c, head)
		answer := make([]byte, 64)
		n, err := io.ReadAtLeast(c, answer, 12)
		if status := string(answer[9:min(12, n)]); err != nil || !strings.HasPrefix(status, "4") && !strings.HasPrefix(status, "5") {
			t.Errorf("%s: %q, %v", name, answer[:n], err)
		}
	}
}

// fakeIssued takes one token.
type fakeIssued struct{}

func (fakeIssued) Admit(r *http.Request) (*http.Request, httpguard.Caller, *httpguard.Refusal) {
	if r.Header.Get("Authorization") != "Bearer good" {
		return r, httpguard.Caller{}, &httpguard.Refusal{Status: 401, Code: "invalid_token", Err: evergreen.Errorf(evergreen.Blocked, "no")}
	}
	r = r.Clone(r.Context())
	r.Header.Del("Authorization")
	return r, httpguard.Caller{Access: httpguard.Read, Subject: "ada"}, nil
}

func (fakeIssued) Challenge(_ *http.Request, _ httpguard.Access, code string) string {
	return `Bearer resource_metadata="x" ` + code
}

// TestIssuedTokensCloseReading: nothing but health and the metadata is answered
// without a token, also not what was answered before to somebody who had one.
func TestIssuedTokensCloseReading(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Guard.Issued = fakeIssued{}
		o.Documents = []Document{{Path: "/.well-known/oauth-protected-resource", Type: "application/json", Body: []byte("{}"), Open: true}}
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, httpguard.CallerOf(r.Context()).Subject+r.Header.Get("Authorization"))
		})
	})
	for _, path := range []string{"/", "/llms.txt", "/robots.txt", "/api/context", "/metrics.json", "/mcp", "/docs/guide/keys.md", "/schema/none.json"} {
		if r := ask(s, "GET", path, "Authorization: Bearer good"); r.StatusCode == 401 || r.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s with a token: %d, %q", path, r.StatusCode, r.Header.Get("Cache-Control"))
		}
		for _, header := range []string{"", "Authorization: Bearer bad", "Authorization: Basic good"} {
			r := ask(s, "GET", path, header)
			if r.StatusCode != 401 || !strings.Contains(r.Header.Get("WWW-Authenticate"), "resource_metadata") {
				t.Errorf("%s with %q: %d %q", path, header, r.StatusCode, r.Header.Get("WWW-Authenticate"))
			}
		}
	}
	for _, path := range []string{"/healthz", "/.well-known/oauth-protected-resource"} {
		if r := ask(s, "GET", path); r.StatusCode != 200 {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
	if got := body(t, ask(s, "POST", "/mcp", "Authorization: Bearer good")); got != "ada" {
		t.Errorf("behind the guard: %q, want the subject and no token", got)
	}
	open := newServer(&fakeEngine{})
	if r := ask(open, "GET", "/.well-known/oauth-protected-resource"); r.StatusCode != 404 {
		t.Errorf("an open server has metadata of tokens: %d", r.StatusCode)
	}
}

// TestClientsAreNamedHere: what a client says it is called is dropped, and
// neither secrets nor subjects nor addresses are handed on.
func TestClientsAreNamedHere(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Guard.Issued, o.Guard.AdminToken = fakeIssued{}, "secret"
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, strings.Join(r.Header.Values(clientHeader), ","))
		})
	})
	names := map[string]bool{}
	for _, headers := range [][]string{{"Authorization: Bearer good", "Evergreen-Client: root"}, {"Authorization: Bearer secret", "Evergreen-Client: root"}} {
		name := body(t, ask(s, "POST", "/mcp", headers...))
		if name == "" || strings.Contains(name, "root") || strings.Contains(name, "secret") || strings.Contains(name, "ada") {
			t.Errorf("%q: named %q", headers, name)
		}
		names[name] = true
	}
	if len(names) != 2 {
		t.Errorf("names %v", names)
	}
}
