package mcp

import "testing"

func TestLanguageOfAnswers(t *testing.T) {
	for _, c := range []struct {
		query, accept string
		want          lang
	}{
		{"token budget", "", "en"},
		{"幻觉 引用", "", "zh"},
		{"token 预算", "", "zh"},
		{"React useState 的", "", "en"},
		{"how to 引用", "", "en"},
		{"", "zh-CN,en;q=0.8", "zh"},
		{"", "en,zh", "en"},
		{"", "", "en"},
	} {
		if got := langOf(c.query, c.accept); got != c.want {
			t.Errorf("langOf(%q, %q) = %s, want %s", c.query, c.accept, got, c.want)
		}
	}
}
