//go:build unix

// A full disk, played by a limit on file sizes in a process of its own.

package store_test

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"evergreen"
	"evergreen/internal/store"
)

const fullLibrary = "EVERGREEN_TEST_FULL_LIBRARY"

// TestFullProcess is no test: it writes under a size limit and prints the error.
func TestFullProcess(t *testing.T) {
	root := os.Getenv(fullLibrary)
	if root == "" {
		t.Skip("run by TestFullDisk")
	}
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: 64 << 10, Max: 64 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	lib, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	w, err := lib.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	sw, err := w.NewSegment("docs", 9)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err = sw.Add(store.Doc{Path: "x"}, make([]byte, 16<<10), nil); err != nil {
			break
		}
	}
	if err == nil {
		_, err = sw.Finish(nil)
	}
	sw.Abandon()
	println("kind", string(evergreen.KindOf(err)), strings.Join(evergreen.Hints(err), " "))
}

func TestFullDisk(t *testing.T) {
	lib := library(t)
	collection(t, lib, "docs")
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullProcess$")
	cmd.Env = append(os.Environ(), fullLibrary+"="+lib.Root())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "kind "+string(evergreen.Exhausted)) || !strings.Contains(string(out), "--library") {
		t.Fatalf("%v: %s", err, out)
	}
	m, err := lib.Manifest("docs")
	if err != nil {
		t.Fatal(err)
	}
	seg, err := lib.OpenSegment(m.Name, 1)
	if err != nil {
		t.Fatalf("what was there before is gone: %v", err)
	}
	for i := range seg.Docs() {
		if _, err := seg.DocText(seg.Doc(i)); err != nil {
			t.Error(err)
		}
	}
	seg.Close()
}
