// Package text holds pure functions over words: token estimates, slugs, edit
// distance and the analysis that turns prose and identifiers into index terms.
// It knows neither documents nor files.
package text

import (
	"math"
	"unicode/utf8"
)

// Weights of the default token estimator.
const (
	cjkWeight   = 1.0
	otherWeight = 0.28
)

// Estimator counts the tokens of a text.
type Estimator func(s string) int

// Tokens estimates how many tokens s costs: ceil(CJK x 1.0 + other x 0.28) over
// its code points, in IEEE doubles without fused multiply-add.
func Tokens(s string) int {
	cjk, other := countCJK(s)
	return estimate(cjk, other)
}

// TokensOf is Tokens of the concatenation of parts.
func TokensOf(parts ...string) int {
	cjk, other := 0, 0
	for _, p := range parts {
		c, o := countCJK(p)
		cjk, other = cjk+c, other+o
	}
	return estimate(cjk, other)
}

func estimate(cjk, other int) int {
	sum := float64(float64(cjk)*cjkWeight) + float64(float64(other)*otherWeight)
	return int(math.Ceil(sum))
}

func countCJK(s string) (cjk, other int) {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			other++
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if IsCJK(r) {
			cjk++
		} else {
			other++
		}
		i += n
	}
	return cjk, other
}

// IsCJK tells whether the estimator counts r as one token: Han, kana, Hangul
// syllables, CJK punctuation and full-width forms.
func IsCJK(r rune) bool {
	switch {
	case r < 0x3000:
		return false
	case r <= 0x303F, r >= 0x3040 && r <= 0x30FF, r >= 0x3400 && r <= 0x9FFF:
		return true
	case r >= 0xAC00 && r <= 0xD7AF, r >= 0xF900 && r <= 0xFAFF, r >= 0xFF00 && r <= 0xFFEF:
		return true
	}
	return false
}
