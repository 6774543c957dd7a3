package jsonvalue

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kaptinlin/jsonrepair"
)

// This file reads text that stands where an object or array should: JSON,
// fenced JSON, Python literals, trailing commas, repeats. It never invents
// content: text that was cut short is refused, and damaged text may gain and
// lose punctuation only.

// Reading is what a text turned out to be.
type Reading uint8

const (
	ReadNothing   Reading = iota // no container: plain text
	ReadContainer                // an object or array
	ReadDiffering                // several containers that are not the same
	ReadTruncated                // a container that was cut short
	ReadDamaged                  // a container that cannot be read
)

// Reader reads the texts of one call. It remembers damaged ones, so that
// none is paid for twice.
type Reader struct {
	spent int // bytes given to the tolerant reader
	known map[string]*Value
}

// Read reads s as a container. how names the form for the hint.
func (t *Reader) Read(s string) (v *Value, how string, r Reading) {
	s, how = unfence(s)
	if s == "" || s[0] != '{' && s[0] != '[' {
		return nil, "", ReadNothing
	}
	if how == "" {
		how = "JSON text"
	}
	first, rest, err := parsePrefix([]byte(s))
	switch last := s[len(s)-1]; {
	case err == nil:
		return readRest(first, rest, how)
	case err == ErrNesting:
		return nil, "", ReadDamaged
	case !looksLikeJSON(s):
		return nil, "", ReadNothing
	case last != '}' && last != ']':
		return nil, "", ReadTruncated
	}
	if v = t.tolerant(s); v == nil {
		return nil, "", ReadDamaged
	}
	return v, "damaged JSON text", ReadContainer
}

// tolerant reads damaged text, nil when it cannot be read without inventing.
func (t *Reader) tolerant(s string) *Value {
	v, seen := t.known[s]
	if seen {
		return v
	}
	if t.spent += len(s); t.spent > maxTolerant {
		return nil
	}
	plain := uncommented(s)
	if fixed, err := jsonrepair.Repair(plain); err == nil {
		if v, err = Parse([]byte(fixed)); err != nil || !sameLetters(plain, v) {
			v = nil
		}
	}
	if t.known == nil {
		t.known = map[string]*Value{}
	}
	t.known[s] = v
	return v
}

// readRest judges what follows a container: nothing, the same again, or prose.
func readRest(first *Value, rest []byte, how string) (*Value, string, Reading) {
	rest = skipSpace(rest)
	for len(rest) > 0 {
		if rest[0] != '{' && rest[0] != '[' {
			if first.Kind == List {
				return nil, "", ReadNothing
			}
			if strings.ContainsAny(string(rest), "{}[]") {
				return nil, "", ReadDiffering
			}
			return first, "JSON text with prose behind it", ReadContainer
		}
		next, more, err := parsePrefix(rest)
		if err != nil || !Same(first, next) {
			return nil, "", ReadDiffering
		}
		rest, how = skipSpace(more), "repeated JSON text"
	}
	return first, how, ReadContainer
}

// unfence strips white space, a byte order mark and a Markdown code fence.
func unfence(s string) (inner, how string) {
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "\ufeff"))
	for _, mark := range []string{"```", "~~~"} {
		body, ok := strings.CutPrefix(s, mark)
		if !ok {
			continue
		}
		body = strings.TrimSpace(strings.TrimSuffix(body, mark))
		body = strings.TrimLeftFunc(body, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		return strings.TrimSpace(body), "fenced JSON text"
	}
	return s, ""
}

// looksLikeJSON reports whether text that starts with a bracket goes on as a
// container does, so that "[docs] how to" stays a sentence.
func looksLikeJSON(s string) bool {
	rest := strings.TrimSpace(s[1:])
	if rest == "" {
		return true
	}
	if s[0] == '[' {
		return strings.ContainsRune("{[\"']-0123456789", rune(rest[0])) || literal(rest)
	}
	if strings.ContainsRune("\"'}“‘", []rune(rest)[0]) {
		return true
	}
	word := strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' })
	return len(word) < len(rest) && strings.HasPrefix(strings.TrimSpace(word), ":")
}

// literal reports whether text starts with a word of JSON or Python.
func literal(s string) bool {
	return slices.ContainsFunc([]string{"true", "false", "null", "True", "False", "None"}, func(w string) bool { return strings.HasPrefix(s, w) })
}

// uncommented drops the comments that stand outside of strings.
func uncommented(s string) string {
	if !strings.Contains(s, "/*") && !strings.Contains(s, "//") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		end := -1
		switch {
		case s[i] == '"' || s[i] == '\'':
			n := quotedLength(s[i:])
			b.WriteString(s[i : i+n])
			i += n - 1
			continue
		case strings.HasPrefix(s[i:], "/*"):
			if end = strings.Index(s[i:], "*/"); end >= 0 {
				end++
			}
		case strings.HasPrefix(s[i:], "//"):
			end = strings.IndexByte(s[i:], '\n')
		}
		if end >= 0 {
			i += end
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// quotedLength is the length of the quoted string at the start of s.
func quotedLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

// sameLetters reports whether v holds the ASCII letters and digits of src, in
// order, and no others. A null may have been written in other words.
func sameLetters(src string, v *Value) bool {
	want := letterTrail(src)
	rest, ok := eat(want, v)
	return ok && rest == ""
}

// letterTrail keeps the ASCII letters and digits of a text, without those that
// belong to escapes.
func letterTrail(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch c := s[i+1]; {
			case c == 'u' && i+5 < len(s):
				i += 5
				continue
			case strings.IndexByte("bfnrt\\", c) >= 0:
				i++
				continue
			}
		}
		if isAlnum(s[i]) {
			b.WriteByte(lower(s[i]))
		}
	}
	return b.String()
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// eat takes v's letters off the front of trail.
func eat(trail string, v *Value) (rest string, ok bool) {
	word := func(s string) bool {
		for i := 0; i < len(s); i++ {
			if !isAlnum(s[i]) {
				continue
			}
			if trail == "" || trail[0] != lower(s[i]) {
				return false
			}
			trail = trail[1:]
		}
		return true
	}
	switch v.Kind {
	case Null:
		for _, null := range []string{"null", "none", "undefined"} {
			if after, found := strings.CutPrefix(trail, null); found {
				return after, true
			}
		}
		return trail, false
	case Bool:
		if v.Bool {
			ok = word("true")
		} else {
			ok = word("false")
		}
		return trail, ok
	case Number, Text:
		ok = word(v.Text)
		return trail, ok
	}
	for _, e := range v.Items {
		if trail, ok = eat(trail, e); !ok {
			return trail, false
		}
	}
	for _, f := range v.Fields {
		if !word(f.Name) {
			return trail, false
		}
		if trail, ok = eat(trail, f.Value); !ok {
			return trail, false
		}
	}
	return trail, true
}
