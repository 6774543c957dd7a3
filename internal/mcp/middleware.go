package mcp

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/mcp/arguments"
	"evergreen/internal/text"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// recoverPanics keeps one bad call from ending the process: a tool's panic is a
// result, any other an internal error.
func (s *Server) recoverPanics(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (result sdk.Result, err error) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			s.log.Error("panic", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if call, ok := r.(*sdk.CallToolRequest); ok {
				broken := tool{name: call.Params.Name}
				result, err = s.faultAnswer(broken, fmt.Errorf("panic")).result(), nil
				return
			}
			result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
		}()
		return next(ctx, method, r)
	}
}

// route sees every request before the SDK looks names and URIs up, and puts
// aliases and other spellings right.
func (s *Server) route(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		switch r := r.(type) {
		case *sdk.CallToolRequest:
			if unknown := s.resolveTool(r.Params); unknown != nil {
				return unknown.result(), nil
			}
		case *sdk.ListResourcesRequest:
			cursor := ""
			if r.Params != nil {
				cursor = r.Params.Cursor
			}
			return s.listResources(ctx, cursor)
		case *sdk.ReadResourceRequest:
			r.Params.URI = canonicalURI(r.Params.URI)
		case *sdk.SubscribeRequest:
			r.Params.URI = canonicalURI(r.Params.URI)
		case *sdk.UnsubscribeRequest:
			r.Params.URI = canonicalURI(r.Params.URI)
		case *sdk.SubscriptionsListenRequest:
			if wanted := r.Params.Notifications; wanted != nil {
				for i, uri := range wanted.ResourceSubscriptions {
					wanted.ResourceSubscriptions[i] = canonicalURI(uri)
				}
			}
		}
		return next(ctx, method, r)
	}
}

// toolAlias is the tool that a hidden name stands for.
func toolAlias(name string, p *sdk.CallToolParamsRaw) string {
	switch name {
	case "doc_list_repos":
		return "list_repos"
	case "doc_index_repo":
		if a, err := arguments.Read(p.Arguments); err == nil {
			if a.Has("url") {
				return "index_url"
			}
		}
		return "index_local"
	}
	return name
}

// resolveTool rewrites an alias to its tool. For a name that is not served it
// returns the answer, as a result: models do not see protocol errors.
func (s *Server) resolveTool(p *sdk.CallToolParamsRaw) *answer {
	name := toolAlias(p.Name, p)
	if _, ok := s.tools[name]; ok {
		p.Name = name
		return nil
	}
	if i := slices.IndexFunc(registry(), func(t tool) bool { return t.name == name }); i >= 0 {
		set := registry()[i].set
		parts := []string{fmt.Sprintf("%s is not available here: this server does not offer the %s tools.", name, set),
			"Available: " + strings.Join(s.names(), ", ")}
		return &answer{text: s.lines(faultBudget, parts), meta: faultMeta{Error: evergreen.Blocked}, fault: true}
	}
	nearest := text.Nearest(cut(name, 100), s.names(), nearestNames)
	parts := []string{fmt.Sprintf("There is no tool %q.", clip(name, echoTokens, s.count))}
	if len(nearest) > 0 {
		parts = append(parts, "Nearest: "+strings.Join(nearest, ", "), "Example: "+nearest[0]+" "+s.tools[nearest[0]].example)
	}
	return &answer{text: s.lines(faultBudget, parts), meta: faultMeta{evergreen.NotFound, nearest}, fault: true}
}

func (s *Server) names() []string { return slices.Sorted(maps.Keys(s.tools)) }
