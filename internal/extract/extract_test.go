package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html/atom"
)

// prose is a paragraph long enough to be scored as content.
const prose = "<p>The widget engine reads a manifest, resolves every dependency it names, and then starts the workers in order, logging each step, until the last of them has answered or its time is over.</p>"

// article surrounds content with the furniture of a site.
func article(content string) string {
	return `<html lang="en"><head><title>Widget guide | Example</title></head><body><nav><a href="/">Home</a> <a href="/b">Blog</a></nav><main><article>` +
		content + `</article></main><footer>Copyright</footer></body></html>`
}

func has(t *testing.T, r *Result, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(r.HTML, w) {
			t.Errorf("result lacks %q:\n%s", w, r.HTML)
		}
	}
}

func hasNot(t *testing.T, r *Result, nos ...string) {
	t.Helper()
	for _, w := range nos {
		if strings.Contains(r.HTML, w) {
			t.Errorf("result holds %q:\n%s", w, r.HTML)
		}
	}
}

func TestPlatformContent(t *testing.T) {
	r := Page([]byte(`<html><head><meta name="generator" content="Docusaurus v3"><title>Setup | Site</title></head><body>
<nav class="navbar">menu</nav><main><article><div class="theme-doc-markdown markdown"><header><h1>Setup</h1></header>
<h2 id="a">Install<a class="hash-link" href="#a">`+"\u200b"+`</a></h2>`+prose+`<div class="theme-code-block language-sh"><pre class="language-sh"><code>npm i</code></pre></div></div>
<footer class="theme-doc-footer">Edit this page</footer></article></main></body></html>`), "https://e.org/docs/")
	if r.Platform != "docusaurus" || r.Extractor != ByPlatform || r.Title != "Setup" || len(r.Warnings) > 0 {
		t.Errorf("%s %s %q %v", r.Platform, r.Extractor, r.Title, r.Warnings)
	}
	has(t, r, "<h1>Setup</h1>", `<h2 id="a">Install</h2>`, `<pre><code class="language-sh">npm i</code></pre>`)
	hasNot(t, r, "menu", "Edit this page")
}

func TestRepeatedContainersAreJoined(t *testing.T) {
	r := Page([]byte(`<meta name="generator" content="Hugo 0.1"><main><div class="td-content"><h1>A</h1>`+prose+`</div><hr><div class="td-content"><h1>B</h1>`+prose+`</div></main>`), "")
	has(t, r, "<h1>A</h1>", "<h1>B</h1>")
}

func TestTitleOutsideTheContentIsPutFirst(t *testing.T) {
	r := Page([]byte(`<meta name="generator" content="Starlight v0.2"><main><div class="content-panel"><h1 id="_top">Guide</h1></div><div class="sl-markdown-content">`+prose+`</div></main>`), "")
	if !strings.HasPrefix(r.HTML, "<div><h1>Guide</h1>") {
		t.Errorf("no title: %.80s", r.HTML)
	}
}

func TestShortPageWithALongMenu(t *testing.T) {
	menu := strings.Repeat(`<li><a href="/p">Another page of this very long book</a></li>`, 500)
	r := Page([]byte(`<meta name="generator" content="GitBook 3.2.3"><body><div class="book-summary"><ul>`+menu+`</ul></div><section class="normal markdown-section"><h1>Short</h1><p>One line.</p></section></body>`), "")
	if r.Extractor != ByPlatform || r.Text != "Short\nOne line." || len(r.Warnings) > 0 {
		t.Errorf("%s %v: %.80q", r.Extractor, r.Warnings, r.Text)
	}
}

func TestNearlyEmptyPlatformContainerIsNotUsed(t *testing.T) {
	r := Page([]byte(`<meta name="generator" content="Docusaurus v3"><body><div class="theme-doc-markdown">x</div>`+article(strings.Repeat(prose, 5))), "")
	if r.Extractor == ByPlatform || len(r.Warnings) == 0 {
		t.Errorf("%s %v", r.Extractor, r.Warnings)
	}
	has(t, r, "widget engine")
}

