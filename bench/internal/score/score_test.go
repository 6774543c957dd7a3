package score

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// The benchmark's own cases: an exact page, a page without an answer, one with
// nothing but noise, one longer than it should be.
func TestTextIsTheBenchmarksMeasure(t *testing.T) {
	for _, c := range []struct {
		name      string
		want, got string
		p, r      float64
	}{
		{"noise only", "a b c d e", "A is not a", 0, 0},
		{"same", "a b c d e", "a, b; c (d) e", 1, 1},
		{"empty answer counts for recall only", "a b c d", "", 0, 0},
		{"twice as long", "a b c d", "a b c d e f g", .25, 1},
		{"short text is one shingle", "a b", "a b", 1, 1},
		{"repeated", "a b c d", "a b c d a b c d", .2, 1},
	} {
		var s Text
		s.Add(c.want, c.got)
		if !near(s.Precision(), c.p) || !near(s.Recall(), c.r) {
			t.Errorf("%s: precision %g, recall %g, want %g, %g", c.name, s.Precision(), s.Recall(), c.p, c.r)
		}
	}
	var both Text
	both.Add("a b c d", "a b c d")
	both.Add("a b c d", "")
	if !near(both.Precision(), 1) || !near(both.Recall(), .5) || !near(both.F1(), 2./3) || both.Exact() != .5 {
		t.Errorf("an empty answer: %+v", both)
	}
}

func TestDifferences(t *testing.T) {
	missing, extra := Differences("a b c d e", "b c d e f")
	if diff := cmp.Diff([][]string{{"a b c d"}, {"c d e f"}}, [][]string{missing, extra}); diff != "" {
		t.Error(diff)
	}
}

func TestShare(t *testing.T) {
	var s Share
	if s.Value() != 1 {
		t.Error("nothing wanted is not all")
	}
	s.Add(Bag{"a": 2, "b": 1}, Bag{"a": 1, "c": 9})
	s.Count(true, "x")
	s.Count(false, "z")
	if s.Found != 2 || s.All != 5 || !near(s.Value(), .4) {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff([]string{"a", "b", "z"}, s.Lost()); diff != "" {
		t.Error(diff)
	}
}

func TestRead(t *testing.T) {
	got := Read(Parse(`<head><title>no</title></head><h2>One&#8203; <b>two</b> ¶</h2><p>in <code>x  y</code> <a href=/a>A</a></p>
		<div class="highlight-python"><div><pre>
a&nbsp;=  
<button>Copy</button>  1
</pre></div></div>
		<pre><code class="lang-Go">f()<br>g()</code></pre><pre data-lang=txt>t</pre><pre class="highlight-default">plain <a href=/p>p</a></pre>
		<code><a href=/t>T</a></code><a href="javascript:x()">no</a>
		<table><tr><th>K<td>v<br>w</table><ul><li>i</ul><img src=/i.png><script>no()</script>`))
	want := &Page{
		Text: "One two in x y A a = Copy 1 f() g() t plain p Tno K v w i",
		Code: Bag{"a =\n  1": 1, "f()\ng()": 1, "t": 1, "plain p": 1}, Language: Bag{"text: t": 1, "python: a =\n  1": 1, "go: f()\ng()": 1},
		Inline: Bag{"x y": 1, "T": 1}, Cells: Bag{"K": 1, "v w": 1}, Headings: Bag{"One two": 1}, Levels: Bag{"h2 One two": 1},
		Links: Bag{"A -> /a": 1}, Labels: Bag{"A": 1, "T": 1}, Images: Bag{"/i.png": 1}, Items: Bag{"i": 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWithout(t *testing.T) {
	if got := HTML(Without(Parse("<p>a<nav>b<nav>c</nav></nav></p>"), "nav")); got != "<html><head></head><body><p>a</p><p></p></body></html>" {
		t.Error(got)
	}
}

func TestCallouts(t *testing.T) {
	gold := Callouts(Parse(`<div class="admonition warning"><p class="admonition-title">Warning</p><p>Do not.</p></div>
		<div class="theme-admonition theme-admonition-info alert"><p>More.</p></div><blockquote>said</blockquote>`))
	want := []Callout{{"warning", "warningdonot"}, {"note", "more"}}
	if diff := cmp.Diff(want, gold); diff != "" {
		t.Fatal(diff)
	}
	for html, kept := range map[string][2]bool{
		`<blockquote data-callout=warning><p data-label>Warning</p>Do not.</blockquote>`: {true, false},
		`<blockquote><p>[!WARNING]<br>Do not.</p></blockquote>`:                          {true, false},
		`<blockquote><p>[!NOTE]<br>Do not.</p><p>More.</p></blockquote>`:                 {false, true},
		`<div class="callout" data-callout="-info">More.</div>`:                          {false, true},
		`<div class="admonition danger">Warning Do not.</div>`:                           {false, false},
		`<blockquote>Warning: Do not. More.</blockquote>`:                                {false, false},
	} {
		all := Callouts(Parse(html))
		if got := [2]bool{gold[0].Holds(all), gold[1].Holds(all)}; got != kept {
			t.Errorf("%s: kept %v, want %v", html, got, kept)
		}
	}
}
