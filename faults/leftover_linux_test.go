package faults

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestKilledServersLeaveNoFolder kills a server that has unpacked its own
// documentation: the next one removes what it left behind, and nothing stays of
// one that ends in peace.
func TestKilledServersLeaveNoFolder(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	b := newBed(t, 1)
	unpacked := func() []string {
		found, err := filepath.Glob(filepath.Join(temp, "evergreen-docs-*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	killed := b.command("serve", "--port", "0")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	held := func() bool { // before that it is nobody's, and stays
		found, err := filepath.Glob(filepath.Join(temp, "evergreen-docs-*", "in-use"))
		return err == nil && len(found) == 1
	}
	for began := time.Now(); !held(); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("nothing is unpacked")
		}
	}
	left := unpacked()[0]
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // it was killed
	if _, err := os.Stat(left); err != nil {
		t.Fatal("it left nothing to remove")
	}
	t.Run("next", func(t *testing.T) {
		next := newBed(t, 1)
		if err := newLoad(t, serve(t, next)).get("/api/context?topic=token+budget", "EG-"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(left); !os.IsNotExist(err) || len(unpacked()) != 1 {
			t.Errorf("%s is still there (%v), there are %q", left, err, unpacked())
		}
	})
	if found := unpacked(); len(found) != 0 {
		t.Errorf("left behind: %q", found)
	}
}
