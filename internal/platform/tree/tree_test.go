package tree

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// body renders what is in a page's body.
func body(t *testing.T, doc *html.Node) string {
	t.Helper()
	var b bytes.Buffer
	for c := First(doc, atom.Body).FirstChild; c != nil; c = c.NextSibling {
		if err := html.Render(&b, c); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"<p>a  b\n c</p><p>d</p>", "a b c\nd"},
		{"a<br>b<span> c</span>", "a\nb c"},
		{"<pre>x\n  y</pre>z", "x\ny\nz"},
		{"a<script>no</script><svg><title>no</title></svg>b", "ab"},
		{"<ul><li>a<li>b</ul>", "a\nb"},
		{`<img data-math="inline" alt="x^2">`, "x^2"},
	} {
		if got := Text(page(t, tt.src)); got != tt.want {
			t.Errorf("Text(%q) = %q, want %q", tt.src, got, tt.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	got := Measure(page(t, `<p>ab <a href="#">c d</a><a>e</a> é</p><script>zz</script>`))
	if got != (Size{Chars: 6, Linked: 2}) {
		t.Errorf("Measure = %+v", got)
	}
}

// What a rule took out of the tree before has no place any more: later rules that
// find it in their lists do no harm.
func TestEditsOfWhatHasNoPlace(t *testing.T) {
	doc := page(t, `<p><b>1</b></p>`)
	b := First(doc, atom.B)
	Remove(b)
	for _, edit := range []func(){func() { Remove(b) }, func() { Unwrap(b) }, func() { Replace(b, TextNode("2")) }, func() { Wrap(b, Element(atom.I)) }} {
		edit()
	}
	if got := body(t, doc); got != "<p></p>" || Text(b) != "1" {
		t.Errorf("got %s and %q", got, Text(b))
	}
	p := First(doc, atom.P)
	Wrap(p, Element(atom.Div, "id", "d"))
	Replace(p, TextNode("2"))
	if got := body(t, doc); got != `<div id="d">2</div>` {
		t.Errorf("got %s", got)
	}
}

func TestEdits(t *testing.T) {
	doc := page(t, `<div class="x y" id="d"><b>1</b><i>2</i></div>`)
	d := First(doc, atom.Div)
	if !HasClass(d, "y") || HasClass(d, "z") || HasClass(d, "") {
		t.Error("HasClass does not match whole tokens")
	}
	Unwrap(First(d, atom.B))
	Rename(d, atom.Section)
	SetAttr(d, "id", "e")
	DelAttr(d, "class")
	Prepend(d, TextNode("0"))
	if got, want := body(t, doc), `<section id="e">01<i>2</i></section>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c := Clone(d)
	Clear(d)
	if Text(c) != "012" || Text(d) != "" {
		t.Errorf("clone shares its children: %q %q", Text(c), Text(d))
	}
}

func TestOnlyChildAndNeighbours(t *testing.T) {
	doc := page(t, `<p> <b>1</b> </p><p>x <b>2</b></p><div><i>3</i> <u>4</u> t <s>5</s></div>`)
	ps := Find(doc, atom.P)
	if OnlyChild(ps[0]) == nil || OnlyChild(ps[1]) != nil {
		t.Error("OnlyChild must ignore white space and refuse text")
	}
	u := First(doc, atom.U)
	if !Is(PrevElement(u), atom.I) || NextElement(u) != nil {
		t.Error("neighbours must be found across white space only")
	}
}

func TestParseNeverLosesText(t *testing.T) {
	deep := func(n int, open, end string) string {
		return strings.Repeat(open, n) + "the text" + strings.Repeat(end, n) + "<p>after</p>"
	}
	for name, src := range map[string]string{
		"at the bound":      deep(depthLimit, "<div>", "</div>"),
		"600 div":           deep(600, "<div>", "</div>"),
		"100,000 div":       deep(100_000, "<div>", "</div>"),
		"100,000 unclosed":  deep(100_000, "<div>", ""),
		"100,000 b":         deep(100_000, "<b>", "</b>"),
		"formatting mix":    deep(5_000, "<b><i><u><a>", "") + deep(5_000, "<p><font>", "</p>"),
		"tables":            deep(3_000, "<table><tr><td>", ""),
		"lists":             deep(2_000, "<ul><li>", "</ul>"),
		"select and option": deep(2_000, "<select><option>", ""),
	} {
		t.Run(name, func(t *testing.T) {
			doc, _ := Parse([]byte(src))
			got := Text(doc)
			if !strings.Contains(got, "the text") || !strings.Contains(got, "after") {
				t.Errorf("text lost: %.80q", got)
			}
			if d := depth(doc); d > 600 {
				t.Errorf("the tree is %d deep", d)
			}
		})
	}
}

// depth is the depth of a tree, counted without recursion.
func depth(n *html.Node) int {
	best, d := 0, 0
	for c := n; ; {
		best = max(best, d)
		switch {
		case c.FirstChild != nil:
			c, d = c.FirstChild, d+1
		default:
			for c.NextSibling == nil {
				if c == n || c.Parent == nil {
					return best
				}
				c, d = c.Parent, d-1
			}
			c = c.NextSibling
		}
	}
}

func TestTextOnlyKeepsParagraphs(t *testing.T) {
	got := Text(textOnly([]byte("<div>one<p>two <b>bold</b><script>no</script><p>three")))
	if want := "one\ntwo bold\nthree"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("<div><p>a<table><td>b"))
	f.Add([]byte(strings.Repeat("<i>", 700) + "x"))
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, _ := Parse(src)
		if doc == nil {
			t.Fatal("no tree")
		}
		Text(doc)
	})
}

// TestCodeAndBlanks reads elements as code blocks show them, and tells what shows
// nothing.
func TestCodeAndBlanks(t *testing.T) {
	for _, tt := range []struct {
		src, raw string
		blank    bool
	}{
		{"<p>a\n  b</p>", "a\n  b", false},
		{"<p>a<br><b> c</b><button>copy</button><script>x</script></p>", "a\n c", false},
		{"<p> \u200b¶\u00ad<!-- note --></p>", " \u200b¶\u00ad", true},
		{"<p><script>x</script><i> </i></p>", " ", true},
		{"<p><i> <b>d</b></i></p>", " d", false},
		{"<p></p>", "", true},
	} {
		n := First(page(t, tt.src), atom.P)
		if got := Raw(n); got != tt.raw || Blank(n) != tt.blank {
			t.Errorf("%s shows %q, blank %v", tt.src, got, Blank(n))
		}
	}
	script := First(page(t, "<script>a < b</script>"), atom.Script)
	if got := ScriptText(script); got != "a < b" || ScriptText(Element(atom.Script)) != "" {
		t.Errorf("the script is %q", got)
	}
}
