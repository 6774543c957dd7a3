package crawl

import (
	"hash/fnv"
	"hash/maphash"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// wordsOf splits text into lower-case words; each character of a script that
// is written without blanks is a word.
func wordsOf(text string) []string {
	var words []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			words = append(words, strings.ToLower(text[start:end]))
			start = -1
		}
	}
	for i, c := range text {
		switch {
		case isWord(c):
			flush(i)
			words = append(words, string(c))
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(text))
	return words
}

// firstUnspaced is the first character of the scripts in isWord.
const firstUnspaced = '\u0e00'

// isWord tells characters of scripts that part no words by blanks.
func isWord(c rune) bool {
	return c >= firstUnspaced && unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// fewerWords tells whether a text has fewer than n words, looking no further
// than it must.
func fewerWords(text string, n int) bool {
	count, in := 0, false
	for _, c := range text {
		letter := unicode.IsLetter(c) || unicode.IsDigit(c)
		if isWord(c) || letter && !in {
			if count++; count >= n {
				return false
			}
		}
		in = letter
	}
	return true
}

// phrase is a text as words with single blanks between.
func phrase(text string) string { return strings.Join(wordsOf(text), " ") }

// covers tells whether Markdown holds what the page holds, so that it may stand
// for it.
func covers(page content, markdown []byte) bool {
	words := wordsOf(string(markdown))
	if len(words) == 0 {
		return false
	}
	text := " " + strings.Join(words, " ") + " "
	known := map[string]bool{}
	for _, w := range words {
		known[w] = true
	}
	holds := func(parts []string, least float64) bool {
		total, found := 0, 0
		for _, p := range parts {
			if p = phrase(p); p == "" {
				continue
			}
			total++
			if strings.Contains(text, " "+p+" ") {
				found++
			}
		}
		return float64(found) >= least*float64(total)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(wordsOf(page.text))))
	found := 0
	for _, w := range distinct {
		if known[w] {
			found++
		}
	}
	return holds(page.headings, twinHeadings) && holds(page.code, twinCode) &&
		float64(found) >= twinWords*float64(len(distinct))
}

// isShell tells a page whose text is made by scripts from one that has some.
func (f *facts) isShell() bool {
	if f.scripts == 0 || !fewerWords(f.text, shellWords) {
		return false
	}
	return f.mount || f.needsJS || f.isEmpty()
}

func (f *facts) isEmpty() bool { return fewerWords(f.text, 1) }

// asksWho tells a login page.
func (f *facts) asksWho() bool { return f.password && fewerWords(f.text, loginWords) }

// saysNotFound tells a page that calls itself missing though its status does
// not.
func (f *facts) saysNotFound() bool {
	if len(f.main.code) > 0 || !fewerWords(f.text, notFoundWords) {
		return false
	}
	for _, name := range append([]string{f.title}, f.main.headings...) {
		for _, part := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("|·—–-:", r) }) {
			switch phrase(part) {
			case "404", "not found", "page not found", "404 not found", "404 page not found", "error 404", "404 error", "page not found 404",
				"oops page not found", "file not found", "this page could not be found", "404 this page could not be found",
				"页 面 未 找 到", "页 面 不 存 在", "找 不 到 页 面", "未 找 到 页 面", "404 页 面 不 存 在", "404 页 面 未 找 到":
				return true
			}
		}
	}
	return false
}

// probe is what a site says for an address that cannot exist.
type probe struct {
	title       string
	text, plain map[uint64]bool // triples of words, as sent and without the echo
}

func newProbe(f *facts, path string) *probe {
	words := wordsOf(f.main.text)
	return &probe{
		title: strings.Join(withoutEcho(wordsOf(f.title), path), " "),
		text:  triples(words),
		plain: triples(withoutEcho(words, path)),
	}
}

// answers tells whether a page is the same answer for another address. The
// title must agree too: on a site of short pages all have much in common.
func (p *probe) answers(f *facts, path string) bool {
	if strings.Join(withoutEcho(wordsOf(f.title), path), " ") != p.title {
		return false
	}
	words := wordsOf(f.main.text)
	return max(alike(p.text, triples(words)), alike(p.plain, triples(withoutEcho(words, path)))) >= likeProbe
}

// withoutEcho drops the last segment of the address from a text that tells what
// was asked for.
func withoutEcho(words []string, path string) []string {
	path = strings.TrimRight(path, "/")
	echo := wordsOf(path[strings.LastIndexByte(path, '/')+1:])
	if len(echo) == 0 {
		return words
	}
	var kept []string
	for i := 0; i < len(words); i++ {
		if i+len(echo) <= len(words) && slices.Equal(words[i:i+len(echo)], echo) {
			i += len(echo) - 1
			continue
		}
		kept = append(kept, words[i])
	}
	return kept
}

// triples is the set of hashed word triples of a text.
func triples(words []string) map[uint64]bool {
	set := map[uint64]bool{}
	for i := range words {
		h := fnv.New64a()
		for _, w := range words[i:min(i+3, len(words))] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		set[h.Sum64()] = true
	}
	return set
}

// signature is a hash over the text of a page, whatever the blanks in it.
func (f *facts) signature() uint64 {
	h := maphash.Hash{}
	h.SetSeed(signatureSeed)
	for word := range strings.FieldsSeq(f.text) {
		h.WriteString(word)
		h.WriteByte(' ')
	}
	return h.Sum64()
}

// signatureSeed lives as long as the process: signatures are compared within
// one crawl only.
var signatureSeed = maphash.MakeSeed()

// alike is the share of common triples in all triples of two pages.
func alike(a, b map[uint64]bool) float64 {
	common := 0
	for t := range a {
		if b[t] {
			common++
		}
	}
	all := len(a) + len(b) - common
	if all == 0 {
		return 1
	}
	return float64(common) / float64(all)
}

// isLogin tells whether a redirect leads to a page that asks who one is.
func isLogin(to *url.URL) bool {
	for _, s := range strings.Split(strings.ToLower(to.Path), "/") {
		switch strings.TrimSuffix(strings.TrimSuffix(s, ".html"), ".php") {
		case "login", "signin", "sign-in", "sign_in", "log-in", "sso", "oauth", "oauth2", "auth", "authorize", "saml", "saml2", "session", "wp-login":
			return true
		}
	}
	host := strings.ToLower(to.Hostname())
	for _, label := range []string{"login.", "accounts.", "signin.", "sso.", "auth.", "idp."} {
		if strings.HasPrefix(host, label) {
			return true
		}
	}
	return false
}
