package folder

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWalkLinks(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  []string
	}{
		{"to the folder itself", []string{"a.md", "self -> ."},
			[]string{"+ a.md", "x self: symbolic link to ., which is visited already"}},
		{"to an ancestor", []string{"a/b/c.md", "a/b/up -> ..", "a/b/top -> ../.."},
			[]string{"+ a/b/c.md", "x a/b/top: symbolic link to ., which is visited already", "x a/b/up: symbolic link to a, which is visited already"}},
		{"to each other", []string{"a -> b", "b -> a", "x.md"},
			[]string{"+ x.md", "x a: symbolic link to nothing", "x b: symbolic link to nothing"}},
		{"a real file wins over links to it", []string{"z.md", "a.md -> z.md", "b.md -> a.md"},
			[]string{"+ z.md", "- a.md: symbolic link to z.md, which is taken already", "- b.md: symbolic link to z.md, which is taken already"}},
		{"a folder that is visited no other way", []string{".hidden/docs/a.md", "docs -> .hidden/docs", "more -> .hidden/docs"},
			[]string{"+ docs/a.md", "x .hidden: hidden folder", "x more: symbolic link to .hidden/docs, which is visited already"}},
		{"a link behind a link", []string{".h/one/a.md", ".h/one/two -> ../two", ".h/two/b.md", ".h/two/one -> ../one", "in -> .h/one"},
			[]string{"+ in/a.md", "+ in/two/b.md", "x .h: hidden folder", "x in/two/one: symbolic link to .h/one, which is visited already"}},
		{"a folder within a visited link", []string{".h/sub/a.md", ".h/b.md", "a -> .h/sub", "b -> .h"},
			[]string{"+ a/a.md", "+ b/b.md", "x .h: hidden folder", "x b/sub: visited already"}},
		{"a file that is visited no other way", []string{"Makefile", "make.txt -> Makefile", "two.txt -> Makefile"},
			[]string{"+ make.txt", "- two.txt: symbolic link to Makefile, which is taken already"}},
		{"to nothing", []string{"gone.md -> nowhere", "gone -> nowhere"},
			[]string{"- gone.md: symbolic link to nothing", "x gone: symbolic link to nothing"}},
		{"ignored by name", []string{".gitignore: skipme", "skipme -> .h/docs", ".h/docs/a.md"},
			[]string{"x .h: hidden folder", "x skipme: ignored by .gitignore"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := walk(t, plant(t, tt.files...), Options{})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestWalkLinksOutOfTheFolder(t *testing.T) {
	outside := plant(t, "secret.md", "sub/x.md")
	root := plant(t, "a.md", "leak.md -> "+filepath.Join(outside, "secret.md"), "leak -> "+outside, "up -> ../..")
	got, _ := walk(t, root, Options{})
	want := []string{"+ a.md", "- leak.md: symbolic link out of the folder", "x leak: symbolic link out of the folder", "x up: symbolic link out of the folder"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestWalkRootThatIsALink(t *testing.T) {
	root := plant(t, "real/a.md", "docs -> real", "inside -> real/a.md")
	got, res := walk(t, filepath.Join(root, "docs"), Options{})
	if diff := cmp.Diff([]string{"+ a.md"}, got); diff != "" || res.Root != filepath.Join(root, "real") {
		t.Errorf("root %s\n%s", res.Root, diff)
	}
}

func TestWalkAbsoluteLinkInside(t *testing.T) {
	root := plant(t, ".h/a.md")
	plantOne(t, root, "docs -> "+filepath.Join(root, ".h"))
	got, res := walk(t, root, Options{})
	if diff := cmp.Diff([]string{"+ docs/a.md", "x .h: hidden folder"}, got); diff != "" {
		t.Fatal(diff)
	}
	tree, err := Open(res.Root, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if data, err := tree.Read(res.Files[0]); string(data) != ".h/a.md" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
}
