package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"evergreen/internal/text"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// fakeSearch answers with what it was asked.
type fakeSearch struct{}

func (fakeSearch) Search(_ context.Context, arguments json.RawMessage, _ http.Header) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(arguments)}, &sdk.TextContent{Text: "more"}},
		StructuredContent: json.RawMessage(`{"n":1}`)}
}

func TestWebSearchIsServedWhereThereIsOne(t *testing.T) {
	without := serve(t, smallLibrary(), func(o *Options) { o.Sets = []Set{SetKB, SetWeb} })
	if slices.Contains(without.names(), "web_search") {
		t.Error("web_search is served without a search server")
	}
	with := serve(t, smallLibrary(), func(o *Options) { o.Sets, o.Web = []Set{SetKB, SetWeb}, fakeSearch{} })
	if !slices.Contains(with.names(), "web_search") || len(with.Tools()) != len(without.Tools())+1 {
		t.Errorf("%v", with.names())
	}
	other := serve(t, smallLibrary(), func(o *Options) { o.Sets, o.Web = []Set{SetKB}, fakeSearch{} })
	if slices.Contains(other.names(), "web_search") {
		t.Error("web_search is served outside of its set")
	}
	session := connect(t, with, nil)
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "web_search", Arguments: json.RawMessage(`{"query":"x","page":2}`)})
	if err != nil || len(r.Content) != 2 || r.Content[0].(*sdk.TextContent).Text != `{"query":"x","page":2}` || r.StructuredContent == nil {
		t.Errorf("%+v, %v", r, err)
	}
	if got := callTool(t, session, "web_search", `{}`); !got.isError {
		t.Errorf("%+v", got)
	}
}

func TestWebSearchIsSmall(t *testing.T) {
	raw, err := json.Marshal(webSearch().declaration())
	if err != nil {
		t.Fatal(err)
	}
	if n := text.Tokens(string(raw)); n > 400 {
		t.Errorf("%d tokens", n)
	}
}
