package section_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"

	"evergreen/internal/section"
)

// TestHeadingsOfRealTrees compares the sections of real documentation with
// goldmark's own headings: none lost, none invented.
func TestHeadingsOfRealTrees(t *testing.T) {
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: real trees not checked")
	}
	for _, tree := range []string{"rust-book", "react", "hugo", "vue-en", "vue-zh"} {
		t.Run(tree, func(t *testing.T) {
			total, nested, files := 0, 0, 0
			err := filepath.WalkDir(filepath.Join(root, "docs", tree), func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(p, ".md") {
					return err
				}
				src, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				files++
				want, inner := wantHeadings(src)
				total, nested = total+len(want), nested+inner
				got := levels(section.Split(src, section.Options{Path: p, HeadBytes: frontMatter(src)}))
				if !bytes.Equal(want, got) {
					t.Errorf("%s: levels of headings %v, want %v", p, got, want)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if total == 0 {
				t.Fatal("no heading found: is the corpus there?")
			}
			t.Logf("%d files, %d headings found, 0 lost, 0 invented; %d nested in quotes or lists", files, total, nested)
		})
	}
}

func levels(d section.Document) []byte {
	var out []byte
	for _, r := range d.Rows {
		if r.Level > 0 {
			out = append(out, byte(r.Level))
		}
	}
	return out
}

func wantHeadings(src []byte) (want []byte, nested int) {
	body := src[frontMatter(src):]
	doc := goldmark.New().Parser().Parse(gtext.NewReader(body))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			if n.Parent() == ast.Node(doc) {
				want = append(want, byte(h.Level))
			} else {
				nested++
			}
		}
		return ast.WalkContinue, nil
	})
	return want, nested
}

// frontMatter is a reader of its own, so that the test does not trust ours.
func frontMatter(src []byte) int {
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		return 3
	}
	for _, fence := range []string{"---\n", "+++\n"} {
		if !bytes.HasPrefix(src, []byte(fence)) {
			continue
		}
		if end := bytes.Index(src, []byte("\n"+fence)); end > 0 && src[len(fence)] != '\n' {
			return end + 1 + len(fence)
		}
	}
	return 0
}
