package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func loadText(t *testing.T, text string, env map[string]string) (Settings, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "evergreen.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(Input{WorkDir: dir, LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
}

func TestGatewaySettings(t *testing.T) {
	s, err := loadText(t, `{
		"gateway": {
			"upstreams": {
				"searx": {"command": "mcp-searxng", "dir": "run", "env": {"SEARXNG_URL": "http://127.0.0.1:8888", "KEY": "${file:key}"}, "allow": []},
				"web": {"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer plain-secret", "X-Key": "${KEY}"}, "timeout": "5s"}},
			"aliases": {"lookup": "search_context"}, "repair": "safe"},
		"web_search": {"upstream": "searx", "table": "more.json"}}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(s.File)
	searx := s.Gateway.Upstreams[0]
	if searx.Dir != filepath.Join(folder, "run") || searx.Env["KEY"] != "${file:"+filepath.Join(folder, "key")+"}" || !searx.Unlisted {
		t.Errorf("%+v", searx)
	}
	if s.Gateway.Upstreams[1].Headers["Authorization"] != "Bearer plain-secret" || s.Gateway.Repair != "safe" || s.WebSearch.Table != filepath.Join(folder, "more.json") {
		t.Errorf("%+v %+v", s.Gateway, s.WebSearch)
	}
	if diff := cmp.Diff(map[string]string{"lookup": "search_context"}, s.Gateway.Aliases); diff != "" {
		t.Error(diff)
	}
	shown := ""
	for _, v := range s.Values() {
		shown += v.Key + "=" + compact(v.Value) + "\n"
	}
	if strings.Contains(shown, "plain-secret") || !strings.Contains(shown, `"Authorization":"(set)"`) || !strings.Contains(shown, "${KEY}") ||
		!strings.Contains(shown, `gateway.aliases={"lookup":"search_context"}`) {
		t.Error(shown)
	}
}

func TestGatewayFromTheEnvironment(t *testing.T) {
	s, err := loadText(t, `{}`, map[string]string{"EVERGREEN_GATEWAY_UPSTREAMS": `{"a":{"command":["x"]}}`, "EVERGREEN_WEB_SEARCH_UPSTREAM": "a"})
	if err != nil || len(s.Gateway.Upstreams) != 1 || s.WebSearch.Upstream != "a" || s.Origin("gateway.upstreams") != "env EVERGREEN_GATEWAY_UPSTREAMS" {
		t.Errorf("%+v, %v", s.Gateway, err)
	}
}

func TestGatewaySettingsThatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"gateway":{"upstreams":[]}}`, "gateway.upstreams must be an object"},
		{`{"gateway":{"upstreams":{"a":{"comand":"x"}}}}`, `unknown key "comand"`},
		{`{"gateway":{"upstreams":{"a":{}}}}`, "either a url or a command"},
		{`{"gateway":{"aliases":{"a":1}}}`, "gateway.aliases: must be an object of tools"},
		{`{"gateway":{"repair":"on"}}`, "none of off, hint-only, safe, full"},
		{`{"gateway":{"upstream":{}}}`, `unknown key "gateway.upstream"`},
	} {
		if _, err := loadText(t, c.text, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
