package upstream

// This file runs an upstream that is a program on stdio.

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inherited are the variables that a program gets from our environment. Others,
// our own tokens among them, are none of its business.
func inherited() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ", "TMPDIR", "TMP", "TEMP",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
		"APPDATA", "LOCALAPPDATA", "COMSPEC", "PATHEXT", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "USERNAME", "USERPROFILE", "WINDIR",
	}
}

// DepthVariable tells a program that we start how many of us stand above it.
const DepthVariable = "EVERGREEN_DEPTH"

// depth is how many of us stand above this process; what is no number is none.
func (o Options) depth() int {
	text, _ := o.LookupEnv(DepthVariable)
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// command starts the program. It runs until the session ends.
func (u *Upstream) command(life context.Context) (mcp.Transport, error) {
	if depth := u.o.depth(); depth >= maxDepth {
		return nil, evergreen.Errorf(evergreen.Conflict, "upstream %s is not started: this Evergreen was itself started by another, %d deep", u.o.Name, depth).
			Fix("see whether %s is Evergreen with the configuration that it is named in: give it one of its own with --config", u.o.Command[0])
	}
	env, err := u.environment()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(life, u.o.Command[0], u.o.Command[1:]...)
	cmd.Env, cmd.Dir = env, u.o.Dir
	cmd.WaitDelay = time.Second // a grandchild may hold stderr open
	cmd.Stderr = &stderrLog{log: u.log}
	return &program{cmd: cmd, upstream: u}, nil
}

func (u *Upstream) environment() ([]string, error) {
	own, err := u.o.expandAll(u.o.Env)
	if err != nil {
		return nil, err
	}
	var env []string
	for _, name := range inherited() {
		if _, set := own[name]; set {
			continue
		}
		if value, ok := u.o.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range own {
		if name != DepthVariable {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, DepthVariable+"="+strconv.Itoa(u.o.depth()+1))
	slices.Sort(env)
	return env, nil
}

// program is the transport to a program: the SDK's line protocol, with what
// was sent noted on the way.
type program struct {
	cmd      *exec.Cmd
	upstream *Upstream
}

// Connect implements [mcp.Transport].
func (p *program) Connect(ctx context.Context) (mcp.Connection, error) {
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		if cause, ok := errors.AsType[*exec.Error](err); ok {
			err = cause.Err
		}
		return nil, evergreen.Errorf(evergreen.Upstream, "upstream %s cannot be started: %w", p.upstream.o.Name, err).
			Fix("see that %s is installed", p.cmd.Path)
	}
	child := &child{cmd: p.cmd, in: in}
	body := struct {
		io.Reader
		io.Closer
	}{&rewritten{body: io.NopCloser(out), lines: bufio.NewReaderSize(out, lineBuffer), progress: p.upstream.passProgress}, child}
	conn, err := (&mcp.IOTransport{Reader: body, Writer: in}).Connect(ctx)
	if err != nil {
		_ = child.Close()
		return nil, err
	}
	return noting{conn}, nil
}

// child ends a program: its input ends, and it has a moment to leave.
type child struct {
	cmd  *exec.Cmd
	in   io.Closer
	once sync.Once
}

// Close ends the program and waits for it.
func (c *child) Close() error {
	c.once.Do(func() {
		_ = c.in.Close() // it may have left already
		timer := time.AfterFunc(endTimeout, func() { _ = c.cmd.Process.Kill() })
		_ = c.cmd.Wait() // how it left does not matter any more
		timer.Stop()
	})
	return nil
}

// noting notes in a call's exchange that its request was written.
type noting struct{ mcp.Connection }

// Write implements [mcp.Connection].
func (n noting) Write(ctx context.Context, m jsonrpc.Message) error {
	err := n.Connection.Write(ctx, m)
	if seen, ok := ctx.Value(exchangeKey{}).(*exchange); ok && err == nil {
		seen.sent.Store(true)
	}
	return err
}

// stderrLog writes what a program says on stderr to the log, line by line.
type stderrLog struct {
	log  *slog.Logger
	mu   sync.Mutex
	line strings.Builder
}

// Write implements [io.Writer].
func (l *stderrLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range p {
		if b == '\n' {
			if text := strings.TrimSpace(l.line.String()); text != "" {
				l.log.Debug("stderr", "line", text)
			}
			l.line.Reset()
		} else if l.line.Len() < maxStderr {
			l.line.WriteByte(b)
		}
	}
	return len(p), nil
}