func TestGenericPage(t *testing.T) {
	r := Page([]byte(article("<h1>Widget guide</h1>"+prose+prose+`<div class="mw-heading"><h2 id="h">History</h2><span class="mw-editsection"><a href="/e">edit</a></span></div>`+prose+prose)), "https://e.org/x")
	if r.Platform != "generic" || r.Title != "Widget guide" || r.Language != "en" || r.URL != "https://e.org/x" {
		t.Errorf("%s %q %q %q", r.Platform, r.Title, r.Language, r.URL)
	}
	has(t, r, "History", "widget engine")
	hasNot(t, r, "Copyright", "Home", "edit")
	if r.Coverage < 0.8 || r.Coverage > 1 {
		t.Errorf("coverage %v", r.Coverage)
	}
}

func TestBodyLevelArticleEnds(t *testing.T) { // D42
	for _, src := range []string{
		`<body><article><h1>T</h1><p>A paragraph of at least twenty-five letters.</p></article></body>`,
		`<body><p>A paragraph of at least twenty-five letters.</p></body>`,
		`<p>A paragraph of at least twenty-five letters.`,
	} {
		if r := Page([]byte(src), ""); !strings.Contains(r.Text, "A paragraph of at least") {
			t.Errorf("%s: text lost: %q (%s)", src, r.Text, r.Extractor)
		}
	}
}

func TestHeadingLevelsSurvive(t *testing.T) {
	r := Page([]byte(`<body><div class="post"><h1>First part of the story</h1>`+prose+prose+`<h2>Inner</h2>`+prose+`<h1>Second part of it</h1>`+prose+prose+`</div></body>`), "")
	has(t, r, "<h1>First part of the story</h1>", "<h2>Inner</h2>", "<h1>Second part of it</h1>")
}

func TestDocumentBeginsWithTheHeading(t *testing.T) {
	r := Page([]byte(`<title>Widget guide</title><body><div class="post"><h1>Widget guide</h1>`+strings.Repeat(prose, 4)+`</div></body>`), "")
	if r.Heading != "Widget guide" || strings.Contains(r.HTML, "<h1>") {
		t.Errorf("heading %q: %.80s", r.Heading, r.HTML)
	}
	if d := r.Document(); tree.Text(d.FirstChild) != "Widget guide" || d == r.Node {
		t.Errorf("document begins with %q", tree.Text(d.FirstChild))
	}
	r = Page([]byte(`<h1>Only this</h1><p>and a little text</p>`), "")
	if n := len(tree.Find(r.Document(), atom.H1)); n != 1 {
		t.Errorf("%d headings", n)
	}
}

func TestReferencePagesKeepTheirStructure(t *testing.T) {
	var b strings.Builder
	b.WriteString("<h1>API</h1>")
	for i := range 12 {
		fmt.Fprintf(&b, "<section id=m%d><h3>method%d</h3><pre>call%d()</pre><dl><dt>x</dt><dd>y</dd></dl></section>", i, i, i)
	}
	r := Page([]byte(article(b.String())), "")
	if got := len(tree.Find(r.Node, atom.Pre)); got != 12 {
		t.Errorf("%d of 12 code blocks", got)
	}
	has(t, r, "<h1>API</h1>", "method11")
}

func TestCodeIsNeverLost(t *testing.T) {
	r := Page([]byte(`<article><h3>Imports</h3><p>First:</p><div class="highlight"><pre>import a</pre></div><p>Then:</p><div class="highlight"><pre>class B</pre></div></article>`), "")
	has(t, r, "import a", "class B")
}

func TestTabsAreShown(t *testing.T) {
	r := Page([]byte(article(prose+`<div><ul role="tablist"><li role="tab">npm</li><li role="tab">yarn</li></ul><div><div role="tabpanel"><pre>npm i</pre></div><div role="tabpanel" hidden><pre>yarn add</pre></div></div></div>`+prose)), "")
	has(t, r, `data-tab="npm"`, `data-tab="yarn"`, "yarn add")
}

