package gateway

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/repair"
	"evergreen/internal/upstream"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/jsonschema-go/jsonschema"
)

const allSettings = `{
	"web": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${KEY}"}, "forward": ["X-User"],
		"prefix": "", "allow": ["a*"], "deny": ["ab"], "aliases": {"x": "a"}, "advertise": ["x"], "class": "read",
		"repair": {"a": "off"}, "timeout": "5s", "timeouts": {"a": 1500}},
	"prog": {"command": "npx", "args": ["-y", "server"], "env": {"A": "b"}, "dir": "/tmp", "legacy": true, "allow": []},
	"old": {"type": "sse", "url": "http://127.0.0.1:1/sse"},
	"list": {"command": ["a", "b"]}}`

func TestParseUpstreams(t *testing.T) {
	got, err := ParseUpstreams([]byte(allSettings))
	if err != nil {
		t.Fatal(err)
	}
	want := []Upstream{
		{Options: upstream.Options{Name: "list", Command: []string{"a", "b"}}, Prefix: "list"},
		{Options: upstream.Options{Name: "old", URL: "http://127.0.0.1:1/sse", SSE: true}, Prefix: "old"},
		{Options: upstream.Options{Name: "prog", Command: []string{"npx", "-y", "server"}, Env: map[string]string{"A": "b"}, Dir: "/tmp", Legacy: true}, Prefix: "prog", Unlisted: true},
		{Options: upstream.Options{Name: "web", URL: "https://example.com/mcp", Headers: map[string]string{"Authorization": "Bearer ${KEY}"}, Forward: []string{"X-User"}, Timeout: 5 * time.Second},
			Allow: []string{"a*"}, Deny: []string{"ab"}, Aliases: map[string]string{"x": "a"}, Advertise: []string{"x"},
			Classes: map[string]repair.Class{"*": "read"}, Policies: map[string]repair.Policy{"a": "off"}, Timeouts: map[string]time.Duration{"a": 1500 * time.Millisecond}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(upstream.Options{}, "LookupEnv", "Changed", "Log")); diff != "" {
		t.Error(diff)
	}
	if none, err := ParseUpstreams(nil); err != nil || none != nil {
		t.Errorf("%v, %v", none, err)
	}
}

func TestSettingsThatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[]`, "must be an object"},
		{`{"a":1}`, `upstream "a" must be an object`},
		{`{"a":{"comand":"x"}}`, `unknown key "comand"`},
		{`{"a":{"url":5}}`, "url has a value of the wrong type"},
		{`{"a":{"url":"https://x.example","timeout":"soon"}}`, "timeout has a value of the wrong type"},
		{`{"a":{"url":"https://x.example","timeout":0}}`, "timeout has a value of the wrong type"},
		{`{"a":{"url":"https://x.example","type":"stdio"}}`, "does not go with"},
		{`{"a":{"command":"x","type":"http"}}`, "does not go with"},
		{`{"a":{"url":"https://x.example","type":"ws"}}`, "unknown type"},
		{`{"a":{"url":"https://x.example","class":"reader"}}`, "unknown class"},
		{`{"a":{}}`, "either a url or a command"},
	} {
		_, err := ParseUpstreams([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// The published schema knows every key, and takes what the parser takes.
func TestSchemaOfUpstreams(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(UpstreamsSchema), &s); err != nil {
		t.Fatal(err)
	}
	for _, key := range knownSettings() {
		if s.AdditionalProperties.Properties[key] == nil {
			t.Errorf("%s is not in the schema", key)
		}
	}
	if n := len(s.AdditionalProperties.Properties); n != len(knownSettings()) {
		t.Errorf("%d keys in the schema", n)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(allSettings), &v); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(v); err != nil {
		t.Error(err)
	}
}
