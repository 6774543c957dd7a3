package canon

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// rewrite runs both halves on a page and returns its body, with white space
// between elements left out.
func rewrite(src string, mode Mode) string {
	doc, _ := tree.Parse([]byte(src))
	Open(doc, mode)
	Rewrite(doc, mode)
	var b bytes.Buffer
	for c := tree.First(doc, atom.Body).FirstChild; c != nil; c = c.NextSibling {
		_ = html.Render(&b, c)
	}
	return strings.TrimSpace(regexp.MustCompile(`>\s+<`).ReplaceAllString(b.String(), "><"))
}

// cases are written as source and canonical form.
type pair struct{ name, src, want string }

func check(t *testing.T, mode Mode, cases []pair) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if got := rewrite(tt.src, mode); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCode(t *testing.T) {
	check(t, Clean, []pair{
		{"plain pre", "<pre>a\n  b</pre>", "<pre><code>a\n  b</code></pre>"},
		{"class on code", `<pre><code class="lang-ruby hl">x</code></pre>`, `<pre><code class="language-ruby">x</code></pre>`},
		{"sphinx wrapper", `<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span><span class="k">a</span></pre></div></div>`,
			`<div class="highlight-python3 notranslate"><div class="highlight"><pre><code class="language-python3">a</code></pre></div></div>`},
		{"sphinx default is no language", `<div class="highlight-default"><pre>a</pre></div>`, `<div class="highlight-default"><pre><code>a</code></pre></div>`},
		{"vitepress label is marked", `<div class="language-ts"><button class="copy"></button><span class="lang">ts</span><pre class="shiki"><code>a</code></pre></div>`,
			`<div class="language-ts"><span class="lang" data-code-label="">ts</span><pre><code class="language-ts">a</code></pre></div>`},
		{"label in another spelling", `<div class="language-bash"><span class="lang">sh</span><pre><code>a</code></pre></div>`, `<div class="language-bash"><span class="lang" data-code-label="">sh</span><pre><code class="language-bash">a</code></pre></div>`},
		{"file name stays", `<div class="code-block language-js"><div class="title">app.js</div><pre>a</pre></div>`, `<div class="code-block language-js"><div class="title">app.js</div><pre><code class="language-js">a</code></pre></div>`},
		{"github source", `<div class="highlight highlight-source-shell"><pre>a</pre></div>`, `<div class="highlight highlight-source-shell"><pre><code class="language-shell">a</code></pre></div>`},
		{"brush in two tokens", `<pre class="brush: js; gutter: false">a</pre>`, `<pre><code class="language-js">a</code></pre>`},
		{"bare class on pre", `<pre class="rust item-decl"><code>a</code></pre>`, `<pre><code class="language-rust">a</code></pre>`},
		{"none means text", `<pre><code class="language-none">a</code></pre>`, `<pre><code class="language-text">a</code></pre>`},
		{"a class is no info string", "<pre><code class=\"language-a`b\">x</code></pre>", `<pre><code>x</code></pre>`},
		{"wrapper of two blocks names neither", `<div class="language-js"><pre>a</pre><pre>b</pre></div>`, `<div class="language-js"><pre><code>a</code></pre><pre><code>b</code></pre></div>`},
		{"pygments table", `<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1
2</pre></div></td><td class="code"><div><pre>a
b</pre></div></td></tr></table>`, "<pre><code>a\nb</code></pre>"},
		{"rouge table", `<div class="language-sh highlighter-rouge"><div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="gutter gl"><pre class="lineno">1
2
</pre></td><td class="code"><pre>a
b
</pre></td></tr></tbody></table></code></pre></div></div>`, `<div class="language-sh highlighter-rouge"><div class="highlight"><pre><code class="language-sh">a
b
</code></pre></div></div>`},
		{"line numbers in spans", `<pre><span class="linenos">1</span>a
<span class="linenos">2</span>b</pre>`, "<pre><code>a\nb</code></pre>"},
		{"digits are not line numbers by themselves", "<pre><span>1</span>\n<span>2</span></pre>", "<pre><code>1\n2</code></pre>"},
		{"br breaks lines", `<pre>a<br>b</pre>`, "<pre><code>a\nb</code></pre>"},
		{"lines without breaks", `<pre><code><span class="line">a</span><span class="line">b</span></code></pre>`, "<pre><code>a\nb</code></pre>"},
		{"lines as divs", `<pre><code><div class="ec-line"><div class="code">a</div></div><div class="ec-line"><div class="code">b</div></div></code></pre>`, "<pre><code>a\nb\n</code></pre>"},
		{"numbered divs", `<pre><div><span>1</span><div>a</div></div><div><span>2</span><div>b</div></div></pre>`, "<pre><code>a\nb\n</code></pre>"},
		{"code around pre", `<code class="language-ts"><pre><code>a</code></pre></code>`, `<pre><code class="language-ts">a</code></pre>`},
		{"code block without pre", `<div><code class="hl lean block">a</code></div>`, `<div><pre><code class="language-lean">a</code></pre></div>`},
		{"javadoc signature", `<div class="member-signature"><span>public</span>&nbsp;<span>void</span> <b>x</b>()</div>`, `<pre><code class="language-java">public void x()</code></pre>`},
		{"doxygen fragment", `<div class="fragment"><div class="line"><span class="lineno">    1</span> int a;</div><div class="line"><span class="lineno">    2</span> int b;</div></div>`, "<pre><code> int a;\n int b;\n</code></pre>"},
		{"a block among lines", "<pre><span>a</span>\n<span>b</span>\n<div class=\"viewcode-block\">def c():\n    d\n</div></pre>", "<pre><code>a\nb\ndef c():\n    d\n</code></pre>"},
		{"lines after a block", "<pre><span></span><span>a</span>\n\n<div><span>b</span>\n    <span>c</span></div>\n\n<span>d</span></pre>", "<pre><code>a\n\nb\n    c\n\nd</code></pre>"},
		{"blank lines between blocks of a class", "<pre><div><span>class</span> A:\n<div>  b</div>\n\n<div>  c</div></div></pre>", "<pre><code>class A:\n  b\n\n  c\n</code></pre>"},
		{"line breaks between lines as divs", "<pre>\n<div>a</div>\n<div>b</div>\n</pre>", "<pre><code>a\nb\n</code></pre>"},
		{"a line break in an empty line as div", "<pre><div>a</div><div>\n<i></i></div><div>b</div></pre>", "<pre><code>a\n\nb\n</code></pre>"},
		{"viewcode link", "<pre><span>a</span>\n<div class=\"viewcode-block\" id=\"c\"><a class=\"viewcode-back\" href=\"x.html#c\">[docs]</a><span>def</span> c()</div></pre>", "<pre><code>a\ndef c()\n</code></pre>"},
		{"viewcode link on its own line", "<pre><span>a</span>\n<div class=\"viewcode-block\" id=\"c\">\n<a class=\"viewcode-back\" href=\"x.html#c\">[docs]</a>\n<span>def</span> c()</div></pre>", "<pre><code>a\ndef c()\n</code></pre>"},
		{"viewcode link after code", "<pre><span>a</span><a class=\"viewcode-back\" href=\"x.html#c\">[docs]</a>\nb</pre>", "<pre><code>a\nb</code></pre>"},
		{"another link in code stays", "<pre><a class=\"reference\" href=\"x.html#c\">[docs]</a>\nb</pre>", "<pre><code>[docs]\nb</code></pre>"},
		{"inner blank lines stay", "<pre>a\n\n\nb</pre>", "<pre><code>a\n\n\nb</code></pre>"},
	})
}

