package a2a

// This file validates documents as served against the schemas of their formats,
// which stand outside the project in the folder schemas of EVERGREEN_SPEC.

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas compiles each document's schema. The product's own tests use another
// validator, so that no one library's reading decides.
func schemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	spec := os.Getenv("EVERGREEN_SPEC")
	if spec == "" {
		t.Skip("skipped: EVERGREEN_SPEC is not set: documents are not validated against their schemas")
	}
	folder, err := filepath.Abs(filepath.Join(spec, "schemas"))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	out := map[string]*jsonschema.Schema{}
	for path, schema := range map[string]string{
		cardPath:                               "a2a-0.3.0.schema.json#/definitions/AgentCard",
		"/mcp/server-card":                     "mcp-server-card.schema.json#/$defs/ServerCard",
		"/.well-known/mcp/server-card.json":    "mcp-server-card.schema.json#/$defs/ServerCard",
		"/.well-known/ard.json":                "ai-catalog.schema.json",
		"/.well-known/ai-catalog.json":         "ai-catalog.schema.json",
		"/.well-known/api-catalog":             "linkset.schema.json",
		"/.well-known/agent-skills/index.json": "agent-skills-index.schema.json",
		"/ai-policy.json":                      "ai-policy.schema.json",
	} {
		compiled, err := compiler.Compile((&url.URL{Scheme: "file", Path: filepath.ToSlash(folder)}).String() + "/" + schema)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = compiled
	}
	return out
}

func TestDocuments(t *testing.T) {
	judges := schemas(t)
	for name, args := range variants(t) {
		t.Run(name, func(t *testing.T) {
			base := serve(t, args...)
			for path, schema := range judges {
				document, err := jsonschema.UnmarshalJSON(bytes.NewReader(get(t, base+path)))
				if err != nil {
					t.Errorf("%s: %v", path, err)
					continue
				}
				if err := schema.Validate(document); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
}
