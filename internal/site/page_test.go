package site

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

func TestMirrorPaths(t *testing.T) {
	for path, want := range map[string][]string{
		"/":                {"/index.html.md", "/index.md"},
		"/x/":              {"/x/index.html.md", "/x/index.md"},
		"/guide/keys.html": {"/guide/keys.html.md", "/guide/keys.md"},
		"/old.htm":         {"/old.htm.md", "/old.md"},
		"/docs/a/b":        {"/docs/a/b.html.md", "/docs/a/b.md"},
		"/docs/a/v1.2":     {"/docs/a/v1.2.html.md", "/docs/a/v1.2.md"},
	} {
		if diff := cmp.Diff(want, mirrorPaths(path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// TestPages holds where pages stand and what else leads to them.
func TestPages(t *testing.T) {
	f := linked()
	f.document("app", "guide.md", "# Guide, short\n", evergreen.Meta{})
	f.document("app", "guide.html", "# Guide, other\n", evergreen.Meta{})
	f.document("app", "api/README.md", "# API\n", evergreen.Meta{Slug: "elsewhere"})
	f.document("app", "draft.md", "# Draft\n", evergreen.Meta{Draft: true})
	f.document("app", "untitled.md", "", evergreen.Meta{})
	s := must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example", Name: "N"}})
	for _, c := range []struct {
		path, title string
		canonical   bool
	}{
		{"/", "N", true},
		{"/docs/app", "App", false}, // the index document stands in for the collection's own page
		{"/docs/app/", "App", false},
		{"/docs/app/index", "App", true},
		{"/docs/app/guide", "Guide, short", true}, // a document goes before the folder of its name
		{"/docs/app/guide~2", "Guide, other", true},
		{"/docs/app/guide/", "Guide", false},
		{"/docs/app/api", "API", false},
		{"/docs/app/api/README", "API", true},
		{"/docs/app/untitled", "untitled", true},
		{"/docs/app/guide/说明", "说明", true},
		{"/docs/web", "web", true},
	} {
		p, canonical, ok := s.PageAt(c.path)
		if !ok || p.Title != c.title || canonical != c.canonical {
			t.Errorf("%s: %q, canonical %v, found %v; want %q, %v", c.path, p.Title, canonical, ok, c.title, c.canonical)
		}
	}
	for _, path := range []string{"/docs/app/draft", "/docs/app/elsewhere", "/docs/none", "/docs/app/guide.html.html", ""} {
		if p, _, ok := s.PageAt(path); ok {
			t.Errorf("%s shows %q", path, p.Title)
		}
	}
	for path, want := range map[string]string{
		"/docs/app/index.html": "/docs/app/index", "/docs/app/untitled/": "/docs/app/untitled",
		"/docs/app/guide/": "", "/docs/app/guide": "", "/docs/nothing.html": "",
	} {
		if got, _ := s.Moved(path); got != want {
			t.Errorf("%s moved to %q, want %q", path, got, want)
		}
	}
	for mirror, title := range map[string]string{
		"/index.md": "# N", "/index.html.md": "# N",
		"/docs/app/index.md": "# App", "/docs/app.md": "# App", "/docs/app.html.md": "# App",
		"/docs/app/guide.md": "# Guide, short", "/docs/app/guide/index.md": "# Guide",
		"/docs/app/api.md": "# API", "/docs/app/api/index.html.md": "# API", "/docs/app/api/README.md": "# API",
		"/docs/web.md": "# web", "/docs/app/guide/说明.md": "# 说明", "/docs/app/guide~2.html.md": "# Guide, other",
	} {
		if got := strings.Split(read(t, s, mirror), "\n"); got[2] != title {
			t.Errorf("%s: title %q, want %q", mirror, got[2], title)
		}
	}
	for _, path := range []string{"/docs/app/draft.md", "/docs/app/.md", "/docs/app/none.md", "/nope.html.md"} {
		if _, ok := s.Lookup(path); ok {
			t.Errorf("%s is served", path)
		}
	}
}

func TestDraftsLeaveNoTrace(t *testing.T) {
	f := linked()
	f.document("app", "draft.md", "# Secret plan\n", evergreen.Meta{Draft: true})
	s := must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example"}})
	for r := range s.Resources() {
		b, err := r.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "Secret plan") || strings.Contains(string(b), "app/draft") {
			t.Errorf("%s tells of a draft", r.Path)
		}
	}
}

// TestOriginLayout: pages of the base URL's host stay where they are.
func TestOriginLayout(t *testing.T) {
	f := &fake{revision: "r"}
	f.document("c", "a.md", "# A\n", evergreen.Meta{URL: "https://h.example/docs/a/"})
	f.document("c", "b.md", "# B\n", evergreen.Meta{URL: "https://h.example/docs/b.html"})
	f.document("c", "home.md", "# Start\n", evergreen.Meta{URL: "https://h.example/docs/"})
	f.document("c", "x.md", "# X\n", evergreen.Meta{URL: "https://other.example/x"})
	s := must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example/docs", Layout: LayoutOrigin}})
	var got []string
	for _, p := range s.Pages() {
		got = append(got, s.URL(p)+" "+s.MirrorURL(p))
	}
	want := []string{
		"https://h.example/docs/ https://h.example/docs/index.html.md",
		"https://h.example/docs/a/ https://h.example/docs/a/index.html.md",
		"https://h.example/docs/b.html https://h.example/docs/b.html.md",
		"https://h.example/docs/docs/c/x https://h.example/docs/docs/c/x.html.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if home, _, _ := s.PageAt("/"); home.Title != "Start" {
		t.Errorf("the home page is %q", home.Title)
	}
}

func TestBaseURLs(t *testing.T) {
	in := exampleInput()
	in.Options.Layout = LayoutDocs
	s := must(t, in)
	for base, want := range map[string]string{
		"http://127.0.0.1:4173":    "http://127.0.0.1:4173/docs/docs/guide/keys.html.md",
		"https://H.example/sub/":   "https://h.example/sub/docs/docs/guide/keys.html.md",
		"":                         "/docs/docs/guide/keys.html.md",
		"ftp://h.example":          "https://docs.example.com/docs/docs/guide/keys.html.md",
		"https://docs.example.com": "https://docs.example.com/docs/docs/guide/keys.html.md",
	} {
		if got := read(t, s.At(base), "/llms.txt"); !strings.Contains(got, "("+want+")") {
			t.Errorf("under %q the index lacks %s:\n%s", base, want, got)
		}
	}
	if _, err := New(Input{Snapshot: &fake{}, Options: Options{BaseURL: "docs.example.com"}}); evergreen.KindOf(err) != evergreen.Invalid {
		t.Errorf("a base URL without scheme: %v", err)
	}
}

func TestServerName(t *testing.T) {
	for base, want := range map[string]string{
		"https://docs.example.com": "com.example.docs/evergreen", "https://Example.COM:8443/x": "com.example/evergreen",
		"http://127.0.0.1:4173": "local/evergreen", "http://[::1]:1": "local/evergreen", "http://localhost": "local/evergreen",
		"http://app.localhost": "local/evergreen", "": "local/evergreen", "http://müller.example": "local/evergreen",
		"http://" + strings.Repeat("a.", 94) + "b": strings.TrimSuffix("b."+strings.Repeat("a.", 94), ".") + "/evergreen",
		"http://" + strings.Repeat("a.", 95) + "b": "local/evergreen",
	} {
		if got := ServerName(base); got != want {
			t.Errorf("%q: %q, want %q", base, got, want)
		}
	}
}

// TestClosedDocuments: a policy must not close what is published.
func TestClosedDocuments(t *testing.T) {
	for disallow, want := range map[string]string{
		"/guide/":          "/guide/install.html",
		"/guide/keys.html": "/guide/keys.html",
		"/guide/*.md":      "/guide/install.html.md",
		"/private/":        "",
	} {
		in := exampleInput()
		in.Policy.Disallow = []string{disallow}
		_, err := New(in)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want an error that names %q", disallow, err, want)
		}
	}
}

func TestResourcesAreServed(t *testing.T) {
	for _, in := range []Input{exampleInput(), {Snapshot: linked(), Options: exampleInput().Options}, {Snapshot: large(1500)}} {
		checkResources(t, must(t, in))
	}
}

func checkResources(t *testing.T, s *Site) {
	t.Helper()
	var paths []string
	for r := range s.Resources() {
		if slices.Contains(paths, r.Path) {
			t.Errorf("%s is listed twice", r.Path)
		}
		paths = append(paths, r.Path)
		for _, path := range append([]string{r.Path}, r.Aliases...) {
			if got, ok := s.Lookup(path); !ok || got.Path != r.Path && got.Type == r.Type {
				t.Errorf("%s of %s leads to %q", path, r.Path, got.Path)
			}
		}
		first, err := r.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if n, err := r.WriteTo(&b); err != nil || int(n) != len(first) || b.String() != string(first) {
			t.Errorf("%s: written twice it differs (%v)", r.Path, err)
		}
		if r.Modified.IsZero() != s.snap.Time().IsZero() || !strings.Contains(r.Type, "/") {
			t.Errorf("%s: type %q, modified %v", r.Path, r.Type, r.Modified)
		}
	}
}
