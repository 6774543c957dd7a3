package edge

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"evergreen/internal/repair/jsonvalue"
)

// A message is one JSON-RPC message, read just far enough to route it.
type message struct {
	raw    []byte
	fields jsonvalue.Members
	params jsonvalue.Members // nil unless params is an object
	meta   jsonvalue.Members // nil unless params._meta is an object
	method string            // "" for a response
	id     json.RawMessage   // nil when absent or null

	room [3 * usualMembers]jsonvalue.Member // for those of a usual message
}

// Keys of _meta that decide how a message is handled.
const (
	metaVersion  = "io.modelcontextprotocol/protocolVersion"
	metaLogLevel = "io.modelcontextprotocol/logLevel"
	metaProgress = "progressToken"

	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServer       = "io.modelcontextprotocol/serverInfo" // of results
)

// methodCall is the method that calls a tool.
const methodCall = "tools/call"

// notificationPrefix begins the method of every notification in MCP.
const notificationPrefix = "notifications/"

// parse reads one message. When the JSON is sound but the envelope is not, the
// message is returned together with the fault, so that its id can be echoed.
func parse(raw []byte) (*message, *fault) {
	m := &message{raw: raw}
	if len(bytes.TrimSpace(raw)) == 0 {
		return m, faultf(codeParse, "the body is empty: send one JSON-RPC message")
	}
	var ok bool
	if m.fields, ok = jsonvalue.MembersOf(raw, m.roomFor(0)); !ok {
		if err := json.Unmarshal(raw, new(any)); err != nil {
			return m, faultf(codeParse, "the message is not valid JSON: %v", err)
		}
		return m, faultf(codeInvalidRequest, "a message must be a JSON object")
	}
	m.params, _ = jsonvalue.MembersOf(m.fields.Get("params"), m.roomFor(1))
	m.meta, _ = jsonvalue.MembersOf(m.params.Get("_meta"), m.roomFor(2))
	return m, m.check()
}

// roomFor is the message's own room for the members of its object number i.
func (m *message) roomFor(i int) jsonvalue.Members {
	return m.room[i*usualMembers : i*usualMembers : (i+1)*usualMembers]
}

// check reads method and id and says what is wrong with the envelope.
func (m *message) check() *fault {
	rawID := m.fields.Get("id")
	var badID bool
	if len(rawID) > 0 && !bytes.Equal(rawID, []byte("null")) {
		if c := rawID[0]; c == '"' || c == '-' || c >= '0' && c <= '9' {
			m.id = rawID
		} else {
			badID = true
		}
	}
	if rawMethod, ok := m.fields.Find("method"); ok {
		if m.method, _ = unquoted(rawMethod); m.method == "" {
			return faultf(codeInvalidRequest, `"method" must be a string such as "tools/call"`)
		}
	} else if !m.response() {
		return faultf(codeInvalidRequest, `the message has no "method", "result" or "error"`)
	}
	if m.string(m.fields, "jsonrpc") != "2.0" {
		return faultf(codeInvalidRequest, `"jsonrpc" must be "2.0"`)
	}
	if badID {
		return faultf(codeInvalidRequest, `"id" must be a string or a number`)
	}
	if m.id == nil && (m.response() || !strings.HasPrefix(m.method, notificationPrefix)) {
		return faultf(codeInvalidRequest, `%q is a request: give it an "id" that is a string or a number`, m.method)
	}
	return nil
}

// response reports whether the message answers a request of the server.
func (m *message) response() bool {
	if _, ok := m.fields.Find("method"); ok {
		return false
	}
	_, result := m.fields.Find("result")
	_, fail := m.fields.Find("error")
	return result || fail
}

// call reports whether the message is a request that needs an answer.
func (m *message) call() bool { return m.method != "" && m.id != nil }

// string returns the string under key, "" if it is absent or no string.
func (*message) string(in jsonvalue.Members, key string) string {
	s, _ := unquoted(in.Get(key))
	return s
}

// unquoted is the text of a JSON string; ok is false for any other value.
func unquoted(raw json.RawMessage) (s string, ok bool) {
	if n := len(raw); n >= 2 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		for _, usual := range [...]string{"2.0", methodCall, ModernVersion, version2511} {
			if string(raw[1:n-1]) == usual {
				return usual, true
			}
		}
		return string(raw[1 : n-1]), true // UTF-8, as all of the message
	}
	ok = len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	return s, ok
}

// version is the protocol version that _meta names, "" if none.
func (m *message) version() string { return m.string(m.meta, metaVersion) }

