package folder

import (
	"os"
	"path/filepath"
	"testing"

	"evergreen"
)

// take walks root and opens it for reading with a limit of 8 bytes.
func take(t *testing.T, root string) (*Tree, File) {
	t.Helper()
	_, res := walk(t, root, Options{})
	tree, err := Open(res.Root, 8)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree, res.Files[0]
}

func TestRead(t *testing.T) {
	tree, f := take(t, plant(t, "sub/a.md: 12345678"))
	data, err := tree.Read(f)
	if string(data) != "12345678" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
	if err := os.WriteFile(f.Abs, []byte("123456789"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Read(f); evergreen.KindOf(err) != evergreen.TooLarge {
		t.Errorf("a file that grew: %v", err)
	}
	if err := os.Remove(f.Abs); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Read(f); evergreen.KindOf(err) != evergreen.NotFound || err.Error() != "cannot be read: it vanished" {
		t.Errorf("a file that vanished: %v", err)
	}
}

func TestReadAfterReplacement(t *testing.T) {
	root := plant(t, "a.md: old")
	tree, f := take(t, root)
	next := filepath.Join(root, "next")
	if err := os.WriteFile(next, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, f.Abs); err != nil {
		t.Fatal(err)
	}
	if data, err := tree.Read(f); string(data) != "new" || err != nil {
		t.Errorf("an editor's save by renaming: %q, %v", data, err)
	}
}

func TestReadNeverLeavesTheFolder(t *testing.T) {
	outside := plant(t, "secret.md: secret")
	root := plant(t, "sub/secret.md: harmless")
	tree, f := take(t, root)
	if err := os.RemoveAll(filepath.Join(root, "sub")); err != nil {
		t.Fatal(err)
	}
	plantOne(t, root, "sub -> "+outside)
	if data, err := tree.Read(f); err == nil {
		t.Errorf("read %q through a link out of the folder", data)
	}
}

func TestOpenMissing(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "gone"), 0); evergreen.KindOf(err) != evergreen.Invalid {
		t.Errorf("%v", err)
	}
}
