// Event streams, sessions, hooks and bounds of the HTTP edge.
package edge

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"evergreen"
)

func TestStreamOnlyWhereAsked(t *testing.T) {
	h := newTestHTTP(t, HTTPOptions{})
	progress := `"name":"progress","_meta":{"progressToken":"p"}`
	legacy := `{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{` + progress + `}}`
	logLevel := strings.Replace(modernBody("1", "tools/call", `"name":"progress"`), `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"info",`, 1)
	tests := []struct {
		name    string
		body    string
		headers []string
		want    string // content type
	}{
		{"progress token", legacy, []string{"Accept: application/json, text/event-stream"}, "text/event-stream"},
		{"progress token, any type", legacy, []string{"Accept: */*"}, "text/event-stream"},
		{"progress token, only json", legacy, []string{"Accept: application/json"}, "application/json"},
		{"progress token, no Accept", legacy, nil, "application/json"},
		{"no token", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string{"Accept: application/json, text/event-stream"}, "application/json"},
		{"only streams accepted", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string{"Accept: text/event-stream"}, "text/event-stream"},
		{"log level", logLevel, modernHeaders("tools/call", "progress"), "text/event-stream"},
		{"in a batch", "[" + legacy + "]", []string{"Accept: application/json, text/event-stream"}, "application/json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := post(h, tt.body, tt.headers...)
			if got := w.Header().Get("Content-Type"); got != tt.want || w.Code != http.StatusOK {
				t.Fatalf("status %d, Content-Type %q, want %q: %s", w.Code, got, tt.want, w.Body)
			}
		})
	}

	w := post(h, legacy, "Accept: application/json, text/event-stream")
	first, last, _ := strings.Cut(w.Body.String(), "\n\n")
	if !strings.Contains(first, `"notifications/progress"`) || !strings.Contains(last, `data: {"jsonrpc":"2.0","id":1.5,"result"`) {
		t.Errorf("stream:\n%s", w.Body)
	}
	if w.Header().Get("X-Accel-Buffering") != "no" {
		t.Error("a proxy may buffer the stream")
	}
}

func TestSessionsOfTheDualEra(t *testing.T) {
	h := newTestHTTP(t, HTTPOptions{DualEra: true})
	accept := "Accept: application/json, text/event-stream"
	w := post(h, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`, accept)
	id := w.Header().Get("Mcp-Session-Id")
	if w.Code != http.StatusOK || id == "" {
		t.Fatalf("status %d, session %q: %s", w.Code, id, w.Body)
	}
	session := "Mcp-Session-Id: " + id
	checkAnswer(t, post(h, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, accept, session), http.StatusAccepted, "")
	checkAnswer(t, post(h, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, accept, session), http.StatusOK, `"name":"echo"`)
	checkAnswer(t, post(h, `[{"jsonrpc":"2.0","id":2.5,"method":"ping"},7,{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"progress","_meta":{"progressToken":1}}}]`, accept, session),
		http.StatusOK, `[{"jsonrpc":"2.0","id":2.5,"result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message must be a JSON object"}},{"jsonrpc":"2.0","id":4,"result":{"content"`)
	checkAnswer(t, post(h, `{"jsonrpc":"2.0","id":5,"method":"ping"}`, "Mcp-Session-Id: gone"), http.StatusNotFound, `"id":5,"error":{"code":-32001,"message":"session not found"}`)

	del := httptest.NewRequest(http.MethodDelete, "http://localhost/mcp", nil)
	del.Header.Set("Mcp-Session-Id", id)
	w = httptest.NewRecorder()
	h.ServeHTTP(w, del)
	if w.Code != http.StatusNoContent {
		t.Errorf("DELETE: status %d: %s", w.Code, w.Body)
	}
	checkAnswer(t, post(h, `{"jsonrpc":"2.0","id":6,"method":"ping"}`, accept, session), http.StatusNotFound, `-32001`)
}

// TestBatchOpensNoSession: nobody could ever use it.
func TestBatchOpensNoSession(t *testing.T) {
	server := testServer(t, nil)
	h := NewHTTP(func(*http.Request) *mcp.Server { return server }, HTTPOptions{DualEra: true, Log: quiet})
	checkAnswer(t, post(h, `[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}]`),
		http.StatusOK, `"protocolVersion":"2025-03-26"`)
	for range server.Sessions() {
		t.Error("a session is left")
	}
}

func TestOtherMethods(t *testing.T) {
	tests := []struct {
		dual   bool
		method string
		allow  string
	}{
		{false, http.MethodGet, "POST"},
		{false, http.MethodDelete, "POST"},
		{true, http.MethodPut, "GET, POST, DELETE"},
		{true, http.MethodHead, "GET, POST, DELETE"},
	}
	for _, tt := range tests {
		w := httptest.NewRecorder()
		newTestHTTP(t, HTTPOptions{DualEra: tt.dual}).ServeHTTP(w, httptest.NewRequest(tt.method, "http://localhost/mcp", nil))
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != tt.allow {
			t.Errorf("%s dual=%v: status %d, Allow %q", tt.method, tt.dual, w.Code, w.Header().Get("Allow"))
		}
	}
}

func TestBodyCap(t *testing.T) {
	h := newTestHTTP(t, HTTPOptions{})
	frame := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""}}`
	fill := func(size int) string {
		return strings.Replace(frame, `""`, `"`+strings.Repeat("x", size-len(frame))+`"`, 1)
	}
	checkAnswer(t, post(h, fill(MaxBody)), http.StatusOK, `"id":1`)
	checkAnswer(t, post(h, fill(MaxBody+1)), http.StatusRequestEntityTooLarge, `-32600`)
}

func TestBatchCap(t *testing.T) {
	h := newTestHTTP(t, HTTPOptions{})
	batch := func(n int) string {
		return "[" + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/initialized"},`, n-1) + `{"jsonrpc":"2.0","id":1,"method":"ping"}]`
	}
	checkAnswer(t, post(h, batch(MaxBatch)), http.StatusOK, `[{"jsonrpc":"2.0","id":1,"result":{}}]`)
	checkAnswer(t, post(h, batch(MaxBatch+1)), http.StatusBadRequest, `at most 32`)
}

// renameHook turns calls of "ECHO" into calls of 搜索 and mends single quotes.
func renameHook(raw []byte) ([]byte, []string) {
	if bytes.Contains(raw, []byte(`"ECHO"`)) {
		return bytes.Replace(raw, []byte(`"ECHO"`), []byte(`"搜索"`), 1), []string{"renamed", "twice"}
	}
	return bytes.ReplaceAll(raw, []byte(`'`), []byte(`"`)), nil
}

func TestHookHTTP(t *testing.T) {
	h := newTestHTTP(t, HTTPOptions{Hook: renameHook})
	legacy := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ECHO","arguments":{}}}`
	strict := modernBody("1", "tools/call", `"name":"ECHO","arguments":{}`)
	tests := []struct {
		name    string
		body    string
		headers []string
		status  int
		want    string
	}{
		{"legacy", legacy, nil, 200, `{} notes: renamed, twice`},
		{"notes from outside are dropped", strings.Replace(legacy, "ECHO", "echo", 1), []string{"Evergreen-Notes: forged"}, 200, `"text":"{}"`},
		{"broken message mended", `{'jsonrpc':'2.0','id':1,'method':'ping'}`, nil, 200, `"result":{}`},
		{"element of a batch", `[` + legacy + `]`, nil, 200, `notes: renamed`},
		{"modern, headers follow", strict, modernHeaders("tools/call", "ECHO"), 200, `{} notes: renamed, twice`},
		{"modern, broken message mended", strings.ReplaceAll(modernBody("1", "tools/list", ""), `"`, `'`), modernHeaders("tools/list", ""), 200, `"name":"echo"`},
		{"modern, contradiction stays one", strict, modernHeaders("tools/call", "搜索"), 400, `-32020`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkAnswer(t, post(h, tt.body, tt.headers...), tt.status, tt.want)
		})
	}
}

