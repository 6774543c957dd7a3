package peer

// This file talks with processes: one JSON value a line in, one a line out.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"evergreen/bench/internal/program"
)

// Run runs a script, gives it one JSON value a line and returns its answers.
// Their number must be that of the values.
func Run[In, Out any](ctx context.Context, f Folder, name string, script []byte, args []string, in []In) ([]Out, error) {
	cmd, err := f.Script(ctx, name, script, args...)
	if err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	for _, v := range in {
		if err := json.NewEncoder(&lines).Encode(v); err != nil {
			return nil, err
		}
	}
	cmd.Stdin = &lines
	u, err := program.Measure(cmd)
	if err != nil {
		return nil, err
	}
	return answers[Out](bytes.NewReader(u.Out), len(in))
}

func answers[Out any](r io.Reader, n int) (all []Out, err error) {
	for d := json.NewDecoder(r); ; {
		var v Out
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if len(all) != n {
		return nil, fmt.Errorf("%d answers to %d values", len(all), n)
	}
	return all, nil
}

// Process is a running peer that answers each line with a line.
type Process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said bytes.Buffer // its standard error
}

// Start starts a process. What it writes to standard error is kept for errors.
func Start(cmd *exec.Cmd) (*Process, error) {
	p := &Process{cmd: cmd}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	cmd.Stderr = &p.said
	return p, cmd.Start()
}

// Tell writes a line that is not answered.
func (p *Process) Tell(message any) error { return json.NewEncoder(p.in).Encode(message) }

// Ask writes a line and reads one, and says how long that took. A process that
// ends instead is an error with what it said last.
func (p *Process) Ask(question, answer any) (time.Duration, error) {
	started := time.Now()
	if err := p.Tell(question); err != nil {
		return 0, p.failed(err)
	}
	line, err := p.out.ReadBytes('\n')
	took := time.Since(started)
	if err != nil {
		return 0, p.failed(err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return 0, p.failed(fmt.Errorf("%w: %.200s", err, line))
	}
	return took, nil
}

func (p *Process) failed(err error) error {
	_ = p.in.Close()
	_ = p.cmd.Wait() // what it said is complete then
	said := strings.TrimSpace(p.said.String())
	return fmt.Errorf("%s: %w: %s", filepath.Base(p.cmd.Path), err, said[max(0, len(said)-2000):])
}

// Memory is what the process holds at this moment; ok is false where the
// system does not tell.
func (p *Process) Memory() (m program.Memory, ok bool) { return program.MemoryOf(p.cmd.Process.Pid) }

// Stop closes the process's input, which ends it, and returns the processor
// time of its whole life.
func (p *Process) Stop() (cpu time.Duration, err error) {
	if err := p.in.Close(); err != nil {
		return 0, err
	}
	if _, err := io.Copy(io.Discard, p.out); err != nil {
		return 0, err
	}
	if err := p.cmd.Wait(); err != nil {
		return 0, p.failed(err)
	}
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime(), nil
}
