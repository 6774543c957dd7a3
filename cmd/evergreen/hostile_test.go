package main

// This file gives every reader of documents what makes parsers slow or greedy,
// at two sizes. Four times the text may cost about four times as much: what grows
// with the square costs sixteen times.

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"evergreen/internal/charset"
	"evergreen/internal/extract"
	"evergreen/internal/format"
	"evergreen/internal/llmstxt"
	"evergreen/internal/markdown"
	"evergreen/internal/robots"
	"evergreen/internal/section"
	"evergreen/internal/sitemap"
)

const (
	hostileSmall, hostileLarge = 16 << 10, 64 << 10

	// mostGrowth is what four times the text may cost, slack what does not count:
	// a pause of the collector, or of the machine.
	mostGrowth = 10
	slackTime  = 200 * time.Millisecond
	tries      = 6
	slackBytes = 64 << 20
)

// again repeats a text up to a size.
func again(text string) func(int) string {
	return func(n int) string { return strings.Repeat(text, n/len(text)+1) }
}

// around repeats one text before a middle and another behind it.
func around(before, middle, after string) func(int) string {
	return func(n int) string {
		k := n / (len(before) + len(after))
		return strings.Repeat(before, k) + middle + strings.Repeat(after, k)
	}
}

// counted repeats a pattern with a growing number.
func counted(pattern string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, pattern, i)
		}
		return b.String()
	}
}

// between puts a generated text into another.
func between(head string, middle func(int) string, tail string) func(int) string {
	return func(n int) string { return head + middle(n) + tail }
}

var hostileHTML = map[string]func(int) string{
	"nesting":             again("<div>"),
	"nested quotations":   again("<blockquote>x"),
	"nested lists":        again("<ul><li>x"),
	"nested tables":       again("<table><tr><td>x"),
	"formatting reopened": again("<font color=a><p>x"),
	"links in paragraphs": again("<a href=x><p>x"),
	"crossed formatting":  again("<b><i><u></b></i>"),
	"text in tables":      again("<table>x<a>"),
	"a long attribute":    between(`<div class="`, again("a "), `">x</div>`),
	"many attributes":     between("<div", counted(" a%d=x"), ">x"),
	"a long style":        between(`<div style="`, again("a:b;"), `">x</div>`),
	"rules and what they hide": func(n int) string {
		return "<style>" + strings.Repeat(".a{display:none}", n/32) + "</style>" + strings.Repeat("<p class=a>x</p>", n/32)
	},
	"paragraphs":            again("<p>some text here that is long enough to count as prose maybe</p>"),
	"links":                 again("<a href=/x>x</a> "),
	"equal headings":        again("<h2 id=a>Same</h2><p>x</p>"),
	"spans in code":         between("<pre>", again("<span>x\n"), "</pre>"),
	"footnotes":             between("", counted("<sup><a href='#f%[1]d' id='r%[1]d'>%[1]d</a></sup><li id='f%[1]d'>x</li>"), ""),
	"tabs":                  again("<div role=tab aria-controls=x>a</div><div role=tabpanel id=x>b</div>"),
	"spans over cells":      again("<table><tr><td colspan=1000 rowspan=1000>x</td></tr></table>"),
	"rows over rows":        between("<table>", again("<tr><td>a<td rowspan=99>b<td>c"), "</table>"),
	"metadata in brackets":  between(`<script type="application/ld+json">`, again("["), "</script><p>x"),
	"markup that is text":   again("* _ ` [ "),
	"tags that never end":   again("<p "),
	"entities that are not": again("&am"),
}

