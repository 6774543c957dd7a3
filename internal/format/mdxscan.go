package format

import "bytes"

// Finding where a JSX tag, an expression or an import ends.

// tag returns the end of the JSX tag that begins at i, 0 when there is none:
// autolinks, comparisons and mail addresses are no tags.
func (b *blanker) tag(i int) int {
	s, end := b.window(i)
	p := i + 1
	if p < end && s[p] == '/' {
		p = skipBlank(s, p+1, end)
		p = skipName(s, p, end)
		p = skipBlank(s, p, end)
		if p < end && s[p] == '>' {
			return p + 1
		}
		return 0
	}
	if p < end && s[p] == '>' {
		return p + 1
	}
	name := skipName(s, p, end)
	if name == p {
		return 0
	}
	for p = name; p < end; {
		q := skipBlank(s, p, end)
		if q == end {
			break
		}
		switch {
		case s[q] == '>':
			return q + 1
		case s[q] == '/':
			if q+1 < end && s[q+1] == '>' {
				return q + 2
			}
			return 0
		case q == p:
			return 0 // an attribute needs space before it
		}
		if p = b.attribute(q, end); p == 0 {
			return 0
		}
	}
	b.failures++
	return 0
}

// attribute returns the end of the attribute that begins at i, 0 for none.
func (b *blanker) attribute(i, end int) int {
	s := b.src
	if s[i] == '{' {
		return b.expression(i)
	}
	p := skipName(s, i, end)
	if p == i {
		return 0
	}
	q := skipBlank(s, p, end)
	if q >= end || s[q] != '=' {
		return p
	}
	q = skipBlank(s, q+1, end)
	if q >= end {
		return 0
	}
	switch s[q] {
	case '{':
		return b.expression(q)
	case '"', '\'':
		n := bytes.IndexByte(s[q+1:end], s[q])
		if n < 0 {
			b.failures++
			return 0
		}
		return q + n + 2
	}
	for p = q; p < end && !isSpace(s[p]) && bytes.IndexByte([]byte("\n\"'=<>`{}"), s[p]) < 0; p++ {
	}
	if p == q {
		return 0
	}
	return p
}

// expression returns the end of the braces that open at i, 0 when they do not
// close.
func (b *blanker) expression(i int) int {
	s, end := b.window(i)
	depth := 0
	for p := i; p < end; {
		switch s[p] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return p + 1
			}
		default:
			p = skipJS(s, p, end)
			continue
		}
		p++
	}
	b.failures++
	return 0
}

// window bounds how far a construct that begins at i is followed.
func (b *blanker) window(i int) (s []byte, end int) {
	if b.failures >= maxFailures {
		return b.src, i
	}
	return b.src, min(len(b.src), i+maxConstruct)
}

// skipJS returns the offset after the JavaScript token at p: a string, a
// template, a comment, or one character. A quote that its line does not close
// is an apostrophe; a template or comment without an end reaches to end.
func skipJS(s []byte, p, end int) int {
	switch c := s[p]; {
	case c == '\\':
		return min(p+2, end)
	case c == '"' || c == '\'':
		for q := p + 1; q < end && s[q] != '\n'; q++ {
			if s[q] == '\\' {
				q++
			} else if s[q] == c {
				return q + 1
			}
		}
	case c == '`':
		return skipTemplate(s, p, end)
	case c == '/' && p+1 < end && s[p+1] == '*':
		if n := bytes.Index(s[p+2:end], []byte("*/")); n >= 0 {
			return p + 2 + n + 2
		}
		return end
	case c == '/' && p+1 < end && s[p+1] == '/' && (p == 0 || s[p-1] != ':'):
		if n := bytes.IndexByte(s[p:end], '\n'); n >= 0 {
			return p + n
		}
		return end
	}
	return p + 1
}

// skipTemplate returns the end of the template literal at p. Within its ${}
// only braces count.
func skipTemplate(s []byte, p, end int) int {
	braces := 0
	for q := p + 1; q < end; q++ {
		switch c := s[q]; {
		case braces > 0 && c == '{':
			braces++
		case braces > 0 && c == '}':
			braces--
		case braces > 0:
		case c == '\\':
			q++
		case c == '`':
			return q + 1
		case c == '$' && q+1 < end && s[q+1] == '{':
			braces = 1
			q++
		}
	}
	return end
}

