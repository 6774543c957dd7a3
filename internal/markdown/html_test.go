package markdown

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func TestMarkdownBecomesHTML(t *testing.T) {
	for name, tt := range map[string]struct{ src, want string }{
		"paragraphs":    {"One *two* **three** ~~four~~ `five`.", "<p>One <em>two</em> <strong>three</strong> <del>four</del> <code>five</code>.</p>"},
		"link":          {"[a](/docs/x#y \"t\") <https://example.com>", `<p><a href="/docs/x#y" title="t">a</a> <a href="https://example.com">https://example.com</a></p>`},
		"table":         {"|a|b|\n|:-|-:|\n|1|2|", `<div class="scroll" tabindex="0"><table><thead><tr><th class="to-left">a</th><th class="to-right">b</th></tr></thead><tbody><tr><td class="to-left">1</td><td class="to-right">2</td></tr></tbody></table></div>`},
		"tasks":         {"- [x] done\n- [ ] open", "<ul><li>☑ done</li><li>☐ open</li></ul>"},
		"code":          {"```go\na<b\n```", `<pre tabindex="0"><code class="language-go">a&lt;b</code></pre>`},
		"alert":         {"> [!WARNING]\n> Mind *this*.", `<blockquote class="alert-warning"><p><strong>Warning</strong>. Mind <em>this</em>.</p></blockquote>`},
		"alert alone":   {"> [!NOTE]\n>\n> Text.", `<blockquote class="alert-note"><p><strong>Note</strong></p><p>Text.</p></blockquote>`},
		"no alert":      {"> [!WHAT]\n> Text.", "<blockquote><p>[!WHAT] Text.</p></blockquote>"},
		"image":         {"![seen](https://example.com/a.png)", `<p><img src="https://example.com/a.png" alt="seen" loading="lazy"/></p>`},
		"unnamed image": {`<img src="https://example.com/a.png">`, `<img src="https://example.com/a.png" alt="" loading="lazy"/>`},
		"empty link":    {`<a id="old" href="#old"></a>Text`, `<p><span id="old"></span>Text</p>`},
		"details":       {"<details><summary>More</summary>\n\nText\n\n</details>", "<details><summary>More</summary><p>Text</p></details>"},
		"no summary":    {"<details>\n\nText\n\n</details>", "<div><p>Text</p></div>"},
		"keyboard":      {"Press <kbd>A</kbd>.", "<p>Press <kbd>A</kbd>.</p>"},
		"broken nest":   {"<div><p>a</div></b>", "<div><p>a</p></div>"},
		"Chinese":       {"# 幻觉\n\n引用 [编号](/docs/zh)。", `<h1 id="幻觉">幻觉</h1><p>引用 <a href="/docs/zh">编号</a>。</p>`},
	} {
		got, _ := NewRenderer(HTMLOptions{}).HTML(tt.src)
		if diff := cmp.Diff(tt.want, squeeze(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// squeeze drops line breaks, which mean nothing outside of code.
func squeeze(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(regexp.MustCompile(`>\s*\n\s*|\n\s*<|\n`).ReplaceAllStringFunc(s, func(m string) string {
		switch {
		case strings.HasPrefix(m, ">"):
			return ">"
		case strings.HasSuffix(m, "<"):
			return "<"
		}
		return " "
	}), "\n", ""))
}

func TestHTMLFromAnybodyIsHarmless(t *testing.T) {
	for _, src := range []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))", "[a](JaVaScRiPt&colon;alert(1))",
		"<a href=\"java\nscript:alert(1)\">a</a>", "![a](data:text/html,<script>1</script>)", "<iframe src=https://evil.example></iframe>",
		"<style>body{display:none}</style>", "<p style=\"position:fixed\">a</p>", "<form action=https://evil.example><input></form>",
		"<svg onload=alert(1)><script>1</script></svg>", "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
		"<base href=https://evil.example>", "<meta http-equiv=refresh content=0>", "<object data=x></object><embed src=x>",
		"<p id=_main class=skip>a</p>", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">", "```html\n<script>alert(1)</script>\n```",
		"[a](vbscript:x) [b](file:///etc/passwd) <b onclick=x>c</b>", "<a href=\"//evil.example\" target=_blank>a</a>", "<!--><script>alert(1)</script>-->",
	} {
		got, _ := NewRenderer(HTMLOptions{}).HTML(src)
		checkHarmless(t, src, got)
	}
}

