package main

// This file holds what clients may have of a server, through the whole product.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"evergreen/internal/config"
	"evergreen/internal/web"
)

// clientsBed is a server behind a proxy on this machine, that holders of issued
// tokens fill.
type clientsBed struct {
	t         *testing.T
	authority *authority
	library   string
	sources   string
	server    *httptest.Server
}

func newClientsBed(t *testing.T, change func(*config.Settings)) *clientsBed {
	t.Helper()
	b := &clientsBed{t: t, authority: newAuthority(t), library: t.TempDir(), sources: t.TempDir()}
	b.start(change)
	return b
}

// start starts the server, anew when it runs already.
func (b *clientsBed) start(change func(*config.Settings)) {
	b.t.Helper()
	s, err := config.Load(config.Input{LookupEnv: func(string) (string, bool) { return "", false }, WorkDir: b.t.TempDir(), UserData: b.t.TempDir()})
	if err != nil {
		b.t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	s.Library, s.Site.BaseURL, s.Server.TrustedProxies = b.library, "http://"+server.Listener.Addr().String(), []string{"127.0.0.1/32"}
	s.Server.Token = "administration"
	s.OAuth = config.OAuth{Issuer: b.authority.server.URL, ReadScope: "read", WriteScope: "write", AllowPrivate: true}
	change(&s)
	lib, err := disk{}.open(b.t.Context(), s, false)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = lib.Close() })
	face, err := newMCPFace(lib, s, []string{b.sources}, slog.New(slog.DiscardHandler)).withGateway()
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(face.close)
	read, admin, _, err := face.handlers()
	if err != nil {
		b.t.Fatal(err)
	}
	options, err := webOptions(b.t.Context(), face, read, admin)
	if err != nil {
		b.t.Fatal(err)
	}
	bound, err := withConsole(&options, face, lib, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	handler := web.New(options)
	bound(handler)
	b.t.Cleanup(handler.Close)
	if b.server != nil {
		b.server.Close()
	}
	server.Config.Handler = handler
	server.Start()
	b.server = server
	b.t.Cleanup(server.Close)
}

// ask sends a request of somebody at an address.
func (b *clientsBed) ask(who, address, method, path, body string) (int, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, b.server.URL+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", address)
	r.Header.Set("Content-Type", "application/json")
	switch who {
	case "nobody":
	case "administrator":
		r.Header.Set("Authorization", "Bearer administration")
	default:
		r.Header.Set("Authorization", "Bearer "+b.authority.tokenFor(b.t, who, b.server.URL, "write"))
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// index has somebody index a folder of so many sections through MCP.
func (b *clientsBed) index(who, address, name string, sections int) string {
	b.t.Helper()
	_, text := b.ask(who, address, http.MethodPost, "/mcp", fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"index_local","arguments":{"path":%q,"name":%q}}}`, b.folder(name, sections), name))
	return text
}

func (b *clientsBed) folder(name string, sections int) string {
	b.t.Helper()
	folder, text := filepath.Join(b.sources, name), &strings.Builder{}
	for i := range sections {
		fmt.Fprintf(text, "# %s %d\n\nAll about it.\n\n", name, i)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "text.md"), []byte(text.String()), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return folder
}

// TestRoomOfClientsThroughTheProduct: two subjects at one address have a room
// each, one subject at two addresses has one, over MCP and the operator's page,
// before and after a restart; the holder of the token is another client.
func TestRoomOfClientsThroughTheProduct(t *testing.T) {
	limit := func(s *config.Settings) { s.Server.RateLimit, s.Limits.ClientSections = 0, 10 }
	b := newClientsBed(t, limit)
	const here, there = "198.51.100.7", "203.0.113.9"
	indexed := func(text, name string) {
		t.Helper()
		if !strings.Contains(text, "Indexed **"+name) {
			t.Errorf("%s: %s", name, text)
		}
	}
	refused := func(text string) {
		t.Helper()
		if !strings.Contains(text, `"isError":true`) || !strings.Contains(text, "at most 10 are allowed for one client") || !strings.Contains(text, "limits.client_sections") {
			t.Errorf("not refused: %s", text)
		}
	}
	indexed(b.index("ada", here, "walrus", 8), "walrus")
	refused(b.index("ada", here, "narwhal", 3))
	refused(b.index("ada", there, "narwhal", 3))
	indexed(b.index("bob", here, "narwhal", 10), "narwhal")
	indexed(b.index("administrator", here, "beluga", 10), "beluga")
	refused(b.index("administrator", there, "orca", 1))
	refused(b.index("ada", here, "walrus", 11)) // a refresh that grows
	if _, text := b.ask("ada", here, http.MethodGet, "/operate.json", ""); !strings.Contains(text, `"sections": 8`) {
		t.Errorf("what was there is gone: %s", text)
	}

	b.start(limit)
	refused(b.index("ada", there, "orca", 3))
	if fault := b.operate("ada", "orca", 3); !strings.Contains(fault, "at most 10 are allowed for one client") {
		t.Errorf("the operator's page lets her: %q", fault)
	}
	if fault := b.operate("administrator", "operated", 30); fault != "" {
		t.Errorf("an operator is bound: %s", fault)
	}
	b.ask("ada", here, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_index","arguments":{"repo":"walrus"}}}`)
	indexed(b.index("ada", there, "orca", 10), "orca")
}

// operate has somebody index a folder on the operator's page, and returns what
// the job ended with.
func (b *clientsBed) operate(who, name string, sections int) (fault string) {
	b.t.Helper()
	status, text := b.ask(who, "198.51.100.7", http.MethodPost, "/operate/index", fmt.Sprintf(`{"location":%q,"name":%q}`, b.folder(name, sections), name))
	var begun struct{ Job string }
	if err := json.Unmarshal([]byte(text), &begun); err != nil || status != http.StatusAccepted {
		b.t.Fatalf("%d %s %v", status, text, err)
	}
	for {
		var desk struct {
			Jobs []struct{ ID, State, Error string }
		}
		if _, text = b.ask(who, "198.51.100.7", http.MethodGet, "/operate.json", ""); json.Unmarshal([]byte(text), &desk) != nil {
			b.t.Fatal(text)
		}
		for _, j := range desk.Jobs {
			if j.ID == begun.Job && (j.State == "done" || j.State == "failed") {
				return j.Error
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestCallsOfClientsThroughTheProduct: two subjects at one address have a rate
// each, one subject at two addresses has one; who has no good token is counted
// by its address.
func TestCallsOfClientsThroughTheProduct(t *testing.T) {
	b := newClientsBed(t, func(s *config.Settings) { s.Server.RateLimit = 1 }) // two at once
	const here, there, elsewhere = "198.51.100.7", "203.0.113.9", "192.0.2.1"
	for i, tt := range []struct {
		who, address string
		status       int
	}{
		{"ada", here, 200}, {"ada", there, 200}, {"ada", here, 429}, {"ada", there, 429}, {"ada", elsewhere, 429},
		{"bob", here, 200}, {"bob", here, 200}, {"bob", here, 429},
		{"nobody", elsewhere, 401}, {"nobody", elsewhere, 401}, {"nobody", elsewhere, 429},
		{"eve", elsewhere, 429}, {"eve", here, 200},
		{"administrator", elsewhere, 200}, {"administrator", here, 200}, {"administrator", there, 429},
	} {
		if status, text := b.ask(tt.who, tt.address, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); status != tt.status {
			t.Errorf("%d: %s at %s: %d, want %d: %.200s", i, tt.who, tt.address, status, tt.status, text)
		}
	}
}