// name is what the Mcp-Name header of a modern request must repeat; ok is
// false for methods without that header.
func (m *message) name() (name string, ok bool) {
	switch m.method {
	case methodCall, "prompts/get":
		return m.string(m.params, "name"), true
	case "resources/read":
		return m.string(m.params, "uri"), true
	}
	return "", false
}

// streams reports whether the sender asked for messages before the answer.
func (m *message) streams() bool {
	return present(m.meta.Get(metaProgress)) || present(m.meta.Get(metaLogLevel))
}

func present(raw json.RawMessage) bool {
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

// standIn marks an id that the edge gave to a request in place of its own.
const standIn = "evergreen-id:"

// plainID tells the ids that survive the SDK, which reads every number as a
// float and cuts it to an integer: strings, and integers below 10^15.
func plainID(id json.RawMessage) bool {
	if len(id) > 1 && id[0] == '"' && id[len(id)-1] == '"' || string(id) == "0" {
		return true
	}
	digits := bytes.TrimPrefix(id, []byte("-"))
	if len(digits) == 0 || len(digits) > 15 || digits[0] == '0' {
		return false
	}
	return !bytes.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
}

// safeID returns an id that the SDK echoes unchanged: id itself, or a stand-in
// string made from its literal.
func safeID(id json.RawMessage) json.RawMessage {
	if plainID(id) {
		return id
	}
	return encode(standIn + string(id))
}

// normalise rewrites what the SDK would lose or refuse without need: numbers as
// ids, absent params, the id that a cancellation refers to.
func (m *message) normalise() {
	changed := map[string]json.RawMessage{}
	if id := safeID(m.id); m.id != nil && !bytes.Equal(id, m.id) {
		changed["id"] = id
	}
	if m.call() && !present(m.fields.Get("params")) {
		changed["params"] = json.RawMessage("{}")
	}
	if id := m.params.Get("requestId"); m.method == notificationPrefix+"cancelled" && present(id) {
		if safe := safeID(id); !bytes.Equal(id, safe) {
			params := m.params.Map()
			params["requestId"] = safe
			changed["params"] = encode(params)
		}
	}
	if len(changed) > 0 {
		m.rewrite(changed)
	}
}

// dropVersion removes an older version from _meta. Such a key belongs to the
// modern era, and the SDK would hold the request to the rules of that era.
func (m *message) dropVersion() {
	if _, ok := m.meta.Find(metaVersion); ok {
		meta, params := m.meta.Map(), m.params.Map()
		delete(meta, metaVersion)
		params["_meta"] = encode(meta)
		m.rewrite(map[string]json.RawMessage{"params": encode(params)})
	}
}

// rewrite gives fields of the message other values.
func (m *message) rewrite(changed map[string]json.RawMessage) {
	fields := m.fields.Map()
	maps.Copy(fields, changed)
	m.raw = encode(fields)
	m.fields, _ = jsonvalue.MembersOf(m.raw, nil)
	m.params, _ = jsonvalue.MembersOf(m.fields.Get("params"), nil)
	m.meta, _ = jsonvalue.MembersOf(m.params.Get("_meta"), nil)
}

// restoreID puts the request's own id back into an encoded answer, and into the
// notifications of a subscription. The SDK writes the id right after the version.
func restoreID(answer []byte, sent, own json.RawMessage) []byte {
	if bytes.Equal(sent, own) {
		return answer
	}
	for _, head := range []string{`{"jsonrpc":"2.0","id":`, `"io.modelcontextprotocol/subscriptionId":`} {
		answer = bytes.Replace(answer, []byte(head+string(sent)), []byte(head+string(own)), 1)
	}
	return answer
}

// completed gives the answer to a modern request the resultType that its era
// demands. The SDK sets it on results of its own handlers, but not on what
// middleware answers in their place (unknown tools, panics).
func completed(answer []byte) []byte {
	const mark = `"resultType":"complete"`
	if bytes.HasSuffix(answer, []byte(mark+"}}")) {
		return answer // as the SDK writes the result of a tool
	}
	var wire struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	if json.Unmarshal(answer, &wire) != nil || wire.Result == nil {
		return answer
	}
	if _, ok := wire.Result["resultType"]; ok {
		return answer
	}
	head, rest, ok := bytes.Cut(answer, []byte(`"result":{`))
	if !ok {
		return answer
	}
	insert := `"result":{` + mark
	if len(wire.Result) > 0 {
		insert += ","
	}
	return slices.Concat(head, []byte(insert), rest)
}
