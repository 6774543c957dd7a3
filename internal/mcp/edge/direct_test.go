// The edge answers calls of tools as the SDK would.
package edge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// plain are the plain tools as the edge calls them.
type plain struct {
	handlers map[string]mcp.ToolHandler
	calls    atomic.Int64
}

func newPlain() *plain { return &plain{handlers: plainTools()} }

func (p *plain) Serves(name string) bool { return p.handlers[name] != nil }

func (p *plain) Implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: "test", Version: "1"}
}

func (p *plain) CallTool(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	p.calls.Add(1)
	return p.handlers[r.Params.Name](ctx, r)
}

// toolCases are calls that differ in what a tool is given and gives.
func toolCases() []httpCase {
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":"七<","method":"tools/call","params":` + params + `}`
	}
	var cases []httpCase
	for name := range plainTools() {
		arguments := fmt.Sprintf(`"name":%q,"arguments":{"a":1}`, name)
		cases = append(cases,
			httpCase{name: "legacy " + name, body: call(`{` + arguments + `}`)},
			httpCase{name: "legacy with _meta " + name, body: call(`{` + arguments + `,"_meta":{"x/asked":{"b":[1.5]}}}`), headers: []string{"MCP-Protocol-Version: 2025-11-25"}},
			httpCase{name: "modern " + name, body: modernBody("1", "tools/call", arguments), headers: modernHeaders("tools/call", name)},
			httpCase{name: "batch " + name, body: `[` + call(`{`+arguments+`}`) + `,` + call(`{`+arguments+`}`) + `]`})
	}
	modern := func(from, to string) httpCase {
		body := strings.Replace(modernBody("1", "tools/call", `"name":"echo"`), from, to, 1)
		return httpCase{name: to, body: body, headers: modernHeaders("tools/call", "echo")}
	}
	const capabilities = `"io.modelcontextprotocol/clientCapabilities":{}`
	for _, value := range []string{`null`, `7`, `[]`, `"x"`, `{"roots":7}`, `{"roots":{"listChanged":true},"sampling":{}}`, `{"extensions":{"a/b":{}}}`} {
		cases = append(cases, modern(capabilities, `"io.modelcontextprotocol/clientCapabilities":`+value),
			modern(capabilities, capabilities+`,"io.modelcontextprotocol/clientInfo":`+value))
	}
	return append(cases,
		modern(capabilities, `"a":1`),
		modern(capabilities, capabilities+`,"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}`),
		modern(`"name":"echo"`, `"name":"echo","task":{}`),
		modern(`"name":"echo"`, `"name":"echo","arguments":`+strings.Repeat("[", maxBrackets)+strings.Repeat("]", maxBrackets)),
		httpCase{name: "only streams", body: call(`{"name":"echo"}`), headers: []string{"Accept: text/event-stream"}},
		httpCase{name: "progress", body: call(`{"name":"echo","_meta":{"progressToken":1}}`), headers: []string{"Accept: */*"}},
		httpCase{name: "_meta is no object", body: call(`{"name":"echo","_meta":7}`)},
		httpCase{name: "_meta is null", body: call(`{"name":"echo","_meta":null}`)},
		httpCase{name: "the name is null", body: call(`{"name":null}`)},
		httpCase{name: "another member", body: call(`{"name":"echo","query":"x"}`)},
		httpCase{name: "the name in escapes", body: call(`{"name":"\u0065cho"}`)},
		httpCase{name: "a name twice", body: call(`{"name":"fail","name":"echo"}`)},
	)
}

// decoded is a body as JSON, or as the text of a stream.
func decoded(t *testing.T, w *httptest.ResponseRecorder) any {
	t.Helper()
	if w.Header().Get("Content-Type") != typeJSON {
		return w.Body.String()
	}
	var v any
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return v
}

func TestToolsAreAnsweredAsBySDK(t *testing.T) {
	for _, dual := range []bool{false, true} {
		tools := newPlain()
		bySDK, byEdge := newTestHTTP(t, HTTPOptions{DualEra: dual, Hook: renameHook}), newTestHTTP(t, HTTPOptions{DualEra: dual, Hook: renameHook, Tools: tools})
		for _, c := range slices.Concat(legacyCases(), modernCases(), toolCases()) {
			want, got := post(bySDK, c.body, c.headers...), post(byEdge, c.body, c.headers...)
			if got.Code != want.Code || got.Header().Get("Content-Type") != want.Header().Get("Content-Type") || got.Header().Get("Cache-Control") != want.Header().Get("Cache-Control") {
				t.Errorf("%.200s: status %d, %v; the SDK: %d, %v", c.name, got.Code, got.Header(), want.Code, want.Header())
			}
			if diff := cmp.Diff(decoded(t, want), decoded(t, got)); diff != "" {
				t.Errorf("%.200s (-SDK +edge):\n%.2000s", c.name, diff)
			}
		}
		if n := tools.calls.Load(); n < 50 {
			t.Errorf("only %d calls were made by the edge", n)
		}
	}
}

