package web

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNotFoundShowsTheWay(t *testing.T) {
	s := newServer(&fakeEngine{})
	english := `404 — Not Found

The path /whatever does not exist.

Machine-readable entry points of Example Docs:
  /api/context?topic=<words>&budget=2000  retrieval within a token budget
  /mcp                                  MCP endpoint (JSON-RPC 2.0, POST)
  /metrics.json                         measured figures
`
	chinese := `404 — Not Found

请求的路径 /whatever 不存在。

Example Docs 的机读入口：
  /api/context?topic=<words>&budget=2000  按 token 预算检索
  /mcp                                  MCP 端点（JSON-RPC 2.0，POST）
  /metrics.json                         评测指标
`
	for _, tt := range []struct{ accept, language, kind, want string }{
		{"", "", typeText, english},
		{"*/*", "fr, de;q=0.5", typeText, english},
		{"", "zh-CN,zh;q=0.9,en;q=0.8", typeText, chinese},
		{"", "en, zh;q=0.5", typeText, english},
	} {
		r := ask(s, "GET", "/whatever", "Accept: "+tt.accept, "Accept-Language: "+tt.language)
		if r.StatusCode != 404 || r.Header.Get("Content-Type") != tt.kind {
			t.Errorf("%q: %d %s", tt.accept, r.StatusCode, r.Header.Get("Content-Type"))
		}
		if r.Header.Get("Vary") != "Accept, Accept-Language, Accept-Encoding" {
			t.Errorf("Vary %q", r.Header.Get("Vary"))
		}
		if diff := cmp.Diff(tt.want, body(t, r)); diff != "" {
			t.Errorf("%q %q:\n%s", tt.accept, tt.language, diff)
		}
	}
}

func TestNotFoundSpeaksTheClientsType(t *testing.T) {
	s := newServer(&fakeEngine{})
	for _, tt := range []struct{ target, accept, kind, part string }{
		{"/x", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", typeHTML, "<code>/mcp</code>"},
		{"/x", "text/markdown", typeMarkdown, "- `/mcp`: MCP"},
		{"/x", "application/json", typeProblem, `"path": "/mcp"`},
		{"/x", "text/html;q=0.2, application/problem+json", typeProblem, `"status": 404`},
		{"/api/x", "", typeProblem, `"status": 404`},
		{"/api/x", "text/plain", typeText, "/mcp"},
	} {
		r := ask(s, "GET", tt.target, "Accept: "+tt.accept)
		text := body(t, r)
		if r.StatusCode != 404 || r.Header.Get("Content-Type") != tt.kind || !strings.Contains(text, tt.part) {
			t.Errorf("%s %q: %d %s\n%s", tt.target, tt.accept, r.StatusCode, r.Header.Get("Content-Type"), text)
		}
	}
	var p problem
	if err := json.Unmarshal([]byte(body(t, ask(s, "GET", "/api/x"))), &p); err != nil {
		t.Fatal(err)
	}
	want := entryPointDoc{Path: "/api/context?topic=<words>&budget=2000", Type: "application/json", Title: "Retrieval within a token budget"}
	if len(p.EntryPoints) != 3 || p.EntryPoints[0] != want || p.Detail != "The path /api/x does not exist. Start at /." {
		t.Errorf("%+v", p)
	}
}

func TestUnknownPathsAreShownSafely(t *testing.T) {
	s := newServer(&fakeEngine{})
	text := body(t, ask(s, "GET", "/%3Cscript%3E%0d%0aalert%e2%80%ae", "Accept: text/html"))
	if !strings.Contains(text, "/&lt;script&gt;alert does") {
		t.Errorf("html: %s", text)
	}
	long := "/" + strings.Repeat("常", maxShownPath)
	text = body(t, ask(s, "GET", long))
	if !strings.Contains(text, "/"+strings.Repeat("常", maxShownPath-1)+" does") {
		t.Errorf("a long path: %s", text)
	}
}

func TestTraversalIs404AndNeverARedirect(t *testing.T) {
	s := newServer(&fakeEngine{})
	for _, target := range []string{"/../etc/passwd", "/%2e%2e/etc/passwd", "/api/../api/context", "/api%2Fcontext",
		"/api%5ccontext", "/api/context%00", "//api/context", "/api//context", "/api/context/", "/API/context"} {
		if r := ask(s, "GET", target); r.StatusCode != 404 {
			t.Errorf("%s: %d %s", target, r.StatusCode, r.Header.Get("Location"))
		}
	}
}
