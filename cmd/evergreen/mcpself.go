package main

// This file asks our own MCP endpoint, in memory: what its card says is what it
// answers, and A2A skills are its tools, repair included.

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"evergreen"
	"evergreen/internal/a2a"
	"evergreen/internal/httpguard"
	"evergreen/internal/site"
	"evergreen/internal/web"
)

// newestProtocol is the revision that our own questions are asked in.
const newestProtocol = "2026-07-28"

// ownMCP is our MCP endpoint as a client of it sees it.
type ownMCP struct {
	endpoint http.Handler
}

// memoryWriter takes an answer in memory.
type memoryWriter struct {
	header http.Header
	body   bytes.Buffer
}

func (w *memoryWriter) Header() http.Header         { return w.header }
func (w *memoryWriter) Write(b []byte) (int, error) { return w.body.Write(b) }
func (w *memoryWriter) WriteHeader(int)             {}

// rpcAnswer is a JSON-RPC answer.
type rpcAnswer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// ask sends one message.
func (m ownMCP) ask(ctx context.Context, method, name string, params map[string]any) (json.RawMessage, error) {
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion":    newestProtocol,
		"io.modelcontextprotocol/clientInfo":         map[string]string{"name": "evergreen", "version": version},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", newestProtocol)
	r.Header.Set("Mcp-Method", method)
	if name != "" {
		r.Header.Set("Mcp-Name", name)
	}
	r.Header.Set(httpguard.AccessHeader, httpguard.Read.String())
	w := &memoryWriter{header: http.Header{}}
	m.endpoint.ServeHTTP(w, r)
	var answer rpcAnswer
	if err := json.Unmarshal(w.body.Bytes(), &answer); err != nil {
		return nil, evergreen.Errorf(evergreen.Internal, "our own %s answers no JSON-RPC: %w", method, err)
	}
	if answer.Error != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "%s", answer.Error.Message)
	}
	return answer.Result, nil
}

// aboutMCP is what the endpoint says of itself, for the cards.
func aboutMCP(ctx context.Context, read http.Handler, name string) (*site.MCP, error) {
	result, err := ownMCP{read}.ask(ctx, "server/discover", "", map[string]any{})
	if err != nil {
		return nil, err
	}
	var said struct {
		Versions     []string        `json:"supportedVersions"`
		Capabilities json.RawMessage `json:"capabilities"`
	}
	if err := json.Unmarshal(result, &said); err != nil {
		return nil, err
	}
	return &site.MCP{Name: name, Protocols: said.Versions, Capabilities: said.Capabilities}, nil
}

// CallSkill calls the tool of a skill's name (a2a.Asker).
func (m ownMCP) CallSkill(ctx context.Context, c a2a.Call) (a2a.Answer, error) {
	arguments := c.Arguments
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	result, err := m.ask(ctx, "tools/call", c.Skill, map[string]any{"name": c.Skill, "arguments": arguments})
	if err != nil {
		return a2a.Answer{}, err
	}
	var said struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(result, &said); err != nil {
		return a2a.Answer{}, err
	}
	var texts []string
	for _, part := range said.Content {
		texts = append(texts, part.Text)
	}
	text := strings.Join(texts, "\n\n")
	if said.IsError && !unmatched(said.Structured) {
		return a2a.Answer{}, evergreen.Errorf(evergreen.Invalid, "%s", text)
	}
	return a2a.Answer{Text: text, Data: cited(said.Structured)}, nil
}

// unmatched tells a search that found nothing: that is an answer, though MCP
// marks it for the model's eye.
func unmatched(structured json.RawMessage) bool {
	var found struct {
		Matched *bool `json:"matched"`
	}
	return json.Unmarshal(structured, &found) == nil && found.Matched != nil
}

// cited writes the metadata of a bundle as A2A clients read it: with citations
// in place of entries. Other metadata stays as it is.
func cited(structured json.RawMessage) json.RawMessage {
	var bundle struct {
		Query      json.RawMessage      `json:"query"`
		UsedTokens int                  `json:"usedTokens"`
		Budget     int                  `json:"budget"`
		Truncated  bool                 `json:"truncated"`
		EntryCount int                  `json:"entryCount"`
		Citations  []evergreen.Citation `json:"citations"`
		Warnings   []evergreen.Warning  `json:"warnings,omitempty"`
	}
	var packed struct {
		Entries []struct {
			ID         string  `json:"id"`
			Marker     string  `json:"marker"`
			Title      string  `json:"title"`
			URL        string  `json:"url"`
			Confidence float64 `json:"confidence"`
		} `json:"entries"`
	}
	if json.Unmarshal(structured, &bundle) != nil || json.Unmarshal(structured, &packed) != nil || bundle.Query == nil || bundle.Budget == 0 {
		return structured
	}
	bundle.EntryCount, bundle.Citations = len(packed.Entries), []evergreen.Citation{}
	for _, e := range packed.Entries {
		bundle.Citations = append(bundle.Citations, evergreen.Citation{Marker: e.Marker, EntryID: e.ID, URL: e.URL, Text: e.Title, Confidence: e.Confidence})
	}
	written, err := web.Encode(bundle, "")
	if err != nil {
		return structured
	}
	return bytes.TrimSpace(written)
}
