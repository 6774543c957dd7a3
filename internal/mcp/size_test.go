package mcp

import (
	"bytes"
	"encoding/json"
	"testing"

	"evergreen/internal/text"

	"github.com/google/jsonschema-go/jsonschema"
)

// listTokens measures a tools/list result as it goes over the wire.
func listTokens(t *testing.T, sets ...Set) int {
	t.Helper()
	session := connect(t, serve(t, smallLibrary(), func(o *Options) { o.Sets = sets }), nil)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(list); err != nil {
		t.Fatal(err)
	}
	return text.Tokens(b.String())
}

// The tool list is paid for in every conversation. web_search, which
// not every server has, gets 400 tokens of the whole.
func TestToolListSize(t *testing.T) {
	for _, c := range []struct {
		name string
		sets []Set
		most int
	}{
		{"all", []Set{SetKB, SetDocs, SetWeb, SetAdmin}, 3000 - 400},
		{"docs,kb", []Set{SetDocs, SetKB}, 1800},
	} {
		got := listTokens(t, c.sets...)
		t.Logf("tools/list of %s: %d tokens", c.name, got)
		if got > c.most {
			t.Errorf("tools/list of %s is %d tokens, at most %d", c.name, got, c.most)
		}
	}
}

// Every example is a right call: it validates against the tool's own schema,
// and the tool does not refuse its arguments.
func TestExamplesAreRightCalls(t *testing.T) {
	for _, tool := range registry() {
		var schema jsonschema.Schema
		if err := json.Unmarshal([]byte(tool.schema), &schema); err != nil {
			t.Fatalf("%s: schema: %v", tool.name, err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: schema: %v", tool.name, err)
		}
		var example any
		if err := json.Unmarshal([]byte(tool.example), &example); err != nil {
			t.Fatalf("%s: example: %v", tool.name, err)
		}
		if err := resolved.Validate(example); err != nil {
			t.Errorf("%s: the example is not a right call: %v", tool.name, err)
		}
		if compact := compactJSON(t, tool.schema); compact != tool.schema {
			t.Errorf("%s: the schema is not compact", tool.name)
		}
	}
}

func compactJSON(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(s)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryToolIsAnnotated(t *testing.T) {
	session := connect(t, serve(t, smallLibrary()), nil)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != len(registry()) {
		t.Errorf("%d tools listed, want %d", len(list.Tools), len(registry()))
	}
	writing := map[string]bool{"index_url": true, "index_local": true, "delete_index": true}
	for _, tool := range list.Tools {
		a := tool.Annotations
		if tool.Title == "" || tool.Description == "" || a == nil {
			t.Fatalf("%s lacks title, description or annotations", tool.Name)
		}
		if a.ReadOnlyHint == writing[tool.Name] {
			t.Errorf("%s: readOnlyHint %v", tool.Name, a.ReadOnlyHint)
		}
		if destructive := a.DestructiveHint != nil && *a.DestructiveHint; destructive != (tool.Name == "delete_index") {
			t.Errorf("%s: destructiveHint %v", tool.Name, destructive)
		}
	}
	if list.TTLMs != listTTL || list.CacheScope != "public" {
		t.Errorf("tools/list may be cached %d ms, %q", list.TTLMs, list.CacheScope)
	}
}