func TestTabs(t *testing.T) {
	check(t, Clean, []pair{
		{"aria with a hidden panel", `<div><ul role="tablist"><li role="tab">npm</li><li role="tab">yarn</li></ul><div><div role="tabpanel">a</div><div role="tabpanel" hidden>b</div></div></div>`,
			`<div><div><section data-tab="npm"><p data-label="">npm</p>a</section><section data-tab="yarn"><p data-label="">yarn</p>b</section></div></div>`},
		{"aria by id", `<div role="tablist"><a role="tab" id="t1">One</a><a role="tab" id="t2">Two</a></div><div role="tabpanel" aria-labelledby="t2">b</div><p>between</p><div role="tabpanel" aria-labelledby="t1" style="display:none">a</div>`,
			`<section data-tab="Two"><p data-label="">Two</p>b</section><p>between</p><section data-tab="One"><p data-label="">One</p>a</section>`},
		{"filters of one panel name nothing", `<div><div role="tablist"><button role="tab">All</button><button role="tab">Static</button></div><div role="tabpanel">x</div></div>`,
			`<div><div role="tablist"></div><section data-tab="">x</section></div>`},
		{"mkdocs material", `<div class="tabbed-set tabbed-alternate"><input type="radio"><input type="radio"><div class="tabbed-labels"><label>C</label><label>Go</label></div><div class="tabbed-content"><div class="tabbed-block">1</div><div class="tabbed-block">2</div></div></div>`,
			`<div class="tabbed-set tabbed-alternate"><div class="tabbed-content"><section class="tabbed-block" data-tab="C"><p data-label="">C</p>1</section><section class="tabbed-block" data-tab="Go"><p data-label="">Go</p>2</section></div></div>`},
		{"vitepress code group", `<div class="vp-code-group"><div class="tabs"><input><label>npm</label><input><label>pnpm</label></div><div class="blocks"><div class="language-sh active"><pre>a</pre></div><div class="language-sh"><pre>b</pre></div></div></div>`,
			`<div class="vp-code-group"><div class="blocks"><section class="language-sh active" data-tab="npm"><p data-label="">npm</p><pre><code class="language-sh">a</code></pre></section><section class="language-sh" data-tab="pnpm"><p data-label="">pnpm</p><pre><code class="language-sh">b</code></pre></section></div></div>`},
		{"bootstrap", `<ul class="nav-tabs"><li>Linux</li><li>Mac</li></ul><div class="tab-content"><div class="tab-pane">1</div><div class="tab-pane">2</div></div>`,
			`<div class="tab-content"><section class="tab-pane" data-tab="Linux"><p data-label="">Linux</p>1</section><section class="tab-pane" data-tab="Mac"><p data-label="">Mac</p>2</section></div>`},
		{"sphinx design", `<div class="sd-tab-set"><input><label class="sd-tab-label">A</label><div class="sd-tab-content">1</div><input><label class="sd-tab-label">B</label><div class="sd-tab-content">2</div></div>`,
			`<div class="sd-tab-set"><section class="sd-tab-content" data-tab="A"><p data-label="">A</p>1</section><section class="sd-tab-content" data-tab="B"><p data-label="">B</p>2</section></div>`},
	})
	check(t, Faithful, []pair{
		{"order and labels stay", `<div><ul role="tablist"><li role="tab">npm</li></ul><div role="tabpanel" hidden="">a</div></div>`, `<div><ul role="tablist"><li role="tab">npm</li></ul><div role="tabpanel">a</div></div>`},
	})
}

