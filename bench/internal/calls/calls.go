// Package calls lists calls of every tool, each with the bound that its answer
// must keep: the tokens of the whole text, or its bytes. The lists ask for what
// strains a bound: long and short questions, several languages, large sections,
// budgets at both ends and beyond.
package calls

import (
	"cmp"
	"strconv"

	"evergreen"
	"evergreen/internal/text"
)

// Bounds as the tools document them.
const (
	listBudget   = 1000    // tokens: default of list_repos, get_metrics, index_local
	smallBudget  = 200     // tokens: what has no budget argument, and every error
	defaultBytes = 8000    // get_section and get_section_context
	floorBytes   = 600     // of their whole answers, however small max_bytes
	allBytes     = 1 << 20 // what max_bytes 0 means
)

// Call is one call of a tool.
type Call struct {
	Tool      string
	Arguments map[string]any
	Tokens    int // bound of the text; 0: Bytes bounds it
	Bytes     int
}

// Size measures a text as the call's bound does.
func (c Call) Size(answer string) int {
	if c.Bytes > 0 {
		return len(answer)
	}
	return text.Tokens(answer)
}

// Bound is the most that Size may be.
func (c Call) Bound() int { return cmp.Or(c.Bytes, c.Tokens) }

// Limit is the bound with its unit.
func (c Call) Limit() string {
	if c.Bytes > 0 {
		return strconv.Itoa(c.Bytes) + " bytes"
	}
	return strconv.Itoa(c.Tokens) + " tokens"
}

// Material is what a library offers to ask about.
type Material struct {
	Repo    string
	Queries []string
	IDs     []string // of sections
	Paths   []string // of documents
	Folder  string   // that may be indexed
}

// All lists calls of every tool, those that change the library last. Each
// removes what it added.
func (m Material) All() []Call {
	var all []Call
	for _, budget := range []int{0, 1, 200, 500, 8000, 100_000} {
		all = append(all, m.budgeted(budget)...)
	}
	for _, limit := range []int{0, 1, 700, defaultBytes, 40_000} {
		all = append(all, m.bytewise(limit)...)
	}
	for _, scenario := range []string{"", "chat", "coding", "research", "support"} {
		all = append(all, Call{Tool: "get_prompt_pack", Arguments: given(map[string]any{"scenario": scenario}), Tokens: evergreen.DefaultBudget})
	}
	for _, id := range []string{"nothing-like-it", m.Repo + "::no/such.md::section#2"} {
		for _, tool := range []string{"get_entry", "get_section", "get_section_context"} {
			all = append(all, Call{Tool: tool, Arguments: map[string]any{"id": id}, Tokens: smallBudget})
		}
	}
	return append(all,
		Call{Tool: "index_local", Arguments: map[string]any{"path": m.Folder, "name": "bench-small"}, Tokens: listBudget},
		Call{Tool: "index_local", Arguments: map[string]any{"path": m.Folder, "name": "bench-small", "budget": 200}, Tokens: 200},
		Call{Tool: "delete_index", Arguments: map[string]any{"repo": "bench-small"}, Tokens: smallBudget},
		Call{Tool: "delete_index", Arguments: map[string]any{"repo": "bench-smal"}, Tokens: smallBudget},
	)
}

// budgeted lists the calls that take a budget in tokens; 0 leaves it out.
func (m Material) budgeted(budget int) []Call {
	var out []Call
	add := func(tool string, usual int, arguments map[string]any) {
		bound := usual
		if budget != 0 {
			arguments["budget"] = budget
			bound = min(max(budget, evergreen.MinBudget), evergreen.MaxBudget)
		}
		out = append(out, Call{Tool: tool, Arguments: given(arguments), Tokens: bound})
	}
	for _, q := range m.Queries {
		add("search_context", evergreen.DefaultBudget, map[string]any{"query": q})
		add("search_sections", evergreen.DefaultBudget, map[string]any{"query": q})
	}
	if len(m.Queries) > 0 {
		add("search_context", evergreen.DefaultBudget, map[string]any{"query": m.Queries[0], "limit": 50})
		add("search_sections", evergreen.DefaultBudget, map[string]any{"query": m.Queries[0], "limit": 50, "repo": m.Repo})
	}
	for _, id := range m.IDs {
		add("get_entry", evergreen.DefaultBudget, map[string]any{"id": id})
	}
	for _, path := range append([]string{""}, m.Paths...) {
		add("get_toc", evergreen.DefaultBudget, map[string]any{"repo": m.Repo, "doc_path": path})
	}
	add("get_toc", evergreen.DefaultBudget, map[string]any{"repo": m.Repo, "depth": 1})
	add("list_repos", listBudget, map[string]any{})
	add("get_metrics", listBudget, map[string]any{})
	return out
}

// bytewise lists the calls that take max_bytes.
func (m Material) bytewise(limit int) []Call {
	bound := allBytes
	if limit > 0 {
		bound = max(limit, floorBytes)
	}
	var out []Call
	for _, id := range m.IDs {
		for _, tool := range []string{"get_section", "get_section_context"} {
			out = append(out, Call{Tool: tool, Arguments: map[string]any{"id": id, "max_bytes": limit}, Bytes: bound})
		}
	}
	if len(m.IDs) > 1 {
		out = append(out, Call{Tool: "get_section", Arguments: map[string]any{"ids": m.IDs, "max_bytes": limit}, Bytes: bound})
	}
	return out
}

// given drops arguments that are "".
func given(arguments map[string]any) map[string]any {
	for name, value := range arguments {
		if value == "" {
			delete(arguments, name)
		}
	}
	return arguments
}
