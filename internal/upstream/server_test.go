package upstream

// This file holds the servers that the tests call: the SDK's own server on real
// ports and as a real process, with faults in front of it.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMain lets the test binary be the program that a command upstream starts.
func TestMain(m *testing.M) {
	if os.Getenv("UPSTREAM_TEST_PROGRAM") != "" {
		program1()
		return
	}
	os.Exit(m.Run())
}

// program1 serves one client on stdio.
func program1() {
	fmt.Fprintln(os.Stderr, "program is up")
	var runs atomic.Int32
	server := toolServer(&runs)
	mcp.AddTool(server, &mcp.Tool{Name: "env"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return text(strings.Join(os.Environ(), "\n")), nil, nil
	})
	server.AddTool(&mcp.Tool{Name: "die", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { os.Exit(3); return nil, nil })
	mcp.AddTool(server, &mcp.Tool{Name: "nest"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return text(nest(ctx)), nil, nil
	})
	_ = server.Run(context.Background(), &mcp.StdioTransport{}) // ends with its input
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

// toolServer has the tools echo, slow, progress, big and fails. runs counts what
// ran.
func toolServer(runs *atomic.Int32) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, &mcp.ServerOptions{PageSize: 2})
	object := json.RawMessage(`{"type":"object"}`)
	add := func(name string, h mcp.ToolHandler) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: object}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			runs.Add(1)
			return h(ctx, r)
		})
	}
	add("echo", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		who := ""
		if r.Extra != nil && r.Extra.Header != nil {
			who = " " + r.Extra.Header.Get("Authorization")
		}
		return text(string(r.Params.Arguments) + who), nil
	})
	add("slow", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	add("progress", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3, Message: "step"})
			if err != nil {
				return nil, err
			}
		}
		return text("done"), nil
	})
	add("big", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := text("see structured content")
		r.StructuredContent = json.RawMessage(`{"z":12345678901234567890,"a":1.50}`)
		return r, nil
	})
	add("fails", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := text("no such thing")
		r.IsError = true
		return r, nil
	})
	return server
}

// eras are the transports that a server may speak.
var eras = []string{"stateful", "stateless", "sse"}

// fixture is an HTTP server with faults in front of it.
type fixture struct {
	t    *testing.T
	era  string
	addr string
	runs atomic.Int32
	mcp  *mcp.Server

	mu       sync.Mutex
	server   *http.Server
	calls    int // tools/call requests seen
	opened   int // sessions opened
	answer   func(method string, w http.ResponseWriter, r *http.Request) bool
	sessions map[string]map[string]bool // session id to the Authorizations it was used with
}

func newFixture(t *testing.T, era string) *fixture {
	t.Helper()
	f := &fixture{t: t, era: era, sessions: map[string]map[string]bool{}}
	f.mcp = toolServer(&f.runs)
	f.start("127.0.0.1:0")
	t.Cleanup(f.stop)
	return f
}

func (f *fixture) url() string { return "http://" + f.addr + "/mcp" }

func (f *fixture) start(addr string) {
	f.t.Helper()
	var l net.Listener
	var err error
	for range 50 { // the port of a server that was just stopped
		if l, err = net.Listen("tcp", addr); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	f.addr = l.Addr().String()
	get := func(*http.Request) *mcp.Server { return f.mcp }
	var inner http.Handler
	if f.era == "sse" {
		inner = mcp.NewSSEHandler(get, nil)
	} else {
		inner = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: f.era == "stateless"})
	}
	f.mu.Lock()
	f.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(inner, w, r) })}
	server := f.server
	f.mu.Unlock()
	go func() { _ = server.Serve(l) }()
}

// stop cuts every connection, as a crash does.
func (f *fixture) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.server != nil {
		_ = f.server.Close()
		f.server = nil
	}
}

func (f *fixture) serve(inner http.Handler, w http.ResponseWriter, r *http.Request) {
	method := ""
	if r.Method == http.MethodPost {
		var m struct{ Method string }
		body := bufio.NewReaderSize(r.Body, 1<<16)
		head, _ := body.Peek(1 << 16)
		_ = json.NewDecoder(strings.NewReader(string(head))).Decode(&m)
		method = m.Method
		r.Body = struct {
			*bufio.Reader
			nothing
		}{body, nothing{}}
	}
	f.mu.Lock()
	switch method {
	case "tools/call":
		f.calls++
	case "initialize", "server/discover":
		f.opened++
	}
	if id := r.Header.Get("Mcp-Session-Id"); id != "" {
		if f.sessions[id] == nil {
			f.sessions[id] = map[string]bool{}
		}
		f.sessions[id][r.Header.Get("Authorization")] = true
	}
	answer := f.answer
	f.mu.Unlock()
	if answer != nil && answer(method, w, r) {
		return
	}
	inner.ServeHTTP(w, r)
}

type nothing struct{}

func (nothing) Close() error { return nil }

// fault answers the next tools/call with a status, once.
func (f *fixture) fault(status int) {
	var once sync.Once
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer = func(method string, w http.ResponseWriter, _ *http.Request) (done bool) {
		if method == "tools/call" {
			once.Do(func() { http.Error(w, "secret-of-the-upstream", status); done = true })
		}
		return done
	}
}

func (f *fixture) counts() (calls, opened int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls, f.opened
}

// open is an upstream of the fixture.
func (f *fixture) open(change func(*Options)) *Upstream {
	f.t.Helper()
	o := Options{Name: "fix", URL: f.url(), SSE: f.era == "sse", Timeout: 10 * time.Second, LookupEnv: noEnv}
	if change != nil {
		change(&o)
	}
	u, err := New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = u.Close() })
	return u
}

func noEnv(string) (string, bool) { return "", false }

// echo calls echo and returns the text.
func echo(t *testing.T, u *Upstream, c Credential) (string, error) {
	t.Helper()
	r, err := u.Call(t.Context(), c, Call{Name: "echo", Arguments: json.RawMessage(`{"n":1}`)})
	if err != nil {
		return "", err
	}
	return r.Content[0].(*mcp.TextContent).Text, nil
}

func mustEcho(t *testing.T, u *Upstream) {
	t.Helper()
	got, err := echo(t, u, Credential{})
	if err != nil || strings.TrimSpace(got) != `{"n":1}` {
		t.Fatalf("echo: %q, %v", got, err)
	}
}