// checkHarmless parses the HTML as a browser would, and looks for what must not
// be in it.
func checkHarmless(t *testing.T, src, got string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader("<!doctype html><body>" + got))
	if err != nil {
		t.Fatal(err)
	}
	allowedURL := regexp.MustCompile(`^(https?:|mailto:|data:image/|[^:]*$|[^:]*[/?#])`)
	ids := map[string]bool{}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "script", "style", "iframe", "object", "embed", "form", "input", "svg", "math", "base", "meta", "link", "template", "noscript":
				t.Errorf("%q: an element %s in %s", src, n.Data, got)
			}
		}
		for _, a := range n.Attr {
			key := strings.ToLower(a.Key)
			bad := strings.HasPrefix(key, "on") || key == "style" || key == "target" || key == "srcset"
			if key == "href" || key == "src" {
				bad = bad || !allowedURL.MatchString(strings.ToLower(strings.TrimSpace(a.Val)))
			}
			if key == "id" {
				bad = bad || strings.HasPrefix(a.Val, ownPrefix) || ids[a.Val]
				ids[a.Val] = true
			}
			if bad {
				t.Errorf("%q: an attribute %s=%q in %s", src, a.Key, a.Val, got)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
}

func TestHeadingsHaveIDsAndNoGaps(t *testing.T) {
	src := "# Title\n\n### Deep\n\n## Next {#own}\n\n## Next\n\n#### `code` and *more*\n\n# Second top\n\n## Below\n\n" +
		"### React {/*react-id*/}\n\n##\n\n## 使用 API\n\n<h2 id=\"given\">Given</h2>\n\n## EG main {#_main}\n"
	got, headings := NewRenderer(HTMLOptions{}).HTML(src)
	want := []Heading{
		{1, "title", "Title"}, {2, "deep", "Deep"}, {2, "own", "Next"}, {2, "next", "Next"}, {3, "code-and-more", "code and more"},
		{2, "second-top", "Second top"}, {3, "below", "Below"}, {4, "react-id", "React"}, {3, "使用-api", "使用 API"},
		{3, "given", "Given"}, {3, "s-_main", "EG main"},
	}
	if diff := cmp.Diff(want, headings); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
	if strings.Contains(got, "{") {
		t.Errorf("an explicit id is shown: %s", got)
	}
	_, headings = NewRenderer(HTMLOptions{TopLevel: 3, Slug: func(string) string { return "same" }}).HTML("# A\n\n# B\n\n## C\n")
	if diff := cmp.Diff([]Heading{{3, "same", "A"}, {4, "same-2", "B"}, {5, "same-3", "C"}}, headings); diff != "" {
		t.Error(diff)
	}
}

func TestHighlightedCodeReadsTheSame(t *testing.T) {
	for name, tt := range map[string]struct {
		highlighted string
		ok          bool
		want        string
	}{
		"spans":     {`<span class="k">if</span> a&lt;b` + "\n", true, `<span class="k">if</span> a&lt;b`},
		"refused":   {"", false, "if a&lt;b"},
		"other":     {"something else", true, "if a&lt;b"},
		"unclosed":  {`<span class="k">if a&lt;b` + "\n", true, `<span class="k">if a&lt;b`},
		"no markup": {"if a&lt;b\n", true, "if a&lt;b"},
	} {
		r := NewRenderer(HTMLOptions{Highlight: func(code, language string) (string, bool) {
			if code != "if a<b\n" || language != "go" {
				t.Errorf("%s: asked for %q in %q", name, code, language)
			}
			return tt.highlighted, tt.ok
		}})
		if got, _ := r.HTML("```go\nif a<b\n```\n"); !strings.Contains(got, ">"+tt.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestHTMLIsTheSameEveryTime(t *testing.T) {
	r := NewRenderer(HTMLOptions{})
	src := "# A\n\n[^1] and [b]\n\n[^1]: Note\n[b]: /x\n\n|a|\n|-|\n|1|\n"
	first, _ := r.HTML(src)
	for range 5 {
		if again, _ := r.HTML(src); again != first {
			t.Fatalf("%s\n---\n%s", first, again)
		}
	}
	if !strings.Contains(first, "Note") {
		t.Errorf("the footnote is gone: %s", first)
	}
}

func TestManyEqualHeadingsTakeLinearTime(t *testing.T) {
	const n = 20_000 // takes minutes when each looks for its number from the start
	_, headings := NewRenderer(HTMLOptions{}).HTML(strings.Repeat("# a\n", n))
	if last := headings[len(headings)-1].ID; len(headings) != n || last != "a-20000" {
		t.Errorf("%d headings, the last %s", len(headings), last)
	}
}

func FuzzHTML(f *testing.F) {
	for _, seed := range []string{"# A\n\ntext", "<b>a</i>", "> [!NOTE]\n> a", "<a href=javascript:x>a</a>", "|a|\n|-|\n", "[^1]\n\n[^1]: x", "<details>", "```\n", "# {#a}\n# a\n", "<p id=a><p id=a>"} {
		f.Add(seed)
	}
	r := NewRenderer(HTMLOptions{Highlight: func(code, _ string) (string, bool) { return html.EscapeString(code), true }})
	f.Fuzz(func(t *testing.T, src string) {
		got, headings := r.HTML(src)
		checkHarmless(t, src, got)
		level := 0
		for _, h := range headings {
			if h.Level > level+1 || h.ID == "" || h.Title == "" {
				t.Errorf("%q: heading %+v after level %d", src, h, level)
			}
			level = h.Level
		}
	})
}
