package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrip(t *testing.T) {
	src := `<h2>H</h2><p>in <code>c</code> <a href="/a">A</a></p><pre><code class="language-go">f()</code></pre>
		<table><tr><th>K</th></tr><tr><td>v</td></tr></table><ul><li>i</li></ul><img src="/i.png">`
	var all, none trip
	all.add(src, "## H\n\nin `c` [A](/a)\n\n```go\nf()\n```\n\n| K |\n| --- |\n| v |\n\n- i\n\n![](/i.png)\n")
	none.add(src, "in words")
	for i, s := range all.shares(1) {
		if s.share.All == 0 || s.share.Found != s.share.All {
			t.Errorf("%s: %d of %d", s.name, s.share.Found, s.share.All)
		}
		if n := none.shares(1)[i].share; n.Found != 0 || n.All != s.share.All {
			t.Errorf("%s: %d of %d in a text without", s.name, n.Found, n.All)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		wanted   bool
		ok       bool
	}{
		{[]string{"^b", `\u00e9`}, true, true},
		{[]string{"^b", "x"}, true, false},
		{[]string{"x"}, false, true},
		{[]string{"x", "^b"}, false, false},
		{nil, true, true},
	} {
		if got := matches("a é\nb", c.patterns, c.wanted); got != c.ok {
			t.Errorf("%q %v: %v", c.patterns, c.wanted, got)
		}
	}
}

const wanted = "# T\n\n> [!warning] Warning\n> Do not.\n\nWords[^1] and $x$.\n\n```go\nf(x)\n```\n\n| K | v |\n| --- | --- |\n| a | b |\n\n[^1]: The note.\n"

func TestDiffer(t *testing.T) {
	want := contentOf(wanted)
	if d := differ("same", want, contentOf(wanted)); d.f1 != 1 || len(d.lost)+len(d.kind) > 0 {
		t.Errorf("the same text differs: %+v", d)
	}
	got := differ("f", want, contentOf("# T\n\nWords and $x$.\n\nf(x)\n"))
	if diff := cmp.Diff([]string{"2 table rows", "1 footnotes", "1 callouts"}, got.lost); diff != "" {
		t.Error(diff)
	}
	kinds := []string{"code blocks 1 → 0", "code with language 1 → 0", "tables 1 → 0", "table rows 2 → 0", "footnotes 1 → 0", "callouts 1 → 0"}
	for _, k := range kinds {
		found := false
		for _, have := range got.kind {
			found = found || have == k
		}
		if !found {
			t.Errorf("%q lacks %q", got.kind, k)
		}
	}
	// Alerts may be spelled as GitHub does, without a title.
	alert := contentOf("> [!WARNING]\n> Do not.\n")
	var k fixtureKept
	k.add("f", want, alert)
	if k.callouts.Found != 1 || k.code.Found != 0 {
		t.Errorf("%+v", k)
	}
}
