package ui_test

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"evergreen"
	"evergreen/docs"
	"evergreen/internal/engine"
	"evergreen/internal/site"
	"evergreen/internal/ui"

	"golang.org/x/net/html"
)

const baseURL = "https://docs.example.com"

// siteOf indexes files and makes a site of them.
func siteOf(t *testing.T, files fs.FS, o site.Options) (*site.Site, *engine.Published) {
	t.Helper()
	e, err := engine.OpenEmbedded(t.Context(), engine.Options{}, files, "guide")
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := e.Publish()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		snapshot.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	o.BaseURL, o.Name = baseURL, "Example Docs"
	made, err := site.New(site.Input{Snapshot: snapshot, Options: o, Policy: evergreen.Policy{Licence: "CC-BY-4.0"}})
	if err != nil {
		t.Fatal(err)
	}
	return made, snapshot
}

func exampleFiles() fstest.MapFS {
	return fstest.MapFS{
		"index.md": {Data: []byte("# Guide\n\nStart here.\n")},
		"keys/rotate.md": {Data: []byte("---\ntitle: Rotating </script><b>keys\ndescription: Replace the key.\n---\n\n# Rotating </script>keys\n\n" +
			"## Run it\n\n```go\nif x { run(\"a\") } // now\n```\n\n## Check it\n\n<script>alert(1)</script><p onclick=x style=\"a\">See [start](../index.md).</p>\n")},
		"zh.md": {Data: []byte("---\nlang: zh-CN\n---\n\n# 幻觉\n\n回答时引用编号。\n")},
	}
}

