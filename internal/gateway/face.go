package gateway

// This file ties the gateway to one server of the SDK.

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"evergreen"
	"evergreen/internal/repair"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// FaceOptions set up a Face.
type FaceOptions struct {
	// Server gets the upstreams' tools and the middleware. Middleware that is
	// added to it later surrounds the gateway's. nil: the face only reports.
	Server *sdk.Server
	// Use adds the middleware instead, for a server that has more ways than the
	// SDK's. nil: it is added to Server.
	Use func(...sdk.Middleware)
	// Own are the tools that the server serves itself. Those that it has but
	// does not serve to this face's callers are Hidden.
	Own []repair.Tool
	// ReadOnly serves those tools of upstreams only that change nothing, for
	// callers who may read but not act.
	ReadOnly bool
	// Aliases maps further names to tools, own or not.
	Aliases map[string]string
	// Policy is the repair policy of tools without one of their own; empty:
	// by class.
	Policy repair.Policy
	// Name is our own name, which clients put in front of tool names, and the
	// prefix of _meta keys. Empty: evergreen.
	Name string
	// Notes reads the hook's notes from a request, as package edge keeps them.
	// nil: there is no hook, and the middleware repairs names and arguments.
	Notes func(*sdk.RequestExtra) []string
	// Reserve tells the server's own tools what text will follow their answer, ""
	// for none, so that both are within the budget of the call. nil: the hint
	// comes on top.
	Reserve func(r *sdk.CallToolRequest, text string)

	Log *slog.Logger // nil is the gateway's
}

// Face is one server with all tools behind it. Its Hook belongs into the edge in
// front of that server.
type Face struct {
	g *Gateway
	o FaceOptions

	updating  sync.Mutex
	listed    map[string]string // name to fingerprint of what the server lists of upstreams
	current   atomic.Pointer[merged]
	memory    *memory
	log       *slog.Logger
	toolsMeta string
}

// merged is one state of all tools together.
type merged struct {
	catalogue *repair.Catalogue
	remote    map[string]entry    // by served name
	problems  map[string][]string // by upstream
}

// Face adds the upstreams' tools and the middleware to a server.
func (g *Gateway) Face(o FaceOptions) (*Face, error) {
	if o.Name == "" {
		o.Name = "evergreen"
	}
	if o.Policy != "" && !validPolicy(o.Policy) {
		return nil, evergreen.Errorf(evergreen.Invalid, "unknown repair policy %q", o.Policy).Fix("use off, hint-only, safe or full")
	}
	f := &Face{g: g, o: o, listed: map[string]string{}, memory: newMemory(), log: o.Log, toolsMeta: o.Name + "/repair"}
	if f.log == nil {
		f.log = g.log
	}
	// Known to the gateway before the first look, so that no change is missed.
	g.mu.Lock()
	g.faces = append(g.faces, f)
	g.mu.Unlock()
	if err := f.update(); err != nil {
		g.mu.Lock()
		g.faces = slices.DeleteFunc(g.faces, func(o *Face) bool { return o == f })
		g.mu.Unlock()
		return nil, err
	}
	switch {
	case o.Use != nil:
		o.Use(f.middleware)
	case o.Server != nil:
		o.Server.AddReceivingMiddleware(f.middleware)
	}
	return f, nil
}

// update merges anew after an upstream changed.
func (f *Face) update() error {
	f.updating.Lock()
	defer f.updating.Unlock()
	m, err := f.merge()
	if err == nil {
		f.install(m)
	}
	return err
}

// merge puts all tools into one catalogue: our own first, then upstreams in
// configured order. A name that is taken is not served a second time.
func (f *Face) merge() (*merged, error) {
	m := &merged{remote: map[string]entry{}, problems: map[string][]string{}}
	owner := map[string]string{}
	var tools []repair.Tool
	for _, t := range f.o.Own {
		t.Own = true
		if t.Policy == "" {
			t.Policy = f.o.Policy
		}
		owner[t.Name] = "this server"
		tools = append(tools, t)
	}
	for _, member := range f.g.members {
		for _, e := range member.entries() {
			if by, taken := owner[e.name]; taken {
				if !e.hidden {
					m.problems[member.o.Name] = append(m.problems[member.o.Name], fmt.Sprintf("%s is not served: %s has a tool of that name", e.name, by))
				}
				continue
			}
			owner[e.name] = "upstream " + member.o.Name
			tools = append(tools, e.repairTool(f.o.Policy))
			if !e.hidden {
				m.remote[e.name] = e
			}
		}
	}
	aliases := map[string]string{}
	for _, alias := range sortedKeys(f.o.Aliases) {
		switch target := f.o.Aliases[alias]; {
		case owner[alias] != "":
			m.problems[""] = append(m.problems[""], fmt.Sprintf("alias %s is not used: %s has a tool of that name", alias, owner[alias]))
		case owner[target] != "":
			aliases[alias] = target
		case f.g.asked():
			m.problems[""] = append(m.problems[""], fmt.Sprintf("alias %s stands for %s, which is not served", alias, target))
		}
	}
	options := repair.Options{Server: f.o.Name, Aliases: aliases}
	var err error
	if m.catalogue, err = repair.NewCatalogue(tools, options); err != nil || !f.o.ReadOnly {
		return m, err
	}
	for i, t := range tools {
		if class, _ := m.catalogue.ClassOf(t.Name); !t.Own && class != repair.Read {
			tools[i].Hidden = true
			delete(m.remote, t.Name)
		}
	}
	m.catalogue, err = repair.NewCatalogue(tools, options)
	return m, err
}

// install makes m current and the server's list follow. f.updating is held.
func (f *Face) install(m *merged) {
	before := f.current.Swap(m)
	var gone []string
	for name := range f.listed {
		if _, still := m.remote[name]; !still {
			gone = append(gone, name)
			delete(f.listed, name)
		}
	}
	if f.o.Server != nil {
		if len(gone) > 0 {
			f.o.Server.RemoveTools(gone...)
		}
		for _, name := range sortedKeys(m.remote) {
			f.list(name, m)
		}
	}
	for _, name := range sortedKeys(m.problems) {
		for _, p := range m.problems[name] {
			if before == nil || !slices.Contains(before.problems[name], p) {
				f.log.Warn("gateway: "+p, "upstream", name)
			}
		}
	}
}

// list adds a tool to the server's list, unless it is there as it is. The SDK
// panics on what it cannot list.
func (f *Face) list(name string, m *merged) {
	e := m.remote[name]
	shown := *e.tool
	shown.Name = name
	if schema := schemaOf(&shown); schema == nil {
		shown.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	print, err := json.Marshal(&shown)
	if err != nil || f.listed[name] == string(print) {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			m.problems[e.m.o.Name] = append(m.problems[e.m.o.Name], fmt.Sprintf("%s is not listed: %v", name, p))
		}
	}()
	f.o.Server.AddTool(&shown, f.remoteTool)
	f.listed[name] = string(print)
}

// problems of one upstream; those of no upstream go to the first.
func (f *Face) problems(upstream string) []string {
	f.updating.Lock()
	defer f.updating.Unlock()
	m := f.current.Load()
	if m == nil {
		return nil
	}
	out := slices.Clone(m.problems[upstream])
	if len(f.g.members) > 0 && f.g.members[0].o.Name == upstream {
		out = append(out, m.problems[""]...)
	}
	return out
}
