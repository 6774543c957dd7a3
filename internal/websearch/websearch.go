// Package websearch is the small MCP server behind `evergreen websearch`: one
// search tool in front of one upstream, which finds the query in a call of any
// shape, searches once, and teaches the canonical call after the result. It
// lives on this machine only and hands the caller's own credential on, to the
// configured upstream and to nobody else.
//
// It is stricter about its promises than the gateway and more lenient about its
// input: every call searches, whatever its name. It neither ranks, caches nor
// cuts.
package websearch

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"

	"evergreen"
	"evergreen/internal/httpguard"
	"evergreen/internal/mcp/edge"
	"evergreen/internal/repair"
	"evergreen/internal/upstream"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server is the search server. It is safe for concurrent use.
type Server struct {
	c        Config
	version  string
	log      *slog.Logger
	upstream *upstream.Upstream
	mcp      *sdk.Server
	target   atomic.Pointer[string] // the upstream's tool, as it lists it
}

// New builds a server for checked settings. log may be nil.
func New(c Config, version string, log *slog.Logger) (*Server, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	u, err := upstream.New(upstream.Options{
		Name: "web search", URL: c.Upstream, Forward: []string{"Authorization"}, Timeout: callTimeout, Version: version, Log: log,
	})
	if err != nil {
		return nil, err
	}
	s := &Server{c: c, version: version, log: log, upstream: u}
	s.mcp = sdk.NewServer(&sdk.Implementation{Name: "evergreen-websearch", Title: "Evergreen web search", Version: version},
		&sdk.ServerOptions{Capabilities: &sdk.ServerCapabilities{}, Logger: log,
			SetCacheable: func(_ context.Context, _ sdk.Request, out *sdk.Cacheable) {
				*out = sdk.Cacheable{TTLMs: listTTL, CacheScope: "public"}
			}})
	open := true
	for _, name := range c.Tools {
		s.mcp.AddTool(&sdk.Tool{
			Name: name, Title: "Web search", Description: "Searches the web. Say what you look for in " + c.CanonicalParam + ".",
			InputSchema: c.schema(), Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &open},
		}, s.call)
	}
	s.mcp.AddReceivingMiddleware(s.everyName)
	s.mcp.AddReceivingMiddleware(edge.Recover(log)) // added last, it surrounds the other
	return s, nil
}

// Close ends the sessions with the upstream.
func (s *Server) Close() error { return s.upstream.Close() }

// Handler serves the MCP endpoint at the configured path, and GET /healthz.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	endpoint := edge.NewHTTP(func(*http.Request) *sdk.Server { return s.mcp }, edge.HTTPOptions{Hook: s.hook, Log: s.log})
	mux.Handle(s.c.Path, endpoint)
	if s.c.Path != "/healthz" {
		mux.HandleFunc("/healthz", s.health)
	}
	return httpguard.Chain(mux,
		httpguard.Host(httpguard.HostOptions{Deny: edge.Deny}),
		httpguard.Origin(httpguard.OriginOptions{Deny: edge.Deny}))
}

// health says that the process lives; it asks no upstream.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET")
		http.Error(w, "GET only", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	body, err := json.Marshal(struct {
		OK      bool   `json:"ok"`
		Version string `json:"version"`
	}{true, s.version})
	if err == nil {
		_, _ = w.Write(body) // a caller that left needs no answer
	}
}

// schema is the JSON Schema of the advertised tools.
func (c Config) schema() json.RawMessage {
	props := map[string]any{c.CanonicalParam: map[string]string{"type": "string"}}
	for name := range c.OptionalAliases {
		props[name] = map[string]string{"type": "string"}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": props, "required": []string{c.CanonicalParam}})
	if err != nil {
		return json.RawMessage(`{"type":"object"}`) // strings always marshal
	}
	return raw
}

// everyName lets every call of a tool run the search, whatever its name.
func (s *Server) everyName(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if call, ok := r.(*sdk.CallToolRequest); ok {
			return s.call(ctx, call)
		}
		return next(ctx, method, r)
	}
}

// call finds the query, searches once, and appends the warning when the call was
// not canonical.
func (s *Server) call(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	env := readEnvelope(r)
	found, ok := s.c.extract(r.Params.Arguments)
	if !ok {
		s.log.Info("no query", "tool", known(s.c.Tools, env.tool))
		return content(s.c.emptyWarning(env.tool)), nil
	}
	result, err := s.search(ctx, r, found)
	if err != nil {
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return nil, err
		}
		result = content(plain(err))
		result.IsError = true
	}
	if env.tool == s.c.CanonicalTool && found.canonical && !env.moved {
		return result, nil
	}
	s.log.Info("call was not canonical", "tool", known(s.c.Tools, env.tool), "source", found.shape())
	shown := *result
	shown.Content = append(slices.Clip(result.Content), &sdk.TextContent{Text: s.c.warning(env.tool, env.source(found.source))})
	return &shown, nil
}

// search makes the one clean call.
func (s *Server) search(ctx context.Context, r *sdk.CallToolRequest, f found) (*sdk.CallToolResult, error) {
	var header http.Header
	if r.Extra != nil {
		header = r.Extra.Header
	}
	credential := s.upstream.Credential(header)
	target, err := s.tool(ctx, credential)
	if err != nil {
		return nil, err
	}
	arguments := map[string]json.RawMessage{}
	for name, raw := range f.optionals {
		arguments[name] = raw
	}
	if arguments[s.c.TargetParam], err = plainJSON(f.query); err != nil {
		return nil, err
	}
	raw, err := plainJSON(arguments)
	if err != nil {
		return nil, err
	}
	result, err := s.upstream.Call(ctx, credential, upstream.Call{Name: target, Arguments: raw})
	if _, ok := errors.AsType[*jsonrpc.Error](err); ok {
		s.target.Store(nil) // the tool may have another name by now
	}
	return result, err
}

// tool is the upstream's name of the configured tool: upstreams spell it in more
// than one way. An upstream that lists nothing is called by the configured name.
func (s *Server) tool(ctx context.Context, c upstream.Credential) (string, error) {
	if name := s.target.Load(); name != nil {
		return *name, nil
	}
	listed, _, err := s.upstream.List(ctx, c)
	if _, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return s.c.TargetTool, nil
	}
	if err != nil {
		return "", err
	}
	var tools []repair.Tool
	for _, t := range listed {
		if !slices.ContainsFunc(tools, func(o repair.Tool) bool { return o.Name == t.Name }) {
			tools = append(tools, repair.Tool{Name: t.Name, Class: repair.Read})
		}
	}
	name := s.c.TargetTool
	if cat, err := repair.NewCatalogue(tools, repair.Options{}); err == nil {
		params, err := plainJSON(map[string]string{"name": name})
		if err != nil {
			return "", err
		}
		if res := repair.Call(params, cat); res.Outcome != repair.Refused {
			name = res.Name
		}
	}
	s.target.Store(&name)
	return name, nil
}

func content(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// plain is an error for an agent: the upstream's own words where it had some.
func plain(err error) string {
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok && wire.Message != "" && evergreen.KindOf(err) == evergreen.Upstream {
		return err.Error()
	}
	text := err.Error()
	for _, hint := range evergreen.Hints(err) {
		text += "\nTry: " + hint
	}
	return text
}

// known keeps made-up names out of the log.
func known(tools []string, name string) string {
	if slices.Contains(tools, name) {
		return name
	}
	return "another name"
}
