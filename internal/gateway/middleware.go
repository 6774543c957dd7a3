package gateway

// This file is the way of a call through the gateway: what the hook noted, the
// tool, and the hint behind its result.

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/repair"
	"evergreen/internal/upstream"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// middleware sees every request before the server looks names up.
func (f *Face) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		switch r := r.(type) {
		case *sdk.CallToolRequest:
			return f.call(ctx, next, method, r)
		case *sdk.ListToolsRequest:
			f.g.settle(ctx)
			f.learn(ctx, r.Extra)
		}
		return next(ctx, method, r)
	}
}

// learn lets upstreams that list nothing without a credential list with the
// caller's.
func (f *Face) learn(ctx context.Context, extra *sdk.RequestExtra) {
	if extra == nil {
		return
	}
	for _, m := range f.g.members {
		if m.client.Forwards() {
			m.learn(ctx, f.g.credential(m, extra.Header))
		}
	}
}

func (f *Face) call(ctx context.Context, next sdk.MethodHandler, method string, r *sdk.CallToolRequest) (sdk.Result, error) {
	n, err := f.noted(r)
	if err != nil {
		return nil, err
	}
	session := sessionOf(r)
	if n.Outcome == repair.Refused {
		f.g.counts.refused(n)
		f.log.Info("call refused", "tool", n.Name, "reason", n.Error, "candidates", len(n.Candidates))
		return f.refusal(n), nil
	}
	name := r.Params.Name
	f.g.counts.called(name, n)
	if n.Outcome == repair.Exact {
		if f.memory.followed(session, name) {
			f.g.counts.followed()
		}
	}
	if n.Outcome == repair.Repaired && tight(r.Params.Arguments) {
		n.Hint, n.After = n.Short, n.Short
	}
	if f.o.Reserve != nil {
		f.o.Reserve(r, n.Hint) // the longest of the hints
	}
	result, err := f.run(ctx, next, method, r)
	if err != nil || n.Outcome == repair.Exact {
		return result, err
	}
	answer, ok := result.(*sdk.CallToolResult)
	if !ok || len(answer.InputRequests) > 0 {
		return result, nil
	}
	f.log.Info("call repaired", "tool", name, "codes", codes(n.Changes), "error", answer.IsError)
	f.g.counts.repaired(name, n, answer.IsError)
	return f.hint(answer, n, f.memory.times(session, name, n.Changes)), nil
}

// tight reports whether a call leaves so little room for its answer that the
// long hint would be a great part of it.
func tight(arguments json.RawMessage) bool {
	var bounds struct {
		Budget   *int `json:"budget"`
		MaxBytes *int `json:"max_bytes"`
	}
	if json.Unmarshal(arguments, &bounds) != nil {
		return false
	}
	return bounds.Budget != nil && *bounds.Budget <= tightBudget ||
		bounds.MaxBytes != nil && *bounds.MaxBytes > 0 && *bounds.MaxBytes <= tightBytes
}

// noted is what the hook noted about a call. Without a hook the name and the
// arguments are repaired here.
func (f *Face) noted(r *sdk.CallToolRequest) (note, error) {
	if f.o.Notes != nil {
		if n, ok := readNote(f.o.Notes(r.Extra)); ok {
			return n, nil
		}
	}
	name, err := plainJSON(r.Params.Name)
	if err != nil {
		return note{}, err
	}
	params := map[string]json.RawMessage{"name": name}
	if len(r.Params.Arguments) > 0 {
		params["arguments"] = r.Params.Arguments
	}
	raw, err := plainJSON(params)
	if err != nil {
		return note{}, err
	}
	res := f.repair(raw)
	if res.Outcome == repair.Repaired || res.Renamed {
		r.Params.Name, r.Params.Arguments = res.Name, res.Arguments
	}
	return noteOf(res), nil
}

// run hands the call to the tool it names.
func (f *Face) run(ctx context.Context, next sdk.MethodHandler, method string, r *sdk.CallToolRequest) (sdk.Result, error) {
	if _, remote := f.current.Load().remote[r.Params.Name]; remote {
		return f.remoteTool(ctx, r)
	}
	return next(ctx, method, r)
}

// remoteTool calls a tool of an upstream.
func (f *Face) remoteTool(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	e, ok := f.current.Load().remote[r.Params.Name]
	if !ok {
		return failure("The tool is gone: its upstream does not list it any more."), nil
	}
	call := upstream.Call{
		Name: e.tool.Name, Arguments: r.Params.Arguments, Timeout: of(e.m.o.Timeouts, e.tool.Name),
		InputResponses: r.Params.InputResponses, RequestState: r.Params.RequestState,
		Progress: passOn(ctx, r),
	}
	var c upstream.Credential
	if r.Extra != nil {
		c = f.g.credential(e.m, r.Extra.Header)
	}
	result, err := e.m.client.Call(ctx, c, call)
	if err == nil {
		return result, nil
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil, err
	}
	return failure(errorText(err)), nil
}

// passOn hands an upstream's progress to the caller that asked for it.
func passOn(ctx context.Context, r *sdk.CallToolRequest) func(*sdk.ProgressNotificationParams) {
	token := r.Params.GetProgressToken()
	if token == nil || r.Session == nil {
		return nil
	}
	return func(p *sdk.ProgressNotificationParams) {
		shown := *p
		shown.Meta, shown.ProgressToken = nil, token
		_ = r.Session.NotifyProgress(ctx, &shown) // who is gone misses nothing
	}
}

// failure is a result that tells a model what went wrong: it does not see
// protocol errors.
func failure(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// errorText is an error and what to do about it.
func errorText(err error) string {
	parts := []string{err.Error()}
	for _, h := range evergreen.Hints(err) {
		parts = append(parts, "Try: "+h)
	}
	return cut(strings.Join(parts, "\n"), maxText)
}

// cut shortens s to at most n bytes between characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len("…")], "") + "…"
}

// refusal is the answer to a call that may not run.
func (f *Face) refusal(n note) *sdk.CallToolResult {
	r := failure(n.Refusal)
	about := map[string]any{"outcome": n.Outcome, "error": n.Error}
	if n.Name != "" {
		about["tool"] = n.Name
	}
	if len(n.Candidates) > 0 {
		about["candidates"] = n.Candidates
	}
	r.Meta = sdk.Meta{f.toolsMeta: about}
	return r
}

// hint appends the hint to a result and says the same in _meta. Nothing else of
// the result changes.
func (f *Face) hint(r *sdk.CallToolResult, n note, times int) *sdk.CallToolResult {
	text := n.Hint
	switch {
	case r.IsError:
		text = n.After
	case times >= dampFrom:
		text = n.Short
	}
	shown := *r
	shown.Content = append(slices.Clip(r.Content), &sdk.TextContent{Text: text})
	shown.Meta = maps.Clone(r.Meta)
	if shown.Meta == nil {
		shown.Meta = sdk.Meta{}
	}
	shown.Meta[f.toolsMeta] = map[string]any{"outcome": n.Outcome, "tool": n.Name, "changes": n.Changes}
	return &shown
}

// codes are the kinds of changes, each once, in order.
func codes(changes []repair.Change) []string {
	var out []string
	for _, c := range changes {
		if !slices.Contains(out, c.Code) {
			out = append(out, c.Code)
		}
	}
	return out
}
