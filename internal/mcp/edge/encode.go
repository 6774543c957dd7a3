package edge

// This file writes the results of tools. The SDK's own way goes through
// reflection and copies the text several times.

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"evergreen/internal/repair/jsonvalue"
)

// resultRoom is about what an answer takes beside its text.
const resultRoom = 1 << 10

// appendAnswer appends the JSON-RPC answer that holds a result. info is the
// server's Implementation as JSON for the modern era, whose results name the
// server and their own type; nil for the older one.
func appendAnswer(dst []byte, id json.RawMessage, res *mcp.CallToolResult, info []byte) ([]byte, error) {
	var err error
	dst = slices.Grow(dst, textBytes(res.Content)+len(info)+resultRoom)
	dst = append(append(append(dst, `{"jsonrpc":"2.0","id":`...), id...), `,"result":{`...)
	if dst, err = appendMeta(dst, res.Meta, info); err != nil {
		return nil, err
	}
	dst = append(dst, `"content":[`...)
	for i, c := range res.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendContent(dst, c); err != nil {
			return nil, err
		}
	}
	dst = append(dst, ']')
	if dst, err = appendStructured(dst, res.StructuredContent); err != nil {
		return nil, err
	}
	if res.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	if info != nil {
		dst = append(dst, `,"resultType":"complete"`...)
	}
	return append(dst, "}}"...), nil
}

// appendMeta appends _meta and a comma, unless there is nothing to say.
func appendMeta(dst []byte, meta mcp.Meta, info []byte) ([]byte, error) {
	_, named := meta[metaServer]
	switch {
	case len(meta) == 0 && info == nil:
		return dst, nil
	case len(meta) == 0:
		return append(append(append(dst, `"_meta":{"`+metaServer+`":`...), info...), "},"...), nil
	}
	raw, err := marshal(meta)
	if err != nil {
		return nil, err
	}
	dst = append(append(dst, `"_meta":`...), raw[:len(raw)-1]...)
	if info != nil && !named {
		dst = append(append(dst, `,"`+metaServer+`":`...), info...)
	}
	return append(dst, "},"...), nil
}

// appendContent appends one block; plain text, which nearly all are, without
// reflection.
func appendContent(dst []byte, c mcp.Content) ([]byte, error) {
	if text, ok := c.(*mcp.TextContent); ok && text.Annotations == nil && len(text.Meta) == 0 {
		return append(jsonvalue.AppendQuoted(append(dst, `{"type":"text","text":`...), text.Text), '}'), nil
	}
	return appendJSON(dst, c)
}

// appendStructured appends structured content, where there is any.
func appendStructured(dst []byte, v any) ([]byte, error) {
	if v == nil {
		return dst, nil
	}
	dst = append(dst, `,"structuredContent":`...)
	if raw, ok := v.(json.RawMessage); ok && json.Valid(raw) {
		return append(dst, raw...), nil
	}
	return appendJSON(dst, v)
}

// textBytes is about what the content takes.
func textBytes(content []mcp.Content) int {
	n := 0
	for _, c := range content {
		if text, ok := c.(*mcp.TextContent); ok {
			n += len(text.Text) + len(text.Text)/16 // escapes
		}
	}
	return n
}
