package main

// This file calls every tool on real documentation through the whole HTTP face:
// guards, edge, repair of arguments, engine. No answer exceeds its budget.

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/text"
	"evergreen/internal/web"
)

// leastBytes is the size of a whole get_section answer that max_bytes below it
// does not bound.
const leastBytes = 600

// toolAnswer is what a tool said.
type toolAnswer struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

// face is the product's HTTP face over a library.
type face struct {
	url    string
	called map[string]int
}

func serveReal(t *testing.T, e library, s config.Settings, roots ...string) *face {
	t.Helper()
	mcp := newMCPFace(e, s, roots, slog.New(slog.DiscardHandler))
	t.Cleanup(mcp.jobs.Close)
	read, admin, _, err := mcp.handlers()
	if err != nil {
		t.Fatal(err)
	}
	options, err := webOptions(t.Context(), mcp, read, admin)
	if err != nil {
		t.Fatal(err)
	}
	handler := web.New(options)
	t.Cleanup(handler.Close)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &face{url: server.URL, called: map[string]int{}}
}

// post sends one message as curl does and decodes its result.
func (f *face) post(t *testing.T, method string, params, result any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(f.url+"/mcp", "application/json", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var message struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(raw, &message); err != nil || message.Error != nil {
		t.Fatalf("%s: %s, %v", body, raw, err)
	}
	if err := json.Unmarshal(message.Result, result); err != nil {
		t.Fatal(err)
	}
}

// call calls a tool and checks that the answer's text is within the bound.
func (f *face) call(t *testing.T, tool string, arguments map[string]any, bound int, size func(string) int) toolAnswer {
	t.Helper()
	f.called[tool]++
	var a toolAnswer
	f.post(t, "tools/call", map[string]any{"name": tool, "arguments": arguments}, &a)
	if len(a.Content) != 1 || !utf8.ValidString(a.Content[0].Text) || a.Content[0].Text == "" {
		t.Fatalf("%s %v: %d texts", tool, arguments, len(a.Content))
	}
	if n := size(a.Content[0].Text); n > bound {
		t.Errorf("%s %.300s answers %d of at most %d", tool, fmt.Sprint(arguments), n, bound)
	}
	return a
}

func bytesOf(s string) int { return len(s) }

// checkAnswers calls every tool at budgets from one end to the other.
func checkAnswers(t *testing.T, e library, s config.Settings, outlines map[string]evergreen.Outline) {
	folder := smallFolder(t)
	s.Server.RateLimit = 0 // a thousand calls in a row are the point here
	f := serveReal(t, e, s, folder)
	queries := append(titlesOf(outlines["mdn"], 6), titlesOf(outlines["tidb"], 4)...)
	queries = append(queries, "a", "xyzzyqwert plugh", strings.Repeat("how do I align items in a flex container? ", 60))
	var ids []string
	for _, name := range []string{"mdn", "tidb"} {
		for _, section := range largestSections(outlines[name], 3) {
			ids = append(ids, section.ID)
		}
		ids = append(ids, outlines[name].Documents[7].Sections[0].ID)
	}
	for _, budget := range []int{-5, 1, 200, 333, 1000, 2000, 8000, 1_000_000} {
		f.checkBudget(t, budget, queries, ids)
	}
	for _, limit := range []int{-1, 0, 1, 599, 600, 1000, 8000, 50_000} {
		f.checkMaxBytes(t, limit, ids)
	}
	f.checkDefaults(t, queries, ids, folder)
	f.checkEveryToolWasCalled(t)
	f.checkOutlineTool(t, outlines["tidb"])
}

func (f *face) checkBudget(t *testing.T, budget int, queries, ids []string) {
	bound := min(max(budget, evergreen.MinBudget), evergreen.MaxBudget)
	call := func(tool string, arguments map[string]any) {
		arguments["budget"] = budget
		f.call(t, tool, arguments, bound, text.Tokens)
	}
	for _, q := range queries {
		call("search_context", map[string]any{"query": q})
		call("search_sections", map[string]any{"query": q, "limit": 50})
	}
	for _, id := range ids {
		call("get_entry", map[string]any{"id": id})
	}
	for _, repo := range []string{"mdn", "tidb"} {
		call("get_toc", map[string]any{"repo": repo})
		call("get_toc", map[string]any{"repo": repo, "depth": 1})
	}
	call("list_repos", map[string]any{})
	call("get_metrics", map[string]any{})
}

func (f *face) checkMaxBytes(t *testing.T, limit int, ids []string) {
	bound := 1 << 20
	if limit > 0 {
		bound = max(limit, leastBytes)
	}
	for _, id := range ids {
		f.call(t, "get_section", map[string]any{"id": id, "max_bytes": limit}, bound, bytesOf)
		f.call(t, "get_section_context", map[string]any{"id": id, "max_bytes": limit}, bound, bytesOf)
	}
	f.call(t, "get_section", map[string]any{"ids": ids, "max_bytes": limit}, bound, bytesOf)
}

// checkDefaults leaves the bounds out, asks for what is not there, and changes
// the library.
func (f *face) checkDefaults(t *testing.T, queries, ids []string, folder string) {
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		bound     int
		fault     bool
	}{
		{"search_context", map[string]any{"query": queries[0]}, 2000, false},
		{"search_sections", map[string]any{"query": queries[0]}, 2000, false},
		{"get_entry", map[string]any{"id": ids[0]}, 2000, false},
		{"get_toc", map[string]any{"repo": "mdn"}, 2000, false},
		{"list_repos", map[string]any{}, 1000, false},
		{"get_metrics", map[string]any{}, 1000, false},
		{"get_prompt_pack", map[string]any{}, 2000, false},
		{"get_entry", map[string]any{"id": "nothing-like-it"}, 200, true},
		{"get_section", map[string]any{"id": "mdn::no/such.md::section#2"}, 200, true},
		{"get_section_context", map[string]any{"id": "mdn::no/such.md::section#2"}, 200, true},
		{"get_toc", map[string]any{"repo": "mnd"}, 200, true},
		{"index_local", map[string]any{"path": folder, "name": "small"}, 1000, false},
		{"index_local", map[string]any{"path": folder, "name": "small", "budget": 200}, 200, false},
		{"index_local", map[string]any{"path": filepath.Dir(filepath.Dir(folder))}, 200, true},
		{"index_url", map[string]any{"url": "http://127.0.0.1:9/docs/"}, 200, true},
		{"delete_index", map[string]any{"repo": "small"}, 200, false},
		{"delete_index", map[string]any{"repo": "small"}, 200, false},
	} {
		if a := f.call(t, c.tool, c.arguments, c.bound, text.Tokens); a.IsError != c.fault {
			t.Errorf("%s %v: error %v: %s", c.tool, c.arguments, a.IsError, a.Content[0].Text)
		}
	}
}

