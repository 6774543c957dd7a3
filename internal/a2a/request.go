package a2a

// This file reads a request and decides what it asks for.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"evergreen/internal/text"
)

// Request is one read request.
type Request struct {
	// Call is what to ask the Asker; nil when the answer is already known.
	Call *Call
	// Notification is a message without an id: it gets no answer.
	Notification bool
	// Dialect is the one to answer in.
	Dialect Dialect

	id        json.RawMessage
	contextID string
	modes     modes
	reply     any // result or *fault, when Call is nil
}

// operation is what a method does, whatever its name in a dialect.
type operation int

const (
	send operation = iota
	list
	noTask
	noStream
	noPush
	noCard10
	noCard03
)

// methods are the methods of a dialect, in the order of the specification.
func methods(d Dialect) []struct {
	name string
	does operation
} {
	type method = struct {
		name string
		does operation
	}
	if d == V03 {
		return []method{
			{"message/send", send}, {"message/stream", noStream}, {"tasks/get", noTask}, {"tasks/list", list},
			{"tasks/cancel", noTask}, {"tasks/resubscribe", noStream},
			{"tasks/pushNotificationConfig/set", noPush}, {"tasks/pushNotificationConfig/get", noPush},
			{"tasks/pushNotificationConfig/list", noPush}, {"tasks/pushNotificationConfig/delete", noPush},
			{"agent/getAuthenticatedExtendedCard", noCard03},
		}
	}
	return []method{
		{"SendMessage", send}, {"SendStreamingMessage", noStream}, {"GetTask", noTask}, {"ListTasks", list},
		{"CancelTask", noTask}, {"SubscribeToTask", noStream},
		{"CreateTaskPushNotificationConfig", noPush}, {"GetTaskPushNotificationConfig", noPush},
		{"ListTaskPushNotificationConfigs", noPush}, {"DeleteTaskPushNotificationConfig", noPush},
		{"GetExtendedAgentCard", noCard10},
	}
}

