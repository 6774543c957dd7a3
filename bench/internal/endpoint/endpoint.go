// Package endpoint calls an MCP server over HTTP as curl does: one bare POST a
// call, no session, no handshake.
package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Endpoint is the URL of an MCP server.
type Endpoint struct {
	URL    string
	Client *http.Client
}

// Answer is what a tool said.
type Answer struct {
	Text    string
	Meta    json.RawMessage // structuredContent, as it came
	IsError bool
	Status  int
}

// Call calls a tool.
func (e Endpoint) Call(ctx context.Context, tool string, arguments map[string]any) (Answer, error) {
	raw, status, err := e.Post(ctx, "tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return Answer{Status: status}, fmt.Errorf("%s: %w", tool, err)
	}
	var r struct {
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return Answer{Status: status}, fmt.Errorf("%s: %w", tool, err)
	}
	a := Answer{Meta: r.StructuredContent, IsError: r.IsError, Status: status}
	for _, c := range r.Content {
		a.Text += c.Text
	}
	return a, nil
}

// Body is the message that Post sends.
func Body(method string, params any) ([]byte, error) {
	return json.Marshal(struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", 1, method, params})
}

// Post sends one request and returns its result as it came. A JSON-RPC error is
// an error.
func (e Endpoint) Post(ctx context.Context, method string, params any) (result json.RawMessage, status int, err error) {
	body, err := Body(method, params)
	if err != nil {
		return nil, 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := e.Client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, response.StatusCode, err
	}
	var m struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, response.StatusCode, fmt.Errorf("%s: status %d: %w: %.200s", method, response.StatusCode, err, raw)
	}
	if m.Error != nil {
		return nil, response.StatusCode, fmt.Errorf("%s: %s", method, m.Error.Message)
	}
	return m.Result, response.StatusCode, nil
}
