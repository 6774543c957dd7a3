// Package program builds the product and runs it as its users do: as processes
// of their own, measured from outside.
package program

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Program is a built binary.
type Program struct{ path string }

// Build builds the product, which is the parent module of this one, into dir,
// with further options of the compiler.
func Build(ctx context.Context, module, dir string, options ...string) (Program, error) {
	path := filepath.Join(dir, "evergreen")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"build", "-o", path}, options...), "./cmd/evergreen")...)
	cmd.Dir = filepath.Dir(module)
	if out, err := cmd.CombinedOutput(); err != nil {
		return Program{}, fmt.Errorf("build the product: %w\n%s", err, out)
	}
	return Program{path}, nil
}

// Path is where the binary lies.
func (p Program) Path() string { return p.path }

// Usage is what one process took.
type Usage struct {
	Wall time.Duration
	CPU  time.Duration // of all its threads, in user and system mode
	Peak float64       // MB (10^6 bytes) of memory resident at most, 0 where the system does not tell
	Out  []byte        // its standard output
	Err  []byte        // its standard error
}

// Run runs the program to its end. An exit code other than 0 is an error that
// holds what the program said.
func (p Program) Run(ctx context.Context, args ...string) (Usage, error) {
	return Measure(p.Command(ctx, args...))
}

// Command prepares a run with the program's default settings.
func (p Program) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, args...)
	ours := func(variable string) bool { return strings.HasPrefix(variable, "EVERGREEN_") }
	cmd.Env = append(slices.DeleteFunc(os.Environ(), ours), "NO_PROXY=*")
	return cmd
}

// Measure runs any command to its end.
func Measure(cmd *exec.Cmd) (Usage, error) { return measure(cmd, func(int) {}) }

// Watch is Measure that looks at the process again and again for its peak, where
// the system tells. What it says at the end is never below what its parent held.
func Watch(cmd *exec.Cmd) (Usage, error) {
	done, found := make(chan struct{}), make(chan float64, 1)
	u, err := measure(cmd, func(pid int) { go func() { found <- peakUntil(done, pid) }() })
	close(done)
	if err != nil {
		return u, err
	}
	if most := <-found; most > 0 {
		u.Peak = most
	}
	return u, nil
}

// peakUntil looks at a process until it is done.
func peakUntil(done <-chan struct{}, pid int) (most float64) {
	for {
		m, _ := MemoryOf(pid)
		most = max(most, m.Peak)
		select {
		case <-done:
			return most
		case <-time.After(watchEvery):
		}
	}
}

// watchEvery is short beside the runs that are watched, and long beside a look.
const watchEvery = 5 * time.Millisecond

// measure runs a command to its end and tells begun its process.
func measure(cmd *exec.Cmd, begun func(pid int)) (Usage, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	started := time.Now()
	err := cmd.Start()
	if err == nil {
		begun(cmd.Process.Pid)
		err = cmd.Wait()
	}
	u := Usage{Wall: time.Since(started), Out: out.Bytes(), Err: errs.Bytes()}
	if err != nil {
		said := strings.TrimSpace(errs.String())
		return u, fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, said[max(0, len(said)-2000):])
	}
	u.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.Peak = peak(cmd.ProcessState)
	return u, nil
}

// Start starts the program without waiting for it. Its output is discarded.
func (p Program) Start(ctx context.Context, args ...string) (*exec.Cmd, error) {
	cmd := p.Command(ctx, args...)
	return cmd, cmd.Start()
}
