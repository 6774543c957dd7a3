package markdown

import (
	"strings"
	"testing"

	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"
)

// clean converts a page the way extraction does.
func clean(src, base string) string {
	doc, _ := tree.Parse([]byte(src))
	canon.Open(doc, canon.Clean)
	canon.Rewrite(doc, canon.Clean)
	return FromNode(doc, base)
}

type pair struct{ name, src, want string }

func check(t *testing.T, convert func(string) string, cases []pair) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.TrimSuffix(convert(tt.src), "\n"); got != tt.want {
				t.Errorf("\n got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func faithful(src string) string  { return FromHTML(src, "") }
func extracted(src string) string { return clean(src, "") }

func TestBlocks(t *testing.T) {
	check(t, faithful, []pair{
		{"nothing", "", ""},
		{"paragraphs", "<p>a  b\n c</p>\n<p>d</p>", "a b c\n\nd"},
		{"text beside blocks", "a<p>b</p>c", "a\n\nb\n\nc"},
		{"headings", "<h1>A</h1><h6>B<br>c</h6><h2></h2>", "# A\n\n###### B c"},
		{"heading that ends in a hash", "<h2>C #</h2>", `## C \#`},
		{"hard break", "<p>a<br>b<br></p>", "a  \nb"},
		{"rule", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"},
		{"code keeps blank lines", "<pre><code class=language-go>a\n\n\n  b\n</code></pre>", "```go\na\n\n\n  b\n```"},
		{"fence longer than the code's", "<pre>a\n````\nb</pre>", "`````\na\n````\nb\n`````"},
		{"empty code", "<pre> \n </pre>", ""},
		{"quote", "<blockquote><p>a</p><pre>b\n\nc</pre></blockquote>", "> a\n>\n> ```\n> b\n>\n> c\n> ```"},
		{"details", "<details><summary>More</summary><p>* a</p></details>", "**More**\n\n\\* a"},
		{"summary with a heading", "<details><summary><h3>S</h3></summary>a</details>", "### S\n\na"},
		{"figure", `<figure><img src="a.png" alt="x"><figcaption>c</figcaption></figure>`, "![x](a.png)\n\nc"},
		{"span around blocks", "<span><p>a</p><p>b</p></span>", "a\n\nb"},
		{"scripts say nothing", "<p>a</p><script>b</script><style>c</style><template>d</template>", "a"},
	})
}

func TestLists(t *testing.T) {
	check(t, faithful, []pair{
		{"tight", "<ul><li>a</li><li><p>b</p></li></ul>", "- a\n- b"},
		{"nested", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"},
		{"loose", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n\n- c"},
		{"numbers", `<ol start="9"><li>a</li><li>b<pre>x</pre></li></ol>`, "9. a\n10. b\n\n    ```\n    x\n    ```"},
		{"value", `<ol><li value="3">a</li><li>b</li></ol>`, "3. a\n4. b"},
		{"two lists in a row", "<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"},
		{"list right inside a list", "<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"},
		{"quote in an item", "<ul><li><blockquote>a</blockquote></li></ul>", "- > a"},
		{"list in an item", "<ul><li><ul><li>a</li></ul></li></ul>", "- - a"},
		{"tasks", `<ul><li><input type=checkbox> a</li><li><input type=checkbox checked>b</li></ul>`, "- [ ] a\n- [x] b"},
		{"empty items go", "<ul><li></li><li>a</li></ul>", "- a"},
		{"item without a list", "<li>a</li>", "- a"},
		{"terms", "<dl><dt>A</dt><dd>b</dd><dt>C:</dt><dd><p>d</p></dd></dl>", "- **A**: b\n- **C:** d"},
		{"terms with blocks", "<dl><dt>A</dt><dd><p>b</p><p>c</p></dd></dl>", "**A**\n\nb\n\nc"},
		{"two terms", "<dl><dt>A</dt><dt>B</dt><dd>c</dd></dl>", "- **A**, **B**: c"},
	})
}

func TestInline(t *testing.T) {
	check(t, faithful, []pair{
		{"emphasis", "<p>a <b>b</b> <i>c</i> <del>d</del> <code>e</code></p>", "a **b** *c* ~~d~~ `e`"},
		{"white space moves out", "<p>a<b> b </b>c</p>", "a **b** c"},
		{"emphasis inside a word", "<p>a<b>b</b>c</p>", "a**b**c"},
		{"mark at punctuation becomes a tag", "<p>a<b>(b)</b>c</p>", "a<strong>(b)</strong>c"},
		{"neighbours join", "<p><b>a</b><b>b</b></p>", "**ab**"},
		{"nested", "<p><b>a <i>b</i></b></p>", "**a *b***"},
		{"bold in bold", "<p><b>a <strong>b</strong></b></p>", "**a b**"},
		{"empty emphasis", "<p>a<b> </b>b</p>", "a b"},
		{"break at the end of emphasis", "<p><b>a<br></b>b</p>", "**a**  \nb"},
		{"sub and sup", "<p>H<sub>2</sub>O 10<sup>6</sup></p>", "H<sub>2</sub>O 10<sup>6</sup>"},
		{"keys", "<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>", "`Ctrl`+`C`"},
		{"code spans that touch", "<p><code>S.</code><code>c</code>(<code>x</code>) <code>y</code> <code>z</code></p>", "`S.c`(`x`) `y` `z`"},
		{"code with backticks", "<p><code>a`b</code> <code>`</code></p>", "``a`b`` `` ` ``"},
		{"link", `<p><a href="https://e.org/a_b">x</a></p>`, "[x](https://e.org/a_b)"},
		{"link address with spaces and parentheses", `<p><a href="/a b(c).html">x</a> <a href="/a)b">y</a></p>`, `[x](/a%20b(c).html) [y](/a\)b)`},
		{"brackets in link text", `<p><a href="/a">[x]</a></p>`, `[\[x\]](/a)`},
		{"link that runs a script", `<p><a href="javascript:x()">x</a></p>`, "x"},
		{"exclamation before a link", `<p>a!<a href="/b">c</a></p>`, `a\![c](/b)`},
		{"code that is one link", `<p><code><a href="/a">x</a></code></p>`, "[`x`](/a)"},
		{"links inside code", `<p><code><a href="/a">A</a>&lt;<a href="/b">B</a>&gt;</code></p>`, "`A<B>`"},
		{"image in link", `<p><a href="/a"><img src="i.png" alt="x]y"></a></p>`, `[![x\]y](i.png)](/a)`},
		{"invisible characters", "<p>a\u200bb\u00adc\U000E0041d\u202ee</p>", "abcde"},
		{"no-break space", "<p>a\u00a0b</p>", "a b"},
		{"quotation", "<p><q>a</q> b</p>", "“a” b"},
	})
}

func TestEscapes(t *testing.T) {
	check(t, faithful, []pair{
		{"marks", "<p>*a* _b_ `c` ~~d~~</p>", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~"},
		{"names keep their underscores", "<p>snake_case a_b_c</p>", "snake_case a_b_c"},
		{"home folder", "<p>~/x</p>", "~/x"},
		{"angle brackets", "<p>&lt;b&gt; a &lt; b</p>", `\<b> a < b`},
		{"references", "<p>&amp;lt; a&amp;b</p>", `\&lt; a&b`},
		{"backslash", `<p>C:\dir \* a\</p>`, `C:\dir \\\* a\\`},
		{"brackets", "<p>[a](b) [c]</p>", `[a\](b) [c]`},
		{"heading", "<p># a</p>", `\# a`},
		{"list", "<p>- a</p><p>1. b</p><p>+ c</p><p>2) d</p>", "\\- a\n\n1\\. b\n\n\\+ c\n\n2\\) d"},
		{"numbers in text", "<p>1.5 and 2026. x</p>", "1.5 and 2026. x"},
		{"quote", "<p>&gt; a</p>", `\> a`},
		{"rule and setext", "<p>a<br>---</p><p>b<br>===</p>", "a  \n\\---\n\nb  \n\\==="},
		{"fence", "<p>~~~</p>", `\~\~\~`},
		{"table row", "<p>a | b<br>:- | -</p>", "a | b  \n\\:- | -"},
		{"definition", "<p>[a]: b</p>", `\[a\]: b`},
		{"addresses stay whole", "<p>https://e.org/_a_b?c=1*2</p>", `<https://e.org/_a_b?c=1*2>`},
		{"plain address", "<p>see https://e.org/a_b_c.</p>", "see https://e.org/a_b_c."},
	})
}

func TestTables(t *testing.T) {
	check(t, faithful, []pair{
		{"header", "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>", "| a | b |\n| --- | --- |\n| c | d |"},
		{"first row becomes the header", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "| a | b |\n| --- | --- |\n| c |"},
		{"caption", "<table><caption>T</caption><tr><td>a</td><td>b</td></tr></table>", "T\n\n| a | b |\n| --- | --- |"},
		{"spans are mirrored", `<table><tr><th>a</th><th colspan="2">b</th></tr><tr><td rowspan="2">c</td><td>d</td><td>e</td></tr><tr><td>f</td><td>g</td></tr></table>`,
			"| a | b | b |\n| --- | --- | --- |\n| c | d | e |\n| c | f | g |"},
		{"pipes", "<table><tr><td>a|b</td><td><code>c|d</code></td></tr></table>", "| a\\|b | `c\\|d` |\n| --- | --- |"},
		{"breaks and paragraphs", "<table><tr><td>a<br>b</td><td><p>c</p><p>d</p></td></tr></table>", "| a<br>b | c<br>d |\n| --- | --- |"},
		{"list in a cell", "<table><tr><td>a</td><td><ul><li>b</li><li>c</li></ul></td></tr></table>", "| a | <ul><li>b</li><li>c</li></ul> |\n| --- | --- |"},
		{"code in a cell", "<table><tr><td>a</td><td><pre>b|c\n  d*</pre></td></tr></table>", "| a | <pre><code>b\\|c<br>  d\\*</code></pre> |\n| --- | --- |"},
		{"nested tables", "<table><tr><td>x</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>", "x\n\n| a | b |\n| --- | --- |"},
		{"empty rows go", "<table><tr><td></td></tr><tr><td>a</td><td>b</td></tr></table>", "| a | b |\n| --- | --- |"},
		{"foot comes last", "<table><tfoot><tr><td>f</td><td>g</td></tr></tfoot><tr><td>a</td><td>b</td></tr></table>", "| a | b |\n| --- | --- |\n| f | g |"},
		{"in a quote", "<blockquote><table><tr><td>A</td><td>B</td></tr></table><p>After</p></blockquote>", "> | A | B |\n> | --- | --- |\n>\n> After"},
	})
}

func TestSpanIsBounded(t *testing.T) {
	got := FromHTML(`<table><tr><td colspan="1000000">a</td><td>b</td></tr></table>`, "")
	if cells := strings.Count(strings.SplitN(got, "\n", 2)[0], "|") - 1; cells != spanLimit+1 {
		t.Errorf("%d cells, want %d", cells, spanLimit+1)
	}
	if got := FromHTML("<table>"+strings.Repeat(`<tr><td colspan="100">a</td></tr>`, 2*mirrorBudget/100)+"</table>", ""); strings.Count(got, "a") > mirrorBudget+2*mirrorBudget/100 {
		t.Errorf("%d cells from one table", strings.Count(got, "a"))
	}
	long := strings.Repeat("x", mirrorLimit+1)
	if got := FromHTML(`<table><tr><td colspan="2">`+long+`</td></tr><tr><td>a</td><td>b</td></tr></table>`, ""); strings.Count(got, long) != 1 {
		t.Error("running text was mirrored")
	}
	if got := FromHTML(`<table><tr><td colspan="2">`+long[1:]+`</td></tr><tr><td>a</td><td>b</td></tr></table>`, ""); strings.Count(got, long[1:]) != 2 {
		t.Error("a short cell was not mirrored")
	}
}

func TestCanonicalThings(t *testing.T) {
	check(t, extracted, []pair{
		{"label of a language", `<div class="language-ts"><span class="lang">ts</span><pre>a</pre></div>`, "```ts\na\n```"},
		{"alert", `<div class="admonition warning"><p class="admonition-title">Warning</p><p>a</p></div>`, "> [!WARNING]\n> **Warning**\n>\n> a"},
		{"alert without a title", `<div class="alert alert-info"><p>a</p></div>`, "> [!NOTE]\n> a"},
		{"alert with a list", `<div class="alert alert-danger"><ul><li>a</li></ul></div>`, "> [!CAUTION]\n>\n> - a"},
		{"tabs", `<div><div role="tablist"><a role="tab">npm</a><a role="tab">yarn</a></div><div><div role="tabpanel"><pre>a</pre></div><div role="tabpanel" hidden><pre>b</pre></div></div></div>`,
			"**npm**\n\n```\na\n```\n\n**yarn**\n\n```\nb\n```"},
		{"footnotes", `<p>a<sup><a href="#fn1">1</a></sup></p><ol class="footnotes"><li id="fn1"><p>n</p><p>m</p></li></ol>`, "a[^1]\n\n[^1]: n\n\n    m"},
		{"formula", `<p>a <span class="katex"><math><annotation encoding="application/x-tex">x_1*y_2</annotation></math></span></p>`, "a $x_1*y_2$"},
		{"display formula", `<p>a</p><script type="math/tex; mode=display">b

c</script>`, "a\n\n$$\nb\nc\n$$"},
		{"mathml", `<p><math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac></math></p>`, `$\frac{a}{b^{2}}$`},
	})
	check(t, faithful, []pair{
		{"the title names the alert", `<div class="admonition note"><p class="admonition-title">Note</p><p>a</p></div>`, "> [!Note]\n> a"},
		{"another title stays", `<div class="admonition note"><p class="admonition-title">Mind</p><p>a</p></div>`, "> [!NOTE]\n> **Mind**\n>\n> a"},
	})
}

func TestAddresses(t *testing.T) {
	for _, tt := range []struct{ base, src, want string }{
		{"https://e.org/en/guide/", `<a href="../x/">a</a>`, "[a](https://e.org/en/x/)"},
		{"https://e.org/en/guide/", `<a href="#top">a</a>`, "[a](#top)"},
		{"https://e.org/en/guide/", `<a href="mailto:a@b.c">a</a>`, "[a](mailto:a@b.c)"},
		{"https://e.org/en/guide/", `<img src="//c.org/i.png">`, "![](https://c.org/i.png)"},
		{"https://e.org/en/guide/", `<img src="data:image/png;base64,` + strings.Repeat("A", 600) + `">`, "![](data:image/png;base64," + strings.Repeat("A", 600) + ")"},
		{"", `<a href="../x/">a</a>`, "[a](../x/)"},
		{"https://e.org/en/", `<base href="/other/"><a href="x">a</a>`, "[a](https://e.org/other/x)"},
		{"", `<base href="https://c.org/d/"><a href="x">a</a>`, "[a](https://c.org/d/x)"},
		{"not a url", `<a href="x">a</a>`, "[a](x)"},
	} {
		if got := strings.TrimSuffix(FromHTML(tt.src, tt.base), "\n"); got != tt.want {
			t.Errorf("%s on %s: got %s, want %s", tt.src, tt.base, got, tt.want)
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	deepest := func(open string) int {
		best := 0
		for _, l := range strings.Split(FromHTML(strings.Repeat(open, 2*nestLimit)+"x", ""), "\n") {
			best = max(best, strings.Count(l, ">")+strings.Count(l, "- "))
		}
		return best
	}
	for _, open := range []string{"<blockquote>", "<ul><li>", "<li><blockquote>"} {
		if got := deepest(open); got < nestLimit || got > nestLimit+1 {
			t.Errorf("%s nests %d deep, want %d", open, got, nestLimit)
		}
	}
}

func TestDeepPagesConvert(t *testing.T) {
	got := FromHTML(strings.Repeat("<div>", 100_000)+"deep"+strings.Repeat("<blockquote>", 1000)+"end", "")
	if !strings.Contains(got, "deep") || !strings.Contains(got, "end") {
		t.Errorf("text lost: %.100q", got)
	}
}
