package text

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// Slug turns a rendered title into one segment of a section id: lower case,
// Unicode letters and digits kept, white space, '_' and '-' become one '-',
// everything else dropped. A title without letters or digits gives 'h' and the
// first 8 hex digits of its sha256, so that it stays distinct and stable.
func Slug(title string) string {
	if s := slug(title, false); s != "" {
		return s
	}
	return hashSlug(title)
}

// ASCIISlug is Slug for systems that keep ASCII only: a title without any ASCII
// letter or digit is named by its hash.
func ASCIISlug(title string) string {
	if s := slug(title, true); s != "" {
		return s
	}
	return hashSlug(title)
}

func hashSlug(title string) string {
	sum := sha256.Sum256([]byte(title))
	return "h" + hex.EncodeToString(sum[:4])
}

func slug(title string, ascii bool) string {
	var b strings.Builder
	b.Grow(len(title))
	dash := false
	for _, r := range title {
		switch {
		case r == '-' || r == '_' || unicode.IsSpace(r):
			dash = b.Len() > 0
			continue
		case ascii && r > unicode.MaxASCII:
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) && b.Len() > 0:
		default:
			continue
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// CleanTitle removes what converters and generators leave in headings (zero
// width space, byte order mark, no-break space, pilcrow) and trims it.
func CleanTitle(title string) string {
	if strings.ContainsAny(title, "\u200b\ufeff\u00a0\u00b6") {
		title = strings.Map(func(r rune) rune {
			switch r {
			case 0x200B, 0xFEFF, 0x00B6:
				return -1
			case 0x00A0:
				return ' '
			}
			return r
		}, title)
	}
	return strings.TrimSpace(title)
}
