package format

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

// TestHTML holds what a document needs of a page; what is main content and how
// it is written is specified where that is done.
func TestHTML(t *testing.T) {
	prose := strings.Repeat("Some words of prose that make this a paragraph. ", 6)
	tests := []struct{ name, page, want string }{
		{"headings and code", "<main><h1>A <em>b</em></h1><p>one\ntwo</p><h2>C</h2><pre><code class=\"language-go\">x := 1\n\n\ny</code></pre></main>",
			"# A *b*\n\none two\n\n## C\n\n```go\nx := 1\n\n\ny\n```\n"},
		{"furniture goes", "<nav>n</nav><script>s</script><main><h1>T</h1><p>" + prose + "</p></main><footer>f</footer>",
			"# T\n\n" + strings.TrimSpace(prose) + "\n"},
		{"relative links stay", "<main><h1>T</h1><p>text <a href=\"b/c.html#d\">link</a></p></main>", "# T\n\ntext [link](b/c.html#d)\n"},
		{"table", "<main><h1>T</h1><table><tr><th>a<th>b|c<tr><td>d<td>e</table></main>", "# T\n\n| a | b\\|c |\n| --- | --- |\n| d | e |\n"},
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
		doc := read(t, "p", tt.head+"<p>a <a href='"+tt.href+"'>t</a>", Options{ContentType: "text/html", URL: "https://a.example/x/b.html"})
		if got := string(doc.Text); got != "a [t]("+tt.want+")\n" {
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
	page := "<title>T</title><h2>Head</h2>" + strings.Repeat("<div>", 600) + "<p>deep <b>text</b></p>" + strings.Repeat("</div>", 600)
	doc := read(t, "a.html", page, Options{})
	if !strings.Contains(string(doc.Text), "## Head\n\ndeep text") || doc.Meta.Title != "T" || len(doc.Warnings) == 0 {
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
