package main

// This file holds what a client with a token of an authorization server gets
// through the whole product.

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/web"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// authority is an authorization server on this machine.
type authority struct {
	server *httptest.Server
	key    ed25519.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": a.server.URL, "jwks_uri": a.server.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(a.keys(t)) })
	a.server = httptest.NewServer(mux)
	t.Cleanup(a.server.Close)
	return a
}

func (a *authority) keys(t *testing.T) []byte {
	data, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: a.key.Public(), KeyID: "1", Use: "sig"}}})
	if err != nil {
		t.Error(err)
	}
	return data
}

func (a *authority) token(t *testing.T, audience, scope string) string {
	t.Helper()
	return a.tokenFor(t, "ada", audience, scope)
}

func (a *authority) tokenFor(t *testing.T, subject, audience, scope string) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: jose.JSONWebKey{Key: a.key, KeyID: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(map[string]any{"iss": a.server.URL, "sub": subject, "aud": audience, "scope": scope,
		"exp": time.Now().Add(time.Hour).Unix()}).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// serveGuarded serves our own documentation to holders of tokens.
func serveGuarded(t *testing.T, change func(*config.Settings)) *httptest.Server {
	t.Helper()
	s, err := config.Load(config.Input{LookupEnv: func(string) (string, bool) { return "", false }, WorkDir: t.TempDir(), UserData: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	s.Library, s.Site.BaseURL = t.TempDir(), "http://"+server.Listener.Addr().String()
	change(&s)
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
	server.Config.Handler = handler
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// proxied sends a request as a proxy hands it on: it is not local.
func proxied(t *testing.T, method, url, token, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Via", "1.1 proxy")
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

func TestOAuthThroughTheProduct(t *testing.T) {
	a := newAuthority(t)
	server := serveGuarded(t, func(s *config.Settings) {
		s.OAuth = config.OAuth{Issuer: a.server.URL, ReadScope: "read", WriteScope: "write", AllowPrivate: true}
	})
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

	// The way of a client: refused, it finds the metadata, and there the issuer.
	answer, _ := proxied(t, http.MethodPost, server.URL+"/mcp", "", list)
	challenges, err := oauthex.ParseWWWAuthenticate(answer.Header.Values("WWW-Authenticate"))
	if err != nil || answer.StatusCode != http.StatusUnauthorized || len(challenges) != 1 {
		t.Fatalf("%d, %v, %v", answer.StatusCode, challenges, err)
	}
	for url, resource := range map[string]string{
		challenges[0].Params["resource_metadata"]:                server.URL + "/mcp",
		server.URL + "/.well-known/oauth-protected-resource":     server.URL,
		server.URL + "/.well-known/oauth-protected-resource/mcp": server.URL + "/mcp",
	} {
		metadata, err := oauthex.GetProtectedResourceMetadata(t.Context(), url, resource, http.DefaultClient)
		if err != nil || len(metadata.AuthorizationServers) != 1 || metadata.AuthorizationServers[0] != a.server.URL {
			t.Errorf("%s: %+v, %v", url, metadata, err)
		}
	}
	for _, tt := range []struct {
		name, audience, scope string
		status                int
		admin                 bool
	}{
		{"read", server.URL + "/mcp", "read", 200, false},
		{"write", server.URL, "write", 200, true},
		{"nothing", server.URL + "/mcp", "email", 403, false},
		{"for somebody else", "https://other.example", "write", 401, false},
	} {
		answer, text := proxied(t, http.MethodPost, server.URL+"/mcp", a.token(t, tt.audience, tt.scope), list)
		if answer.StatusCode != tt.status || strings.Contains(text, `"index_local"`) != tt.admin || tt.status == 200 != strings.Contains(text, `"search_context"`) {
			t.Errorf("%s: %d %.300s", tt.name, answer.StatusCode, text)
		}
	}
	if answer, _ := proxied(t, http.MethodGet, server.URL+"/llms.txt", "", ""); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("documents without a token: %d", answer.StatusCode)
	}
	if _, text := proxied(t, http.MethodGet, server.URL+"/.well-known/agent-card.json", a.token(t, server.URL, "read"), ""); !strings.Contains(text, `"bearer"`) {
		t.Errorf("the agent card names no token: %.300s", text)
	}
	answer, err = http.Get(server.URL + "/llms.txt")
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("on this machine: %v %v", answer, err)
	}
	answer.Body.Close()
}

// The metadata of tokens appears with them and never otherwise.
func TestNoOAuthNoMetadata(t *testing.T) {
	server := serveGuarded(t, func(*config.Settings) {})
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		if answer, _ := proxied(t, http.MethodGet, server.URL+path, "", ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
}

// The issuer's documents come through the guarded client.
func TestIssuerIsFetchedBehindTheGuards(t *testing.T) {
	a := newAuthority(t)
	var s config.Settings
	if _, err := documentGetter(s)(t.Context(), a.server.URL+"/keys"); evergreen.KindOf(err) != evergreen.Blocked {
		t.Errorf("a private address: %v", err)
	}
	s.OAuth.AllowPrivate = true
	get := documentGetter(s)
	if _, err := get(t.Context(), a.server.URL+"/keys"); err != nil {
		t.Errorf("an allowed one: %v", err)
	}
	elsewhere := httptest.NewServer(http.RedirectHandler(a.server.URL+"/keys", http.StatusFound))
	defer elsewhere.Close()
	if _, err := get(t.Context(), elsewhere.URL); evergreen.KindOf(err) != evergreen.Upstream {
		t.Errorf("a redirect is followed: %v", err)
	}
	for size, want := range map[int]evergreen.Kind{maxIssuerBytes: "", maxIssuerBytes + 1: evergreen.TooLarge} {
		large := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, size)) }))
		if _, err := get(t.Context(), large.URL); evergreen.KindOf(err) != want {
			t.Errorf("%d bytes: %v", size, err)
		}
		large.Close()
	}
}

func TestOAuthSettings(t *testing.T) {
	a := newAuthority(t)
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, a.keys(t), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		base string
		o    config.OAuth
		kind evergreen.Kind
	}{
		"nothing":               {"", config.OAuth{}, ""},
		"keys from a file":      {"https://docs.example.com", config.OAuth{Issuer: "https://login.example.com", KeysFile: file}, ""},
		"no such file":          {"https://docs.example.com", config.OAuth{Issuer: "https://login.example.com", KeysFile: file + "x"}, evergreen.Invalid},
		"no base URL":           {"", config.OAuth{Issuer: "https://login.example.com"}, evergreen.Invalid},
		"keys without issuer":   {"https://docs.example.com", config.OAuth{KeysFile: file}, evergreen.Invalid},
		"issuer in the open":    {"https://docs.example.com", config.OAuth{Issuer: "http://login.example.com"}, evergreen.Invalid},
		"key address is a file": {"https://docs.example.com", config.OAuth{Issuer: "https://login.example.com", KeysURL: "file:///keys"}, evergreen.Invalid},
	} {
		var s config.Settings
		s.Site.BaseURL, s.OAuth = tt.base, tt.o
		if _, _, err := resourceServer(s, nil); evergreen.KindOf(err) != tt.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
}
