package peer

// This file speaks MCP over a process's standard input and output
// (modelcontextprotocol.io, transports: stdio), as far as calling tools goes.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// protocol is the revision that the peers speak.
const protocol = "2025-06-18"

// Server is a running MCP server.
type Server struct {
	*Process
	last int // id of the last request
}

// Serve starts an MCP server and shakes hands.
func Serve(cmd *exec.Cmd) (*Server, error) {
	p, err := Start(cmd)
	if err != nil {
		return nil, err
	}
	s := &Server{Process: p}
	if _, err := s.request("initialize", map[string]any{"protocolVersion": protocol, "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"}}); err != nil {
		return nil, err
	}
	return s, s.Tell(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// Call calls a tool and returns its text. A tool that fails is an error.
func (s *Server) Call(tool string, arguments map[string]any) (string, error) {
	raw, err := s.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	var text strings.Builder
	for _, c := range result.Content {
		text.WriteString(c.Text)
	}
	if result.IsError {
		return "", fmt.Errorf("%s: %.500s", tool, text.String())
	}
	return text.String(), nil
}

// request sends a request and waits for its answer; what else the server says
// is passed over, also what is no message at all.
func (s *Server) request(method string, params any) (json.RawMessage, error) {
	s.last++
	if err := s.Tell(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method, "params": params}); err != nil {
		return nil, s.failed(err)
	}
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return nil, s.failed(err)
		}
		if !bytes.HasPrefix(line, []byte("{")) {
			continue // talk of an installer, say
		}
		var m struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		switch err := json.Unmarshal(line, &m); {
		case err != nil:
			return nil, s.failed(fmt.Errorf("%w: %.200s", err, line))
		case m.Error != nil:
			return nil, errors.New(m.Error.Message)
		case m.ID == s.last && m.Result != nil:
			return m.Result, nil
		}
	}
}