func TestHiddenTextDoesNotReachAgents(t *testing.T) {
	for _, hidden := range []string{
		`<div hidden>SECRET</div>`, `<p style="display:none">SECRET</p>`, `<p style="DISPLAY: none !important;">SECRET</p>`,
		`<span style="visibility:hidden">SECRET</span>`, `<span style="opacity:0">SECRET</span>`, `<span style="font-size:0px">SECRET</span>`,
		`<div style="height:0;overflow:hidden">SECRET</div>`, `<div style="width:0;height:0">SECRET</div>`,
		`<div style="position:absolute;left:-9999px">SECRET</div>`, `<div style="text-indent:-9999px">SECRET</div>`,
		`<span style="color:#fff;background-color:white">SECRET</span>`, `<span style="color: #ffffff">SECRET</span>`,
		`<span style="color:rgb(0, 0, 0);background:#000">SECRET</span>`, `<dialog>SECRET</dialog>`,
		`<div style="clip:rect(0 0 0 0);position:absolute">SECRET</div>`,
	} {
		r := Page([]byte(article("<h1>T</h1>"+prose+"<div>"+hidden+"</div>"+prose+"<pre>x</pre>")), "")
		if strings.Contains(r.HTML+r.Text, "SECRET") {
			t.Errorf("%s reached the result", hidden)
		}
		has(t, r, "widget engine")
	}
	for _, css := range []string{".x{display:none}", "p{color:red} .x , .y { visibility:hidden }", "#x{font-size:0}", "/* c */ .x{color:#fff;background:#ffffff}", "@media print{.z{display:block}} .x{display:none}"} {
		r := Page([]byte("<style>"+css+"</style>"+article("<h1>T</h1>"+prose+`<div class="x" id="x">SECRET</div>`+prose+"<pre>y</pre>")), "")
		if strings.Contains(r.HTML+r.Text, "SECRET") {
			t.Errorf("%s: hidden text reached the result", css)
		}
	}
	for _, css := range []string{".x:hover{display:none}", ".a .x{display:none}", ".x{display:none}.on .x{display:block}", "@media print{.x{display:none}}", ".x{display:none}@media screen{.x{display:flex}}", ".x{display:none", "{", "}", ".x{color:red}", "." + strings.Repeat("a", styleLimit) + "{} .x{display:none}"} {
		r := Page([]byte("<style>"+css+"</style>"+article("<h1>T</h1>"+prose+`<div class="x">VISIBLE words of a paragraph that stay.</div>`+prose+"<pre>y</pre>")), "")
		if css != ".x{display:none" && !strings.Contains(r.Text, "VISIBLE") {
			t.Errorf("%.40s: visible text was taken for hidden", css)
		}
	}
	panels := `<style>.tabcontent{display:none}</style>` + article(prose+`<div><div class="tabcontent">ONE panel of two, written by hand.</div><div class="tabcontent">TWO panels of two, written by hand.</div></div>`+prose+"<pre>y</pre>")
	if r := Page([]byte(panels), ""); !strings.Contains(r.Text, "ONE") || !strings.Contains(r.Text, "TWO") {
		t.Errorf("panels were taken for hidden text: %s", r.Text)
	}
	tags := "a\U000E0053\U000E0045b\u202ec"
	if r := Page([]byte(article(prose+"<p>"+tags+"</p>"+prose)), ""); strings.ContainsAny(r.HTML, "\U000E0053\U000E0045\u202e") {
		t.Error("tag characters reached the result")
	}
}

func TestVisibleStylesStay(t *testing.T) {
	for _, style := range []string{"height:0", "color:red;background:white", "left:-10px;position:absolute", "opacity:0.5", "max-height:0px", "font-size:10px", "color:white;background:black"} {
		r := Page([]byte(article(prose+`<p style="`+style+`">The visible words are here and stay, whatever the style.</p>`+prose)), "")
		if !strings.Contains(r.Text, "visible words") {
			t.Errorf("%s was taken for hidden", style)
		}
	}
}

