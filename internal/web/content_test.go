package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"evergreen"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestWhatTheSiteHoldsIsServed(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.A2A = echoMethod("a2a ") })
	for target, kind := range map[string]string{
		"/llms.txt":                            typeMarkdown,
		"/.well-known/llms.txt":                typeMarkdown,
		"/docs/guide/llms.txt":                 typeMarkdown,
		"/llms-full.txt":                       typeMarkdown,
		"/context.json":                        typeJSON,
		"/schema/context.json":                 typeJSON,
		"/robots.txt":                          typeText,
		"/ai.txt":                              typeText,
		"/ai-policy.json":                      typeJSON,
		"/sitemap.xml":                         "application/xml; charset=utf-8",
		"/openapi.json":                        typeJSON,
		"/.well-known/agent-card.json":         typeJSON,
		"/.well-known/agent.json":              typeJSON,
		"/mcp/server-card":                     "application/mcp-server-card+json",
		"/.well-known/mcp/server-card.json":    typeJSON,
		"/.well-known/mcp.json":                typeJSON,
		"/.well-known/ard.json":                typeJSON,
		"/.well-known/ai-catalog.json":         typeJSON,
		"/.well-known/api-catalog":             `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
		"/.well-known/agent-skills/index.json": typeJSON,
		"/.well-known/skills/index.json":       typeJSON,
		"/":                                    typeHTML,
		"/index.md":                            typeMarkdown,
		"/index.html.md":                       typeMarkdown,
		"/docs/guide":                          typeHTML,
		"/docs/guide/keys":                     typeHTML,
		"/docs/guide/keys.md":                  typeMarkdown,
		"/docs/guide/keys.html.md":             typeMarkdown,
		"/docs/guide/zh/%E5%B9%BB%E8%A7%89":    typeHTML,
		"/docs/guide/zh/%E5%B9%BB%E8%A7%89.md": typeMarkdown,
		"/layers":                              typeHTML,
		"/search":                              typeHTML,
		"/assets/site-1f.css":                  "text/css; charset=utf-8",
		"/favicon.ico":                         "image/svg+xml",
	} {
		get, head := ask(s, "GET", target), ask(s, "HEAD", target)
		text := body(t, get)
		if get.StatusCode != 200 || get.Header.Get("Content-Type") != kind || text == "" {
			t.Errorf("%s: %d %s", target, get.StatusCode, get.Header.Get("Content-Type"))
		}
		if head.StatusCode != 200 || body(t, head) != "" || head.Header.Get("Etag") != get.Header.Get("Etag") || get.Header.Get("Etag") == "" {
			t.Errorf("HEAD %s: %d, ETag %s and %s", target, head.StatusCode, head.Header.Get("Etag"), get.Header.Get("Etag"))
		}
		if get.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s is closed to pages of other origins", target)
		}
		post := ask(s, "POST", target)
		if post.StatusCode != 405 || post.Header.Get("Allow") != "GET, HEAD, OPTIONS" || !strings.Contains(body(t, post), "Use GET.") {
			t.Errorf("POST %s: %d", target, post.StatusCode)
		}
	}
}

func TestPagesAreNegotiated(t *testing.T) {
	s := newServer(&fakeEngine{})
	for accept, want := range map[string]string{
		"":                                  typeHTML,
		"text/html":                         typeHTML,
		"text/markdown":                     typeMarkdown,
		"text/markdown, text/html;q=0.9":    typeMarkdown,
		"text/html, text/markdown":          typeHTML,
		"text/plain":                        typeText,
		"application/json":                  typeHTML,
		"application/json, text/html;q=0.1": typeHTML,
	} {
		for _, target := range []string{"/docs/guide/keys", "/docs/guide/zh/%E5%B9%BB%E8%A7%89"} {
			r := ask(s, "GET", target, "Accept: "+accept)
			if r.StatusCode != 200 || r.Header.Get("Content-Type") != want || r.Header.Get("Vary") != "Accept, Accept-Encoding" {
				t.Errorf("%s %q: %d %s, Vary %q", target, accept, r.StatusCode, r.Header.Get("Content-Type"), r.Header.Get("Vary"))
			}
			again := ask(s, "GET", target, "Accept: "+accept, "If-None-Match: "+r.Header.Get("Etag"))
			if again.StatusCode != 304 || again.Header.Get("Vary") != "Accept, Accept-Encoding" {
				t.Errorf("%s %q again: %d, Vary %q", target, accept, again.StatusCode, again.Header.Get("Vary"))
			}
			other := ask(s, "GET", target, "Accept: "+accept, "User-Agent: GPTBot/1.0")
			if other.Header.Get("Etag") != r.Header.Get("Etag") {
				t.Errorf("%s %q: another answer for another User-Agent", target, accept)
			}
		}
	}
	several := httptest.NewRequest("GET", "http://localhost/docs/guide/keys", nil)
	several.Header["Accept"] = []string{"text/html;q=0.5", "text/markdown"}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, several)
	if got := w.Header().Get("Content-Type"); got != typeMarkdown {
		t.Errorf("several Accept fields: %s", got)
	}
}

func TestMirrorsAndPagesPointAtEachOther(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.Site.BaseURL = "https://docs.example.com" })
	page := ask(s, "GET", "http://docs.example.com/docs/guide/keys")
	for _, want := range []string{
		`<https://docs.example.com/docs/guide/keys.html.md>; rel="alternate"; type="text/markdown"`,
		`<https://docs.example.com/llms.txt>; rel="describedby"; type="text/markdown"`,
		`<https://docs.example.com/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
		`<https://docs.example.com/openapi.json>; rel="service-desc"; type="application/json"`,
	} {
		if got := page.Header.Get("Link"); !strings.Contains(got, want) {
			t.Errorf("Link %q lacks %s", got, want)
		}
	}
	if got := page.Header.Get("Last-Modified"); got != "Fri, 02 Oct 2026 00:00:00 GMT" {
		t.Errorf("Last-Modified %q", got)
	}
	mirror := ask(s, "GET", "http://docs.example.com/docs/guide/keys.md")
	if got := mirror.Header.Get("Link"); !strings.Contains(got, `<https://docs.example.com/docs/guide/keys>; rel="canonical"`) {
		t.Errorf("Link %q", got)
	}
	if mirror.Header.Get("X-Markdown-Tokens") == "" || mirror.Header.Get("Content-Signal") == "" {
		t.Errorf("a mirror's headers: %v", mirror.Header)
	}
	if text := body(t, mirror); !strings.Contains(text, "(https://docs.example.com/docs/guide/index.html.md)") {
		t.Errorf("links of a mirror:\n%s", text)
	}
}

