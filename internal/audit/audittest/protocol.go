package audittest

// This file speaks the two protocols, as little of them as the checks ask for.

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"evergreen"
	"evergreen/internal/kb"
	"evergreen/internal/pack"
	"evergreen/internal/text"
)

// message is a JSON-RPC request or notification.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string            `json:"name"`
		Arguments map[string]string `json:"arguments"`
		Message   struct {
			Parts []struct {
				Text string `json:"text"`
			} `json:"parts"`
		} `json:"message"`
	} `json:"params"`
}

func tools() []evergreen.ToolInfo {
	var list []evergreen.ToolInfo
	for _, name := range []string{"search_context", "get_entry", "get_prompt_pack", "get_metrics"} {
		list = append(list, evergreen.ToolInfo{Name: name, Title: name, Description: "Answers " + name + ".",
			InputSchema: []byte(`{"type":"object","properties":{"query":{"type":"string"},"id":{"type":"string"},"scenario":{"type":"string"}}}`)})
	}
	return list
}

func (s *Server) mcp(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if strings.HasPrefix(strings.TrimSpace(string(body)), "[") {
		var batch []message
		if err := json.Unmarshal(body, &batch); err != nil {
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}`))
			return
		}
		var answers []any
		for _, m := range batch {
			if len(m.ID) > 0 {
				answers = append(answers, s.call(m))
			}
		}
		_, _ = w.Write(encode(answers))
		return
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}`))
		return
	}
	if len(m.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	_, _ = w.Write(encode(s.call(m)))
}

// call answers one MCP request.
func (s *Server) call(m message) any {
	answer := func(result any) any { return map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result} }
	switch m.Method {
	case "initialize":
		return answer(map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": "local/evergreen", "version": "1.0.0"}})
	case "tools/list":
		var list []any
		for _, t := range tools() {
			list = append(list, map[string]any{"name": t.Name, "description": t.Description, "inputSchema": json.RawMessage(t.InputSchema)})
		}
		return answer(map[string]any{"tools": list})
	case "tools/call":
		words, failed := s.tool(m.Params.Name, m.Params.Arguments)
		result := map[string]any{"content": []any{map[string]any{"type": "text", "text": words}}}
		if failed {
			result["isError"] = true
		}
		return answer(result)
	}
	return map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32601, "message": "unknown method"}}
}

func (s *Server) tool(name string, arguments map[string]string) (words string, failed bool) {
	switch name {
	case "search_context":
		b, err := s.bundle(evergreen.Query{Topic: arguments["query"], Budget: 2000, WholeText: true})
		if err != nil {
			return err.Error(), true
		}
		return pack.Markdown(b, 2000, text.Tokens), false
	case "get_entry":
		for _, e := range s.snap.Entries() {
			if e.ID == arguments["id"] {
				return "# " + pack.Marker(e) + " " + e.Title + "\n\n" + e.Body, false
			}
		}
		return "No entry is named " + arguments["id"] + ". Did you mean EG-201, EG-202?", true
	case "get_prompt_pack":
		words, err := kb.Pack(arguments["scenario"], "en")
		return words, err != nil
	case "get_metrics":
		return "12 entries", false
	}
	return "unknown tool " + name, true
}

// a2a answers message/send and SendMessage.
func (s *Server) a2a(w http.ResponseWriter, r *http.Request) {
	var m message
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}`))
		return
	}
	topic := ""
	for _, p := range m.Params.Message.Parts {
		topic += p.Text
	}
	words, _ := s.tool("search_context", map[string]string{"query": topic})
	reply := map[string]any{"messageId": "m-2", "contextId": "c-1", "role": "ROLE_AGENT", "parts": []any{map[string]any{"text": words}}}
	result := any(map[string]any{"message": reply})
	if m.Method == "message/send" {
		reply["kind"], reply["role"] = "message", "agent"
		reply["parts"] = []any{map[string]any{"kind": "text", "text": words}}
		result = reply
	}
	_, _ = w.Write(encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result}))
}