func TestWhiteOnADarkPageStays(t *testing.T) {
	for _, around := range []string{`<div class="hero">%</div>`, `<div style="background:#000">%</div>`, `<div bgcolor="black">%</div>`} {
		r := Page([]byte(article(prose+strings.Replace(around, "%", `<p style="color:#fff">The visible words are here and stay, on a dark ground.</p>`, 1)+prose)), "")
		if !strings.Contains(r.Text, "visible words") {
			t.Errorf("%s: white text was taken for hidden", around)
		}
	}
}

func TestServerRenderedShellIsShown(t *testing.T) {
	r := Page([]byte(`<body><div id="s">Loading shell</div><div style="visibility:hidden;position:absolute;top:-9999px"><main><h1>Concepts</h1>`+strings.Repeat(prose, 4)+`<pre>run it</pre></main></div></body>`), "")
	has(t, r, "Concepts", "widget engine", "run it")
	r = Page([]byte(`<body><article><h1>T</h1><div hidden>`+prose+prose+prose+`</div><h2>V</h2><p>Only this much can be seen by a reader of the page, and it says so, so that it is long enough to count as a paragraph of the page and not as a notice.</p></article></body>`), "")
	hasNot(t, r, "widget engine")
}

func TestAddresses(t *testing.T) {
	r := Page([]byte(article(prose+`<p><a href="../install/">i</a> <a href="#top">t</a> <a href="mailto:a@b.c">m</a> <img src="i.png"> Some more words so that this paragraph is kept by every scorer.</p>`+prose)), "https://e.org/en/guide/")
	has(t, r, `href="https://e.org/en/install/"`, `href="#top"`, `href="mailto:a@b.c"`, `src="https://e.org/en/guide/i.png"`)
	r = Page([]byte(`<base href="/other/">`+article(prose+`<p><a href="x">i</a> Some more words so that this paragraph is kept by every scorer.</p>`+prose)), "https://e.org/en/guide/")
	has(t, r, `href="https://e.org/other/x"`)
	r = Page([]byte(article(prose+`<p><a href="../x">i</a> Some more words so that this paragraph is kept by every scorer.</p>`+prose)), "")
	has(t, r, `href="../x"`)
}

func TestLongDataImagesGo(t *testing.T) {
	img := func(n int) string {
		return `<p>Some more words so that this paragraph is kept by every scorer. <img src="data:image/png,` + strings.Repeat("x", n-len("data:image/png,")) + `"></p>`
	}
	has(t, Page([]byte(article(prose+img(dataImageLimit)+prose)), ""), "data:image/png")
	hasNot(t, Page([]byte(article(prose+img(dataImageLimit+1)+prose)), ""), "data:image/png")
}

func TestFootnotesOutsideTheContentFollowIt(t *testing.T) {
	r := Page([]byte(`<body><article><p>A claim<sup><a href="#fn1">1</a></sup> that needs support, in a paragraph long enough to be scored.</p>`+prose+prose+`</article><aside class="footnotes"><ol><li id="fn1">The support.</li></ol></aside></body>`), "")
	has(t, r, `data-footnote="1"`, `data-footnote-text="1"`, "The support.")
}

func TestCitationPillsStayLinks(t *testing.T) {
	pill := `<span data-state="closed"><span data-testid="webpage-citation-pill"><a href="https://a.org/%s" target="_blank"><span><span><span><span><img></span><span>Source %s</span></span><span>+1</span></span></span></a></span></span>`
	r := Page([]byte(article("<h1>Answer</h1><p>One fact. "+strings.ReplaceAll(pill, "%s", "one")+"</p>"+prose+"<p>Another. "+strings.ReplaceAll(pill, "%s", "two")+"</p>")), "")
	for _, n := range []string{"one", "two"} {
		has(t, r, `<a href="https://a.org/`+n+`"`)
		if !strings.Contains(r.Text, "Source "+n) {
			t.Errorf("text lacks the source %s:\n%s", n, r.Text)
		}
	}
}

