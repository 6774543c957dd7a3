// What the stdio edge answers. Conversations lie in testdata/stdio as txtar:
// lines in, and the lines out that they must cause, in any order.
package edge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/txtar"
)

// speak sends input to a fresh server and returns what it wrote, sorted by line.
func speak(t *testing.T, input string, o StdioOptions) []string {
	t.Helper()
	o.Log = quiet
	var out bytes.Buffer
	if err := ServeStdio(t.Context(), testServer(t, nil), strings.NewReader(input), &out, o); err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	slices.Sort(lines)
	return lines
}

func TestStdioConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/stdio/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var in, want string
			for _, f := range ar.Files {
				switch f.Name {
				case "in":
					in = string(f.Data)
				case "out":
					want = string(f.Data)
				default:
					t.Fatalf("unexpected file %s", f.Name)
				}
			}
			lines := strings.Split(strings.TrimSuffix(want, "\n"), "\n")
			slices.Sort(lines)
			if diff := cmp.Diff(lines, speak(t, in, StdioOptions{Hook: renameHook})); diff != "" {
				t.Errorf("answers differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestStdioLateInitialize: a client's initialize waits for the edge's own, even
// when the server takes its time.
func TestStdioLateInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := testServer(t, nil)
		server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method == "initialize" {
					time.Sleep(time.Second)
				}
				return next(ctx, method, req)
			}
		})
		in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}
{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}
`)
		var out bytes.Buffer
		if err := ServeStdio(t.Context(), server, in, &out, StdioOptions{Log: quiet}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.Contains(got, `"id":2,"result":{"capabilities"`) || !strings.Contains(got, `{"jsonrpc":"2.0","id":1,"result"`) {
			t.Errorf("answers:\n%s", got)
		}
	})
}

// TestStdioDrain: calls that run at the end of the input are answered, and when
// their time is over they are told so.
func TestStdioDrain(t *testing.T) {
	const calls = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}
[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3.5,"method":"tools/call","params":{"name":"wait"}}]
`
	t.Run("waits", func(t *testing.T) {
		release := make(chan struct{})
		in := &signalReader{r: strings.NewReader(calls), ended: func() { close(release) }}
		var out bytes.Buffer
		if err := ServeStdio(t.Context(), testServer(t, release), in, &out, StdioOptions{Log: quiet}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); strings.Count(got, "waited") != 2 || !strings.Contains(got, `{"jsonrpc":"2.0","id":3.5,"result"`) {
			t.Errorf("answers:\n%s", got)
		}
	})
	t.Run("gives up", func(t *testing.T) {
		got := strings.Join(speak(t, calls, StdioOptions{Drain: time.Millisecond}), "\n")
		if strings.Count(got, "not done within 1ms") < 2 || strings.Contains(got, "waited") {
			t.Errorf("answers:\n%s", got)
		}
	})
}

// A signalReader tells when its reader ended.
type signalReader struct {
	r     io.Reader
	once  sync.Once
	ended func()
}

func (s *signalReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil {
		s.once.Do(s.ended)
	}
	return n, err
}

func TestStdioCancel(t *testing.T) {
	in, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		fmt.Fprintln(w, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		cancel()
	}()
	if err := ServeStdio(ctx, testServer(t, nil), in, io.Discard, StdioOptions{Log: quiet}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// TestStdioCancelledCall: a cancellation finds a call whose id is a fraction.
func TestStdioCancelledCall(t *testing.T) {
	got := speak(t, `{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"wait"}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}
`, StdioOptions{})
	if len(got) != 1 || !strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":1.5,`) {
		t.Errorf("answers: %q", got)
	}
}

// TestStdioSubscription: a subscription tells its own id and does not hold up
// the end.
func TestStdioSubscription(t *testing.T) {
	in, w := io.Pipe()
	out, told := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- ServeStdio(t.Context(), testServer(t, nil), in, told, StdioOptions{Log: quiet}) }()
	fmt.Fprintln(w, modernBody("5.5", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`))
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, `subscriptionId":5.5}`) {
		t.Errorf("line %q, error %v", line, err)
	}
	go io.Copy(io.Discard, out)
	w.Close()
	if err := <-done; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

func TestStdioLineCap(t *testing.T) {
	frame := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""}}`
	fill := func(size int) string {
		return strings.Replace(frame, `""`, `"`+strings.Repeat("x", size-len(frame))+`"`, 1)
	}
	got := speak(t, fill(MaxBody)+"\r\n"+fill(MaxBody+1)+"\n\xef\xbb\xbf"+strings.Replace(frame, "1", "2", 1), StdioOptions{})
	want := []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":2,"result":{}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the line exceeds 4194304 bytes: split the request"}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers differ (-want +got):\n%s", diff)
	}
}

func TestStdioBatchCap(t *testing.T) {
	got := speak(t, "["+strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, MaxBatch)+`{"jsonrpc":"2.0","id":1,"method":"ping"}]`, StdioOptions{})
	if len(got) != 1 || !strings.Contains(got[0], "at most 32") {
		t.Errorf("answers: %q", got)
	}
}

func TestStdioBrokenOutput(t *testing.T) {
	in := strings.NewReader(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`+"\n", 3))
	if err := ServeStdio(t.Context(), testServer(t, nil), in, brokenWriter{}, StdioOptions{Log: quiet, Drain: time.Second}); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
