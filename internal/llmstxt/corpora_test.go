package llmstxt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRealFiles reads every llms.txt of the public corpora: a title and, in a
// file that lists links, links must be found, and writing what was read must
// give a file without findings of form.
func TestRealFiles(t *testing.T) {
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: real llms.txt files are not read")
	}
	files, err := filepath.Glob(filepath.Join(root, "llms-txt", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", root, err)
	}
	links, titles := 0, 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := Parse(data, base)
		links += len(f.Links())
		if f.Title != "" {
			titles++
		}
		short := filepath.Base(name)
		if listed := strings.Count(string(data), "\n- ["); listed > 0 && len(f.Links()) == 0 && !strings.Contains(short, "full") {
			t.Errorf("%s: no links found, %d lines look like some", short, listed)
		}
		f.Notes = ""
		_, findings := Parse(f.Format(), base)
		for _, d := range findings {
			if d.Code != OffOriginURL && d.Code != EmptySection {
				t.Errorf("%s: written again: %v", short, d)
			}
		}
	}
	t.Logf("%d files, %d with a title, %d links", len(files), titles, links)
	if titles*10 < len(files)*9 {
		t.Errorf("only %d of %d files have a title", titles, len(files))
	}
}
