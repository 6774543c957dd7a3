package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutantsFit wants every deliberate bug to find its place in the tree as it
// is: each text to be replaced is there, once, and the test that is to see it
// exists.
func TestMutantsFit(t *testing.T) {
	all, err := mutants(testdata)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, m := range all {
		for _, e := range m.edits {
			text, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(e.file)))
			if err != nil {
				t.Errorf("%s: %v", m.Name, err)
			} else if n := strings.Count(string(text), e.old); n != 1 {
				t.Errorf("%s: %s holds the text %d times:\n%s", m.Name, e.file, n, e.old)
			}
		}
		files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(m.Package), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			found = found || err == nil && strings.Contains(string(text), "func "+m.Test+"(")
		}
		if !found {
			t.Errorf("%s: %s has no test %s", m.Name, m.Package, m.Test)
		}
	}
}

func TestParse(t *testing.T) {
	m, err := parse("row: kill\nbug: it forgets: everything\npackage: ./a\ntest: TestA\nenv: N=1\nsays: one: two\n--- a/b.go\nold\ntext\n+++\nnew\n--- c.go\nx\n+++\n\n")
	if err != nil || m.Bug != "it forgets: everything" || len(m.edits) != 2 || m.edits[0] != (edit{"a/b.go", "old\ntext", "new"}) || m.edits[1].new != "" || m.env[0] != "N=1" || m.says != "one: two" {
		t.Errorf("%+v, %v", m, err)
	}
	for _, bad := range []string{"row: a\n", "row: a\n--- f\nx\n+++\ny\n", "what: a\n--- f\nx\n+++\ny\n", "row: a\nbug: b\npackage: c\ntest: d\n--- f\nx\n"} {
		if m, err := parse(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, m)
		}
	}
}

// TestTry puts a bug into a small module and sees its test fail, and the tree as
// it was afterwards.
func TestTry(t *testing.T) {
	work := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.26\n", "a.go": "package m\n\nfunc one() int { return 1 }\n",
		"a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif one() != 1 {\n\t\tt.Errorf(\"one is %d\", one())\n\t}\n}\n\nfunc TestBlind(t *testing.T) { one() }\n",
	} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m := mutant{Name: "two", Package: ".", Test: "TestOne", edits: []edit{{"a.go", "return 1", "return 2"}}}
	if r, err := try(work, m); err != nil || !r.Seen || r.Says != "one is 2" {
		t.Errorf("%+v, %v", r, err)
	}
	m.says = "one is 3"
	if r, err := try(work, m); err != nil || r.Seen {
		t.Errorf("a test that fails for another reason: %+v, %v", r, err)
	}
	m.says, m.Test = "", "TestBlind"
	if r, err := try(work, m); err != nil || r.Seen {
		t.Errorf("a test that asserts nothing: %+v, %v", r, err)
	}
	if text, err := os.ReadFile(filepath.Join(work, "a.go")); err != nil || !strings.Contains(string(text), "return 1") {
		t.Errorf("%s, %v", text, err)
	}
	m.edits[0].old = "return 3"
	if _, err := try(work, m); err == nil {
		t.Error("a bug that finds no place is tried")
	}
}
