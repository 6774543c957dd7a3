// A small disk of its own, where the test may mount one.

package faults

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"evergreen/internal/testkit"
)

// TestFullDisk puts the library on a file system of 256 KiB and indexes until
// nothing goes any more, then without any permission to write.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	b := newBed(t, 20)
	b.library = filepath.Join(dir, "library")
	b.words = 100
	b.write(0)
	b.must("index", b.source, "--name", "docs")
	out := testkit.Outcome{Name: "full-disk", Detail: "index on a file system of 256 KiB that fills up, then on one that is read-only"}
	small := b.words
	for words := 2000; words < 20000; words *= 2 {
		b.words = words
		b.write(1)
		_, stderr, code := b.run("index", b.source, "--name", "docs")
		b.words = small
		out.Tried++
		state, err := b.state("docs", 0)
		if code == 0 || err != nil || state != 0 || !strings.Contains(stderr, "no space left") {
			out.Lost++
			t.Errorf("%d words: exit %d, state %d, %v; %s", words, code, state, err, stderr)
			continue
		}
		out.Survived++
	}
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 256<<10), 0o644); err == nil {
		t.Error("the disk is not full")
	}
	b.write(1)
	out.Tried++
	if _, stderr, code := b.run("index", b.source, "--name", "docs"); code == 0 || !strings.Contains(stderr, "no space left") {
		t.Errorf("on a full disk: exit %d, %s", code, stderr)
	} else {
		out.Survived++
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	b.must("index", b.source, "--name", "docs")
	if state, err := b.state("docs", 1, 0); err != nil || state != 1 {
		t.Errorf("with space again: state %d, %v", state, err)
	}
	if left := b.orphans("docs"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	readOnly(t, b, dir, &out)
	testkit.Record(t, out)
}

func readOnly(t *testing.T, b *bed, dir string, out *testkit.Outcome) {
	t.Helper()
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"index", b.source, "--name", "docs"}, {"delete", "docs"}} {
		out.Tried++
		_, stderr, code := b.run(args...)
		if state, err := b.state("docs", 1); code == 0 || state != 1 || err != nil || !strings.Contains(stderr, "cannot be written") {
			out.Lost++
			t.Errorf("read-only, %v: exit %d, state %d, %v; %s", args, code, state, err, stderr)
			continue
		}
		out.Survived++
	}
	b.must("search", "filler")
}
