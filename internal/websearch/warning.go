package websearch

// This file words the warning that teaches the canonical call.

import (
	"strings"
	"unicode/utf8"
)

// tag begins every warning, so that people and programs find it.
const tag = "[evergreen websearch]"

// warning is the text behind the result of a call that was not canonical.
func (c Config) warning(tool, source string) string {
	return tag + " Warning: this call used " + quote(tool) + "/" + quote(source) + " instead of the canonical form. Results are above. Next call: " +
		c.canonical()
}

// emptyWarning is the answer to a call without a query.
func (c Config) emptyWarning(tool string) string {
	return tag + " Warning: no search query was found in the arguments of " + quote(tool) + "; no search was run. Call: " + c.canonical()
}

// canonical is the canonical form and a literal example.
func (c Config) canonical() string {
	form := `{ "` + c.CanonicalParam + `": "..." }`
	example := `{ "` + c.CanonicalParam + `": "rust async runtime" }`
	return c.CanonicalTool + " with " + form + " — e.g. " + c.CanonicalTool + "(" + example + ")."
}

// quote shows a caller's own word, cut, on one line.
func quote(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if utf8.RuneCountInString(s) > maxShown {
		s = string([]rune(s)[:maxShown]) + "…"
	}
	return `"` + s + `"`
}