func TestLinksAreMadeWithTheAddressThatWasAsked(t *testing.T) {
	trusting := func(o *Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} }
	for _, tt := range []struct {
		change  func(*Options)
		target  string
		headers []string
		want    string
	}{
		{nil, "http://localhost:4173/llms.txt", nil, "http://localhost:4173/docs/"},
		{nil, "http://127.0.0.1:9/llms.txt", nil, "http://127.0.0.1:9/docs/"},
		{nil, "http://localhost/llms.txt", []string{"X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"}, "http://localhost/docs/"},
		{trusting, "http://localhost/llms.txt", []string{"X-Forwarded-Host: docs.example.com", "X-Forwarded-Proto: https"}, "https://docs.example.com/docs/"},
		{trusting, "http://localhost/llms.txt", []string{"Forwarded: for=1.2.3.4;proto=https;host=docs.example.com"}, "https://docs.example.com/docs/"},
		{trusting, "http://localhost/llms.txt", []string{"X-Forwarded-Host: ev>il", "X-Forwarded-Proto: gopher"}, "http://localhost/docs/"},
	} {
		change := tt.change
		if change == nil {
			change = func(*Options) {}
		}
		text := body(t, ask(newServer(&fakeEngine{}, change), "GET", tt.target, tt.headers...))
		if !strings.Contains(text, tt.want) {
			t.Errorf("%s %v: no link to %s in\n%s", tt.target, tt.headers, tt.want, text)
		}
	}
}

