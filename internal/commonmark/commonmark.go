// Package commonmark builds Markdown parsers that need no more than linear time
// and space, whatever they are given. CommonMark's own rules let a text of a few
// KB ask for minutes, or for gigabytes: brackets that never close, emphasis that
// never matches, rows shorter than their table, one long address that is named a
// thousand times. Each of these has a bound here, beyond which markup is text.
//
// It decides nothing about what Markdown means: that is goldmark's. A text that
// a person wrote meets no bound.
package commonmark

import (
	"reflect"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Options are the default parsers with their bounds, and those of tables when
// they are wanted.
func Options(tables bool) []parser.Option {
	options := []parser.Option{
		parser.WithBlockParsers(Blocks(parser.DefaultBlockParsers())...),
		parser.WithInlineParsers(Inlines(parser.DefaultInlineParsers())...),
		parser.WithParagraphTransformers(Paragraphs()...),
		parser.WithASTTransformers(util.Prioritized(references{}, 0)),
	}
	if tables {
		options = append(options, parser.WithParagraphTransformers(util.Prioritized(table{extension.NewTableParagraphTransformer()}, 200)))
	}
	return options
}

// Blocks bounds how deep quotations and lists nest.
func Blocks(list []util.PrioritizedValue) []util.PrioritizedValue {
	var out []util.PrioritizedValue
	for _, v := range list {
		if p, ok := v.Value.(parser.BlockParser); ok && triggeredBy(p.Trigger(), ">-+*0") {
			v.Value = nested{p}
		}
		out = append(out, v)
	}
	return out
}

// Inlines bounds how often brackets and tags may fail to close in one block, and
// how much emphasis it may open.
func Inlines(list []util.PrioritizedValue) []util.PrioritizedValue {
	var out []util.PrioritizedValue
	for _, v := range list {
		if p, ok := v.Value.(parser.InlineParser); ok && triggeredBy(p.Trigger(), "[<*_~") {
			v.Value = Inline(p)
		}
		out = append(out, v)
	}
	return out
}

// Paragraphs bounds how many lines of definitions stand together.
func Paragraphs() []util.PrioritizedValue {
	var out []util.PrioritizedValue
	for _, v := range parser.DefaultParagraphTransformers() {
		v.Value = definitions{v.Value.(parser.ParagraphTransformer)}
		out = append(out, v)
	}
	return out
}

func triggeredBy(triggers []byte, any string) bool {
	for _, c := range triggers {
		for i := range len(any) {
			if c == any[i] {
				return true
			}
		}
	}
	return false
}

// nested is a parser of blocks that hold others.
type nested struct{ parser.BlockParser }

// Open implements [parser.BlockParser].
func (p nested) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if depth++; depth > maxNesting {
			return nil, parser.NoChildren
		}
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// bounded is an inline parser that gives up on a block in which it has failed,
// or has opened, too often.
type bounded struct{ parser.InlineParser }

// closing is one that is told of the end of a block.
type closing struct {
	bounded
	parser.CloseBlocker
}

// tally counts what a parser did in the present block.
type tally struct {
	block          ast.Node
	failed, opened int
}

// tallies is where a context keeps the tallies, by kinds of parsers. One key
// serves all: every context has room for all keys that were ever made.
var tallies = parser.NewContextKey()

// tallyOf returns the tally of a parser for the present block.
func tallyOf(p parser.InlineParser, block ast.Node, pc parser.Context) *tally {
	all, _ := pc.Get(tallies).(map[reflect.Type]*tally)
	if all == nil {
		all = map[reflect.Type]*tally{}
		pc.Set(tallies, all)
	}
	t := all[reflect.TypeOf(p)]
	if t == nil {
		t = &tally{}
		all[reflect.TypeOf(p)] = t
	}
	if t.block != block {
		*t = tally{block: block}
	}
	return t
}

// Inline bounds one inline parser.
func Inline(p parser.InlineParser) parser.InlineParser {
	b := bounded{p}
	if c, ok := p.(parser.CloseBlocker); ok {
		return closing{b, c}
	}
	return b
}

// Parse implements [parser.InlineParser].
func (p bounded) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	t := tallyOf(p.InlineParser, parent, pc)
	if t.failed >= maxFailures || t.opened >= maxOpened {
		return nil
	}
	line, _ := block.PeekLine()
	searches, opens := searchesOn(line), line[0] == '*' || line[0] == '_' || line[0] == '~'
	n := p.InlineParser.Parse(parent, block, pc)
	switch {
	case n == nil && searches:
		t.failed++
	case n != nil && opens:
		t.opened++
	}
	return n
}

// searchesOn reports whether markup that begins so is looked for an end of: an
// address behind a bracket, a tag. A bracket alone is judged where it stands.
func searchesOn(line []byte) bool {
	if len(line) < 2 {
		return false
	}
	switch line[0] {
	case ']':
		return line[1] == '(' || line[1] == '['
	case '<':
		return line[1] != ' '
	}
	return false
}

// definitions takes definitions of links off the beginning of a paragraph. Every
// one it takes moves the lines behind it.
type definitions struct{ parser.ParagraphTransformer }

// Transform implements [parser.ParagraphTransformer].
func (d definitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if node.Lines().Len() <= maxDefinitionLines {
		d.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// table makes tables of paragraphs. Rows that are shorter than the head are
// filled up, so that a small text can ask for a very large table.
type table struct{ parser.ParagraphTransformer }

// Transform implements [parser.ParagraphTransformer].
func (t table) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, bytes, columns := node.Lines(), 0, 0
	for i := range lines.Len() {
		line := lines.At(i)
		bytes += line.Len()
		columns = max(columns, columnsOf(line.Value(reader.Source())))
	}
	if columns*lines.Len() <= minCells+cellsPerByte*bytes {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// columnsOf is how many columns a line draws between head and rows at most, 0
// when it draws none.
func columnsOf(line []byte) int {
	columns := 1
	for _, c := range line {
		switch c {
		case '|':
			columns++
		case '-', ':', ' ', '\t', '\r', '\n':
		default:
			return 0
		}
	}
	return columns
}

// references takes the address off links that name one by reference, once all
// of them together have become much longer than the text.
type references struct{}

// Transform implements [parser.ASTTransformer].
func (references) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	left := minExpansion + expansionPerByte*len(reader.Source())
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			expand(&left, n.Reference, &n.Destination, &n.Title)
		case *ast.Image:
			expand(&left, n.Reference, &n.Destination, &n.Title)
		}
		return ast.WalkContinue, nil
	})
}

func expand(left *int, by *ast.ReferenceLink, destination, title *[]byte) {
	if by == nil {
		return
	}
	if *left -= len(*destination) + len(*title); *left < 0 {
		*destination, *title = nil, nil
	}
}