func TestAccordions(t *testing.T) {
	check(t, Clean, []pair{
		{"details", `<details><summary>More</summary>a</details>`, `<details open=""><summary>More</summary>a</details>`},
		{"button and region", `<div><button aria-expanded="false" aria-controls="r">Why?</button><div id="r" hidden>Because it is so.</div></div>`,
			`<div><details open=""><summary>Why?</summary><div id="r">Because it is so.</div></details></div>`},
		{"button in a heading", `<h3><button aria-expanded="false" aria-controls="r">Why?</button></h3><div id="r" hidden>Because it is so.</div>`,
			`<h3>Why?</h3><div id="r">Because it is so.</div>`},
		{"a menu stays closed", `<nav><button aria-expanded="false" aria-controls="r">Menu</button><div id="r" hidden>x</div></nav>`,
			`<nav><div id="r" hidden="">x</div></nav>`},
	})
}

func TestCallouts(t *testing.T) {
	check(t, Clean, []pair{
		{"sphinx", `<div class="admonition note"><p class="admonition-title">Note</p><p>a</p></div>`, `<blockquote data-callout="note"><p data-label="">Note</p><p>a</p></blockquote>`},
		{"docusaurus", `<div class="theme-admonition theme-admonition-danger alert alert--danger"><div class="admonitionHeading_x"><span><svg></svg></span>danger</div><div><p>a</p></div></div>`,
			`<blockquote data-callout="danger"><p data-label="">danger</p><div><p>a</p></div></blockquote>`},
		{"vitepress", `<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>a</p></div>`, `<blockquote data-callout="tip"><p data-label="">TIP</p><p>a</p></blockquote>`},
		{"material details", `<details class="warning"><summary>Mind</summary><p>a</p></details>`, `<blockquote data-callout="warning"><p data-label="">Mind</p><p>a</p></blockquote>`},
		{"plain details are none", `<details class="x"><summary>Mind</summary><p>a</p></details>`, `<details class="x" open=""><summary>Mind</summary><p>a</p></details>`},
		{"github", `<div class="markdown-alert markdown-alert-important"><p class="markdown-alert-title"><svg></svg>Important</p><p>a</p></div>`, `<blockquote data-callout="important"><p data-label="">Important</p><p>a</p></blockquote>`},
		{"bootstrap without a title", `<div class="alert alert-warning" role="alert"><p>a</p></div>`, `<blockquote data-callout="warning"><p>a</p></blockquote>`},
		{"asciidoctor table", `<div class="admonitionblock tip"><table><tr><td class="icon"><i class="fa icon-tip" title="Tip"></i></td><td class="content">a</td></tr></table></div>`,
			`<blockquote data-callout="tip"><p data-label="">Tip</p><div class="content">a</div></blockquote>`},
		{"starlight", `<aside aria-label="Note" class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title">Care</p><div><p>a</p></div></aside>`,
			`<blockquote aria-label="Note" data-callout="caution"><p data-label="">Care</p><div><p>a</p></div></blockquote>`},
		{"obsidian", `<div data-callout="faq" class="callout"><div class="callout-title">Is it?</div><div>Yes.</div></div>`, `<blockquote data-callout="question"><p data-label="">Is it?</p><div>Yes.</div></blockquote>`},
		{"a box without a type is none", `<div class="alert-box"><p>a</p></div>`, `<div class="alert-box"><p>a</p></div>`},
		{"nextra by colour", `<div class="nextra-callout x:flex x:bg-yellow-50"><div>x</div></div>`, `<blockquote data-callout="warning"><div>x</div></blockquote>`},
		{"nested", `<div class="admonition note"><p>a</p><div class="admonition tip"><p class="admonition-title">T</p><p>b</p></div></div>`,
			`<blockquote data-callout="note"><p>a</p><blockquote data-callout="tip"><p data-label="">T</p><p>b</p></blockquote></blockquote>`},
	})
}

