//go:build unix

// Disks that end, seen from the command line: a limit on file sizes, an output
// that takes nothing more, folders that may not be read or written.

package faults

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"evergreen/internal/testkit"
)

// limited runs the program with a limit on the size of any file, in blocks of
// 512 bytes (POSIX, ulimit -f).
func (b *bed) limited(blocks int, args ...string) (stderr string, code int) {
	b.t.Helper()
	cmd := b.command(args...)
	shell := exec.Command("sh", append([]string{"-c", `ulimit -f "$0" && exec "$@"`, strconv.Itoa(blocks), program}, args...)...)
	shell.Env, shell.Dir = cmd.Env, cmd.Dir
	_, stderr, code = finish(b.t, shell)
	return stderr, code
}

// TestFullFile indexes and exports under limits from almost nothing to almost
// enough. The program says so and what to do, and the old state stays.
func TestFullFile(t *testing.T) {
	b := newBed(t, 30)
	b.write(0)
	b.must("index", b.source, "--name", "docs")
	b.write(1)
	out := testkit.Outcome{Name: "full-file", Detail: "index and export under a limit on file sizes, from 512 bytes to almost enough"}
	for blocks := 1; blocks < 400; blocks = blocks*3/2 + 1 {
		stderr, code := b.limited(blocks, "index", b.source, "--name", "docs")
		if code == 0 { // then it has to be true
			if state, err := b.state("docs", 1); err != nil || state != 1 {
				t.Errorf("%d blocks: success, and state %d, %v", blocks, state, err)
			}
			break
		}
		out.Tried++
		state, err := b.state("docs", 0)
		if err != nil || state != 0 || !strings.Contains(stderr, "no space left") || !strings.Contains(stderr, "--library") {
			out.Lost++
			t.Errorf("%d blocks: state %d, %v; %s", blocks, state, err, stderr)
			continue
		}
		out.Survived++
	}
	dir := filepath.Join(t.TempDir(), "export")
	b.must("export", dir)
	before := readFolder(t, dir)
	b.must("index", b.source, "--name", "docs")
	for blocks := 1; blocks < 100; blocks = blocks*2 + 1 {
		stderr, code := b.limited(blocks, "export", dir)
		if code == 0 {
			break
		}
		out.Tried++
		if !strings.Contains(stderr, "Free disk space") || half(before, readFolder(t, dir)) {
			out.Lost++
			t.Errorf("export with %d blocks: %s", blocks, stderr)
			continue
		}
		out.Survived++
	}
	b.must("export", dir)
	if left := b.orphans("docs"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	testkit.Record(t, out)
}

// half tells whether a file of the new export begins like the old one and is
// not all of it.
func half(before, after map[string]string) bool {
	for name, text := range after {
		if old := before[name]; text != old && strings.HasPrefix(old, text) || strings.HasPrefix(filepath.Base(name), ".tmp-") {
			return true
		}
	}
	return false
}

// TestFullOutput writes answers to a device that takes nothing. An answer that
// did not arrive is no success.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	b := newBed(t, 3)
	b.write(0)
	b.must("index", b.source, "--name", "docs")
	out := testkit.Outcome{Name: "full-output", Detail: "answers written to /dev/full: an exit code that is not 0"}
	for _, line := range []string{"list", "list --json", "search filler", "search filler --json", "toc docs", "context filler", "get docs::d000.md", "doctor", "version", "config"} {
		cmd := b.command(strings.Fields(line)...)
		cmd.Stdout = full
		out.Tried++
		if err := cmd.Run(); err == nil {
			out.Lost++
			t.Errorf("%s: success", line)
			continue
		}
		out.Survived++
	}
	testkit.Record(t, out)
}

// TestForbidden reads and writes what the user may not. As root the program
// runs as another user.
func TestForbidden(t *testing.T) {
	b := newBed(t, 5)
	b.write(0)
	b.must("index", b.source, "--name", "docs")
	openUp(t, b)
	out := testkit.Outcome{Name: "forbidden", Detail: "index, delete, search, doctor and export on folders without permission"}
	try := func(what string, want string, state int, args ...string) {
		t.Helper()
		out.Tried++
		cmd := b.command(args...)
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			cmd.Env = append(cmd.Env, "HOME=/nonexistent")
		}
		stdout, stderr, code := finish(t, cmd)
		got, err := b.state("docs", 0)
		if (code == 0) != (want == "") || !strings.Contains(stdout+stderr, want) || got != state || err != nil {
			out.Lost++
			t.Errorf("%s: exit %d, state %d, %v\n%s%s", what, code, got, err, stdout, stderr)
			return
		}
		out.Survived++
	}
	chmod(t, b.library, 0o555, 0o444)
	b.write(1)
	openUp(t, &bed{t: t, library: b.source, source: b.source})
	try("write to a library for reading only", "cannot be written", 0, "index", b.source, "--name", "docs")
	try("delete from it", "cannot be written", 0, "delete", "docs")
	try("search in it", "", 0, "search", "filler")
	try("doctor", "", 0, "doctor")
	try("export into it", "may write to", 0, "export", filepath.Join(b.library, "collections"))
	b.write(0)
	chmod(t, b.library, 0o777, 0o666)
	chmod(t, filepath.Join(b.source, "only"), 0o000, 0o000)
	try("read a folder that is closed", "", 0, "index", b.source, "--name", "docs", "--verify")
	chmod(t, filepath.Join(b.source, "only"), 0o755, 0o000)
	try("read a file that is closed", "", 0, "index", b.source, "--name", "docs", "--verify")
	chmod(t, filepath.Join(b.library, "collections"), 0o000, 0o000)
	try2 := b.command("search", "filler")
	if os.Getuid() == 0 {
		try2.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out.Tried++
	if _, stderr, code := finish(t, try2); code == 0 || !strings.Contains(stderr, "cannot be read") {
		t.Errorf("a library that is closed: exit %d, %s", code, stderr)
	} else {
		out.Survived++
	}
	chmod(t, filepath.Join(b.library, "collections"), 0o755, 0o644)
	testkit.Record(t, out)
}

// openUp lets other users reach the folders of a test.
func openUp(t *testing.T, b *bed) {
	t.Helper()
	for _, dir := range []string{b.library, b.source} {
		for up := dir; up != os.TempDir() && up != "/"; up = filepath.Dir(up) {
			if err := os.Chmod(up, 0o755); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
	}
}

// chmod sets the modes of all folders and files below dir, deepest first.
func chmod(t *testing.T, dir string, folder, file os.FileMode) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		if os.Chmod(dir, 0o700) != nil {
			t.Fatal(err)
		}
		entries, _ = os.ReadDir(dir)
	}
	for _, e := range entries {
		if e.IsDir() {
			chmod(t, filepath.Join(dir, e.Name()), folder, file)
		} else if err := os.Chmod(filepath.Join(dir, e.Name()), file); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, folder); err != nil {
		t.Fatal(err)
	}
	if folder&0o200 == 0 {
		t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+rwX", dir).Run() })
	}
}
