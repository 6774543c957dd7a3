package charset

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Decoding on trial: how well an encoding explains the bytes.

// trial is the outcome of decoding with one claimed encoding.
type trial struct {
	claim claim
	text  []byte
	bad   int // characters that came out broken
	total int // characters beyond ASCII
}

// fits reports whether so little is broken that the label may be believed.
func (t trial) fits() bool { return t.bad*badShare <= t.total }

func tryClaim(data []byte, c claim) trial {
	text, bad, total := decodeWith(c.enc, data)
	return trial{c, text, bad, total}
}

// decodeWith decodes data and counts broken characters: U+FFFD, and the C1
// controls that no text holds but that a wrong single-byte table produces.
func decodeWith(enc encoding.Encoding, data []byte) (text []byte, bad, total int) {
	text, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return nil, 1, 0
	}
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		total++
		if r == utf8.RuneError || (r >= 0x80 && r < 0xA0 && r != 0x85) {
			bad++
		}
		i += n
	}
	return text, bad, total
}

// fitting returns the best of the claims that fit, nil when none does. The
// first that fits wins; when header and document disagree and both fit, the
// one that the detector likes better.
func fitting(data []byte, claims []claim) *trial {
	var fits []trial
	for _, c := range claims {
		if t := tryClaim(data, c); t.fits() && t.total > 0 {
			fits = append(fits, t)
		}
	}
	switch {
	case len(fits) == 0:
		return nil
	case len(fits) == 1 || fits[0].claim.name == fits[1].claim.name:
		return &fits[0]
	}
	scores := detectorScores(data)
	best := &fits[0]
	if scores[fits[1].claim.name] > scores[best.claim.name] {
		best = &fits[1]
	}
	return best
}

// boms are the byte order marks, the longer of a common beginning first.
var boms = []struct {
	mark []byte
	name string
	enc  encoding.Encoding // nil for UTF-8
}{
	{[]byte("\xEF\xBB\xBF"), utf8Label, nil},
	{[]byte("\xFF\xFE\x00\x00"), "utf-32le", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{[]byte("\x00\x00\xFE\xFF"), "utf-32be", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{[]byte("\xFF\xFE"), "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{[]byte("\xFE\xFF"), "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
}

// HasWideBOM reports whether data begins with a UTF-16 or UTF-32 byte order
// mark, so that NUL bytes in it do not mean that it is binary.
func HasWideBOM(data []byte) bool {
	for _, b := range boms {
		if b.enc != nil && bytes.HasPrefix(data, b.mark) {
			return true
		}
	}
	return false
}

// decodeBOM decodes data that begins with a byte order mark. The mark of UTF-8
// stays, the others have no counterpart in the result.
func decodeBOM(data []byte) (text []byte, label string, ok bool) {
	for _, b := range boms {
		if !bytes.HasPrefix(data, b.mark) {
			continue
		}
		if b.enc == nil {
			if !utf8.Valid(data) {
				data = toValid(data)
			}
			return data, b.name, true
		}
		text, _, _ := decodeWith(b.enc, data[len(b.mark):])
		return text, b.name, true
	}
	return nil, "", false
}

// replacementWarning says how many characters a marked document lost.
func replacementWarning(text, data []byte, label string) string {
	lost := bytes.Count(text, []byte("\uFFFD"))
	if label == utf8Label {
		lost -= bytes.Count(data, []byte("\uFFFD"))
	}
	if lost <= 0 {
		return ""
	}
	return fmt.Sprintf("invalid %s replaced by U+FFFD (%d)", label, lost)
}

// asciiDisguise decodes encodings whose bytes are all ASCII: ISO-2022-JP, by
// claim or by its escape sequence.
func asciiDisguise(data []byte, claims []claim) (text []byte, name string, ok bool) {
	if !bytes.Contains(data, []byte("\x1b$")) {
		return nil, "", false
	}
	for _, c := range claims {
		if c.name != "iso-2022-jp" && c.name != utf8Label {
			return nil, "", false
		}
	}
	text, bad, total := decodeWith(japanese.ISO2022JP, data)
	return text, "iso-2022-jp", bad == 0 && total > 0
}

func isWide(name string) bool { return strings.HasPrefix(name, "utf-16") }

// isMultiByte reports whether an encoding's characters beyond ASCII take more
// than one byte, so that its text can be valid UTF-8 by chance.
func isMultiByte(name string) bool {
	switch name {
	case "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr":
		return true
	}
	return false
}
