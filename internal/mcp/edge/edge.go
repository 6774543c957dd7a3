// Package edge is our own front of the MCP protocol: it stands between the
// wire (Streamable HTTP, stdio) and the server of the go-sdk, and makes every
// input come back as a JSON-RPC answer that a client can act on. It reads
// charsets, byte order marks and batches, decodes base64 header values, answers
// what the SDK would drop or refuse in plain text, keeps request ids exactly,
// and lets a [Hook] rewrite a raw message before the protocol sees it.
//
// It knows no tools. Host, Origin and token checks belong to httpguard, which
// is to be mounted outside of it; the SDK's own Host check is switched off here
// because it refuses a reverse proxy on the same machine.
//
// The protocol is that of https://modelcontextprotocol.io/specification. Two
// eras are served on one URL: the older ones (2024-11-05 to 2025-11-25), which
// are treated with leniency, and the stateless one that begins with
// [ModernVersion], whose rules about headers and batches stay strict.
package edge

import (
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ModernVersion is the first revision without sessions. A request is modern
// when its MCP-Protocol-Version header or its _meta names it or a later one.
const ModernVersion = "2026-07-28"

// Revisions of the older era, oldest first.
const (
	version2024 = "2024-11-05"
	version2503 = "2025-03-26"
	version2506 = "2025-06-18"
	version2511 = "2025-11-25"
)

// NotesHeader carries a hook's notes from the edge to the tool, one value per
// note. It is a header because the SDK hands headers to every handler, while
// the context of a stateful session is that of its first request. A client
// cannot set it: the edge removes what comes from outside.
const NotesHeader = "Evergreen-Notes"

// A Hook may rewrite one raw message before the protocol sees it. raw is UTF-8
// without byte order mark, one message and never a batch, but possibly not
// valid JSON. The hook returns the message to go on with (raw itself when
// there is nothing to do) and notes for the tool, which reads them with
// [Notes]. It must not keep or change raw, and is called concurrently.
//
// A modern HTTP request whose headers contradict its body is refused without
// asking the hook; when the hook changes the method or name of a consistent
// one, the headers follow.
type Hook func(raw []byte) (out []byte, notes []string)

// Notes returns the notes that the edge's hook left for the call that extra
// belongs to, nil if there are none.
func Notes(extra *mcp.RequestExtra) []string {
	if extra == nil {
		return nil
	}
	return extra.Header[http.CanonicalHeaderKey(NotesHeader)]
}

// run calls the hook, if there is one. A hook that panics changes nothing.
func (h Hook) run(raw []byte, log *slog.Logger) (out []byte, notes []string) {
	if h == nil {
		return raw, nil
	}
	defer func() {
		if p := recover(); p != nil {
			logPanic(log, "hook", p)
			out, notes = raw, nil
		}
	}()
	return h(raw)
}
