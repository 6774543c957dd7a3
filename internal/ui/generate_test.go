package ui_test

// This file makes up knowledge bases and questions, the same ones from the
// same seed.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"evergreen"
)

// generator makes up text of many scripts.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 6))} }

var (
	latin = strings.Fields("token budget Budget cite API api index.json a/b/c v1.2.3 snake_case kebab-case effect hook " +
		"search-engine llms.txt the what is how over café naïve İstanbul ΣΟΦΟΣ it's it’s x xxxx xx 42 4.2e3 EG-201 eg-2 GEN-1 x- ./ ...")
	chinese = strings.Fields("幻觉 引用 预算 词元 检索 如何 什么 我们 可以 怎么做 的 了 知识库 条目 排序 分层协议 截断 语言 文档 一个 一 一一一一 龥 㐀 鿿")
	others  = strings.Fields("ひらがな カタカナ 한국어 токен ％ ！ 、 。 😀 𠀀𠀁 👩‍💻 é ﷺ １２３ ＡＢＣ 豈 ①")
	glue    = []string{" ", " ", " ", "", "", ", ", "。", "\n", "-", "/", ".", "_"}
)

func (g generator) pick(list []string) string { return list[g.IntN(len(list))] }

// text strings words together; share says how many of ten are Chinese, and one
// in ten is of another script.
func (g generator) text(words, share int) string {
	var b strings.Builder
	for range words {
		switch n := g.IntN(10); {
		case n < share:
			b.WriteString(g.pick(chinese))
		case n == 9:
			b.WriteString(g.pick(others))
		default:
			b.WriteString(g.pick(latin))
		}
		b.WriteString(g.pick(glue))
	}
	return b.String()
}

// knowledge makes up a context.json. Every fourth entry says what the one
// before it says, so that scores tie and ids decide.
func (g generator) knowledge(entries int, prefix string) []byte {
	var list []evergreen.Entry
	for i := range entries {
		e := evergreen.Entry{
			ID:         fmt.Sprintf("%s-%s%d", prefix, g.pick([]string{"", "", "", "！", "😀", "é", "#x y", "b", "B"}), i),
			Category:   g.pick([]string{"", "fact", "rule", "原理"}),
			Title:      strings.TrimSpace("T " + g.pick([]string{"", "", "\u0085\x7f"}) + g.text(1+g.IntN(6), g.IntN(9))),
			Summary:    g.text(g.IntN(20), g.IntN(9)),
			Body:       g.text(1+g.IntN(40), g.IntN(9)) + g.pick([]string{"", "\u2028\u2029<&>\"\\\x01\x7f", "xxxxx一一一一一", "\r\n\t"}),
			Confidence: g.pick01(),
			Updated:    g.pick([]string{"", "2026-01-02"}),
		}
		if g.IntN(8) == 0 {
			e.Body = strings.Repeat(e.Body, 1+g.IntN(30))
		}
		for range g.IntN(4) {
			e.Tags = append(e.Tags, g.text(1, g.IntN(9))+"t")
		}
		if i%4 == 3 {
			id := e.ID
			e = list[i-1]
			e.ID = id
		}
		list = append(list, e)
	}
	data, err := json.Marshal(map[string]any{"version": prefix + " 1.0", "revision": "2026-02-03", "entries": list})
	if err != nil {
		panic(err)
	}
	return data
}

// pick01 is a confidence, mostly with few digits.
func (g generator) pick01() float64 {
	switch g.IntN(4) {
	case 0:
		return 1
	case 1:
		return g.Float64()
	}
	return float64(1+g.IntN(100)) / 100
}

// question makes up the parameters of /api/context.
func (g generator) question(categories, collections []string) map[string]any {
	p := map[string]any{"topic": g.topic()}
	if g.IntN(4) > 0 {
		p["budget"] = []int{0, -7, 200, 201, 600, 1000, 2000, 8000, 8001, 1<<53 - 1, g.IntN(8000)}[g.IntN(11)]
	}
	if g.IntN(5) == 0 {
		p["category"] = g.pick(categories)
	}
	if g.IntN(5) == 0 {
		p["collection"] = g.pick(collections)
	}
	if g.IntN(5) == 0 {
		p["mode"] = g.pick([]string{"auto", "weighted"})
	}
	if g.IntN(5) == 0 {
		p["limit"] = 1 + g.IntN(9)
	}
	if g.IntN(3) == 0 {
		p["lang"] = g.pick([]string{"", "auto", "en", "zh"})
	}
	if g.IntN(3) == 0 {
		p["acceptLanguage"] = g.pick([]string{"zh-CN,zh;q=0.9,en;q=0.8", "en", "fr;q=1, zh;q=0.1, en;q=.1", "en;q=0, zh;q=x", "ZH", ";;,", "en;q=0.5,zh;q=0.50001"})
	}
	return p
}

func (g generator) topic() string {
	switch g.IntN(16) {
	case 0:
		return ""
	case 1:
		return g.pick([]string{"the of 的 了", "?!", " ", "什么", "x", "zzzznothing", "😀", "\x00\u2028"})
	case 2:
		return g.text(60+g.IntN(400), g.IntN(9))
	case 3:
		return g.pick([]string{"幻觉 引用", "token 预算", "what is Evergreen", "一", "EG-"})
	case 4:
		return g.text(1+g.IntN(5), 0) + g.pick([]string{"😀", "𠀀", "𠀁预算", "預𠀀算"})
	}
	return g.text(1+g.IntN(8), g.IntN(10))
}

// shares counts what kinds of questions were asked.
type shares struct{ all, cjk, mixed, surrogates, ties, empty, long, unmatched, truncated int }

func (s *shares) count(topic string, b evergreen.Bundle) {
	s.all++
	cjk := strings.ContainsFunc(topic, func(r rune) bool { return r >= 0x3040 && r <= 0x9FFF })
	latin := strings.ContainsFunc(topic, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	count(&s.cjk, cjk && !latin)
	count(&s.mixed, cjk && latin)
	count(&s.surrogates, strings.ContainsFunc(topic, func(r rune) bool { return r > 0xFFFF }))
	count(&s.empty, strings.TrimSpace(topic) == "")
	count(&s.long, utf8.RuneCountInString(topic) > 200)
	count(&s.unmatched, !b.Matched)
	count(&s.truncated, b.Truncated)
	tie := false
	for i := 1; i < len(b.Entries); i++ {
		tie = tie || b.Entries[i].Score == b.Entries[i-1].Score
	}
	count(&s.ties, tie && b.Matched)
}

func (s *shares) String() string {
	percent := func(n int) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(s.all, 1))) }
	return fmt.Sprintf("%d questions: CJK %s, mixed %s, surrogate pairs %s, ties %s, empty %s, long %s, unmatched %s, truncated %s",
		s.all, percent(s.cjk), percent(s.mixed), percent(s.surrogates), percent(s.ties), percent(s.empty),
		percent(s.long), percent(s.unmatched), percent(s.truncated))
}
