package robots

import "strings"

// Allowed tells whether the policy lets its agent fetch target, the path of a
// URL with its query ("/a/b?c=d"), and which rule decided; the zero Rule means
// that none matched. The longest pattern wins, Allow wins among equals (RFC
// 9309, 2.2.2). /robots.txt itself is always allowed.
func (p Policy) Allowed(target string) (bool, Rule) {
	// A star or dollar sign in a URL is itself; a pattern writes it encoded.
	target = strings.NewReplacer("*", "%2A", "$", "%24").Replace(canonical(target))
	if target == "/robots.txt" {
		return true, Rule{}
	}
	if p.DenyAll {
		return false, Rule{Pattern: "/"}
	}
	var winner Rule
	longest := -1
	for _, r := range p.Rules {
		pattern := canonical(r.Pattern)
		if len(pattern) < longest || len(pattern) == longest && !r.Allow {
			continue
		}
		if matches(pattern, target) {
			winner, longest = r, len(pattern)
		}
	}
	return longest < 0 || winner.Allow, winner
}

// matches compares a pattern with a path, both canonical. Between stars the
// first place found is the best one, except for the last part before a `$`.
func matches(pattern, target string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(target, parts[0]) {
		return false
	}
	rest := target[len(parts[0]):]
	for i, part := range parts[1:] {
		if anchored && i == len(parts)-2 {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return !anchored || rest == ""
}

// canonical brings paths and patterns to one spelling: bytes outside ASCII are
// percent-encoded, encoded unreserved characters are decoded, hex digits are
// upper case (RFC 9309, 2.2.2; RFC 3986, 6.2.2).
func canonical(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			decoded := unhex(s[i+1])<<4 | unhex(s[i+2])
			if unreserved(decoded) {
				b.WriteByte(decoded)
			} else {
				b.WriteByte('%')
				b.WriteByte(hex[decoded>>4])
				b.WriteByte(hex[decoded&15])
			}
			i += 2
		case c >= 0x80 || c <= ' ':
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
