package site

// This file validates documents against the public schemas, which stand outside
// the project, and against our own.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"evergreen"
)

// resolve compiles a schema, or the part of it that at names.
func resolve(t *testing.T, source []byte, at string) *jsonschema.Resolved {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(source, &members); err != nil {
		t.Fatal(err)
	}
	if at != "" {
		members["$ref"] = json.RawMessage(`"` + at + `"`)
	}
	source, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(source, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func validate(t *testing.T, what string, schema *jsonschema.Resolved, document string) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// inputs are sites that differ in everything the schemas care about.
func inputs() map[string]Input {
	bare := exampleInput()
	bare.Snapshot = &fake{revision: "r0"}
	bare.Policy = evergreen.Policy{Rate: evergreen.RateLimit{PerMinute: 120, Burst: 300}, Updated: "2026-11-30"}
	bare.Options = Options{MCP: &MCP{}, A2A: true, Operations: Operations()}
	long := exampleInput()
	long.Options.Name = strings.Repeat("Dokumentation für Beispiele ", 6)
	long.Options.BaseURL = "http://127.0.0.1:4173"
	locked := exampleInput()
	locked.Policy.Schemes = []string{"bearer"}
	locked.Policy.Deny = []string{"CCBot", "Bytespider"}
	locked.Policy.Training = evergreen.No
	chinese := exampleInput()
	chinese.Options.Name = "示例文档"
	chinese.Options.Questions = nil
	closed := exampleInput()
	closed.Policy.Deny = []string{"*"}
	closed.Policy.Forbidden = []evergreen.Use{"index", "inference", "rag"}
	unlimited := exampleInput()
	unlimited.Policy.Rate = evergreen.RateLimit{}
	return map[string]Input{"unlimited": unlimited, "example": exampleInput(), "bare": bare, "long": long, "locked": locked, "chinese": chinese, "closed": closed}
}

func TestSchemas(t *testing.T) {
	dir := filepath.Join(specDir(t), "schemas")
	for _, c := range []struct{ schema, at, path string }{
		{"mcp-server-card.schema.json", "#/$defs/ServerCard", "/mcp/server-card"},
		{"ai-catalog.schema.json", "", "/.well-known/ard.json"},
		{"a2a-0.3.0.schema.json", "#/definitions/AgentCard", "/.well-known/agent-card.json"},
		{"agent-skills-index.schema.json", "", "/.well-known/agent-skills/index.json"},
		{"ai-policy.schema.json", "", "/ai-policy.json"},
		{"linkset.schema.json", "", "/.well-known/api-catalog"},
	} {
		source, err := os.ReadFile(filepath.Join(dir, c.schema))
		if err != nil {
			t.Fatal(err)
		}
		schema := resolve(t, source, c.at)
		for name, in := range inputs() {
			validate(t, name+" "+c.path, schema, read(t, must(t, in), c.path))
		}
	}
}

func TestContextSchema(t *testing.T) {
	schema := resolve(t, contextSchema, "")
	for name, in := range inputs() {
		validate(t, name, schema, read(t, must(t, in), "/context.json"))
	}
}
