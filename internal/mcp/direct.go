package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file runs tools for an edge that answers calls itself (edge.Tools). Such
// a call goes through the same middleware as one that comes through the SDK.

// Use adds middleware around what is there already, for calls on every way. The
// last one added sees a request first. It must not be called once requests are
// served.
func (s *Server) Use(middleware ...sdk.Middleware) {
	s.mcp.AddReceivingMiddleware(middleware...)
	for i := len(middleware) - 1; i >= 0; i-- {
		s.direct = middleware[i](s.direct)
	}
}

// Serves reports whether the server has a tool of its own of that name.
func (s *Server) Serves(name string) bool {
	_, ok := s.tools[name]
	return ok
}

// CallTool runs a tool of the server's own behind all middleware. r.Session may
// be nil.
func (s *Server) CallTool(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	result, err := s.direct(ctx, "tools/call", r)
	if err != nil {
		return nil, err
	}
	answer, ok := result.(*sdk.CallToolResult)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the tool gave no result"}
	}
	return answer, nil
}

// Implementation is what the server says it is.
func (s *Server) Implementation() *sdk.Implementation { return s.info }

// runTool is the innermost handler: what the SDK does with a call whose name it
// has found.
func (s *Server) runTool(ctx context.Context, _ string, r sdk.Request) (sdk.Result, error) {
	call, ok := r.(*sdk.CallToolRequest)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "not a call of a tool"}
	}
	t, ok := s.tools[call.Params.Name]
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown tool"}
	}
	return s.handler(t)(ctx, call)
}
