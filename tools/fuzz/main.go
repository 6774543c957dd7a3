// Fuzz runs every fuzz target of the tree, one after the other, and says of each
// how many inputs it tried. With -out the results are kept as JSON for
// docs/reliability.md: of each target the longest run.
//
//	go -C tools run ./fuzz [-time 10s] [-only NAME,NAME] [-out FILE] ..
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	span := flag.Duration("time", 10*time.Second, "for each target")
	only := flag.String("only", "", "some `TARGETS` alone, such as internal/index.FuzzSegment,internal/mcp/edge.FuzzHTTP")
	out := flag.String("out", "", "`FILE` for the results")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if err := run(root, *span, *only, *out); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

// target is one fuzz target and what its run came to.
type target struct {
	Package     string  `json:"package"` // below the root of the tree
	Name        string  `json:"target"`
	Seconds     float64 `json:"seconds"`
	Inputs      int     `json:"inputs"`
	Interesting int     `json:"interesting"` // found by this run
	Failures    int     `json:"failures"`
}

func (t target) String() string { return t.Package + "." + t.Name }

func run(root string, span time.Duration, only, out string) error {
	all, err := targets(root)
	if err != nil {
		return err
	}
	if only != "" {
		wanted := strings.Split(only, ",")
		all = slices.DeleteFunc(all, func(t target) bool { return !slices.Contains(wanted, t.String()) })
		if len(all) != len(wanted) {
			return fmt.Errorf("%d of the %d targets of %q are there", len(all), len(wanted), only)
		}
	}
	var failed error
	for _, t := range all {
		said, err := try(root, span, &t)
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return err
		}
		fmt.Printf("%-50s %5.0f s  %11d inputs  %4d interesting  %d failures\n", t, t.Seconds, t.Inputs, t.Interesting, t.Failures)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w\n%s", t, err, said))
		}
		if out != "" && t.Inputs+t.Failures > 0 { // a short run may have seen its seeds only
			if err := record(out, t); err != nil {
				return err
			}
		}
	}
	return failed
}

var (
	fuzzFunc = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)
	progress = regexp.MustCompile(`(?m)^fuzz: elapsed: (\w+), execs: (\d+) .*new interesting: (\d+)`)
)

// targets finds the fuzz targets of the product by its sources, in order.
func targets(root string) (all []target, err error) {
	for _, top := range []string{"internal", "cmd"} {
		dir := filepath.Join(root, top)
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			at, err := filepath.Rel(root, filepath.Dir(name))
			for _, m := range fuzzFunc.FindAllStringSubmatch(string(text), -1) {
				all = append(all, target{Package: filepath.ToSlash(at), Name: m[1]})
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b target) int { return cmp.Compare(a.String(), b.String()) })
	return all, nil
}

// try runs one target and reads what it says of itself.
func try(root string, span time.Duration, t *target) (said string, err error) {
	cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+t.Name+"$", "-fuzztime", span.String(), "-fuzzminimizetime", "20x", "./"+t.Package)
	cmd.Dir = root
	b, err := cmd.CombinedOutput()
	t.read(string(b))
	if err != nil && t.Failures == 0 && stopped.Match(b) {
		err = nil
	}
	return string(b), err
}

// stopped is what the go command says now and then when time is up in the middle
// of an input. It names no input that failed.
var stopped = regexp.MustCompile(`(?m)^--- FAIL: Fuzz.*\n    context deadline exceeded\nFAIL$`)

func (t *target) read(said string) {
	if all := progress.FindAllStringSubmatch(said, -1); all != nil {
		last := all[len(all)-1]
		elapsed, _ := time.ParseDuration(last[1])
		t.Seconds = elapsed.Seconds()
		t.Inputs, _ = strconv.Atoi(last[2])
		t.Interesting, _ = strconv.Atoi(last[3])
	}
	t.Failures = strings.Count(said, "Failing input written to ")
}

// record puts a result among those of the file. A shorter run does not replace a
// longer one, unless it failed.
func record(file string, t target) error {
	var all []target
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	i := slices.IndexFunc(all, func(o target) bool { return o.String() == t.String() })
	switch {
	case i < 0:
		all = append(all, t)
	case t.Seconds >= all[i].Seconds || t.Failures > 0:
		all[i] = t
	default:
		return nil
	}
	slices.SortFunc(all, func(a, b target) int { return cmp.Compare(a.String(), b.String()) })
	if b, err = json.MarshalIndent(all, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}
