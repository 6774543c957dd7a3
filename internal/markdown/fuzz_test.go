package markdown

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	"evergreen/internal/platform/tree"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	rendererhtml "github.com/yuin/goldmark/renderer/html"
)

func FuzzFromHTML(f *testing.F) {
	f.Add("<ul><li><blockquote><pre>a\n<table><td>b|c")
	f.Add("<b>a<i>*b*</b>c</i><a href='x y)'>[d]</a><code>``</code>")
	f.Add("<table><td rowspan=9999 colspan=-1><ul><li>x<pre>y")
	f.Add("<dl><dt><dd><ol start=-1><li value=999999999999>x")
	f.Fuzz(func(t *testing.T, src string) {
		got := FromHTML(src, "https://e.org/")
		if got != FromHTML(src, "https://e.org/") {
			t.Error("two runs differ")
		}
		if got != "" && (!strings.HasSuffix(got, "\n") || strings.HasSuffix(got, "\n\n")) {
			t.Errorf("does not end in one line break: %q", got)
		}
	})
}

// FuzzTextSurvives converts plain text and reads the Markdown back: escapes
// must keep every character from becoming a mark.
func FuzzTextSurvives(f *testing.F) {
	for _, s := range []string{"a *b* _c_ __d__", "# x", "1. y", "- z", "> q", "[a](b) [c]: d", "![x]", "<b>&amp;", "~~s~~ ~t~", "`c` ``", "a\\", "| a | b |", "---", "===", "***", "+", "http://e.org/_a_*b*", "a ]( b", "&#65; &lt", "<!-- x -->", "$x$", "[ ] a", "[x] b", "~~~", "```"} {
		f.Add(s)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(rendererhtml.WithUnsafe()))
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		doc, _ := tree.Parse([]byte("<p>" + html.EscapeString(s) + "</p>"))
		want := flat(doc)
		for _, shape := range []string{"<p>%</p>", "<ul><li>%</li></ul>", "<h2>%</h2>", "<p>x<b>%</b>y</p>", "<table><tr><td>%</td><td>b</td></tr></table>"} {
			src := strings.Replace(shape, "%", html.EscapeString(s), 1)
			out := FromHTML(src, "")
			var b bytes.Buffer
			if err := md.Convert([]byte(out), &b); err != nil {
				t.Fatal(err)
			}
			before, _ := tree.Parse([]byte(src))
			after, _ := tree.Parse(b.Bytes())
			if x, y := visibleLetters(flat(before)), visibleLetters(flat(after)); x != y && want != "" {
				t.Errorf("%s\n text %q\n came back %q\n Markdown %q", shape, x, y, out)
			}
		}
	})
}

// visibleLetters is a text without what conversion may change: white space and
// characters that draw nothing.
func visibleLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0xa0 || r == 0x85 || r == 0x2028 || r == 0x2029 || visibleRune(r) < 0 {
			return -1
		}
		return r
	}, s)
}
