package main

// This file puts the gateway in front of the MCP servers: repair of every call,
// tools of other servers, and web search.

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/gateway"
	"evergreen/internal/gateway/search"
	"evergreen/internal/mcp"
	"evergreen/internal/mcp/edge"
	"evergreen/internal/repair"
	"evergreen/internal/web"
)

// newGateway builds the gateway that the settings describe, and the search
// behind web_search, which is nil when none is configured. Nothing is reached
// out to before it runs.
func newGateway(s config.Settings, log *slog.Logger) (*gateway.Gateway, *gateway.Search, error) {
	for i := range s.Gateway.Upstreams {
		s.Gateway.Upstreams[i].Version = version
	}
	g, err := gateway.New(gateway.Options{
		Upstreams: s.Gateway.Upstreams, Withhold: []string{s.Server.Token, s.Server.ReadToken}, Log: log,
	})
	if err != nil || s.WebSearch.Upstream == "" {
		return g, nil, err
	}
	table, err := searchTable(s.WebSearch.Table)
	if err != nil {
		return nil, nil, err
	}
	web, err := g.Search(gateway.SearchOptions{Upstream: s.WebSearch.Upstream, Entry: s.WebSearch.Entry, Table: table})
	return g, web, err
}

// searchTable is the built-in table of search servers with the operator's laid
// over it.
func searchTable(file string) (*search.Table, error) {
	table, err := search.Default()
	if err != nil || file == "" {
		return table, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "read web_search.table: %w", err)
	}
	if table, err = table.Overlay(data); err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "%s: %w", file, err)
	}
	return table, nil
}

// repairTools describes our own tools for repairs. Those that are not served
// take part hidden, so that their names lead to no neighbour.
func repairTools(served []evergreen.ToolInfo) []repair.Tool {
	has, changes := map[string]bool{}, map[string]bool{}
	for _, info := range served {
		has[info.Name] = true
	}
	for _, info := range mcp.Tools(mcp.SetAdmin) {
		changes[info.Name] = true
	}
	web := gateway.SearchTool()
	web.Hidden = !has[web.Name]
	tools := []repair.Tool{web}
	for _, info := range mcp.Tools(mcp.SetKB, mcp.SetDocs, mcp.SetWeb, mcp.SetAdmin) {
		readOnly := !changes[info.Name]
		tools = append(tools, repair.Tool{Name: info.Name, Schema: info.InputSchema, ReadOnly: &readOnly, Hidden: !has[info.Name], Own: true,
			Keys: furtherKeys(info.InputSchema)})
	}
	// This further name stands for one tool or another, by its arguments.
	return append(tools, repair.Tool{Name: "doc_index_repo", Policy: repair.PolicyOff, Class: repair.Write, Own: true,
		Keys: map[string]string{"repo_path": "path"}})
}

// furtherKeys are the names of parameters that a tool of ours accepts beside
// those of its schema: a collection is a repo, and well-known documentation
// servers' names for the same things are right here, too.
func furtherKeys(schema json.RawMessage) map[string]string {
	collection := []string{"repo", "collection", "repository", "library", "library_id", "library_name", "context7_compatible_library_id"}
	var declared struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &declared) != nil {
		return nil
	}
	keys := map[string]string{}
	for name, others := range map[string][]string{
		"repo":       collection,
		"collection": collection,
		"query":      {"topic", "user_query", "question"},
		"id":         {"section_id", "entry_id"},
		"budget":     {"tokens", "max_tokens"},
		"path":       {"repo_path", "folder", "directory", "dir"},
		"url":        {"site"},
	} {
		for _, other := range others {
			if declared.Properties[name] != nil && declared.Properties[other] == nil {
				keys[other] = name
			}
		}
	}
	return keys
}

// withGateway readies the gateway that the settings describe. Without it the
// servers take calls as they come.
func (f mcpFace) withGateway() (mcpFace, error) {
	var err error
	f.gateway, f.web, err = newGateway(f.settings, f.log)
	return f, err
}

// close ends what the servers share.
func (f mcpFace) close() {
	f.jobs.Close()
	if f.gateway != nil {
		_ = f.gateway.Close() // other servers may be gone already
	}
}

