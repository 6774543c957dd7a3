package survey

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"evergreen/internal/audit/probe"

	"github.com/google/go-cmp/cmp"
)

func gather(t *testing.T, path string, h http.HandlerFunc) (*Site, string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	client, err := probe.New(server.URL+path, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Gather(t.Context(), client), server.URL
}

// large is a site of 1,500 pages whose index names section files.
func large(sitemap bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		base := "http://" + r.Host
		var b strings.Builder
		switch p := r.URL.Path; {
		case p == "/llms.txt":
			w.Header().Set("Content-Type", "text/markdown")
			b.WriteString("# Large\n\n> Many pages.\n\n## Sections\n\n")
			for i := range 15 {
				fmt.Fprintf(&b, "- [Section %d](%s/s%d/llms.txt): a part\n", i, base, i)
			}
		case strings.HasSuffix(p, "/llms.txt") && strings.HasPrefix(p, "/s"):
			var n int
			if _, err := fmt.Sscanf(p, "/s%d/llms.txt", &n); err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/markdown")
			b.WriteString("# Section\n\n> Part.\n\n## Pages\n\n")
			for i := range 100 {
				fmt.Fprintf(&b, "- [Page](%s/p/%d.md): a page\n", base, n*100+i)
			}
			b.WriteString("- [Data](" + base + "/data.json): no page\n")
		case p == "/sitemap.xml" && sitemap:
			w.Header().Set("Content-Type", "application/xml")
			b.WriteString("<urlset>")
			for i := range 1500 {
				fmt.Fprintf(&b, "<url><loc>%s/p/%d</loc></url>", base, i)
			}
			b.WriteString("<url><loc>" + base + "/blog/x</loc></url><url><loc>https://other.example/</loc></url></urlset>")
		case strings.HasPrefix(p, "/p/") && strings.HasSuffix(p, ".md"):
			w.Header().Set("Content-Type", "text/markdown")
			b.WriteString("# Page\n\nText.\n")
		case strings.HasPrefix(p, "/p/") && !strings.Contains(p, "nonexistent"):
			w.Header().Set("Content-Type", "text/html")
			b.WriteString("<title>Page</title><h1>Page</h1><p>Text.")
		default:
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(b.String()))
	}
}

func TestALargeSite(t *testing.T) {
	s, base := gather(t, "", large(true))
	if s.Found != 1500 || len(s.Pages) != 50 || len(s.Listed) != 1501 {
		t.Errorf("found %d, sampled %d, listed %d", s.Found, len(s.Pages), len(s.Listed))
	}
	if missed, of := s.Missed(); len(missed) != 0 || of != 1500 {
		t.Errorf("%d of %d are missed, such as %q", len(missed), of, missed[:min(3, len(missed))])
	}
	var urls []string
	for _, p := range s.Pages {
		urls = append(urls, p.URL)
		if p.Original != p.URL+".md" || p.Mirror == nil || p.Content() != p.Mirror || p.HTML.Status != 200 || p.Missing.Status != 404 || p.NoMirror {
			t.Errorf("%+v", p)
		}
	}
	if !slices.IsSorted(urls) || urls[0] != base+"/p/0" || urls[1] != base+"/p/1024" {
		t.Errorf("%q", urls[:3])
	}
	again, _ := gather(t, "", large(true))
	var second []string
	for _, p := range again.Pages {
		second = append(second, p.URL[strings.LastIndex(p.URL, "/"):])
	}
	for i, u := range urls {
		if !strings.HasSuffix(u, second[i]) {
			t.Fatalf("another sample: %s, %s", u, second[i])
		}
	}
}

func TestASiteWithoutAnIndex(t *testing.T) {
	s, _ := gather(t, "", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "llms.txt") {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<!doctype html><title>Not found</title>"))
			return
		}
		large(true)(w, r)
	})
	if s.Index != nil || len(s.Indexes) != 0 || len(s.Asked) != 2 || len(s.Pages) != 50 {
		t.Errorf("%v, %d places, %d pages", s.Index, len(s.Asked), len(s.Pages))
	}
	bare, base := gather(t, "", http.NotFound)
	if len(bare.Pages) != 1 || bare.Pages[0].URL != base || bare.Found != 1 {
		t.Errorf("%+v", bare.Pages)
	}
}