func (f *face) checkEveryToolWasCalled(t *testing.T) {
	var list struct{ Tools []struct{ Name string } }
	f.post(t, "tools/list", map[string]any{}, &list)
	for _, tool := range list.Tools {
		if f.called[tool.Name] == 0 {
			t.Errorf("%s was never called", tool.Name)
		}
	}
	if len(list.Tools) != len(f.called) {
		t.Errorf("%d tools are served, %d were called", len(list.Tools), len(f.called))
	}
}

// checkOutlineTool follows get_toc's cursor through a collection.
func (f *face) checkOutlineTool(t *testing.T, whole evergreen.Outline) {
	var want, got []string
	for _, d := range whole.Documents {
		for _, section := range d.Sections {
			want = append(want, section.ID)
		}
	}
	for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
		a := f.call(t, "get_toc", map[string]any{"repo": whole.Collection, "budget": 8000, "cursor": cursor}, 8000, text.Tokens)
		var page struct {
			Documents []struct {
				Path     string `json:"doc_path"`
				Sections []string
			}
			Next string `json:"next_cursor"`
		}
		if err := json.Unmarshal(a.StructuredContent, &page); err != nil || pages > len(want) {
			t.Fatalf("page %d: %v", pages, err)
		}
		for _, d := range page.Documents {
			for _, section := range d.Sections {
				got = append(got, evergreen.SectionID(whole.Collection, d.Path, section))
			}
		}
		cursor = page.Next
	}
	if !slices.Equal(got, want) {
		t.Errorf("get_toc shows %d sections of %d, or in another order", len(got), len(want))
	}
}

// smallFolder holds documents, and dead links that a report has to name.
func smallFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "small")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		document := filepath.Join(folder, fmt.Sprintf("document-%02d.md", i))
		if err := os.WriteFile(document, fmt.Appendf(nil, "# Document %d\n\nText.\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
		// A system without symbolic links has fewer files to skip.
		_ = os.Symlink("nowhere.md", filepath.Join(folder, fmt.Sprintf("a-link-that-leads-nowhere-%02d.md", i)))
	}
	return folder
}
