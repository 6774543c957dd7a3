// Where markup becomes text, on both sides of every bound.
package commonmark_test

import (
	"strconv"
	"strings"
	"testing"

	"evergreen/internal/commonmark"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// count parses a text and counts the nodes of a kind.
func count(src string, kind ast.NodeKind) int {
	doc := parser.NewParser(commonmark.Options(true)...).Parse(text.NewReader([]byte(src)))
	n := 0
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && node.Kind() == kind {
			n++
		}
		return ast.WalkContinue, nil
	})
	return n
}

// Every key that was ever made has room in every context: parsers that made keys
// of their own would let each text cost more than the one before.
func TestParsersShareTheirKey(t *testing.T) {
	before := parser.ContextKeyMax
	for range 10 {
		count("*a* [b](c) <d>", ast.KindEmphasis)
	}
	if parser.ContextKeyMax != before {
		t.Errorf("ten parsers made %d keys", parser.ContextKeyMax-before)
	}
}

func TestBounds(t *testing.T) {
	rows := func(columns, rows int) string {
		return strings.Repeat("|a", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n" + strings.Repeat("|b|\n", rows)
	}
	definitions := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString("[" + strconv.Itoa(i) + "]: x\n")
		}
		return b.String()
	}
	tests := []struct {
		name string
		src  string
		kind ast.NodeKind
		want int
	}{
		{"quotations, the deepest", strings.Repeat(">", 100) + "a", ast.KindBlockquote, 100},
		{"quotations, deeper", strings.Repeat(">", 5000) + "a", ast.KindBlockquote, 100},
		{"lists, deeper", strings.Repeat("* ", 5000) + "a", ast.KindList, 50}, // each has an item
		{"a link after 249 that fail", strings.Repeat("[a](", 249) + " [a](b)", ast.KindLink, 1},
		{"a link after 250 that fail", strings.Repeat("[a](", 250) + " [a](b)", ast.KindLink, 0},
		{"the next paragraph starts anew", strings.Repeat("[a](", 250) + "\n\n[a](b)", ast.KindLink, 1},
		{"brackets that are no links fail at no cost", strings.Repeat("[a] ", 2000) + "[a](b)", ast.KindLink, 1},
		{"a tag after 250 that fail", strings.Repeat("<a ", 250) + "<b>", ast.KindRawHTML, 0},
		{"comparisons are no tags", strings.Repeat("a < b ", 2000) + "<b>x</b>", ast.KindRawHTML, 2},
		{"emphasis, the most", strings.Repeat("*a* ", 1000), ast.KindEmphasis, 1000},
		{"emphasis, more", strings.Repeat("*a* ", 5000), ast.KindEmphasis, 1000},
		{"definitions, the most", definitions(8192), ast.KindLinkReferenceDefinition, 8192},
		{"definitions, more", definitions(8193), ast.KindLinkReferenceDefinition, 0},
		{"a wide table with full rows", strings.Repeat(strings.Repeat("|a", 200)+"|\n", 1) + strings.Repeat("|-", 200) + "|\n" + strings.Repeat(strings.Repeat("|b", 200)+"|\n", 300), extast.KindTable, 1},
		{"a table with short rows", rows(20, 200), extast.KindTable, 1},
		{"a table of almost nothing but padding", rows(2000, 2000), extast.KindTable, 0},
	}
	for _, tt := range tests {
		if got := count(tt.src, tt.kind); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestAddressesAreNotMultiplied: what links name by reference is bounded in all,
// and a link keeps its text.
func TestAddressesAreNotMultiplied(t *testing.T) {
	address := strings.Repeat("a", 20_000)
	src := "[x]: " + address + " 'title'\n\n" + strings.Repeat("[x] ![x] ", 2000)
	doc := parser.NewParser(commonmark.Options(false)...).Parse(text.NewReader([]byte(src)))
	total, links := 0, 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			total, links = total+len(n.Destination)+len(n.Title), links+1
		case *ast.Image:
			total, links = total+len(n.Destination)+len(n.Title), links+1
		}
		return ast.WalkContinue, nil
	})
	if most := 1<<20 + 16*len(src); total > most || total < most-len(address) || links != 4000 {
		t.Errorf("%d links with %d bytes of addresses, of at most %d", links, total, most)
	}
}
