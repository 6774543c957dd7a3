package folder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

// plant writes files into a new folder and returns it. "name -> target" plants
// a symbolic link, "name/" an empty folder; content is the name unless "name:
// content" is given.
func plant(t testing.TB, files ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		plantOne(t, root, f)
	}
	return root
}

func plantOne(t testing.TB, root, f string) {
	t.Helper()
	name, target, isLink := strings.Cut(f, " -> ")
	name, content, hasContent := strings.Cut(name, ": ")
	if !hasContent {
		content = name
	}
	abs := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	switch {
	case isLink:
		if err = os.Symlink(filepath.FromSlash(target), abs); err != nil {
			t.Skipf("this system makes no symbolic links: %v", err)
		}
	case strings.HasSuffix(name, "/"):
		err = os.MkdirAll(abs, 0o755)
	default:
		err = os.WriteFile(abs, []byte(content), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// walk returns a walk's result in lines: "+ taken", "- skipped: why",
// "x place: why", "? extension: number".
func walk(t *testing.T, root string, opts Options) (lines []string, res Result) {
	t.Helper()
	res, err := Walk(context.Background(), root, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Files {
		lines = append(lines, "+ "+f.Path)
	}
	for _, s := range res.Skipped {
		lines = append(lines, "- "+s.Path+": "+s.Reason)
	}
	for _, s := range res.Places {
		lines = append(lines, "x "+s.Path+": "+s.Reason)
	}
	if res.Discovered != len(res.Files)+len(res.Skipped) {
		t.Errorf("discovered %d, but %d taken and %d skipped", res.Discovered, len(res.Files), len(res.Skipped))
	}
	return lines, res
}

func TestWalk(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		opts  Options
		want  []string
	}{
		{"kinds, in byte order",
			[]string{"b.md", "a/z.MD", "a.txt", "B.html", "img.png", "data.json", "kb/context.json", "x.mdx", "Makefile", "é.markdown"},
			Options{},
			[]string{"+ B.html", "+ a.txt", "+ a/z.MD", "+ b.md", "+ kb/context.json", "+ x.mdx", "+ é.markdown"}},
		{"secrets are documents like others",
			[]string{"secret.md", "secrets/token.md", "secrets-management/passwords.txt"}, Options{},
			[]string{"+ secret.md", "+ secrets-management/passwords.txt", "+ secrets/token.md"}},
		{"an empty folder", []string{"empty/"}, Options{}, nil},
		{"folders that stay shut",
			[]string{".git/x.md", ".svn/x.md", "node_modules/p/README.md", ".github/x.md", "lib/site-packages/x.md", "a.md"}, Options{},
			[]string{"+ a.md", "x .git: version control folder", "x .github: hidden folder", "x .svn: version control folder",
				"x lib/site-packages: dependency folder", "x node_modules: dependency folder"}},
		{"a hidden folder asked for",
			[]string{".github/x.md", ".well-known/y.md", ".git/x.md"}, Options{Include: []string{".github/**", "**/.well-known/*.md", ".git/**"}},
			[]string{"+ .github/x.md", "+ .well-known/y.md", "x .git: version control folder"}},
		{"a hidden file is a document", []string{".notes.md", ".profile"}, Options{}, []string{"+ .notes.md"}},
		{"include narrows",
			[]string{"docs/a.md", "docs/logo.png", "b.md"}, Options{Include: []string{"docs/"}},
			[]string{"+ docs/a.md"}},
		{"include that names a kind widens",
			[]string{"api/openapi.json", "a.json", "b.md", "c.rst"}, Options{Include: []string{"*.json", "*.{rst,adoc}"}},
			[]string{"+ a.json", "+ api/openapi.json", "+ c.rst"}},
		{"exclude wins and prunes",
			[]string{"a.md", "drafts/b.md", "x/drafts/c.md", "x/d.test.md"},
			Options{Include: []string{"**"}, Exclude: []string{"drafts/**", "*.test.md"}},
			[]string{"+ a.md", "+ x/drafts/c.md", "x drafts: excluded by a pattern"}},
		{"gitignore, nested and negated",
			[]string{".gitignore: *.txt\n/build/\n!keep.txt\n", "a.txt", "keep.txt", "build/x.md", "sub/build/y.md",
				"sub/.gitignore: !a.txt\n*.md", "sub/a.txt", "sub/b.txt"}, Options{},
			[]string{"+ keep.txt", "+ sub/a.txt", "- a.txt: ignored by .gitignore", "- sub/b.txt: ignored by .gitignore",
				"- sub/build/y.md: ignored by sub/.gitignore", "x build: ignored by .gitignore"}},
		{"git's own exclude file",
			[]string{".git/info/exclude: private.md", "private.md", "a.md"}, Options{},
			[]string{"+ a.md", "- private.md: ignored by .git/info/exclude", "x .git: version control folder"}},
		{"file cap in path order",
			[]string{"c.md", "a.md", "b/x.md", "d.md"}, Options{MaxFiles: 2},
			[]string{"+ a.md", "+ b/x.md", "- c.md: over the cap of 2 files (the first in path order are taken)",
				"- d.md: over the cap of 2 files (the first in path order are taken)"}},
		{"size cap",
			[]string{"a.md: 12345", "b.md: 123456"}, Options{MaxFileBytes: 5},
			[]string{"+ a.md", "- b.md: larger than 5 bytes (6 bytes)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, res := walk(t, plant(t, tt.files...), tt.opts)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if res.Truncated != (tt.opts.MaxFiles > 0) {
				t.Errorf("truncated is %v", res.Truncated)
			}
		})
	}
}

func TestWalkCountsWhatItDoesNotTake(t *testing.T) {
	root := plant(t, "a.md", "b.png", "c.PNG", "Makefile", ".profile", "x/d.go", "x/e.md")
	_, res := walk(t, root, Options{Include: []string{"*.md"}, Exclude: []string{"x/*.md"}})
	if diff := cmp.Diff(map[string]int{".png": 2, "": 2, ".go": 1}, res.OtherKinds); diff != "" {
		t.Errorf("other kinds -want +got\n%s", diff)
	}
	if res.OutOfScope != 1 || res.Discovered != 1 {
		t.Errorf("%d out of scope, %d discovered", res.OutOfScope, res.Discovered)
	}
}

func TestWalkExactCapIsNotTruncated(t *testing.T) {
	_, res := walk(t, plant(t, "a.md", "b.md"), Options{MaxFiles: 2})
	if res.Truncated || len(res.Files) != 2 {
		t.Errorf("truncated %v with %d files", res.Truncated, len(res.Files))
	}
}

func TestWalkManyFilesOverTheCap(t *testing.T) {
	var files []string
	for i := range 300 {
		files = append(files, fmt.Sprintf("%02d/%03d.md", i%20, i))
	}
	root := plant(t, files...)
	first, res := walk(t, root, Options{MaxFiles: 250})
	if !res.Truncated || res.Discovered != 300 || len(res.Files) != 250 || len(res.Skipped) != 50 {
		t.Errorf("truncated %v, discovered %d, taken %d", res.Truncated, res.Discovered, len(res.Files))
	}
	for range 5 {
		if again, _ := walk(t, root, Options{MaxFiles: 250}); !cmp.Equal(first, again) {
			t.Fatal("two walks of the same folder differ")
		}
	}
}

func TestWalkFacts(t *testing.T) {
	root := plant(t, "sub/a.md: hello")
	_, res := walk(t, root, Options{})
	abs := filepath.Join(root, "sub", "a.md")
	info, err := os.Stat(abs)
	if err != nil {
		t.Fatal(err)
	}
	inode, dev := fileID(info)
	want := []File{{"sub/a.md", abs, 5, info.ModTime().UnixNano(), inode, dev}}
	if diff := cmp.Diff(want, res.Files); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{root, filepath.Join(root, "sub")}, res.Folders); diff != "" {
		t.Errorf("folders entered: -want +got\n%s", diff)
	}
	if res.Root != root {
		t.Errorf("root %s, want %s", res.Root, root)
	}
}

func TestWalkOneFile(t *testing.T) {
	root := plant(t, "notes.rst: hi")
	got, res := walk(t, filepath.Join(root, "notes.rst"), Options{})
	if diff := cmp.Diff([]string{"+ notes.rst"}, got); diff != "" || res.Root != root {
		t.Errorf("root %s\n%s", res.Root, diff)
	}
	got, _ = walk(t, filepath.Join(root, "notes.rst"), Options{MaxFileBytes: 1})
	if diff := cmp.Diff([]string{"- notes.rst: larger than 1 bytes (2 bytes)"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWalkRepositoryAround(t *testing.T) {
	root := plant(t, "repo/.git/HEAD", "repo/.gitignore: /docs/draft.md\nout/\n", "repo/docs/.gitignore: !none", "repo/docs/draft.md",
		"repo/docs/a.md", "repo/docs/out/b.md", "repo/out/docs/c.md", ".gitignore: *.md")
	got, _ := walk(t, filepath.Join(root, "repo", "docs"), Options{})
	want := []string{"+ a.md", "- draft.md: ignored by ../.gitignore", "x out: ignored by ../.gitignore"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("inside a repository -want +got\n%s", diff)
	}
	got, _ = walk(t, filepath.Join(root, "repo", "out", "docs"), Options{})
	if diff := cmp.Diff([]string{"+ c.md"}, got); diff != "" {
		t.Errorf("an ignored folder asked for by name -want +got\n%s", diff)
	}
}

func TestWalkErrors(t *testing.T) {
	_, err := Walk(context.Background(), filepath.Join(t.TempDir(), "gone"), Options{})
	if evergreen.KindOf(err) != evergreen.NotFound || len(evergreen.Hints(err)) == 0 {
		t.Errorf("missing root: %v", err)
	}
	for _, pattern := range []string{"[", "", "{a"} {
		if _, err := Walk(context.Background(), t.TempDir(), Options{Include: []string{pattern}}); evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("pattern %q: %v", pattern, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(ctx, plant(t, "a/b.md"), Options{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestWalkUnreadableFolder(t *testing.T) {
	root := plant(t, "a.md", "shut/b.md")
	shut := filepath.Join(root, "shut")
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(shut, 0o755)
	if _, err := os.ReadDir(shut); err == nil {
		t.Skip("this user may read everything")
	}
	got, _ := walk(t, root, Options{})
	if diff := cmp.Diff([]string{"+ a.md", "x shut: cannot be read: permission denied"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestVanishedFolderIsReported(t *testing.T) {
	w := newWalker(t.TempDir(), scope{}, limits{1, 1})
	w.run(context.Background(), task{rel: "gone", real: "gone"})
	if diff := cmp.Diff([]evergreen.Skip{{Path: "gone", Reason: "cannot be read: it vanished"}}, w.places); diff != "" {
		t.Error(diff)
	}
}

func TestSameDocPathTwice(t *testing.T) {
	w := newWalker("/r", scope{}, limits{10, 10})
	w.files = []File{{Path: "a/b.md", Abs: `/r/a\b.md`}, {Path: "a/b.md", Abs: "/r/a/b.md"}}
	res := w.finish()
	if len(res.Files) != 1 || res.Files[0].Abs != "/r/a/b.md" || len(res.Skipped) != 1 {
		t.Errorf("%+v", res)
	}
}

func TestWalkersAreBounded(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for procs, want := range map[int]int{1: 2, maxWalkers / 2: maxWalkers, maxWalkers: maxWalkers} {
		runtime.GOMAXPROCS(procs)
		if got := walkers(); got != want {
			t.Errorf("%d processors: %d walkers, want %d", procs, got, want)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	var files []string
	for i := range 2000 {
		files = append(files, fmt.Sprintf("%d/%d/%d/index.md: x", i%10, i%100, i))
	}
	root := plant(b, files...)
	for b.Loop() {
		if _, err := Walk(context.Background(), root, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
