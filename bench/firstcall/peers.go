package main

// This file holds the servers built with the SDKs.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	peermcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// contender is a server that is called.
type contender struct{ title, url string }

// input is what a handler of the raw form decodes.
type input struct {
	Query      string  `json:"query"`
	NumResults float64 `json:"num_results"`
	TimeRange  string  `json:"time_range"`
	Language   string  `json:"language"`
	SafeSearch string  `json:"safesearch"`
	Page       int     `json:"pageno"`
}

// peers starts the servers; the first is the one behind Evergreen.
func peers() (all []contender, closeAll func()) {
	var servers []*httptest.Server
	for _, p := range []struct {
		title   string
		handler http.Handler
	}{{"go-sdk, typed", typed()}, {"go-sdk, raw", raw()}, {"mcp-go", mcpGo()}} {
		s := httptest.NewServer(p.handler)
		servers = append(servers, s)
		all = append(all, contender{p.title, s.URL})
	}
	return all, func() {
		for _, s := range servers {
			s.Close()
		}
	}
}

func sdkHandler(s *sdk.Server) http.Handler {
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

func said(text string, isError bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: isError}
}

func typed() http.Handler {
	s := sdk.NewServer(&sdk.Implementation{Name: "typed", Version: "1"}, nil)
	sdk.AddTool(s, &sdk.Tool{Name: tool, InputSchema: json.RawMessage(schema)},
		func(_ context.Context, _ *sdk.CallToolRequest, in map[string]any) (*sdk.CallToolResult, any, error) {
			return said("found "+fmt.Sprint(in["query"]), false), nil, nil
		})
	return sdkHandler(s)
}

func raw() http.Handler {
	s := sdk.NewServer(&sdk.Implementation{Name: "raw", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: tool, InputSchema: json.RawMessage(schema)},
		func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var in input
			if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
				return said(err.Error(), true), nil
			}
			return said("found "+in.Query, false), nil
		})
	return sdkHandler(s)
}

func mcpGo() http.Handler {
	s := server.NewMCPServer("mcp-go", "1", server.WithInputSchemaValidation())
	s.AddTool(peermcp.NewToolWithRawSchema(tool, "searches", json.RawMessage(schema)),
		func(_ context.Context, r peermcp.CallToolRequest) (*peermcp.CallToolResult, error) {
			query, err := r.RequireString("query")
			if err != nil {
				return peermcp.NewToolResultError(err.Error()), nil
			}
			return peermcp.NewToolResultText("found " + query), nil
		})
	return server.NewStreamableHTTPServer(s, server.WithStateLess(true))
}