func newUI(t *testing.T, o ui.Options) *ui.UI {
	t.Helper()
	u, err := ui.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// pageOf renders the page at a path.
func pageOf(t *testing.T, u *ui.UI, s *site.Site, path, lang string) string {
	t.Helper()
	p, _, ok := s.PageAt(path)
	if !ok {
		t.Fatalf("no page at %s", path)
	}
	b, err := u.Page(s, p, lang)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestDocumentPage(t *testing.T) {
	s, _ := siteOf(t, exampleFiles(), site.Options{A2A: true})
	page := pageOf(t, newUI(t, ui.Options{Version: "1.2.3"}), s, "/docs/guide/keys/rotate", "en")
	for _, want := range []string{
		`<html lang="en">`,
		`<meta name="description" content="Replace the key.">`,
		`<link rel="canonical" href="https://docs.example.com/docs/guide/keys/rotate">`,
		`<link rel="alternate" href="https://docs.example.com/docs/guide/keys/rotate.html.md" type="text/markdown">`,
		`<link rel="describedby" href="https://docs.example.com/llms.txt" type="text/markdown">`,
		`<link rel="ai-catalog" href="https://docs.example.com/.well-known/ai-catalog.json"`,
		`<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">`,
		`<nav class="crumbs" aria-label="Breadcrumb" lang="en">`,
		`<li><a href="https://docs.example.com/">Example Docs</a></li>`,
		`<li class="at-2"><a href="#run-it">Run it</a> <span class="price">`, `"prefix":"guide::keys/rotate.md::"`,
		`<h2 id="run-it">Run it</h2>`,
		`<span class="k">if</span>`, `<span class="s">&#34;a&#34;</span>`, `<span class="c">// now</span>`,
		`href="https://docs.example.com/docs/guide/keys/rotate.html.md" data-key="m">Open as Markdown</a>`,
		`citable `, "Served by Evergreen 1.2.3",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if _, body, _ := strings.Cut(page, `id="_top">`+"\n"); !strings.HasPrefix(body, `<p class="pointer"><a href="https://docs.example.com/llms.txt">/llms.txt</a> `) {
		t.Errorf("the body does not begin with the pointer: %.200s", body)
	}
}

// A validator refuses pages with control characters, and documents have them.
func TestPagesHoldNoControlCharacters(t *testing.T) {
	s, _ := siteOf(t, fstest.MapFS{"log.md": {Data: []byte("# A\x7f log\n\n`\x1b[1m` \u0080\n\n```\n\x01\n```\n")}}, site.Options{})
	page := pageOf(t, newUI(t, ui.Options{}), s, "/docs/guide/log", "en")
	if i := strings.IndexAny(page, "\x01\x1b\x7f\u0080"); i >= 0 || !strings.Contains(page, "\uFFFD log") {
		t.Errorf("at %d: %q", i, page[max(0, i-20):max(0, i)+20])
	}
}

func TestPagesNeedNoScriptAndHoldNone(t *testing.T) {
	s, _ := siteOf(t, exampleFiles(), site.Options{})
	u := newUI(t, ui.Options{})
	pages := map[string]string{}
	for _, p := range s.Pages() {
		pages[p.Path] = pageOf(t, u, s, p.Path, "en")
	}
	layers, err := u.Layers(s, "en")
	if err != nil {
		t.Fatal(err)
	}
	search, err := u.Search(s, "en", evergreen.SearchRequest{Query: `"><script>alert(1)</script>`}, finds(evergreen.SearchResult{Suggestions: []string{"<i>"},
		Hits: []evergreen.Hit{{ID: "guide::zh.md::x#1", Collection: "guide", DocPath: "zh.md", Title: "<b>", Snippet: "<script>"}}}))
	if err != nil {
		t.Fatal(err)
	}
	pages["/layers"], pages["/search"] = string(layers), string(search)
	for path, page := range pages {
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		var walk func(*html.Node)
		walk = func(n *html.Node) {
			attrs := map[string]string{}
			for _, a := range n.Attr {
				attrs[a.Key] = a.Val
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
					t.Errorf("%s: %s=%q", path, a.Key, a.Val)
				}
			}
			if id := attrs["id"]; id != "" && ids[id] {
				t.Errorf("%s: two elements have the id %s", path, id)
			} else {
				ids[id] = true
			}
			switch {
			case n.Data == "style" && n.Type == html.ElementNode:
				t.Errorf("%s has a style of its own", path)
			case n.Data == "script" && attrs["type"] == "application/ld+json":
				var graph struct {
					Graph []map[string]any `json:"@graph"`
				}
				if err := json.Unmarshal([]byte(n.FirstChild.Data), &graph); err != nil || len(graph.Graph) < 3 {
					t.Errorf("%s: structured data: %v", path, err)
				}
			case n.Data == "script" && attrs["type"] == "application/json":
				if !json.Valid([]byte(n.FirstChild.Data)) {
					t.Errorf("%s: no JSON: %s", path, n.FirstChild.Data)
				}
			case n.Data == "script" && n.Type == html.ElementNode && n.FirstChild != nil:
				t.Errorf("%s holds a script: %s", path, n.FirstChild.Data)
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c)
			}
		}
		walk(root)
		if !strings.Contains(page, "<main id=\"_main\"") || strings.Count(page, "<h1") != 1 {
			t.Errorf("%s has no main part, or not one title", path)
		}
	}
}

func TestWhatPagesLoadIsThere(t *testing.T) {
	s, _ := siteOf(t, exampleFiles(), site.Options{})
	u := newUI(t, ui.Options{})
	page := pageOf(t, u, s, "/", "en")
	loaded := regexp.MustCompile(`"(/assets/[^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(loaded) != 6 {
		t.Errorf("%d files are loaded: %v", len(loaded), loaded)
	}
	for _, m := range loaded {
		body, kind, _, ok := u.Asset(m[1])
		if !ok || len(body) == 0 || kind == "application/octet-stream" {
			t.Errorf("%s: %v, %d bytes of %s", m[1], ok, len(body), kind)
		}
	}
	if _, kind, fixed, ok := u.Asset("/favicon.ico"); !ok || fixed || kind != "image/svg+xml" {
		t.Error("no /favicon.ico that may change")
	}
	if _, _, fixed, _ := u.Asset(u.Assets()[0]); !fixed {
		t.Error("a file with its hash in its path is not kept for ever")
	}
	if _, _, _, ok := u.Asset("/assets/site.css"); ok {
		t.Error("a file is served without its hash")
	}
	if policy := u.Policy(); strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("policy %q", policy)
	}
}

func TestPagesSpeakChinese(t *testing.T) {
	s, _ := siteOf(t, exampleFiles(), site.Options{})
	u := newUI(t, ui.Options{})
	page := pageOf(t, u, s, "/docs/guide/zh", "zh")
	for _, want := range []string{`<html lang="zh-CN">`, `<h1 id="幻觉">幻觉</h1>`, "跳到正文", `<a href="?lang=en" lang="en" hreflang="en" title="English">en</a>`, ">搜索</button>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	mixed := pageOf(t, u, s, "/docs/guide/keys/rotate", "zh")
	if !strings.Contains(mixed, `<html lang="en">`) || !strings.Contains(mixed, `<header lang="zh-CN" `) {
		t.Error("Chinese words around an English document are not marked as such")
	}
	found, err := u.Search(s, "zh", evergreen.SearchRequest{Query: "幻觉"}, finds(evergreen.SearchResult{Total: 1, Hits: []evergreen.Hit{
		{ID: "guide::zh.md::幻觉#1", Collection: "guide", DocPath: "zh.md", Title: "幻觉", Tokens: 9}}}))
	if err != nil {
		t.Fatal(err)
	}
	if want := `<a href="https://docs.example.com/docs/guide/zh#%E5%B9%BB%E8%A7%89" data-f="title" data-markdown="https://docs.example.com/docs/guide/zh.html.md">幻觉</a>`; !strings.Contains(string(found), want) {
		t.Errorf("no %s in\n%s", want, found)
	}
}

// finds answers every search alike.
func finds(r evergreen.SearchResult) func(evergreen.SearchRequest) (evergreen.SearchResult, error) {
	return func(evergreen.SearchRequest) (evergreen.SearchResult, error) { return r, nil }
}

func TestStaticPagesNeedNoServer(t *testing.T) {
	s, _ := siteOf(t, exampleFiles(), site.Options{})
	page := pageOf(t, newUI(t, ui.Options{Static: true}), s, "/", "en")
	for _, bad := range []string{"?lang=", "webmcp"} {
		if strings.Contains(page, bad) {
			t.Errorf("a page of an export holds %s", bad)
		}
	}
}

// TestSectionsAreWhereTheyAreCited renders our own docs and looks for every
// anchor that a citation may name.
func TestSectionsAreWhereTheyAreCited(t *testing.T) {
	s, snapshot := siteOf(t, docs.Files, site.Options{})
	u := newUI(t, ui.Options{})
	sections := 0
	for d := range snapshot.Documents("guide") {
		p := slices.IndexFunc(s.Pages(), func(p site.Page) bool { return p.DocPath == d.Path })
		if p < 0 {
			t.Errorf("%s has no page", d.Path)
			continue
		}
		page := pageOf(t, u, s, s.Pages()[p].Path, "en")
		entries, err := snapshot.Sections(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			sections++
			if e.Anchor != "" && !strings.Contains(page, ` id="`+e.Anchor+`"`) {
				t.Errorf("%s: nothing has the id %s", d.Path, e.Anchor)
			}
		}
	}
	if sections < 20 {
		t.Errorf("only %d sections", sections)
	}
}
