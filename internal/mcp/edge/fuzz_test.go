// Properties that hold for any input, and the cost of the edge.
package edge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// FuzzHTTP: whatever is posted, the answer is empty or JSON-RPC, and never a 500.
func FuzzHTTP(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `[]`, `[[]]`, `null`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[{"jsonrpc":"2.0","id":1e9,"method":"tools/list"},7]`,
		`{"jsonrpc":"2.0","id":"\u0000","method":"tools/call","params":{"name":"echo","arguments":null}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":-0}}`, "\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":\xff}",
		modernBody("1.0", "tools/call", `"name":"搜索"`), `{"jsonrpc":"2.0","id":"evergreen-id:1","method":"ping"}`,
	} {
		f.Add(body, false)
		f.Add(body, true)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "fuzz"}, nil)
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, echo)
	server.AddReceivingMiddleware(Recover(quiet))
	h := NewHTTP(func(*http.Request) *mcp.Server { return server }, HTTPOptions{Log: quiet})
	f.Fuzz(func(t *testing.T, body string, isModern bool) {
		if strings.Contains(body, "subscriptions/listen") {
			t.Skip("a subscription has no end")
		}
		var headers []string
		if isModern {
			headers = modernHeaders("tools/call", "echo")
		}
		w := post(h, body, headers...)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if got := w.Body.Bytes(); len(got) > 0 && w.Header().Get("Content-Type") == "application/json" && !json.Valid(got) {
			t.Errorf("the answer is not JSON: %s", got)
		}
	})
}

// FuzzMessage: a message without fault is one that the SDK can read, with the
// same method and an id that leads back to its own.
func FuzzMessage(f *testing.F) {
	for _, raw := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":-7.50,"method":"ping","params":null}`,
		`{"jsonrpc":"2.0","id":"a","method":"b"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/x","id":null}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}`,
	} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = clean(raw)
		m, ft := parse(raw)
		if ft != nil {
			if !json.Valid(ft.body(m.id)) {
				t.Errorf("the fault is not JSON: %s", ft.body(m.id))
			}
			return
		}
		m.normalise()
		msg, err := jsonrpc.DecodeMessage(m.raw)
		if err != nil {
			if strings.Count(string(raw), "{")+strings.Count(string(raw), "[") < 1000 && !bytes.Contains(raw, []byte(`"error"`)) {
				t.Fatalf("the SDK cannot read %q: %v", m.raw, err)
			}
			return
		}
		if req, ok := msg.(*jsonrpc.Request); ok && m.call() {
			if req.Method != m.method {
				t.Errorf("method %q became %q", m.method, req.Method)
			}
			var sent, own any
			if json.Unmarshal(safeID(m.id), &sent) != nil || json.Unmarshal(encode(req.ID.Raw()), &own) != nil || sent != own {
				t.Errorf("id %s was sent as %v", m.id, req.ID.Raw())
			}
		}
	})
}

// FuzzLines: every line within the bound arrives whole, longer ones are told.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\r\n\nccc"), 2)
	f.Add([]byte("\n\n"), 1)
	f.Add([]byte("ab\nabc\n\n a "), 2)
	f.Fuzz(func(t *testing.T, input []byte, limit int) {
		if limit < 1 || limit > 1<<10 || bytes.ContainsAny(input, "\r\xef") {
			return
		}
		br := bufio.NewReaderSize(bytes.NewReader(input), 16)
		for _, want := range bytes.Split(input, []byte("\n")) {
			l, err := readLine(br, limit)
			if l.tooLong != (len(want) > limit) || !l.tooLong && !bytes.Equal(l.data, bytes.TrimSpace(clean(want))) {
				t.Fatalf("line %q with limit %d: %q, too long %v", want, limit, l.data, l.tooLong)
			}
			if err != nil && err != io.EOF {
				t.Fatal(err)
			}
		}
	})
}

// BenchmarkHTTP measures one tools/call through the edge and the SDK.
func BenchmarkHTTP(b *testing.B) {
	server := mcp.NewServer(&mcp.Implementation{Name: "bench"}, nil)
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`)}, echo)
	h := NewHTTP(func(*http.Request) *mcp.Server { return server }, HTTPOptions{})
	b.Run("legacy", func(b *testing.B) {
		for b.Loop() {
			post(h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"q":"幻觉"}}}`)
		}
	})
	b.Run("modern", func(b *testing.B) {
		headers := modernHeaders("tools/call", "echo")
		body := modernBody("1", "tools/call", `"name":"echo","arguments":{"q":"幻觉"}`)
		for b.Loop() {
			post(h, body, headers...)
		}
	})
	b.Run("parse and normalise alone", func(b *testing.B) {
		raw := []byte(modernBody("1.5", "tools/call", `"name":"echo","arguments":{"q":"幻觉"}`))
		for b.Loop() {
			m, _ := parse(raw)
			m.normalise()
		}
	})
}
