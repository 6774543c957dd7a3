package websearch

// This file reads calls whose name or arguments are not where they belong. The
// SDK loses what lies beside them, so it works on the raw message.

import (
	"bytes"
	"encoding/json"
	"slices"

	"evergreen/internal/mcp/edge"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// envelope is what the hook noted about a call.
type envelope struct {
	tool    string // as the caller named it, "" for no name
	carrier string // key that carried the arguments; "params" for none; "" when in place
	moved   bool   // something was not in its place
}

// source adds the carrier to a source.
func (e envelope) source(source string) string {
	if e.carrier == "" {
		return source
	}
	return "nested:" + e.carrier + "." + source
}

// readEnvelope reads the hook's notes, or takes the call as it is.
func readEnvelope(r *sdk.CallToolRequest) envelope {
	if notes := edge.Notes(r.Extra); len(notes) == 2 {
		return envelope{tool: notes[0], carrier: notes[1], moved: true}
	}
	return envelope{tool: r.Params.Name}
}

// hook puts name and arguments of a call in their place and notes where they
// were. Everything else passes as it is.
func (s *Server) hook(raw []byte) ([]byte, []string) {
	if !bytes.Contains(raw, []byte("call")) {
		return raw, nil
	}
	var m struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(raw, &m) != nil || m.Method != "tools/call" {
		return raw, nil
	}
	env, arguments, inPlace := s.c.openEnvelope(node{m.Params})
	if inPlace {
		return raw, nil
	}
	out, err := rewrite(raw, m.Params, env.tool, arguments)
	if err != nil {
		return raw, nil
	}
	return out, []string{env.tool, env.carrier}
}

// openEnvelope takes the params of a call apart.
func (c Config) openEnvelope(params node) (env envelope, arguments json.RawMessage, inPlace bool) {
	if text, ok := params.text(); ok && params.kind() == '"' {
		inner, isJSON := unfold(text)
		if !isJSON {
			return envelope{carrier: "params"}, params.raw, false
		}
		params = inner
	}
	if params.kind() != '{' {
		if params.absent() {
			params.raw = json.RawMessage("{}")
		}
		return envelope{carrier: "params"}, params.raw, false
	}
	name, nameKey := nameOf(params)
	env.tool = name
	given, named := params.get("name")
	nameInPlace := nameKey == "name" && (!named || given.kind() == '"')
	rest := slices.DeleteFunc(params.fields(), func(f field) bool {
		return f.name == nameKey || slices.Contains([]string{"_meta", "task", "inputResponses", "requestState"}, f.name)
	})
	if at := slices.IndexFunc(rest, func(f field) bool { return f.name == "arguments" }); at >= 0 && (len(rest) == 1 || !hollow(rest[at].node)) {
		return env, rest[at].raw, nameInPlace
	}
	if len(rest) == 0 {
		return env, nil, nameInPlace
	}
	for _, key := range []string{"args", "parameters", "params", "input", "kwargs", "tool_input"} {
		if v, ok := params.get(key); ok && !hollow(v) {
			env.carrier = key
			return env, v.raw, false
		}
	}
	if function, ok := params.get("function"); ok {
		if v, ok := function.get("arguments"); ok && !hollow(v) {
			env.carrier = "function"
			return env, v.raw, false
		}
	}
	flat := map[string]json.RawMessage{}
	for _, f := range rest {
		if f.name != "arguments" {
			flat[f.name] = f.raw
		}
	}
	env.carrier = "params"
	raw, err := plainJSON(flat)
	if err != nil {
		return env, json.RawMessage("{}"), false
	}
	return env, raw, false
}

// nameOf finds the name of the tool and the key that holds it.
func nameOf(params node) (name, key string) {
	for _, key := range []string{"name", "tool", "tool_name", "toolName", "recipient_name"} {
		if v, ok := params.get(key); ok && v.kind() == '"' {
			if text, ok := v.text(); ok {
				return text, key
			}
		}
	}
	if function, ok := params.get("function"); ok {
		if v, ok := function.get("name"); ok {
			if text, ok := v.text(); ok {
				return text, "function.name"
			}
		}
	}
	return "", "name"
}

// hollow reports whether a carrier holds nothing.
func hollow(n node) bool {
	switch n.kind() {
	case '{':
		return len(n.fields()) == 0
	case '[':
		return len(n.items()) == 0
	}
	return n.absent()
}

// rewrite puts name and arguments into the message.
func rewrite(raw, params []byte, name string, arguments json.RawMessage) ([]byte, error) {
	var fields, before map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	after := map[string]json.RawMessage{}
	if json.Unmarshal(params, &before) == nil {
		for _, key := range []string{"_meta", "task", "inputResponses", "requestState"} {
			if v, ok := before[key]; ok {
				after[key] = v
			}
		}
	}
	var err error
	if after["name"], err = plainJSON(name); err != nil {
		return nil, err
	}
	if len(arguments) > 0 {
		after["arguments"] = arguments
	}
	if fields["params"], err = plainJSON(after); err != nil {
		return nil, err
	}
	return plainJSON(fields)
}
