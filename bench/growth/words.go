package main

// This file gives made documents words of their own. What a further document of
// a kind brings that nobody has seen before is, on the average, what each has
// that no other has (Good, The Population Frequencies of Species and the
// Estimation of Population Parameters, 1953). So each of these words becomes
// another one in every round, and the vocabulary goes on to grow as that of the
// real text does where it ends.

import "strings"

// leastWord is the shortest word that may be renamed, in letters.
const leastWord = 4

// eachWord calls use with the words of ASCII letters and digits, lower-cased.
func eachWord(s string, use func(word string)) {
	for start, i := -1, 0; i <= len(s); i++ {
		if i < len(s) && wordByte(s[i]) {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			use(strings.ToLower(s[start:i]))
			start = -1
		}
	}
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// ownWords are the words that stand in one document alone.
func ownWords(docs []document) map[string]bool {
	in := map[string]int{} // the document that holds a word, -1 when several do
	for i, d := range docs {
		note := func(word string) {
			if before, ok := in[word]; !ok {
				in[strings.Clone(word)] = i
			} else if before != i {
				in[word] = -1
			}
		}
		eachWord(d.head, note)
		for _, u := range d.units {
			eachWord(u.text, note)
		}
	}
	own := map[string]bool{}
	for word, i := range in {
		if i >= 0 && len(word) >= leastWord && word[0] > '9' {
			own[word] = true
		}
	}
	return own
}

// rename appends the suffix to those of the words that are to be renamed.
func rename(s string, words map[string]bool, suffix string) string {
	var b strings.Builder
	for start, i := -1, 0; i <= len(s); i++ {
		if i < len(s) && wordByte(s[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			b.WriteString(s[start:i])
			if i-start >= leastWord && words[strings.ToLower(s[start:i])] {
				b.WriteString(suffix)
			}
			start = -1
		}
		if i < len(s) {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// syllables writes a number as something that can be said: 1 is "be".
func syllables(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	out := ""
	for ; n > 0; n /= len(consonants) * len(vowels) {
		k := n % (len(consonants) * len(vowels))
		out += string(consonants[k/len(vowels)]) + string(vowels[k%len(vowels)])
	}
	return out
}