func TestHeadings(t *testing.T) {
	check(t, Clean, []pair{
		{"zero-width anchor", "<h2 class=\"anchor\" id=\"s\">Set up<a href=\"#s\" class=\"hash-link\">\u200b</a></h2>", `<h2 id="s">Set up</h2>`},
		{"pilcrow", `<h2>A<a class="headerlink" href="#a">¶</a></h2>`, `<h2>A</h2>`},
		{"the heading is its own link", `<h2 id="a"><a class="header" href="#a">Arc</a></h2>`, `<h2 id="a">Arc</h2>`},
		{"docsify wraps its text", `<h2><a href="#/?id=a" data-id="a" class="anchor"><span>A</span></a></h2>`, `<h2><span>A</span></h2>`},
		{"a link elsewhere stays", `<h2><a href="https://e.org/x">A</a> b</h2>`, `<h2><a href="https://e.org/x">A</a> b</h2>`},
		{"link called Link stays", `<h2><a href="/link">Link</a></h2>`, `<h2><a href="/link">Link</a></h2>`},
		{"edit link of a wiki", `<h2>A<span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2>`, `<h2>A</h2>`},
		{"anchor beside", `<div><h2>A</h2><a class="sl-anchor-link" href="#a"><span class="sr-only">Section titled “A”</span></a></div>`, `<div><h2>A</h2></div>`},
		{"aria heading", `<div role="heading" aria-level="3">A</div>`, `<h3>A</h3>`},
		{"id of a section", `<section id="s"><h2>A</h2></section>`, `<section id="s"><h2 id="s">A</h2></section>`},
		{"list of sections", `<ul class="blockList"><li><section><h3>A</h3><p>b</p></section></li></ul>`, `<div class="blockList"><div><section><h3>A</h3><p>b</p></section></div></div>`},
		{"block in link", `<a href="/x"><h3>Quick</h3><p>b</p></a>`, `<h3><a href="/x">Quick</a></h3><p>b</p>`},
	})
	check(t, Faithful, []pair{
		{"links with text stay", `<h2 id="a"><a class="header" href="#a">Arc</a><span>[<a href="/e">edit</a>]</span></h2>`, `<h2 id="a"><a class="header" href="#a">Arc</a><span>[<a href="/e">edit</a>]</span></h2>`},
	})
}

