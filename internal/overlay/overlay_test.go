package overlay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"evergreen"

	"github.com/google/go-cmp/cmp"
)

// fakeLayers answers what it serves with its path and what it saw.
type fakeLayers struct{}

func (fakeLayers) Serves(path string) bool {
	return path == "/llms.txt" || path == "/mcp" || path == "/robots.txt"
}

func (fakeLayers) Mirrored(path string) bool { return path == "/guide/" || path == "/guide/安装" }

func (fakeLayers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "layer %s cookie=%q", r.URL.Path, r.Header.Get("Cookie"))
}

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Keys</title></head>
<body class="x"><nav><a href="/">Home</a></nav><main><h1>Keys</h1>
<p>The old key stays valid for twenty-four hours, so that nobody is locked out.</p>
<p>See <a href="/guide/">the guide</a>, <a href="安装">installing</a>, <a href="/file.zip">a file</a> and <a href="https://example.com/">elsewhere</a>.</p></main></body></html>
`

// links are what the overlay puts into the page at /guide/keys.
const headLinks = `<link rel="alternate" type="text/markdown" href="{base}/guide/keys.html.md">
<link rel="describedby" type="text/markdown" href="{base}/llms.txt">
`

const pointer = `<p><a href="{base}/llms.txt">/llms.txt</a>: index of this site for agents. <a href="{base}/guide/keys.html.md">This page as Markdown</a></p>
`

// site is an origin of a few paths; each test adds its own.
func site(add map[string]http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if h, ok := add[r.URL.Path]; ok {
			h(w, r)
			return
		}
		if r.URL.Path == "/guide/keys" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("ETag", `"k1"`)
			if r.Header.Get("If-None-Match") == `"k1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			_, _ = io.WriteString(w, page)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<title>Not here</title><body>Nothing.")
	}
}

type setup struct {
	*httptest.Server // the overlay
	origin           *httptest.Server
	log              *bytes.Buffer
}

