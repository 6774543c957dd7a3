// Package charset turns the bytes of a document into UTF-8. It knows labels,
// byte order marks and statistics; it knows nothing of files, HTTP or Markdown.
//
// UTF-8 comes back untouched, byte order mark and line ends included, so that
// byte offsets into the result are offsets into the file.
package charset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

const utf8Label = "utf-8"

// claim is one statement about a document's encoding.
type claim struct {
	by    string // who says so: "header" or "document"
	label string // as written
	enc   encoding.Encoding
	name  string // canonical name, "" when the label is unknown
}

// Decode returns data as valid UTF-8, the canonical (WHATWG) name of the
// encoding it was in, and a warning, empty when nothing was doubtful.
//
// header is a Content-Type value or "". With html the document's own <meta> is
// consulted. In order of trust: byte order mark, header, <meta> in the head,
// XML prolog, being valid UTF-8, a statistical detector, windows-1252. A label
// that does not fit the bytes is passed over with a warning. Bytes that nothing
// explains become U+FFFD.
func Decode(data []byte, header string, html bool) (text []byte, label, warning string) {
	if text, label, ok := decodeBOM(data); ok {
		return text, label, replacementWarning(text, data, label)
	}
	var warnings []string
	claims := claimsOf(data, header, html, &warnings)
	text, label = settle(data, claims, &warnings)
	return text, label, strings.Join(warnings, "; ")
}

// claimsOf collects what header and document say; unknown labels only warn.
func claimsOf(data []byte, header string, html bool, warnings *[]string) []claim {
	var claims []claim
	add := func(by, label string) {
		if label == "" {
			return
		}
		enc, name := lookup(label)
		if name == "" {
			*warnings = append(*warnings, fmt.Sprintf("charset %q named by the %s is unknown", label, by))
			return
		}
		claims = append(claims, claim{by, label, enc, name})
	}
	add("header", headerLabel(header))
	own := ""
	if html {
		own = metaLabel(data)
	}
	if own == "" {
		own = prologLabel(data)
	}
	if _, name := lookup(own); strings.HasPrefix(name, "utf-16") {
		own = utf8Label // readable as ASCII, so it cannot be UTF-16 (WHATWG)
	}
	add("document", own)
	return claims
}

// settle picks the encoding among claims, UTF-8 and guesses, and decodes.
func settle(data []byte, claims []claim, warnings *[]string) ([]byte, string) {
	multi, bad := countUTF8(data)
	if bad == 0 {
		if text, name, ok := asciiDisguise(data, claims); ok {
			return text, name
		}
		return settleValid(data, claims, multi, warnings)
	}
	if best := fitting(data, claims); best != nil {
		for _, c := range claims {
			if c.name != best.claim.name {
				*warnings = append(*warnings, fmt.Sprintf("charset %q named by the %s disagrees with %q, which was used", c.label, c.by, best.claim.label))
			}
		}
		if best.bad > 0 {
			*warnings = append(*warnings, fmt.Sprintf("invalid %s replaced by U+FFFD (%d)", best.claim.name, best.bad))
		}
		return best.text, best.claim.name
	}
	for _, c := range claims {
		*warnings = append(*warnings, fmt.Sprintf("the bytes contradict charset %q named by the %s", c.label, c.by))
	}
	if multi >= bad {
		*warnings = append(*warnings, fmt.Sprintf("invalid utf-8 replaced by U+FFFD (%d)", bad))
		return toValid(data), utf8Label
	}
	if text, name, ok := detect(data); ok {
		*warnings = append(*warnings, fmt.Sprintf("charset guessed as %s", name))
		return text, name
	}
	*warnings = append(*warnings, fmt.Sprintf("bytes in no known charset replaced by U+FFFD (%d)", bad))
	return toValid(data), utf8Label
}

// settleValid handles bytes that are valid UTF-8. A claimed legacy encoding
// still wins when nobody claims UTF-8 and the bytes may be it by chance only.
func settleValid(data []byte, claims []claim, multi int, warnings *[]string) ([]byte, string) {
	claimed := slices.ContainsFunc(claims, func(c claim) bool { return c.name == utf8Label })
	zeros := bytes.IndexByte(data, 0) >= 0
	for _, c := range claims {
		if c.name == utf8Label || (multi == 0 && !zeros) {
			continue
		}
		byChance := (isWide(c.name) && zeros) || (isMultiByte(c.name) && multi < minUTF8Evidence)
		if byChance && !claimed {
			if t := tryClaim(data, c); t.bad == 0 {
				return t.text, c.name
			}
		}
		*warnings = append(*warnings, fmt.Sprintf("the bytes contradict charset %q named by the %s", c.label, c.by))
	}
	return data, utf8Label
}

// toValid replaces every byte that is not UTF-8 with U+FFFD.
func toValid(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		out = utf8.AppendRune(out, r)
		data = data[n:]
	}
	return out
}

// countUTF8 counts the multi-byte sequences and the bytes that belong to none.
func countUTF8(data []byte) (multi, bad int) {
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			multi++
		}
		i += n
	}
	return multi, bad
}
