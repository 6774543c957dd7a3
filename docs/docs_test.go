package docs_test

// This file holds docs/security.md to what is there: a defence is named with
// the test that shows it, and the test exists.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"evergreen/docs"
)

// named is how the document names a test: package and function.
var named = regexp.MustCompile("`((?:internal|cmd|docs|tools|e2e)[a-z0-9/]*)\\.((?:Test|Fuzz)[A-Za-z0-9]+)`")

func TestEveryNamedTestExists(t *testing.T) {
	text, err := docs.Files.ReadFile("security.md")
	if err != nil {
		t.Fatal(err)
	}
	found := named.FindAllStringSubmatch(string(text), -1)
	for _, m := range found {
		if !defines(t, m[1], m[2]) {
			t.Errorf("security.md names %s in %s, which is not there", m[2], m[1])
		}
	}
	if len(found) == 0 {
		t.Error("security.md names no test")
	}
}

// Each row of a table of attacks has its test.
func TestEveryAttackHasATest(t *testing.T) {
	text, err := docs.Files.ReadFile("security.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, attacks := 0, false
	for line := range strings.Lines(string(text)) {
		switch {
		case !strings.HasPrefix(line, "|"):
			attacks = false
		case strings.HasPrefix(line, "| attack "):
			attacks = true
		case attacks && !strings.HasPrefix(line, "| ---"):
			rows++
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			if !named.MatchString(cells[len(cells)-1]) {
				t.Errorf("no test for: %s", strings.TrimSpace(line))
			}
		}
	}
	if rows < 30 {
		t.Errorf("%d attacks are listed", rows)
	}
}

// defines reports whether a package's tests define a function.
func defines(t *testing.T, pkg, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
