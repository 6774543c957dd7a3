package websearch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"evergreen"

	"github.com/google/go-cmp/cmp"
)

func env(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDiscovery(t *testing.T) {
	work, user, other := t.TempDir(), t.TempDir(), t.TempDir()
	in := Input{LookupEnv: env(), WorkDir: work, UserConfig: []string{user, other}}
	load := func(want string) {
		t.Helper()
		c, file, _, err := Load(in)
		if err != nil || c.Path != want {
			t.Errorf("path %q from %q, %v; want %q", c.Path, file, err, want)
		}
	}
	load("/mcp")
	write(t, filepath.Join(other, "web-search-prime-fixer", "config.json"), `{"path":"/other"}`)
	load("/other")
	write(t, filepath.Join(user, "web-search-prime-fixer", "config.json"), `{"path":"/user"}`)
	load("/user")
	write(t, filepath.Join(work, "web-search-prime-fixer.json"), `{"path":"/work"}`)
	load("/work")
	write(t, filepath.Join(work, "named.json"), "\ufeff"+`{"path":"/named"}`)
	in.LookupEnv = env("WSPF_CONFIG", "named.json", "WSPF_LISTEN", "")
	load("/named")
	in.LookupEnv = env("WSPF_CONFIG", "absent.json")
	if _, _, _, err := Load(in); err == nil || !strings.Contains(err.Error(), "WSPF_CONFIG") {
		t.Errorf("a missing named file: %v", err)
	}
}

func TestFileEnvironmentDefaults(t *testing.T) {
	work := t.TempDir()
	write(t, filepath.Join(work, "web-search-prime-fixer.json"), `{
		"upstream": "https://one.example/mcp", "listen": "127.0.0.1:9000", "target_param": "", "log_level": "debug",
		"aliases": ["words"], "optional_aliases": {"location": ["place"]}, "cannonical_tool": "x", "tools": null}`)
	c, _, warnings, err := Load(Input{LookupEnv: env("WSPF_UPSTREAM", "https://two.example/mcp", "WSPF_LOG_LEVEL", "warn", "WSPF_LISTEN", ""), WorkDir: work})
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Upstream, want.Listen, want.LogLevel = "https://two.example/mcp", "127.0.0.1:9000", "warn"
	want.QueryAliases, want.OptionalAliases = []string{"words"}, map[string][]string{"location": {"place"}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	told := strings.Join(warnings, "\n")
	if len(warnings) != 2 || !strings.Contains(told, "aliases is called query_aliases now") || !strings.Contains(told, "cannonical_tool is unknown and not used; did you mean canonical_tool?") {
		t.Errorf("%q", warnings)
	}
}

func TestDefaultsAreTheSeeds(t *testing.T) {
	c := Default()
	if err := c.check(); err != nil {
		t.Error(err)
	}
	if len(c.QueryAliases) != 14 || c.QueryAliases[0] != "query" || c.QueryAliases[13] != "searchString" || c.Listen != "127.0.0.1:8787" {
		t.Errorf("%+v", c)
	}
	raw, err := json.Marshal(c)
	if err != nil || strings.Contains(strings.ToLower(string(raw)), "auth") {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestSettingsThatCannotBeServed(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{`{"listen":"8787"}`, "listen must be host:port"},
		{`{"listen":":8787"}`, "on this machine"},
		{`{"listen":"0.0.0.0:8787"}`, "on this machine"},
		{`{"listen":"192.168.1.5:8787"}`, "on this machine"},
		{`{"upstream":"/mcp"}`, "upstream must be an absolute"},
		{`{"tools":[]}`, "at least one tool"},
		{`{"tools":["a"]}`, "canonical_tool"},
		{`{"tools":["web_search","web_search_prime"]}`, "the upstream's own tool"},
		{`{"tools":["web_search","webSearchPrime"]}`, "the upstream's own tool"},
		{`{"path":"mcp"}`, "path must be"},
		{`{"canonical_param":""}`, "must not be empty"},
		{`{"log_level":"loud"}`, "log_level must be"},
		{`{"tools":"web_search"}`, "tools has a value of the wrong type"},
		{`[]`, "no JSON object"},
	} {
		work := t.TempDir()
		write(t, filepath.Join(work, "web-search-prime-fixer.json"), c.file)
		_, _, _, err := Load(Input{LookupEnv: env(), WorkDir: work})
		if err == nil || !strings.Contains(err.Error(), c.want) || evergreen.KindOf(err) != evergreen.Invalid || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.file, err)
		}
	}
	for _, listen := range []string{"localhost:1", "[::1]:1", "127.0.0.2:1"} {
		c := Default()
		c.Listen = listen
		if err := c.check(); err != nil {
			t.Errorf("%s: %v", listen, err)
		}
	}
	if _, err := New(func() Config { c := Default(); c.Upstream = "http://example.com/mcp"; return c }(), "1", nil); err == nil {
		t.Error("a credential would go out over plain http")
	}
}

func TestClientConfig(t *testing.T) {
	c := Default()
	for client, want := range map[string][]string{
		"pi":     {`"toolPrefix": "none"`, `"type": "http"`, `"Authorization": "Bearer ${Z_AI_API_KEY}"`, `"url": "http://127.0.0.1:8787/mcp"`},
		"claude": {`"mcpServers"`, `"type": "http"`, `"Bearer ${Z_AI_API_KEY}"`},
		"cursor": {`"Bearer ${env:Z_AI_API_KEY}"`, `"url"`},
	} {
		config, note, err := c.ClientConfig(client)
		if err != nil || !json.Valid([]byte(config)) || note == "" {
			t.Errorf("%s: %s %v", client, config, err)
		}
		for _, part := range want {
			if !strings.Contains(config, part) {
				t.Errorf("%s: %s is missing in %s", client, part, config)
			}
		}
	}
	if _, _, err := c.ClientConfig("vim"); evergreen.KindOf(err) != evergreen.Invalid {
		t.Error(err)
	}
}
