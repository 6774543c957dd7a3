package tree

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// page parses a page for a test.
func page(t *testing.T, src string) *html.Node {
	t.Helper()
	doc, flat := Parse([]byte(src))
	if flat {
		t.Fatalf("page was flattened: %.60s", src)
	}
	return doc
}

const selectorPage = `<div id="a" class="box main  wide" data-x="one two"><p class="t">1</p>
<section><p class="t last">2</p><span lang="en-GB">3</span></section></div><p class="tail">4</p>`

func TestSelectorMatches(t *testing.T) {
	for _, tt := range []struct {
		selector, want string // texts of the matches in document order
	}{
		{"p", "1 2 4"},
		{".t", "1 2"},
		{".t:not(.last)", "1"},
		{"#a p", "1 2"},
		{"#a > p", "1"},
		{"div.box.main section > p", "2"},
		{"[data-x~=two] .last", "2"},
		{"[lang^=en]", "3"},
		{"[lang$='GB']", "3"},
		{`[class*="ai"]`, "123 4"},
		{"p.tail, span", "3 4"},
		{"*.t", "1 2"},
		{".ma", ""},
		{"[data-x=one]", ""},
		{"", ""},
	} {
		var got []string
		for _, n := range MustCompile(tt.selector).All(page(t, selectorPage)) {
			got = append(got, strings.Join(strings.Fields(Text(n)), ""))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q matches %q, want %q", tt.selector, s, tt.want)
		}
	}
}

func TestSelectorFirstPrefersEarlierSelectors(t *testing.T) {
	n := MustCompile(".nowhere, p.tail, .t").First(page(t, selectorPage))
	if n == nil || Text(n) != "4" {
		t.Fatalf("First is %v, want the p.tail", n)
	}
}

func TestSelectorBest(t *testing.T) {
	doc := page(t, selectorPage)
	for group, want := range map[string]int{".nowhere, p.tail, .t": 1, ".t, p.tail": 0, ".nowhere": -1, "": -1} {
		if got := MustCompile(group).Best(doc); got != want {
			t.Errorf("%q: best is %d, want %d", group, got, want)
		}
	}
}

func TestCompileRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, bad := range []string{"p:first-child", "a ~ b", "[open", ":not(a", ":not(a b)", "p,,q", "> p"} {
		if _, err := Compile(bad); err == nil {
			t.Errorf("Compile(%q) succeeded", bad)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"a > b.c#d[e^=f]", ":not(", "[", "a,b", "*", ":not(.x)", "a[b='c d']"} {
		f.Add(s)
	}
	doc, _ := Parse([]byte(selectorPage))
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := Compile(s); err == nil {
			c.All(doc)
			c.First(doc)
		}
	})
}

// TestSelectorOfOneNode asks which selector of a group names a node itself, and
// whether one names something below it.
func TestSelectorOfOneNode(t *testing.T) {
	doc := page(t, selectorPage)
	s := MustCompile(" #a, .t, [lang], .tail ")
	if s.Len() != 4 || s.Source() != "#a, .t, [lang], .tail" {
		t.Errorf("%d selectors of %q", s.Len(), s.Source())
	}
	for selector, want := range map[string]int{"#a": 0, ".last": 1, "span": 2, "p.tail": 3, "section": -1} {
		n := MustCompile(selector).First(doc)
		if got := s.Place(n); got != want {
			t.Errorf("%s has the place %d, want %d", selector, got, want)
		}
	}
	box := MustCompile("section").First(doc)
	if !s.Any(box) || MustCompile(".tail, #a").Any(box) {
		t.Error("what lies below a node is not what its selectors name")
	}
	var none *Selector
	if none.Any(box) || none.Match(box) || none.First(box) != nil || none.All(box) != nil || none.Source() != "" {
		t.Error("no selector matches something")
	}
	if s.Match(box.FirstChild.FirstChild) {
		t.Error("a text is named by a selector")
	}
}
