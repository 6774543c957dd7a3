// Package upstreams holds the gateway against real MCP servers, each a process
// of its own: mcp-searxng on a stand-in for SearXNG, and server-everything over
// every transport. scripts/upstreams.sh installs them and runs this.
package upstreams

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tools are the programs under test, from the script.
func tools(t *testing.T) (binary, searxng, everything string) {
	t.Helper()
	binary, folder := os.Getenv("EVERGREEN_BINARY"), os.Getenv("EVERGREEN_UPSTREAMS")
	if binary == "" || folder == "" {
		t.Skip("skipped: EVERGREEN_BINARY and EVERGREEN_UPSTREAMS are not set; run e2e/scripts/upstreams.sh")
	}
	script := func(name string) string {
		real, err := filepath.EvalSymlinks(filepath.Join(folder, "node_modules", ".bin", name))
		if err != nil {
			t.Fatal(err)
		}
		return real
	}
	return binary, script("mcp-searxng"), script("mcp-server-everything")
}

// searx stands in for SearXNG and remembers what was searched.
type searx struct {
	*httptest.Server
	mu      sync.Mutex
	queries []string
}

func newSearx(t *testing.T) *searx {
	t.Helper()
	s := &searx{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/search") {
			http.NotFound(w, r)
			return
		}
		q := r.URL.Query().Get("q")
		s.mu.Lock()
		s.queries = append(s.queries, q)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"query": q, "number_of_results": 1, "results": []map[string]any{
			{"title": "Title of " + q, "url": "http://x.example/" + q, "content": "text", "engine": "e", "score": 1}}})
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *searx) searched(q string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, one := range s.queries {
		if one == q {
			n++
		}
	}
	return n
}

// answer is what a call was answered.
type answer struct {
	Texts   []string
	IsError bool
	Fault   string
}

// good reports whether a call found the query.
func (a answer) good(query string) bool {
	return a.Fault == "" && !a.IsError && len(a.Texts) > 0 && strings.Contains(a.Texts[0], "Title of "+query)
}

func readAnswer(raw []byte) answer {
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
		Error *struct{ Message string }
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return answer{Fault: string(raw)}
	}
	a := answer{IsError: m.Result.IsError}
	if m.Error != nil {
		a.Fault = m.Error.Message
	}
	for _, c := range m.Result.Content {
		a.Texts = append(a.Texts, c.Text)
	}
	return a
}

// pipe sends calls to a program over stdio and returns the answers in order.
func pipe(t *testing.T, cmd *exec.Cmd, params []string) []answer {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"e2e","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, p := range params {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`+"\n", i, p)
	}
	answers := make([]answer, len(params))
	left := len(params)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<22)
	for left > 0 && lines.Scan() {
		var m struct {
			ID     any
			Method string
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.Method != "" {
			continue
		}
		if id, ok := m.ID.(float64); ok {
			answers[int(id)] = readAnswer(lines.Bytes())
			left--
		}
	}
	if left > 0 {
		t.Fatalf("%d calls were not answered\n%s", left, errs.String())
	}
	return answers
}

// post sends one call over HTTP, in either era.
func post(t *testing.T, url, params string, modern bool) answer {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	if modern {
		body = strings.Replace(body, `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},`, 1)
	}
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if modern {
		var p struct{ Name string }
		_ = json.Unmarshal([]byte(params), &p)
		if p.Name != strings.TrimSpace(p.Name) {
			p.Name = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(p.Name)) + "?="
		}
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", p.Name)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return readAnswer(raw)
}

// serve starts `evergreen serve` on a free port and returns its MCP endpoint.
func serve(t *testing.T, binary, config string) string {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--port", "0", "--config", config, "--library", t.TempDir())
	cmd.Dir = t.TempDir()
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() })
	lines := bufio.NewScanner(errs)
	endpoint := regexp.MustCompile(`MCP +(http://\S+)`)
	for lines.Scan() {
		if m := endpoint.FindStringSubmatch(lines.Text()); m != nil {
			go func() { // what it says later must not fill the pipe
				for lines.Scan() {
				}
			}()
			return m[1]
		}
	}
	t.Fatal("evergreen serve did not say where it serves")
	return ""
}