func start(t *testing.T, h http.HandlerFunc, change ...func(*Options)) *setup {
	t.Helper()
	s := &setup{origin: httptest.NewServer(h), log: &bytes.Buffer{}}
	t.Cleanup(s.origin.Close)
	o := Options{Origin: s.origin.URL, Layers: fakeLayers{}, Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	for _, c := range change {
		c(&o)
	}
	v, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Server = httptest.NewServer(v)
	t.Cleanup(s.Close)
	return s
}

// ask sends a request with header lines; nothing is unpacked or followed.
func (s *setup) ask(t *testing.T, method, path string, header ...string) (*http.Response, string) {
	t.Helper()
	q, err := http.NewRequest(method, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range header {
		k, v, _ := strings.Cut(line, ": ")
		q.Header.Add(k, v)
	}
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	r, err := transport.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, strings.ReplaceAll(string(body), s.URL, "{base}")
}

func sends(body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for _, line := range header {
			k, v, _ := strings.Cut(line, ": ")
			w.Header().Set(k, v)
		}
		_, _ = io.WriteString(w, body)
	}
}

func TestAPagePassesButForLinksAndPointer(t *testing.T) {
	s := start(t, site(nil))
	r, body := s.ask(t, "GET", "/guide/keys")
	want := strings.Replace(page, "</head>", headLinks+"</head>", 1)
	want = strings.Replace(want, `<body class="x">`, `<body class="x">`+pointer, 1)
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	if got := r.Header.Get("ETag"); got != `"k1-evergreen"` {
		t.Errorf("ETag %s", got)
	}
	if got := strings.Join(r.Header.Values("Vary"), ","); got != "Accept,Accept-Encoding" {
		t.Errorf("Vary %s", got)
	}
	link := strings.ReplaceAll(strings.Join(r.Header.Values("Link"), ", "), s.URL, "")
	if link != `</guide/keys.html.md>; rel="alternate"; type="text/markdown", </llms.txt>; rel="describedby"; type="text/markdown"` {
		t.Errorf("Link %s", link)
	}
	if want := fmt.Sprint(len(strings.ReplaceAll(body, "{base}", s.URL))); r.Header.Get("Content-Length") != want {
		t.Errorf("Content-Length %s, want %s", r.Header.Get("Content-Length"), want)
	}
	head, none := s.ask(t, "HEAD", "/guide/keys")
	if none != "" || head.StatusCode != 200 || head.Header.Get("ETag") != `"k1-evergreen"` || len(head.Header.Values("Link")) != 2 {
		t.Errorf("HEAD: %d %v %q", head.StatusCode, head.Header, none)
	}
}

func TestWhereTheLinksGo(t *testing.T) {
	const l, p = "«links»", "«pointer»"
	for _, tt := range []struct{ what, page, want string }{
		{"no tags at all", "Hello", l + p + "Hello"},
		{"a body begun by a paragraph", "<!doctype html>\n<title>a < b</title>\n<p>x", "<!doctype html>\n<title>a < b</title>\n" + l + p + "<p>x"},
		{"no end of the head", "<html><head><title>x</title><body>y", "<html><head><title>x</title>" + l + "<body>" + p + "y"},
		{"text in scripts and comments is not the body", "<head><script>if (a<b) '<body>'</script><!-- <body> --><style>p{}</style><noscript><img src=x></noscript></head><BODY>z",
			"<head><script>if (a<b) '<body>'</script><!-- <body> --><style>p{}</style><noscript><img src=x></noscript>" + l + "</head><BODY>" + p + "z"},
		{"a byte order mark is no text", "\xef\xbb\xbf<html><head></head><body>x", "\xef\xbb\xbf<html><head>" + l + "</head><body>" + p + "x"},
		{"GBK passes byte for byte", "<head><meta charset=gbk><title>\xd6\xd0\xce\xc4</title></head><body>\xd6\xd0", "<head><meta charset=gbk><title>\xd6\xd0\xce\xc4</title>" + l + "</head><body>" + p + "\xd6\xd0"},
		{"frames", "<html><head></head><frameset><frame src=x></frameset>", "<html><head></head><frameset><frame src=x></frameset>"},
		{"UTF-16 with a mark", "\xff\xfe<\x00p\x00>\x00", "\xff\xfe<\x00p\x00>\x00"},
		{"UTF-16 without a mark", "<\x00p\x00>\x00x\x00", "<\x00p\x00>\x00x\x00"},
		{"nothing", "", ""},
	} {
		s := start(t, site(map[string]http.HandlerFunc{"/guide/keys": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, tt.page)
		}}))
		_, body := s.ask(t, "GET", "/guide/keys")
		body = strings.NewReplacer(headLinks, l, pointer, p).Replace(body)
		if diff := cmp.Diff(tt.want, body); diff != "" {
			t.Errorf("%s: %s", tt.what, diff)
		}
	}
}

func TestLinksOfThePageItselfStay(t *testing.T) {
	own := `<head><link rel="describedby" href="/x"><link type="text/markdown; v=1" rel="ALTERNATE" href="/y.md"></head><body>`
	s := start(t, site(map[string]http.HandlerFunc{"/guide/keys": sends(own)}))
	_, body := s.ask(t, "GET", "/guide/keys")
	if body != own+pointer {
		t.Errorf("%q", body)
	}
}

func TestWhatPassesUntouched(t *testing.T) {
	large := page + strings.Repeat("x", maxPageBytes)
	deep := "<head>" + strings.Repeat("<meta name=a content=b>", maxHeadBytes/20) + "</head><body>x"
	for _, tt := range []struct {
		what    string
		h       http.HandlerFunc
		request []string
		want    string
	}{
		{"JSON", sends(`{"a":"<body>"}`, "Content-Type: application/json"), nil, `{"a":"<body>"}`},
		{"a page that may not be changed", sends(page, "Cache-Control: public, No-Transform"), nil, page},
		{"a page of 16-bit characters", sends(page, "Content-Type: text/html; charset=UTF-16"), nil, page},
		{"a coding that we cannot undo", sends(page, "Content-Encoding: br"), nil, page},
		{"a page that says gzip and is not", sends(page, "Content-Encoding: gzip"), nil, page},
		{"a range", sends(page[:20], "Content-Range: bytes 0-19/500"), []string{"Range: bytes=0-19"}, page[:20]},
		{"XHTML", sends(page, "Content-Type: application/xhtml+xml"), nil, page},
		{"a huge page", sends(large, "Content-Length: "+fmt.Sprint(len(large))), nil, large},
		{"a page whose body begins far in", sends(deep), nil, deep},
	} {
		s := start(t, site(map[string]http.HandlerFunc{"/guide/keys": tt.h}))
		r, body := s.ask(t, "GET", "/guide/keys", tt.request...)
		if body != tt.want {
			t.Errorf("%s: %d bytes, want %d: %.80q", tt.what, len(body), len(tt.want), body)
		}
		if strings.Contains(r.Header.Get("ETag"), "evergreen") {
			t.Errorf("%s: ETag %s", tt.what, r.Header.Get("ETag"))
		}
		if tt.what == "a huge page" && r.Header.Get("Link") != "" {
			t.Error("a page without mirror links to one")
		}
	}
}

