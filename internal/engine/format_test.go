package engine_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/testkit"
)

// handbook is what the libraries in testdata were made from.
var handbook = map[string]string{
	"keys.md":   "# Keys\n\nIntro to keys.\n\n## Rotating keys\n\nRun `rotateKey` daily. 每天轮换密钥。\n",
	"secret.md": "# Secret\n\nNothing hidden about the narwhal.\n",
}

// TestEarlierFormats opens libraries that each format of the store has written.
// The newest is answered from as it lies; earlier ones are refused with a way
// out, never misread, and indexing their source builds them anew.
func TestEarlierFormats(t *testing.T) {
	dirs, err := filepath.Glob("testdata/format-*")
	if err != nil || len(dirs) < 2 {
		t.Fatal(dirs, err)
	}
	out := testkit.Outcome{Name: "formats"}
	for i, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			b := newBench(t, handbook)
			root := filepath.Join(t.TempDir(), "library")
			if err := os.CopyFS(root, os.DirFS(filepath.Join(dir, "library"))); err != nil {
				t.Fatal(err)
			}
			b.e = b.open(root)
			if i < len(dirs)-1 {
				checkRefused(t, b)
				if _, err := b.e.Index(context.Background(), evergreen.IndexRequest{
					Source: evergreen.Source{Location: b.source}, Name: "docs"}, nil); err != nil {
					t.Fatal(err)
				}
			}
			checkHandbook(t, b)
		})
		out.Tried++
		if !t.Failed() {
			out.Survived++
		}
	}
	out.Detail = "libraries of " + strings.Join(names(dirs), ", ") + ": the newest read as it lies, earlier ones refused and built anew"
	testkit.Record(t, out)
}

func names(paths []string) (out []string) {
	for _, p := range paths {
		out = append(out, filepath.Base(p))
	}
	return out
}

// checkRefused wants every answer about the collection refused.
func checkRefused(t *testing.T, b *bench) {
	t.Helper()
	for _, ask := range []func() error{
		func() error {
			_, err := b.e.Search(context.Background(), evergreen.SearchRequest{Query: "narwhal", Collection: "docs"})
			return err
		},
		func() error {
			_, err := b.e.Section(context.Background(), evergreen.SectionRequest{ID: "docs::keys.md::keys#1"})
			return err
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "another version of Evergreen") || len(evergreen.Hints(err)) == 0 {
			t.Errorf("an earlier format gives %v, %q", err, evergreen.Hints(err))
		}
	}
	if d := b.e.Damaged(context.Background()); len(d) != 1 || len(d[0].Sources) != 2 {
		t.Errorf("its sources are forgotten: %+v", d)
	}
}

func checkHandbook(t *testing.T, b *bench) {
	t.Helper()
	if got := b.search("narwhal"); len(got) != 1 || got[0] != "docs::secret.md::secret#1" {
		t.Errorf("narwhal: %v", got)
	}
	if got := b.search("密钥"); len(got) != 1 {
		t.Errorf("密钥: %v", got)
	}
	if s := b.get("docs::keys.md::keys/rotating-keys#2"); s.Markdown != "## Rotating keys\n\nRun `rotateKey` daily. 每天轮换密钥。\n" {
		t.Errorf("section: %q", s.Markdown)
	}
}

// TestRepairEarlierFormat lets doctor's repair build a collection of an earlier
// format anew from the sources that its manifest names.
func TestRepairEarlierFormat(t *testing.T) {
	b := newBench(t, handbook)
	root := filepath.Join(t.TempDir(), "library")
	if err := os.CopyFS(root, os.DirFS("testdata/format-1/library")); err != nil {
		t.Fatal(err)
	}
	knowledge := filepath.Join(t.TempDir(), "context.json")
	if err := os.WriteFile(knowledge, []byte(knowledgeBase), 0o644); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(root, "collections", "docs", "manifest.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("/handbook/docs"), []byte(filepath.ToSlash(b.source)), 1)
	text = bytes.Replace(text, []byte("/handbook/context.json"), []byte(filepath.ToSlash(knowledge)), 1)
	if err := os.WriteFile(manifest, text, 0o644); err != nil {
		t.Fatal(err)
	}
	b.e = b.open(root)
	report, err := b.e.Repair(context.Background(), evergreen.RepairRequest{Name: "docs"}, nil)
	if err != nil || report.Reread != 3 || len(report.Missing) > 0 || len(report.Found) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	checkHandbook(t, b)
	if _, _, err := b.e.Entry(context.Background(), "T-2"); err != nil {
		t.Error(err)
	}
}