func TestMath(t *testing.T) {
	check(t, Clean, []pair{
		{"katex says it once", `<p>a <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>r</mi></mrow><annotation encoding="application/x-tex">r^2</annotation></semantics></math></span><span class="katex-html">r2</span></span></p>`,
			`<p>a <span data-math="inline">r^2</span></p>`},
		{"mathjax script", `<p><span class="MathJax_Preview">x</span><script type="math/tex">E_u</script></p>`, `<p><span data-math="inline">E_u</span></p>`},
		{"display", `<script type="math/tex; mode=display">a</script>`, ""},
		{"rendered twin", `<p><span class="MathJax" data-latex="b">b</span><script type="math/tex">b</script></p>`, `<p><span data-math="inline">b</span></p>`},
		{"wiki picture", `<p><span class="mwe-math-element"><math alttext="{\displaystyle A}"></math><img src="/a.svg" alt="{\displaystyle A}"></span></p>`,
			`<p><img src="/a.svg" alt="A" data-math="inline"/></p>`},
		{"only mathml", `<p><math><mi>x</mi></math></p>`, `<p><math><mi>x</mi></math></p>`},
		{"rendering service", `<p><img src="https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D"></p>`, `<p><span data-math="inline">\frac{a}{b}</span></p>`},
	})
}

