package main

// This file puts the program before a site that it did not build, as an operator
// does, and looks at both.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"evergreen/internal/config"
)

// foreignSite is an origin: three pages, a private one, a socket, a file. Its
// pages can be held back from our crawler.
type foreignSite struct {
	*httptest.Server
	held  atomic.Bool
	title atomic.Value // of /guide/keys
}

func newForeignSite(t *testing.T) *foreignSite {
	f := &foreignSite{}
	f.title.Store("Rotating keys")
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *foreignSite) serve(w http.ResponseWriter, r *http.Request) {
	for f.held.Load() && r.URL.Path != "/robots.txt" && strings.HasPrefix(r.UserAgent(), "evergreen") {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
	prose := strings.Repeat("The old key stays valid for a day, so that nobody is locked out. ", 6)
	page := func(title, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>%s</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage"}</script></head>`+
			`<body><main><h1>%s</h1><p>%s</p>%s</main></body></html>`, title, title, prose, body)
	}
	w.Header().Set("Last-Modified", "Mon, 02 Nov 2026 10:00:00 GMT")
	switch r.URL.Path {
	case "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /admin/\nDisallow: /llms\n")
	case "/":
		page("Example docs", `<p><a href="/guide/">Guide</a> <a href="/private">Private</a></p>`)
	case "/guide/":
		page("Guide", `<p><a href="keys">Keys</a></p>`)
	case "/guide/keys":
		page(f.title.Load().(string), `<h2 id="run">Run it</h2><p>Run <code>example keys rotate</code>.</p>`)
	case "/private":
		if r.Header.Get("Cookie") != "session=s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		page("Only for members", "")
	case "/file.bin":
		http.ServeContent(w, r, "file.bin", time.Unix(0, 0), strings.NewReader("0123456789"))
	case "/socket":
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		fmt.Fprint(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		_ = rw.Flush()
		line, _ := rw.ReadString('\n')
		fmt.Fprint(rw, "echo "+line)
		_ = rw.Flush()
	default:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<h1>Nothing here</h1>")
	}
}

// runningServe is the program, serving.
type runningServe struct {
	base string
	end  func() string // ends it and returns what it said
}

// runServe runs evergreen serve until the test ends it.
func runServe(t *testing.T, library string, args ...string) *runningServe {
	t.Helper()
	dir := t.TempDir()
	out, in := io.Pipe()
	a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: in, world: realWorld()}
	a.world.lookupEnv = func(string) (string, bool) { return "", false }
	a.world.environ = func() []string { return nil }
	a.world.workDir = func() (string, error) { return dir, nil }
	a.world.userConfig = a.world.workDir
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- a.run(ctx, append([]string{"serve", "--library", library, "--port", "0"}, args...))
		_ = in.Close()
	}()
	var mu sync.Mutex
	var said strings.Builder
	address, all := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(all)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			mu.Lock()
			said.WriteString(lines.Text() + "\n")
			mu.Unlock()
			if m := regexp.MustCompile(`^  site +(http://\S+?)/$`).FindStringSubmatch(lines.Text()); m != nil {
				address <- m[1]
			}
		}
		close(address)
	}()
	s := &runningServe{base: <-address}
	s.end = sync.OnceValue(func() string {
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("exit code %d", code)
		}
		<-all
		return said.String()
	})
	t.Cleanup(func() { _ = s.end() })
	if s.base == "" {
		t.Fatalf("no address was said: %s", said.String())
	}
	return s
}

// ask sends a request with header lines.
func (s *runningServe) ask(t *testing.T, method, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	q, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		q.Header.Set(name, value)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	r, err := transport.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(b)
}

// until asks for a path until its answer holds a text.
func (s *runningServe) until(t *testing.T, path, part string) string {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, body := s.ask(t, "GET", path, "")
		if strings.Contains(body, part) {
			return body
		}
		if time.Now().After(end) {
			t.Fatalf("%s never held %q: %s", path, part, body)
		}
	}
}

