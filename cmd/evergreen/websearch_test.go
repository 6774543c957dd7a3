package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sharedBuffer is written by a server and read by its test.
type sharedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *sharedBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *sharedBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// The server answers, and a search that is under way when it is told to stop
// still gets its answer.
func TestWebsearchDrains(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	service := sdk.NewServer(&sdk.Implementation{Name: "service", Version: "1"}, nil)
	service.AddTool(&sdk.Tool{Name: "web_search_prime", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			close(begun)
			<-release
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "found"}}}, nil
		})
	upstream := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return service }, nil))
	defer upstream.Close()
	dir, out := t.TempDir(), &sharedBuffer{}
	env := map[string]string{"WSPF_UPSTREAM": upstream.URL, "WSPF_LISTEN": "127.0.0.1:0"}
	a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: out, world: world{
		lookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		workDir:   func() (string, error) { return dir, nil }, userConfig: func() (string, error) { return dir, nil },
	}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	code := make(chan int, 1)
	go func() { code <- a.run(ctx, []string{"websearch"}) }()
	url := awaitURL(t, out)
	response, err := http.Get(strings.TrimSuffix(url, "/mcp") + "/healthz")
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response, err)
	}
	_ = response.Body.Close()
	answered := make(chan said, 1)
	go func() { answered <- postCall(t, url, `{"name":"search","arguments":{"query":"x"}}`, false) }()
	<-begun
	cancel()
	close(release)
	if got := <-answered; len(got.Texts) != 2 || got.Texts[0] != "found" || got.IsError {
		t.Errorf("%+v", got)
	}
	if got := <-code; got != exitOK {
		t.Errorf("exit %d\n%s", got, out)
	}
}

// awaitURL waits until a server says where it serves.
func awaitURL(t *testing.T, out *sharedBuffer) string {
	t.Helper()
	said := regexp.MustCompile(`at (http://\S+)`)
	for range 1000 {
		if m := said.FindStringSubmatch(out.String()); m != nil {
			return m[1]
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the server does not say where it serves:", out.String())
	return ""
}
