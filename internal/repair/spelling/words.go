// Package spelling compares names the way people and models write them: by
// tokens, by letters, by singular form, by one edit. It knows no names itself.
package spelling

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"evergreen/internal/text"
)

// This file holds what the name, key and enum rules compare words by: tokens,
// letters, singular form, one edit.

// Tokens splits a name at separators and at lower-to-upper steps and lower-cases
// the parts: "searchQuery", "search_query" and "Search-Query" are one.
func Tokens(s string) []string {
	var out []string
	start, prevLower := -1, false
	flush := func(end int) {
		if start >= 0 {
			out = append(out, strings.ToLower(s[start:end]))
			start = -1
		}
	}
	for i, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			prevLower = false
		case unicode.IsUpper(r) && prevLower:
			flush(i)
			start, prevLower = i, false
		default:
			if start < 0 {
				start = i
			}
			prevLower = !unicode.IsUpper(r)
		}
	}
	flush(len(s))
	return out
}

// Letters is the name without case and separators.
func Letters(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		plain = 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// Singular strips an English plural ending; words of three letters or fewer
// and words in "ss" are left alone.
func Singular(s string) string {
	switch {
	case len(s) > 3 && strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case len(s) > 3 && strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss"):
		return s[:len(s)-1]
	}
	return s
}

// OneEdit reports whether a becomes b by at most one insertion, deletion,
// substitution or swap of neighbours.
func OneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > utf8.UTFMax {
		return false
	}
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	switch len(y) - len(x) {
	case 0:
		if i == len(x) || string(x[i+1:]) == string(y[i+1:]) {
			return true
		}
		return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && string(x[i+2:]) == string(y[i+2:])
	case 1:
		return string(x[i:]) == string(y[i+1:])
	}
	return false
}

// Distance counts edits as oneEdit does. Words longer than 64 runes are compared
// by their first 64, which is more than any tool name has.
func Distance(a, b string) int { return text.Distance(string(head(a, 64)), string(head(b, 64))) }

func head(s string, n int) []rune {
	r := []rune(s)
	return r[:min(n, len(r))]
}

// Cut shortens s to n runes, with an ellipsis for what is left out.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string(head(s, n)) + "…"
}

// CutBytes shortens s to at most n bytes at a rune's edge.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(0, n-len("…"))
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// HasAnyPrefix reports whether s starts with one of the prefixes.
func HasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