// calls are the calls of tools since the start.
func (f mcpFace) calls() web.Calls {
	c := f.gateway.Counts()
	out := web.Calls{Outcomes: map[string]map[string]int{}, Repairs: c.Repairs, Refusals: c.Refusals,
		ErrorsAfterRepair: c.ErrorAfterRepair, HintsFollowed: c.HintFollowed}
	for tool, by := range c.Calls {
		out.Outcomes[tool] = map[string]int{}
		for outcome, n := range by {
			out.Outcomes[tool][string(outcome)] = n
		}
	}
	return out
}

// called is how many calls of tools there were since the start.
func (f mcpFace) called() int64 {
	n := 0
	for _, by := range f.gateway.Counts().Calls {
		for _, of := range by {
			n += of
		}
	}
	return int64(n)
}

// sayCalls logs how the calls of a session went, for those who have no figures to
// look at.
func (f mcpFace) sayCalls() {
	c, exact, repaired, refused := f.gateway.Counts(), 0, 0, 0
	for _, by := range c.Calls {
		exact, repaired = exact+by[repair.Exact], repaired+by[repair.Repaired]
	}
	for _, n := range c.Refusals {
		refused += n
	}
	f.log.Info("calls", "exact", exact, "repaired", repaired, "refused", refused,
		"repairs", c.Repairs, "refusals", c.Refusals, "errors_after_repair", c.ErrorAfterRepair, "hints_followed", c.HintFollowed)
}

// behindGateway ties a server to the gateway and returns the hook for its edge.
// Callers that may only read get only what reads.
func (f mcpFace) behindGateway(server *mcp.Server, readOnly bool) (edge.Hook, error) {
	if f.gateway == nil {
		return nil, nil
	}
	o := faceOptions(f.settings, server.Tools())
	o.Server, o.Use = server.MCP(), server.Use
	o.ReadOnly, o.Notes, o.Reserve, o.Log = readOnly, edge.Notes, server.Reserve, f.log
	face, err := f.gateway.Face(o)
	if err != nil {
		return nil, err
	}
	if readOnly {
		f.faces.readers = face
	} else {
		f.faces.operators = face
	}
	return face.Hook, nil
}

// faceOptions are what every face of the gateway has in common.
func faceOptions(s config.Settings, served []evergreen.ToolInfo) gateway.FaceOptions {
	aliases := map[string]string{"doc_list_repos": "list_repos"}
	for alias, tool := range s.Gateway.Aliases {
		aliases[alias] = tool
	}
	return gateway.FaceOptions{Own: repairTools(served), Aliases: aliases, Policy: repair.Policy(s.Gateway.Repair)}
}

// checkUpstreams asks every upstream once.
func checkUpstreams(ctx context.Context, s config.Settings) []check {
	if len(s.Gateway.Upstreams) == 0 && s.WebSearch.Upstream == "" {
		return nil
	}
	g, _, err := newGateway(s, slog.New(slog.DiscardHandler))
	if err != nil {
		return []check{failed("gateway", err)}
	}
	defer g.Close()
	sets, err := toolSets(s)
	if err == nil {
		_, err = g.Face(faceOptions(s, mcp.Tools(sets...)))
	}
	if err != nil {
		return []check{failed("gateway", err)}
	}
	g.Refresh(ctx)
	var checks []check
	for _, state := range g.States() {
		checks = append(checks, checkUpstream(state)...)
	}
	return checks
}

// checkUpstream words the state of one upstream.
func checkUpstream(s gateway.State) []check {
	name := "upstream " + s.Name
	if !s.Ready {
		return []check{failed(name, s.Err)}
	}
	detail := fmt.Sprintf("%s, protocol %s, %s", s.Server, s.Protocol, count(s.Tools, "tool"))
	if s.Hidden > 0 {
		detail += fmt.Sprintf(" (%d kept back)", s.Hidden)
	}
	checks := []check{passed(name, detail)}
	for _, fault := range s.Faults {
		checks = append(checks, check{Name: name, State: checkFailed, Detail: fault, Fix: "set web_search.entry, or write an entry into web_search.table"})
	}
	for _, problem := range s.Problems {
		checks = append(checks, note(name, problem, "see gateway and web_search in the configuration"))
	}
	return checks
}
