// Mutants puts one deliberate bug at a time into a copy of the tree and runs the
// test that is to see it. A test that still passes proves nothing, and is told
// of with exit 1. What was tried is written as JSON for docs/reliability.md.
//
//	go -C tools run ./mutants [-only PATTERN,PATTERN] [-out FILE] ..
//
// The bugs are the files of testdata: NAME.txt holds lines `row:`, `bug:`,
// `package:`, `test:` and `env:`, where a test judges much at once `says:` with a
// part of what it is to say, then edits: a line `--- FILE`, the text to be
// replaced, a line `+++`, the text that replaces it.
package main

import (
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

//go:embed testdata/*.txt
var testdata embed.FS

// testTimeout bounds one run: a bug may well let a test wait for ever.
const testTimeout = "8m"

func main() {
	only := flag.String("only", "", "`PATTERNS` of the names of the bugs to try, such as kill,fuzz-*; the others' results stay")
	out := flag.String("out", "", "`FILE` for the results")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	results, err := run(root, *only, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
	for _, r := range results {
		if !r.Seen {
			os.Exit(1)
		}
	}
}

// mutant is one deliberate bug.
type mutant struct {
	Name    string `json:"name"`
	Row     string `json:"row"` // of docs/reliability.md
	Bug     string `json:"bug"`
	Package string `json:"package"`
	Test    string `json:"test"`
	env     []string
	says    string // what the failing test is to say, "" for anything
	edits   []edit
}

type edit struct{ file, old, new string }

// result is what came of it.
type result struct {
	mutant
	Seen    bool    `json:"seen"` // the test failed
	Seconds float64 `json:"seconds"`
	Says    string  `json:"says"` // the first line of the failure
}

func run(root, only, out string) (results []result, err error) {
	all, err := mutants(testdata)
	if err == nil {
		all, err = chosen(all, only)
	}
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "evergreen-mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := copyTree(root, work); err != nil {
		return nil, err
	}
	if only != "" { // the others' results stay
		results = earlier(out)
	}
	for _, m := range all {
		r, err := try(work, m)
		if err != nil {
			return results, fmt.Errorf("%s: %w", m.Name, err)
		}
		verdict := "seen"
		if !r.Seen {
			verdict = "NOT SEEN"
		}
		fmt.Printf("%-9s %-14s %-26s %5.1f s  %s\n", verdict, m.Name, m.Test, r.Seconds, r.Says)
		results = append(slices.DeleteFunc(results, func(o result) bool { return o.Name == m.Name }), r)
		if out != "" {
			if err := save(out, results); err != nil {
				return results, err
			}
		}
	}
	return results, nil
}

// mutants reads the bugs in order of their names.
func mutants(files fs.FS) ([]mutant, error) {
	names, err := fs.Glob(files, "testdata/*.txt")
	if err != nil {
		return nil, err
	}
	var out []mutant
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		m, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m.Name = strings.TrimSuffix(filepath.Base(name), ".txt")
		out = append(out, m)
	}
	return out, nil
}

func parse(text string) (m mutant, err error) {
	head, rest, ok := strings.Cut(text, "\n--- ")
	if !ok {
		return m, errors.New("no edit")
	}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "row":
			m.Row = value
		case "bug":
			m.Bug = value
		case "package":
			m.Package = value
		case "test":
			m.Test = value
		case "env":
			m.env = append(m.env, value)
		case "says":
			m.says = value
		default:
			return m, fmt.Errorf("unknown line %q", line)
		}
	}
	if m.Row == "" || m.Bug == "" || m.Package == "" || m.Test == "" {
		return m, errors.New("row, bug, package and test are needed")
	}
	for _, part := range strings.Split(rest, "\n--- ") {
		file, change, _ := strings.Cut(part, "\n")
		before, after, ok := strings.Cut(change, "\n+++\n")
		if !ok {
			return m, fmt.Errorf("%s: no +++", file)
		}
		m.edits = append(m.edits, edit{file, before, strings.TrimSuffix(after, "\n")})
	}
	return m, nil
}

// copyTree copies what git knows or would take.
func copyTree(root, work string) error {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	list, err := cmd.Output()
	if err != nil {
		return err
	}
	for _, name := range strings.Split(strings.TrimRight(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		to := filepath.Join(work, name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, data, 0o755)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// try puts the bug in, runs the test, and takes the bug out again.
func try(work string, m mutant) (result, error) {
	r := result{mutant: m}
	for _, e := range m.edits {
		file := filepath.Join(work, filepath.FromSlash(e.file))
		good, err := os.ReadFile(file)
		if err != nil {
			return r, err
		}
		defer func() { _ = os.WriteFile(file, good, 0o755) }()
		if n := strings.Count(string(good), e.old); n != 1 {
			return r, fmt.Errorf("%s holds the text to be replaced %d times", e.file, n)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(good), e.old, e.new, 1)), 0o755); err != nil {
			return r, err
		}
	}
	began := time.Now()
	if m.Package != "./tools/licences" {
		if err := goCommand(work, nil, "vet", m.Package).Run(); err != nil {
			return r, fmt.Errorf("the bug does not compile, or vet sees it: %w", err)
		}
	}
	args := []string{"test", "-count=1", "-timeout", testTimeout, "-run", "^" + m.Test + "$", m.Package}
	if module, ok := strings.CutPrefix(m.Package, "./tools/"); ok {
		args = append([]string{"-C", "tools"}, append(args[:len(args)-1], "./"+module)...)
	}
	said, err := goCommand(work, m.env, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return r, err
	}
	r.Seen = err != nil && strings.Contains(string(said), "--- FAIL: "+m.Test) && strings.Contains(string(said), m.says)
	r.Seconds = time.Since(began).Seconds()
	r.Says = firstFailure(string(said), m.says)
	return r, nil
}

func goCommand(dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// firstFailure is the first line of a test's complaint with the wanted words, or a
// panic, shortened.
func firstFailure(said, want string) string {
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, want) {
			continue
		}
		_, message, ok := strings.Cut(line, "_test.go:")
		if _, text, more := strings.Cut(message, ": "); ok && more {
			return shortened(text)
		}
		if strings.HasPrefix(line, "panic: ") {
			text, _, _ := strings.Cut(line, " [recovered")
			return shortened(text)
		}
	}
	return strings.TrimSpace(said[max(0, len(said)-120):])
}

func shortened(text string) string {
	if len(text) > 120 {
		text = text[:120] + "…"
	}
	return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
}

// chosen are the bugs whose names match one of the patterns; each pattern has to
// match some.
func chosen(all []mutant, patterns string) (some []mutant, err error) {
	if patterns == "" {
		return all, nil
	}
	list := strings.Split(patterns, ",")
	used := make([]bool, len(list))
	for _, m := range all {
		fits := false
		for i, pattern := range list {
			ok, err := filepath.Match(pattern, m.Name)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", pattern, err)
			}
			fits, used[i] = fits || ok, used[i] || ok
		}
		if fits {
			some = append(some, m)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, fmt.Errorf("no bug is named %s", list[i])
	}
	return some, nil
}

// earlier reads results; none when there is no file.
func earlier(file string) (results []result) {
	if b, err := os.ReadFile(file); err != nil || json.Unmarshal(b, &results) != nil {
		return nil
	}
	return results
}

func save(file string, results []result) error {
	slices.SortFunc(results, func(a, b result) int { return strings.Compare(a.Name, b.Name) })
	b, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}
