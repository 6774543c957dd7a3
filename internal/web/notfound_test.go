package web

import (
	"strings"
	"testing"
)

func TestNotFoundSpeaksTheClientsLanguage(t *testing.T) {
	s := newServer(&fakeEngine{})
	chinese := newServer(&fakeEngine{}, func(o *Options) { o.Site.Languages = []string{"zh-CN"} })
	for _, tt := range []struct {
		server   *Server
		language string
		want     string
	}{
		{s, "", "The path /whatever does not exist.\n\nMachine-readable entry points of Example Docs:\n  /llms.txt  "},
		{s, "fr, de;q=0.5", "does not exist"},
		{s, "zh-CN,zh;q=0.9,en;q=0.8", "请求的路径 /whatever 不存在。\n\nExample Docs 的机读入口：\n  /llms.txt  "},
		{s, "en, zh;q=0.5", "does not exist"},
		{chinese, "", "不存在"},
		{chinese, "fr", "不存在"},
		{chinese, "en", "does not exist"},
	} {
		r := ask(tt.server, "GET", "/whatever", "Accept-Language: "+tt.language)
		if r.StatusCode != 404 || r.Header.Get("Content-Type") != typeText || r.Header.Get("Vary") != "Accept, Accept-Language, Accept-Encoding" {
			t.Errorf("%q: %d %v", tt.language, r.StatusCode, r.Header)
		}
		if text := body(t, r); !strings.HasPrefix(text, "404 — Not Found\n\n") || !strings.Contains(text, tt.want) {
			t.Errorf("%q: %s", tt.language, text)
		}
	}
}

func TestNotFoundListsWhatIsServed(t *testing.T) {
	all := body(t, ask(newServer(&fakeEngine{}, func(o *Options) { o.A2A = echoMethod("a2a ") }), "GET", "/x"))
	for _, path := range []string{"/llms.txt", "/llms-full.txt", "/context.json", "/api/context?topic=<words>&budget=2000",
		"/.well-known/agent-card.json", "/mcp", "/metrics.json"} {
		if !strings.Contains(all, "\n  "+path+"  ") {
			t.Errorf("%s is not listed:\n%s", path, all)
		}
	}
	few := body(t, ask(newServer(&fakeEngine{}, func(o *Options) { o.MCP = nil }), "GET", "/x"))
	if strings.Contains(few, "/mcp") || strings.Contains(few, "agent-card") {
		t.Errorf("what is not served is listed:\n%s", few)
	}
}

func TestNotFoundSpeaksTheClientsType(t *testing.T) {
	s := newServer(&fakeEngine{})
	for _, tt := range []struct{ target, accept, kind, part string }{
		{"/x", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", typeHTML, "<code>/mcp</code>"},
		{"/x", "text/markdown", typeMarkdown, "- `/mcp`: MCP"},
		{"/x", "application/json", typeProblem, `"path": "/mcp"`},
		{"/x", "text/html;q=0.2, application/problem+json", typeProblem, `"status": 404`},
		{"/x", "*/*", typeText, "/mcp"},
		{"/api/x", "", typeProblem, `"status": 404`},
		{"/api/x", "text/plain", typeText, "/mcp"},
		{"/docs/guide/nothing.md", "", typeText, "/mcp"},
		{"/docs/guide/nothing.html.md", "text/markdown", typeMarkdown, "/mcp"},
	} {
		r := ask(s, "GET", tt.target, "Accept: "+tt.accept)
		text := body(t, r)
		if r.StatusCode != 404 || r.Header.Get("Content-Type") != tt.kind || !strings.Contains(text, tt.part) {
			t.Errorf("%s %q: %d %s\n%s", tt.target, tt.accept, r.StatusCode, r.Header.Get("Content-Type"), text)
		}
		if got := r.Header.Get("Cache-Control"); got != "public, max-age=60" {
			t.Errorf("%s: cached as %q", tt.target, got)
		}
	}
}

func TestUnknownPathsAreShownSafely(t *testing.T) {
	s := newServer(&fakeEngine{})
	text := body(t, ask(s, "GET", "/%3Cscript%3E%0d%0aalert%e2%80%ae", "Accept: text/html"))
	if !strings.Contains(text, "/&lt;script&gt;alert does") {
		t.Errorf("html: %s", text)
	}
}

func TestTraversalIs404AndNeverARedirect(t *testing.T) {
	s := newServer(&fakeEngine{})
	for _, target := range []string{"/../etc/passwd", "/%2e%2e/etc/passwd", "/api/../api/context", "/api%2Fcontext",
		"/api%5ccontext", "/api/context%00", "//api/context", "/api//context", "/api/context/", "/API/context",
		"/docs/guide/../guide/keys", "/docs/guide/%2e%2e/guide/keys", "/docs%2fguide/keys", "/docs/guide/keys%00",
		"/docs/guide/./keys", "//docs/guide/keys.html", "/docs/guide/keys%2ehtml%2e", "/assets/../llms.txt"} {
		if r := ask(s, "GET", target); r.StatusCode != 404 || r.Header.Get("Location") != "" {
			t.Errorf("%s: %d %s", target, r.StatusCode, r.Header.Get("Location"))
		}
	}
}