// opensESM reports whether a line begins an import or export declaration, and
// not a sentence that happens to start with that word.
func opensESM(line []byte) bool {
	if rest, ok := bytes.CutPrefix(line, []byte("import")); ok {
		return opensImport(rest)
	}
	rest, ok := bytes.CutPrefix(line, []byte("export"))
	if !ok || len(rest) == 0 || !(isSpace(rest[0]) || rest[0] == '{' || rest[0] == '*') {
		return false
	}
	rest = bytes.TrimLeft(rest, " \t")
	if len(rest) > 0 && (rest[0] == '{' || rest[0] == '*') {
		return true
	}
	switch word := string(rest[:skipName(rest, 0, len(rest))]); word {
	case "const", "let", "var", "function", "async", "default", "class", "type", "interface", "enum", "abstract", "declare":
		return true
	}
	return false
}

// opensImport looks at what follows the word import: a string, braces, a star,
// or a name before "from" or a comma.
func opensImport(rest []byte) bool {
	if len(rest) == 0 || !(isSpace(rest[0]) || bytes.IndexByte([]byte(`"'{*`), rest[0]) >= 0) {
		return false
	}
	rest = bytes.TrimLeft(rest, " \t")
	if after, ok := bytes.CutPrefix(rest, []byte("type ")); ok {
		rest = bytes.TrimLeft(after, " \t")
	}
	if len(rest) == 0 {
		return false
	}
	if bytes.IndexByte([]byte(`"'{*`), rest[0]) >= 0 {
		return true
	}
	n := skipName(rest, 0, len(rest))
	after := bytes.TrimLeft(rest[n:], " \t")
	return n > 0 && (bytes.HasPrefix(after, []byte(",")) || bytes.HasPrefix(after, []byte("from ")) ||
		bytes.HasPrefix(after, []byte(`from"`)) || bytes.HasPrefix(after, []byte("from'")))
}

// endOfESM returns the start of the line after the declarations that begin at
// i. They end with the first blank line that stands outside all brackets or,
// when the brackets do not balance, with the first blank line.
func (b *blanker) endOfESM(i int) int {
	s, end := b.window(i)
	depth, firstBlank := 0, 0
	for p := i; p < end; {
		if s[p] == '\n' {
			line := s[p+1 : b.lineEnd(p+1)]
			blank := len(bytes.TrimSpace(line)) == 0
			if depth == 0 && (blank || opensBlock(line)) {
				return p + 1
			}
			if blank && firstBlank == 0 {
				firstBlank = p + 1
			}
		}
		switch s[p] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth = max(depth-1, 0)
		default:
			p = skipJS(s, p, end)
			continue
		}
		p++
	}
	if depth == 0 && end == len(s) {
		return end
	}
	b.failures++
	if firstBlank > 0 {
		return firstBlank
	}
	return b.blankLineAfter(i)
}

// blankLineAfter returns the start of the first blank line after i.
func (b *blanker) blankLineAfter(i int) int {
	for i < len(b.src) {
		i = b.lineEnd(i) + 1
		if i >= len(b.src) {
			break
		}
		if len(bytes.TrimSpace(b.src[i:b.lineEnd(i)])) == 0 {
			return i
		}
	}
	return len(b.src)
}

// opensBlock reports whether a line that follows a whole declaration cannot go
// on with it: a heading, a tag, a fence.
func opensBlock(line []byte) bool {
	return line[0] == '#' || line[0] == '<' || bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
}

// skipName returns the end of the name that begins at p, p when there is none.
func skipName(s []byte, p, end int) int {
	if p >= end || !isNameStart(s[p]) {
		return p
	}
	for p < end && (isNameStart(s[p]) || (s[p] >= '0' && s[p] <= '9') || s[p] == '-' || s[p] == '.' || s[p] == ':') {
		p++
	}
	return p
}

func isNameStart(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || (c|0x20 >= 'a' && c|0x20 <= 'z')
}

func skipBlank(s []byte, p, end int) int {
	for p < end && (isSpace(s[p]) || s[p] == '\n') {
		p++
	}
	return p
}
