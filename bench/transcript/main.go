// Transcript tells the whole story once, on a large library: it is indexed, one
// file is edited, an indexing process is killed in mid-write, and then every
// tool is called over HTTP, each answer with its size beside its budget.
//
// The answers themselves are other people's documentation, so the transcript
// holds their first lines only; -full names a file for the whole of them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"evergreen/bench/internal/calls"
	"evergreen/bench/internal/endpoint"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
	"evergreen/internal/text"
)

const tree = "mdn-en"

func main() {
	full := flag.String("full", "", "also write the whole answers to this file")
	study.Main("transcript", "Transcript", []string{
		"Does the main job hold together from end to end, also after a crash?",
		"MDN, English, is indexed; one file is edited; an indexing process is killed in mid-write; then every tool is called over HTTP, " +
			"as bare POSTs without a handshake. Shown of each answer: its first line, and its size beside its bound.",
	}, func(ctx context.Context, s *study.Study) error {
		st := &story{Study: s, library: filepath.Join(s.Work, "library-transcript")}
		if err := st.tell(ctx); err != nil {
			return err
		}
		if *full == "" {
			return nil
		}
		return os.WriteFile(*full, []byte(st.answers.String()), 0o644)
	})
}

// story is the transcript while it happens.
type story struct {
	*study.Study
	source, library string
	answers         strings.Builder // whole
}

func (st *story) tell(ctx context.Context) error {
	var err error
	own := filepath.Join(st.Work, "transcript") // a copy that may be edited
	if err := errors.Join(os.RemoveAll(st.library), os.RemoveAll(own), os.MkdirAll(own, 0o755)); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(own) }() // it lies in a working folder
	if st.source, err = st.Corpora.Docs(tree, own); err != nil {
		return err
	}
	st.Say("## Index")
	if err := st.shell(ctx, "index", st.source, "--name", tree); err != nil {
		return err
	}
	if err := st.editAndKill(ctx); err != nil {
		return err
	}
	return st.askEverything(ctx)
}

// shell runs the program and shows what it said.
func (st *story) shell(ctx context.Context, args ...string) error {
	u, err := st.Program.Run(ctx, append(args, "--library", st.library)...)
	if err != nil {
		return err
	}
	out := strings.TrimRight(string(u.Out)+string(u.Err), "\n")
	st.Say("```console\n$ evergreen " + st.anonymous(strings.Join(quoted(args), " ")) + "\n" + st.anonymous(out) +
		"\n```\n" + report.Number(u.Wall.Seconds()) + " s")
	return nil
}

// anonymous hides where this machine keeps its files.
func (st *story) anonymous(text string) string {
	return strings.NewReplacer(st.source, "./mdn", st.Work, ".").Replace(text)
}

func quoted(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if out[i] = a; strings.ContainsAny(a, " '\"") {
			out[i] = strconv.Quote(a)
		}
	}
	return out
}

// askEverything calls every tool, and lists the tools.
func (st *story) askEverything(ctx context.Context) error {
	folder := filepath.Join(st.Work, "small")
	if err := calls.SmallFolder(folder); err != nil {
		return err
	}
	knowledge, err := filepath.Abs(filepath.Join("..", "docs", "context.json"))
	if err != nil {
		return err
	}
	p, err := st.Program.Serve(ctx, st.Work, "--library", st.library, "--kb", knowledge)
	if err != nil {
		return err
	}
	err = st.ask(ctx, study.Endpoint(p), folder)
	if stopped := p.Stop(); err == nil {
		err = stopped
	}
	return err
}

func (st *story) ask(ctx context.Context, e endpoint.Endpoint, folder string) error {
	list, status, err := e.Post(ctx, "tools/list", nil)
	if err != nil {
		return err
	}
	st.Say("## Every tool\n\n```console\n$ evergreen serve --library ./library --kb docs/context.json\n" +
		"$ curl -s localhost:4173/mcp -H 'Content-Type: application/json' -d '" + body("tools/list", nil) + "'\n```\n" +
		fmt.Sprintf("Status %d, %d tokens of at most 3,000.", status, text.Tokens(string(list))))
	m, err := calls.Gather(ctx, e, tree, []string{"align items in a flex container", "如何对齐弹性容器"})
	if err != nil {
		return err
	}
	for _, c := range st.script(m.IDs, folder) {
		if err := st.call(ctx, e, c); err != nil {
			return err
		}
	}
	return nil
}