func TestTheNearestIndexCounts(t *testing.T) {
	serve := func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/llms.txt") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "# Index at %s\n\n- [x](http://%s/docs/v1/x)\n- [y](http://%s/y)\n- [z](https://other.example/z)\n", r.URL.Path, r.Host, r.Host)
	}
	for path, want := range map[string]string{"": "/llms.txt", "/docs": "/docs/llms.txt", "/docs/v1": "/docs/v1/llms.txt", "/other": "/other/llms.txt"} {
		s, base := gather(t, path, serve)
		if s.Index == nil || s.Index.URL != base+want {
			t.Errorf("%s: %+v", path, s.Index)
		}
		if n := len(s.SameOrigin()); path == "/docs/v1" && n != 1 || path == "" && n != 2 {
			t.Errorf("%s: %d links of its own", path, n)
		}
	}
}

func TestMirrorsWithoutAPageMakeRoom(t *testing.T) {
	s, base := gather(t, "", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/llms.txt":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprintf(w, "# x\n\n- [a](http://%s/only.md)\n- [b](http://%s/both.md)\n- [c](/root.md)\n", r.Host, r.Host)
		case strings.HasSuffix(r.URL.Path, ".md"):
			w.Header().Set("Content-Type", "text/markdown")
			_, _ = w.Write([]byte("# T\n\ntext"))
		case r.URL.Path == "/both" || r.URL.Path == "/root":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<h1>T</h1>"))
		default:
			http.NotFound(w, r)
		}
	})
	var got []string
	for _, p := range s.Pages {
		got = append(got, strings.TrimPrefix(p.URL, base))
	}
	if diff := cmp.Diff([]string{"/both", "/root"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.example/x.md": "https://a.example/x", "https://a.example/x.html.md": "https://a.example/x.html",
		"https://a.example/x/index.md": "https://a.example/x/", "https://a.example/x.mdx": "https://a.example/x",
		"https://a.example/x": "https://a.example/x", "https://a.example/安装.md": "https://a.example/%E5%AE%89%E8%A3%85",
	} {
		if got := PageOf(address); got != want {
			t.Errorf("PageOf(%s) = %s, want %s", address, got, want)
		}
	}
	for address, want := range map[string][]string{
		"https://a.example/x":      {"https://a.example/x.md", "https://a.example/x/index.md"},
		"https://a.example/x/":     {"https://a.example/x.md", "https://a.example/x/index.md"},
		"https://a.example/x.html": {"https://a.example/x.md", "https://a.example/x.html/index.md"},
		"https://a.example/x.md":   {"https://a.example/x.md"},
		"https://a.example/x.json": nil,
		"https://a.example/v1.2":   {"https://a.example/v1.2.md", "https://a.example/v1.2/index.md"},
	} {
		if diff := cmp.Diff(want, mirrorsOf(address)); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
	}
	for address, want := range map[string]string{
		"https://a.example/X/index.html": "/x", "https://a.example/x.html.md": "/x.html", "https://a.example/": "/",
		"https://a.example/x/": "/x", "https://a.example/x.mdx": "/x", "https://a.example/index.md": "/",
	} {
		if got := Plain(address); got != want {
			t.Errorf("Plain(%s) = %s, want %s", address, got, want)
		}
	}
	if got := missingBeside("https://a.example/x/?q=1"); got != "https://a.example/x-afdocs-nonexistent-8f3a" {
		t.Error(got)
	}
	if got := missingBeside("https://a.example"); got != "https://a.example/-afdocs-nonexistent-8f3a" {
		t.Error(got)
	}
	for _, p := range []string{"/blog", "/blog/x", "/careers", "/sign-in", "/404"} {
		if !excluded(p) {
			t.Errorf("%s is asked for", p)
		}
	}
	if excluded("/blogging") || excluded("/docs/blog") {
		t.Error("pages of the documentation are left out")
	}
}

func TestTexts(t *testing.T) {
	for text, want := range map[string]struct{ html, md, gone bool }{
		"# Title\n\ntext":            {false, true, false},
		"<!DOCTYPE html><p>x":        {true, false, false},
		"see `<html>` and\n\n[a](b)": {false, true, false},
		"```html\n<html>\n```\n":     {false, true, false},
		"plain words":                {false, false, false},
		"# Page not found\n":         {false, true, true},
		"404":                        {false, false, true},
		"# Errors\n" + strings.Repeat("404 ", 200): {false, true, false},
	} {
		if LooksLikeHTML(text) != want.html || LooksLikeMarkdown(text) != want.md || IsSoft404(text) != want.gone {
			t.Errorf("%.20q: %v %v %v", text, LooksLikeHTML(text), LooksLikeMarkdown(text), IsSoft404(text))
		}
	}
	got := Links("[a](x) ![b](y.png) `[c](d)` <https://auto.example>\n<!-- [e](f) -->\n```\n[g](h)\n```\n[](i)\n")
	var targets []string
	for _, l := range got {
		targets = append(targets, l.Target)
	}
	if diff := cmp.Diff([]string{"x", "i"}, targets); diff != "" {
		t.Error(diff)
	}
}
