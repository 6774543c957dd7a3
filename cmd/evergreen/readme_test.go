package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeSetUp holds the two commands a newcomer runs, in their order.
func TestReadmeSetUp(t *testing.T) {
	blocks := readmeBlocks(t)
	want := "go run ./cmd/evergreen serve\nmake test\n"
	if len(blocks) == 0 || blocks[0] != want {
		t.Fatalf("the first commands of README.md are %q, want %q", blocks[:min(1, len(blocks))], want)
	}
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(makefile), "\ntest:") {
		t.Error("the Makefile has no target test")
	}
}

// TestReadmeCommands runs every evergreen command of README.md that ends by
// itself, in the project's folder, on a library of its own.
func TestReadmeCommands(t *testing.T) {
	t.Setenv("EVERGREEN_LIBRARY", t.TempDir())
	t.Chdir(filepath.Join("..", ".."))
	ran := 0
	for _, block := range readmeBlocks(t) {
		for line := range strings.Lines(block) {
			rest, ok := strings.CutPrefix(strings.TrimSpace(line), "go run ./cmd/evergreen ")
			if !ok || rest == "serve" {
				continue
			}
			ran++
			var stdout, stderr bytes.Buffer
			if code := run(shellWords(rest), strings.NewReader(""), &stdout, &stderr); code != exitOK {
				t.Errorf("%s: exit %d\n%s", line, code, stderr.String())
			}
			if stdout.Len()+stderr.Len() == 0 {
				t.Errorf("%s: says nothing", line)
			}
		}
	}
	if ran < 5 {
		t.Errorf("only %d commands found in README.md", ran)
	}
}

// TestNamedFilesExist holds the files and folders that the guides send people
// to. A name in capitals stands for one to choose.
func TestNamedFilesExist(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, guide := range []string{"README.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(filepath.Join(root, guide))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile("(?:`|\\()((?:internal|cmd|docs|tools)/[^`)\\s]*)").FindAllStringSubmatch(string(text), -1)
		if len(found) == 0 {
			t.Errorf("%s names no file", guide)
		}
		for _, m := range found {
			if strings.Contains(m[1], "NAME") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s names %s: %v", guide, m[1], err)
			}
		}
	}
}

// readmeBlocks returns the shell blocks of README.md.
func readmeBlocks(t *testing.T) []string {
	t.Helper()
	name := "README.md"
	if _, err := os.Stat(name); err != nil {
		name = filepath.Join("..", "..", name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	unix := strings.ReplaceAll(string(text), "\r\n", "\n")
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(unix, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// shellWords splits a command at spaces outside of double quotes.
func shellWords(line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	return words
}
