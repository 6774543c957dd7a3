package console

// This file is the repair lab: it repairs what is pasted and runs nothing.

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"evergreen"
	"evergreen/internal/gateway"
	"evergreen/internal/repair"
	"evergreen/internal/ui"
	"evergreen/internal/web"
)

// Examples are calls to try, one of each shape that docs/gateway.md speaks of.
// All are calls of our own tools.
func Examples() []ui.LabExample {
	return []ui.LabExample{
		{Shape: "name", Call: `{"name": "mcp__evergreen__searchSections", "arguments": {"query": "token budget"}}`},
		{Shape: "envelope", Call: `{"tool": "search_context", "query": "token budget", "budget": 800}`},
		{Shape: "text", Call: `{"name": "search_sections", "arguments": "{\"query\": \"token budget\"}"}`},
		{Shape: "key", Call: `{"name": "get_section", "arguments": {"sectionID": "EG-202", "maxBytes": 2000}}`},
		{Shape: "value", Call: `{"name": "search_sections", "arguments": {"query": ["token budget"], "limit": "5"}}`},
		{Shape: "message", Call: "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/call\",\n \"params\": {\"name\": \"functions.get_toc\", \"args\": {\"Repo\": \"docs\", \"depth\": \"2\"}}}"},
		{Shape: "unclear", Call: `{"name": "search_sections", "arguments": {"q": "budget", "search_term": "citations"}}`},
		{Shape: "canonical", Call: `{"name": "search_context", "arguments": {"query": "token budget", "budget": 800}}`},
	}
}

// asked is what was pasted, and the list of tools to repair it for.
type asked struct {
	Call string `json:"call"`
	List string `json:"tools"`
}

// labAnswer is what became of a call, for programs.
type labAnswer struct {
	Outcome    string          `json:"outcome"` // exact, repaired, refused
	Error      string          `json:"error,omitempty"`
	ReadAs     string          `json:"read_as,omitempty"` // message, text
	Steps      []labStep       `json:"steps"`
	Run        json.RawMessage `json:"run,omitempty"`        // the call that would run
	Told       string          `json:"told,omitempty"`       // what the agent reads
	Candidates []string        `json:"candidates,omitempty"` // of a refused call
}

type labStep struct {
	Stage   string          `json:"stage"`
	Changes []repair.Change `json:"changes"`
	After   json.RawMessage `json:"after"`

	before []byte
}

// face is the one whose calls a caller's calls are repaired like.
func (c *Console) face(r *http.Request) *gateway.Face {
	if c.may(r) && c.o.Operators != nil {
		return c.o.Operators
	}
	return c.o.Readers
}

// readAsked reads the form, the query or the JSON of a request.
func readAsked(r *http.Request) (a asked, given bool, err error) {
	if sendsJSON(r) {
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			return a, false, evergreen.Errorf(evergreen.Invalid, "the question cannot be read: %w", err).
				Fix(`send {"call": "...", "tools": ""}, the call as text`)
		}
	} else {
		a = asked{r.FormValue("call"), r.FormValue("tools")}
	}
	if len(a.Call) > maxCall {
		return asked{List: a.List}, false, evergreen.Errorf(evergreen.TooLarge, "the call is larger than %d KiB", maxCall>>10)
	}
	return a, strings.TrimSpace(a.Call) != "", nil
}

// lab answers the page.
func (c *Console) lab(r *http.Request, at web.View) (web.Reply, error) {
	a, given, err := readAsked(r)
	if err != nil {
		return web.Reply{}, err
	}
	face := c.face(r)
	l := ui.Lab{Call: a.Call, List: a.List, Examples: Examples(), Operator: c.may(r)}
	for _, list := range face.Lists() {
		l.Lists = append(l.Lists, ui.LabList(list))
	}
	if given {
		answer, err := repaired(face, a)
		if err != nil {
			return web.Reply{}, err
		}
		l.Result = answer.shown()
	}
	return page(c.o.Pages.LabPage(at.Site, at.Lang, l))
}