func TestTheHeadMayEndAtTheBound(t *testing.T) {
	for _, tt := range []struct {
		size int
		in   bool
	}{{maxHeadBytes - 100, true}, {maxHeadBytes + 100, false}} {
		body := "<head><script>" + strings.Repeat("x", tt.size-20) + "</script></head><body>y"
		s := start(t, site(map[string]http.HandlerFunc{"/guide/keys": sends(body)}))
		if _, got := s.ask(t, "GET", "/guide/keys"); strings.Contains(got, "This page as Markdown") != tt.in {
			t.Errorf("a head of %d bytes: changed %v", tt.size, !tt.in)
		}
	}
}

func TestErrorsAndFormsPass(t *testing.T) {
	s := start(t, site(map[string]http.HandlerFunc{
		"/form": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<body>%s %s", r.Method, body)
		},
		"/broken": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(500)
			_, _ = io.WriteString(w, "<body>oops")
		}}))
	r, body := s.ask(t, "GET", "/nowhere")
	if r.StatusCode != 404 || body != "<title>Not here</title><body>Nothing." || !strings.Contains(strings.Join(r.Header.Values("Vary"), ","), "Accept") {
		t.Errorf("%d %q %v", r.StatusCode, body, r.Header)
	}
	if r, body := s.ask(t, "GET", "/broken"); r.StatusCode != 500 || body != "<body>oops" {
		t.Errorf("%d %q", r.StatusCode, body)
	}
	posted, err := http.Post(s.URL+"/form", "text/plain", strings.NewReader("a=1"))
	if err != nil {
		t.Fatal(err)
	}
	defer posted.Body.Close()
	if body, _ := io.ReadAll(posted.Body); string(body) != "<body>POST a=1" {
		t.Errorf("%q", body)
	}
}

func TestMirrors(t *testing.T) {
	want := `> Index of this site for agents: [/llms.txt]({base}/llms.txt). This page as HTML: [keys]({base}/guide/keys).

# Keys

The old key stays valid for twenty-four hours, so that nobody is locked out.

See [the guide]({base}/guide/index.html.md), [installing]({base}/guide/%E5%AE%89%E8%A3%85.html.md), [a file]({base}/file.zip) and [elsewhere](https://example.com/).
`
	s := start(t, site(map[string]http.HandlerFunc{
		"/guide/own.md": sends("# Own\n", "Content-Type: text/markdown"),
		"/old": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/guide/keys", http.StatusMovedPermanently)
		},
		"/file.zip": sends("PK", "Content-Type: application/zip"),
		"/dir/":     sends("<title>Folder</title><main><p>This folder holds nothing but this sentence of some length.</p></main>"),
	}), func(o *Options) { o.Signal = "search=yes" })
	for _, path := range []string{"/guide/keys.html.md", "/guide/keys.md", "/old.md"} {
		r, body := s.ask(t, "GET", path)
		if diff := cmp.Diff(want, body); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		for name, value := range map[string]string{"Content-Type": "text/markdown; charset=utf-8", "Content-Signal": "search=yes",
			"ETag": `"k1-evergreen-md"`, "Link": "<" + s.URL + `/guide/keys>; rel="canonical"`} {
			if r.Header.Get(name) != value {
				t.Errorf("%s: %s is %q, want %q", path, name, r.Header.Get(name), value)
			}
		}
		if r.Header.Get("X-Markdown-Tokens") == "" || r.Header.Get("Content-Length") == "" {
			t.Errorf("%s: %v", path, r.Header)
		}
		head, none := s.ask(t, "HEAD", path)
		head.Header.Del("Date")
		r.Header.Del("Date")
		if diff := cmp.Diff(r.Header, head.Header); diff != "" || none != "" {
			t.Errorf("HEAD %s: %s%q", path, diff, none)
		}
	}
	if _, body := s.ask(t, "GET", "/dir/index.md"); !strings.Contains(body, "# Folder\n") || !strings.Contains(body, "[/dir/]({base}/dir/)") {
		t.Errorf("%q", body)
	}
	if r, body := s.ask(t, "GET", "/guide/own.md"); body != "# Own\n" || r.StatusCode != 200 {
		t.Errorf("the origin's own Markdown: %q", body)
	}
	for _, path := range []string{"/nope.md", "/nope.html.md", "/file.zip.md", "/.md", "/dir/.md", "/nope/index.md"} {
		if r, body := s.ask(t, "GET", path); r.StatusCode != 404 {
			t.Errorf("%s: %d %.60q", path, r.StatusCode, body)
		}
	}
}

