package format

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

func TestHTML(t *testing.T) {
	tests := []struct{ name, page, want string }{
		{"headings and paragraphs", "<h1>A <em>b</em></h1>\n<p>one\ntwo</p><div>three<p>four</div>", "# A *b*\n\none two\n\nthree\n\nfour\n"},
		{"left out", "<nav>n</nav><script>s</script><style>y</style><p>text<button>b</button></p><footer>f</footer><p hidden>h</p>", "text\n"},
		{"main only", "<div>menu</div><main><p>text</p></main>", "text\n"},
		{"lists", "<ul><li>a<li>b<ol start=3><li>c</ol></ul>", "- a\n- b\n\n  3. c\n"},
		{"paragraphs of an item", "<ol><li><p>a</p><p>b</p><pre>c\n\nd</pre></ol>", "1. a\n\n   b\n\n   ```\n   c\n\n   d\n   ```\n"},
		{"code", "<pre><code class=\"hljs language-go\">\nfunc a() {\n\n\n\treturn\n}\n</code></pre>", "```go\nfunc a() {\n\n\n\treturn\n}\n```\n"},
		{"code with fences in it", "<pre class=lang-md>```\nx\n```</pre>", "````md\n```\nx\n```\n````\n"},
		{"spans", "<p><code>a`b</code> <b>c </b>d <a href=\"e f\">g</a><img src=h alt=i> <del>j</del></p>", "``a`b`` **c** d [g](<e f>)![i](h) ~~j~~\n"},
		{"table", "<table><tr><th>a<th>b|c<tr><td>d</table>", "| a | b\\|c |\n| --- | --- |\n| d |  |\n"},
		{"table that lays out code", "<table><tr><td><pre>1</pre></td></tr></table>", "```\n1\n```\n"},
		{"quote, rule and break", "<blockquote><p>a<br>b</p><p>c</blockquote><hr>", "> a\\\n> b\n>\n> c\n\n---\n"},
		{"definitions", "<dl><dt>a</dt><dd>b</dd></dl>", "**a**\n\nb\n"},
		{"nothing that looks like Markdown becomes it", "<p># a</p><p>1. b</p><p>- c *d* [e] &lt;f&gt;<br>+ g</p>", "\\# a\n\n1\\. b\n\n\\- c \\*d\\* \\[e\\] \\<f>\\\n\\+ g\n"},
		{"a block within a span", "<span>a<p>b</p></span>c", "a\n\nb\n\nc\n"},
		{"custom elements", "<my-tip><p>a</p></my-tip><p>b <my-word>c</my-word></p>", "a\n\nb c\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := read(t, "a.html", tt.page, Options{})
			if diff := cmp.Diff(tt.want, string(doc.Text)); diff != "" || len(doc.Warnings) > 0 {
				t.Errorf("warnings %q, -want +got\n%s", doc.Warnings, diff)
			}
		})
	}
}

func TestHTMLMeta(t *testing.T) {
	page := `<html lang=de><head><title> A
	b</title><meta name=Description content="c d"><meta property="article:modified_time" content="2026-01-02T03:04:05Z"></head>
	<body><svg><title>no</title></svg><p>x</body></html>`
	doc := read(t, "a.html", page, Options{})
	want := evergreen.Meta{Title: "A b", Lang: "de", Updated: "2026-01-02", Description: "c d"}
	if diff := cmp.Diff(want, doc.Meta); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestHTMLLinksAgainstThePage(t *testing.T) {
	tests := []struct{ head, href, want string }{
		{"", "c.html", "https://a.example/x/c.html"},
		{"", "../y/", "https://a.example/y/"},
		{"", "#part", "#part"},
		{"", "mailto:me@a.example", "mailto:me@a.example"},
		{"", "https://b.example/", "https://b.example/"},
		{"<base href=/z/>", "c.html", "https://a.example/z/c.html"},
	}
	for _, tt := range tests {
		doc := read(t, "p", tt.head+"<p><a href='"+tt.href+"'>t</a>", Options{ContentType: "text/html", URL: "https://a.example/x/b.html"})
		if got := string(doc.Text); got != "[t]("+tt.want+")\n" {
			t.Errorf("%s: %s", tt.href, got)
		}
	}
}

func TestHTMLWithoutText(t *testing.T) {
	doc := read(t, "a.html", "<div id=root></div><script>app()</script>", Options{})
	if len(doc.Text) != 0 || len(doc.Warnings) != 1 {
		t.Errorf("%q %q", doc.Text, doc.Warnings)
	}
}

func TestHTMLNestedTooDeep(t *testing.T) {
	page := "<title>T</title><nav>menu</nav><h2>Head</h2>" + strings.Repeat("<div>", 600) + "<p>deep <b>text</b></p>" + strings.Repeat("</div>", 600) + "<script>s</script>"
	doc := read(t, "a.html", page, Options{})
	if string(doc.Text) != "## Head\n\ndeep text\n" || doc.Meta.Title != "T" || len(doc.Warnings) != 1 {
		t.Errorf("%q %q %q", doc.Text, doc.Meta.Title, doc.Warnings)
	}
}

func FuzzHTML(f *testing.F) {
	f.Add("<h1>a</h1><ul><li>b<table><tr><td><pre>c")
	f.Add("<p># a<br>1. b<a href=' '>c</a><code>`</code>")
	f.Fuzz(func(t *testing.T, page string) {
		one, two := readHTML([]byte(page), "https://a.example/"), readHTML([]byte(page), "https://a.example/")
		if string(one.Text) != string(two.Text) {
			t.Fatal("two runs differ")
		}
	})
}
