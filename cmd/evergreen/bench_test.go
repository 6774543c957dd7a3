package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/web"
)

// BenchmarkToolCall is one call of a tool through the whole face, without a
// network, over Evergreen's own documentation.
func BenchmarkToolCall(b *testing.B) {
	s := config.Settings{}
	own, err := disk{}.embedded(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	defer own.Close()
	handler := benchFace(b, own, s)
	defer handler.Close()
	id := sectionOfSize(b, own, 1500)
	for _, c := range []struct{ name, params string }{
		{"get_section", fmt.Sprintf(`"name":"get_section","arguments":{"id":%q}`, id)},
		{"search_context", `"name":"search_context","arguments":{"query":"how are malformed calls repaired"}`},
	} {
		for _, modern := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/modern=%v", c.name, modern), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, callOf(c.params, modern))
					if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"structuredContent"`) {
						b.Fatal(w.Code, w.Body)
					}
				}
			})
		}
	}
}

func benchFace(tb testing.TB, lib library, s config.Settings) *web.Server {
	tb.Helper()
	face, err := newMCPFace(lib, s, nil, slog.New(slog.DiscardHandler)).withGateway()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(face.close)
	read, admin, _, err := face.handlers()
	if err != nil {
		tb.Fatal(err)
	}
	options, err := webOptions(tb.Context(), face, read, admin)
	if err != nil {
		tb.Fatal(err)
	}
	options.Rate = web.Rate{}
	return web.New(options)
}

// sectionOfSize is the id of a section of at least so many bytes.
func sectionOfSize(tb testing.TB, lib library, size int) string {
	tb.Helper()
	outline, err := lib.Outline(context.Background(), evergreen.OutlineRequest{Collection: "evergreen", Limit: -1})
	if err != nil {
		tb.Fatal(err)
	}
	for _, d := range outline.Documents {
		for _, o := range d.Sections {
			text, err := lib.Section(context.Background(), evergreen.SectionRequest{ID: o.ID})
			if err == nil && len(text.Markdown) > size {
				return o.ID
			}
		}
	}
	tb.Fatal("no section is that long")
	return ""
}

func callOf(params string, modern bool) *http.Request {
	if modern {
		params += `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"b","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	}
	r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+params+`}}`))
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	if modern {
		name, _, _ := strings.Cut(strings.TrimPrefix(params, `"name":"`), `"`)
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", name)
	}
	return r
}

// BenchmarkLayers is one answer of each kind through the whole face, without a
// network.
func BenchmarkLayers(b *testing.B) {
	s := config.Settings{}
	own, err := disk{}.embedded(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	defer own.Close()
	handler := benchFace(b, own, s)
	defer handler.Close()
	for _, l := range []struct{ path, accept string }{
		{"/api/context?topic=budget", "*/*"}, {"/llms.txt", "*/*"}, {"/llms-full.txt", "*/*"}, {"/", "text/html"},
		{"/docs/evergreen/gateway.md", "*/*"}, {"/context.json", "*/*"}, {"/robots.txt", "*/*"}, {"/.well-known/agent-card.json", "*/*"},
	} {
		b.Run(l.path, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "http://localhost"+l.path, nil)
			r.RemoteAddr = "127.0.0.1:1"
			r.Header.Set("Accept", l.accept)
			w := httptest.NewRecorder()
			if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
				b.Fatal(w.Code, w.Body)
			}
			b.ReportAllocs()
			for b.Loop() {
				handler.ServeHTTP(&forgetful{header: http.Header{}}, r)
			}
		})
	}
}

// forgetful takes an answer and forgets it.
type forgetful struct{ header http.Header }

func (f *forgetful) Header() http.Header         { return f.header }
func (f *forgetful) Write(p []byte) (int, error) { return len(p), nil }
func (f *forgetful) WriteHeader(int)             {}