func TestCodingsHaveTheirOwnValidators(t *testing.T) {
	s := newServer(&fakeEngine{})
	for _, target := range []string{"/llms.txt", "/llms-full.txt", "/openapi.json", "/context.json"} {
		plain := ask(s, "GET", target)
		want := body(t, plain)
		tags := map[string]bool{plain.Header.Get("Etag"): true}
		for _, coding := range []string{"gzip", "zstd"} {
			r := ask(s, "GET", target, "Accept-Encoding: "+coding)
			if r.Header.Get("Content-Encoding") != coding {
				t.Errorf("%s in %s: coded as %q", target, coding, r.Header.Get("Content-Encoding"))
				continue
			}
			tag := r.Header.Get("Etag")
			if tags[tag] || tag != strings.TrimSuffix(plain.Header.Get("Etag"), `"`)+"-"+coding+`"` {
				t.Errorf("%s in %s: ETag %s beside %s", target, coding, tag, plain.Header.Get("Etag"))
			}
			tags[tag] = true
			if got := decode(t, coding, r.Body); got != want {
				t.Errorf("%s in %s has other bytes: %d instead of %d", target, coding, len(got), len(want))
			}
			again := ask(s, "GET", target, "Accept-Encoding: "+coding, "If-None-Match: "+tag)
			if again.StatusCode != 304 || body(t, again) != "" || again.Header.Get("Etag") != tag {
				t.Errorf("%s in %s again: %d", target, coding, again.StatusCode)
			}
			if other := ask(s, "GET", target, "If-None-Match: "+tag); other.StatusCode != 200 {
				t.Errorf("%s: the validator of %s fits the plain body", target, coding)
			}
		}
	}
	if r := ask(s, "GET", "/favicon.ico", "Accept-Encoding: gzip"); r.Header.Get("Content-Encoding") != "" {
		t.Error("a tiny body is compressed")
	}
}

func decode(t *testing.T, coding string, r io.Reader) string {
	t.Helper()
	if coding == codingGzip {
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	z, err := zstd.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTheSecondAnswerIsTheFirst asks everything twice: what is kept must be told
// from what is made by nothing but the time it takes.
func TestTheSecondAnswerIsTheFirst(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.A2A = echoMethod("a2a ") })
	for _, target := range []string{"/", "/llms.txt", "/docs/guide/keys", "/docs/guide/keys.md", "/.well-known/agent.json", "/.well-known/ard.json",
		"/context.json", "/llms-full.txt", "/search", "/layers", "/assets/site-1f.css", "/docs/guide/zh/%E5%B9%BB%E8%A7%89",
		"/api/context?topic=a", "/api/context?topic=b&lang=zh"} {
		for _, headers := range [][]string{nil, {"Accept: text/markdown"}, {"Accept: application/ai-catalog+json"}, {"Accept-Language: zh"},
			{"Accept-Encoding: gzip"}, {"Authorization: Bearer x"}, {"Cookie: a=b"}} {
			first, second := ask(s, "GET", target, headers...), ask(s, "GET", target, headers...)
			first.Header.Del("Server-Timing")
			second.Header.Del("Server-Timing")
			if diff := cmp.Diff(first.Header, second.Header); diff != "" || first.StatusCode != second.StatusCode {
				t.Errorf("%s %v: %d, then %d:\n%s", target, headers, first.StatusCode, second.StatusCode, diff)
			}
			if body(t, first) != body(t, second) {
				t.Errorf("%s %v: another body", target, headers)
			}
			if len(headers) > 0 && !strings.HasPrefix(headers[0], "Acc") && second.Header.Get("Cache-Control") != "private, no-store" {
				t.Errorf("%s %v is cached as %q", target, headers, second.Header.Get("Cache-Control"))
			}
		}
	}
	closed := newServer(&fakeEngine{}, func(o *Options) { o.Guard.ReadToken = "t" })
	for range 2 {
		ask(closed, "GET", "/llms.txt", "Authorization: Bearer t")
	}
	if r := ask(closed, "GET", "/llms.txt"); r.StatusCode != 401 {
		t.Errorf("what was read with a token is shown without one: %d", r.StatusCode)
	}
	if r := ask(s, "GET", "http://evil.example/llms.txt"); r.StatusCode != 403 {
		t.Errorf("a kept answer passes the host guard: %d", r.StatusCode)
	}
}

