package section

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"evergreen/internal/commonmark"
	"evergreen/internal/text"
)

// heading is one heading whose parent is the document.
type heading struct {
	title, raw string
	anchor     string
	level      int
	start      int // start of its first line
	bodyStart  int // start of the line after it
}

// explicitID finds the id that several dialects put behind a heading:
// {#id}, { #id }, {/*id*/}. The stars of the last are gone once emphasis has
// been rendered.
var explicitID = regexp.MustCompile(`\s*\{(?:\s*#([^\s{}]+)[^{}]*|/\*?\s*([^*{}]+?)\s*\*?/)\}\s*$`)

// findHeadings parses src, which begins at byte offset base of its document.
func findHeadings(src []byte, base int) []heading {
	if !bytes.ContainsAny(src, "#=-") {
		return nil
	}
	doc := parse(src)
	var out []heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			out = append(out, readHeading(src, h, base))
		}
	}
	return out
}

func readHeading(src []byte, n *ast.Heading, base int) heading {
	start := lineStart(src, n.Pos())
	last := n.Pos()
	raw := ""
	if lines := n.Lines(); lines.Len() > 0 {
		last = lines.At(lines.Len() - 1).Start
		raw = strings.TrimSpace(string(lines.Value(src)))
	}
	end := lineEnd(src, last)
	if setext := n.Lines().Len() > 0 && src[firstNonSpace(src, start)] != '#'; setext {
		end = lineEnd(src, end)
	} else if n.Lines().Len() > 1 {
		end = lineEnd(src, end)
	}
	title := inlineText(n, src)
	if cut := shorten(title, headingRunes); cut != title {
		title, end = cut, start // all of it stays in the body
	}
	h := heading{raw: raw, level: n.Level, start: base + start, bodyStart: base + end}
	if m := explicitID.FindStringSubmatchIndex(title); m != nil {
		for g := 2; g <= 4; g += 2 {
			if m[g] >= 0 {
				h.anchor = title[m[g]:m[g+1]]
			}
		}
		title = title[:m[0]]
	}
	h.title = text.CleanTitle(title)
	return h
}

func firstNonSpace(src []byte, i int) int {
	for i < len(src)-1 && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	return i
}

// lineStart returns the first byte of the line that holds position i.
func lineStart(src []byte, i int) int {
	return bytes.LastIndexByte(src[:min(max(i, 0), len(src))], '\n') + 1
}

// lineEnd returns the first byte after the line that holds position i.
func lineEnd(src []byte, i int) int {
	if i >= len(src) {
		return len(src)
	}
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(src)
}

// inlineText renders a node's inline children as plain text.
func inlineText(n ast.Node, src []byte) string {
	var b strings.Builder
	writeInline(&b, n, src)
	return strings.Join(strings.Fields(b.String()), " ")
}

func writeInline(b *strings.Builder, n ast.Node, src []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			value := c.Segment.Value(src)
			if c.IsRaw() || n.Kind() == ast.KindCodeSpan {
				b.Write(value)
			} else {
				b.Write(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value))))
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(src))
		case *ast.RawHTML:
		default:
			writeInline(b, c, src)
		}
	}
}

// parse builds the block tree of src; inline markup is parsed in headings only,
// since nothing else of it is read here.
func parse(src []byte) ast.Node { return outlines().Parse(gtext.NewReader(src)) }

// outlines is the parser of all documents: making one costs more than most
// documents do.
var outlines = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(commonmark.Blocks(parser.DefaultBlockParsers())...),
		parser.WithInlineParsers(headingInlines()...),
		parser.WithParagraphTransformers(commonmark.Paragraphs()...),
	)
})

func headingInlines() []util.PrioritizedValue {
	var out []util.PrioritizedValue
	for _, v := range commonmark.Inlines(parser.DefaultInlineParsers()) {
		p := v.Value.(parser.InlineParser)
		wrapped := onlyInHeadings{p}
		if closer, ok := p.(parser.CloseBlocker); ok {
			out = append(out, util.Prioritized(closingInHeadings{wrapped, closer}, v.Priority))
			continue
		}
		out = append(out, util.Prioritized(wrapped, v.Priority))
	}
	return out
}

type onlyInHeadings struct{ parser.InlineParser }

func (o onlyInHeadings) Parse(parent ast.Node, block gtext.Reader, pc parser.Context) ast.Node {
	if parent.Kind() != ast.KindHeading {
		return nil
	}
	return o.InlineParser.Parse(parent, block, pc)
}

type closingInHeadings struct {
	onlyInHeadings
	closer parser.CloseBlocker
}

func (c closingInHeadings) CloseBlock(parent ast.Node, block gtext.Reader, pc parser.Context) {
	c.closer.CloseBlock(parent, block, pc)
}
