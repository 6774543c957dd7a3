// Reading and mending single messages.
package edge

import (
	"encoding/json"
	"testing"
)

func TestNormalise(t *testing.T) {
	tests := []struct {
		name, in, want string // want "" means unchanged bytes
	}{
		{"plain", `{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"x": "<&>"}}`, ``},
		{"string id", `{"jsonrpc":"2.0","id":"7.5","method":"ping","params":{}}`, ``},
		{"negative id", `{"jsonrpc":"2.0","id":-3,"method":"ping","params":{}}`, ``},
		{"largest plain id", `{"jsonrpc":"2.0","id":999999999999999,"method":"ping","params":{}}`, ``},
		{"larger id", `{"jsonrpc":"2.0","id":1000000000000000,"method":"ping","params":{}}`, `{"id":"evergreen-id:1000000000000000","jsonrpc":"2.0","method":"ping","params":{}}`},
		{"negative zero", `{"jsonrpc":"2.0","id":-0,"method":"ping","params":{}}`, `{"id":"evergreen-id:-0","jsonrpc":"2.0","method":"ping","params":{}}`},
		{"fraction", `{"jsonrpc":"2.0","id":1.0,"method":"ping","params":{"q":"<幻觉>"}}`, `{"id":"evergreen-id:1.0","jsonrpc":"2.0","method":"ping","params":{"q":"<幻觉>"}}`},
		{"params absent", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"id":1,"jsonrpc":"2.0","method":"ping","params":{}}`},
		{"params null", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, `{"id":1,"jsonrpc":"2.0","method":"ping","params":{}}`},
		{"notification without params", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ``},
		{"cancellation", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5,"reason":"x"}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"x","requestId":"evergreen-id:1.5"}}`},
		{"response", `{"jsonrpc":"2.0","id":1,"result":null}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ft := parse([]byte(tt.in))
			if ft != nil {
				t.Fatal(ft.message)
			}
			m.normalise()
			want := tt.want
			if want == "" {
				want = tt.in
			}
			if got := string(m.raw); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestWhatAMessageSays(t *testing.T) {
	tests := []struct {
		in                      string
		call, response, streams bool
		name, version           string
		named                   bool
	}{
		{in: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","uri":"b"}}`, call: true, name: "a", named: true},
		{in: `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":7}}`, call: true, named: true},
		{in: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"b"}}`, call: true, name: "b", named: true},
		{in: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"a"}}`, call: true},
		{in: `{"jsonrpc":"2.0","id":1,"result":{}}`, response: true},
		{in: `{"jsonrpc":"2.0","id":1,"error":{}}`, response: true},
		{in: `{"jsonrpc":"2.0","method":"notifications/x"}`},
		{in: `{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"progressToken":0}}}`, call: true, streams: true},
		{in: `{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"progressToken":null}}}`, call: true},
		{in: `{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/logLevel":"info","io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, call: true, streams: true, version: "2026-07-28"},
	}
	for _, tt := range tests {
		m, ft := parse([]byte(tt.in))
		if ft != nil {
			t.Errorf("%s: %s", tt.in, ft.message)
			continue
		}
		name, named := m.name()
		if m.call() != tt.call || m.response() != tt.response || m.streams() != tt.streams || name != tt.name || named != tt.named || m.version() != tt.version {
			t.Errorf("%s: call %v, response %v, streams %v, name %q %v, version %q", tt.in, m.call(), m.response(), m.streams(), name, named, m.version())
		}
	}
}

func TestDecodeBody(t *testing.T) {
	tests := []struct {
		name, body, contentType, want string
	}{
		{"nothing declared", "你", "application/json", "你"},
		{"utf-8", "你", "application/json; charset=UTF-8", "你"},
		{"utf8 with mark", "\xef\xbb\xbf你", "application/json; charset=utf8", "你"},
		{"gbk", "\xc4\xe3", "application/json; charset=gbk", "你"},
		{"big5", "\xa7\x41", "application/json;charset=big5", "你"},
		{"utf-16 with mark", "\xff\xfe\x60\x4f", "application/json; charset=utf-16", "你"},
		{"latin-1", "\xe9", "application/json; charset=iso-8859-1", "é"},
		{"unknown", "你", "application/json; charset=klingon", "你"},
		{"not a media type", "你", ";;", "你"},
		{"invalid", "a\xffb", "", "a\uFFFDb"},
	}
	for _, tt := range tests {
		if got := string(decodeBody([]byte(tt.body), tt.contentType)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestFaultBody(t *testing.T) {
	ft := faultf(codeParse, "<%s>", "幻觉")
	ft.data = json.RawMessage(`{"a":1}`)
	if got, want := string(ft.body([]byte("1.5"))), `{"jsonrpc":"2.0","id":1.5,"error":{"code":-32700,"message":"<幻觉>","data":{"a":1}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
