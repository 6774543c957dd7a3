package extract

// Titles: what the head says without the names around it.

import (
	"strings"
	"unicode/utf8"
)

// cleanTitle drops a leading bracket ("[2401.1] ..."), a trailing site name
// after | · — or – when it is short, and a leading "Site - " when that is the
// site's name and the page's h1 does not repeat it. What would leave nothing
// is not dropped.
func cleanTitle(title, site, h1 string) string {
	t := strings.TrimLeft(oneLine(stripMarks(title)), "|· ")
	if h1 != "" && len(t) < len(oneLine(title)) && strings.HasPrefix(oneLine(title), "|") {
		return h1 // the name of the page is missing before the site's
	}
	if strings.HasPrefix(t, "[") {
		if _, rest, ok := strings.Cut(t, "]"); ok && strings.TrimSpace(rest) != "" {
			t = strings.TrimSpace(rest)
		}
	}
	if h1 != "" && t == h1 {
		return t
	}
	for _, sep := range [...]string{" | ", " · ", " — ", " – "} {
		i := strings.LastIndex(t, sep)
		if i <= 0 {
			continue
		}
		if utf8.RuneCountInString(t[i+len(sep):]) <= titleSuffixLimit {
			t = strings.TrimSpace(t[:i])
			break
		}
	}
	if site != "" && strings.HasPrefix(t, site+" - ") && !strings.HasPrefix(h1, site) {
		if rest := strings.TrimSpace(t[len(site)+3:]); rest != "" {
			t = rest
		}
	}
	return t
}

// stripMarks removes characters that do not belong in a title: zero-width
// spaces, byte order marks, pilcrows.
func stripMarks(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u200b', '\ufeff', '\u00b6':
			return -1
		case '\u00a0':
			return ' '
		}
		return r
	}, s)
}
