package edge

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An opening is the initialize that the stdio edge sends in the name of a client
// that makes calls without one, as a pipe from a shell does.
type opening struct {
	sent     bool
	answered chan struct{}   // closed when result is there
	result   json.RawMessage // the SDK's answer
}

// openingID is the id of that initialize.
const openingID = standIn + "initialize"

// done reports whether the SDK answered.
func (o *opening) done() bool {
	select {
	case <-o.answered:
		return true
	default:
		return false
	}
}

// wait returns the channel that tells of the answer, nil unless it is wanted.
func (o *opening) wait(wanted bool) <-chan struct{} {
	if !wanted {
		return nil
	}
	return o.answered
}

// open sees to it that the SDK's session is open before a call of the older
// era, and reports whether the message shall still go to the SDK.
func (c *stdioConn) open(m *message, p *pendingCall) bool {
	switch {
	case m.method == "initialize" && c.opening.sent:
		c.answer(p, c.opening.repeat(m))
		return false
	case m.method == notificationPrefix+"initialized":
		return !c.opening.sent
	case m.method == "initialize" || m.call() && modern(m.version()):
		c.opened = true
	case c.opened || !m.call() || m.method == "ping":
	default:
		c.opened, c.opening.sent = true, true
		id, _ := jsonrpc.MakeID(openingID) // a string is always an id
		c.queue = append(c.queue,
			&jsonrpc.Request{ID: id, Method: "initialize", Params: json.RawMessage(
				`{"protocolVersion":"` + version2503 + `","capabilities":{},"clientInfo":{"name":"unnamed","version":"0"}}`)},
			&jsonrpc.Request{Method: notificationPrefix + "initialized", Params: json.RawMessage("{}")})
	}
	return true
}

// repeat answers a client's initialize that follows its first calls from what
// the SDK said to the edge's own.
func (o *opening) repeat(m *message) json.RawMessage {
	var result map[string]json.RawMessage
	if !o.done() || json.Unmarshal(o.result, &result) != nil || result == nil {
		return faultf(codeInvalidRequest, "initialize must be the first message").body(m.id)
	}
	version := m.string(m.params, "protocolVersion")
	if !slices.Contains([]string{version2024, version2503, version2506, version2511}, version) {
		version = version2511
	}
	result["protocolVersion"] = encode(version)
	return encode(struct {
		Version string                     `json:"jsonrpc"`
		ID      json.RawMessage            `json:"id"`
		Result  map[string]json.RawMessage `json:"result"`
	}{"2.0", m.id, result})
}