func TestNegotiation(t *testing.T) {
	s := start(t, site(map[string]http.HandlerFunc{
		"/data.json": sends("{}", "Content-Type: application/json"),
		"/gbk":       sends("<title>\xd6\xd0\xce\xc4</title><main><h1>\xd6\xd0\xce\xc4</h1><p>\xd6\xd0\xce\xc4\xb5\xc4\xd2\xbb\xb6\xce\xbb\xb0\xa3\xac\xd7\xe3\xb9\xbb\xb3\xa4\xa1\xa3</p></main>", "Content-Type: text/html; charset=gbk"),
		"/native": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/markdown")
			fmt.Fprint(w, r.Header.Get("Accept"))
		},
		"/plain": sends(page, "Vary: Cookie"),
	}))
	for _, tt := range []struct{ path, accept, kind, part string }{
		{"/guide/keys", "text/markdown", "text/markdown; charset=utf-8", "\n# Keys\n"},
		{"/guide/keys", "text/markdown, text/html;q=0.9", "text/markdown; charset=utf-8", "\n# Keys\n"},
		{"/guide/keys", "text/html, text/markdown", "text/html; charset=utf-8", "<h1>Keys</h1>"},
		{"/guide/keys", "text/plain", "text/plain; charset=utf-8", "\n# Keys\n"},
		{"/guide/keys", "*/*", "text/html; charset=utf-8", "<h1>Keys</h1>"},
		{"/data.json", "text/markdown", "application/json", "{}"},
		{"/gbk", "text/markdown", "text/markdown; charset=utf-8", "\n# 中文\n"},
		{"/native", "text/markdown", "text/markdown", "text/markdown, text/html;q=0.1"},
		{"/nowhere", "text/markdown", "text/html", "Nothing."},
	} {
		r, body := s.ask(t, "GET", tt.path, "Accept: "+tt.accept)
		if r.Header.Get("Content-Type") != tt.kind || !strings.Contains(body, tt.part) {
			t.Errorf("%s as %s: %s %.80q", tt.path, tt.accept, r.Header.Get("Content-Type"), body)
		}
		if vary := strings.Join(r.Header.Values("Vary"), ","); strings.Contains(tt.path, "keys") && !strings.Contains(vary, "Accept,") {
			t.Errorf("%s as %s: Vary %s", tt.path, tt.accept, vary)
		}
	}
	if r, _ := s.ask(t, "GET", "/plain"); strings.Join(r.Header.Values("Vary"), ",") != "Cookie,Accept,Accept-Encoding" {
		t.Errorf("Vary %v", r.Header.Values("Vary"))
	}
}

