package main

// This file builds the MCP face from the settings.

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/gateway"
	"evergreen/internal/job"
	"evergreen/internal/mcp"
	"evergreen/internal/mcp/edge"
	"evergreen/internal/site"
	"evergreen/internal/text"
)

// toolSets reads the configured sets; none configured are all.
func toolSets(s config.Settings) ([]mcp.Set, error) {
	if len(s.Server.Tools) == 0 {
		return []mcp.Set{mcp.SetKB, mcp.SetDocs, mcp.SetWeb, mcp.SetAdmin}, nil
	}
	return mcp.ParseSets(strings.Join(s.Server.Tools, ","))
}

// mcpFace is what the MCP servers of one process share.
type mcpFace struct {
	library  library
	settings config.Settings
	roots    []string // folders below which agents may index
	jobs     *job.Registry
	count    text.Estimator
	log      *slog.Logger

	gateway *gateway.Gateway // nil: calls are taken as they come
	web     *gateway.Search  // nil: no web_search
	faces   *madeFaces

	verifier *selfVerifier // nil: the layers are shown without marks
}

// newMCPFace prepares the servers. Its jobs are the caller's to close.
func newMCPFace(e library, s config.Settings, roots []string, log *slog.Logger) mcpFace {
	return mcpFace{library: e, settings: s, roots: roots, jobs: job.New(time.Now), count: estimator(s), faces: &madeFaces{}, log: log}
}

// limitsOf are the limits of one client.
func limitsOf(s config.Settings) mcp.Limits {
	l := s.Limits
	return mcp.Limits{Jobs: l.Jobs, CollectionBytes: int64(l.CollectionMB) << 20, LibraryBytes: int64(l.LibraryMB) << 20,
		ClientBytes: int64(l.ClientMB) << 20, ClientSections: l.ClientSections}
}

// server builds a server with the given sets, and the hook for the edge in front
// of it. readOnly keeps the tools of other servers back that change something.
func (f mcpFace) server(sets []mcp.Set, readOnly bool) (*mcp.Server, edge.Hook, error) {
	s := f.settings
	o := mcp.Options{
		Engine: f.library, Name: site.ServerName(s.Site.BaseURL), Title: s.Site.Name, Version: version, Sets: sets, Roots: f.roots,
		Limits: limitsOf(s), Jobs: f.jobs, AllowPrivate: s.Server.AllowPrivate, Count: f.count,
		BaseURL: strings.TrimSuffix(s.Site.BaseURL, "/"), Private: closed(s), Log: f.log,
	}
	if f.web != nil {
		o.Web = f.web
	}
	server, err := mcp.New(o)
	if err != nil {
		return nil, nil, err
	}
	hook, err := f.behindGateway(server, readOnly)
	if err != nil {
		return nil, nil, err
	}
	server.Use(edge.Recover(f.log))
	return server, hook, nil
}

// handlers builds the HTTP endpoint for readers, and the one for those who may
// change the library; the second is nil when the sets hold nothing more.
func (f mcpFace) handlers() (read, admin http.Handler, servers []*mcp.Server, err error) {
	sets, err := toolSets(f.settings)
	if err != nil {
		return nil, nil, nil, err
	}
	handler := func(sets []mcp.Set, readOnly bool) (http.Handler, error) {
		server, hook, err := f.server(sets, readOnly)
		if err != nil {
			return nil, err
		}
		servers = append(servers, server)
		return edge.NewHTTP(always(server.MCP), edge.HTTPOptions{Hook: hook, Tools: server, Log: f.log}), nil
	}
	readers := readable(sets)
	more := len(readers) < len(sets) || len(f.settings.Gateway.Upstreams) > 0
	if read, err = handler(readers, true); err != nil || !more {
		return read, nil, servers, err
	}
	admin, err = handler(sets, false)
	return read, admin, servers, err
}

// readable are the sets that change nothing.
func readable(sets []mcp.Set) []mcp.Set {
	return slices.DeleteFunc(slices.Clone(sets), func(set mcp.Set) bool { return set == mcp.SetAdmin })
}

// follow lets the servers tell their clients of changes until ctx ends: at once
// of those that this process makes, within watchEvery of those of others.
func follow(ctx context.Context, e library, servers ...*mcp.Server) {
	for _, server := range servers {
		look := make(chan time.Time, 1)
		soon := func() {
			select {
			case look <- time.Time{}:
			default: // it is about to look anyway
			}
		}
		e.OnChange(soon)
		go server.Watch(ctx, look)
		go func() {
			ticker := time.NewTicker(watchEvery)
			defer ticker.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-ticker.C:
					soon()
				}
			}
		}()
	}
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
