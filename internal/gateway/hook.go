package gateway

// This file repairs raw messages: the SDK loses what lies beside the arguments
// before any middleware sees a call.

import (
	"bytes"
	"context"
	"encoding/json"

	"evergreen/internal/repair"
	"evergreen/internal/repair/jsonvalue"
)

// exactNote says that a call was looked at and is canonical.
const exactNote = "exact"

// note carries what became of a call from the hook to the middleware.
type note struct {
	Outcome    repair.Outcome  `json:"o"`
	Name       string          `json:"n,omitempty"`
	Changes    []repair.Change `json:"c,omitempty"`
	Hint       string          `json:"h,omitempty"`
	Short      string          `json:"s,omitempty"`
	After      string          `json:"a,omitempty"`
	Error      string          `json:"e,omitempty"`
	Candidates []string        `json:"k,omitempty"`
	Refusal    string          `json:"r,omitempty"`
}

func noteOf(r repair.Result) note {
	n := note{Outcome: r.Outcome, Name: r.Name, Changes: r.Changes}
	switch r.Outcome {
	case repair.Repaired:
		n.Hint, n.Short, n.After = r.Hint, r.Short, r.AfterError()
	case repair.Refused:
		n.Error, n.Candidates, n.Refusal = r.Error, r.Candidates, r.Refusal
	}
	return n
}

func readNote(notes []string) (note, bool) {
	var n note
	switch {
	case len(notes) == 0:
		return n, false
	case notes[0] == exactNote:
		return note{Outcome: repair.Exact}, true
	}
	return n, json.Unmarshal([]byte(notes[0]), &n) == nil
}

// Hook repairs one raw message, and is the hook of package edge: it returns the
// message to go on with and a note for the middleware. Messages other than calls
// of tools, and canonical calls, come back as they are.
func (f *Face) Hook(raw []byte) (out []byte, notes []string) {
	if !bytes.Contains(raw, []byte("call")) {
		return raw, nil
	}
	message, ok := jsonvalue.MembersOf(raw, make(jsonvalue.Members, 0, messageMembers))
	if !ok || !isCall(message.Get("method")) {
		return raw, nil
	}
	params := message.Get("params")
	res := f.repair(params)
	if res.Outcome == repair.Exact && !res.Renamed {
		return raw, []string{exactNote}
	}
	said := exactNote
	if res.Outcome != repair.Exact {
		encoded, err := json.Marshal(noteOf(res))
		if err != nil {
			return raw, nil
		}
		said = string(encoded)
	}
	rewritten, err := rewrite(raw, params, res)
	if err != nil {
		return raw, nil
	}
	return rewritten, []string{said}
}

// isCall reports whether a method is the one that calls a tool.
func isCall(method json.RawMessage) bool {
	if string(method) == `"tools/call"` {
		return true
	}
	var name string
	return json.Unmarshal(method, &name) == nil && name == "tools/call"
}

// repair asks the catalogue; for a call that is not canonical, once more when
// every upstream has been asked for its tools: one of them may have what was
// meant.
func (f *Face) repair(params []byte) repair.Result {
	if len(params) == 0 {
		params = []byte("null")
	}
	settled := f.g.settled()
	res := repair.Call(params, f.current.Load().catalogue)
	if res.Outcome != repair.Exact && !settled {
		f.g.settle(context.Background()) // a bounded wait; the hook has no context
		res = repair.Call(params, f.current.Load().catalogue)
	}
	return res
}

// rewrite puts the repaired call into its message. What belongs to the protocol
// stays; a refused call gets a form that the SDK lets through to the
// middleware.
func rewrite(raw, params []byte, res repair.Result) ([]byte, error) {
	var fields, before map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	after := map[string]json.RawMessage{"arguments": res.Arguments}
	if json.Unmarshal(params, &before) == nil {
		for _, key := range []string{"_meta", "task", "inputResponses", "requestState"} {
			if v, ok := before[key]; ok {
				after[key] = v
			}
		}
	}
	if len(res.Arguments) == 0 || res.Outcome == repair.Refused {
		after["arguments"] = json.RawMessage("{}")
	}
	name := res.Name
	if name == "" {
		if json.Unmarshal(before["name"], &name) != nil || name == "" {
			name = "unknown"
		}
	}
	var err error
	if after["name"], err = plainJSON(name); err != nil {
		return nil, err
	}
	if fields["params"], err = plainJSON(after); err != nil {
		return nil, err
	}
	return plainJSON(fields)
}

// plainJSON is v as JSON with <, > and & as they are.
func plainJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
