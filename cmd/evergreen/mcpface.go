package main

// This file builds the MCP face from the settings.

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/mcp"
	"evergreen/internal/mcp/edge"
	"evergreen/internal/pack"
	"evergreen/internal/text"
)

// textLibrary answers with bundles whose whole text keeps the budget, which is
// what tools promise.
type textLibrary struct{ library }

func (t textLibrary) Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error) {
	return t.AskText(ctx, q)
}

// toolSets reads the configured sets; none configured are all.
func toolSets(s config.Settings) ([]mcp.Set, error) {
	if len(s.Server.Tools) == 0 {
		return []mcp.Set{mcp.SetKB, mcp.SetDocs, mcp.SetWeb, mcp.SetAdmin}, nil
	}
	return mcp.ParseSets(strings.Join(s.Server.Tools, ","))
}

// newMCP builds a server over the engine with the given sets.
func newMCP(e library, s config.Settings, sets []mcp.Set, roots []string, log *slog.Logger) (*mcp.Server, error) {
	server, err := mcp.New(mcp.Options{
		Engine: textLibrary{e}, Title: s.Site.Name, Version: version, Sets: sets, Roots: roots,
		Render:  func(b evergreen.Bundle, budget int) string { return pack.Markdown(b, budget, text.Tokens) },
		BaseURL: strings.TrimSuffix(s.Site.BaseURL, "/"), Private: s.Server.ReadToken != "", Log: log,
	})
	if err != nil {
		return nil, err
	}
	server.MCP().AddReceivingMiddleware(edge.Recover(log))
	return server, nil
}

// mcpHandlers builds the HTTP endpoint for readers, and the one for those who
// may change the library; the second is nil when the sets hold nothing more.
func mcpHandlers(e library, s config.Settings, roots []string, log *slog.Logger) (read, admin http.Handler, servers []*mcp.Server, err error) {
	sets, err := toolSets(s)
	if err != nil {
		return nil, nil, nil, err
	}
	handler := func(sets []mcp.Set) (http.Handler, error) {
		server, err := newMCP(e, s, sets, roots, log)
		if err != nil {
			return nil, err
		}
		servers = append(servers, server)
		return edge.NewHTTP(always(server.MCP), edge.HTTPOptions{Log: log}), nil
	}
	readers := slices.DeleteFunc(slices.Clone(sets), func(set mcp.Set) bool { return set == mcp.SetAdmin })
	if read, err = handler(readers); err != nil || len(readers) == len(sets) {
		return read, nil, servers, err
	}
	admin, err = handler(sets)
	return read, admin, servers, err
}

// always turns a value's getter into one that looks at no request.
func always[T any](get func() T) func(*http.Request) T {
	return func(*http.Request) T { return get() }
}

// indexRoots are the folders below which agents may index: the configured
// ones, else the working folder and the sources.
func (a *app) indexRoots(s config.Settings, sources []string) ([]string, error) {
	if len(s.Server.AllowedRoots) > 0 {
		return s.Server.AllowedRoots, nil
	}
	dir, err := a.world.workDir()
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Internal, "find the working folder: %w", err)
	}
	return append([]string{dir}, sources...), nil
}
