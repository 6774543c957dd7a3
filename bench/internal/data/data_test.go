package data

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// archiveOf writes docs/NAME.tar.gz below a new folder.
func archiveOf(t *testing.T, name string, files map[string]string) Corpora {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "docs", name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	zipped := gzip.NewWriter(file)
	w := tar.NewWriter(zipped)
	for path, text := range files {
		header := &tar.Header{Name: path, Typeflag: tar.TypeReg, Size: int64(len(text)), ModTime: time.Unix(1e9, 0), Mode: 0o644}
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{w, zipped, file} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return Corpora(dir)
}

func TestDocsUnpacksOnce(t *testing.T) {
	c, work := archiveOf(t, "mdn", map[string]string{"./a/b.md": "# B\n"}), t.TempDir()
	folder, err := c.Docs("mdn", work)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "a", "b.md")
	info, err := os.Stat(file)
	if err != nil || info.Size() != 4 || info.ModTime().Unix() != 1e9 {
		t.Fatalf("unpacked %v, %v", info, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if again, err := c.Docs("mdn", work); err != nil || again != folder {
		t.Errorf("the second time: %s, %v", again, err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was unpacked again")
	}
	if _, err := c.Docs("absent", work); err == nil {
		t.Error("an absent tree is no error")
	}
}

func TestDocsStaysInside(t *testing.T) {
	c := archiveOf(t, "evil", map[string]string{"../x.md": "x"})
	if _, err := c.Docs("evil", t.TempDir()); err == nil {
		t.Error("an entry outside the folder was unpacked")
	}
}

func TestFindRefusesWhatIsNoFolder(t *testing.T) {
	t.Setenv(Variable, "")
	if c, err := Find(); c != "" || err != nil {
		t.Errorf("unset: %q, %v", c, err)
	}
	t.Setenv(Variable, filepath.Join(t.TempDir(), "gone"))
	if _, err := Find(); err == nil {
		t.Error("a missing folder passes for none")
	}
}

func TestSpread(t *testing.T) {
	all := []string{"one", " one ", "#", "two", "x", "three", "四五", "six"}
	for n, want := range map[int][]string{
		2:  {"one", "three"},
		5:  {"one", "two", "three", "四五", "six"},
		99: {"one", "two", "three", "四五", "six"},
	} {
		if got := Spread(all, n); !slices.Equal(got, want) {
			t.Errorf("%d of them: %q, want %q", n, got, want)
		}
	}
}
