// The server as a process of its own, and what the system says of it.

package faults

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// server is `evergreen serve` on free ports.
type server struct {
	base, operator string
	process        *os.Process
}

var (
	siteLine     = regexp.MustCompile(`site +(http://\S+?)/?$`)
	operatorLine = regexp.MustCompile(`operator's figures: (http://\S+)`)
)

// serve starts the server; it must end well when the test does.
func serve(t *testing.T, b *bed, args ...string) *server {
	t.Helper()
	cmd := b.command(append([]string{"serve", "--port", "0", "--operator-listen", "127.0.0.1:0", "--log-level", "error"}, args...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{process: cmd.Process}
	said := &strings.Builder{}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() && !strings.Contains(lines.Text(), "Ctrl+C") {
		fmt.Fprintln(said, lines.Text())
		if m := siteLine.FindStringSubmatch(lines.Text()); m != nil {
			s.base = m[1]
		}
		if m := operatorLine.FindStringSubmatch(lines.Text()); m != nil {
			s.operator = m[1]
		}
	}
	if s.base == "" || s.operator == "" {
		_ = cmd.Process.Kill()
		t.Fatalf("the server did not start: %s", said)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines.Scan() {
			t.Log("server: " + lines.Text())
		}
	}()
	t.Cleanup(func() { stopServer(t, cmd, done) })
	return s
}

func stopServer(t *testing.T, cmd *exec.Cmd, done <-chan struct{}) {
	t.Helper()
	_ = cmd.Process.Signal(os.Interrupt)
	kill := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	<-done
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// sample is what a server takes at one moment.
type sample struct {
	Seconds     float64 `json:"seconds"`
	MemoryMB    float64 `json:"memory_mb"`    // resident, mapped files included
	AnonymousMB float64 `json:"anonymous_mb"` // of it what is no file
	Goroutines  float64 `json:"goroutines"`
	Descriptors float64 `json:"descriptors"`
}

// sample looks at the process from outside, and asks it for its goroutines.
func (s *server) sample(since time.Time) (sample, error) {
	out := sample{Seconds: time.Since(since).Seconds()}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid))
	if err != nil {
		return out, err
	}
	out.MemoryMB, out.AnonymousMB = kilobytes(string(status), "VmRSS:")/1024, kilobytes(string(status), "RssAnon:")/1024
	open, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(s.process.Pid), "fd"))
	if err != nil {
		return out, err
	}
	out.Descriptors = float64(len(open))
	res, err := http.Get(s.operator)
	if err != nil {
		return out, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return out, err
	}
	_, after, _ := strings.Cut(string(text), "\ngo_goroutines ")
	number, _, _ := strings.Cut(after, "\n")
	out.Goroutines, err = strconv.ParseFloat(number, 64)
	return out, err
}

func kilobytes(status, field string) float64 {
	_, after, _ := strings.Cut(status, field)
	n, _ := strconv.ParseFloat(strings.Fields(after + " 0")[0], 64)
	return n
}

// moreFiles raises the limit on open files of this process as far as it may be
// raised, for the server too, and returns it.
func moreFiles(t *testing.T) int {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = limit.Max
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	return int(min(limit.Cur, 1<<20))
}

// growth fits a line through the second half of the samples and returns by how
// much it rises over that half, and the mean.
func growth(samples []sample, value func(sample) float64) (rise, mean float64) {
	half := samples[len(samples)/2:]
	var n, sx, sy, sxx, sxy float64
	for _, s := range half {
		x, y := s.Seconds, value(s)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	slope := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	return slope * (half[len(half)-1].Seconds - half[0].Seconds), sy / n
}
