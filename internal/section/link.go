package section

import (
	"net/url"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"evergreen/internal/commonmark"
	"evergreen/internal/text"
)

// Link is a link or image of a document, as its author wrote it.
type Link struct {
	Target string // destination, escapes and entities resolved
	Text   string
	Image  bool
	Offset int // byte offset of the block that holds it
}

// whole is the parser of links, which reads inline markup everywhere.
var whole = sync.OnceValue(func() parser.Parser { return parser.NewParser(commonmark.Options(false)...) })

// Links lists the links and images of a Markdown text in order, those of code
// left out. head is as in Options.HeadBytes.
func Links(src []byte, head int) []Link {
	head = min(max(head, bomLength(src)), len(src))
	body := src[head:]
	doc := whole().Parse(gtext.NewReader(body))
	var out []Link
	block := 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock && n.Pos() > 0 {
			block = n.Pos()
		}
		switch n := n.(type) {
		case *ast.Link:
			out = append(out, Link{resolved(n.Destination), inlineText(n, body), false, head + block})
		case *ast.Image:
			out = append(out, Link{resolved(n.Destination), inlineText(n, body), true, head + block})
		case *ast.AutoLink:
			out = append(out, Link{string(n.URL(body)), string(n.Label(body)), false, head + block})
		}
		return ast.WalkContinue, nil
	})
	return out
}

// resolved undoes the entities that CommonMark allows in a destination.
func resolved(destination []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(destination)))
}

// commonSchemes are the schemes that links of documentation use.
func commonSchemes() []string {
	return []string{"http", "https", "mailto", "ftp", "tel", "data"}
}

// Suspicion says what looks wrong about the link's target: a scheme that is a
// slip of a common one. It is "" when nothing does.
func (l Link) Suspicion() string {
	scheme, rest, ok := strings.Cut(l.Target, ":")
	if !ok || !strings.HasPrefix(rest, "//") {
		return ""
	}
	for _, s := range commonSchemes() {
		if strings.EqualFold(s, scheme) {
			return ""
		}
	}
	for _, s := range commonSchemes() {
		if text.Distance(strings.ToLower(scheme), s) == 1 {
			return "the scheme " + scheme + "://" + " looks like " + s + "://"
		}
	}
	return ""
}

// Relative returns the path of a target within the same set of documents,
// resolved against the doc_path that holds it, and its anchor. ok is false for
// targets elsewhere: other hosts, absolute paths, other schemes.
func (l Link) Relative(docPath string) (target, anchor string, ok bool) {
	u, err := url.Parse(l.Target)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "/") {
		return "", "", false
	}
	if u.Path == "" {
		return docPath, u.Fragment, u.Fragment != ""
	}
	base, err := url.Parse("/" + (&url.URL{Path: docPath}).EscapedPath())
	if err != nil {
		return "", "", false
	}
	resolved := base.ResolveReference(u)
	return strings.TrimPrefix(resolved.Path, "/"), u.Fragment, true
}
