package program

// This file runs the product as a server.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Server is a running "evergreen serve".
type Server struct {
	URL string // of the site, without a final slash
	cmd *exec.Cmd
}

// Serve starts a server on a free loopback port and waits until it says where
// it is. folder is its working folder, below which agents may index.
func (p Program) Serve(ctx context.Context, folder string, args ...string) (*Server, error) {
	cmd := p.Command(ctx, append([]string{"serve", "--port", "0", "--rate-limit", "0", "--log-level", "warn"}, args...)...)
	cmd.Dir = folder
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	errs, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &Server{cmd: cmd}
	var said strings.Builder
	site := regexp.MustCompile(`site +(http://\S+?)/?$`)
	for lines := bufio.NewScanner(errs); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if m := site.FindStringSubmatch(lines.Text()); m != nil {
			s.URL = m[1]
		}
		if strings.Contains(lines.Text(), "Ctrl+C") {
			break
		}
	}
	if s.URL == "" {
		return nil, errors.Join(fmt.Errorf("the server did not come up:\n%s", said.String()), s.Stop())
	}
	go func() { _, _ = io.Copy(io.Discard, errs) }() // nobody reads what it says later
	return s, nil
}

// Stop ends the server and waits for it.
func (s *Server) Stop() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		_ = s.cmd.Process.Kill() // systems without that signal
	}
	return s.cmd.Wait()
}

// Memory is what a process holds in memory at this moment, in MB (10^6 bytes).
type Memory struct {
	Resident float64 // all of it
	Own      float64 // without mapped files, which the system may drop at any time
	Peak     float64
}

// Memory reads it where the system tells: Linux. ok is false elsewhere.
func (s *Server) Memory() (m Memory, ok bool) { return MemoryOf(s.cmd.Process.Pid) }

// MemoryOf is Memory for any process.
func MemoryOf(pid int) (m Memory, ok bool) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return m, false
	}
	into := map[string]*float64{"VmRSS": &m.Resident, "RssAnon": &m.Own, "VmHWM": &m.Peak}
	for line := range strings.Lines(string(status)) {
		name, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if to := into[name]; to != nil && len(fields) == 2 {
			kib, err := strconv.Atoi(fields[0])
			if err != nil {
				return m, false
			}
			*to = float64(kib) * 1024 / 1e6
		}
	}
	return m, m.Resident > 0
}

// PID is the server's process.
func (s *Server) PID() int { return s.cmd.Process.Pid }
