package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTargets finds the targets of the tree, each once, in order.
func TestTargets(t *testing.T) {
	all, err := targets("../..")
	if err != nil || len(all) < 40 {
		t.Fatalf("%d targets, %v", len(all), err)
	}
	for i := 1; i < len(all); i++ {
		if all[i-1].String() >= all[i].String() {
			t.Errorf("%s stands behind %s", all[i], all[i-1])
		}
	}
	if err := run("../..", 0, "internal/index.FuzzSegment,internal/index.FuzzNothing", ""); err == nil || !strings.Contains(err.Error(), "1 of the 2") {
		t.Errorf("a target that is not there: %v", err)
	}
}

func TestRead(t *testing.T) {
	for said, want := range map[string]target{
		"fuzz: elapsed: 0s, gathering baseline coverage: 0/4 completed\nfuzz: elapsed: 3s, execs: 12 (4/sec), new interesting: 1 (total: 5)\nfuzz: elapsed: 1m1s, execs: 345 (5/sec), new interesting: 7 (total: 11)\nPASS\n": {Seconds: 61, Inputs: 345, Interesting: 7},
		"fuzz: elapsed: 6s, execs: 9 (1/sec), new interesting: 0 (total: 5)\n    Failing input written to testdata/fuzz/FuzzA/1\nFAIL\n":                                                                                      {Seconds: 6, Inputs: 9, Failures: 1},
		"a_test.go:3: undefined: x\nFAIL\n": {},
	} {
		var got target
		if got.read(said); got != want {
			t.Errorf("%q is read as %+v", said, got)
		}
	}
}

// TestTimeIsUp tells the end of the time from a failure.
func TestTimeIsUp(t *testing.T) {
	for said, want := range map[string]bool{
		"fuzz: elapsed: 10s, execs: 9 (1/sec), new interesting: 0 (total: 5)\n--- FAIL: FuzzA (10.12s)\n    context deadline exceeded\nFAIL\nexit status 1\n": true,
		"--- FAIL: FuzzA (1s)\n    --- FAIL: FuzzA (0.00s)\n        a_test.go:1: context deadline exceeded\n    \n    Failing input written to x\nFAIL\n":     false,
		"--- FAIL: TestA (1s)\n    context deadline exceeded\nFAIL\n":                                                                                         false,
	} {
		if got := stopped.MatchString(said); got != want {
			t.Errorf("%q: stopped %v", said, got)
		}
	}
}

// TestRecord keeps the longest run of each target, and one that failed.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fuzz.json")
	for _, r := range []target{{Package: "b", Name: "F", Seconds: 60, Inputs: 1}, {Package: "a", Name: "F", Seconds: 5}, {Package: "b", Name: "F", Seconds: 10, Inputs: 2}, {Package: "a", Name: "F", Seconds: 3, Failures: 1}} {
		if err := record(file, r); err != nil {
			t.Fatal(err)
		}
	}
	var all []target
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil || len(all) != 2 || all[0].Failures != 1 || all[1].Inputs != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}