// envelope is a JSON-RPC request before its parts are looked at.
type envelope struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  json.RawMessage `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// Parse reads a body. version is what the A2A-Version header or query parameter
// says, "" when neither does; acceptLanguage goes on to the skill. It never
// fails: what cannot be done is an answer too.
func Parse(body []byte, version, acceptLanguage string) Request {
	r := Request{Dialect: declared(version), id: json.RawMessage("null")}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\uFEFF")))
	var e envelope
	switch {
	case !json.Valid(body):
		return r.with(faultOf(codeParse, "The body is not JSON. Send one JSON-RPC 2.0 object.", nil))
	case body[0] == '[':
		return r.with(faultOf(codeInvalidRequest, "A2A has no batches. Send one JSON-RPC 2.0 object.", nil))
	case body[0] != '{' || json.Unmarshal(body, &e) != nil:
		return r.with(faultOf(codeInvalidRequest, "The body is no JSON-RPC 2.0 object.", nil))
	}
	if e.ID != nil {
		if !isID(e.ID) {
			return r.with(faultOf(codeInvalidRequest, "id must be a string or a number.", nil))
		}
		r.id = e.ID
	}
	var method, rpc string
	if json.Unmarshal(e.Version, &rpc) != nil || rpc != "2.0" {
		return r.with(faultOf(codeInvalidRequest, `jsonrpc must be "2.0".`, nil))
	}
	if json.Unmarshal(e.Method, &method) != nil || method == "" {
		return r.with(faultOf(codeInvalidRequest, "method must name a method, for example SendMessage.", nil))
	}
	r.Notification = e.ID == nil
	does, dialect, known := find(method)
	if known {
		r.Dialect = dialect
	}
	if !supported(version) {
		r.Dialect = V10
		return r.with(faultOf(codeVersion, "A2A version "+shown(version)+" is not supported; send A2A-Version 1.0 or 0.3.",
			map[string]string{"requested": shown(version), "supported": "1.0, 0.3"}))
	}
	if !known {
		return r.with(faultOf(codeMethod, "There is no method "+shown(method)+"; the nearest is "+nearest(method, r.Dialect)+".", nil))
	}
	return r.perform(does, method, e.Params, acceptLanguage)
}

func (r Request) with(reply any) Request {
	r.reply = reply
	return r
}

// perform decides on the answer, or on the call that makes it.
func (r Request) perform(does operation, method string, params json.RawMessage, acceptLanguage string) Request {
	switch does {
	case send:
		return r.message(params, acceptLanguage)
	case list:
		return r.with(taskList{Tasks: []any{}, PageSize: pageSize(params)})
	case noTask:
		return r.with(taskNotFound(taskID(params)))
	case noPush:
		return r.with(faultOf(codePush, "This agent sends no push notifications; answers come at once.", nil))
	case noCard03:
		return r.with(faultOf(codeExtendedCard, "There is no extended card; the public one says everything.", nil))
	case noCard10:
		return r.with(faultOf(codeUnsupported, "There is no extended card; the public one says everything.", nil))
	}
	instead := "SendMessage"
	if r.Dialect == V03 {
		instead = "message/send"
	}
	return r.with(faultOf(codeUnsupported, method+" is not supported: this agent does not stream. Use "+instead+".", nil))
}

// taskList is an empty page of tasks: the server keeps none.
type taskList struct {
	Tasks         []any  `json:"tasks"`
	NextPageToken string `json:"nextPageToken"`
	PageSize      int    `json:"pageSize"`
	TotalSize     int    `json:"totalSize"`
}

func pageSize(params json.RawMessage) int {
	var p struct {
		PageSize *int `json:"pageSize"`
	}
	if json.Unmarshal(params, &p) != nil || p.PageSize == nil {
		return defaultPage
	}
	return min(max(*p.PageSize, 1), maxPage)
}

func taskID(params json.RawMessage) string {
	var p struct {
		ID     string `json:"id"`
		TaskID string `json:"taskId"`
	}
	_ = json.Unmarshal(params, &p) // an id that cannot be read is not known either
	if p.ID == "" {
		return p.TaskID
	}
	return p.ID
}

func taskNotFound(id string) *fault {
	message := "There is no such task; this agent answers with messages and keeps no tasks."
	if id == "" {
		return faultOf(codeTaskNotFound, message, nil)
	}
	return faultOf(codeTaskNotFound, message, map[string]string{"taskId": shown(id)})
}

// find looks a method up in both dialects.
func find(method string) (operation, Dialect, bool) {
	for _, d := range []Dialect{V10, V03} {
		for _, m := range methods(d) {
			if m.name == method {
				return m.does, d, true
			}
		}
	}
	return 0, "", false
}

// nearest is the known method that is written most like a name, one of the
// given dialect when both are as near.
func nearest(method string, d Dialect) string {
	other := V10
	if d == V10 {
		other = V03
	}
	var names []string
	for _, dialect := range []Dialect{d, other} {
		for _, m := range methods(dialect) {
			names = append(names, m.name)
		}
	}
	if near := text.Nearest(method, names, 1); len(near) > 0 {
		return near[0]
	}
	return names[0]
}

// declared is the dialect that a version names; an absent one is 0.3.
func declared(version string) Dialect {
	if version = strings.TrimSpace(version); version == "1.0" || strings.HasPrefix(version, "1.0.") {
		return V10
	}
	return V03
}

// supported reports whether a version is spoken: 1.0, 0.3, with or without a
// patch number, or not said.
func supported(version string) bool {
	version = strings.TrimSpace(version)
	for _, v := range []string{"", "1.0", "0.3"} {
		if version == v {
			return true
		}
		if patch, ok := strings.CutPrefix(version, v+"."); v != "" && ok && patch != "" && strings.Trim(patch, "0123456789") == "" {
			return true
		}
	}
	return false
}

// isID reports whether raw JSON can be a request's id.
func isID(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' || string(raw) == "null")
}

// String tells requests apart in logs, without a word of their content.
func (r Request) String() string {
	if f, ok := r.reply.(*fault); ok {
		return fmt.Sprintf("a2a %s: error %d", r.Dialect, f.Code)
	}
	return "a2a " + string(r.Dialect)
}
