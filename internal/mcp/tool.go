package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/mcp/arguments"
	"evergreen/internal/text"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Set is a group of tools that is served or not.
type Set string

// The sets. SetAdmin holds everything that changes the library.
const (
	SetKB    Set = "kb"
	SetDocs  Set = "docs"
	SetWeb   Set = "web"
	SetAdmin Set = "admin"
)

// ParseSets reads a list such as "docs,kb".
func ParseSets(list string) ([]Set, error) {
	known := []string{string(SetKB), string(SetDocs), string(SetWeb), string(SetAdmin)}
	var sets []Set
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case name == "" || slices.Contains(sets, Set(name)):
		case slices.Contains(known, name):
			sets = append(sets, Set(name))
		default:
			return nil, evergreen.Errorf(evergreen.Invalid, "unknown tool set %q; the sets are %s", name, strings.Join(known, ", ")).
				Near(text.Nearest(name, known, 1)...)
		}
	}
	if len(sets) == 0 {
		return nil, evergreen.Errorf(evergreen.Invalid, "no tool set named; the sets are %s", strings.Join(known, ", "))
	}
	return sets, nil
}

// effect is what a tool does to the library.
type effect int

const (
	reads effect = iota
	adds
	destroys
)

// tool is one tool: what is advertised, and what runs.
type tool struct {
	name        string
	title       string
	description string
	set         Set
	effect      effect
	world       bool   // it reaches beyond the library and this machine
	schema      string // of the arguments, compact JSON
	example     string // the arguments of one right call
	run         func(context.Context, *Server, *call) (answer, error)
}

// call is one call of a tool.
type call struct {
	*arguments.Reader
	accept  string // Accept-Language
	request *sdk.CallToolRequest
	reserve reserve // of the answer, for what is said behind it
	most    int     // tokens of the answer's text, once Budget was read
}

// registry lists every tool there is; a new one is added here.
func registry() []tool {
	return []tool{
		searchContext(), getEntry(), getPromptPack(), getMetrics(),
		listRepos(), getTOC(), getSection(), getSectionContext(), searchSections(),
		indexURL(), indexLocal(), deleteIndex(),
	}
}

func inSets(sets []Set) []tool {
	return slices.DeleteFunc(registry(), func(t tool) bool { return !slices.Contains(sets, t.set) })
}

// tools are the tools that a server with these options has.
func (o Options) tools() []tool {
	tools := inSets(o.Sets)
	if o.Web != nil && slices.Contains(o.Sets, SetWeb) {
		tools = append(tools, webSearch())
	}
	return tools
}

// Tools describes the tools of the sets, by name. web_search, which not every
// server has, is not among them.
func Tools(sets ...Set) []evergreen.ToolInfo { return describe(inSets(sets)) }

func describe(tools []tool) []evergreen.ToolInfo {
	var infos []evergreen.ToolInfo
	for _, t := range tools {
		infos = append(infos, evergreen.ToolInfo{
			Name: t.name, Title: t.title, Description: t.description, InputSchema: []byte(t.schema),
		})
	}
	slices.SortFunc(infos, func(a, b evergreen.ToolInfo) int { return strings.Compare(a.Name, b.Name) })
	return infos
}

func (t tool) declaration() *sdk.Tool {
	destructive := t.effect == destroys
	notes := &sdk.ToolAnnotations{ReadOnlyHint: t.effect == reads, IdempotentHint: true, OpenWorldHint: &t.world}
	if t.effect != reads {
		notes.DestructiveHint = &destructive
	}
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		InputSchema: json.RawMessage(t.schema), Annotations: notes,
	}
}

// handler runs a tool. Whatever goes wrong is a result that the model can read
// and act on, never a protocol error.
func (s *Server) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := &call{request: r, reserve: reserveOf(r.Extra)}
		if r.Extra != nil {
			c.accept = r.Extra.Header.Get("Accept-Language")
		}
		var err error
		if c.Reader, err = arguments.Read(r.Params.Arguments); err != nil {
			return s.within(c, s.faultAnswer(t, err)).result(), nil
		}
		a, err := t.run(ctx, s, c)
		if err != nil {
			if _, ours := asError(err); !ours {
				s.log.Error("tool failed", "tool", t.name, "error", err)
			}
			return s.within(c, s.faultAnswer(t, err)).result(), nil
		}
		return s.within(c, a).result(), nil
	}
}

// client is who asks, never "".
func (c *call) client() string {
	if c.request.Extra == nil {
		return onlyClient
	}
	return cmp.Or(c.request.Extra.Header.Get(ClientHeader), onlyClient)
}

// lang is the language to answer query in.
func (c *call) lang(query string) lang { return langOf(query, c.accept) }

func asError(err error) (*evergreen.Error, bool) { return errors.AsType[*evergreen.Error](err) }
