package measure

// This file measures what the tools of /mcp cost.

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// Tools are the costs of MCP.
type Tools struct {
	ListTokens int          `json:"list_tokens"` // of tools/list as compact JSON
	Answers    []ToolAnswer `json:"answers"`     // typical ones, by name
}

// ToolAnswer is the cost of one tool's typical answer.
type ToolAnswer struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Tokens    int             `json:"tokens"` // of the text alone
	Failed    bool            `json:"failed,omitempty"`
}

// rpc asks /mcp.
func (r *run) rpc(method string, params any) (json.RawMessage, bool) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, false
	}
	a, err := r.do(http.MethodPost, "/mcp", "application/json, text/event-stream", string(body))
	if err != nil || a.status != http.StatusOK {
		return nil, false
	}
	data := a.body
	if a.kind == "text/event-stream" {
		for line := range bytes.Lines(a.body) {
			if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				data = rest
			}
		}
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
	}
	return answer.Result, json.Unmarshal(data, &answer) == nil && len(answer.Result) > 0
}

// tools calls every tool that reads, with arguments that fit this site.
func (r *run) tools(questions []question) Tools {
	t := Tools{Answers: []ToolAnswer{}}
	result, ok := r.rpc("tools/list", map[string]any{})
	if !ok {
		return t
	}
	var compact bytes.Buffer
	if json.Compact(&compact, result) == nil {
		t.ListTokens = r.count(compact.String())
	}
	var list struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if json.Unmarshal(result, &list) != nil {
		return t
	}
	served := map[string]bool{}
	for _, tool := range list.Tools {
		served[tool.Name] = true
	}
	arguments := r.arguments(questions)
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if served[name] {
			t.Answers = append(t.Answers, r.call(name, arguments[name]))
		}
	}
	return t
}

// arguments are typical calls, made of what the site holds.
func (r *run) arguments(questions []question) map[string]map[string]any {
	topic, id, collection := "", "", ""
	if len(questions) > 0 {
		topic = questions[0].topic
	}
	if b, _, ok := r.ask(topic, "2000", ""); ok && len(b.Entries) > 0 {
		id, collection = b.Entries[0].ID, b.Entries[0].Collection
	}
	return map[string]map[string]any{
		"search_context": {"query": topic}, "search_sections": {"query": topic}, "get_entry": {"id": id},
		"get_section": {"id": id}, "get_section_context": {"id": id}, "get_toc": {"repo": collection},
		"get_prompt_pack": {}, "get_metrics": {}, "list_repos": {},
	}
}

func (r *run) call(name string, arguments map[string]any) ToolAnswer {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return ToolAnswer{Tool: name, Failed: true}
	}
	a := ToolAnswer{Tool: name, Arguments: raw}
	result, ok := r.rpc("tools/call", map[string]any{"name": name, "arguments": arguments})
	var content struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	if !ok || json.Unmarshal(result, &content) != nil {
		a.Failed = true
		return a
	}
	for _, c := range content.Content {
		a.Tokens += r.count(c.Text)
	}
	a.Failed = content.IsError
	return a
}
