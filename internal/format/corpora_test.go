package format

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"
)

// Real documentation, read whole: nothing may be lost on the way.

// corpora returns the folder of documentation trees, or skips.
func corpora(t *testing.T) string {
	t.Helper()
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: real documents not read")
	}
	docs := filepath.Join(root, "docs")
	if _, err := os.Stat(docs); err != nil {
		t.Fatalf("EVERGREEN_CORPORA: %v", err)
	}
	return docs
}

// eachFile calls f with every Markdown file of a tree and says how many.
func eachFile(t *testing.T, dir string, f func(name string, data []byte)) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		data, err := os.ReadFile(name)
		n++
		f(name, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCorporaMDX(t *testing.T) {
	fences, blanked := 0, 0
	n := eachFile(t, filepath.Join(corpora(t), "react"), func(name string, data []byte) {
		doc := read(t, name, string(data), Options{MDX: true})
		if !bytes.Equal(doc.Text, data) || len(doc.Warnings) > 0 {
			t.Errorf("%s: warnings %q", name, doc.Warnings)
		}
		if doc.Outline == nil {
			return
		}
		blanked++
		before, after := structure(doc.Text[doc.FrontMatterEnd:]), structure(doc.Outline[doc.FrontMatterEnd:])
		fences += len(before.fences)
		for start, code := range before.fences {
			if after.fences[start] != code {
				t.Errorf("%s: the fence at byte %d changed", name, start)
			}
		}
		for start := range before.headings {
			if !after.headings[start] {
				t.Errorf("%s: the heading at byte %d is lost", name, start)
			}
		}
	})
	t.Logf("%d files, %d with MDX, %d fences", n, blanked, fences)
	if blanked < n/2 || fences < n {
		t.Error("hardly any MDX was met")
	}
}

// outlined is where CommonMark sees fences and headings.
type outlined struct {
	fences   map[int]string
	headings map[int]bool
}

func structure(text []byte) outlined {
	s := outlined{map[int]string{}, map[int]bool{}}
	root := goldmark.New().Parser().Parse(gtext.NewReader(text))
	ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline || n.Lines() == nil || n.Lines().Len() == 0 {
			return ast.WalkContinue, nil
		}
		start := n.Lines().At(0).Start
		switch n.(type) {
		case *ast.FencedCodeBlock:
			s.fences[start] = string(n.Lines().Value(text))
		case *ast.Heading:
			s.headings[bytes.LastIndexByte(text[:start], '\n')] = true // of its line
		}
		return ast.WalkContinue, nil
	})
	return s
}

func TestCorporaFrontMatter(t *testing.T) {
	root := corpora(t)
	for _, tree := range []struct {
		name   string
		titled int // files whose front matter has a title, at least
	}{{"react", 200}, {"hugo", 900}, {"vue-en", 0}, {"vue-zh", 0}, {"rust-book", 0}} {
		titled := 0
		n := eachFile(t, filepath.Join(root, tree.name), func(name string, data []byte) {
			doc := read(t, name, string(data), Options{})
			if !bytes.Equal(doc.Text, data) || len(doc.Warnings) > 0 {
				t.Errorf("%s: warnings %q", name, doc.Warnings)
			}
			if doc.Meta.Title != "" {
				titled++
			}
		})
		t.Logf("%s: %d files, %d with a title", tree.name, n, titled)
		if titled < tree.titled {
			t.Errorf("%s: only %d titles", tree.name, titled)
		}
	}
}

func TestCorporaMDN(t *testing.T) {
	f, err := os.Open(filepath.Join(corpora(t), "mdn-en.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	n, untitled := 0, 0
	for archive := tar.NewReader(z); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".md") {
			continue
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		n++
		doc := read(t, h.Name, string(data), Options{})
		if !bytes.Equal(doc.Text, data) || len(doc.Warnings) > 0 {
			t.Errorf("%s: warnings %q", h.Name, doc.Warnings)
		}
		if doc.FrontMatterEnd > 0 && doc.Meta.Title == "" {
			untitled++
		}
	}
	if n != 14074 || untitled > 0 {
		t.Errorf("%d files, %d without a title", n, untitled)
	}
}
