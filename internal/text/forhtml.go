package text

import (
	"bytes"
	"unicode/utf8"
)

// ForHTML puts U+FFFD in the place of what no HTML page may hold, in UTF-8 or
// otherwise: control characters but for tab, line feed, form feed and carriage
// return, and noncharacters (HTML Living Standard, 13.2.3.5). page itself is
// returned when it holds none.
func ForHTML(page []byte) []byte {
	if bytes.IndexFunc(page, forbidden) < 0 {
		return page
	}
	return bytes.Map(func(r rune) rune {
		if forbidden(r) {
			return utf8.RuneError
		}
		return r
	}, page)
}

func forbidden(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\t' && r != '\n' && r != '\f' && r != '\r'
	case r < 0x7F:
		return false
	}
	return r <= 0x9F || r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE
}
