package mcp

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveHTTP puts s behind the SDK's own HTTP handler.
func serveHTTP(t *testing.T, s *Server) string {
	t.Helper()
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.MCP() },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// post sends one message and returns its result, or fails on an error.
func post(t *testing.T, url, method, params string, header http.Header) (result map[string]any, rpcError map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Result, Error map[string]any }
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatalf("%s: %s", method, body)
	}
	return m.Result, m.Error
}

// modern is what a client of the 2026-07-28 revision sends beside the body.
func modern(method, name string) (http.Header, string) {
	h := http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}}
	if name != "" {
		h.Set("Mcp-Name", name)
	}
	return h, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
}

func TestDiscoverTellsWhoWeAreAndWhatWeOffer(t *testing.T) {
	s := serve(t, smallLibrary(), func(o *Options) { o.Name, o.Title, o.Version = "com.example/evergreen", "Example", "1.2.3" })
	h, meta := modern("server/discover", "")
	got, fault := post(t, serveHTTP(t, s), "server/discover", "{"+meta+"}", h)
	if fault != nil {
		t.Fatal(fault)
	}
	want := map[string]any{
		"tools": map[string]any{"listChanged": true}, "prompts": map[string]any{"listChanged": true},
		"resources":   map[string]any{"listChanged": true, "subscribe": true},
		"completions": map[string]any{}, "extensions": map[string]any{skillsExtension: map[string]any{}},
	}
	if diff := cmp.Diff(want, got["capabilities"]); diff != "" {
		t.Errorf("capabilities: -want +got:\n%s", diff)
	}
	instructions, _ := got["instructions"].(string)
	if lines := strings.Count(instructions, "\n"); lines != 5 || !strings.HasPrefix(instructions, "1. get_prompt_pack") {
		t.Errorf("instructions of %d lines:\n%s", lines, instructions)
	}
	if got["ttlMs"] != float64(listTTL) || got["cacheScope"] != "public" {
		t.Errorf("cache: %v %v", got["ttlMs"], got["cacheScope"])
	}
	info, _ := got["_meta"].(map[string]any)["io.modelcontextprotocol/serverInfo"].(map[string]any)
	if info["name"] != "com.example/evergreen" || info["title"] != "Example" || info["version"] != "1.2.3" {
		t.Errorf("serverInfo %v", info)
	}
}

// Old and new clients get the same answers from one handler.
func TestBothErasOverHTTP(t *testing.T) {
	url := serveHTTP(t, serve(t, smallLibrary()))
	for _, revision := range []string{"2026-07-28", "2025-11-25", "2024-11-05"} {
		session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
		if err != nil {
			t.Fatal(err)
		}
		if got := session.InitializeResult(); got == nil || got.ProtocolVersion != revision {
			t.Errorf("negotiated %+v, want %s", got, revision)
		}
		got := callTool(t, session, "search_context", `{"query":"幻觉 引用"}`)
		if got.isError || !strings.Contains(got.text, "幻觉 引用") {
			t.Errorf("%s: %+v", revision, got)
		}
		if got := callTool(t, session, "get_entry", `{"id":"EG-2O1"}`); !got.isError || !strings.Contains(got.text, "Nearest: EG-201") {
			t.Errorf("%s: %+v", revision, got)
		}
		r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: documentURI("react", "指南/状态.md")})
		if err != nil || r.Contents[0].Text != "# 状态\n\n状态是记忆。\n" {
			t.Errorf("%s: read %+v, %v", revision, r, err)
		}
		session.Close()
	}
}

// A bare POST, as curl sends it, works too; its Accept-Language is heard.
func TestBareCallsAndLanguage(t *testing.T) {
	url := serveHTTP(t, serve(t, smallLibrary()))
	got, _ := post(t, url, "tools/call", `{"name":"list_repos"}`, http.Header{"Accept-Language": {"zh-CN,zh;q=0.9,en;q=0.5"}})
	if content, _ := json.Marshal(got["content"]); !strings.Contains(string(content), "集合：2 个") {
		t.Errorf("answered %s", content)
	}
	got, _ = post(t, url, "resources/read", `{"uri":"evergreen://react/指南/状态.md"}`, nil)
	if got["contents"] == nil || got["cacheScope"] != "public" {
		t.Errorf("raw CJK URI: %v", got)
	}
	got, _ = post(t, url, "tools/call", `{"name":"no_such_tool"}`, nil)
	if got["isError"] != true {
		t.Errorf("unknown tool: %v", got)
	}
	if _, fault := post(t, url, "resources/read", `{"uri":"evergreen://react/none.md"}`, nil); fault["code"] != -32602.0 {
		t.Errorf("unknown resource: %v", fault)
	}
}

func TestSkillsExtension(t *testing.T) {
	s := serve(t, smallLibrary())
	url := serveHTTP(t, s)
	h, meta := modern("skills/list", "")
	list, fault := post(t, url, "skills/list", "{"+meta+"}", h)
	if fault != nil {
		t.Fatal(fault)
	}
	h, meta = modern("skills/get", "")
	get, fault := post(t, url, "skills/get", `{"uri":"skill://evergreen-docs/SKILL.md",`+meta+"}", h)
	if fault != nil {
		t.Fatal(fault)
	}
	for name, got := range map[string]map[string]any{"list": list, "get": get} {
		if got["resultType"] != "complete" || got["ttlMs"] != float64(listTTL) || got["cacheScope"] != "public" {
			t.Errorf("skills/%s: %v", name, got)
		}
	}
	entry := list["skills"].([]any)[0].(map[string]any)
	if diff := cmp.Diff(entry, get["skill"]); diff != "" {
		t.Errorf("list and get differ:\n%s", diff)
	}
	front := entry["frontmatter"].(map[string]any)
	if front["name"] != "evergreen-docs" || front["metadata"].(map[string]any)["version"] != "1.0.0" {
		t.Errorf("front matter %v", front)
	}
	if _, fault := post(t, url, "skills/get", `{"uri":"skill://none/SKILL.md"}`, nil); fault["code"] != -32602.0 {
		t.Errorf("unknown skill: %v", fault)
	}
	if old, _ := post(t, url, "skills/list", `{}`, nil); old["skills"] == nil || old["resultType"] != nil {
		t.Errorf("to an older client: %v", old)
	}
}

func TestPrivateAnswersSaySo(t *testing.T) {
	url := serveHTTP(t, serve(t, smallLibrary(), func(o *Options) { o.Private = true }))
	for method, params := range map[string]string{
		"tools/list": `{}`, "prompts/list": `{}`, "resources/list": `{}`, "resources/templates/list": `{}`,
		"skills/list": `{}`, "skills/get": `{"uri":"skill://evergreen-docs/SKILL.md"}`,
		"resources/read": `{"uri":"evergreen://react/learn/state.md"}`,
	} {
		got, fault := post(t, url, method, params, nil)
		if fault != nil || got["cacheScope"] != "private" || got["ttlMs"] == 0.0 {
			t.Errorf("%s: %v %v %v", method, got["cacheScope"], got["ttlMs"], fault)
		}
	}
}
