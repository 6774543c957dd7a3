package mcp

import (
	"fmt"
	"strings"
	"unicode"

	"evergreen"
	"evergreen/internal/text"
)

// lang is the language an answer's own words are written in.
type lang string

// langOf chooses Chinese when the CJK characters of query outnumber its Latin
// words, else what the Accept-Language header prefers, else English.
func langOf(query, accept string) lang {
	cjk, words, inWord := 0, 0, false
	for _, r := range query {
		switch {
		case text.IsCJK(r) && unicode.IsLetter(r):
			cjk++
			inWord = false
		case unicode.IsLetter(r):
			if !inWord {
				words++
			}
			inWord = true
		default:
			inWord = inWord && (unicode.IsDigit(r) || r == '_' || r == '-' || r == '\'')
		}
	}
	if cjk > words {
		return evergreen.LangChinese
	}
	if prefersChinese(accept) {
		return evergreen.LangChinese
	}
	return evergreen.LangEnglish
}

// prefersChinese reads the first language of an Accept-Language header; clients
// send them in order of preference.
func prefersChinese(accept string) bool {
	first, _, _ := strings.Cut(accept, ",")
	first = strings.ToLower(strings.TrimSpace(first))
	return first == "zh" || strings.HasPrefix(first, "zh-") || strings.HasPrefix(first, "zh;")
}

// say formats the text of its language.
func (l lang) say(english, chinese string, args ...any) string {
	if l == evergreen.LangChinese {
		english = chinese
	}
	return fmt.Sprintf(english, args...)
}

// tooSmall ends an answer into which nothing fitted.
func (l lang) tooSmall() string {
	return l.say("Nothing fits into this budget; raise it (at most %d).", "此 budget 下无法显示任何内容；请提高（最多 %d）。", evergreen.MaxBudget)
}