func writeConfig(t *testing.T, config map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "evergreen.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// shapes are twenty-one ways to call a search tool; the first is canonical.
// Each has a query of its own, as equal ones are answered from a cache.
func shapes(query string) []string {
	var out []string
	for i, s := range []string{
		`{"name":"searxng_web_search","arguments":{"query":"@"}}`,
		`{"name":"searxngWebSearch","arguments":{"query":"@"}}`,
		`{"name":"searxng-web-search","arguments":{"query":"@"}}`,
		`{"name":"mcp__evergreen__searxng_web_search","arguments":{"query":"@"}}`,
		`{"name":"functions.searxng_web_search","arguments":{"query":"@"}}`,
		`{"name":" \"searxng_web_search\" ","arguments":{"query":"@"}}`,
		`{"name":"searxng_web_search","arguments":"{\"query\":\"@\"}"}`,
		`{"name":"searxng_web_search","arguments":"\"{\\\"query\\\":\\\"@\\\"}\""}`,
		`{"name":"searxng_web_search","arguments":"{'query': '@', 'pageno': None}"}`,
		`{"name":"searxng_web_search","arguments":"@"}`,
		`{"name":"searxng_web_search","arguments":[{"query":"@"}]}`,
		`{"name":"searxng_web_search","args":{"query":"@"}}`,
		`{"name":"searxng_web_search","query":"@"}`,
		`{"tool":"searxng_web_search","parameters":{"query":"@"}}`,
		`{"name":"searxng_web_search","arguments":{"q":"@"}}`,
		`{"name":"searxng_web_search","arguments":{"Query":"@"}}`,
		`{"name":"searxng_web_search","arguments":{"input":{"query":"@"}}}`,
		`{"name":"searxng_web_search","arguments":{"query":"@","num_results":"5"}}`,
		`{"name":"searxng_web_search","arguments":{"query":"@","time_range":""}}`,
		`{"name":"searxng_web_search","arguments":{"query":"@","time_range":"Day","safesearch":1}}`,
		`{"name":"searxng_web_search","arguments":{"query":"@","language":null}}`,
	} {
		out = append(out, strings.ReplaceAll(s, "@", query+strconv.Itoa(i)))
	}
	return out
}

func TestEveryShapeOfCallSucceeds(t *testing.T) {
	binary, searxng, _ := tools(t)
	site := newSearx(t)
	env := map[string]string{"SEARXNG_URL": site.URL, "SEARCH_CACHE_TTL_MS": "0"}
	strict := exec.Command("node", searxng)
	strict.Env = append(os.Environ(), "SEARXNG_URL="+site.URL, "SEARCH_CACHE_TTL_MS=0")
	failed := 0
	for i, a := range pipe(t, strict, shapes("strict")) {
		if !a.good("strict" + strconv.Itoa(i)) {
			failed++
		}
	}
	t.Logf("mcp-searxng itself: %d of %d calls fail", failed, len(shapes("")))
	if failed < 19 {
		t.Errorf("only %d calls fail without us", failed)
	}
	config := writeConfig(t, map[string]any{
		"gateway":    map[string]any{"upstreams": map[string]any{"searx": map[string]any{"command": []string{"node", searxng}, "env": env, "prefix": ""}}},
		"web_search": map[string]any{"upstream": "searx"}})
	check := func(how string, i int, query string, a answer) {
		t.Helper()
		blocks := 2
		if i == 0 {
			blocks = 1
		}
		if query += strconv.Itoa(i); !a.good(query) || len(a.Texts) != blocks || site.searched(query) != 1 {
			t.Errorf("%s, shape %d: %+v", how, i, a)
		}
	}
	stdio := exec.Command(binary, "mcp", "--config", config, "--library", t.TempDir())
	stdio.Dir = t.TempDir()
	for i, a := range pipe(t, stdio, shapes("stdio")) {
		check("stdio", i, "stdio", a)
	}
	url := serve(t, binary, config)
	for i, params := range shapes("legacy") {
		check("http", i, "legacy", post(t, url, params, false))
	}
	for i, params := range shapes("modern") {
		check("http, modern", i, "modern", post(t, url, params, true))
	}
	for params, query := range map[string]string{
		`{"name":"web_search","arguments":{"query":"canonical"}}`:                                        "canonical",
		`{"name":"tavily_search","arguments":{"q":"alias"}}`:                                             "alias",
		`{"name":"web_search","arguments":{"query":"sites","include_domains":["x.example"],"count":50}}`: "sites site:x.example",
		`{"name":"web_search","arguments":{"query":"seed","search_recency_filter":"oneWeek"}}`:           "seed",
	} {
		if a := post(t, url, params, false); !a.good(query) || site.searched(query) != 1 {
			t.Errorf("%s: %+v", params, a)
		}
	}
	if a := post(t, url, `{"name":"web_search","arguments":{"query":"  "}}`, false); !a.IsError {
		t.Errorf("a blank query: %+v", a)
	}
}

// start runs server-everything over HTTP on a port and waits until it answers.
func start(t *testing.T, everything, kind string, port int) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("node", everything, kind)
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			_ = c.Close()
			return cmd
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("server-everything %s did not start", kind)
	return nil
}