func TestFootnotes(t *testing.T) {
	check(t, Clean, []pair{
		{"kramdown", `<p>a<sup id="fnref:1"><a href="#fn:1" class="footnote">1</a></sup></p><div class="footnotes"><ol><li id="fn:1"><p>n <a href="#fnref:1">↩</a></p></li></ol></div>`,
			`<p>a<sup data-footnote="1">1</sup></p><div class="footnotes"><ol><li id="fn:1" data-footnote-text="1"><p>n </p></li></ol></div>`},
		{"wiki references", `<p>a<sup><a href="#cite_note-7">[3]</a></sup></p><ol><li id="cite_note-7"><a href="#r">^</a> n</li></ol>`,
			`<p>a<sup data-footnote="3">3</sup></p><ol><li id="cite_note-7" data-footnote-text="3">n</li></ol>`},
		{"names that link back", `<p>a<a name="A1" href="#N1">1</a></p><p><a name="N1" href="#A1">1</a> n</p>`,
			`<p>a<sup data-footnote="1">1</sup></p><p data-footnote-text="1">n</p>`},
		{"two notes of one number", `<p>a<sup><a href="#fn1">1</a></sup> b<sup><a href="#fn9">1</a></sup></p><p id="fn1">1 n</p><p id="fn9">1 m</p>`,
			`<p>a<sup data-footnote="1">1</sup> b<sup data-footnote="1-2">1-2</sup></p><p id="fn1" data-footnote-text="1">n</p><p id="fn9" data-footnote-text="1-2">m</p>`},
		{"docutils table", `<p>a <a class="footnote-reference" href="#fn1" id="id3">[4]</a> b</p><table class="docutils footnote" frame="void" id="fn1"><tbody><tr><td class="label"><a class="fn-backref" href="#id3">[4]</a></td><td>Note text.</td></tr></tbody></table>`,
			`<p>a <sup data-footnote="4">4</sup> b</p><p class="footnote" id="fn1" data-footnote-text="4">Note text.</p>`},
		{"docutils table of a note used twice", `<p>a <a href="#fn1" id="i">[4]</a> b <a href="#fn1" id="j">[4]</a></p><table class="docutils footnote" id="fn1"><tbody><tr><td class="label">[4]</td><td><em>(<a class="fn-backref" href="#i">1</a>, <a class="fn-backref" href="#j">2</a>)</em> <p>n</p><p>o</p></td></tr></tbody></table>`,
			`<p>a <sup data-footnote="4">4</sup> b <sup data-footnote="4">4</sup></p><div class="footnote" id="fn1" data-footnote-text="4"><p>n</p><p>o</p></div>`},
		{"docutils list", `<p>a <a class="footnote-reference brackets" href="#fn1" id="i">4</a></p><dl class="footnote brackets"><dt class="label" id="fn1"><span class="brackets"><a class="fn-backref" href="#i">4</a></span></dt><dd><p>n</p></dd></dl>`,
			`<p>a <sup data-footnote="4">4</sup></p><p class="footnote" id="fn1" data-footnote-text="4">n</p>`},
		{"docutils list of a note used twice", `<p>a <a href="#fn1" id="i">4</a> b <a href="#fn1" id="j">4</a></p><dl class="footnote brackets"><dt class="label" id="fn1"><span class="brackets">4</span><span class="fn-backref">(<a href="#i">1</a>,<a href="#j">2</a>)</span></dt><dd><p>n</p></dd></dl>`,
			`<p>a <sup data-footnote="4">4</sup> b <sup data-footnote="4">4</sup></p><p class="footnote" id="fn1" data-footnote-text="4">n</p>`},
		{"docutils aside", `<p>a <a class="footnote-reference brackets" href="#fn1" id="i" role="doc-noteref">4</a></p><aside class="footnote brackets" id="fn1" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span>4<span class="fn-bracket">]</span></span><span class="backrefs">(<a role="doc-backlink" href="#i">1</a>,<a role="doc-backlink" href="#j">2</a>)</span><p>n</p></aside>`,
			`<p>a <sup data-footnote="4">4</sup></p><aside class="footnote brackets" id="fn1" role="doc-footnote" data-footnote-text="4"><p>n</p></aside>`},
		{"a table with notes in several rows", `<p>a<sup><a href="#n1">1</a></sup> b<sup><a href="#n2">2</a></sup></p><table class="footnotes"><tr><td><a name="n1">1</a></td><td>n</td></tr><tr id="n2"><td>2</td><td>m</td></tr></table>`,
			`<p>a<sup data-footnote="1">1</sup> b<sup data-footnote="2">2</sup></p><p class="footnote" id="n1" data-footnote-text="1">n</p><p class="footnote" id="n2" data-footnote-text="2">m</p>`},
		{"a note nothing refers to keeps its label", `<table class="docutils footnote" id="fn1"><tr><td class="label">[4]</td><td><p>n</p></td></tr></table>`, `<p class="footnote" id="fn1">[4] n</p>`},
		{"a table of data is no note", `<table class="footnote"><tr><td>1</td><td>b</td><td>c</td></tr></table>`, `<table class="footnote"><tbody><tr><td>1</td><td>b</td><td>c</td></tr></tbody></table>`},
		{"a link to a section is none", `<p>see <a href="#s1">1</a></p><section id="s1"><h2>S</h2><p>x</p></section>`, `<p>see <a href="#s1">1</a></p><section id="s1"><h2 id="s1">S</h2><p>x</p></section>`},
		{"a table of contents is none", `<ul><li><a href="#c1">1</a></li></ul><div id="c1"><p>x</p></div>`, `<ul><li><a href="#c1">1</a></li></ul><div id="c1"><p>x</p></div>`},
	})
	check(t, Faithful, []pair{
		{"only what calls itself footnotes", `<p>a<sup><a href="#cite_note-7">[3]</a></sup></p><ol><li id="cite_note-7">n</li></ol>`, `<p>a<sup><a href="#cite_note-7">[3]</a></sup></p><ol><li id="cite_note-7">n</li></ol>`},
	})
}

func TestTables(t *testing.T) {
	check(t, Clean, []pair{
		{"data stays", `<table><tr><th>a</th><td>b</td></tr></table>`, `<table><tbody><tr><th>a</th><td>b</td></tr></tbody></table>`},
		{"a table in a table is layout", `<table><tr><td>x</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>`,
			`<div>x</div><div><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table></div>`},
		{"one cell", `<table><tr><td><p>x</p></td></tr></table>`, `<div><p>x</p></div>`},
		{"javadoc grid", `<div class="summary-table two-column-summary"><div class="table-header col-first">Class</div><div class="table-header col-last">Description</div><div class="col-first">A</div><div class="col-last">b</div></div>`,
			`<table><tbody><tr><th class="table-header col-first">Class</th><th class="table-header col-last">Description</th></tr><tr><td class="col-first">A</td><td class="col-last">b</td></tr></tbody></table>`},
		{"old signature", `<dl><dt id="f"><code class="descclassname">S.</code><code class="descname">c</code><span>(</span><em>x</em><span>)</span><a class="headerlink" href="#f">¶</a></dt><dd>d</dd></dl>`, `<dl><dt id="f"><code>S.c(x)</code></dt><dd>d</dd></dl>`},
		{"signature", `<dl class="py"><dt class="sig sig-object" id="f"><span>f</span>(<em>x</em>)<a class="headerlink" href="#f">¶</a></dt><dd>d</dd></dl>`, `<dl class="py"><dt id="f"><code>f(x)</code></dt><dd>d</dd></dl>`},
	})
}