// Every stdio conversation is the same, whoever makes its calls.
func TestStdioToolsAreAnsweredAsBySDK(t *testing.T) {
	const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	var lines []string
	id := 0
	for name := range plainTools() {
		for _, meta := range []string{`"_meta":{"x/asked":1}`, modern} {
			id++
			lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d.5,"method":"tools/call","params":{"name":%q,"arguments":{"a":1},%s}}`, id, name, meta))
		}
	}
	slices.Sort(lines)
	lines = append(lines, "["+strings.Join(lines[:3], ",")+"]")
	tools := newPlain()
	answers := func(o StdioOptions) (out []any) {
		t.Helper()
		o.Hook, o.Log = renameHook, quiet
		in, w := io.Pipe()
		read, told := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- ServeStdio(t.Context(), testServer(t, nil), in, told, o) }()
		d := json.NewDecoder(read)
		ask := func(line string) {
			if _, err := io.WriteString(w, line+"\n"); err != nil {
				t.Fatal(err)
			}
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			out = append(out, v)
		}
		ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
		for _, line := range lines {
			ask(line)
		}
		w.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		return out
	}
	want := answers(StdioOptions{})
	if diff := cmp.Diff(want, answers(StdioOptions{Tools: tools})); diff != "" {
		t.Errorf("(-SDK +edge):\n%s", diff)
	}
	if n := int(tools.calls.Load()); n < len(plainTools())*2 {
		t.Errorf("only %d calls were made by the edge", n)
	}
}

// waiting is a tool that runs until it is cancelled.
type waiting struct{ begun chan string }

func (waiting) Serves(name string) bool             { return name == "wait" }
func (waiting) Implementation() *mcp.Implementation { return &mcp.Implementation{Name: "test"} }

func (w waiting) CallTool(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	w.begun <- string(r.Params.Arguments)
	<-ctx.Done()
	return textResult(context.Cause(ctx).Error()), nil
}

func TestStdioCancelsCallsOfTheEdge(t *testing.T) {
	tools := waiting{make(chan string)}
	in, w := io.Pipe()
	read, told := io.Pipe()
	done := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		done <- ServeStdio(ctx, testServer(t, nil), in, told, StdioOptions{Tools: tools, Log: quiet})
	}()
	d := json.NewDecoder(read)
	send := func(line string) { fmt.Fprintln(w, line) }
	call := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"wait","arguments":` + id + `}}`
	}
	var answer struct{ ID, Result json.RawMessage }
	go send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	if err := d.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{`1.5`, `"\u0061"`, `7`} {
		go func() {
			send(call(id))
			send(call("99")) // another one, which goes on
		}()
		<-tools.begun
		<-tools.begun
		asked := id
		if id == `"\u0061"` {
			asked = `"a"` // the same id
		}
		go send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + asked + `}}`)
		if err := d.Decode(&answer); err != nil || string(answer.ID) != id || !strings.Contains(string(answer.Result), "context canceled") {
			t.Errorf("id %s: %v, %s %s", id, err, answer.ID, answer.Result)
		}
	}
	stop() // the others end with their client
	if err := <-done; err != context.Canceled {
		t.Error(err)
	}
}

// In the older era a lost connection cancels nothing; in the modern one it does.
func TestHTTPCancellation(t *testing.T) {
	for _, isModern := range []bool{false, true} {
		ended := make(chan error, 1)
		tools := contextual{func(ctx context.Context) { ended <- ctx.Err() }}
		h := newTestHTTP(t, HTTPOptions{Tools: tools})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		body, headers := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`, []string(nil)
		if isModern {
			body, headers = modernBody("1", "tools/call", `"name":"x"`), modernHeaders("tools/call", "x")
		}
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
		for _, line := range headers {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Set(name, value)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
		if err := <-ended; (err != nil) != isModern {
			t.Errorf("modern %v: %v", isModern, err)
		}
	}
}

// contextual is a tool that looks at its context.
type contextual struct{ look func(context.Context) }

func (contextual) Serves(name string) bool             { return name == "x" }
func (contextual) Implementation() *mcp.Implementation { return &mcp.Implementation{Name: "test"} }

func (c contextual) CallTool(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c.look(ctx)
	return textResult("looked"), nil
}