func TestAHugePageHasNoMirror(t *testing.T) {
	large := page + strings.Repeat("<p>x</p>", maxPageBytes/8)
	s := start(t, site(map[string]http.HandlerFunc{"/guide/keys": sends(large)}))
	if r, body := s.ask(t, "GET", "/guide/keys", "Accept: text/markdown"); body != large || r.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("negotiated: %s, %d bytes", r.Header.Get("Content-Type"), len(body))
	}
	if r, _ := s.ask(t, "GET", "/guide/keys.md"); r.StatusCode != 404 {
		t.Errorf("mirror: %d", r.StatusCode)
	}
}

// TestABombHasNoMirror unpacks no more of a page than becomes Markdown.
func TestABombHasNoMirror(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := io.WriteString(z, page+strings.Repeat("<p>x</p>", maxPageBytes))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	s := start(t, site(map[string]http.HandlerFunc{"/guide/keys": sends(bomb.String(), "Content-Encoding: gzip")}))
	if r, body := s.ask(t, "GET", "/guide/keys", "Accept: text/markdown", "Accept-Encoding: gzip"); body != bomb.String() || r.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("negotiated: %q, %d bytes of %d", r.Header.Get("Content-Encoding"), len(body), bomb.Len())
	}
	if r, _ := s.ask(t, "GET", "/guide/keys.md"); r.StatusCode != 404 {
		t.Errorf("mirror: %d", r.StatusCode)
	}
}

