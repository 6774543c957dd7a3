package crawl

import (
	"net/url"
	"strings"
	"testing"
)

func TestNormalize(t *testing.T) {
	base, err := url.Parse("https://docs.example.com/a/b.html")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"HTTPS://Docs.Example.COM:443/a":           "https://docs.example.com/a",
		"http://docs.example.com:80":               "http://docs.example.com/",
		"http://docs.example.com:443/":             "http://docs.example.com:443/",
		"https://docs.example.com./a":              "https://docs.example.com/a",
		"https://b\u00fccher.example/":             "https://xn--bcher-kva.example/",
		"http://[2001:DB8::1]:8080/x":              "http://[2001:db8::1]:8080/x",
		"https://user:pw@docs.example.com/":        "https://docs.example.com/",
		"c.html":                                   "https://docs.example.com/a/c.html",
		"../X/":                                    "https://docs.example.com/X/",
		"../../../X":                               "https://docs.example.com/X",
		"https://docs.example.com/a/./b/../c/.":    "https://docs.example.com/a/c/",
		"https://docs.example.com/a/%2e%2E/b":      "https://docs.example.com/b",
		"/%7Ejoe/%e6%96%87":                        "https://docs.example.com/~joe/%E6%96%87",
		"/\u6587 x":                                "https://docs.example.com/%E6%96%87%20x",
		"/a%2Fb":                                   "https://docs.example.com/a%2Fb",
		"/100%":                                    "",
		"/a//b":                                    "https://docs.example.com/a//b",
		"/a;jsessionid=12AB?x=1":                   "https://docs.example.com/a?x=1",
		"/a?":                                      "https://docs.example.com/a",
		"/a?utm_source=x&b=1&UTM_Medium=y&gclid=z": "https://docs.example.com/a?b=1",
		"/a?fbclid=1":                              "https://docs.example.com/a",
		"/a?b=%7e&c=d e":                           "https://docs.example.com/a?b=~&c=d%20e",
		"/a?b=1&a=2":                               "https://docs.example.com/a?b=1&a=2",
		"#part":                                    "https://docs.example.com/a/b.html",
		"?x=1":                                     "https://docs.example.com/a/b.html?x=1",
		" /a\n/b ":                                 "https://docs.example.com/a/b",
		"//other.example/x":                        "https://other.example/x",
		"mailto:a@example.com":                     "",
		"javascript:x()":                           "",
		"data:text/plain,x":                        "",
		"https:opaque":                             "",
		"http://":                                  "",
		"http://a b/":                              "",
	}
	for raw, want := range tests {
		got := ""
		if u, ok := Normalize(raw, base); ok {
			got = u.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func TestDocPath(t *testing.T) {
	tests := map[string]string{
		"https://docs.example.com":                 "index.md",
		"https://docs.example.com/":                "index.md",
		"https://docs.example.com/#top":            "index.md",
		"https://docs.example.com/docs":            "docs.md",
		"https://docs.example.com/docs/":           "docs.md",
		"https://docs.example.com/docs.md":         "docs.md",
		"https://docs.example.com//docs//a":        "docs/a.md",
		"https://docs.example.com/docs/a.html":     "docs/a.html.md",
		"https://docs.example.com/README.md":       "README.md",
		"https://docs.example.com/./x/../docs/a":   "docs/a.md",
		"https://docs.example.com/docs?v=1":        "docs-7d75f93c.md",
		"https://docs.example.com/docs.md?v=1":     "docs.md-fc1e4ed3.md",
		"https://docs.example.com/docs?utm_term=1": "docs.md",
		"https://docs.example.com/..":              "index.md",
		"::":                                       "index.md",
		"":                                         "index.md",
	}
	for raw, want := range tests {
		if got := DocPath(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"https://a/b/../%7e?utm_x=1&c#d", "//B:80/%2e%2e//", "?a=%zz", "http://[::1]:80/;sid=1", "https://a/x/%2e%2e/y"} {
		f.Add(s)
	}
	base, err := url.Parse("https://docs.example.com/a/b.html")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, ok := Normalize(raw, base)
		if !ok {
			return
		}
		again, ok := Normalize(u.String(), nil)
		if !ok || again.String() != u.String() {
			t.Errorf("%q: %q, normalised again %q", raw, u, again)
		}
		path := DocPath(u.String())
		if !strings.HasSuffix(path, ".md") || strings.HasPrefix(path, "/") || strings.Contains(path, "//") || strings.Contains("/"+path, "/../") {
			t.Errorf("%q: document %q", raw, path)
		}
	})
}

func TestScope(t *testing.T) {
	at, _ := url.Parse("https://docs.example.com/guide/v1.2")
	below, _ := Normalize("https://docs.example.com/guide/v1.2/x", nil)
	n, _ := Normalize(at.String(), nil)
	for name, tt := range map[string]struct {
		found []*url.URL
		want  string
	}{
		"nothing below":       {nil, "https://docs.example.com/guide/"},
		"something below":     {[]*url.URL{below}, "https://docs.example.com/guide/v1.2/"},
		"itself with a slash": {[]*url.URL{n.JoinPath("/")}, "https://docs.example.com/guide/"},
	} {
		if got := newScope(n, tt.found).String(); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	s := scope{"https", "docs.example.com", "/docs/"}
	for raw, want := range map[string]bool{
		"https://docs.example.com/docs/":      true,
		"https://docs.example.com/docs":       true,
		"https://docs.example.com/docs/a/b":   true,
		"http://docs.example.com/docs/a":      true,
		"https://docs.example.com/docsearch":  false,
		"https://docs.example.com/":           false,
		"https://docs.example.com:8443/docs/": false,
		"https://www.example.com/docs/":       false,
	} {
		u, ok := Normalize(raw, nil)
		if got := ok && s.contains(s.own(u)); got != want {
			t.Errorf("%s in scope: %v, want %v", raw, got, want)
		}
	}
}

func TestSameSite(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"https://example.com/", "https://docs.example.com/"}:      true,
		{"https://a.github.io/", "https://b.github.io/"}:           false,
		{"https://example.co.uk/", "https://other.co.uk/"}:         false,
		{"http://127.0.0.1:1/", "http://127.0.0.1:2/"}:             true,
		{"http://127.0.0.1/", "http://10.0.0.1/"}:                  false,
		{"http://localhost/", "http://localhost:8080/"}:            true,
		{"https://docs.example.com/", "https://docs.example.net/"}: false,
	} {
		a, _ := url.Parse(pair[0])
		b, _ := url.Parse(pair[1])
		if got := sameSite(a, b); got != want {
			t.Errorf("%v: %v, want %v", pair, got, want)
		}
	}
}

func TestIsAsset(t *testing.T) {
	for path, want := range map[string]bool{
		"/a.PNG": true, "/a.tar.gz": true, "/llms.txt": true, "/docs/llms-full.txt": true, "/a.css": true,
		"/": false, "/a": false, "/a.html": false, "/a.pdf": false, "/a.md": false, "/a.txt": false, "/node.js": false,
		"/api/System.Xml": false, "/v1.2": false, "/a.php": false,
	} {
		if got := isAsset(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func TestRepeats(t *testing.T) {
	for path, want := range map[string]bool{
		"/a/b/a/b/a/b/":    false, // exactly the bound
		"/a/b/a/b/a/b/a/":  true,
		"/a/a/a":           false,
		"/a/a/a/a":         true,
		"/1/2/3/4/5/6/7/8": false,
	} {
		if got := repeats(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
