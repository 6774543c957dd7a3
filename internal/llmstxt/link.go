package llmstxt

import "strings"

// InlineLinks returns the inline links `[name](url "title")` and autolinks
// `<https://...>` of one line of Markdown, outside code spans. Images are left
// out. URLs come as written.
func InlineLinks(line string) []Link {
	var links []Link
	for i := 0; i < len(line); {
		switch line[i] {
		case '\\':
			i += 2
		case '`':
			i = afterCode(line, i)
		case '[':
			l, end, ok := inlineLink(line, i)
			if ok && (i == 0 || line[i-1] != '!') {
				links = append(links, l)
			}
			if !ok {
				end = i + 1
			}
			i = end
		case '<':
			url, end, ok := autolink(line, i)
			if ok {
				links = append(links, Link{URL: url})
			}
			i = max(end, i+1)
		default:
			i++
		}
	}
	return links
}

// afterCode returns where the code span that begins at i ends; without a
// closing run of equal length the backticks are text.
func afterCode(line string, i int) int {
	run := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
	line = line[:min(len(line), i+run+maxNameBytes)]
	for j := i + run; j < len(line); {
		at := strings.IndexByte(line[j:], '`')
		if at < 0 {
			break
		}
		j += at
		n := len(line[j:]) - len(strings.TrimLeft(line[j:], "`"))
		j += n
		if n == run {
			return j
		}
	}
	return i + run
}

func autolink(line string, i int) (url string, end int, ok bool) {
	at := strings.IndexByte(line[i:min(len(line), i+maxURLBytes)], '>')
	if at < 0 {
		return "", 0, false
	}
	url = line[i+1 : i+at]
	ok = isWeb(url) && !strings.ContainsAny(url, " \t<")
	return url, i + at + 1, ok
}

// inlineLink reads the link that begins with the bracket at i.
func inlineLink(line string, i int) (l Link, end int, ok bool) {
	close := closing(line[:min(len(line), i+maxNameBytes)], i, '[', ']')
	if close < 0 || close+1 >= len(line) || line[close+1] != '(' {
		return Link{}, 0, false
	}
	l.Name = unescape(strings.TrimSpace(line[i+1 : close]))
	line = line[:min(len(line), close+2+maxURLBytes)]
	rest := strings.TrimLeft(line[close+2:], " \t")
	at := len(line) - len(rest)
	if strings.HasPrefix(rest, "<") {
		n := strings.IndexByte(rest, '>')
		if n < 0 {
			return Link{}, 0, false
		}
		l.URL = rest[1:n]
		at += n + 1
	} else {
		n := destination(rest)
		l.URL = rest[:n]
		at += n
	}
	l.URL = unescape(l.URL)
	end, ok = afterTitle(line, at)
	return l, end, ok
}

// destination returns the length of a bare link destination: up to blank space
// or the parenthesis that it did not open.
func destination(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ' ', '\t':
			return i
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(s)
}

// afterTitle skips an optional quoted title and the closing parenthesis.
func afterTitle(line string, at int) (end int, ok bool) {
	rest := strings.TrimLeft(line[at:], " \t")
	if rest != "" && strings.ContainsRune(`"'`, rune(rest[0])) {
		n := strings.IndexByte(rest[1:], rest[0])
		if n < 0 {
			return 0, false
		}
		rest = strings.TrimLeft(rest[n+2:], " \t")
	}
	if !strings.HasPrefix(rest, ")") {
		return 0, false
	}
	return len(line) - len(rest) + 1, true
}

// closing returns the index of the bracket that closes the one at i, or -1.
func closing(s string, i int, open, close byte) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case open:
			depth++
		case close:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// unescape undoes Markdown's backslash escapes of ASCII punctuation.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isWeb(url string) bool {
	return strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
}
