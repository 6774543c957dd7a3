package main

// This file loads servers over standard input and output.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// pipe is a server at the other end of two pipes.
type pipe struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func open(cmd *exec.Cmd) (*pipe, error) {
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return &pipe{cmd, in, bufio.NewReaderSize(out, 256<<10)}, cmd.Start()
}

// close ends the server with its input.
func (p *pipe) close() {
	_ = p.in.Close()
	_ = p.cmd.Wait() // measured already
}

// ask sends one line and returns the next one.
func (p *pipe) ask(line []byte) ([]byte, error) {
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	return p.out.ReadBytes('\n')
}

// overPipes measures all servers over stdio in both eras: a process for each
// server and era, since a pipe is one session.
func (b *bench) overPipes(ctx context.Context, library string) error {
	started := []*pipe{}
	defer func() {
		for _, p := range started {
			p.close()
		}
	}()
	start := func(c *contender) (*pipe, error) {
		cmd := b.study.Program.Command(ctx, "mcp", "--library", library, "--log-level", "warn")
		cmd.Dir = b.study.Work
		if c.name != "evergreen" {
			var err error
			if cmd, err = b.peer(ctx, c.name, stdio); err != nil {
				return nil, err
			}
		}
		p, err := open(cmd)
		if err == nil {
			started = append(started, p)
		}
		return p, err
	}
	all := []*contender{named("evergreen", "Evergreen")}
	for _, c := range others() {
		if c.name != goSDKHeld {
			all = append(all, c)
		}
	}
	pipes := map[string]*pipe{}
	for _, c := range all {
		for _, era := range []string{older, newer} {
			p, err := start(c)
			if err == nil {
				err = b.greet(p, era)
			}
			if err != nil {
				return fmt.Errorf("%s over stdio, %s: %w", c.name, era, err)
			}
			pipes[c.name+era], c.pid[era] = p, p.cmd.Process.Pid
		}
	}
	return b.rounds(ctx, all, stdio, func(c *contender, era string) (int, time.Duration, error) {
		return b.flood(pipes[c.name+era], era)
	})
}

// greet opens the session of the older era, and sees that the answer is the
// wanted one.
func (b *bench) greet(p *pipe, era string) error {
	if era == older {
		hello := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + older + `","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
		if _, err := p.ask([]byte(hello)); err != nil {
			return err
		}
		if _, err := io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
			return err
		}
	}
	line, err := p.ask(b.message(era, 1))
	if err != nil {
		return err
	}
	return b.check(line)
}

// flood keeps calls under way for a while, and waits for the last answers.
func (b *bench) flood(p *pipe, era string) (calls int, wall time.Duration, err error) {
	under := make(chan struct{}, window-1) // one more is being waited for
	began := time.Now()
	go func() {
		defer close(under)
		for n := 2; time.Since(began) < slice; n++ {
			under <- struct{}{}
			if _, err := p.in.Write(append(b.message(era, n), '\n')); err != nil {
				return // the reader sees the end
			}
		}
	}()
	for range under {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			return calls, 0, err
		}
		if len(line) < len(b.want) {
			return calls, 0, fmt.Errorf("another answer: %.300s", line)
		}
		calls++
	}
	return calls, time.Since(began), nil
}
