package mcp

import (
	"context"
	"encoding/json"
	"net/http"

	"evergreen"
	"evergreen/internal/gateway/search"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// WebSearch searches the web for web_search. The result is the search server's
// own; faults are results too. header is that of the caller's request.
type WebSearch interface {
	Search(ctx context.Context, arguments json.RawMessage, header http.Header) *sdk.CallToolResult
}

// webSearch searches the web through another server. It is served only where
// there is one.
func webSearch() tool {
	return tool{
		name: search.ToolName, title: "Search the web", set: SetWeb, world: true,
		description: "Searches the web, where the documentation has no answer.",
		schema:      search.ToolSchema,
		example:     `{"query":"rust async runtime"}`,
		run:         runWebSearch,
	}
}

func runWebSearch(ctx context.Context, s *Server, c *call) (answer, error) {
	if s.options.Web == nil {
		return answer{}, evergreen.Errorf(evergreen.Blocked, "no search server is configured")
	}
	c.Required("query")
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	var header http.Header
	if c.request.Extra != nil {
		header = c.request.Extra.Header
	}
	return answer{whole: s.options.Web.Search(ctx, c.request.Params.Arguments, header)}, nil
}