func TestHookThatPanics(t *testing.T) {
	h := newTestHTTP(t, HTTPOptions{Hook: func([]byte) ([]byte, []string) { panic("boom") }})
	checkAnswer(t, post(h, `{"jsonrpc":"2.0","id":1,"method":"ping"}`), http.StatusOK, `"result":{}`)
}

func TestPanicOutsideOfAHandler(t *testing.T) {
	h := NewHTTP(func(*http.Request) *mcp.Server { panic("boom") }, HTTPOptions{Log: quiet})
	checkAnswer(t, post(h, `{"jsonrpc":"2.0","id":1,"method":"ping"}`), http.StatusInternalServerError, `-32603`)
}

func TestDeny(t *testing.T) {
	w := httptest.NewRecorder()
	Deny(w, nil, http.StatusForbidden, evergreen.Errorf(evergreen.Blocked, "no").Fix("try this"))
	checkAnswer(t, w, http.StatusForbidden, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no","data":{"fix":["try this"]}}}`)
}

func TestCompleted(t *testing.T) {
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                                  `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}`,
		`{"jsonrpc":"2.0","id":"\"result\":{","result":{"a":{"resultType":1}}}`: `{"jsonrpc":"2.0","id":"\"result\":{","result":{"resultType":"complete","a":{"resultType":1}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task"}}`:               `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"x":1,"resultType":"complete"}}`:     `{"jsonrpc":"2.0","id":1,"result":{"x":1,"resultType":"complete"}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`:             `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`,
	} {
		if got := string(completed([]byte(in))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

// TestCompletedInAStream: an event is mended as a whole body is.
func TestCompletedInAStream(t *testing.T) {
	h := newTestHTTP(t, HTTPOptions{})
	w := post(h, modernBody("1.5", "tools/call", `"name":"panic"`), append(modernHeaders("tools/call", "panic"), "Accept: text/event-stream")...)
	if got := w.Body.String(); !strings.HasPrefix(got, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1.5,\"result\":{\"resultType\":\"complete\",") || !strings.HasSuffix(got, "}}\n\n") {
		t.Errorf("stream %q", got)
	}
}