// labJSON answers programs.
func (c *Console) labJSON(r *http.Request, _ web.View) (web.Reply, error) {
	a, given, err := readAsked(r)
	if err == nil && !given {
		err = evergreen.Errorf(evergreen.Invalid, "there is no call").Fix("send it as the parameter call, for example /lab.json?call=%%7B%%22name%%22...")
	}
	var answer labAnswer
	if err == nil {
		answer, err = repaired(c.face(r), a)
	}
	if err != nil {
		return refusal(r, 0, err)
	}
	return data(answer)
}

// repaired takes a call through the ladder.
func repaired(face *gateway.Face, a asked) (labAnswer, error) {
	cat, err := face.Catalogue(a.List)
	if err != nil {
		return labAnswer{}, err
	}
	raw, readAs := callOf(a.Call)
	if readAs == "other" {
		return labAnswer{Outcome: string(repair.Exact), ReadAs: readAs, Steps: []labStep{}}, nil
	}
	res, steps := repair.Trace(raw, cat)
	out := labAnswer{Outcome: string(res.Outcome), Error: res.Error, ReadAs: readAs, Steps: []labStep{}, Candidates: res.Candidates,
		Told: res.Hint + res.Refusal}
	for i, s := range steps {
		before := s.Before
		if i == 0 {
			before = []byte(strings.TrimSpace(a.Call))
			if readAs == "message" {
				before = raw
			}
		}
		out.Steps = append(out.Steps, labStep{Stage: s.Stage, Changes: s.Changes, After: s.After, before: before})
	}
	if res.Outcome != repair.Refused {
		arguments := json.RawMessage(res.Arguments)
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		run, err := web.Encode(struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}{res.Name, arguments}, "")
		if err != nil {
			return labAnswer{}, err
		}
		out.Run = bytes.TrimSpace(run)
	}
	return out, nil
}

// callOf finds the call in what was pasted: the params of a JSON-RPC message, the
// text itself, or, where that is no JSON, text for the repair to read. readAs is
// "message", "", or "text"; "other" is a message that calls no tool.
func callOf(pasted string) (raw []byte, readAs string) {
	text := strings.TrimSpace(pasted)
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	if json.Unmarshal([]byte(text), &m) == nil && m.Method != "" && (m.JSONRPC != "" || m.Params != nil) {
		switch {
		case m.Method != "tools/call":
			return nil, "other"
		case m.Params == nil:
			return []byte("null"), "message"
		}
		return m.Params, "message"
	}
	if json.Valid([]byte(text)) {
		return []byte(text), ""
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return []byte(text), ""
	}
	return quoted, "text"
}

// shown is the answer as the page shows it.
func (a labAnswer) shown() *ui.LabResult {
	r := &ui.LabResult{Outcome: a.Outcome, Error: a.Error, Note: a.ReadAs, Told: a.Told, Run: indented(a.Run)}
	for i, s := range a.Steps {
		step := ui.LabStep{Stage: s.Stage}
		for _, change := range s.Changes {
			step.Changes = append(step.Changes, ui.LabChange{Code: change.Code, Path: change.Path, Detail: change.Detail})
		}
		before := indented(s.before)
		if i > 0 {
			before = canonical(s.before)
		}
		step.Lines = difference(before, canonical(s.After))
		r.Steps = append(r.Steps, step)
	}
	return r
}

// canonical is a call as people compare it: name first, keys of arguments sorted.
func canonical(raw []byte) string {
	var call struct {
		Name      json.RawMessage `json:"name"`
		Arguments any             `json:"arguments"`
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // every digit stays
	if decoder.Decode(&call) != nil {
		return indented(raw)
	}
	sorted, err := web.Encode(call, "  ")
	if err != nil {
		return indented(raw)
	}
	return strings.TrimSpace(string(sorted))
}

// indented is JSON as people read it; what is no JSON stays as it is.
func indented(raw []byte) string {
	var b bytes.Buffer
	if len(raw) == 0 || json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