// script is one telling call of each tool, in the order an agent would take.
func (st *story) script(ids []string, folder string) []calls.Call {
	return []calls.Call{
		{Tool: "list_repos", Arguments: map[string]any{}, Tokens: 1000},
		{Tool: "get_prompt_pack", Arguments: map[string]any{"scenario": "coding"}, Tokens: 2000},
		{Tool: "search_context", Arguments: map[string]any{"query": "How do I centre an element with grid?"}, Tokens: 2000},
		{Tool: "search_context", Arguments: map[string]any{"query": "How do I centre an element with grid?", "budget": 500}, Tokens: 500},
		{Tool: "search_context", Arguments: map[string]any{"query": "幻觉 引用", "budget": 600}, Tokens: 600},
		{Tool: "search_context", Arguments: map[string]any{"query": "zzxqj wvvkq", "budget": 400}, Tokens: 400},
		{Tool: "search_sections", Arguments: map[string]any{"query": editedWord, "repo": tree, "limit": 3}, Tokens: 2000},
		{Tool: "search_sections", Arguments: map[string]any{"query": "promise", "doc_path": "files/en-us/web/javascript/**", "budget": 700}, Tokens: 700},
		{Tool: "get_toc", Arguments: map[string]any{"repo": tree, "budget": 1000}, Tokens: 1000},
		{Tool: "get_section", Arguments: map[string]any{"ids": ids, "max_bytes": 4000, "verify": true}, Bytes: 4000},
		{Tool: "get_section_context", Arguments: map[string]any{"id": ids[0]}, Bytes: 8000},
		{Tool: "get_section", Arguments: map[string]any{"id": tree + "::files/en-us/web/css/no/such.md::section#2"}, Tokens: 200},
		{Tool: "get_entry", Arguments: map[string]any{"id": "EG-201"}, Tokens: 2000},
		{Tool: "get_metrics", Arguments: map[string]any{}, Tokens: 1000},
		{Tool: "index_local", Arguments: map[string]any{"path": folder, "name": "small", "budget": 300}, Tokens: 300},
		{Tool: "delete_index", Arguments: map[string]any{"repo": "small"}, Tokens: 200},
	}
}

// call makes a call and shows it.
func (st *story) call(ctx context.Context, e endpoint.Endpoint, c calls.Call) error {
	a, err := e.Call(ctx, c.Tool, c.Arguments)
	if err != nil {
		return err
	}
	n, mark := c.Size(a.Text), "within"
	if n > c.Bound() {
		mark = "**OVER**"
	}
	var meta struct {
		Truncated bool
		Hits      []json.RawMessage
		Entries   []json.RawMessage
		Sections  []json.RawMessage
	}
	// Metadata of other shapes has none of these.
	_ = json.Unmarshal(a.Meta, &meta)
	facts := []string{fmt.Sprintf("status %d", a.Status), fmt.Sprintf("%s of %s, %s", report.Thousands(n), c.Limit(), mark)}
	if a.IsError {
		facts = append(facts, "isError")
	}
	for _, list := range []struct {
		name  string
		items []json.RawMessage
	}{{"hits", meta.Hits}, {"entries", meta.Entries}, {"sections", meta.Sections}} {
		if len(list.items) > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", len(list.items), list.name))
		}
	}
	if meta.Truncated {
		facts = append(facts, "truncated, says how to go on")
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(a.Text, "> "), "\n")
	request := st.anonymous(body("tools/call", map[string]any{"name": c.Tool, "arguments": c.Arguments}))
	st.Say("### " + c.Tool + "\n\n```json\n" + request + "\n```\n" + strings.Join(facts, " · ") + "\n\n> " + st.anonymous(first))
	fmt.Fprintf(&st.answers, "=== %s\n%s\n\n%s\n\n", request, strings.Join(facts, " · "), a.Text)
	return nil
}

func body(method string, params any) string {
	raw, err := endpoint.Body(method, params)
	if err != nil {
		return method
	}
	return string(raw)
}