func TestNotModified(t *testing.T) {
	s := start(t, site(map[string]http.HandlerFunc{"/a.css": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"c"`)
		w.Header().Set("Content-Type", "text/css")
		if r.Header.Get("If-None-Match") == `"c"` {
			w.WriteHeader(304)
		}
	}}))
	for _, tt := range []struct {
		path, accept, tags string
		status             int
		etag               string
	}{
		{"/guide/keys", "", `"k1-evergreen"`, 304, `"k1-evergreen"`},
		{"/guide/keys", "", `"k1-evergreen-md"`, 200, `"k1-evergreen"`},
		{"/guide/keys", "", `"k2-evergreen"`, 200, `"k1-evergreen"`},
		{"/guide/keys", "text/markdown", `"k1-evergreen-md"`, 304, `"k1-evergreen-md"`},
		{"/guide/keys", "text/markdown", `"k1-evergreen"`, 200, `"k1-evergreen-md"`},
		{"/guide/keys.md", "", `"k1-evergreen-md"`, 304, `"k1-evergreen-md"`},
		{"/a.css", "", `"c"`, 304, `"c"`},
	} {
		r, body := s.ask(t, "GET", tt.path, "If-None-Match: "+tt.tags, "Accept: "+tt.accept)
		if r.StatusCode != tt.status || r.Header.Get("ETag") != tt.etag || tt.status == 304 && body != "" {
			t.Errorf("%s %s %s: %d %s", tt.path, tt.accept, tt.tags, r.StatusCode, r.Header.Get("ETag"))
		}
		if tt.status == 304 && tt.path != "/a.css" && !strings.Contains(strings.Join(r.Header.Values("Vary"), ","), "Accept") {
			t.Errorf("%s: a 304 without Vary", tt.path)
		}
	}
}

func TestGzip(t *testing.T) {
	packed := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			_, _ = io.WriteString(w, page)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, page)
		_ = z.Close()
	}
	s := start(t, site(map[string]http.HandlerFunc{"/guide/keys": packed, "/always": func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Accept-Encoding", "gzip")
		packed(w, r)
	}}))
	unpack := func(r *http.Response, body string) string {
		if r.Header.Get("Content-Encoding") != "gzip" {
			return body
		}
		z, err := gzip.NewReader(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), s.URL, "{base}")
	}
	for _, tt := range []struct{ path, takes, coding string }{
		{"/guide/keys", "gzip, br", "gzip"}, {"/guide/keys", "br", ""}, {"/guide/keys", "gzip;q=0", ""}, {"/always", "", ""},
	} {
		r, raw := s.ask(t, "GET", tt.path, "Accept-Encoding: "+tt.takes)
		body := unpack(r, raw)
		if r.Header.Get("Content-Encoding") != tt.coding || !strings.Contains(body, "This page as Markdown") || !strings.HasSuffix(body, page[len(page)-200:]) {
			t.Errorf("%s with %q: coding %q, %.60q", tt.path, tt.takes, r.Header.Get("Content-Encoding"), body)
		}
		if r, body := s.ask(t, "GET", tt.path, "Accept-Encoding: "+tt.takes, "Accept: text/markdown"); !strings.Contains(body, "\n# Keys\n") {
			t.Errorf("Markdown of %s with %q: %v %.60q", tt.path, tt.takes, r.Header, body)
		}
	}
}

func TestStreamsArriveInPieces(t *testing.T) {
	next := make(chan struct{})
	pieces := func(kind, first string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, first)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, "last")
		}
	}
	s := start(t, site(map[string]http.HandlerFunc{
		"/events": pieces("text/event-stream", "data: first\n\n"),
		"/page":   pieces("text/html", "<head></head><body><p>first</p>"),
		"/bare":   pieces("text/html", "<p>first</p>"),
		"/octets": pieces("application/octet-stream", "first"),
	}))
	for _, path := range []string{"/events", "/page", "/bare", "/octets"} {
		for _, coding := range []string{"identity", "gzip"} {
			q, err := http.NewRequest("GET", s.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			q.Header.Set("Accept-Encoding", coding)
			r, err := http.DefaultTransport.RoundTrip(q)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			buffer := make([]byte, 4096)
			for !bytes.Contains(got, []byte("first")) {
				n, err := r.Body.Read(buffer)
				if got = append(got, buffer[:n]...); err != nil {
					t.Fatalf("%s: %v after %q", path, err, got)
				}
			}
			if bytes.Contains(got, []byte("last")) {
				t.Errorf("%s came in one piece", path)
			}
			next <- struct{}{}
			all, err := io.ReadAll(r.Body)
			r.Body.Close()
			if err != nil || !bytes.HasSuffix(all, []byte("last")) {
				t.Errorf("%s: %v %q", path, err, all)
			}
		}
	}
}

func TestWebsocketsPass(t *testing.T) {
	s := start(t, site(map[string]http.HandlerFunc{"/socket": func(w http.ResponseWriter, r *http.Request) {
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		fmt.Fprintf(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n", r.Header.Get("Upgrade"))
		_ = rw.Flush()
		line, _ := rw.ReadString('\n')
		_, _ = rw.WriteString("echo " + line)
		_ = rw.Flush()
	}}))
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprint(c, "GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	in := bufio.NewReader(c)
	r, err := http.ReadResponse(in, nil)
	if err != nil || r.StatusCode != 101 {
		t.Fatalf("%v %v", r, err)
	}
	fmt.Fprint(c, "hello\n")
	if line, err := in.ReadString('\n'); line != "echo hello\n" {
		t.Errorf("%q, %v", line, err)
	}
}

func TestRangesPass(t *testing.T) {
	s := start(t, site(map[string]http.HandlerFunc{"/a.pdf": func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a.pdf", time.Unix(0, 0), strings.NewReader("0123456789"))
	}}))
	r, body := s.ask(t, "GET", "/a.pdf", "Range: bytes=2-4")
	if r.StatusCode != 206 || body != "234" || r.Header.Get("Content-Range") != "bytes 2-4/10" {
		t.Errorf("%d %q %v", r.StatusCode, body, r.Header)
	}
}

func TestRedirectsStayAtThePublicAddress(t *testing.T) {
	var s *setup
	to := func(target func() string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", target())
			w.WriteHeader(302)
		}
	}
	s = start(t, site(map[string]http.HandlerFunc{
		"/abs":  to(func() string { return s.origin.URL + "/x?a=1#b" }),
		"/root": to(func() string { return "/guide/" }),
		"/far":  to(func() string { return "https://example.com/x" }),
	}))
	for path, want := range map[string]string{"/abs": s.URL + "/x?a=1#b", "/root": s.URL + "/guide/", "/far": "https://example.com/x"} {
		if r, _ := s.ask(t, "GET", path); r.Header.Get("Location") != want {
			t.Errorf("%s: %s, want %s", path, r.Header.Get("Location"), want)
		}
	}
}

func TestCredentialsReachTheOriginAndNobodyElse(t *testing.T) {
	s := start(t, site(map[string]http.HandlerFunc{"/private": func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cookie") != "session=s3cret" {
			w.WriteHeader(401)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "public, max-age=600")
		_, _ = io.WriteString(w, "<main><h1>Mine</h1><p>Only for the one who is logged in, and for nobody else.</p></main>")
	}, "/sets": sends(page, "Set-Cookie: session=n3w", "Cache-Control: public, max-age=600")}))
	r, body := s.ask(t, "GET", "/private.md?token=t0ken", "Cookie: session=s3cret", "Authorization: Bearer b3arer")
	if r.StatusCode != 200 || !strings.Contains(body, "# Mine") || r.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("%d %v %q", r.StatusCode, r.Header, body)
	}
	if r, body := s.ask(t, "GET", "/private.md"); r.StatusCode != 401 || strings.Contains(body, "Mine") {
		t.Errorf("a stranger gets %d %q", r.StatusCode, body)
	}
	if r, _ := s.ask(t, "GET", "/sets.md"); r.Header.Get("Cache-Control") != "private, no-store" || r.Header.Get("Set-Cookie") != "session=n3w" {
		t.Errorf("an answer that sets a cookie: %v", r.Header)
	}
	if _, body := s.ask(t, "GET", "/llms.txt", "Cookie: session=s3cret"); body != `layer /llms.txt cookie=""` {
		t.Error(body)
	}
	s.origin.Close()
	if r, body := s.ask(t, "GET", "/private?token=t0ken", "Cookie: session=s3cret", "Authorization: Bearer b3arer"); r.StatusCode != 502 || r.Header.Get("Cache-Control") != "no-store" || !strings.Contains(body, "/llms.txt") {
		t.Errorf("a dead origin: %d %q", r.StatusCode, body)
	}
	for _, secret := range []string{"s3cret", "b3arer", "t0ken", "n3w"} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("%s is in the log: %s", secret, s.log)
		}
	}
	if !strings.Contains(s.log.String(), "path=/private") {
		t.Errorf("log: %s", s.log)
	}
}

func TestLayersAnswerTheirPaths(t *testing.T) {
	s := start(t, site(nil), func(o *Options) {
		o.Missing = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(404)
			fmt.Fprint(w, "ways in: ", r.URL.Path, r.Header.Get("Cookie"))
		})
	})
	for _, path := range []string{"/llms.txt", "/mcp"} {
		if _, body := s.ask(t, "POST", path); !strings.HasPrefix(body, "layer "+path) {
			t.Errorf("%s: %q", path, body)
		}
	}
	if r, body := s.ask(t, "GET", "/nope.md", "Cookie: a=b"); r.StatusCode != 404 || body != "ways in: /nope.md" {
		t.Errorf("%d %q", r.StatusCode, body)
	}
}

func TestAnOverlayOfItselfEnds(t *testing.T) {
	var v *Overlay
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { v.ServeHTTP(w, r) }))
	defer s.Close()
	v, err := New(Options{Origin: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Get(s.URL + "/x")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusLoopDetected {
		t.Errorf("%d", r.StatusCode)
	}
}

func TestOrigins(t *testing.T) {
	for _, bad := range []string{"", "docs.example.com", "ftp://a", "https://", "https://user:pw@a.example"} {
		if _, err := New(Options{Origin: bad}); evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAnOriginBelowAPath(t *testing.T) {
	s := start(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/docs/a" {
			http.Redirect(w, r, "/docs/b", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<body>%s", r.URL.Path)
	})
	v, err := New(Options{Origin: s.origin.URL + "/docs/", Base: func(*http.Request) string { return "https://p.example" }})
	if err != nil {
		t.Fatal(err)
	}
	s.Config.Handler = v
	if _, body := s.ask(t, "GET", "/b"); !strings.HasSuffix(body, "/docs/b") || !strings.Contains(body, "https://p.example/b.html.md") {
		t.Error(body)
	}
	if r, _ := s.ask(t, "GET", "/a"); r.Header.Get("Location") != "https://p.example/b" {
		t.Error(r.Header.Get("Location"))
	}
}
