package a2a

// This file reads the message of a question and writes the one that answers.

import (
	"bytes"
	"encoding/json"
	"strings"
)

type sendParams struct {
	Message       json.RawMessage `json:"message"`
	Configuration struct {
		AcceptedOutputModes []string `json:"acceptedOutputModes"`
	} `json:"configuration"`
}

type inMessage struct {
	ContextID string            `json:"contextId"`
	TaskID    string            `json:"taskId"`
	Parts     []json.RawMessage `json:"parts"`
}

// inPart holds the members of both dialects; which are set tells what it is.
type inPart struct {
	Kind string          `json:"kind"`
	Text *string         `json:"text"`
	Data json.RawMessage `json:"data"`
	Raw  json.RawMessage `json:"raw"`
	URL  json.RawMessage `json:"url"`
	File json.RawMessage `json:"file"`
}

// skillCall is the data part that calls a skill by name.
type skillCall struct {
	Skill     string          `json:"skill"`
	Arguments json.RawMessage `json:"arguments"`
}

// question is what the parts of a message hold.
type question struct {
	texts []string
	calls []skillCall
	data  int // data parts without a skill
	files int
	other int
}

// message reads the parameters of a send.
func (r Request) message(params json.RawMessage, acceptLanguage string) Request {
	var p sendParams
	var m inMessage
	if params == nil || json.Unmarshal(params, &p) != nil {
		return r.with(badParams("params cannot be read.", "params", "an object with a message is needed"))
	}
	if p.Message == nil || json.Unmarshal(p.Message, &m) != nil {
		return r.with(badParams("The message cannot be read.", "message", "an object with parts is needed"))
	}
	if m.TaskID != "" {
		return r.with(taskNotFound(m.TaskID))
	}
	r.contextID = m.ContextID
	var ok bool
	if r.modes, ok = modesOf(p.Configuration.AcceptedOutputModes); !ok {
		return r.with(faultOf(codeContentType, "None of the accepted output modes is spoken here; accept text/markdown, text/plain or application/json.",
			map[string]string{"supported": "text/markdown, text/plain, application/json"}))
	}
	q, err := readParts(m.Parts)
	if err != nil {
		return r.with(err)
	}
	return r.ask(q, acceptLanguage)
}

