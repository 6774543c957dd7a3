package ui_test

import (
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/site"
	"evergreen/internal/ui"
)

func TestSearchMarksHitsAndNarrows(t *testing.T) {
	a := newAsked(t, bilingual())
	var counted []evergreen.SearchRequest
	find := func(r evergreen.SearchRequest) (evergreen.SearchResult, error) {
		counted = append(counted, r)
		return a.engine.Search(t.Context(), r)
	}
	search := func(r evergreen.SearchRequest) string {
		t.Helper()
		b, err := newUI(t, ui.Options{}).Search(a.site, "en", r, find)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	page := search(evergreen.SearchRequest{Query: "rotating key"})
	for _, want := range []string{
		"<mark>rotated</mark>", "<mark>key</mark>", "<title>rotating key · Search · Example Docs</title>",
		`<a href="?q=rotating&#43;key&amp;collection=guide">guide</a>`, `<a href="?q=rotating&#43;key&amp;collection=kb">kb</a> <span class="quiet">1</span>`,
		`<a href="/docs/kb#EX-1" data-f="title" data-markdown="/docs/kb.html.md">Which key is valid?`,
		`href="?q=rotating&#43;key&amp;lang=zh"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	page = search(evergreen.SearchRequest{Query: "run", Collection: "guide", PathGlob: "keys"})
	if last := counted[len(counted)-1]; last.PathGlob != "keys/**" || last.Limit != 1 {
		t.Errorf("asked %+v", last)
	}
	for _, want := range []string{`<a href="?q=run&amp;collection=guide&amp;path=keys" aria-current="true">keys</a>`, `<a href="?q=run&amp;collection=guide">all</a>`,
		`<input type="hidden" name="path" value="keys">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if page := search(evergreen.SearchRequest{Query: "run", Collection: "nowhere"}); !strings.Contains(page, `class="notice bad" role="alert"`) {
		t.Error("nothing is said of the wrong collection")
	}
}

func TestSearchWithoutHitsHelps(t *testing.T) {
	s, _ := siteOf(t, exampleFiles(), site.Options{})
	b, err := newUI(t, ui.Options{}).Search(s, "en", evergreen.SearchRequest{Query: "roate"}, finds(evergreen.SearchResult{Suggestions: []string{"rotate"}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`Nothing matches “roate”.`, `<a href="?q=rotate">rotate</a>`, `name="q" type="search" value="roate"`,
		"What there is to search", `<li><a href="https://docs.example.com/docs/guide/zh">幻觉</a></li>`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("the page lacks %s:\n%s", want, b)
		}
	}
}

// Every curated entry that a hit or an answer leads to has its anchor.
func TestCuratedEntriesHaveAnchors(t *testing.T) {
	a := newAsked(t, bilingual())
	if page := pageOf(t, newUI(t, ui.Options{}), a.site, "/docs/kb", "en"); !strings.Contains(page, `<span id="EX-1">[EX-1]</span> Which key is valid?`) {
		t.Error("nothing has the id EX-1")
	}
}
