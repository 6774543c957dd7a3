// Package mcp is the library's face to agents over the Model Context Protocol:
// our tools, resources, prompts and the skill, on the official SDK's server.
// Every answer states facts as compact Markdown within a budget, says what it
// left out and how to go on; structured content carries metadata only, so that
// nothing is paid for twice.
//
// It is not a transport: package edge puts a Server behind HTTP and stdio. It
// neither ranks nor stores: all of that is asked of an Engine.
package mcp

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"evergreen"
	"evergreen/internal/job"
	"evergreen/internal/text"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options say what a Server serves and as whom.
type Options struct {
	Engine Engine

	Name    string // serverInfo.name, reverse DNS with one slash
	Title   string // of the site, for people
	Version string

	Sets []Set // nil: kb and docs

	// Count estimates tokens; nil is text.Tokens.
	Count text.Estimator

	// Roots are the folders below which index_local may index. The local
	// sources of the library's collections are allowed as well.
	Roots []string

	// Jobs holds the crawls of index_url. Servers over one library share it;
	// nil makes one of its own. Who hands it in closes it.
	Jobs *job.Registry
	// Limits bound what one client may have indexed.
	Limits Limits
	// AllowPrivate lets index_url reach addresses that are not public.
	AllowPrivate bool
	// After is the clock that bounds how long index_url keeps a caller waiting;
	// nil is time.After.
	After func(time.Duration) <-chan time.Time

	// Web searches for web_search; nil serves no such tool.
	Web WebSearch

	// Skill is the SKILL.md of the skills extension; nil writes one from Title
	// and BaseURL. A skill that cannot be read is a mistake in New's error.
	Skill   []byte
	BaseURL string // of the site, without a final slash; "" is unknown

	// Private marks every answer as cacheable by the asking client only. Set it
	// where answers depend on who asks.
	Private bool

	Log *slog.Logger // nil discards
}

// Limits bound what one client may have indexed; 0 is no bound.
type Limits struct {
	Jobs            int   // open at the same time
	CollectionBytes int64 // of the texts of a collection
	LibraryBytes    int64 // of the library on disk
	ClientBytes     int64 // of all the client's collections on disk
	ClientSections  int   // of all the client's collections
}

// Bound lets a run leave no more behind than a client may have. client is its
// name, never "".
func (l Limits) Bound(r *evergreen.IndexRequest, client string) {
	r.Client, r.MaxText, r.MaxLibrary = client, l.CollectionBytes, l.LibraryBytes
	r.MaxClientBytes, r.MaxClientSections = l.ClientBytes, l.ClientSections
}

// ClientHeader names who asks, for [Limits]. The face in front of the server
// sets it; what a client sends under this name must be dropped there.
const ClientHeader = "Evergreen-Client"

// onlyClient is who asks where no face says so: over stdio there is only one.
const onlyClient = "stdio"

// Server is one set of tools, resources and prompts over one Engine. What a
// caller may do is decided by which Server it is connected to: a face that
// admits strangers holds one without SetAdmin beside one with it.
type Server struct {
	options Options
	engine  Engine
	count   text.Estimator
	log     *slog.Logger
	tools   map[string]tool
	jobs    *job.Registry
	skill   skill
	paths   pathCache
	watch   watcher
	mcp     *sdk.Server
	info    *sdk.Implementation
	direct  sdk.MethodHandler // runs tools without the SDK's server
}

// New builds a Server. It fails only on options that cannot be served.
func New(o Options) (*Server, error) {
	if o.Engine == nil {
		return nil, evergreen.Errorf(evergreen.Internal, "mcp.New needs an Engine")
	}
	if o.Sets == nil {
		o.Sets = []Set{SetKB, SetDocs}
	}
	o.Name = cmp.Or(o.Name, "local/evergreen")
	o.Title = cmp.Or(o.Title, "Evergreen")
	o.Version = cmp.Or(o.Version, "dev")
	s := &Server{options: o, engine: o.Engine, count: o.Count, log: o.Log, jobs: o.Jobs, tools: map[string]tool{}}
	if s.count == nil {
		s.count = text.Tokens
	}
	if s.jobs == nil {
		s.jobs = job.New(nil)
	}
	if o.After == nil {
		s.options.After = time.After
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if s.skill, err = s.newSkill(); err != nil {
		return nil, err
	}
	s.info = &sdk.Implementation{Name: o.Name, Title: o.Title, Version: o.Version}
	s.mcp, s.direct = sdk.NewServer(s.info, s.sdkOptions()), s.runTool
	for _, t := range o.tools() {
		s.tools[t.name] = t
		s.mcp.AddTool(t.declaration(), s.handler(t))
	}
	s.addResources()
	s.addPrompts()
	if err := s.addSkillMethods(); err != nil {
		return nil, err
	}
	s.Use(s.recoverPanics, s.route)
	s.watch.revision = s.engine.Revision()
	return s, nil
}

// MCP returns the SDK's server, for a transport to connect to.
func (s *Server) MCP() *sdk.Server { return s.mcp }

// Tools describes the served tools, by name.
func (s *Server) Tools() []evergreen.ToolInfo { return describe(s.options.tools()) }

// sdkOptions sets Capabilities explicitly: the SDK advertises logging when they
// are nil, and we do not log to clients.
func (s *Server) sdkOptions() *sdk.ServerOptions {
	capabilities := &sdk.ServerCapabilities{}
	capabilities.AddExtension(skillsExtension, nil)
	return &sdk.ServerOptions{
		Instructions:       s.instructions(),
		Logger:             slog.New(warnings{s.log.Handler()}),
		Capabilities:       capabilities,
		CompletionHandler:  s.complete,
		SubscribeHandler:   s.subscribe,
		UnsubscribeHandler: s.unsubscribe,
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
			if c.CacheScope == "" { // what our own handlers set stands
				*c = s.cacheable(listTTL)
			}
		},
	}
}

// warnings leaves out what the SDK says about every session: a stateless
// endpoint opens one for each request.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// cacheable says for how long and by whom an answer may be kept.
func (s *Server) cacheable(ttlMs int) sdk.Cacheable {
	if s.options.Private {
		return sdk.Cacheable{TTLMs: ttlMs, CacheScope: "private"}
	}
	return sdk.Cacheable{TTLMs: ttlMs, CacheScope: "public"}
}

// instructions is the order in which the served tools are best called, in at
// most five lines.
func (s *Server) instructions() string {
	lines := []struct {
		set  Set
		line string
	}{
		{SetKB, "get_prompt_pack once: the rules for citing and for truncated answers."},
		{SetKB, "search_context with the user's own words: the best passages with [markers], within a token budget. Cite them."},
		{SetKB, "When it says truncated, raise budget (at most 8000) or narrow the query; get_entry reads one entry in full."},
		{SetDocs, "To read documents: search_sections or get_toc for ids, then get_section; list_repos names the collections."},
		{SetAdmin, "index_url adds or refreshes a web site, index_local a folder of documents; delete_index removes a collection."},
	}
	out, n := "", 0
	for _, l := range lines {
		if slices.Contains(s.options.Sets, l.set) {
			n++
			out += string(rune('0'+n)) + ". " + l.line + "\n"
		}
	}
	return out
}
