// Package search maps our web_search tool to the search tool of any other MCP
// server, by a table that is data: which tool, which parameter means what, which
// values, what to do with parameters that have no counterpart. It is pure: it
// calls nothing and knows no server by name.
package search

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"evergreen"
)

//go:embed upstreams.json
var builtin []byte

// Table is a set of entries, each for one kind of search server. It is
// immutable.
type Table struct {
	entries []entry
	lists   map[string]map[string]string // look-up tables by name
	seed    map[string]string            // other accepted name to canonical name
}

// entry is one row of the table.
type entry struct {
	ID    string `json:"id"`
	Match struct {
		Tools  []string `json:"tools"`
		Server string   `json:"server"`
	} `json:"match"`
	Params      map[string]param  `json:"params"`
	Fixed       map[string]any    `json:"fixed"`
	Exclusive   [][]string        `json:"exclusive"`
	Unsupported map[string]string `json:"unsupported"`
	Verified    bool              `json:"verified"`

	server *regexp.Regexp
}

// param says how one canonical parameter is sent.
type param struct {
	Name      names                      `json:"name"`
	Type      string                     `json:"type"`
	Values    map[string]json.RawMessage `json:"values"`
	Min       *int                       `json:"min"`
	Max       *int                       `json:"max"`
	MinLength *int                       `json:"minLength"`
	MaxLength *int                       `json:"maxLength"`
	Prefix    string                     `json:"prefix"`
	Lower     bool                       `json:"lower"`
}

// names is one name or several to choose from.
type names []string

// UnmarshalJSON reads a string or an array of strings.
func (n *names) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*n = names{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(n))
}

// canonical lists our own parameters in the order they are treated.
func canonical() []string {
	return []string{"query", "count", "recency", "country", "language", "include_domains", "exclude_domains", "content_size", "safe", "page"}
}

// types of a parameter's value.
func types() []string {
	return []string{"string", "number", "integer", "boolean", "array", "upper", "lower", "zero-based", typeCountryName, "first"}
}

// typeCountryName sends a country by its English name.
const typeCountryName = "country-name-en"

// Default is the table that comes with the program.
func Default() (*Table, error) {
	t := &Table{lists: map[string]map[string]string{}, seed: map[string]string{}}
	return t.Overlay(builtin)
}

// Overlay returns the table with another of the same form laid over it: an entry
// of the same id replaces ours in its place, others come before ours. Faults are
// of kind Invalid and name the entry.
func (t *Table) Overlay(data []byte) (*Table, error) {
	var file struct {
		Format    string                       `json:"format"`
		Seed      map[string]string            `json:"seed_aliases"`
		Tables    map[string]map[string]string `json:"tables"`
		Upstreams []entry                      `json:"upstreams"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "the table of search servers is no JSON of the right form: %w", err)
	}
	if file.Format != "" && file.Format != "evergreen-upstreams/1" {
		return nil, evergreen.Errorf(evergreen.Invalid, "the table of search servers has the unknown format %q", file.Format).
			Fix("write evergreen-upstreams/1")
	}
	out := &Table{lists: merge(t.lists, file.Tables), seed: merge(t.seed, file.Seed), entries: slices.Clone(t.entries)}
	var added []entry
	for _, e := range file.Upstreams {
		if err := e.check(); err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(out.entries, func(o entry) bool { return o.ID == e.ID }); i >= 0 {
			out.entries[i] = e
		} else {
			added = append(added, e)
		}
	}
	out.entries = append(added, out.entries...)
	return out, nil
}

func merge[V any](under, over map[string]V) map[string]V {
	out := make(map[string]V, len(under)+len(over))
	for k, v := range under {
		out[k] = v
	}
	for k, v := range over {
		out[k] = v
	}
	return out
}

// check says what is wrong with an entry, and readies its pattern.
func (e *entry) check() error {
	wrong := func(format string, args ...any) error {
		return evergreen.Errorf(evergreen.Invalid, "search entry %q: "+format, append([]any{e.ID}, args...)...).
			Fix("see the built-in entries in docs/websearch.md")
	}
	if e.ID == "" || len(e.Match.Tools) == 0 {
		return wrong("it needs an id and match.tools")
	}
	if e.Match.Server != "" {
		var err error
		if e.server, err = regexp.Compile(e.Match.Server); err != nil {
			return wrong("match.server: %v", err)
		}
	}
	if len(e.Params["query"].Name) == 0 {
		return wrong("it maps no query")
	}
	for _, name := range sortedKeys(e.Params) {
		switch p := e.Params[name]; {
		case !slices.Contains(canonical(), name):
			return wrong("%q is no parameter of web_search", name)
		case len(p.Name) == 0:
			return wrong("%s has no name", name)
		case !slices.Contains(types(), p.Type):
			return wrong("%s has the unknown type %q", name, p.Type)
		}
	}
	for _, name := range sortedKeys(e.Unsupported) {
		if !slices.Contains([]string{"drop", "operator:site:", "operator:-site:", "reject"}, e.Unsupported[name]) {
			return wrong("unsupported.%s is %q", name, e.Unsupported[name])
		}
	}
	return nil
}

// IDs lists the entries in the order they are tried.
func (t *Table) IDs() []string {
	var out []string
	for _, e := range t.entries {
		out = append(out, e.ID)
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// letters is a word without case and separators.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', '.', ' ':
			return -1
		}
		return r
	}, strings.ToLower(s))
}
