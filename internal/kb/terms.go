package kb

import (
	"strings"
	"unicode/utf8"
)

// This file cuts a topic into the terms of weighted retrieval.

const stopWords = `的 了 是 在 和 与 及 或 就 都 而 也 很 到 说 要 去 会 着 看 这 那 有 我 你 他 她 它 们 吗 呢 吧 啊 什么 怎么 如何 为什么 哪些 一个 可以 我们 你们 他们
the a an of to in on for and or is are was were be been being it its this that these those with as by at from how what why when where which who do does did can could should would will i you we they he she my your our their not no if then than so but about into over under`

// stopList is read only.
var stopList = func() map[string]struct{} {
	m := map[string]struct{}{}
	for w := range strings.FieldsSeq(stopWords) {
		m[w] = struct{}{}
	}
	return m
}()

// Terms returns the terms of a topic in first-seen order, without duplicates
// and stop words: words of at least two of [a-z0-9_-./] that begin with a letter
// or digit, and runs of U+3400..U+9FFF cut into overlapping pairs (a run of one
// character gives that character). Latin and Chinese runs are told apart, so
// "API接口" gives "api" and "接口". Only ASCII letters are lower-cased.
func Terms(topic string) []string {
	s := lower(topic)
	var terms []string
	seen := map[string]struct{}{}
	add := func(term string) {
		if _, stop := stopList[term]; stop {
			return
		}
		if _, dup := seen[term]; dup {
			return
		}
		seen[term] = struct{}{}
		terms = append(terms, term)
	}
	for i := 0; i < len(s) && len(terms) < maxTopicTerms; {
		switch r, n := utf8.DecodeRuneInString(s[i:]); {
		case startsWord(s[i]):
			end := wordEnd(s, i)
			if word := strings.TrimRight(s[i:end], "./-_"); len(word) >= 2 {
				add(word)
			}
			i = end
		case isPaired(r):
			i = addPairs(s, i, add)
		default:
			i += n
		}
	}
	return terms[:min(len(terms), maxTopicTerms)]
}

// addPairs adds the overlapping pairs of the run that begins at i and returns
// the run's end.
func addPairs(s string, i int, add func(string)) int {
	start := i
	_, n := utf8.DecodeRuneInString(s[i:])
	for {
		r, m := utf8.DecodeRuneInString(s[i+n:])
		if !isPaired(r) {
			break
		}
		add(s[i : i+n+m])
		i, n = i+n, m
	}
	if i == start {
		add(s[i : i+n])
	}
	return i + n
}

func startsWord(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

func wordEnd(s string, i int) int {
	for i < len(s) && (startsWord(s[i]) || strings.IndexByte("_-./", s[i]) >= 0) {
		i++
	}
	return i
}

func isPaired(r rune) bool { return r >= 0x3400 && r <= 0x9FFF }

// lower lower-cases A to Z and nothing else, so that no locale and no Unicode
// version has a say.
func lower(s string) string {
	if strings.IndexFunc(s, isUpper) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isUpper(r) {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}

func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }
