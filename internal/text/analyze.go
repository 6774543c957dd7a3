package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Prefix bytes keep the kinds of term apart in one dictionary. Stems carry
// none, so that a plain word is its own key.
const (
	// ExactPrefix marks the original, lower-cased form of a word whose stem differs.
	ExactPrefix = "\x01"
	// WholePrefix marks an identifier kept whole beside its parts.
	WholePrefix = "\x02"
	// PartPrefix marks the stem of a part of a camel-case identifier. Parts are
	// kept apart from words: code would otherwise drown prose.
	PartPrefix = "\x03"
)

// maxTermBytes bounds a term: longer runs are data (hashes, base64), which
// nobody searches by but which would swell the dictionary.
const maxTermBytes = 64

// stopWords are left out of index and query: frequent enough to cost time and
// too frequent to tell sections apart.
var stopWords = func() map[string]struct{} {
	m := map[string]struct{}{}
	for w := range strings.FieldsSeq("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with") {
		m[w] = struct{}{}
	}
	return m
}()

// questionWords are how questions are put, not what they are about. They are
// indexed, but a query that holds other words is ranked without them.
var questionWords = func() map[string]struct{} {
	m := map[string]struct{}{}
	for w := range strings.FieldsSeq("about am any been being can could did do does doing from had has have he her his how i im its me my our she should so some them us we were what when where which who why would you your") {
		m[w] = struct{}{}
	}
	return m
}()

// requestWords are how texts are asked for in long questions ("articles that
// describe ..."): the stop structure of verbose queries (Huston and Croft,
// Evaluating Verbose Query Processing Techniques, 2010).
var requestWords = func() map[string]struct{} {
	m := map[string]struct{}{}
	for w := range strings.FieldsSeq("article articles available concerning describe described discuss discussed done find found information interest interested known made obtained paper papers possible regarding work") {
		m[w] = struct{}{}
	}
	return m
}()

// IsRequestWord tells whether the lower-cased word only serves to ask for texts.
func IsRequestWord(word string) bool {
	_, ok := requestWords[word]
	return ok
}

// IsQuestionWord tells whether the lower-cased word only serves to ask.
func IsQuestionWord(word string) bool {
	_, ok := questionWords[word]
	return ok
}

// IsStopWord tells whether the lower-cased word is left out of index and query.
func IsStopWord(word string) bool {
	_, ok := stopWords[word]
	return ok
}

// Unit is one piece of a text as the analyzer sees it: a word, an identifier,
// or one pair (or lone character) of a CJK run. Start and End are byte offsets.
type Unit struct {
	Start, End int
	CJK        bool
}

// NextUnit finds the first unit of s at or after byte offset from. ok is false
// at the end. Pairs of a CJK run overlap, so scanning continues at
// Unit.Next().
func NextUnit(s string, from int) (u Unit, next int, ok bool) {
	for i := from; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if !isASCIIWord(c) {
				i++
				continue
			}
			end := wordEnd(s, i)
			return Unit{i, end, false}, end, true
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isIdeograph(r):
			return cjkUnit(s, i, n)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			end := wordEnd(s, i)
			return Unit{i, end, false}, end, true
		}
		i += n
	}
	return Unit{}, len(s), false
}

// cjkUnit returns the pair that starts at i, or the lone character. The last
// character of a run of two or more has been part of the pair before it.
func cjkUnit(s string, i, n int) (Unit, int, bool) {
	j := i + n
	if j < len(s) {
		if r, m := utf8.DecodeRuneInString(s[j:]); isIdeograph(r) {
			next := j
			k := j + m
			if k >= len(s) {
				next = k
			} else if r2, _ := utf8.DecodeRuneInString(s[k:]); !isIdeograph(r2) {
				next = k
			}
			return Unit{i, k, true}, next, true
		}
	}
	return Unit{i, j, true}, j, true
}

func isASCIIWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// wordEnd returns the end of the word that starts at i. Underscores and
// apostrophes belong to a word when a letter or digit follows.
func wordEnd(s string, i int) int {
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if isASCIIWord(c) {
				i++
				continue
			}
			if c == '_' || c == '\'' {
				if j := skipByte(s, i, c); j < len(s) && startsWord(s, j) {
					i = j
					continue
				}
			}
			return i
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if isIdeograph(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			if r == '\u2019' && i+n < len(s) && startsWord(s, i+n) {
				i += n
				continue
			}
			return i
		}
		i += n
	}
	return i
}

func skipByte(s string, i int, c byte) int {
	if c == '\'' {
		return i + 1
	}
	for i < len(s) && s[i] == c {
		i++
	}
	return i
}

func startsWord(s string, i int) bool {
	if s[i] < utf8.RuneSelf {
		return isASCIIWord(s[i])
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return !isIdeograph(r) && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isIdeograph tells which runes are cut into pairs: scripts written without
// spaces. It is narrower than IsCJK, which also counts punctuation.
func isIdeograph(r rune) bool {
	switch {
	case r < 0x3040:
		return r == 0x3005 || r == 0x3007
	case r <= 0x30FF, r >= 0x3400 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7AF:
		return r != 0x30FB
	case r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x323AF:
		return true
	}
	return false
}

// Terms is what one unit contributes to the index. Base terms count towards
// the length of a field, Extra terms do not.
type Terms struct {
	Base  []string // stems, or one CJK pair
	Extra []string // exact forms, identifier parts and wholes
}

// Expand analyzes one unit's text.
func Expand(unit string, cjk bool) Terms {
	if cjk {
		return Terms{Base: []string{unit}}
	}
	var t Terms
	folded := foldWidth(unit)
	pieces := splitUnderscore(folded)
	for _, p := range pieces {
		t.word(p)
	}
	if len(pieces) > 1 && len(folded) <= maxTermBytes {
		t.Extra = append(t.Extra, WholePrefix+strings.ToLower(folded))
	}
	return t
}

func (t *Terms) word(p string) {
	lower := strings.ToLower(p)
	lower = strings.ReplaceAll(lower, "\u2019", "'")
	lower = strings.TrimSuffix(lower, "'s")
	if len(lower) > maxTermBytes {
		return
	}
	if IsStopWord(lower) {
		return
	}
	stem := Stem(lower)
	t.Base = append(t.Base, stem)
	if stem != lower {
		t.Extra = append(t.Extra, ExactPrefix+lower)
	}
	for _, part := range camelParts(p) {
		l := strings.ToLower(part)
		if len(l) >= 2 && !IsStopWord(l) {
			t.Extra = append(t.Extra, PartPrefix+Stem(l))
		}
	}
}

// Stem returns the English Snowball stem of a lower-cased ASCII word; other
// words are returned as they are.
func Stem(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return word
		}
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

func splitUnderscore(s string) []string {
	if !strings.Contains(s, "_") {
		return []string{s}
	}
	return strings.FieldsFunc(s, func(r rune) bool { return r == '_' })
}

// camelParts cuts an identifier at lower-to-upper changes and before the last
// capital of an acronym: useEffect gives use, Effect; XMLHttpRequest gives XML,
// Http, Request. A word without such a change gives nothing.
func camelParts(s string) []string {
	var parts []string
	start := 0
	for i := 1; i < len(s); i++ {
		if !isUpper(s[i]) {
			continue
		}
		afterLower := isLower(s[i-1]) || isDigit(s[i-1])
		acronymEnd := isUpper(s[i-1]) && i+1 < len(s) && isLower(s[i+1])
		if afterLower || acronymEnd {
			parts = append(parts, s[start:i])
			start = i
		}
	}
	if start == 0 {
		return nil
	}
	return append(parts, s[start:])
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// foldWidth maps full-width letters and digits to their ASCII form.
func foldWidth(s string) string {
	for i := range len(s) {
		if s[i] >= 0xEF {
			return strings.Map(func(r rune) rune {
				if r >= 0xFF01 && r <= 0xFF5E {
					return r - 0xFEE0
				}
				return r
			}, s)
		}
	}
	return s
}

// keywordStopWords are words that name nothing; they are never keywords.
var keywordStopWords = func() map[string]struct{} {
	m := map[string]struct{}{}
	for w := range strings.FieldsSeq("about all also and any are been but can could did does each for from get had has have here how into its just may more most must not now off one only other our out over own same should some such than that the their them then there these they this those too two under use used uses using very was way were what when where which while who will with would you your") {
		m[w] = struct{}{}
	}
	return m
}()

// Keyword returns the keyword that a unit stands for: a lower-cased ASCII word
// of three letters or more that is no stop word, or a CJK pair; else "".
func Keyword(unit string, cjk bool) string {
	if cjk {
		if utf8.RuneCountInString(unit) < 2 {
			return ""
		}
		return unit
	}
	if len(unit) < 3 || len(unit) > maxTermBytes {
		return ""
	}
	letter := false
	for i := range len(unit) {
		if unit[i] >= utf8.RuneSelf {
			return ""
		}
		letter = letter || isLower(unit[i]) || isUpper(unit[i])
	}
	lower := strings.ToLower(unit)
	if _, stop := keywordStopWords[lower]; stop || !letter || IsStopWord(lower) {
		return ""
	}
	return lower
}
