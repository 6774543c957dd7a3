package site

// This file chooses the language of what the site says in its own words: that
// of its main language, English or Chinese.

import "strings"

// chinese reports whether the site's main language is Chinese.
func (o Options) chinese() bool {
	return len(o.Languages) > 0 && (o.Languages[0] == "zh" || strings.HasPrefix(strings.ToLower(o.Languages[0]), "zh-"))
}

// say is one of two wordings.
func (s *Site) say(english, chinese string) string {
	if s.o.chinese() {
		return chinese
	}
	return english
}
