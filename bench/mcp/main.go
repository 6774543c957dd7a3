// Mcp measures what one call of a tool costs a server: ours, the official SDK,
// mcp-go, and a handler that speaks no protocol, with the same answer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/engine"

	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

const (
	tree    = "react"
	tool    = "get_section"
	schema  = `{"type":"object","properties":{"id":{"type":"string"}}}`
	clients = 16                     // over HTTP
	window  = 16                     // calls under way over stdio
	slice   = 500 * time.Millisecond // of load in each run
	floor   = 120                    // microseconds of processor time
	size    = 2000                   // bytes that the answer's text is to have, about
)

// Transports and eras.
const (
	overHTTP = "HTTP"
	stdio    = "stdio"
	older    = "2025-11-25"
	newer    = "2026-07-28"
)

func main() {
	if len(os.Args) == 5 && os.Args[1] == "serve" {
		if err := servePeer(os.Args[2], os.Args[3], os.Args[4]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	study.Main("mcp", "MCP calls", []string{
		"What does one `tools/call` cost a server, and how many can it answer?",
		"The call is `get_section` with the id of a section of the React docs whose answer has about 2 KB of text, beside its metadata as structured content. " +
			"Evergreen is the whole product as it is served: guards, figures, repair of calls, the section read from the library and put together anew for every call. " +
			"The others are a tool of the same name that returns the same text and structured content from memory. " +
			"Each is a process of its own; over HTTP 16 connections are kept alive, over stdio 16 calls are under way. In each run every server is loaded for half a second after the other. " +
			"Processor time is that of the server's process in user and system mode (the clock behind getrusage), divided by the calls. Calls a second depend on the client, which shares the processors.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	s.Peers(standing()...)
	library, err := s.Index(ctx, tree)
	if err != nil {
		return err
	}
	id, err := section(ctx, library)
	if err != nil {
		return err
	}
	server, err := s.Program.Serve(ctx, s.Work, "--library", library)
	if err != nil {
		return err
	}
	defer func() { _ = server.Stop() }() // what it has answered is measured
	raw, _, err := study.Endpoint(server).Post(ctx, "tools/call", map[string]any{"name": tool, "arguments": map[string]any{"id": id}})
	if err != nil {
		return err
	}
	file := filepath.Join(s.Work, "mcp-answer.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		return err
	}
	same, err := readResult(file)
	if err != nil {
		return err
	}
	b := bench{study: s, id: id, want: same.Content[0].Text, file: file}
	if err := b.overHTTP(ctx, server); err != nil {
		return err
	}
	if err := b.overPipes(ctx, library); err != nil {
		return err
	}
	s.Say(fmt.Sprintf("The answer's result has %s bytes, its text %s.", report.Thousands(len(raw)), report.Thousands(len(b.want))))
	return nil
}

// section is the id of a section whose text has the wanted size.
func section(ctx context.Context, library string) (string, error) {
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return "", err
	}
	defer e.Close()
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: tree, Limit: -1})
	if err != nil {
		return "", err
	}
	for _, d := range outline.Documents {
		for _, o := range d.Sections {
			text, err := e.Section(ctx, evergreen.SectionRequest{ID: o.ID})
			if err != nil {
				return "", err
			}
			if n := len(text.Markdown); n >= size && n <= size+size/10 {
				return o.ID, nil
			}
		}
	}
	return "", fmt.Errorf("no section of %s has about %d bytes", tree, size)
}

// message is the call on the wire.
func (b *bench) message(era string, id int) []byte {
	params := map[string]any{"name": tool, "arguments": map[string]any{"id": b.id}}
	if era == newer {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    newer,
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "bench", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}
	}
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return raw
}

// check finds the wanted text in an answer, which may be an event of a stream.
func (b *bench) check(body []byte) error {
	text := string(body)
	if _, data, ok := strings.Cut(text, "data: "); ok && !strings.HasPrefix(text, "{") {
		text, _, _ = strings.Cut(data, "\n")
	}
	var m struct {
		Result result          `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return fmt.Errorf("%w: %.300s", err, body)
	}
	if len(m.Result.Content) != 1 || m.Result.Content[0].Text != b.want || len(m.Result.Structured) == 0 {
		return fmt.Errorf("another answer: %.300s", body)
	}
	return nil
}
