package site

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"evergreen"
)

// TestRewriteLinks holds where links are found and how they are left behind.
func TestRewriteLinks(t *testing.T) {
	to := func(destination string, image bool) string {
		switch {
		case strings.HasPrefix(destination, "dead"):
			return ""
		case image:
			return "I:" + destination
		}
		return "L:" + destination
	}
	for _, c := range []struct{ name, in, want string }{
		{"inline", "See [a](b.md) and [c](d.md \"T\").", "See [a](L:b.md) and [c](L:d.md \"T\")."},
		{"angle brackets", "[a](<b c.md>)", "[a](L:b%20c.md)"},
		{"parentheses", "[a](b_(c).md) x", "[a](L:b_%28c%29.md) x"},
		{"dead", "See [a *b* `c`](dead.md).", "See a *b* `c`."},
		{"image", "![alt](x.png)", "![alt](I:x.png)"},
		{"dead image", "An ![alt](dead.png) here", "An alt here"},
		{"image in a link", "[![alt](x.png)](y.md)", "[![alt](I:x.png)](L:y.md)"},
		{"dead image in a link", "[![alt](dead.png)](y.md)", "[alt](L:y.md)"},
		{"escaped bracket", `\[a](b.md)`, `\[a](b.md)`},
		{"code span", "`[a](b.md)` and ``[`](b)``", "`[a](b.md)` and ``[`](b)``"},
		{"code span over lines", "`a\n[a](b.md)`", "`a\n[a](b.md)`"},
		{"open backtick", "` [a](b.md)", "` [a](L:b.md)"},
		{"fence", "```\n[a](b.md)\n```\n[a](b.md)\n", "```\n[a](b.md)\n```\n[a](L:b.md)\n"},
		{"longer fence", "````md\n```\n[a](b.md)\n````\n", "````md\n```\n[a](b.md)\n````\n"},
		{"fence in a list", "- x\n\n  ```\n  [a](b.md)\n  ```\n\n[a](b.md)", "- x\n\n  ```\n  [a](b.md)\n  ```\n\n[a](L:b.md)"},
		{"tilde fence with backticks", "~~~ `x`\n[a](b)\n~~~", "~~~ `x`\n[a](b)\n~~~"},
		{"definition", "[x]: b.md \"T\"\n[y]: <c.md>", "[x]: L:b.md \"T\"\n[y]: L:c.md"},
		{"dead definition", "[x]: dead.md", "[x]: #"},
		{"footnote", "[^1]: see [a](b.md)", "[^1]: see [a](L:b.md)"},
		{"reference", "[a][x] and [x]", "[a][x] and [x]"},
		{"text over lines", "[a\nb](c.md)", "[a\nb](L:c.md)"},
		{"html", `<a class="x" href="b.md">a</a> <img src='x.png' alt="y">`, `<a class="x" href="L:b.md">a</a> <img src='I:x.png' alt="y">`},
		{"dead html", `<a href="dead.md">a</a><img src="dead.png">`, `<a href="#">a</a>`},
		{"html beside letters that grow and shrink in lower case", "<a title='\xffİK' HREF='b.md'>a</a>", "<a title='\xffİK' HREF='L:b.md'>a</a>"},
		{"less than", "a < b [c](d)", "a < b [c](L:d)"},
		{"autolink", "<https://example.com/a>", "<https://example.com/a>"},
		{"no destination", "[a](b c) [d]()", "[a](b c) [d](L:)"},
		{"title that never ends", `[a](b "c`, `[a](b "c`},
		{"task list", "- [ ] todo\n- [x] done", "- [ ] todo\n- [x] done"},
		{"chinese", "见[说明](说明.md)。", "见[说明](L:说明.md)。"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := rewriteLinks(c.in, to); got != c.want {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestRewriteLinksBounds(t *testing.T) {
	same := func(d string, _ bool) string { return d }
	for _, in := range []string{
		strings.Repeat("[", 100_000), strings.Repeat("[a](", 30_000), strings.Repeat("<a ", 30_000),
		strings.Repeat("[a](b \"", 20_000), strings.Repeat("]", 100_000), strings.Repeat("`", 100_000),
	} {
		if got := rewriteLinks(in, same); got != in {
			t.Errorf("%.10q... was changed", in)
		}
	}
	deep := strings.Repeat("[", maxLinkDepth) + "a](b)"
	if got := rewriteLinks(deep, func(string, bool) string { return "" }); got != strings.Repeat("[", maxLinkDepth-1)+"a" {
		t.Errorf("the innermost of %d brackets is no link: %.20q", maxLinkDepth, got)
	}
	long := "[a](" + strings.Repeat("b", maxLinkBytes-3) + ")"
	if got := rewriteLinks(long, func(string, bool) string { return "x" }); got != "[a](x)" {
		t.Errorf("a link of %d bytes is not read", maxLinkBytes)
	}
	longer := "[a](" + strings.Repeat("b", maxLinkBytes-2) + ")"
	if got := rewriteLinks(longer, func(string, bool) string { return "x" }); got != longer {
		t.Error("a longer destination is read")
	}
}

// FuzzRewriteLinks: without a change of destinations only their spelling may
// change, and never the text's validity.
func FuzzRewriteLinks(f *testing.F) {
	for _, seed := range []string{"[a](b \"c\") `x` ![i](j)", "```\n[a](b)\n", "[x]: y\n<a href=\"b\">", "[![a](b)](c)", "\\[a](b)", " `a` *b*\n\nc \n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		kept := rewriteLinks(in, func(d string, _ bool) string { return d })
		if utf8.ValidString(in) && !utf8.ValidString(kept) {
			t.Fatalf("%q became %q", in, kept)
		}
		if !strings.ContainsAny(in, "[<") && kept != in {
			t.Fatalf("%q became %q", in, kept)
		}
		gone := rewriteLinks(in, func(string, bool) string { return "" })
		if len(gone) > len(in)+strings.Count(in, "]:")+strings.Count(in, "href")+strings.Count(in, "HREF")+len(in) {
			t.Fatalf("%q grew to %q", in, gone)
		}
	})
}

// linked is a library whose documents point at each other.
func linked() *fake {
	f := &fake{revision: "r", at: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	f.document("app", "index.md", "# App\n", evergreen.Meta{})
	f.document("app", "guide/index.md", "# Guide\n", evergreen.Meta{})
	f.document("app", "guide/keys.md", "# Keys\n", evergreen.Meta{})
	f.document("app", "guide/说明.md", "# 说明\n", evergreen.Meta{})
	f.document("web", "learn/state.md", "# State\n", evergreen.Meta{URL: "https://web.example/learn/state"})
	f.document("web", "learn/props.md", "# Props\n", evergreen.Meta{URL: "https://web.example/learn/props/"})
	return f
}

func TestTargets(t *testing.T) {
	s := must(t, Input{Snapshot: linked(), Options: Options{BaseURL: "https://h.example/base/", Operations: Operations()}})
	for _, c := range []struct{ from, destination, mirror, page string }{
		{"app/guide/keys.md", "index.md", "/docs/app/guide/index.html.md", "/docs/app/guide/index"},
		{"app/guide/keys.md", "../index.md#top", "/docs/app/index.html.md#top", "/docs/app/index#top"},
		{"app/guide/keys.md", "./", "/docs/app/guide/index.html.md", "/docs/app/guide/index"},
		{"app/guide/keys.md", "../guide", "/docs/app/guide/index.html.md", "/docs/app/guide/index"},
		{"app/guide/keys.md", "说明.html", "/docs/app/guide/%E8%AF%B4%E6%98%8E.html.md", "/docs/app/guide/%E8%AF%B4%E6%98%8E"},
		{"app/guide/keys.md", "%E8%AF%B4%E6%98%8E.md", "/docs/app/guide/%E8%AF%B4%E6%98%8E.html.md", "/docs/app/guide/%E8%AF%B4%E6%98%8E"},
		{"app/index.md", "/guide/keys/", "/docs/app/guide/keys.html.md", "/docs/app/guide/keys"},
		{"app/guide/keys.md", "../index/", "/docs/app/index.html.md", "/docs/app/index"},
		{"app/index.md", "/llms.txt", "/llms.txt", "/llms.txt"},
		{"app/index.md", "/api/context?topic=a&budget=2", "/api/context?topic=a&budget=2", "/api/context?topic=a&budget=2"},
		{"app/index.md", "/docs/web/learn/state", "/docs/web/learn/state.html.md", "/docs/web/learn/state"},
		{"app/index.md", "https://web.example/learn/props#x", "/docs/web/learn/props.html.md#x", "/docs/web/learn/props#x"},
		{"web/learn/state.md", "props", "/docs/web/learn/props.html.md", "/docs/web/learn/props"},
		{"web/learn/state.md", "/learn/props/", "/docs/web/learn/props.html.md", "/docs/web/learn/props"},
	} {
		p := pageOf(t, s, c.from)
		const base = "https://h.example/base"
		if got := s.target(p, toMirrors, c.destination, false); got != base+c.mirror {
			t.Errorf("%s in %s: mirror %q, want %q", c.destination, c.from, got, base+c.mirror)
		}
		if got := s.target(p, toPages, c.destination, false); got != base+c.page {
			t.Errorf("%s in %s: page %q, want %q", c.destination, c.from, got, base+c.page)
		}
	}
	for _, c := range []struct {
		from, destination string
		image             bool
		want              string
	}{
		{"app/index.md", "missing.md", false, ""},
		{"app/index.md", "../../etc/passwd", false, ""},
		{"app/index.md", "/nowhere", false, ""},
		{"app/index.md", "guide/keys.zip", false, ""},
		{"app/index.md", "img/x.png", true, ""},
		{"app/index.md", "javascript:alert(1)", false, ""},
		{"app/index.md", "data:text/html,x", false, ""},
		{"app/index.md", "%zz", false, ""},
		{"app/index.md", "data:image/png;base64,AA", true, "data:image/png;base64,AA"},
		{"app/index.md", "mailto:a@example.com", false, "mailto:a@example.com"},
		{"app/index.md", "#part", false, "#part"},
		{"app/index.md", "//cdn.example/x", false, "https://cdn.example/x"},
		{"app/index.md", "https://web.example/learn/state?q=1", false, "https://web.example/learn/state?q=1"},
		{"web/learn/state.md", "other.html", false, "https://web.example/learn/other.html"},
		{"web/learn/state.md", "/x.png", true, "https://web.example/x.png"},
	} {
		if got := s.target(pageOf(t, s, c.from), toMirrors, c.destination, c.image); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.destination, c.from, got, c.want)
		}
	}
}

// pageOf finds a document's page by collection and path.
func pageOf(t *testing.T, s *Site, name string) *Page {
	t.Helper()
	collection, path, _ := strings.Cut(name, "/")
	i, ok := s.pages.doc(collection, withoutExt(path))
	if !ok {
		t.Fatalf("no page of %s", name)
	}
	return &s.pages.list[i]
}
