package main

// This file holds the other servers. Each is this program once more, in a
// process of its own, and gives the answer that Evergreen gave.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"

	peermcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Names of the other servers.
const (
	goSDK     = "go-sdk"
	goSDKHeld = "go-sdk-sessions" // the same with sessions for older clients
	mcpGo     = "mcp-go"
	bare      = "bare"
)

// result is the answer to give, as it stands in the result of Evergreen's.
type result struct {
	Content    []struct{ Text string } `json:"content"`
	Structured json.RawMessage         `json:"structuredContent"`

	raw []byte
}

func readResult(file string) (r result, err error) {
	if r.raw, err = os.ReadFile(file); err != nil {
		return r, err
	}
	if err = json.Unmarshal(r.raw, &r); err == nil && len(r.Content) != 1 {
		err = fmt.Errorf("the answer has %d blocks, not one", len(r.Content))
	}
	return r, err
}

// servePeer is a server of the given name: over HTTP on a free port, whose URL is
// the first line of its output, or over standard input and output. It ends with
// its input.
func servePeer(name, transport, file string) error {
	r, err := readResult(file)
	if err != nil {
		return err
	}
	if transport == stdio {
		return servePipe(name, r)
	}
	handler, err := peerHandler(name, r)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	go func() { _ = http.Serve(listener, handler) }() // until the process ends
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func peerHandler(name string, r result) (http.Handler, error) {
	switch name {
	case goSDK, goSDKHeld:
		s := newSDK(r)
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s },
			&sdk.StreamableHTTPOptions{Stateless: name == goSDK, JSONResponse: true}), nil
	case mcpGo:
		return server.NewStreamableHTTPServer(newMCPGo(r), server.WithStateLess(true)), nil
	case bare:
		return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			body, err := io.ReadAll(q.Body)
			if err != nil {
				return
			}
			answer, ok := r.answer(body)
			w.Header().Set("Content-Type", "application/json")
			if !ok {
				w.WriteHeader(http.StatusAccepted)
				return
			}
			w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
			_, _ = w.Write(answer) // a client that went away is no error of ours
		}), nil
	}
	return nil, fmt.Errorf("no server is called %q", name)
}

func servePipe(name string, r result) error {
	switch name {
	case goSDK:
		return newSDK(r).Run(context.Background(), &sdk.StdioTransport{})
	case mcpGo:
		return server.ServeStdio(newMCPGo(r))
	case bare:
		in := bufio.NewReader(os.Stdin)
		for {
			line, err := in.ReadBytes('\n')
			if answer, ok := r.answer(line); ok {
				if _, err := os.Stdout.Write(append(answer, '\n')); err != nil {
					return err
				}
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("no server is called %q", name)
}

// answer is what a handler without any protocol says: the id is read and echoed,
// nothing is checked. ok is false for what wants no answer.
func (r result) answer(request []byte) (answer []byte, ok bool) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal(request, &m) != nil || len(m.ID) == 0 {
		return nil, false
	}
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(m.ID)
	b.WriteString(`,"result":`)
	b.Write(r.raw)
	b.WriteString(`}`)
	return b.Bytes(), true
}

func newSDK(r result) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "peer", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: tool, Description: "the same answer", InputSchema: json.RawMessage(schema)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: r.Content[0].Text}}, StructuredContent: r.Structured}, nil
		})
	return s
}

func newMCPGo(r result) *server.MCPServer {
	s := server.NewMCPServer("peer", "1")
	s.AddTool(peermcp.NewToolWithRawSchema(tool, "the same answer", json.RawMessage(schema)),
		func(context.Context, peermcp.CallToolRequest) (*peermcp.CallToolResult, error) {
			return &peermcp.CallToolResult{Content: []peermcp.Content{peermcp.NewTextContent(r.Content[0].Text)}, StructuredContent: r.Structured}, nil
		})
	return s
}
