package engine_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestUpdatedComesFromCommits dates a document by its front matter, else by its
// last commit, else by the file's time.
func TestUpdatedComesFromCommits(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: commit dates not checked")
	}
	b := newBench(t, map[string]string{
		"a.md":     "# A\n\ntext\n",
		"sub/中.md": "# B\n\ntext\n",
		"c.md":     "---\ndate: 2019-05-05\n---\n\n# C\n\ntext\n",
	})
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", b.source, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2020-02-03T12:00:00Z", "GIT_AUTHOR_DATE=2020-02-03T12:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "first")
	b.write(map[string]string{"new.md": "# New\n\ntext\n"})
	info, err := os.Stat(filepath.Join(b.source, "new.md"))
	if err != nil {
		t.Fatal(err)
	}
	b.index()
	for path, want := range map[string]string{
		"a.md": "2020-02-03", "sub/中.md": "2020-02-03", "c.md": "2019-05-05", "new.md": info.ModTime().UTC().Format("2006-01-02"),
	} {
		d, _, err := b.e.Document(context.Background(), "docs", path)
		if err != nil || d.Meta.Updated != want {
			t.Errorf("%s is updated %s, want %s, %v", path, d.Meta.Updated, want, err)
		}
	}
}
