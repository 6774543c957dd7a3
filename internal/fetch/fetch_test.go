package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
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
