package a2a

// This file validates answers of dialect 0.3 against the protocol's schema,
// which stands outside the project.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func TestSchema03(t *testing.T) {
	dir := os.Getenv("EVERGREEN_SPEC")
	if dir == "" {
		t.Skip("EVERGREEN_SPEC is not set: answers are not validated")
	}
	source, err := os.ReadFile(filepath.Join(dir, "schemas", "a2a-0.3.0.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ definition, body string }{
		{"SendMessageSuccessResponse", `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"How?"}]}}}`},
		{"JSONRPCErrorResponse", `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}}`},
		{"JSONRPCErrorResponse", `{"jsonrpc":"2.0","id":1,"method":"agent/getAuthenticatedExtendedCard"}`},
		{"JSONRPCErrorResponse", `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}`},
	} {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(source, &members); err != nil {
			t.Fatal(err)
		}
		members["$ref"] = json.RawMessage(`"#/definitions/` + c.definition + `"`)
		part, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(part, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		a := &asker{answer: Answer{Text: "So.", Data: json.RawMessage(`{"n":1}`)}}
		var answer any
		if err := json.Unmarshal(post(t, a, "0.3", c.body).Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(answer); err != nil {
			t.Errorf("%s: %v", c.definition, err)
		}
	}
}
