package pack

import (
	"testing"

	"evergreen"
)

func TestBar(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tokens []int
		budget int
		left   int
		lang   string
		want   string
	}{
		{"two entries", []int{1300, 340}, 2000, 2, "", "████████▒▒░░ 1,640 / 2,000 tokens · 2 left out"},
		{"nothing", nil, 200, 0, "", "░░░░░░░░░░░░ 0 / 200 tokens"},
		{"full", []int{100, 100}, 200, 1, "", "██████▒▒▒▒▒▒ 200 / 200 tokens · 1 left out"},
		{"small entries join the next", []int{10, 10, 10, 970, 500}, 2000, 0, "", "██████▒▒▒░░░ 1,500 / 2,000 tokens"},
		{"over", []int{900}, 300, 0, "", "████████████ 900 / 300 tokens"},
		{"no budget", []int{1}, 0, 0, "", "████████████ 1 / 0 tokens"},
		{"Chinese, many left out", []int{500}, 1000, 5, evergreen.LangChinese, "██████░░░░░░ 500 / 1,000 token · 5+ 条未装入"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := evergreen.Bundle{Budget: tt.budget, LeftOut: make([]evergreen.LeftOut, tt.left), Lang: tt.lang}
			for _, n := range tt.tokens {
				b.Entries = append(b.Entries, evergreen.PackedEntry{Entry: evergreen.Entry{Tokens: n}})
				b.UsedTokens += n
			}
			if got := Bar(b); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
