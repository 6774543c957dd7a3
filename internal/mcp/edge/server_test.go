// The server that the edges' tests stand in front of.
package edge

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// testServer has the plain tools, progress, and wait, which runs until release
// is closed.
func testServer(t *testing.T, release <-chan struct{}) *mcp.Server {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}})
	add := func(name string, h mcp.ToolHandler) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, h)
	}
	for name, h := range plainTools() {
		add(name, h)
	}
	add("progress", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if token := req.Params.GetProgressToken(); token != nil {
			req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 2})
		}
		return textResult("done"), nil
	})
	add("wait", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return textResult("waited"), nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "panic"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { panic("boom") })
	s.AddPrompt(&mcp.Prompt{Name: "fail"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return nil, errors.New("no luck")
	})
	s.AddReceivingMiddleware(Recover(quiet))
	return s
}

// plainTools are those tools of the test server that need no session.
func plainTools() map[string]mcp.ToolHandler {
	return map[string]mcp.ToolHandler{
		"echo": echo, "搜索": echo,
		"panic": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("boom") },
		"refuse": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: codeInvalidParams, Message: "not <so>", Data: json.RawMessage(`{"why":1}`)}
		},
		"fail": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("no luck")
		},
		"rich": func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{
				Meta: mcp.Meta{"x/meta": req.Params.Meta["x/asked"]},
				Content: []mcp.Content{
					&mcp.TextContent{Text: "a <b> & \"c\" \\ \n\t\x01 搜索 \u2028"},
					&mcp.TextContent{Text: "noted", Annotations: &mcp.Annotations{Priority: 1}},
					&mcp.ImageContent{Data: []byte{1, 2, 3}, MIMEType: "image/png"},
				},
				StructuredContent: map[string]any{"n": 1, "list": []string{"<a>"}}, IsError: true,
			}, nil
		},
		"raw": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"a":[1]}`)}, nil
		},
		"named": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Meta: mcp.Meta{metaServer: "other"}}, nil
		},
	}
}

func echo(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	text := string(req.Params.Arguments)
	if notes := Notes(req.Extra); len(notes) > 0 {
		text += " notes: " + strings.Join(notes, ", ")
	}
	return textResult(text), nil
}

func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
