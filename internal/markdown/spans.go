package markdown

// Code spans, links and images, and what must not stand at a line's start.

import (
	"net/url"
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// codeSpan writes inline code. Code that is one link becomes a link that
// holds code; other links inside code cannot be said and are left out.
func (r *run) codeSpan(n *html.Node) {
	if a := soleLink(n); a != nil && r.link == 0 {
		href := r.address(tree.Attr(a, "href"))
		if href != "" {
			r.raw("[" + r.span(tree.Raw(n)) + "](" + href + ")")
			return
		}
	}
	r.writeSpan(tree.Raw(n))
}

// writeSpan writes s as a code span. One that touches the span before it is
// joined to it: between two runs of backticks nothing can be told apart.
func (r *run) writeSpan(s string) {
	if r.code != "" && r.codeEnd == len(r.b) && !r.space && strings.TrimSpace(s) != "" {
		s = r.code + s
		r.b = r.b[:r.codeAt]
	}
	span := r.span(s)
	if span == "" {
		return
	}
	r.raw(span)
	r.code, r.codeAt, r.codeEnd = s, len(r.b)-len(span), len(r.b)
}

// soleLink is the one link that spans all of n's text.
func soleLink(n *html.Node) *html.Node {
	links := tree.Find(n, atom.A)
	if len(links) != 1 || strings.TrimSpace(tree.Raw(links[0])) != strings.TrimSpace(tree.Raw(n)) {
		return nil
	}
	return links[0]
}

// span puts s between runs of backticks longer than any inside it.
func (r *run) span(s string) string {
	s = strings.Join(strings.FieldsFunc(stripInvisible(s), func(c rune) bool {
		return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\u00a0'
	}), " ")
	if s == "" {
		return ""
	}
	if r.cell {
		s = strings.ReplaceAll(s, "|", `\|`)
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

func (r *run) anchor(n *html.Node) {
	href := r.address(tree.Attr(n, "href"))
	if href == "" || r.link > 0 {
		r.children(n)
		return
	}
	r.link++
	s, before, after := r.sub(n)
	r.link--
	lead, trail := breaksAround(&s)
	r.space = r.space || before
	if s == "" {
		r.space = r.space || after
		return
	}
	if lead {
		r.lineBreak()
	}
	r.flush()
	if k := len(r.b); k > 0 && r.b[k-1] == '!' && r.literal != k {
		r.b = append(r.b[:k-1], '\\', '!')
	}
	r.raw("[" + strings.ReplaceAll(s, "  \n", " ") + "](" + href + ")")
	if trail {
		r.lineBreak()
	}
	r.space = r.space || after
}

func (r *run) image(n *html.Node) {
	src := r.address(tree.Attr(n, "src"))
	if src == "" {
		return
	}
	alt := strings.Join(strings.Fields(stripInvisible(tree.Attr(n, "alt"))), " ")
	in := &run{w: r.w, cell: r.cell, link: 1}
	in.text(alt)
	r.raw("![" + string(in.b) + "](" + src + ")")
}

// address makes an address absolute and fit to stand between parentheses; ""
// when it leads nowhere.
func (r *run) address(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" || scripted(ref) {
		return ""
	}
	ref = strings.Map(func(c rune) rune {
		if c < ' ' {
			return -1
		}
		return c
	}, ref)
	return destination(Resolve(r.w.base, ref), r.cell)
}

// scripted reports addresses that run instead of lead.
func scripted(ref string) bool {
	i := strings.IndexByte(ref, ':')
	return i > 0 && i < 12 && (strings.EqualFold(ref[:i], "javascript") || strings.EqualFold(ref[:i], "vbscript"))
}

// Resolve makes ref absolute against base. Fragments of the page, addresses
// with a scheme of their own (mailto:, data:) and, without a base, all others
// stay as they are.
func Resolve(base *url.URL, ref string) string {
	if base == nil || strings.HasPrefix(ref, "#") || absolute(ref) {
		return ref
	}
	u, err := url.Parse(strings.ReplaceAll(ref, " ", "%20"))
	if err != nil {
		return ref
	}
	return base.ResolveReference(u).String()
}

// absolute reports whether ref begins with a scheme.
func absolute(ref string) bool {
	for i := 0; i < len(ref); i++ {
		c := ref[i]
		switch {
		case c == ':':
			return i > 1
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return false
}

// destination escapes an address for CommonMark.
func destination(s string, cell bool) string {
	if cell {
		s = strings.ReplaceAll(s, "|", "%7C")
	}
	if !strings.ContainsAny(s, " <>()\\&\u00a0") {
		return s
	}
	if i := strings.IndexByte(s, '&'); i >= 0 {
		var b strings.Builder
		for j := 0; j < len(s); j++ {
			b.WriteByte(s[j])
			if s[j] == '&' && entity(s[j:]) {
				b.WriteString("amp;")
			}
		}
		s = b.String()
	}
	s = strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", `\`, "%5C", "\u00a0", "%C2%A0").Replace(s)
	if !balanced(s) {
		s = strings.NewReplacer("(", `\(`, ")", `\)`).Replace(s)
	}
	return s
}

func balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// guardLines escapes what would begin a block at the start of a line.
func guardLines(s string) string {
	if !strings.Contains(s, "\n") {
		return guardLine(s, true)
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = guardLine(strings.TrimLeft(lines[i], " "), i == 0)
	}
	return strings.Join(lines, "\n")
}

func guardLine(s string, first bool) string {
	if s == "" {
		return s
	}
	switch c := s[0]; {
	case c == '#':
		k := len(s) - len(strings.TrimLeft(s, "#"))
		if k <= 6 && (k == len(s) || s[k] == ' ') {
			return `\` + s
		}
	case c == '>':
		return `\` + s
	case c == '+' || c == '-':
		if len(s) == 1 || s[1] == ' ' || strings.Trim(s, "- ") == "" || delimiterRow(s) {
			return `\` + s
		}
	case c == '=' && !first && strings.Trim(s, "= ") == "":
		return `\` + s
	case c == '~' && strings.HasPrefix(s, "~~~"):
		return `\` + s
	case c == '|' && !first, c == ':' && !first && delimiterRow(s):
		return `\` + s
	case c == '[' && definitionStart(s):
		return `\` + s
	case c >= '0' && c <= '9':
		k := len(s) - len(strings.TrimLeft(s, "0123456789"))
		if k <= 9 && k < len(s) && (s[k] == '.' || s[k] == ')') && (k+1 == len(s) || s[k+1] == ' ') {
			return s[:k] + `\` + s[k:]
		}
	}
	return s
}

// delimiterRow reports whether a line could be the second line of a table.
func delimiterRow(s string) bool {
	return strings.Trim(s, "|:- ") == "" && strings.Contains(s, "-")
}

// definitionStart reports whether a line begins like a link reference
// definition, which readers would swallow.
func definitionStart(s string) bool {
	i := strings.Index(s, "]:")
	return i > 1 && s[1] != '^' && !strings.Contains(s[:i], "](")
}