func TestNotesInTablesFollowTheirText(t *testing.T) {
	r := Page([]byte(article(`<h1>Notes</h1>`+prose+`<p>text <a class="footnote-reference" href="#fn1" id="id3">[4]</a> more</p>`+prose+
		`<table class="docutils footnote" frame="void" id="fn1"><tbody><tr><td class="label"><a class="fn-backref" href="#id3">[4]</a></td><td>Note text.</td></tr></tbody></table>`)), "")
	has(t, r, `<p>text <sup data-footnote="4">4</sup> more</p>`, `data-footnote-text="4">Note text.</p>`)
	if strings.Count(r.HTML, "Note text.") != 1 {
		t.Errorf("the note stands there more than once, or not at all:\n%s", r.HTML)
	}
}

func TestCoverageFloor(t *testing.T) {
	// The scorer finds a short text; the page is one long list of links.
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `<li><a href="/p%d">Page number %d of the index</a></li>`, i, i)
	}
	r := Page([]byte(`<body><div><ul>`+b.String()+`</ul></div></body>`), "")
	if r.Coverage*floorShare < 1 || !strings.Contains(r.Text, "Page number 299") {
		t.Errorf("coverage %v, %s: %.80q", r.Coverage, r.Extractor, r.Text)
	}
	if r := Page([]byte("<body><script>x()</script></body>"), ""); len(r.Warnings) == 0 || r.Text != "" || r.Node == nil {
		t.Errorf("an empty page must say so: %+v", r)
	}
}

func TestDeepPages(t *testing.T) {
	r := Page([]byte("<title>T</title>"+strings.Repeat("<div>", 100_000)+"the deep text "+prose), "")
	if !strings.Contains(r.Text, "the deep text") || len(r.Warnings) == 0 {
		t.Errorf("%v %.80q", r.Warnings, r.Text)
	}
	if strings.Count(r.HTML, "<div>") > 600 {
		t.Error("the result is too deep to be read again")
	}
}

func TestSameInputSameBytes(t *testing.T) {
	src := []byte(article("<h1>T</h1>" + strings.Repeat(prose+"<h2>S</h2><table><tr><th>a</th><th>b</th></tr></table>", 6)))
	first := Page(src, "https://e.org/")
	for range 10 {
		if r := Page(src, "https://e.org/"); r.HTML != first.HTML || r.Text != first.Text || r.Coverage != first.Coverage {
			t.Fatal("the result changed between two runs")
		}
	}
}

func TestBatch(t *testing.T) {
	dir := t.TempDir()
	writePages(t, dir)
	manifest := fmt.Sprintf(`{"id":"b","path":%q,"url":"https://e.org/"}
no json
{"id":7,"path":%q}
{"id":8,"path":8}
{"id":[]}
{"id":9}
{"id":"a","path":%q}`, dir+"/p.html.gz", dir+"/none.html", dir+"/p.html")
	var out bytes.Buffer
	n, failed, err := Batch(strings.NewReader(manifest), &out, func(b []byte) []byte { return b }, markdownStub)
	if err != nil || n != 7 || failed != 5 {
		t.Fatalf("%d lines, %d failed, %v", n, failed, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{`{"id":"b","html":"<div>`, `{"id":null,"error":"invalid character`, `{"id":7,"error":"open `,
		`{"id":8,"error":"path must be a string"}`, `{"id":null,"error":"id must be a string or a number"}`,
		`{"id":9,"error":"path is missing"}`, `{"id":"a","html":"<div>`} {
		if len(lines) != n || !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d lacks %s:\n%s", i+1, want, out.String())
		}
	}
	if !strings.Contains(lines[0], `"markdown":"md"`) {
		t.Error("no Markdown")
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte(article(prose)), "https://e.org/")
	f.Add([]byte(`<base href="://"><meta property=og:title><script type="application/ld+json">[[{"@type":"Article"}]]`), "::")
	f.Add([]byte(`<body hidden><sup>1</sup><ol class=footnotes><li>`), "")
	f.Fuzz(func(t *testing.T, page []byte, url string) {
		r := Page(page, url)
		if r.Node == nil || r.Coverage < 0 || r.Coverage > 1 {
			t.Errorf("%+v", r)
		}
	})
}
