package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the program itself a command of the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"evergreen": main})
}

// TestScripts runs testdata/script: the command line and the server as their
// users see them. Beside testscript's own commands there are
//
//	serve ARGS...          evergreen serve on a free port, until the script ends;
//	                       what it says is in serve.stderr, $ADDRESS is set
//	stop                   ends it as Ctrl+C does; it must end well
//	get PATH               a GET to it
//	post PATH BODY         a POST of JSON to it; both send $ACCEPT, if it is set
//	await PATH PATTERN     a GET again and again, until its body matches
//	site FOLDER            serves the folder's files on loopback as they are at each
//	                       request, until the script ends; $SITE is set. A file
//	                       _redirects holds lines "FROM TO" of redirects (302), a
//	                       file _header a "NAME VALUE" that requests must carry
//	expand FILE...         puts the environment into files that hold ${NAME}
//	status CODE, [!] body PATTERN, header NAME VALUE   about the last answer
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup:               isolate,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": cmdServe, "stop": cmdStop, "get": cmdGet, "post": cmdPost, "await": cmdAwait,
			"site": cmdSite, "expand": cmdExpand, "status": cmdStatus, "body": cmdBody, "header": cmdHeader,
		},
	})
}

// isolate gives a script a library and a home of its own.
func isolate(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, ".home")
	for name, value := range map[string]string{"EVERGREEN_LIBRARY": filepath.Join(e.WorkDir, ".library"),
		"HOME": home, "AppData": home, "LocalAppData": home, "XDG_CONFIG_HOME": home, "NO_PROXY": "*"} {
		e.Setenv(name, value)
	}
	e.Values[sessionKey{}] = &session{}
	return os.MkdirAll(home, 0o700)
}

type sessionKey struct{}

// session is the server of a script and its last answer.
type session struct {
	base   string
	stop   func() error
	answer *http.Response
	body   string
}

func sessionOf(ts *testscript.TestScript) *session { return ts.Value(sessionKey{}).(*session) }

// awaited bounds what a script waits for: far above what it takes.
const awaited = 30 * time.Second

// cmdAwait asks until the answer is as wanted.
func cmdAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await PATH PATTERN")
	}
	wanted := regexp.MustCompile(args[1])
	for end := time.Now().Add(awaited); ; time.Sleep(20 * time.Millisecond) {
		cmdGet(ts, false, args[:1])
		if wanted.MatchString(sessionOf(ts).body) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("%s never matched %q, at last:\n%s", args[0], args[1], sessionOf(ts).body)
		}
	}
}

// cmdServe starts the server and waits until it says where it is.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: serve ARGS...")
	}
	path, err := exec.LookPath(filepath.Join(binFolder(ts), "evergreen"))
	ts.Check(err)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, append([]string{"serve", "--port", "0", "--log-level", "warn"}, args...)...)
	cmd.Dir = ts.Getenv("WORK")
	cmd.Env = append(os.Environ(), "EVERGREEN_LIBRARY="+ts.Getenv("EVERGREEN_LIBRARY"), "HOME="+ts.Getenv("HOME"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 15 * time.Second // longer than a server drains
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	s := sessionOf(ts)
	s.stop = sync.OnceValue(func() error {
		cancel()
		return cmd.Wait()
	})
	ts.Defer(func() { _ = s.stop() }) // a script that cares says stop
	var said strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if m := regexp.MustCompile(`site +(http://\S+?)/?$`).FindStringSubmatch(lines.Text()); m != nil {
			s.base = m[1]
		}
		if strings.Contains(lines.Text(), "Ctrl+C") {
			break
		}
	}
	if s.base == "" {
		ts.Fatalf("the server did not come up:\n%s", said.String())
	}
	ts.Setenv("ADDRESS", strings.TrimPrefix(s.base, "http://"))
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	ts.Check(os.WriteFile(ts.MkAbs("serve.stderr"), []byte(said.String()), 0o600))
	ts.Logf("%s", said.String())
}

// cmdStop stops the server and demands exit code 0. Where processes cannot be
// interrupted (Windows) it only stops.
func cmdStop(ts *testscript.TestScript, _ bool, _ []string) {
	err := sessionOf(ts).stop()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && runtime.GOOS != "windows" {
		ts.Fatalf("the server ended with %v", exit)
	}
}

// binFolder is where testscript keeps the program.
func binFolder(ts *testscript.TestScript) string {
	return strings.Split(ts.Getenv("PATH"), string(os.PathListSeparator))[0]
}

func cmdGet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: get PATH")
	}
	request(ts, http.MethodGet, args[0], "")
}

func cmdPost(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: post PATH BODY")
	}
	request(ts, http.MethodPost, args[0], strings.Join(args[1:], " "))
}

func request(ts *testscript.TestScript, method, path, body string) {
	s := sessionOf(ts)
	r, err := http.NewRequest(method, s.base+path, strings.NewReader(body))
	ts.Check(err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if accept := ts.Getenv("ACCEPT"); accept != "" {
		r.Header.Set("Accept", accept)
	}
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: (&net.Dialer{}).DialContext}}
	s.answer, err = client.Do(r)
	ts.Check(err)
	defer s.answer.Body.Close()
	text, err := io.ReadAll(s.answer.Body)
	ts.Check(err)
	s.body = string(text)
	ts.Logf("%s %s: %d\n%s", method, path, s.answer.StatusCode, s.body)
}

func cmdStatus(ts *testscript.TestScript, _ bool, args []string) {
	if got := sessionOf(ts).answer.Status; !strings.HasPrefix(got, args[0]+" ") {
		ts.Fatalf("status %s, want %s", got, args[0])
	}
}

func cmdBody(ts *testscript.TestScript, neg bool, args []string) {
	if matched := regexp.MustCompile("(?m)" + args[0]).MatchString(sessionOf(ts).body); matched == neg {
		ts.Fatalf("body matches %q: %v", args[0], matched)
	}
}

func cmdHeader(ts *testscript.TestScript, _ bool, args []string) {
	if got := sessionOf(ts).answer.Header.Get(args[0]); got != args[1] {
		ts.Fatalf("%s is %q, want %q", args[0], got, args[1])
	}
}
