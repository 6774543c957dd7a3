package mcp

import (
	"fmt"

	"evergreen"
	"evergreen/internal/kb"
)

// lang is the language an answer's own words are written in.
type lang string

// langOf chooses by the question, then by the Accept-Language header.
func langOf(query, accept string) lang {
	chosen, err := kb.Lang(evergreen.LangAuto, query, accept)
	if err != nil {
		return evergreen.LangEnglish
	}
	return lang(chosen)
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
