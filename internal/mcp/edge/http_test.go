// What the HTTP edge answers to sound and to malformed input, in both eras.
package edge

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func newTestHTTP(t *testing.T, o HTTPOptions) http.Handler {
	t.Helper()
	s := testServer(t, nil)
	o.Log = quiet
	return NewHTTP(func(*http.Request) *mcp.Server { return s }, o)
}

// post sends body with headers given as "Name: value" lines.
func post(h http.Handler, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// modernBody is a request of the modern era; params is the inside of the params
// object without _meta.
func modernBody(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, id, method, params)
}

func modernHeaders(method, name string) []string {
	headers := []string{"Content-Type: application/json", "Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
	if name != "" {
		headers = append(headers, "Mcp-Name: "+name)
	}
	return headers
}

// httpCase is one request and what it must be answered.
type httpCase struct {
	name    string
	body    string
	headers []string
	status  int
	want    string // part of the body; "" means an empty body
}

func legacyCases() []httpCase {
	const header2506 = "MCP-Protocol-Version: 2025-06-18"
	call := func(id, params string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + params + `}`
	}
	return []httpCase{
		{"bare tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil, 200, `"name":"echo"`},
		{"form type of curl", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Content-Type: application/x-www-form-urlencoded", "Accept: */*"}, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"accept only json", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Accept: application/json"}, 200, `"id":1`},
		{"accept something else", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Accept: text/html"}, 200, `"id":1`},
		{"initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`, nil, 200, `"protocolVersion":"2025-06-18"`},
		{"initialize 2024-11-05", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`, nil, 200, `"protocolVersion":"2024-11-05"`},
		{"byte order mark", "\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil, 200, `"id":1`},
		{"old version in _meta", strings.ReplaceAll(modernBody("1", "tools/call", `"name":"echo","arguments":{"a":1}`), ModernVersion, "2025-06-18"), nil, 200, `"text":"{\"a\":1}"`},
		{"stale session id", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Mcp-Session-Id: gone"}, 200, `"id":1`},
		{"unknown tool", call("1", `{"name":"nope"}`), nil, 200, `-32602`},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"tools.call"}`, nil, 200, `"code":-32601,"message":"method not found: \"tools.call\""`},
		{"params.name a number", call("1", `{"name":7}`), nil, 200, `-32602`},
		{"params an array", call("1", `[1]`), nil, 200, `-32602`},
		{"params a string", call("1", `"x"`), nil, 200, `-32602`},
		{"params absent", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, nil, 200, `"error":{"code":-32602`},
		{"params null", call("1", `null`), nil, 200, `"error":{"code":-32602`},
		{"arguments a string", call("1", `{"name":"echo","arguments":"x"}`), nil, 200, `"text":"\"x\""`},
		{"arguments an array", call("1", `{"name":"echo","arguments":[1]}`), nil, 200, `"text":"[1]"`},
		{"arguments absent", call("1", `{"name":"echo"}`), nil, 200, `"text":""`},
		{"no jsonrpc", `{"id":4,"method":"ping"}`, nil, 400, `"id":4,"error":{"code":-32600`},
		{"wrong jsonrpc", `{"jsonrpc":"1.0","id":4,"method":"ping"}`, nil, 400, `"id":4,"error":{"code":-32600`},
		{"broken json", `{"jsonrpc":`, nil, 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`},
		{"text after the message", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, nil, 400, `-32700`},
		{"empty body", ``, nil, 400, `-32700`},
		{"a number", `7`, nil, 400, `-32600`},
		{"the literal null", `null`, nil, 400, `-32600`},
		{"no method", `{"jsonrpc":"2.0","id":1}`, nil, 400, `"id":1,"error":{"code":-32600`},
		{"method a number", `{"jsonrpc":"2.0","id":1,"method":1}`, nil, 400, `"id":1,"error":{"code":-32600`},
		{"request without id", `{"jsonrpc":"2.0","method":"tools/list"}`, nil, 400, `give it an \"id\"`},
		{"request with id null", `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, nil, 400, `-32600`},
		{"id an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, 400, `"id":null,"error":{"code":-32600`},
		{"id a fraction", `{"jsonrpc":"2.0","id":7.5,"method":"ping"}`, nil, 200, `{"jsonrpc":"2.0","id":7.5,"result":{}}`},
		{"id beyond 2^53", `{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`, nil, 200, `"id":12345678901234567890,`},
		{"id with exponent", `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, nil, 200, `"id":1e3,`},
		{"id a string", `{"jsonrpc":"2.0","id":"七<&>","method":"ping"}`, nil, 200, `"id":"七<&>",`},
		{"deep nesting", call("1", `{"name":"echo","arguments":`+strings.Repeat("[", 2000)+strings.Repeat("]", 2000)+`}`), nil, 400, `-32600`},
		{"known notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, ``},
		{"notification with id null", `{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}`, nil, 202, ``},
		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/nope"}`, nil, 202, ``},
		{"notification with id", `{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`, nil, 400, `-32600`},
		{"a response", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 202, ``},
		{"old unknown version", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"MCP-Protocol-Version: 1900-01-01"}, 400, `"code":-32022`},
		{"foreign type from a browser", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Origin: http://localhost", "Content-Type: text/plain"}, 415, `-32600`},
		{"resumption", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Last-Event-ID: 1"}, 400, `-32600`},
		{"gb18030", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\xcb\xd1\xcb\xf7\",\"arguments\":\"\xc4\xe3\"}}", []string{"Content-Type: application/json; charset=gb18030"}, 200, `你`},
		{"unknown charset", call("1", `{"name":"搜索","arguments":"你"}`), []string{"Content-Type: application/json; charset=klingon"}, 200, `你`},
		{"invalid utf-8", call("1", "{\"name\":\"echo\",\"arguments\":\"a\xffb\"}"), nil, 200, "a\uFFFDb"},
		{"panic in a tool", call("1", `{"name":"panic"}`), nil, 200, `"isError":true`},
		{"error without a code", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"fail"}}`, nil, 200, `"error":{"code":-32603,"message":"no luck"}`},
		{"panic in a prompt", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"panic"}}`, nil, 200, `-32603`},

		{"batch", `[` + call("1", `{"name":"echo","arguments":1}`) + `,` + call("2", `{"name":"echo","arguments":2}`) + `]`, nil, 200, `"id":1,"result":{"content":[{"type":"text","text":"1"}]}},{"jsonrpc":"2.0","id":2,`},
		{"batch under 2025-06-18", `[` + call("1", `{"name":"echo"}`) + `]`, []string{header2506}, 200, `[{"jsonrpc":"2.0","id":1,`},
		{"batch with a bad element", `[{"jsonrpc":"2.0","id":"a","method":"ping"},7,{"id":2,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/nope"},{"jsonrpc":"2.0","id":2.5,"method":"ping"}]`, nil, 200, `[{"jsonrpc":"2.0","id":"a","result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message must be a JSON object"}},{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"\"jsonrpc\" must be \"2.0\""}},{"jsonrpc":"2.0","id":2.5,"result":{}}]`},
		{"batch with an unknown method", `[{"jsonrpc":"2.0","id":1,"method":"x"}]`, nil, 200, `[{"jsonrpc":"2.0","id":1,"error":{"code":-32601`},
		{"batch within a batch", `[[]]`, nil, 200, `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600`},
		{"batch of notifications", `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`, nil, 202, ``},
		{"empty batch", `[]`, nil, 400, `"error":{"code":-32600,"message":"the batch is empty"`},
		{"broken batch", `[{"jsonrpc":"2.0"`, nil, 400, `-32700`},
	}
}

func TestLegacyHTTP(t *testing.T) {
	tests := legacyCases()
	for _, dual := range []bool{false, true} {
		h := newTestHTTP(t, HTTPOptions{DualEra: dual})
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s/dual=%v", tt.name, dual), func(t *testing.T) {
				if dual && (tt.name == "stale session id") {
					t.Skip("sessions are real in the dual-era edge")
				}
				checkAnswer(t, post(h, tt.body, tt.headers...), tt.status, tt.want)
			})
		}
	}
}

func modernCases() []httpCase {
	ping := modernBody("1", "tools/list", "")
	echoCall := modernBody("1", "tools/call", `"name":"echo","arguments":{}`)
	return []httpCase{
		{"tools/list", ping, modernHeaders("tools/list", ""), 200, `"name":"echo"`},
		{"tools/call", echoCall, modernHeaders("tools/call", "echo"), 200, `"text":"{}"`},
		{"discover", modernBody("1", "server/discover", ""), modernHeaders("server/discover", ""), 200, `"2026-07-28"`},
		{"chinese name in base64", modernBody("1", "tools/call", `"name":"搜索","arguments":"你"`), modernHeaders("tools/call", "=?base64?5pCc57Si?="), 200, `你`},
		{"chinese name as it is", modernBody("1", "tools/call", `"name":"搜索","arguments":"你"`), modernHeaders("tools/call", "搜索"), 200, `你`},
		{"another name in base64", modernBody("1", "tools/call", `"name":"echo"`), modernHeaders("tools/call", "=?base64?5pCc57Si?="), 400, `-32020`},
		{"broken base64", modernBody("1", "tools/call", `"name":"搜索"`), modernHeaders("tools/call", "=?base64?!?="), 400, `-32020`},
		{"name header differs", echoCall, modernHeaders("tools/call", "other"), 400, `-32020`},
		{"name header missing", echoCall, modernHeaders("tools/call", ""), 400, `-32020`},
		{"method header differs", ping, modernHeaders("ping", ""), 400, `-32020`},
		{"version header missing", ping, []string{"Mcp-Method: tools/list"}, 400, `-32020`},
		{"version header differs", ping, append(modernHeaders("tools/list", ""), "MCP-Protocol-Version: 2027-01-01"), 400, `-32020`},
		{"meta missing", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, modernHeaders("tools/list", ""), 400, `"id":1,"error":{"code":-32602`},
		{"params missing", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, modernHeaders("tools/list", ""), 400, `"id":1,"error":{"code":-32602`},
		{"params an array", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`, modernHeaders("tools/list", ""), 400, `"code":-32602`},
		{"unknown tool", modernBody("1", "tools/call", `"name":"nope"`), modernHeaders("tools/call", "nope"), 400, `-32602`},
		{"unknown method", modernBody("1", "nope", ""), modernHeaders("nope", ""), 404, `-32601`},
		{"removed method", modernBody("1", "ping", ""), modernHeaders("ping", ""), 404, `-32601`},
		{"newer version", strings.ReplaceAll(ping, ModernVersion, "2099-01-01"), append(modernHeaders("tools/list", ""), "MCP-Protocol-Version: 2099-01-01"), 400, `-32022`},
		{"batch", `[` + ping + `]`, modernHeaders("tools/list", ""), 400, `"error":{"code":-32600,"message":"protocol version 2026-07-28 has no batches`},
		{"batch that only meta calls modern", `[` + ping + `]`, nil, 400, `has no batches`},
		{"broken json", `{`, modernHeaders("tools/list", ""), 400, `-32700`},
		{"no jsonrpc", strings.Replace(ping, `"jsonrpc":"2.0",`, ``, 1), modernHeaders("tools/list", ""), 400, `"id":1,"error":{"code":-32600`},
		{"id a fraction", modernBody("7.5", "tools/list", ""), modernHeaders("tools/list", ""), 200, `"id":7.5,`},
		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/nope"}`, modernHeaders("notifications/nope", ""), 202, ``},
		{"session id is ignored", ping, append(modernHeaders("tools/list", ""), "Mcp-Session-Id: gone"), 200, `"name":"echo"`},
		{"panic in a tool", modernBody("1", "tools/call", `"name":"panic"`), modernHeaders("tools/call", "panic"), 200, `"result":{"resultType":"complete","_meta":{`},
	}
}

func TestModernHTTP(t *testing.T) {
	tests := modernCases()
	for _, dual := range []bool{false, true} {
		h := newTestHTTP(t, HTTPOptions{DualEra: dual})
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s/dual=%v", tt.name, dual), func(t *testing.T) {
				checkAnswer(t, post(h, tt.body, tt.headers...), tt.status, tt.want)
			})
		}
	}
}

// checkAnswer compares status and body; every body must be JSON or an event
// stream and must not be cached.
func checkAnswer(t *testing.T, w *httptest.ResponseRecorder, status int, want string) {
	t.Helper()
	body := w.Body.String()
	if w.Code != status || !strings.Contains(body, want) || want == "" && body != "" {
		t.Errorf("status %d, body %s\nwant %d and %q", w.Code, body, status, want)
	}
	if kind := w.Header().Get("Content-Type"); body != "" && kind != "application/json" && kind != "text/event-stream" {
		t.Errorf("Content-Type %q for body %s", kind, body)
	}
	if body != "" && w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control %q", w.Header().Get("Cache-Control"))
	}
}
