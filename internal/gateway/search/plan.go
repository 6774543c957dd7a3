package search

// This file chooses an entry for a live server and checks it against the
// server's own schema.

import (
	"encoding/json"
	"slices"
	"strings"

	"evergreen"

	"github.com/google/jsonschema-go/jsonschema"
)

// Tool is a tool as its server lists it.
type Tool struct {
	Name   string
	Schema json.RawMessage
}

// Plan is an entry of the table bound to one live tool. It is immutable and
// safe for concurrent use.
type Plan struct {
	Entry  string   // id of the entry
	Tool   string   // name of the tool, as the server lists it
	Faults []string // what a verified entry maps to and the tool does not have
	Notes  []string // the same of entries that are not verified: these are dropped

	e      entry
	t      *Table
	bound  map[string]string // canonical name to the tool's parameter
	props  map[string]property
	schema *jsonschema.Resolved // nil when it cannot be resolved: nothing is checked
}

// property is what we read of a parameter's schema.
type property struct {
	Type any   `json:"type"`
	Enum []any `json:"enum"`
}

// is reports whether the property may be of a type.
func (p property) is(kind string) bool {
	switch t := p.Type.(type) {
	case string:
		return t == kind
	case []any:
		return slices.Contains(t, any(kind))
	}
	return false
}

// allows reports whether the property may have a value, by its enum.
func (p property) allows(raw json.RawMessage) bool {
	var v any
	return len(p.Enum) == 0 || json.Unmarshal(raw, &v) == nil && slices.Contains(p.Enum, v)
}

// Plan chooses the first entry of which the server lists a tool; id names one
// outright. It fails with NotFound when no entry fits.
func (t *Table) Plan(tools []Tool, server, id string) (*Plan, error) {
	if id != "" && !slices.Contains(t.IDs(), id) {
		return nil, evergreen.Errorf(evergreen.Invalid, "there is no search entry %q", id).Near(t.IDs()...)
	}
	for _, e := range t.entries {
		if id != "" && e.ID != id || e.server != nil && id == "" && !e.server.MatchString(server) {
			continue
		}
		if tool, ok := e.find(tools); ok {
			return t.bind(e, tool)
		}
	}
	fault := evergreen.Errorf(evergreen.NotFound, "the upstream lists no search tool that is known")
	if id != "" {
		fault = evergreen.Errorf(evergreen.NotFound, "the upstream lists no tool of the search entry %s", id)
	}
	return nil, fault.Fix("name an entry with web_search.entry, or add one with web_search.table")
}

// find looks for the entry's tool: by its exact name, then by its letters. "*"
// is the one tool that looks like a search.
func (e entry) find(tools []Tool) (Tool, bool) {
	for _, same := range []func(a, b string) bool{
		func(a, b string) bool { return a == b },
		func(a, b string) bool { return letters(a) == letters(b) },
	} {
		for _, name := range e.Match.Tools {
			if i := slices.IndexFunc(tools, func(t Tool) bool { return same(t.Name, name) }); i >= 0 {
				return tools[i], true
			}
		}
	}
	if !slices.Contains(e.Match.Tools, "*") {
		return Tool{}, false
	}
	var found []Tool
	for _, word := range []string{"websearch", "search"} {
		for _, t := range tools {
			if strings.Contains(letters(t.Name), word) && e.names("query", t) != "" {
				found = append(found, t)
			}
		}
		if len(found) > 0 {
			return found[0], true
		}
	}
	if len(tools) == 1 && e.names("query", tools[0]) != "" {
		return tools[0], true
	}
	return Tool{}, false
}

// names is the first name of a canonical parameter that the tool's schema has.
func (e entry) names(name string, t Tool) string {
	props := propertiesOf(t.Schema)
	for _, n := range e.Params[name].Name {
		if _, ok := props[n]; ok {
			return n
		}
	}
	return ""
}

func propertiesOf(schema json.RawMessage) map[string]property {
	var s struct {
		Properties map[string]property `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	return s.Properties
}

// bind checks every mapped name against the tool's schema.
func (t *Table) bind(e entry, tool Tool) (*Plan, error) {
	p := &Plan{Entry: e.ID, Tool: tool.Name, e: e, t: t, bound: map[string]string{}, props: propertiesOf(tool.Schema)}
	open := len(p.props) == 0 // a server that says nothing is taken at the table's word
	for _, name := range canonical() {
		m, mapped := e.Params[name]
		if !mapped {
			continue
		}
		found := e.names(name, tool)
		if found == "" && open {
			found = m.Name[0]
		}
		switch {
		case found != "":
			p.bound[name] = found
		case e.ID == "generic" || len(m.Name) > 1 && name != "query":
		case e.Verified:
			p.Faults = append(p.Faults, "entry "+e.ID+" sends "+name+" as "+strings.Join(m.Name, " or ")+", which "+tool.Name+" does not have")
		default:
			p.Notes = append(p.Notes, "entry "+e.ID+": "+tool.Name+" has no "+strings.Join(m.Name, " or ")+"; "+name+" is dropped")
		}
	}
	if p.bound["query"] == "" {
		return nil, evergreen.Errorf(evergreen.NotFound, "%s has no parameter for the query that the search entry %s knows", tool.Name, e.ID).
			Fix("add an entry for it with web_search.table")
	}
	var s jsonschema.Schema
	if json.Unmarshal(tool.Schema, &s) == nil {
		if resolved, err := s.Resolve(nil); err == nil {
			p.schema = resolved
		}
	}
	return p, nil
}
