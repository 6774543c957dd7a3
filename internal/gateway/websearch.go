package gateway

// This file answers web_search from one of the upstreams.

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"evergreen"
	"evergreen/internal/gateway/search"
	"evergreen/internal/repair"
	"evergreen/internal/upstream"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// SearchOptions set up web_search.
type SearchOptions struct {
	Upstream string        // name of the upstream that searches
	Entry    string        // id of the table's entry; empty: chosen by the upstream's tools
	Table    *search.Table // nil is search.Default
	Timeout  time.Duration // of one search; 0 is the upstream's
}

// Search answers web_search. It is safe for concurrent use.
type Search struct {
	m        *member
	o        SearchOptions
	updating sync.Mutex
	state    atomic.Pointer[searchState]
}

type searchState struct {
	plan *search.Plan
	err  error
}

// Search readies web_search over one upstream. It fails with Invalid when there
// is no such upstream or entry.
func (g *Gateway) Search(o SearchOptions) (*Search, error) {
	i := slices.IndexFunc(g.members, func(m *member) bool { return m.o.Name == o.Upstream })
	if i < 0 {
		var names []string
		for _, m := range g.members {
			names = append(names, m.o.Name)
		}
		return nil, evergreen.Errorf(evergreen.Invalid, "web_search names the upstream %q, which is not configured", o.Upstream).Near(names...)
	}
	if o.Table == nil {
		var err error
		if o.Table, err = search.Default(); err != nil {
			return nil, err
		}
	}
	if o.Entry != "" && !slices.Contains(o.Table.IDs(), o.Entry) {
		return nil, evergreen.Errorf(evergreen.Invalid, "there is no search entry %q", o.Entry).Near(o.Table.IDs()...)
	}
	s := &Search{m: g.members[i], o: o}
	s.state.Store(&searchState{})
	// Known to the gateway before the first look, so that no change is missed.
	g.mu.Lock()
	g.searches = append(g.searches, s)
	g.mu.Unlock()
	s.update()
	return s, nil
}

// SearchTool is web_search as a catalogue of repairs wants it.
func SearchTool() repair.Tool {
	return repair.Tool{Name: search.ToolName, Schema: json.RawMessage(search.RepairSchema), Primary: "query", Own: true, Class: repair.Read}
}

// update plans anew with what the upstream lists now.
func (s *Search) update() {
	s.updating.Lock() // a look at an older list must not end last
	defer s.updating.Unlock()
	s.m.mu.Lock()
	listed, info, known := s.m.tools, s.m.info, s.m.tools != nil
	s.m.mu.Unlock()
	if !known {
		s.state.Store(&searchState{})
		return
	}
	var tools []search.Tool
	for _, t := range listed {
		tools = append(tools, search.Tool{Name: t.Name, Schema: schemaOf(t)})
	}
	plan, err := s.o.Table.Plan(tools, info.Name, s.o.Entry)
	before := s.state.Swap(&searchState{plan, err})
	switch {
	case err != nil:
		s.m.g.log.Warn("web_search is not ready", "upstream", s.m.o.Name, "error", err)
	case before == nil || before.plan == nil || !slices.Equal(before.plan.Notes, plan.Notes) || !slices.Equal(before.plan.Faults, plan.Faults):
		s.m.g.log.Info("web_search is ready", "upstream", s.m.o.Name, "tool", plan.Tool, "entry", plan.Entry)
		for _, note := range slices.Concat(plan.Faults, plan.Notes) {
			s.m.g.log.Warn("web_search: "+note, "upstream", s.m.o.Name)
		}
	}
}

// faults are what a report about the upstream says of web_search.
func (s *Search) faults() []string {
	switch state := s.state.Load(); {
	case state.err != nil:
		return []string{"web_search: " + state.err.Error()}
	case state.plan != nil:
		return slices.Clone(state.plan.Faults)
	}
	return nil
}

// Search runs one search. arguments validate against search.RepairSchema;
// header is that of the caller's request, of which the upstream's configured
// part is forwarded. The upstream's result comes first and as it is; what had to
// be left out of the call stands behind it. Faults are results too.
func (s *Search) Search(ctx context.Context, arguments json.RawMessage, header http.Header) *sdk.CallToolResult {
	c := s.m.g.credential(s.m, header)
	plan, err := s.plan(ctx, c)
	if err != nil {
		return failure(errorText(err))
	}
	call, err := plan.Build(arguments)
	if err != nil {
		return failure("web_search was not run: " + errorText(err))
	}
	result, err := s.send(ctx, c, call)
	if doubt := call.Doubt; doubt.Refused(refusalText(result, err)) {
		call = call.Without(doubt)
		result, err = s.send(ctx, c, call)
	}
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return failure("web_search was cancelled")
		}
		return failure(errorText(err))
	}
	if len(call.Hints) == 0 {
		return result
	}
	shown := *result
	shown.Content = append(slices.Clip(result.Content), &sdk.TextContent{Text: cut("[evergreen] web_search: "+strings.Join(call.Hints, "; ")+".", maxSearchHint)})
	if shown.Meta = maps.Clone(result.Meta); shown.Meta == nil {
		shown.Meta = sdk.Meta{}
	}
	shown.Meta["evergreen/web_search"] = map[string]any{"changed": call.Hints}
	return &shown
}

func (s *Search) send(ctx context.Context, c upstream.Credential, call search.Call) (*sdk.CallToolResult, error) {
	return s.m.client.Call(ctx, c, upstream.Call{Name: call.Tool, Arguments: call.Arguments, Timeout: s.o.Timeout})
}

// refusalText is what a search server says is wrong with a call, "" for nothing:
// it may say so in an error of the protocol or in a result.
func refusalText(r *sdk.CallToolResult, err error) string {
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return wire.Message
	}
	if err != nil || r == nil || !r.IsError {
		return ""
	}
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			b.WriteString(t.Text + "\n")
		}
	}
	return b.String()
}

// plan is the present plan; when the upstream was never listed, it is tried now.
func (s *Search) plan(ctx context.Context, c upstream.Credential) (*search.Plan, error) {
	state := s.state.Load()
	if state.plan == nil && state.err == nil {
		s.m.learn(ctx, c)
		if state = s.state.Load(); state.plan == nil && state.err == nil {
			if err := s.m.refresh(ctx, c); err != nil {
				return nil, err
			}
			state = s.state.Load()
		}
	}
	if state.plan == nil && state.err == nil {
		return nil, evergreen.Errorf(evergreen.Upstream, "upstream %s lists no tools", s.m.o.Name)
	}
	return state.plan, state.err
}
