package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"evergreen/internal/text"
)

func TestTokens(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "a": 1, "abcd": 2, strings.Repeat("x", 100): 29, strings.Repeat("x", 25): 8,
		"中文": 2, "中文ab": 3, "。": 1, "カナ": 2, "한글": 2, "Ａ": 1, "é": 1, "🎉": 1, "\xff": 1,
	} {
		if got := text.Tokens(s); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", s, got, want)
		}
	}
	if got, want := text.TokensOf("ab", "\n", "中c"), text.Tokens("ab\n中c"); got != want {
		t.Errorf("TokensOf = %d, want %d", got, want)
	}
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Hello World": "hello-world", "v1.2_x": "v12-x", "  a -- b  ": "a-b", "概述 安装": "概述-安装", "ÉTÉ": "été",
		"！？": "h" + text.Slug("！？")[1:], "C++": "c", "a\u00a0b": "a-b", "_private_": "private", "e\u0301": "e\u0301",
	} {
		if got := text.Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
	if got := text.Slug("🎉"); len(got) != 9 || got[0] != 'h' || got == text.Slug("🎊") {
		t.Errorf("Slug of an emoji = %q", got)
	}
	if got := text.ASCIISlug("安装 API"); got != "api" {
		t.Errorf("ASCIISlug = %q", got)
	}
}

func TestDistanceAndNearest(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"中文", "中", 1}, {"same", "same", 0}} {
		if got := text.Distance(tc.a, tc.b); got != tc.want || text.Distance(tc.b, tc.a) != tc.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
	got := text.Nearest("serach", []string{"serve", "search", "get", "SEARCH-all", "search"}, 3)
	if diff := cmp.Diff([]string{"search", "serve", "SEARCH-all"}, got); diff != "" {
		t.Errorf("Nearest (-want +got):\n%s", diff)
	}
}

func units(s string) []string {
	var out []string
	for i := 0; ; {
		u, next, ok := text.NextUnit(s, i)
		if !ok {
			return out
		}
		out = append(out, s[u.Start:u.End])
		i = next
	}
}

func TestUnits(t *testing.T) {
	for s, want := range map[string][]string{
		"":                 nil,
		"Don't stop":       {"Don't", "stop"},
		"max_bytes, a__b_": {"max_bytes", "a__b"},
		"引用幻觉":             {"引用", "用幻", "幻觉"},
		"字":                {"字"},
		"API接口x":           {"API", "接口", "x"},
		"重跑gen-itgc后":      {"重跑", "gen", "itgc", "后"},
		"中 文字":             {"中", "文字"},
		"naïve Ünï":        {"naïve", "Ünï"},
		"user’s 2nd":       {"user’s", "2nd"},
	} {
		if diff := cmp.Diff(want, units(s)); diff != "" {
			t.Errorf("units of %q (-want +got):\n%s", s, diff)
		}
	}
}

func TestExpand(t *testing.T) {
	exact := func(s string) string { return text.ExactPrefix + s }
	part := func(s string) string { return text.PartPrefix + s }
	for _, tc := range []struct {
		unit string
		want text.Terms
	}{
		{"Running", text.Terms{Base: []string{"run"}, Extra: []string{exact("running")}}},
		{"run", text.Terms{Base: []string{"run"}}},
		{"the", text.Terms{}},
		{"server's", text.Terms{Base: []string{"server"}}},
		{"useEffect", text.Terms{Base: []string{"useeffect"}, Extra: []string{part("use"), part("effect")}}},
		{"XMLHttpRequest", text.Terms{Base: []string{"xmlhttprequest"}, Extra: []string{part("xml"), part("http"), part("request")}}},
		{"max_bytes", text.Terms{Base: []string{"max", "byte"}, Extra: []string{exact("bytes"), text.WholePrefix + "max_bytes"}}},
		{"ＡＰＩ", text.Terms{Base: []string{"api"}}},
		{strings.Repeat("a1", 40), text.Terms{}},
	} {
		if diff := cmp.Diff(tc.want, text.Expand(tc.unit, false)); diff != "" {
			t.Errorf("Expand(%q) (-want +got):\n%s", tc.unit, diff)
		}
	}
}

func TestKeyword(t *testing.T) {
	for unit, want := range map[string]string{"Keys": "keys", "the": "", "ab": "", "123": "", "naïve": "", "using": ""} {
		if got := text.Keyword(unit, false); got != want {
			t.Errorf("Keyword(%q) = %q, want %q", unit, got, want)
		}
	}
	if text.Keyword("引用", true) != "引用" || text.Keyword("引", true) != "" {
		t.Error("CJK pairs are keywords, lone characters are not")
	}
}

func FuzzUnits(f *testing.F) {
	for _, s := range []string{"a_b", "中文x", "’'", "\xff中", "a\u0301々ー"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := -1
		for i := 0; ; {
			u, next, ok := text.NextUnit(s, i)
			if !ok {
				break
			}
			if u.Start < i || u.End <= u.Start || next <= u.Start || next > u.End || u.Start <= last && u.Start != 0 {
				t.Fatalf("unit %+v next %d after %d in %q", u, next, i, s)
			}
			if utf8.ValidString(s) && !utf8.ValidString(s[u.Start:u.End]) {
				t.Fatalf("a rune is cut in %q", s)
			}
			text.Expand(s[u.Start:u.End], u.CJK)
			last, i = u.Start, next
		}
		text.Slug(s)
	})
}
