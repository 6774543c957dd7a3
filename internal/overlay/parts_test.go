package overlay

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWanted(t *testing.T) {
	for _, tt := range []struct{ accept, want string }{
		{"", wantsPage}, {"*/*", wantsPage}, {"text/*", wantsPage},
		{"text/markdown", wantsMarkdown}, {"TEXT/MARKDOWN", wantsMarkdown},
		{"text/markdown; charset=utf-8", wantsMarkdown}, {"text/markdown;variant=GFM", wantsMarkdown},
		{"text/markdown, text/html, */*", wantsMarkdown},
		{"text/markdown, text/html;q=0.9, */*;q=0.8", wantsMarkdown},
		{"text/html;q=0.9, text/markdown", wantsMarkdown},
		{"text/html, text/markdown", wantsPage}, {"text/html, text/markdown;q=0.9", wantsPage},
		{"text/markdown;q=0.5, text/html", wantsPage}, {"text/markdown;q=0.5, */*", wantsPage},
		{"text/markdown, */*", wantsMarkdown}, {"*/*, text/markdown", wantsMarkdown},
		{"text/*;q=0.5, text/markdown;q=0.5", wantsMarkdown},
		{"text/markdown;q=0", wantsPage}, {"text/markdown;q=0, */*", wantsPage},
		{"text/markdown;q=0.001", wantsMarkdown}, {"text/markdown;q=abc, text/html;q=0.9", wantsMarkdown},
		{"application/xhtml+xml, text/markdown", wantsPage},
		{"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8", wantsPage},
		{"text/plain", wantsPlain}, {"text/plain, */*", wantsPage}, {"text/plain, text/markdown", wantsMarkdown},
		{"application/json", wantsPage}, {"application/json, text/markdown;q=0.1", wantsMarkdown},
		{",,text/markdown,,", wantsMarkdown}, {"text/markdown;q=7, text/html", wantsMarkdown},
	} {
		if got := wanted([]string{tt.accept}); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.accept, got, tt.want)
		}
	}
	if wanted([]string{"text/markdown", "text/html"}) != wantsMarkdown {
		t.Error("several fields are not joined in order")
	}
}

func TestPathsOfMirrors(t *testing.T) {
	for page, mirror := range map[string]string{"/": "/index.html.md", "/a": "/a.html.md", "/a.html": "/a.html.md", "/a.htm": "/a.htm.md",
		"/a/": "/a/index.html.md", "/v1.2": "/v1.2.html.md"} {
		if got := mirrorOf(page); got != mirror {
			t.Errorf("mirrorOf(%s) = %s, want %s", page, got, mirror)
		}
	}
	for mirror, pages := range map[string][]string{
		"/index.html.md": {"/", "/index.html"}, "/index.md": {"/", "/index.html"},
		"/a.html.md": {"/a.html", "/a"}, "/a.md": {"/a", "/a.html", "/a/"}, "/a.htm.md": {"/a.htm", "/a.htm.html", "/a.htm/"},
		"/a/index.html.md": {"/a/", "/a/index.html"}, "/a/index.md": {"/a/", "/a/index.html"},
		"/a": nil, "/a.html": nil, "/.md": nil, "/a/.md": nil, "/": nil,
	} {
		if diff := cmp.Diff(pages, pagesOf(mirror)); diff != "" {
			t.Errorf("%s: %s", mirror, diff)
		}
	}
	for _, page := range []string{"/", "/a", "/a.html", "/a.htm", "/a/", "/v1.2"} {
		found := false
		for _, p := range pagesOf(mirrorOf(page)) {
			found = found || p == page
		}
		if !found {
			t.Errorf("the mirror of %s does not lead back", page)
		}
	}
}

func TestTags(t *testing.T) {
	for _, tt := range []struct {
		named  string
		mirror bool
		want   string
	}{
		{`"a-evergreen"`, false, `"a"`}, {`W/"a-evergreen", "b"`, false, `W/"a", "b"`},
		{`"a-evergreen"`, true, ""}, {`"a-evergreen-md"`, true, `"a"`}, {`"a-evergreen-md"`, false, ""}, {"*", false, "*"}, {`"a"`, true, ""},
	} {
		h := http.Header{"If-None-Match": {tt.named}, "If-Modified-Since": {"x"}}
		readTags(h, tt.mirror)
		if got := h.Get("If-None-Match"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.named, got, tt.want)
		}
		if (h.Get("If-Modified-Since") == "") != (tt.want == "") {
			t.Errorf("%s: If-Modified-Since %q", tt.named, h.Get("If-Modified-Since"))
		}
	}
	h := http.Header{"Etag": {`W/"a"`}}
	if suffixTag(h, pageSuffix); h.Get("ETag") != `W/"a-evergreen"` {
		t.Error(h.Get("ETag"))
	}
}

func TestAcceptsGzip(t *testing.T) {
	for header, want := range map[string]bool{"": false, "gzip": true, "br, x-gzip": true, "gzip;q=0": false, "*": true, "*;q=0": false, "br": false, "*, gzip;q=0": false} {
		if got := acceptsGzip(header); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
}

func FuzzWanted(f *testing.F) {
	for _, seed := range []string{"", "text/markdown;q=0.1, */*", ";q=;,;=", "text/html;q=NaN,text/markdown;q=1e400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		got := wanted([]string{accept})
		if again := wanted([]string{accept + ",image/png"}); again != got {
			t.Errorf("%q: %s, with another type %s", accept, got, again)
		}
	})
}
