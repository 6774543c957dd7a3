package mcp

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"evergreen/internal/text"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Whatever is said behind an answer, both are within the bound of the call, and
// the answer still says something.
func TestReserveIsLeft(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, behind := range []string{strings.Repeat("hint ", 32), strings.Repeat("长", 50), strings.Repeat("long hint ", 30)} {
		f := randomLibrary(r)
		s := serve(t, f)
		s.MCP().AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
			return func(ctx context.Context, method string, q sdk.Request) (sdk.Result, error) {
				if call, ok := q.(*sdk.CallToolRequest); ok {
					s.Reserve(call, behind)
				}
				return next(ctx, method, q)
			}
		})
		session := connect(t, s, nil)
		repo, id := f.collections[0].Name, f.documents[0].Sections[0].ID
		for _, budget := range []int{200, 250, 300, 1000, 2000, 8000} {
			for tool, arguments := range map[string]map[string]any{
				"search_context":  {"query": randomText(r, 900)},
				"get_entry":       {"id": "EG-1"},
				"list_repos":      {},
				"get_toc":         {"repo": repo},
				"search_sections": {"query": "x", "limit": 50},
			} {
				arguments["budget"] = budget
				got := callTool(t, session, tool, strings.TrimPrefix(callText("", arguments), " "))
				if n := text.Tokens(got.text + "\n" + behind); n > budget || !utf8.ValidString(got.text) || got.text == "" {
					t.Errorf("%s with budget %d answered %d tokens:\n%s", tool, budget, n, got.text)
				}
			}
		}
		for _, limit := range []int{1, 600, 1000, 8000} {
			for _, tool := range []string{"get_section", "get_section_context"} {
				got := callTool(t, session, tool, strings.TrimPrefix(callText("", map[string]any{"id": id, "max_bytes": limit}), " "))
				if n := len(got.text + "\n" + behind); n > max(limit, floorBytes) || !utf8.ValidString(got.text) || got.text == "" {
					t.Errorf("%s with max_bytes %d answered %d bytes:\n%s", tool, limit, n, got.text)
				}
			}
		}
		for tool, arguments := range map[string]string{"get_section": `{"id":"nothing"}`, "get_toc": `{}`, "search_context": `{"budget":"x"}`} {
			got := callTool(t, session, tool, arguments)
			if n := text.Tokens(got.text + "\n" + behind); n > faultBudget || !got.isError || got.text == "" {
				t.Errorf("%s %s answered %d tokens:\n%s", tool, arguments, n, got.text)
			}
		}
	}
}

func TestReserveHeader(t *testing.T) {
	s := serve(t, &fakeEngine{})
	r := &sdk.CallToolRequest{}
	if s.Reserve(r, ""); r.Extra != nil {
		t.Error("nothing to say made a header")
	}
	s.Reserve(r, "four")
	if got := reserveOf(r.Extra); got != (reserve{2, 5}) {
		t.Errorf("%+v", got)
	}
	outside := http.Header{"Evergreen-Reserve": {"900 900"}, "Accept": {"a"}}
	r.Extra = &sdk.RequestExtra{Header: outside}
	s.Reserve(r, "")
	if got := reserveOf(r.Extra); got != (reserve{}) || r.Extra.Header.Get("Accept") != "a" || len(outside) != 2 {
		t.Errorf("%+v %v %v", got, r.Extra.Header, outside)
	}
	for _, forged := range []string{"", "x", "1", "1 x", "-1 -1"} {
		if got := reserveOf(&sdk.RequestExtra{Header: http.Header{"Evergreen-Reserve": {forged}}}); got != (reserve{}) {
			t.Errorf("%q: %+v", forged, got)
		}
	}
	if less(200, 40) != 160 || less(200, 150) != 50 || less(200, 151) != 50 {
		t.Error("a reserve takes too much")
	}
}
