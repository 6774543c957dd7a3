// Reliability writes docs/reliability.md, bench/results/soak.md and the table of
// bench/results/fuzz.md from the results of the runs: the outcomes of `make
// faults`, `make soak` and `make fuzz`, and those of the deliberate bugs, all in
// bench/results/faults. It measures nothing and knows no figure of its own. A row
// whose test nobody has seen fail is an error.
//
//	go -C tools run ./reliability ..
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := write(root); err != nil {
		fmt.Fprintln(os.Stderr, "reliability:", err)
		os.Exit(1)
	}
}

// The files, from the root of the tree.
const (
	resultsDir = "bench/results/faults"
	fuzzFile   = "bench/results/fuzz.md"
	soakFile   = "bench/results/soak.md"
	pageFile   = "docs/reliability.md"
)

func write(root string) error {
	files, err := pages(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	return err
}

// results are all results there are.
type results struct {
	outcomes []outcome
	soak     soak
	overload overload
	crowd    overload
	busy     overload
	mutants  []mutant
	fuzzed   []fuzzed
}

// outcome is what testkit.Record writes.
type outcome struct {
	Name     string `json:"name"`
	Tried    int    `json:"tried"`
	Survived int    `json:"survived"`
	Lost     int    `json:"lost"`
	Detail   string `json:"detail"`
}

// mutant is what tools/mutants writes of one deliberate bug.
type mutant struct {
	Row     string `json:"row"`
	Bug     string `json:"bug"`
	Package string `json:"package"`
	Test    string `json:"test"`
	Seen    bool   `json:"seen"`
	Says    string `json:"says"`
}

// fuzzed is what tools/fuzz writes of one target.
type fuzzed struct {
	Package     string  `json:"package"`
	Target      string  `json:"target"`
	Seconds     float64 `json:"seconds"`
	Inputs      int     `json:"inputs"`
	Interesting int     `json:"interesting"`
	Failures    int     `json:"failures"`
}

type (
	sample struct {
		Seconds     float64 `json:"seconds"`
		MemoryMB    float64 `json:"memory_mb"`
		AnonymousMB float64 `json:"anonymous_mb"`
		Goroutines  float64 `json:"goroutines"`
		Descriptors float64 `json:"descriptors"`
	}
	rise struct {
		What    string  `json:"what"`
		Rise    float64 `json:"rise"`
		Allowed float64 `json:"allowed"`
		Mean    float64 `json:"mean"`
	}
	soak struct {
		Seconds     float64  `json:"seconds"`
		Processors  int      `json:"processors"`
		Requests    int64    `json:"requests"`
		Wrong       int64    `json:"wrong"`
		Connections int      `json:"connections"`
		Streams     int      `json:"streams"`
		Events      int64    `json:"events"`
		Slow        int64    `json:"slow"`
		Crawls      int64    `json:"crawls"`
		Commits     int64    `json:"commits"`
		Start       sample   `json:"start"`
		End         sample   `json:"end"`
		After       sample   `json:"after"`
		Rises       []rise   `json:"rises"`
		Samples     []sample `json:"samples"`
	}
	overload struct {
		Clients   int     `json:"clients"`
		Seconds   float64 `json:"seconds"`
		Served    int     `json:"served"`
		Refused   int     `json:"refused"`
		Busy      int     `json:"busy"`
		Other     int     `json:"other"`
		RefusedMS float64 `json:"refused_p99_ms"`
		HealthMS  float64 `json:"health_max_ms"`
		Recovered float64 `json:"recovered_seconds"`
	}
)

// order is the order of the rows, with what each is called.
var order = [][2]string{
	{"kill", "Kills (SIGKILL) at random moments of index, refresh, delete, export"},
	{"damage", "Files of a library harmed"},
	{"cut", "Files of a library cut under a reader"},
	{"cache", "Files of the cache of pages harmed"},
	{"writers", "Answers read beside writers"},
	{"full-file", "Limits on the size of files"},
	{"full-disk", "Disks that are full or read-only"},
	{"full-output", "Outputs that take nothing"},
	{"forbidden", "Folders and files without permission"},
	{"outage", "Sites that are down"},
	{"clock", "Clocks that jump"},
	{"formats", "Formats of earlier and later versions"},
}

func load(root string) (r results, err error) {
	dir := filepath.Join(root, resultsDir)
	for _, row := range order {
		var o outcome
		if err := read(dir, row[0], &o); err != nil {
			return r, err
		}
		r.outcomes = append(r.outcomes, o)
	}
	return r, errors.Join(read(dir, "soak", &r.soak), read(dir, "overload", &r.overload), read(dir, "crowd", &r.crowd), read(dir, "busy", &r.busy),
		read(dir, "mutants", &r.mutants), read(dir, "fuzz", &r.fuzzed))
}

func read(dir, name string, into any) error {
	b, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// seenBy returns the deliberate bugs of a row.
func (r results) seenBy(row string) (list []mutant) {
	for _, m := range r.mutants {
		if m.Row == row {
			list = append(list, m)
		}
	}
	return list
}

// reader is what the deliberate bugs of a fuzz target call the reader that it
// feeds, "" when there is none.
func (r results) reader(f fuzzed) string {
	for _, m := range r.mutants {
		if m.Package == "./"+f.Package && m.Test == f.Target {
			return m.Row
		}
	}
	return ""
}
