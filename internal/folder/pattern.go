package folder

import "strings"

// One line of a .gitignore file and its matcher. Backtracking is bounded: each
// star gives back only to the star before it, so that a match costs at most
// len(pattern) x len(path). Matching is by bytes, as in git.

// pattern is one rule.
type pattern struct {
	negate   bool
	dirOnly  bool
	anywhere bool // has no slash: matched against the base name
	segments []string
}

// parsePattern reads one line; ok is false for blanks and comments.
func parsePattern(line string) (p pattern, ok bool) {
	line = trimBlanks(strings.TrimSuffix(line, "\r"))
	if line == "" || line[0] == '#' {
		return pattern{}, false
	}
	if line[0] == '!' {
		p.negate = true
		line = line[1:]
	}
	if strings.HasSuffix(line, "/") {
		p.dirOnly = true
		line = strings.TrimSuffix(line, "/")
	}
	p.anywhere = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return pattern{}, false
	}
	p.segments = strings.Split(line, "/")
	return p, true
}

// trimBlanks drops trailing spaces unless a backslash keeps one.
func trimBlanks(line string) string {
	for strings.HasSuffix(line, " ") {
		cut := line[:len(line)-1]
		slashes := len(cut) - len(strings.TrimRight(cut, `\`))
		if slashes%2 == 1 {
			break
		}
		line = cut
	}
	return line
}

// match reports whether the rule means path, relative to the rule's folder.
func (p pattern) match(path string, dir bool) bool {
	if p.dirOnly && !dir {
		return false
	}
	if p.anywhere {
		return matchName(p.segments[0], path[strings.LastIndexByte(path, '/')+1:])
	}
	return matchSegments(p.segments, strings.Split(path, "/"))
}

// matchSegments matches folder by folder; "**" stands for any number of them,
// at the end for one or more.
func matchSegments(pattern, path []string) bool {
	p, s := 0, 0
	star, resume := -1, 0
	for s < len(path) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if p == len(pattern)-1 {
				return true
			}
			star, resume = p, s
			p++
		case p < len(pattern) && matchName(pattern[p], path[s]):
			p++
			s++
		case star >= 0:
			resume++
			p, s = star+1, resume
		default:
			return false
		}
	}
	return p == len(pattern)
}

// matchName matches one name against * ? [class] and \ escapes.
func matchName(pattern, name string) bool {
	p, s := 0, 0
	star, resume := -1, 0
	for s < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, resume = p, s
			p++
			continue
		}
		if n := matchByte(pattern[p:], name[s]); n > 0 {
			p += n
			s++
			continue
		}
		if star < 0 {
			return false
		}
		resume++
		p, s = star+1, resume
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchByte returns how many bytes of the pattern were used to match c, 0 when
// they do not.
func matchByte(pattern string, c byte) int {
	if pattern == "" {
		return 0
	}
	switch pattern[0] {
	case '?':
		return 1
	case '[':
		return matchClass(pattern, c)
	case '\\':
		if len(pattern) > 1 && pattern[1] == c {
			return 2
		}
		return 0
	}
	if pattern[0] == c {
		return 1
	}
	return 0
}

// matchClass matches c against the class that pattern begins with and returns
// the length of the class, 0 for no match and for a class without an end.
func matchClass(pattern string, c byte) int {
	i := 1
	negate := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negate {
		i++
	}
	found := false
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			if found != negate {
				return i + 1
			}
			return 0
		}
		if name, ok := strings.CutPrefix(pattern[i:], "[:"); ok {
			if end := strings.Index(name, ":]"); end >= 0 {
				found = found || inNamedClass(name[:end], c)
				i += end + len("[::]")
				continue
			}
		}
		low, n := classByte(pattern[i:])
		i += n
		high := low
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			high, n = classByte(pattern[i+1:])
			i += 1 + n
		}
		found = found || (low <= c && c <= high)
	}
	return 0
}

// classByte reads one, perhaps escaped, byte of a class.
func classByte(s string) (c byte, n int) {
	if s[0] == '\\' && len(s) > 1 {
		return s[1], 2
	}
	return s[0], 1
}

// inNamedClass reports whether c is in a POSIX class such as "digit".
func inNamedClass(name string, c byte) bool {
	lower, upper, digit := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
	switch name {
	case "alnum":
		return lower || upper || digit
	case "alpha":
		return lower || upper
	case "blank":
		return c == ' ' || c == '\t'
	case "cntrl":
		return c < ' ' || c == 0x7F
	case "digit":
		return digit
	case "graph":
		return c > ' ' && c < 0x7F
	case "lower":
		return lower
	case "print":
		return c >= ' ' && c < 0x7F
	case "punct":
		return c > ' ' && c < 0x7F && !lower && !upper && !digit
	case "space":
		return c == ' ' || (c >= '\t' && c <= '\r')
	case "upper":
		return upper
	case "xdigit":
		return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
	}
	return false
}