func TestOtherFormsOfAPathMove(t *testing.T) {
	for _, tt := range []struct{ base, target, want string }{
		{"", "/docs/guide/keys.html", "/docs/guide/keys"},
		{"", "/docs/guide/keys.html?lang=zh", "/docs/guide/keys?lang=zh"},
		{"", "/docs/guide/keys/", "/docs/guide/keys"},
		{"", "/docs/guide/zh/%E5%B9%BB%E8%A7%89.html", "/docs/guide/zh/%E5%B9%BB%E8%A7%89"},
		{"https://docs.example.com/sub/", "/docs/guide/keys.html", "/sub/docs/guide/keys"},
	} {
		s := newServer(&fakeEngine{}, func(o *Options) { o.Site.BaseURL = tt.base })
		r := ask(s, "GET", tt.target)
		if r.StatusCode != 301 || r.Header.Get("Location") != tt.want {
			t.Errorf("%s: %d to %q", tt.target, r.StatusCode, r.Header.Get("Location"))
		}
	}
}

func TestOldAndTypedNames(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.A2A = echoMethod("a2a ") })
	old := ask(s, "GET", "/.well-known/agent.json")
	if old.Header.Get("Deprecation") != "@1753920000" || !strings.Contains(old.Header.Get("Link"), `/.well-known/agent-card.json>; rel="canonical"`) {
		t.Errorf("agent.json: %v", old.Header)
	}
	if r := ask(s, "GET", "/.well-known/agent-card.json"); r.Header.Get("Deprecation") != "" {
		t.Error("the card itself is deprecated")
	}
	typed := ask(s, "GET", "/.well-known/ard.json", "Accept: application/ai-catalog+json")
	if typed.Header.Get("Content-Type") != "application/ai-catalog+json" || typed.Header.Get("Vary") != "Accept, Accept-Encoding" {
		t.Errorf("ard.json: %v", typed.Header)
	}
	for target, want := range map[string]string{"/mcp/server-card": "public, max-age=3600", "/.well-known/mcp/server-card.json": "public, max-age=3600",
		"/.well-known/mcp.json": "public, max-age=3600", "/llms.txt": "public, max-age=900",
		"/assets/site-1f.css": "public, max-age=31536000, immutable", "/favicon.ico": "public, max-age=900"} {
		if got := ask(s, "GET", target).Header.Get("Cache-Control"); got != want {
			t.Errorf("%s is cached as %q", target, got)
		}
	}
}

func TestTheWholeTextInParts(t *testing.T) {
	s := newServer(&fakeEngine{})
	whole := ask(s, "GET", "/llms-full.txt")
	part := ask(s, "GET", "/llms-full.txt?section=guide/zh")
	text := body(t, part)
	if !strings.Contains(text, "幻觉") || strings.Contains(text, "Rotating") || part.Header.Get("Etag") == whole.Header.Get("Etag") {
		t.Errorf("a section: %s", text)
	}
	if text := body(t, ask(s, "GET", "/llms-full.txt?budget=1")); !strings.Contains(text, "0 of 3 pages") {
		t.Errorf("a budget: %s", text)
	}
	for target, status := range map[string]int{"/llms-full.txt?section=nothing": 404, "/llms-full.txt?budget=x": 400, "/llms-full.txt?budget=0": 400} {
		for _, method := range []string{"GET", "HEAD"} {
			if r := ask(s, method, target); r.StatusCode != status {
				t.Errorf("%s %s: %d", method, target, r.StatusCode)
			}
		}
	}
}

