package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPagesAreMade wants the committed pages to be what the committed results
// give.
func TestPagesAreMade(t *testing.T) {
	files, err := pages("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil || string(got) != want {
			t.Errorf("%s is not what the results give, %v: run make reliability", name, err)
		}
	}
}

// TestEveryReaderIsFuzzed wants a result of each kind of foreign bytes, and of
// every fuzz target in the tree a deliberate bug that its inputs were seen to
// find.
func TestEveryReaderIsFuzzed(t *testing.T) {
	r, err := load("../..")
	if err != nil {
		t.Fatal(err)
	}
	readers := map[string]bool{}
	for _, f := range r.fuzzed {
		readers[r.reader(f)] = true
	}
	for _, kind := range kinds() {
		if !readers[kind] {
			t.Errorf("no result of %s: make fuzz FUZZTIME=%ds OUTCOMES=%s", kind, leastOfKinds, resultsDir)
		}
	}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	err = filepath.WalkDir("../../internal", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			at := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../../")
			if r.reader(fuzzed{Package: at, Target: m[1]}) == "" {
				t.Errorf("no deliberate bug was tried for %s in %s: add one to tools/mutants/testdata, then make mutants MUTANTS=NAME OUTCOMES=%s", m[1], at, resultsDir)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestResultsThatAreNoProof(t *testing.T) {
	good := results{outcomes: []outcome{{Name: "kill", Tried: 2, Survived: 2}}, fuzzed: []fuzzed{{Package: "a", Target: "F", Seconds: 60}},
		mutants: []mutant{{Row: "kill", Bug: "b", Test: "T", Seen: true}, {Row: "sitemap", Package: "./a", Test: "F", Seen: true}}}
	for _, l := range good.loads() {
		good.mutants = append(good.mutants, mutant{Row: l.row, Test: "S", Seen: true})
	}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*results){
		"1 lost":                     func(r *results) { r.outcomes = []outcome{{Name: "kill", Tried: 2, Survived: 1, Lost: 1}} },
		"0 of 0":                     func(r *results) { r.outcomes = []outcome{{Name: "kill"}} },
		"no deliberate bug":          func(r *results) { r.mutants = nil },
		`T does not see "b"`:         func(r *results) { r.mutants = []mutant{{Row: "kill", Bug: "b", Test: "T"}} },
		"F in a: no deliberate":      func(r *results) { r.mutants = slices.Delete(slices.Clone(r.mutants), 1, 2) },
		"busy: no deliberate":        func(r *results) { r.mutants = r.mutants[:len(r.mutants)-1] },
		"F in a: 0 failures in 59 s": func(r *results) { r.fuzzed = []fuzzed{{Package: "a", Target: "F", Seconds: 59}} },
		"F in a: 1 failures":         func(r *results) { r.fuzzed = []fuzzed{{Package: "a", Target: "F", Seconds: 60, Failures: 1}} },
	} {
		r := good
		spoil(&r)
		if err := r.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestCells(t *testing.T) {
	if got := thousands(1234567) + thousands(999) + cell("a|b` /tmp/T1/001 x"); got != "1,234,567999a¦b' DIR x" {
		t.Errorf("got %q", got)
	}
}