var hostileMarkdown = map[string]func(int) string{
	"open brackets":            again("["),
	"links without an end":     again("[a]("),
	"images without an end":    again("![a]("),
	"titles without an end":    again("[a](b \"\n"),
	"links within links":       around("[", "a", "](b)"),
	"emphasis that never ends": again("*a "),
	"crossed emphasis":         again("*a_ "),
	"strikethrough":            again("~~a~ "),
	"code without an end":      again("`` a ` b "),
	"comments without an end":  again("a <!-- "),
	"tags without an end":      again("a <b c='"),
	"nested quotations":        again(">"),
	"quotations line by line": func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(">", i) + "a\n")
		}
		return b.String()
	},
	"nested lists": again("* "),
	"one address named by all": func(n int) string {
		return "[x]: " + strings.Repeat("a", n/2) + "\n\n" + strings.Repeat("[x] ", n/8)
	},
	"many definitions": again("[a]: b\n"),
	"short rows of a wide table": func(n int) string {
		return strings.Repeat("|a", n/8) + "|\n" + strings.Repeat("|-", n/8) + "|\n" + strings.Repeat("|b|\n", n/8)
	},
	"equal headings":          again("# same\n\n"),
	"a heading of links":      between("# ", again("[a]("), "\n"),
	"a heading of emphasis":   between("# ", again("*a_ "), "\n"),
	"a heading of 64 KB":      between("# ", again("word "), "\n\ntext\n"),
	"a heading's id of 64 KB": between("# T {#", again("a"), "}\n\ntext\n"),
	"a paragraph as heading":  between("", again("word\n"), "---\n"),
	"one word":                again("a"),
	"footnotes":               between("[^1]: a\n\n", again("[^1] "), ""),
	"YAML of aliases": func(n int) string {
		yaml, last := "---\na: &a [x,x,x,x,x,x,x,x]\n", 'a'
		for c := 'b'; c < 'k'; c++ {
			yaml += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", last), 8))
			last = c
		}
		return yaml + "---\n" + strings.Repeat("x", n)
	},
	"YAML in brackets":        between("---\na: ", again("["), "\n---\n"),
	"TOML of one long key":    between("+++\n", again("a."), "a = 1\n+++\n"),
	"TOML tables in tables":   between("+++\na = ", again("{a="), "\n+++\n"),
	"TOML of arrays":          between("+++\na = ", again("["), "\n+++\n"),
	"expressions without end": again("<A b={"),
	"imports without end":     again("import a from\n"),
	"comments of robots.txt":  again("# a\n"),
	"bytes that are no text":  again("\xff\x00"),
}

// reader is one way to read a document.
type hostileReader struct {
	name string
	read func(string)
}

func htmlReaders() []hostileReader {
	return []hostileReader{
		{"main content", func(s string) { extract.Page([]byte(s), "https://docs.example.com/x") }},
		{"HTML to Markdown", func(s string) { markdown.FromHTML(s, "https://docs.example.com/") }},
		{"charset", func(s string) { charset.Decode([]byte(s), "", true) }},
	}
}

func markdownReaders() []hostileReader {
	renderer := markdown.NewRenderer(markdown.HTMLOptions{})
	as := func(name string) hostileReader {
		return hostileReader{name, func(s string) { _, _ = format.Read(name, []byte(s), format.Options{}) }} // a refusal is an answer
	}
	return []hostileReader{
		as("a.md"), as("a.mdx"), as("context.json"),
		{"sections", func(s string) { section.Split([]byte(s), section.Options{}) }},
		{"links", func(s string) { section.Links([]byte(s), 0) }},
		{"page", func(s string) { renderer.HTML(s) }},
		{"llms.txt", func(s string) { llmstxt.Parse([]byte(s), "https://docs.example.com/") }},
		{"robots.txt", func(s string) { robots.Parse([]byte(s)) }},
		{"sitemap", func(s string) { _, _ = sitemap.Parse([]byte("<urlset><url><loc>"+s), "https://docs.example.com/") }},
	}
}

func TestHostileDocumentsTakeLinearTimeAndSpace(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some hundred documents twice")
	}
	for name, text := range hostileHTML {
		measureGrowth(t, name, text, htmlReaders())
	}
	for name, text := range hostileMarkdown {
		measureGrowth(t, name, text, markdownReaders())
	}
}

func measureGrowth(t *testing.T, name string, text func(int) string, readers []hostileReader) {
	small, large := text(hostileSmall), text(hostileLarge)
	for _, r := range readers {
		tookSmall, tookLarge := cost(r.read, small), cost(r.read, large)
		for range tries { // or the machine was busy
			if tookLarge.time <= mostGrowth*tookSmall.time+slackTime {
				break
			}
			tookLarge = leastOf(tookLarge, cost(r.read, large))
		}
		if tookLarge.time > mostGrowth*tookSmall.time+slackTime || tookLarge.bytes > mostGrowth*tookSmall.bytes+slackBytes {
			t.Errorf("%s, read as %s: %d KB take %v and %d MB, %d KB %v and %d MB", name, r.name,
				len(small)>>10, tookSmall.time, tookSmall.bytes>>20, len(large)>>10, tookLarge.time, tookLarge.bytes>>20)
		}
	}
}

// spent is what one reading took.
type spent struct {
	time  time.Duration
	bytes uint64 // allocated
}

func cost(read func(string), text string) spent {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := processTime()
	read(text)
	took := processTime() - began
	runtime.ReadMemStats(&after)
	return spent{took, after.TotalAlloc - before.TotalAlloc}
}

func leastOf(a, b spent) spent { return spent{min(a.time, b.time), min(a.bytes, b.bytes)} }
