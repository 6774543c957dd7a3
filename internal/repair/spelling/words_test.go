package spelling

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	for in, want := range map[string][]string{
		"search_context": {"search", "context"}, "searchContext": {"search", "context"}, "Search-Context": {"search", "context"},
		"mcp__srv__x": {"mcp", "srv", "x"}, "GetAHORun": {"get", "ahorun"}, "v2Search": {"v2", "search"}, "": nil, "__": nil, "日本_語": {"日本", "語"},
	} {
		if diff := cmp.Diff(want, Tokens(in)); diff != "" {
			t.Errorf("tokens(%q): %s", in, diff)
		}
		if got := Letters(in); got != strings.Join(want, "") {
			t.Errorf("letters(%q) = %q", in, got)
		}
	}
}

func TestSingular(t *testing.T) {
	for in, want := range map[string]string{"entries": "entry", "issues": "issue", "class": "class", "bus": "bus", "ids": "ids", "urls": "url"} {
		if got := Singular(in); got != want {
			t.Errorf("singular(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestOneEditAgreesWithDistance(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "abc", "acb", "abcd", "query", "qurey", "quer", "queery", "qury", "größe", "grösse", "grße", "list", "link"}
	for _, a := range words {
		for _, b := range words {
			if got, want := OneEdit(a, b), Distance(a, b) <= 1; got != want {
				t.Errorf("oneEdit(%q, %q) = %v, distance %d", a, b, got, Distance(a, b))
			}
			if Distance(a, b) != Distance(b, a) {
				t.Errorf("distance(%q, %q) is not symmetric", a, b)
			}
		}
	}
}

func TestCut(t *testing.T) {
	if got := Cut("héllo", 2); got != "hé…" {
		t.Errorf("cut: %q", got)
	}
	for n := range 12 {
		if got := CutBytes("héllo wörld", n); len(got) > max(n, len("…")) || !strings.HasSuffix(got, "…") {
			t.Errorf("cutBytes to %d: %q", n, got)
		}
	}
	if got := CutBytes("short", 5); got != "short" {
		t.Errorf("cutBytes: %q", got)
	}
}