func readParts(parts []json.RawMessage) (question, *fault) {
	var q question
	if len(parts) > maxParts {
		return q, badParams("The message has too many parts.", "message.parts", "at most 100 parts are read")
	}
	for _, raw := range parts {
		var p inPart
		if json.Unmarshal(raw, &p) != nil {
			return q, badParams("A part of the message cannot be read.", "message.parts", "each part is an object with text, data, raw or url")
		}
		switch {
		case p.Text != nil:
			q.texts = append(q.texts, *p.Text)
		case present(p.Data):
			var c skillCall
			if json.Unmarshal(p.Data, &c) == nil && c.Skill != "" {
				q.calls = append(q.calls, c)
			} else {
				q.data++
			}
		case present(p.Raw), present(p.URL), present(p.File), p.Kind == "file":
			q.files++
		default:
			q.other++
		}
	}
	return q, nil
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// ask turns what the parts hold into a call.
func (r Request) ask(q question, acceptLanguage string) Request {
	const need = "one text part, or one data part with skill and arguments, is needed"
	topic := strings.TrimSpace(strings.Join(q.texts, "\n"))
	switch {
	case len(q.calls) > 1:
		return r.with(badParams("The message calls more than one skill. Send one message for each.", "message.parts", need))
	case len(q.calls) == 1:
		r.Call = &Call{q.calls[0].Skill, q.calls[0].Arguments, acceptLanguage}
		if !present(r.Call.Arguments) {
			r.Call.Arguments = json.RawMessage("{}")
		}
		return r
	case topic != "":
		r.Call = &Call{questionSkill, bytes.TrimSpace(encode(struct {
			Query  string `json:"query"`
			Budget int    `json:"budget"`
		}{topic, questionBudget})), acceptLanguage}
		return r
	case q.files > 0 && q.data+q.other+len(q.texts) == 0:
		return r.with(faultOf(codeContentType, "Files are not read here. Put the question into a text part.",
			map[string]string{"supported": "text/plain, application/json"}))
	case q.data > 0:
		return r.with(badParams("The data part names no skill. Put the question into a text part.", "message.parts", need))
	}
	return r.with(badParams("The message holds no text. Put the question into a text part.", "message.parts", need))
}

// modes say which parts a client accepts.
type modes struct {
	text string // media type of the text part, "" for none
	data bool
}

// modesOf reads acceptedOutputModes; ok is false when nothing of ours is among
// them. An empty list accepts everything.
func modesOf(accepted []string) (m modes, ok bool) {
	if len(accepted) == 0 {
		return modes{"text/markdown", true}, true
	}
	plain := false
	for _, mode := range accepted {
		mode, _, _ = strings.Cut(strings.ToLower(mode), ";")
		switch strings.TrimSpace(mode) {
		case "*/*", "*":
			return modes{"text/markdown", true}, true
		case "text/markdown", "text/*":
			m.text = "text/markdown"
		case "text/plain", "text":
			plain = true
		case "application/json", "application/*":
			m.data = true
		}
	}
	if m.text == "" && plain {
		m.text = "text/plain"
	}
	return m, m.text != "" || m.data
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *fault          `json:"error,omitempty"`
}

type message10 struct {
	MessageID string   `json:"messageId"`
	ContextID string   `json:"contextId"`
	Role      string   `json:"role"`
	Parts     []part10 `json:"parts"`
}

type part10 struct {
	Text      *string         `json:"text,omitempty"`
	Data      json.RawMessage `json:"data,omitempty"`
	MediaType string          `json:"mediaType"`
}

type message03 struct {
	Kind      string   `json:"kind"`
	MessageID string   `json:"messageId"`
	ContextID string   `json:"contextId"`
	Role      string   `json:"role"`
	Parts     []part03 `json:"parts"`
}

type part03 struct {
	Kind string          `json:"kind"`
	Text *string         `json:"text,omitempty"`
	Data json.RawMessage `json:"data,omitempty"`
}

// Reply is the answer to a request that needs no call.
func (r Request) Reply() []byte {
	if f, ok := r.reply.(*fault); ok {
		return encode(response{Version: "2.0", ID: r.id, Error: f})
	}
	return encode(response{Version: "2.0", ID: r.id, Result: r.reply})
}

// Fail is the answer to a call that ended in an error.
func (r Request) Fail(err error) []byte { return r.with(faultFor(err)).Reply() }

// Answer writes what a skill said as a message in the request's dialect, as far
// as the client accepts its parts. newID makes ids that are unique.
func (r Request) Answer(a Answer, newID func() string) []byte {
	text, data := a.parts(r.modes)
	messageID, contextID := newID(), r.contextID
	if contextID == "" {
		contextID = newID()
	}
	if r.Dialect == V03 {
		m := message03{Kind: "message", MessageID: messageID, ContextID: contextID, Role: "agent", Parts: []part03{}}
		if text != nil {
			m.Parts = append(m.Parts, part03{Kind: "text", Text: text})
		}
		if data != nil {
			m.Parts = append(m.Parts, part03{Kind: "data", Data: data})
		}
		return r.with(m).Reply()
	}
	m := message10{MessageID: messageID, ContextID: contextID, Role: "ROLE_AGENT", Parts: []part10{}}
	if text != nil {
		m.Parts = append(m.Parts, part10{Text: text, MediaType: r.modes.text})
	}
	if data != nil {
		m.Parts = append(m.Parts, part10{Data: data, MediaType: "application/json"})
	}
	return r.with(struct {
		Message message10 `json:"message"`
	}{m}).Reply()
}

// parts are the parts that a client accepts. Who takes JSON only gets the text
// as a member of the data, so that the answer does not vanish.
func (a Answer) parts(m modes) (text *string, data json.RawMessage) {
	if m.text != "" {
		text = &a.Text
	}
	if !m.data {
		return text, nil
	}
	data = a.Data
	if text != nil {
		return text, data
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil || members == nil {
		return nil, bytes.TrimSpace(encode(map[string]string{"text": a.Text}))
	}
	if _, taken := members["text"]; taken {
		return nil, data
	}
	object := bytes.Clone(bytes.TrimSpace(data))
	object = bytes.TrimSpace(object[:len(object)-1]) // the closing brace
	if len(members) > 0 {
		object = append(object, ',')
	}
	object = append(append(object, `"text":`...), bytes.TrimSpace(encode(a.Text))...)
	return nil, append(object, '}')
}