func TestLanguageOfPages(t *testing.T) {
	s := newServer(&fakeEngine{})
	for _, tt := range []struct{ target, accept, want, vary string }{
		{"/docs/guide/keys", "zh", "lang=en", "Accept, Accept-Encoding"},
		{"/docs/guide/keys?lang=zh", "en", "lang=zh", "Accept, Accept-Encoding"},
		{"/docs/guide/zh/%E5%B9%BB%E8%A7%89", "en", "lang=zh", "Accept, Accept-Encoding"},
		{"/", "zh-CN", "lang=zh", "Accept, Accept-Language, Accept-Encoding"},
		{"/?lang=en", "zh-CN", "lang=en", "Accept, Accept-Encoding"},
		{"/?lang=fr", "zh-CN", "lang=zh", "Accept, Accept-Language, Accept-Encoding"},
		{"/layers", "zh", "layers zh", "Accept-Language, Accept-Encoding"},
		{"/search?q=+%E5%B9%BB+&lang=zh", "", `search zh "幻" 1`, "Accept-Encoding"},
		{"/search", "", `search en "" 0`, "Accept-Language, Accept-Encoding"},
	} {
		r := ask(s, "GET", tt.target, "Accept-Language: "+tt.accept)
		if text := body(t, r); !strings.Contains(text, tt.want) || r.Header.Get("Vary") != tt.vary {
			t.Errorf("%s for %s: Vary %q\n%s", tt.target, tt.accept, r.Header.Get("Vary"), text)
		}
		if r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s has no policy", tt.target)
		}
	}
	if r := ask(newServer(&fakeEngine{err: evergreen.Errorf(evergreen.NotFound, "no collection is named %q", "x")}), "GET", "/search?q=a&collection=x"); r.StatusCode != 404 {
		t.Errorf("an unknown collection: %d", r.StatusCode)
	}
}

func TestAChangeOfTheLibraryIsServedAtOnce(t *testing.T) {
	f := &fakeEngine{revision: "r1"}
	var made []*fakeSnapshot
	s := newServer(f, func(o *Options) {
		o.Publish = func() (Snapshot, error) {
			n := exampleDocs(f.Revision())
			n.add(f.revision+".md", "# Page of "+f.revision+"\n\nText.\n", evergreen.Meta{})
			made = append(made, n)
			return n, nil
		}
	})
	held, release, err := s.acquire(httptest.NewRequest("GET", "http://localhost/", nil))
	if err != nil {
		t.Fatal(err)
	}
	if r := ask(s, "GET", "/docs/guide/r1"); r.StatusCode != 200 || len(made) != 1 {
		t.Fatalf("%d with %d snapshots", r.StatusCode, len(made))
	}
	f.revision = "r2"
	if text := body(t, ask(s, "GET", "/llms.txt")); !strings.Contains(text, "Page of r2") || strings.Contains(text, "Page of r1") {
		t.Errorf("after the change: %s", text)
	}
	if made[0].closed.Load() {
		t.Error("a snapshot was closed while a request reads from it")
	}
	if _, err := held.Markdown(held.Pages()[1]); err != nil {
		t.Errorf("the running request: %v", err)
	}
	release()
	if !made[0].closed.Load() || made[1].closed.Load() {
		t.Error("the old snapshot stays open, or the new one was closed")
	}
	s.Close()
	if !made[1].closed.Load() {
		t.Error("Close leaves the snapshot open")
	}
}

func TestChangesOfOthersAreSeenSoon(t *testing.T) {
	f := &fakeEngine{revision: "r1"}
	var changed func()
	s := newServer(f, func(o *Options) {
		o.Publish = func() (Snapshot, error) {
			n := exampleDocs(f.Revision())
			n.add(f.revision+".md", "# Page\n\nText.\n", evergreen.Meta{})
			return n, nil
		}
		o.OnChange = func(f func()) { changed = f }
	})
	now := time.Unix(1000, 0)
	s.now = func() time.Time { return now }
	status := func() int { return ask(s, "GET", "/docs/guide/"+f.revision).StatusCode }
	if got := status(); got != 200 {
		t.Fatalf("at first: %d", got)
	}
	f.revision, now = "r2", now.Add(askEvery-1)
	if got := status(); got != 404 {
		t.Errorf("asked for too often: %d", got)
	}
	if now = now.Add(1); status() != 200 {
		t.Error("a change of another process is not seen")
	}
	if f.revision = "r3"; status() != 404 {
		t.Error("asked for too often")
	}
	if changed(); status() != 200 {
		t.Error("a change of our own is not seen at once")
	}
}

