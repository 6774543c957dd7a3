// Package bpe counts the tokens of a text as the byte-pair encoding o200k_base
// does, offline. It knows no other encoding and gives no token ids: a budget
// needs a number.
//
// The encoding is that of OpenAI's tiktoken (MIT licence): a pattern cuts the
// text into pieces, and in each piece the pair of neighbours that the vocabulary
// holds under the lowest rank is joined until no pair is left.
package bpe

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Encoding counts tokens. It is safe for concurrent use.
type Encoding struct {
	ranks  map[string]uint32
	merges sync.Pool // of *merge
}

// O200k reads the vocabulary, which takes some 50 ms and 20 MB: make one and
// keep it.
func O200k() (*Encoding, error) {
	ranks, err := readVocabulary(o200k)
	if err != nil {
		return nil, err
	}
	return &Encoding{ranks: ranks, merges: sync.Pool{New: func() any { return new(merge) }}}, nil
}

// Count returns the number of tokens. What is no UTF-8 counts as U+FFFD, the
// names of special tokens as the plain text they are.
func (e *Encoding) Count(s string) int {
	if !utf8.ValidString(s) {
		s = replaceInvalid(s)
	}
	m := e.merges.Get().(*merge)
	defer e.merges.Put(m)
	n := 0
	for len(s) > 0 {
		end := piece(s)
		if _, whole := e.ranks[s[:end]]; whole {
			n++
		} else {
			n += m.count(s[:end], e.ranks)
		}
		s = s[end:]
	}
	return n
}

// replaceInvalid writes one U+FFFD for each maximal part of a character that is
// cut off, and for each byte that begins none (Unicode 3.9, W3C Encoding).
func replaceInvalid(s string) string {
	var b strings.Builder
	b.Grow(len(s) + utf8.UTFMax)
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			n = cutOff(s)
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}

// cutOff is the length of the longest beginning of s that could begin a
// character, at least 1.
func cutOff(s string) int {
	for n := min(len(s), utf8.UTFMax-1); n > 1; n-- {
		// Whether a beginning can be completed does not depend on the last bytes.
		for _, rest := range []string{"\x80", "\x80\x80"} {
			if r, size := utf8.DecodeRuneInString(s[:n] + rest); r != utf8.RuneError && size == n+len(rest) {
				return n
			}
		}
	}
	return 1
}
