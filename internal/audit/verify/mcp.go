package verify

// This file speaks MCP as the plainest clients do: bare POSTs.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"evergreen/internal/audit/probe"
)

func mcpChecks() []check {
	return []check{
		{"mcp-bare-list", bareList},
		{"mcp-initialize", initialize},
		{"mcp-notification", notification},
		{"mcp-batch", batch},
		{"mcp-search-context", searchContext},
		{"mcp-get-entry", getEntry},
		{"mcp-get-prompt-pack", getPromptPack},
		{"mcp-get-metrics", getMetrics},
		{"mcp-unknown-id", unknownID},
	}
}

// rpcAnswer is a JSON-RPC response.
type rpcAnswer struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// toolAnswer is the result of a tools/call.
type toolAnswer struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

// text is all the text of an answer.
func (t toolAnswer) text() string {
	var b strings.Builder
	for _, c := range t.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

// post sends a body to /mcp with no header but its type.
func (r *run) post(ctx context.Context, body string) *probe.Answer {
	return r.Once(ctx, probe.Request{Method: "POST", URL: "/mcp", Body: body, Stay: true,
		Header: map[string]string{"Content-Type": "application/json"}})
}

// result is the result of one request.
func (r *run) result(ctx context.Context, body string) (json.RawMessage, *probe.Answer, error) {
	a := r.post(ctx, body)
	if !a.OK() {
		return nil, a, broken(a, "200")
	}
	var answer rpcAnswer
	if err := json.Unmarshal(payload(a), &answer); err != nil {
		return nil, a, broken(a, "a JSON-RPC answer: %v", err)
	}
	if answer.Error != nil {
		return nil, a, broken(a, "a result, not error %d, %q", answer.Error.Code, answer.Error.Message)
	}
	return answer.Result, a, nil
}

// payload is the JSON of an answer, which may have come as an event stream.
func payload(a *probe.Answer) []byte {
	if a.Type() != "text/event-stream" {
		return a.Body
	}
	for line := range bytes.Lines(a.Body) {
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && bytes.Contains(data, []byte("jsonrpc")) {
			return bytes.TrimSpace(data)
		}
	}
	return a.Body
}

func (r *run) call(ctx context.Context, tool string, arguments map[string]any) (toolAnswer, *probe.Answer, error) {
	params, err := json.Marshal(map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return toolAnswer{}, nil, err
	}
	var t toolAnswer
	result, a, err := r.result(ctx, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":`+string(params)+`}`)
	if err != nil {
		return t, a, fmt.Errorf("%s: %w", tool, err)
	}
	if err := json.Unmarshal(result, &t); err != nil {
		return t, a, broken(a, "content in the result of %s: %v", tool, err)
	}
	return t, a, nil
}

func bareList(ctx context.Context, r *run) (string, error) {
	result, a, err := r.result(ctx, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if err != nil {
		return "", err
	}
	var list struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(result, &list); err != nil {
		return "", broken(a, "a list of tools: %v", err)
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	for _, want := range []string{"search_context", "get_entry", "get_prompt_pack", "get_metrics"} {
		if !slices.Contains(names, want) {
			return "", broken(a, "the tool %s among %v", want, names)
		}
	}
	return fmt.Sprintf("%d tools without initialize", len(names)), nil
}

func initialize(ctx context.Context, r *run) (string, error) {
	result, a, err := r.result(ctx, `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"evergreen-verify","version":"1"}}}`)
	if err != nil {
		return "", err
	}
	var said struct {
		Protocol string `json:"protocolVersion"`
		Server   struct {
			Name string `json:"name"`
		} `json:"serverInfo"`
		Capabilities struct {
			Tools *struct{} `json:"tools"`
		} `json:"capabilities"`
	}
	if err := json.Unmarshal(result, &said); err != nil || said.Protocol == "" || said.Server.Name == "" || said.Capabilities.Tools == nil {
		return "", broken(a, "protocolVersion, serverInfo and the tools capability")
	}
	return said.Server.Name + " speaks " + said.Protocol, nil
}

func notification(ctx context.Context, r *run) (string, error) {
	a := r.post(ctx, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if a.Err != nil || a.Status != http.StatusAccepted {
		return "", broken(a, "202")
	}
	if len(bytes.TrimSpace(a.Body)) > 0 {
		return "", broken(a, "no body, since a notification has no answer")
	}
	return "202", nil
}

func batch(ctx context.Context, r *run) (string, error) {
	a := r.post(ctx, `[{"jsonrpc":"2.0","id":"a","method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"get_metrics","arguments":{}}}]`)
	if !a.OK() {
		return "", broken(a, "200")
	}
	var answers []rpcAnswer
	if err := json.Unmarshal(payload(a), &answers); err != nil {
		return "", broken(a, "an array: %v", err)
	}
	if len(answers) != 2 || string(answers[0].ID) != `"a"` || string(answers[1].ID) != `"b"` {
		return "", broken(a, "two answers, a and b, in this order; a notification has none")
	}
	return "an array in order", nil
}

func searchContext(ctx context.Context, r *run) (string, error) {
	const query = "幻觉 引用"
	t, a, err := r.call(ctx, "search_context", map[string]any{"query": query})
	switch {
	case err != nil:
		return "", err
	case !strings.Contains(t.text(), query):
		return "", broken(a, "text that echoes %q", query)
	}
	return fmt.Sprintf("%q echoed in %d bytes", query, len(t.text())), nil
}

// getEntry reads the entry that the API names first.
func getEntry(ctx context.Context, r *run) (string, error) {
	b, a, err := r.ask(ctx, "token 预算", 600)
	if err != nil {
		return "", err
	}
	if len(b.Entries) == 0 {
		return "", broken(a, "an entry to read with get_entry")
	}
	t, a, err := r.call(ctx, "get_entry", map[string]any{"id": b.Entries[0].ID})
	if err != nil {
		return "", err
	}
	if t.IsError || t.text() == "" {
		return "", broken(a, "the text of %s", b.Entries[0].ID)
	}
	return b.Entries[0].ID + " was read", nil
}

func getPromptPack(ctx context.Context, r *run) (string, error) {
	t, a, err := r.call(ctx, "get_prompt_pack", map[string]any{"scenario": "coding"})
	if err != nil {
		return "", err
	}
	if t.IsError || len(t.text()) < 100 {
		return "", broken(a, "the prompt pack for coding")
	}
	return fmt.Sprintf("%d bytes", len(t.text())), nil
}

func getMetrics(ctx context.Context, r *run) (string, error) {
	t, a, err := r.call(ctx, "get_metrics", map[string]any{})
	if err != nil {
		return "", err
	}
	if t.IsError || t.text() == "" {
		return "", broken(a, "figures")
	}
	return fmt.Sprintf("%d bytes", len(t.text())), nil
}

func unknownID(ctx context.Context, r *run) (string, error) {
	t, a, err := r.call(ctx, "get_entry", map[string]any{"id": "EG-999-no-such-entry"})
	if err != nil {
		return "", err
	}
	if !t.IsError || t.text() == "" {
		return "", broken(a, "isError and a text that says what to do next")
	}
	return "isError with a text", nil
}