func TestNoSnapshotIsAProblem(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Publish = func() (Snapshot, error) { return nil, errors.New("secret place") }
	})
	r := ask(s, "GET", "/llms.txt")
	if text := body(t, r); r.StatusCode != 500 || strings.Contains(text, "secret") || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s", r.StatusCode, text)
	}
	if r := ask(s, "GET", "/healthz"); r.StatusCode != 200 {
		t.Errorf("/healthz: %d", r.StatusCode)
	}
}

func TestLargeDocumentsAreStreamed(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) {
		o.Publish = func() (Snapshot, error) {
			n := exampleDocs("r1")
			n.add("large.md", "# Large\n\n"+strings.Repeat("A sentence of a large document.\n", maxHeldStream/30)+"\n", evergreen.Meta{})
			return n, nil
		}
	})
	plain := ask(s, "GET", "/llms-full.txt")
	want := body(t, plain)
	if len(want) <= maxHeldStream || plain.Header.Get("Content-Length") != "" || plain.Header.Get("Etag") == "" {
		t.Fatalf("%d bytes, %v", len(want), plain.Header)
	}
	for _, coding := range []string{"gzip", "zstd"} {
		r := ask(s, "GET", "/llms-full.txt", "Accept-Encoding: "+coding)
		tag := r.Header.Get("Etag")
		if got := decode(t, coding, r.Body); got != want || tag != strings.TrimSuffix(plain.Header.Get("Etag"), `"`)+"-"+coding+`"` {
			t.Errorf("%s: %d bytes of %d, ETag %s", coding, len(got), len(want), tag)
		}
		again := ask(s, "GET", "/llms-full.txt", "Accept-Encoding: "+coding, "If-None-Match: "+tag)
		if again.StatusCode != 304 || body(t, again) != "" {
			t.Errorf("%s again: %d", coding, again.StatusCode)
		}
	}
	head := ask(s, "HEAD", "/llms-full.txt")
	if head.StatusCode != 200 || head.Header.Get("Etag") != plain.Header.Get("Etag") || body(t, head) != "" {
		t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
	}
}

func TestWhatIsHeldEndsAtItsBound(t *testing.T) {
	s := newServer(&fakeEngine{})
	for _, n := range []int{maxHeldStream, maxHeldStream + 1} {
		w := httptest.NewRecorder()
		out := &streamed{server: s, w: w, r: httptest.NewRequest("GET", "/", nil), answer: answer{kind: "image/png", cache: cachePublic}, tag: "t", clear: func() {}}
		if _, err := out.Write(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		kept := false
		out.close(func(*stored) { kept = true })
		if kept != (n == maxHeldStream) || w.Body.Len() != n {
			t.Errorf("%d bytes: kept %v, %d sent", n, kept, w.Body.Len())
		}
	}
}

func TestAStreamThatBreaksIsCut(t *testing.T) {
	s := newServer(&fakeEngine{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &streamed{server: s, w: w, r: r, answer: answer{kind: typeText, cache: cachePublic}, tag: "t", clear: func() {}}
		fmt.Fprint(out, strings.Repeat("half ", maxHeldStream))
		_ = http.NewResponseController(w).Flush() // so that the client has seen the beginning
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	r, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if b, err := io.ReadAll(r.Body); err == nil {
		t.Errorf("half of a document passes for the whole: %d bytes", len(b))
	}
}

func TestProtocolBodiesAreBounded(t *testing.T) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.A2A = echoMethod("a2a ") })
	r := httptest.NewRequest("POST", "http://localhost/a2a", bytes.NewReader(make([]byte, 4<<20+1)))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != 413 {
		t.Errorf("one byte too many: %d", w.Code)
	}
	r = httptest.NewRequest("POST", "http://localhost/a2a", bytes.NewReader(make([]byte, 4<<20)))
	w = httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != 200 || w.Body.String() != "a2a POST" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a body of the largest size: %d %v", w.Code, w.Header())
	}
	if r := ask(s, "GET", "/a2a"); body(t, r) != "a2a GET" {
		t.Error("/a2a does not answer for itself")
	}
}
