package bpe

// This file cuts a text into pieces as the pattern of o200k_base does:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// The first alternative that fits decides.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what the pattern tells apart.
type kind uint8

const (
	upper kind = iota // Lu, Lt
	lower             // Ll
	other             // Lm, Lo, M: both of the above
	digit             // N
	space             // \s without line breaks
	line              // \r, \n
	sign              // all else
)

func kindOf(r rune) kind {
	switch {
	case r == '\r' || r == '\n':
		return line
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case '0' <= r && r <= '9':
		return digit
	case unicode.IsSpace(r):
		return space
	case r < utf8.RuneSelf:
		return sign
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.IsLetter(r):
		if unicode.In(r, unicode.Lu, unicode.Lt) {
			return upper
		}
		return other
	case unicode.IsMark(r):
		return other
	case unicode.IsNumber(r):
		return digit
	}
	return sign
}

// first is the kind and length of the first character of s, which is not empty.
func first(s string) (kind, int) {
	r, n := utf8.DecodeRuneInString(s)
	return kindOf(r), n
}

// run is the length of the longest beginning of s with characters that fit.
func run(s string, fits func(kind) bool) int {
	for i, r := range s {
		if !fits(kindOf(r)) {
			return i
		}
	}
	return len(s)
}

func uppers(k kind) bool { return k == upper || k == other }
func lowers(k kind) bool { return k == lower || k == other }
func spaces(k kind) bool { return k == space || k == line }

// piece is the length of the first piece of s, which is not empty.
func piece(s string) int {
	k, n := first(s)
	mark := k == other && !unicode.IsLetter(firstRune(s))
	if n < len(s) && (k == space || k == sign || mark) { // one character may stand before a word
		if end := word(s[n:]); end > 0 {
			return n + end
		}
	}
	switch k {
	case upper, lower, other:
		return word(s)
	case digit:
		return digits(s)
	case sign:
		return signs(s)
	case space:
		if n < len(s) && s[0] == ' ' {
			if next, _ := first(s[n:]); isSign(next, s[n:]) {
				return n + signs(s[n:])
			}
		}
	}
	return blanks(s)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// isSign reports whether a character is neither blank, letter nor number; marks
// are such, too.
func isSign(k kind, s string) bool {
	return k == sign || k == other && !unicode.IsLetter(firstRune(s))
}

// word is the length of capitals and small letters, in this order, with an
// English ending; 0 when no word begins s.
func word(s string) int {
	end := run(s, uppers)
	if small := run(s[end:], lowers); small > 0 {
		end += small
	} else if last := lastLower(s[:end]); last > 0 {
		end = last
	}
	if end == 0 {
		return 0
	}
	return end + ending(s[end:])
}

// lastLower is the end of the last character of s that may stand for a small
// letter, 0 without one.
func lastLower(s string) int {
	for len(s) > 0 {
		r, n := utf8.DecodeLastRuneInString(s)
		if lowers(kindOf(r)) {
			return len(s)
		}
		s = s[:len(s)-n]
	}
	return 0
}

// ending is the length of 's, 't, 're, 've, 'm, 'll or 'd at the beginning of s.
func ending(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	if strings.IndexByte("sStTmMdD", s[1]) >= 0 {
		return 2
	}
	if len(s) > 2 {
		switch strings.ToLower(s[1:3]) {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// digits is the length of up to three numbers.
func digits(s string) int {
	end := 0
	for range 3 {
		if end == len(s) {
			break
		}
		k, n := first(s[end:])
		if k != digit {
			break
		}
		end += n
	}
	return end
}

// signs is the length of signs with line breaks and slashes behind them.
func signs(s string) int {
	end := 0
	for end < len(s) {
		k, n := first(s[end:])
		if !isSign(k, s[end:]) {
			break
		}
		end += n
	}
	return end + len(s[end:]) - len(strings.TrimLeft(s[end:], "\r\n/"))
}

// blanks is the length of blank space: up to its last line break, else without
// the last blank before a word.
func blanks(s string) int {
	end := run(s, spaces)
	if last := strings.LastIndexAny(s[:end], "\r\n"); last >= 0 {
		return last + 1
	}
	if end == len(s) {
		return end
	}
	_, n := utf8.DecodeLastRuneInString(s[:end])
	if end == n {
		return end
	}
	return end - n
}