func TestTheLayersOnASiteBuiltElsewhere(t *testing.T) {
	f := newForeignSite(t)
	f.held.Store(true)
	library := t.TempDir()
	s := runServe(t, library, "--origin", f.URL, "--policy-training", "no", "--log-level", "debug")

	// Until the site has been read the layers say so; pages and mirrors are there.
	for path, want := range map[string]int{"/llms.txt": 503, "/context.json": 503, "/api/context": 503, "/.well-known/agent-card.json": 503,
		"/robots.txt": 200, "/ai-policy.json": 200, "/healthz": 200, "/schema/config.json": 200, "/guide/keys": 200, "/guide/keys.html.md": 200, "/docs/x/llms.txt": 503} {
		r, body := s.ask(t, "GET", path, "", "User-Agent: reader")
		if r.StatusCode != want || want == 503 && (r.Header.Get("Retry-After") == "" || r.Header.Get("Cache-Control") != "no-store") {
			t.Errorf("before the crawl %s: %d %v %.80s", path, r.StatusCode, r.Header, body)
		}
	}
	if r, body := s.ask(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "Content-Type: application/json"); r.StatusCode != 503 || !strings.Contains(body, `"jsonrpc"`) {
		t.Errorf("MCP before the crawl: %d %s", r.StatusCode, body)
	}
	if _, robots := s.ask(t, "GET", "/robots.txt", ""); !strings.Contains(robots, "Disallow: /admin/\n") || strings.Contains(robots, "/llms\n") || !strings.Contains(robots, "ai-train=no") {
		t.Errorf("robots.txt:\n%s", robots)
	}
	f.held.Store(false)
	index := s.until(t, "/llms.txt", "](")

	// Then everything is told by the public address, and by that alone.
	for _, want := range []string{"# Example docs\n", "[Guide](" + s.base + "/guide/index.html.md)", "[Rotating keys](" + s.base + "/guide/keys.html.md)"} {
		if !strings.Contains(index, want) {
			t.Errorf("llms.txt lacks %s:\n%s", want, index)
		}
	}
	for _, path := range []string{"/llms.txt", "/llms-full.txt", "/context.json", "/sitemap.xml", "/ai-policy.json", "/openapi.json", "/.well-known/agent-card.json",
		"/.well-known/ai-catalog.json", "/guide/keys.html.md", "/", "/api/context?topic=rotate+key"} {
		r, body := s.ask(t, "GET", path, "", "Accept: text/html, */*")
		if r.StatusCode != 200 || strings.Contains(body, strings.TrimPrefix(f.URL, "http://")) {
			t.Errorf("%s: %d, or it tells the origin's address: %.300s", path, r.StatusCode, body)
		}
	}
	var bundle struct{ Citations []struct{ URL string } }
	_, body := s.ask(t, "GET", "/api/context?topic=example+keys+rotate", "")
	if err := json.Unmarshal([]byte(body), &bundle); err != nil || len(bundle.Citations) == 0 || !strings.HasPrefix(bundle.Citations[0].URL, "/guide/keys#") {
		t.Errorf("citations %+v, %v", bundle, err)
	}
	for _, c := range verified(t, s.base).Checks {
		if !c.OK && !strings.HasPrefix(c.Name, "self-") {
			t.Errorf("verify: %s: %s", c.Name, c.Detail)
		}
	}
	s.checkPassing(t)
	if said := s.end(); strings.Contains(said, "s3cret") || strings.Contains(said, "b3arer") || !strings.Contains(said, "closes /llms, ours does not") {
		t.Errorf("log:\n%s", said)
	}

	// A library that holds the site answers at once, and follows what changes.
	f.held.Store(true)
	s = runServe(t, library, "--origin", f.URL, "--base-url", "https://docs.example.com", "--site-name", "Named", "--origin-refresh", "30ms")
	if r, body := s.ask(t, "GET", "/llms.txt", ""); r.StatusCode != 200 || !strings.Contains(body, "https://docs.example.com/guide/keys.html.md") || !strings.HasPrefix(body, "# Named\n") {
		t.Errorf("%d %s", r.StatusCode, body)
	}
	f.title.Store("Turning keys")
	f.held.Store(false)
	s.until(t, "/llms.txt", "[Turning keys](")
}

