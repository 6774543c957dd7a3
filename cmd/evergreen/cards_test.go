package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"evergreen/internal/config"
	"evergreen/internal/web"

	"github.com/google/go-cmp/cmp"
)

// serveOwn serves our own documentation as the program does.
func serveOwn(t *testing.T) *httptest.Server {
	t.Helper()
	s, err := config.Load(config.Input{LookupEnv: func(string) (string, bool) { return "", false }, WorkDir: t.TempDir(), UserData: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Library = t.TempDir()
	own, err := disk{}.embedded(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() }) // a temporary folder
	face := newMCPFace(own, s, nil, slog.New(slog.DiscardHandler))
	t.Cleanup(face.jobs.Close)
	read, admin, _, err := face.handlers()
	if err != nil {
		t.Fatal(err)
	}
	options, err := webOptions(t.Context(), face, read, admin)
	if err != nil {
		t.Fatal(err)
	}
	handler := web.New(options)
	t.Cleanup(handler.Close)
	handler.Warm()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// get decodes a JSON document of the server.
func getJSON(t *testing.T, server *httptest.Server, path string, into any) {
	t.Helper()
	r, err := server.Client().Get(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(b, into) != nil {
		t.Fatalf("%s: %d %.200s", path, r.StatusCode, b)
	}
}

// TestCardsSayWhatTheServerAnswers compares the server card, the agent card and
// the live answers.
func TestCardsSayWhatTheServerAnswers(t *testing.T) {
	server := serveOwn(t)
	type tool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		InputSchema any    `json:"inputSchema"`
	}
	var card struct {
		Name, Version string
		Capabilities  any
		Tools         []tool
		Remotes       []struct{ SupportedProtocolVersions []string }
	}
	getJSON(t, server, "/.well-known/mcp/server-card.json", &card)
	ask := func(method string, into any) {
		t.Helper()
		body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
		r, err := server.Client().Post(server.URL+"/mcp", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if err := json.NewDecoder(r.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	// The server card is about those who may read: the local caller sees more.
	var live struct{ Result struct{ Tools []tool } }
	ask("tools/list", &live)
	listed := map[string]tool{}
	for _, l := range live.Result.Tools {
		listed[l.Name] = l
	}
	for _, c := range card.Tools {
		if diff := cmp.Diff(listed[c.Name], c); diff != "" {
			t.Errorf("%s (-live +card):\n%s", c.Name, diff)
		}
	}
	var hello struct {
		Result struct {
			ProtocolVersion string
			ServerInfo      struct{ Name, Version string }
			Capabilities    any
		}
	}
	ask("initialize", &hello)
	if got := hello.Result.ServerInfo; got.Name != card.Name || got.Version != card.Version {
		t.Errorf("the server is %+v, its card says %s %s", got, card.Name, card.Version)
	}
	if diff := cmp.Diff(hello.Result.Capabilities, card.Capabilities); diff != "" {
		t.Errorf("capabilities (-live +card):\n%s", diff)
	}
	if len(card.Remotes) != 1 || !strings.Contains(strings.Join(card.Remotes[0].SupportedProtocolVersions, " "), hello.Result.ProtocolVersion) {
		t.Errorf("remotes %+v do not name %s", card.Remotes, hello.Result.ProtocolVersion)
	}
	var agent struct{ Skills []struct{ ID string } }
	getJSON(t, server, "/.well-known/agent-card.json", &agent)
	if len(agent.Skills) == 0 {
		t.Error("the agent card has no skills")
	}
	for _, s := range agent.Skills {
		if _, ok := listed[s.ID]; !ok {
			t.Errorf("the agent card offers %s, which is no tool", s.ID)
		}
	}
}
