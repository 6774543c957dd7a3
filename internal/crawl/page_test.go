package crawl

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func pageAt(t testing.TB, text string) *facts {
	t.Helper()
	at, ok := Normalize("https://docs.example.com/docs/page.html", nil)
	if !ok {
		t.Fatal("base")
	}
	return readPage([]byte(text), at, "evergreen")
}

func strs(urls []*url.URL) []string {
	var out []string
	for _, u := range urls {
		out = append(out, u.RequestURI())
	}
	return out
}

func TestReadPageLinks(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"anchors, once each":          {`<a href=a>1</a><a href="a#x">2</a><A HREF='b'>3</A>`, []string{"/docs/a", "/docs/b"}},
		"entities in addresses":       {`<a href="a?x=1&amp;y=2">1</a>`, []string{"/docs/a?x=1&y=2"}},
		"base before and after":       {`<a href=a>1</a><base href="/other/"><base href="/late/"><a href=b>2</a>`, []string{"/other/a", "/other/b"}},
		"broken base":                 {`<base href="http://[">x<a href=a>1</a>`, []string{"/docs/a"}},
		"not in comments and scripts": {`<!-- <a href=a>1</a> --><script>"<a href=b>"</script><style><a href=c></style><textarea><a href=d></textarea><template><i>x</i></template>`, nil},
		"in noscript":                 {`<noscript><a href=a>1</a><p>x</noscript><a href=b>2</a>`, []string{"/docs/a", "/docs/b"}},
		"nofollow":                    {`<a rel="external NOFOLLOW" href=a>1</a><a rel=noopener href=b>2</a>`, []string{"/docs/b"}},
		"areas, frames and relations": {`<map><area href=a></map><frame src=b><link rel=next href=c><link rel="stylesheet" href=d><iframe src=e></iframe>`, []string{"/docs/a", "/docs/b", "/docs/c"}},
		"no address":                  {`<a name=x>1</a><a href>2</a><a href="  ">3</a>`, []string{"/docs/page.html"}},
		"unclosed":                    {`<a href=a>1<p><a href="b`, []string{"/docs/a"}},
		"scripts without end tag":     {`<a href=a>1</a><script><a href=b>`, []string{"/docs/a"}},
		"title with markup-like text": {`<title>a <b> c</title><a href=a>1</a>`, []string{"/docs/a"}},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, strs(pageAt(t, tt.text).links)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestReadPageBoundsLinks(t *testing.T) {
	var b strings.Builder
	for i := range maxLinks + 1 {
		fmt.Fprintf(&b, "<a href=%d></a>", i)
	}
	if n := len(pageAt(t, b.String()).links); n != maxLinks {
		t.Errorf("%d links, want %d", n, maxLinks)
	}
}

func TestReadPageThatIsDeep(t *testing.T) {
	const deep = 100_000 // far more than a tree parser takes
	f := pageAt(t, strings.Repeat("<div><noscript><a href=a>", deep)+"<a href=b>x</a>"+strings.Repeat("</div>", deep))
	if len(f.links) == 0 {
		t.Error("no links")
	}
}

func TestReadPageHead(t *testing.T) {
	f := pageAt(t, `<html><head><title> A
 &amp; B </title><title>second</title>
<link rel="CANONICAL" href="/c"><link rel=canonical href=/d>
<link rel="alternate" type="text/markdown; charset=utf-8" href="page.md"><link rel=alternate type="application/rss+xml" href=f>
<meta name="Robots" content="index, NoFollow"><meta name=googlebot content=noindex>
<meta http-equiv="Refresh" content="3, URL = '/r'"></head>`)
	if f.title != "A & B" || f.canonical.Path != "/c" || f.refresh.Path != "/r" || f.noindex || !f.nofollow {
		t.Errorf("got %+v", f)
	}
	if diff := cmp.Diff([]string{"/docs/page.md"}, strs(f.twins)); diff != "" {
		t.Error(diff)
	}
}

func TestRobotsDirectives(t *testing.T) {
	for value, want := range map[string][2]bool{
		"": {}, "all": {}, "index,follow": {}, "noindex": {true, false}, " NOINDEX , nofollow": {true, true}, "none": {true, true}, "noarchive": {},
	} {
		if a, b := robotsDirectives(value); a != want[0] || b != want[1] {
			t.Errorf("%q: %v %v, want %v", value, a, b, want)
		}
	}
}

func TestRefreshTarget(t *testing.T) {
	for value, want := range map[string]string{
		"0;url=/a": "/a", "0; URL='/a'": "/a", `5 ; url = "/a"`: "/a", "0,url=/a": "/a", "0;/a": "/a", "0.5; url=/a": "/a",
		"30": "", "": "", "x;url=/a": "", "-1;url=/a": "", "0;url=": "",
	} {
		if _, got := refreshTarget(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	for seconds, followed := range map[int]bool{int(maxRefreshDelay / time.Second): true, int(maxRefreshDelay/time.Second) + 1: false} {
		f := pageAt(t, fmt.Sprintf(`<meta http-equiv=refresh content="%d;url=/a">`, seconds))
		if got := f.refresh != nil; got != followed {
			t.Errorf("after %d s: %v, want %v", seconds, got, followed)
		}
	}
}

func TestReadPageText(t *testing.T) {
	f := pageAt(t, `<title>T</title><script>no</script><style>no</style><body><header><h1>Site</h1></header><nav>Menu</nav>
<main><h1>Head<a>er</a></h1><p>One <b>t</b>wo.<pre>x = 1
y<button>Copy</button></pre><aside>In main</aside></main><template>no<b>no</b></template><footer>Foot</footer>`)
	if got := strings.Join(strings.Fields(f.text), " "); got != "Site Menu Header One two. x = 1 y Copy In main Foot" {
		t.Errorf("text %q", got)
	}
	if got := strings.Join(strings.Fields(f.main.text), " "); got != "Header One two. x = 1 y Copy In main" {
		t.Errorf("main %q", got)
	}
	if diff := cmp.Diff([]string{"Header"}, f.main.headings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"x = 1\ny"}, f.main.code); diff != "" {
		t.Error(diff)
	}
	f = pageAt(t, `<nav><h2>Menu</h2></nav><h1>Page</h1><p>Words.`)
	if diff := cmp.Diff([]string{"Page"}, f.main.headings); diff != "" || strings.TrimSpace(f.main.text) != "Page  Words." {
		t.Errorf("without main: %q %s", f.main.text, diff)
	}
}

func TestIsShell(t *testing.T) {
	words := func(n int) string { return strings.Repeat("w ", n) }
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"empty mount point":       {`<div id=root></div><script src=x></script>`, true},
		"noscript asks":           {`<p>Loading</p><noscript>Enable JavaScript</noscript><script></script>`, true},
		"nothing but scripts":     {`<title>x</title><script>1</script>`, true},
		"short page with scripts": {`<p>Deprecated.</p><script>count()</script>`, false},
		"no scripts":              {`<div id=root></div>`, false},
		"text just short":         {`<div id=app>` + words(shellWords-1) + `</div><script></script>`, true},
		"text just enough":        {`<div id=app>` + words(shellWords) + `</div><script></script>`, false},
		"Chinese text":            {`<div id=app>` + strings.Repeat("字", shellWords) + `</div><script></script>`, false},
	} {
		if got := pageAt(t, tt.text).isShell(); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestSaysNotFound(t *testing.T) {
	words := func(n int) string { return strings.Repeat("w ", n) }
	for text, want := range map[string]bool{
		`<title>404 | Docs</title>`:                                     true,
		`<title>Docs</title><h1>Page Not Found</h1><p>Sorry.`:           true,
		`<title>页面不存在 - 文档</title>`:                                     true,
		`<title>404 Not Found</title><pre>GET</pre>`:                    false,
		`<title>How we found it</title>`:                                false,
		`<title>Page not found handling</title>`:                        false,
		`<title>404</title>` + words(notFoundWords-1):                   true,
		`<title>404</title>` + words(notFoundWords):                     false,
		`<title>Docs</title><nav><h2>Not found</h2></nav><h1>Fine</h1>`: false,
	} {
		if got := pageAt(t, text).saysNotFound(); got != want {
			t.Errorf("%.60s: %v, want %v", text, got, want)
		}
	}
}

func TestAsksWho(t *testing.T) {
	words := func(n int) string { return strings.Repeat("w ", n) }
	for text, want := range map[string]bool{
		`<input type=PassWord>` + words(loginWords-1): true,
		`<input type=password>` + words(loginWords):   false,
		`<input type=search>Search`:                   false,
	} {
		if got := pageAt(t, text).asksWho(); got != want {
			t.Errorf("%.40s: %v, want %v", text, got, want)
		}
	}
}

func TestCovers(t *testing.T) {
	page := pageAt(t, `<main><h1>Getting started</h1><p>Run the <code>make</code> command in your shell, then restart.</p><pre>make install</pre></main>`).main
	for name, tt := range map[string]struct {
		markdown string
		want     bool
	}{
		"all":            {"# Getting started\n\nRun the `make` command in your shell, then restart.\n\n```sh\nmake install\n```\n", true},
		"no code":        {"# Getting started\n\nRun the `make` command in your shell, then restart.\n", false},
		"no heading":     {"Run the `make` command in your shell, then restart.\n\n    make install\n", false},
		"half the text":  {"# Getting started\n\n    make install\n", false},
		"another page":   {"# Other\n\nNothing of it.", false},
		"nothing":        {"", false},
		"more than that": {"# Docs\n\n## Getting started\n\nRun the `make` command in your shell, then restart. More.\n\n    make install\n", true},
	} {
		if got := covers(page, []byte(tt.markdown)); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestProbe(t *testing.T) {
	answer := func(what string) *facts {
		return pageAt(t, "<title>Lost</title><main>We looked for "+what+" in all of our shelves and boxes and could not find it, sorry about that.</main>")
	}
	p := newProbe(answer("0a1b2c"), "/docs/0a1b2c")
	for name, tt := range map[string]struct {
		f    *facts
		path string
		want bool
	}{
		"the same with another echo": {answer("old page"), "/docs/old-page/", true},
		"the very same":              {answer("0a1b2c"), "/docs/x", true},
		"another title":              {pageAt(t, "<title>Found</title><main>We looked for 0a1b2c in all of our shelves and boxes and could not find it, sorry about that.</main>"), "/docs/x", false},
		"another text":               {pageAt(t, "<title>Lost</title><main>An essay about getting lost in the woods.</main>"), "/docs/x", false},
	} {
		if got := p.answers(tt.f, tt.path); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestIsLogin(t *testing.T) {
	for raw, want := range map[string]bool{
		"https://docs.example.com/login": true, "https://docs.example.com/users/sign_in?to=/": true, "https://accounts.example.com/": true,
		"https://docs.example.com/wp-login.php": true, "https://login.example.com/x": true,
		"https://docs.example.com/guide/login-page": false, "https://docs.example.com/blog": false, "https://catalog.example.com/": false,
	} {
		u, _ := url.Parse(raw)
		if got := isLogin(u); got != want {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}

func TestMarkdownLinks(t *testing.T) {
	at, _ := url.Parse("https://docs.example.com/docs/a.md")
	text := "[b](b.md) and [c](../c \"t\")\n\n```md\n[no](no)\n~~~\n[no](no)\n```\n`[no](no)` <https://docs.example.com/d>\n~~~\n[no](no)\n"
	got := strs(markdownLinks([]byte(text), at))
	if diff := cmp.Diff([]string{"/docs/b.md", "/c", "/d"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutPointer(t *testing.T) {
	pointer := "> Index: [/llms.txt](https://docs.example.com/llms.txt).\n> More.\n"
	for text, want := range map[string]string{
		pointer + "\n# T\n":                          "# T\n",
		"---\ntitle: x\n---\n" + pointer + "\n# T\n": "---\ntitle: x\n---\n# T\n",
		"> A quote.\n\n# T\n":                        "> A quote.\n\n# T\n",
		"# T\n\n" + pointer:                          "# T\n\n" + pointer,
		pointer:                                      "",
		"":                                           "",
		"---\nunclosed":                              "---\nunclosed",
	} {
		if got := string(withoutPointer([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzReadPage(f *testing.F) {
	f.Add(`<title>x</title><base href=/><a href="a&amp;b">t</a><noscript><a href=c></noscript><pre>x</pre><template></main>`)
	f.Add("<script><!--<script></script>--></script><h1><h2></h1><textarea></title>")
	f.Add(`<a href="mailto:x">m</a><a href="b#c">t</a><a href="javascript:x">s</a>`)
	f.Fuzz(func(t *testing.T, text string) {
		facts := pageAt(t, text)
		facts.isShell()
		facts.saysNotFound()
		facts.signature()
		covers(facts.main, []byte(text))
		withoutPointer([]byte(text))
		for _, u := range facts.links {
			if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "" {
				t.Errorf("link %v", u)
			}
		}
	})
}

func BenchmarkReadPage(b *testing.B) {
	text := []byte("<title>T</title><main>" + strings.Repeat(`<h2>Heading</h2><p>Some <a href="page.html#x">linked</a> text of usual length.</p><pre>code()</pre>`, 300) + "</main>")
	at, _ := url.Parse("https://docs.example.com/docs/page.html")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		readPage(text, at, "evergreen")
	}
}