// checkPassing looks at what is not ours: it passes, and stays who it is for.
func (s *runningServe) checkPassing(t *testing.T) {
	t.Helper()
	if r, body := s.ask(t, "GET", "/file.bin", "", "Range: bytes=2-4"); r.StatusCode != 206 || body != "234" {
		t.Errorf("a range: %d %q", r.StatusCode, body)
	}
	if _, body := s.ask(t, "GET", "/private.md?token=x", "", "Cookie: session=s3cret", "Authorization: Basic b3arer"); !strings.Contains(body, "# Only for members") {
		t.Errorf("a private mirror for its owner: %q", body)
	}
	for _, path := range []string{"/private", "/private.md"} {
		if r, body := s.ask(t, "GET", path, ""); r.StatusCode != 401 || strings.Contains(body, "members") {
			t.Errorf("%s for a stranger: %d %q", path, r.StatusCode, body)
		}
	}
	if r, body := s.ask(t, "GET", "/nothing", "", "Accept: text/html"); r.StatusCode != 404 || body != "<h1>Nothing here</h1>" {
		t.Errorf("a missing page in a browser: %d %q", r.StatusCode, body)
	}
	if r, _ := s.ask(t, "GET", "/layers", "", "Accept: text/html"); r.StatusCode != 404 {
		t.Errorf("/layers is the origin's: %d", r.StatusCode)
	}
	if r, _ := s.ask(t, "GET", "/", "", "Host: evil.example"); r.StatusCode != 200 {
		t.Errorf("Host as a plain header: %d", r.StatusCode)
	}
	c, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprint(c, "GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	in := bufio.NewReader(c)
	if r, err := http.ReadResponse(in, nil); err != nil || r.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("a websocket: %v, %v", r, err)
	}
	fmt.Fprint(c, "hello\n")
	if line, err := in.ReadString('\n'); line != "echo hello\n" {
		t.Errorf("a websocket: %q, %v", line, err)
	}
}

func TestAnOriginNeedsALibraryOfItsOwn(t *testing.T) {
	code, _, stderr := command(t, newFake(), nil, "serve", "--origin", "http://127.0.0.1:1", "--port", "0")
	if code != 1 || !strings.Contains(stderr, "the library holds react, which is no part of http://127.0.0.1:1/") || !strings.Contains(stderr, "--library DIR") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	code, _, stderr = command(t, newFake(), nil, "serve", "./docs", "--origin", "http://127.0.0.1:1")
	if code != 2 || !strings.Contains(stderr, "./docs would be another one") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestThePolicyHasOneSource(t *testing.T) {
	s, err := config.Load(config.Input{WorkDir: t.TempDir(), UserData: t.TempDir(), LookupEnv: func(string) (string, bool) { return "", false },
		Flags: map[string]config.Flag{"site.policy.deny": {Name: "--policy-deny", Values: []string{"CCBot"}},
			"site.licence": {Name: "--licence", Values: []string{"CC-BY-4.0"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := policy(s).Validate(); err == nil || !strings.Contains(err.Error(), "training crawler CCBot is denied") {
		t.Errorf("a licence that allows training beside a denied training crawler: %v", err)
	}
	code, _, stderr := command(t, &fakeLibrary{}, nil, "serve", "--port", "0", "--licence", "CC-BY-4.0", "--policy-deny", "CCBot")
	if code != 2 || !strings.Contains(stderr, "training crawler CCBot is denied") {
		t.Errorf("a contradiction does not stop the start: exit %d: %s", code, stderr)
	}
}

func TestAnOriginIsCalledByItsPublicName(t *testing.T) {
	for _, tt := range []struct{ base, origin, want string }{
		{"https://docs.example.com/x", "http://10.0.0.1:8080", "docs.example.com"},
		{"", "https://docs.example.com:8443/docs", "docs.example.com"},
		{"", "http://10.0.0.1:8080", "site"}, {"", "http://[::1]:8080", "site"}, {"", "http://localhost:8080", "site"}, {"", "http://backend:80", "site"},
	} {
		s := config.Settings{Config: config.Config{Site: config.Site{BaseURL: tt.base}, Overlay: config.Overlay{Origin: tt.origin}}}
		if got := originName(s); got != tt.want {
			t.Errorf("%s behind %q: %s", tt.origin, tt.base, got)
		}
	}
}