func stop(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// The same server over stdio, Streamable HTTP and the older SSE, side by side:
// their tools, progress, cancellation, structured content, and a restart.
func TestEverythingOverEveryTransport(t *testing.T) {
	binary, _, everything := tools(t)
	httpPort, ssePort := freePort(t), freePort(t)
	overHTTP, overSSE := start(t, everything, "streamableHttp", httpPort), start(t, everything, "sse", ssePort)
	t.Cleanup(func() { stop(overHTTP); stop(overSSE) })
	config := writeConfig(t, map[string]any{"gateway": map[string]any{"upstreams": map[string]any{
		"pipe": map[string]any{"command": "node", "args": []string{everything, "stdio"}},
		"web":  map[string]any{"type": "http", "url": fmt.Sprintf("http://127.0.0.1:%d/mcp", httpPort)},
		"old":  map[string]any{"type": "sse", "url": fmt.Sprintf("http://127.0.0.1:%d/sse", ssePort)},
		"dead": map[string]any{"url": fmt.Sprintf("http://127.0.0.1:%d/mcp", freePort(t))},
	}}})
	url := serve(t, binary, config)
	for _, version := range []string{"", "2025-11-25"} {
		var mu sync.Mutex
		steps := map[string]int{}
		client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, &mcp.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
				mu.Lock()
				defer mu.Unlock()
				steps[fmt.Sprint(r.Params.ProgressToken)]++
			}})
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for tool, err := range session.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			names[tool.Name] = true
		}
		for _, name := range []string{"pipe", "web", "old"} {
			if !names[name+"__echo"] || !names[name+"__get-sum"] {
				t.Errorf("%q: the tools of %s are missing", version, name)
				continue
			}
			call := func(tool, arguments, want string) {
				t.Helper()
				r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
				if err != nil || r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, want) {
					t.Errorf("%q: %s %s: %+v, %v", version, tool, arguments, r, err)
				}
			}
			call(name+"__echo", `{"message":"hi"}`, "Echo: hi")
			call(name+"__getSum", `{"a":"2","b":3}`, "5")
			call(name+".get_sum", `"{\"a\":2,\"b\":40}"`, "42")
			p := &mcp.CallToolParams{Name: name + "__trigger-long-running-operation", Arguments: json.RawMessage(`{"duration":0.3,"steps":3}`)}
			p.SetProgressToken(name)
			if r, err := session.CallTool(t.Context(), p); err != nil || r.IsError {
				t.Errorf("%q: %s: long operation: %+v, %v", version, name, r, err)
			}
			r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name + "__get-structured-content", Arguments: json.RawMessage(`{"location":"chicago"}`)})
			if err != nil || r.IsError || r.StructuredContent == nil {
				t.Errorf("%q: %s: structured content: %+v, %v", version, name, r, err)
			}
		}
		time.Sleep(300 * time.Millisecond) // notifications come beside the answers
		mu.Lock()
		for _, name := range []string{"pipe", "web", "old"} {
			if steps[name] == 0 {
				t.Errorf("%q: %s: no progress", version, name)
			}
		}
		mu.Unlock()
		_ = session.Close()
	}
	// A restart in the middle of a call fails that call at most; then all is well.
	busy := make(chan answer, 1)
	go func() {
		busy <- post(t, url, `{"name":"web__trigger-long-running-operation","arguments":{"duration":30,"steps":1}}`, false)
	}()
	time.Sleep(500 * time.Millisecond)
	stop(overHTTP)
	if a := <-busy; !a.IsError {
		t.Errorf("the call that was cut off: %+v", a)
	}
	if a := post(t, url, `{"name":"web__echo","arguments":{"message":"x"}}`, false); !a.IsError || !strings.Contains(a.Texts[0], "not reachable") {
		t.Errorf("while it is down: %+v", a)
	}
	overHTTP = start(t, everything, "streamableHttp", httpPort)
	if a := post(t, url, `{"name":"web__echo","arguments":{"message":"again"}}`, false); a.IsError || a.Texts[0] != "Echo: again" {
		t.Errorf("after the restart: %+v", a)
	}
	stop(overHTTP)
	overHTTP = start(t, everything, "streamableHttp", httpPort)
	if a := post(t, url, `{"name":"web__echo","arguments":{"message":"forgotten"}}`, false); a.IsError || a.Texts[0] != "Echo: forgotten" {
		t.Errorf("a session that the restarted server does not know: %+v", a)
	}
}
