package main

import (
	"strings"
	"testing"

	"evergreen/bench/internal/pages"
)

const page = `<main><h1>T<a class=headerlink>¶</a></h1><nav><a href=/>Home</a></nav><p>one two three four five</p>
<div class="language-go"><pre>f()</pre></div><table><tr><td>c</table>
<div role=tabpanel hidden>panel text</div><div class="admonition tip"><p class=admonition-title>Tip</p><p>Do.</p></div></main>`

// All of a page's content counts, and each loss is found.
func TestKept(t *testing.T) {
	p := pages.Page{ID: "p", HTML: page, Selector: "main"}
	var all, none kept
	all.add(p, `<h1>T</h1><p>one two three four five</p><pre><code class="language-go">f()</code></pre><table><tr><td>c</table>
		<p>panel text</p><blockquote>[!TIP]<p>Do.</p></blockquote>`)
	none.add(p, "<p>one two three four five")
	for i, s := range all.shares() {
		if s.share.Found != s.share.All {
			t.Errorf("%s: %d of %d, lost %q", s.name, s.share.Found, s.share.All, s.share.Lost())
		}
		if lost := none.shares()[i]; lost.share.Found > 0 {
			t.Errorf("%s: %d found in a page without", s.name, lost.share.Found)
		}
	}
	for _, s := range all.shares() {
		if s.floor > 0 && s.share.All != 1 {
			t.Errorf("%s: %d in a page with one", s.name, s.share.All)
		}
	}
}

func TestAFailureIsNoAnswer(t *testing.T) {
	answers, err := each(func(p pages.Page) answer {
		if p.ID == "bad" {
			panic("no")
		}
		return answer{HTML: "<p>ok"}
	})([]pages.Page{{ID: "bad"}, {ID: "good"}})
	if err != nil || len(answers) != 2 || answers[0].Failed == "" || answers[1].HTML != "<p>ok" {
		t.Errorf("%+v, %v", answers, err)
	}
}

func TestEveryToolFindsAnArticle(t *testing.T) {
	text := strings.Repeat("<p>This paragraph has enough words, with commas, to be taken for the text of an article.</p>", 20)
	article := pages.Page{ID: "a", URL: "https://a.example/a", HTML: "<html><head><title>A</title></head><body><article>" + text + "</article></body></html>"}
	for _, tool := range inProcess() {
		answers, err := tool.run([]pages.Page{article})
		if err != nil || len(answers) != 1 || !strings.Contains(answers[0].HTML, "enough words") || answers[0].Failed != "" {
			t.Errorf("%s: %v, %+v", tool.name, err, answers)
		} else if tool.convert && !strings.Contains(answers[0].Markdown, "enough words") {
			t.Errorf("%s wrote %q", tool.name, answers[0].Markdown)
		}
	}
}

func TestEverySecondPageIsTimed(t *testing.T) {
	var ids string
	for _, p := range timed([]pages.Page{{ID: "a"}, {ID: "b"}, {ID: "c"}}) {
		ids += p.ID
	}
	if ids != "ac" {
		t.Error(ids)
	}
}
