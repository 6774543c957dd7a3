package gateway

// This file holds what the tests stand on: upstreams on real ports, a server of
// our own, and clients of it.

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"evergreen/internal/repair"
	"evergreen/internal/upstream"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// remoteTool is one tool of a fake upstream.
type fakeTool struct {
	name, schema string
	readOnly     bool
	run          sdk.ToolHandler // nil echoes name and arguments
}

func content(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

func fakeServer(name string, tools ...fakeTool) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: name, Version: "1"}, nil)
	for _, t := range tools {
		addFake(s, t)
	}
	return s
}

func addFake(s *sdk.Server, t fakeTool) {
	if t.schema == "" {
		t.schema = `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}`
	}
	if t.run == nil {
		t.run = func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return content(t.name + " " + string(r.Params.Arguments)), nil
		}
	}
	s.AddTool(&sdk.Tool{Name: t.name, InputSchema: json.RawMessage(t.schema), Annotations: &sdk.ToolAnnotations{ReadOnlyHint: t.readOnly}}, t.run)
}

// listen serves an upstream over real HTTP and returns its address.
func listen(t *testing.T, s *sdk.Server) string {
	t.Helper()
	h := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(h.Close)
	return h.URL
}

// listenAt serves an upstream on a given address.
func listenAt(t *testing.T, addr string, s *sdk.Server) *http.Server {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Server{Handler: sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil)}
	go func() { _ = h.Serve(l) }()
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// freeAddr is an address where nobody listens.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func at(name, url string, change func(*Upstream)) Upstream {
	u := Upstream{Options: upstream.Options{Name: name, URL: url, Timeout: 10 * time.Second}, Prefix: name}
	if change != nil {
		change(&u)
	}
	return u
}

// stand is a gateway with one face.
type stand struct {
	t       *testing.T
	g       *Gateway
	face    *Face
	server  *sdk.Server
	log     *recorder
	session *sdk.ClientSession
}

// build makes a stand and asks every upstream once.
func build(t *testing.T, o FaceOptions, upstreams ...Upstream) *stand {
	t.Helper()
	st := &stand{t: t, log: &recorder{}}
	var err error
	if st.g, err = New(Options{Upstreams: upstreams, Retry: 20 * time.Millisecond, Log: slog.New(slog.NewTextHandler(st.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.g.Close() })
	st.server = fakeServer("evergreen", fakeTool{name: "search_docs", readOnly: true}, fakeTool{name: "delete_index", schema: `{"type":"object","properties":{"repo":{"type":"string"}},"required":["repo"]}`})
	o.Server = st.server
	yes, no := true, false
	o.Own = []repair.Tool{
		{Name: "search_docs", ReadOnly: &yes, Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}`)},
		{Name: "delete_index", ReadOnly: &no, Keys: map[string]string{"collection": "repo"}, Schema: json.RawMessage(`{"type":"object","properties":{"repo":{"type":"string"}},"required":["repo"]}`)},
		{Name: "index_secret", Hidden: true},
	}
	if st.face, err = st.g.Face(o); err != nil {
		t.Fatal(err)
	}
	st.g.Refresh(t.Context())
	return st
}

// connect opens a client session on a pipe.
func (st *stand) connect(o *sdk.ClientOptions) *sdk.ClientSession {
	st.t.Helper()
	here, there := sdk.NewInMemoryTransports()
	if _, err := st.server.Connect(st.t.Context(), there, nil); err != nil {
		st.t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o).Connect(st.t.Context(), here, nil)
	if err != nil {
		st.t.Fatal(err)
	}
	st.t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool with arguments of any JSON.
func (st *stand) call(name, arguments string) *sdk.CallToolResult {
	st.t.Helper()
	if st.session == nil {
		st.session = st.connect(nil)
	}
	p := &sdk.CallToolParams{Name: name}
	if arguments != "" {
		p.Arguments = json.RawMessage(arguments)
	}
	r, err := st.session.CallTool(st.t.Context(), p)
	if err != nil {
		st.t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return r
}

func (st *stand) names() []string {
	st.t.Helper()
	session := st.connect(nil)
	var names []string
	for tool, err := range session.Tools(st.t.Context(), nil) {
		if err != nil {
			st.t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

// texts are the text blocks of a result.
func texts(r *sdk.CallToolResult) []string {
	var out []string
	for _, c := range r.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			out = append(out, text.Text)
		}
	}
	return out
}

// about is what _meta says about a repair.
func about(t *testing.T, r *sdk.CallToolResult) map[string]any {
	t.Helper()
	m, _ := r.Meta["evergreen/repair"].(map[string]any)
	return m
}

// recorder is a log that tests read.
type recorder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}
