package testkit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Outcome is what a run of faults came to: how many were tried, how many were
// survived (the old state, the new one, or a clear error) and how many were
// not. docs/reliability.md is made from these.
type Outcome struct {
	Name     string `json:"name"` // of the row, and of the file
	Tried    int    `json:"tried"`
	Survived int    `json:"survived"`
	Lost     int    `json:"lost"` // wrong answers, mixtures, what repair did not bring back
	Detail   string `json:"detail"`
}

// Record writes an outcome into the folder that EVERGREEN_OUTCOMES names; without
// one it only logs. What was lost fails the test.
func Record(t testing.TB, o Outcome) {
	t.Helper()
	t.Logf("%s: %d tried, %d survived, %d lost; %s", o.Name, o.Tried, o.Survived, o.Lost, o.Detail)
	if o.Lost > 0 || o.Survived != o.Tried || o.Tried == 0 {
		t.Errorf("%s: %d of %d survived, %d lost", o.Name, o.Survived, o.Tried, o.Lost)
	}
	Save(t, o.Name, o)
}

// Save writes the figures of a run into the folder that EVERGREEN_OUTCOMES
// names, as NAME.json; without one it does nothing.
func Save(t testing.TB, name string, figures any) {
	t.Helper()
	dir := os.Getenv("EVERGREEN_OUTCOMES")
	if dir == "" {
		return
	}
	b, err := json.MarshalIndent(figures, "", "  ")
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".json"), append(b, '\n'), 0o644)
	}
	if err != nil {
		t.Error(err)
	}
}

// Times is how often a fault is tried: the number in EVERGREEN_NAME, such as
// EVERGREEN_KILLS, else usual, and short in short mode.
func Times(t testing.TB, variable string, usual, short int) int {
	t.Helper()
	if s := os.Getenv(variable); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			t.Fatalf("%s is %q, no count", variable, s)
		}
		return n
	}
	if testing.Short() {
		return short
	}
	return usual
}