func TestImagesAndFurniture(t *testing.T) {
	check(t, Clean, []pair{
		{"lazy", `<img src="data:image/gif;base64,R0" data-src="/a.png">`, `<img src="/a.png" data-src="/a.png"/>`},
		{"srcset", `<img srcset="/s.png 1x, /l.png 2x" alt="x">`, `<img srcset="/s.png 1x, /l.png 2x" alt="x" src="/l.png"/>`},
		{"placeholder without a source", `<p>a<img src="data:image/gif;base64,R0"></p>`, `<p>a</p>`},
		{"picture", `<picture><source srcset="/a.webp"><img src="/a.png"></picture>`, `<img src="/a.png"/>`},
		{"task", `<ul><li><input type="checkbox" checked> a</li></ul>`, `<ul><li><input type="checkbox" checked=""/> a</li></ul>`},
		{"controls", `<p>a<button>b</button><input type="text"></p>`, `<p>a</p>`},
		{"screen readers", `<p>a<span class="sr-only">copied</span></p>`, `<p>a</p>`},
		{"comments", `<p>a<!-- b --></p>`, `<p>a</p>`},
	})
}

func TestLimits(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	check(t, Clean, []pair{
		{"screen reader text at the bound", `<p>a<span class="sr-only">` + x(screenReaderLimit) + `</span></p>`, `<p>a</p>`},
		{"longer is content", `<p>a<span class="sr-only">` + x(screenReaderLimit+1) + `</span></p>`, `<p>a<span class="sr-only">` + x(screenReaderLimit+1) + `</span></p>`},
		{"language at the bound", `<pre class="language-` + x(languageLimit) + `">a</pre>`, `<pre><code class="language-` + x(languageLimit) + `">a</code></pre>`},
		{"longer is no language", `<pre class="language-` + x(languageLimit+1) + `">a</pre>`, `<pre><code>a</code></pre>`},
		{"label at the bound", `<p>a<sup><a href="#fn1">1234</a></sup></p><p id="fn1">n</p>`, `<p>a<sup data-footnote="1234">1234</sup></p><p id="fn1" data-footnote-text="1234">n</p>`},
		{"longer is no label", `<p>a<sup><a href="#fn1">12345</a></sup></p><p id="fn1">n</p>`, `<p>a<sup><a href="#fn1">12345</a></sup></p><p id="fn1">n</p>`},
		{"placeholder", `<img src="data:image/png,` + x(placeholderLimit-16) + `" data-src="/a">`, `<img src="/a" data-src="/a"/>`},
		{"longer is a picture", `<img src="data:image/png,` + x(placeholderLimit-15) + `" data-src="/a">`, `<img src="data:image/png,` + x(placeholderLimit-15) + `" data-src="/a"/>`},
	})
}

func TestRewriteTwiceChangesNothing(t *testing.T) {
	src := `<div class="admonition note"><p class="admonition-title">Note</p><div class="language-ts"><pre>x</pre></div></div>
<div><ul role="tablist"><li role="tab">npm</li><li role="tab">yarn</li></ul><div><div role="tabpanel">a</div><div role="tabpanel" hidden>b</div></div></div>`
	once := rewrite(src, Clean)
	if twice := rewrite(once, Clean); twice != once {
		t.Errorf("\nonce  %s\ntwice %s", once, twice)
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add(`<div role=tablist><a role=tab></a></div><pre><table><tr><td>1<td><pre>x`)
	f.Add(`<h1><a name=x><sup><a href="#x">1</a></h1><math><annotation encoding=tex>`)
	f.Add(`<div class="tabbed-set"><label><div class=tabbed-content><div class="admonition"><table class=memname>`)
	f.Add(`<<sup><sup>1</sup><ol class=footnotes><li>`)
	f.Fuzz(func(t *testing.T, src string) {
		rewrite(src, Clean)
		rewrite(src, Faithful)
	})
}
