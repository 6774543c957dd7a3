package store_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"evergreen/internal/store"
)

// holderVariable makes this test binary a process that holds a temporary folder
// until it is killed.
const holderVariable = "STORE_TEST_HOLDER"

func TestMain(m *testing.M) {
	if os.Getenv(holderVariable) == "" {
		os.Exit(m.Run())
	}
	t, err := store.NewTemporary("evergreen-test-")
	if err != nil {
		os.Exit(1)
	}
	_ = os.WriteFile(filepath.Join(t.Path, "much"), []byte("much"), 0o600)
	_, _ = os.Stdout.WriteString(t.Path + "\n")
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent is gone
}

// hold starts such a process; end kills it.
func hold(t *testing.T) (path string, end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holderVariable+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = in.Close()
	}
	t.Cleanup(end)
	line := make([]byte, 4096)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(line[:n])), end
}

// TestTemporaryFoldersOfTheKilled: a folder is removed by its process, or by the
// next one when it was killed; never while it is in use, and nothing else is.
func TestTemporaryFoldersOfTheKilled(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	t.Setenv("TMP", parent)
	for _, other := range []string{"evergreen-test-bare", "evergreen-other-1"} {
		if err := os.Mkdir(filepath.Join(parent, other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	others := []string{"evergreen-other-1", "evergreen-test-bare"}
	if err := os.WriteFile(filepath.Join(parent, "evergreen-other-1", "in-use"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" { // a folder that others may write to can lead anywhere
		open := filepath.Join(parent, "evergreen-test-open")
		if err := os.Mkdir(open, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(open, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(parent, "elsewhere"), filepath.Join(open, "in-use")); err != nil {
			t.Fatal(err)
		}
		others = append(others, "evergreen-test-open")
	}
	first, endFirst := hold(t)
	second, _ := hold(t)
	holds := func(want ...string) {
		t.Helper()
		want = append(slices.Clone(others), want...)
		for i := range want {
			want[i] = filepath.Base(want[i])
		}
		slices.Sort(want)
		entries, err := os.ReadDir(parent)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("there is %q, want %q", got, want)
		}
	}
	holds(first, second)
	endFirst()
	holds(first, second)
	own, err := store.NewTemporary("evergreen-test-")
	if err != nil {
		t.Fatal(err)
	}
	holds(second, own.Path)
	if err := own.Remove(); err != nil {
		t.Fatal(err)
	}
	holds(second)
}
