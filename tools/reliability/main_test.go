package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPagesAreMade wants the committed pages to be what the committed results
// give.
func TestPagesAreMade(t *testing.T) {
	page, soak, err := pages("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{pageFile: page, soakFile: soak} {
		got, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil || withoutInputs(string(got)) != withoutInputs(want) {
			t.Errorf("%s is not what the results give, %v: run make reliability", name, err)
		}
	}
}

// withoutInputs leaves out what longer runs of `make fuzz` change.
func withoutInputs(page string) string {
	before, after, _ := strings.Cut(page, "## Bad inputs")
	_, rest, _ := strings.Cut(after, "## Load")
	return before + rest
}

func TestResultsThatAreNoProof(t *testing.T) {
	good := results{outcomes: []outcome{{Name: "kill", Tried: 2, Survived: 2}}, mutants: []mutant{{Row: "kill", Bug: "b", Test: "T", Seen: true}}}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*results){
		"1 lost":             func(r *results) { r.outcomes = []outcome{{Name: "kill", Tried: 2, Survived: 1, Lost: 1}} },
		"0 of 0":             func(r *results) { r.outcomes = []outcome{{Name: "kill"}} },
		"no deliberate bug":  func(r *results) { r.mutants = nil },
		`T does not see "b"`: func(r *results) { r.mutants = []mutant{{Row: "kill", Bug: "b", Test: "T"}} },
	} {
		r := good
		spoil(&r)
		if err := r.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestFirstTable(t *testing.T) {
	page := "# Fuzz\n\n| fact | value |\n| --- | --- |\n| a | b |\n\n| target | inputs | time |\n| --- | --- | --- |\n| x | 1 | 2 |\n\n| other | table | too |\n"
	if got := firstTable(page); got != "| target | inputs | time |\n| --- | --- | --- |\n| x | 1 | 2 |\n" {
		t.Errorf("got %q", got)
	}
	if got := thousands(1234567) + thousands(999) + cell("a|b` /tmp/T1/001 x"); got != "1,234,567999a¦b' DIR x" {
		t.Errorf("got %q", got)
	}
}
