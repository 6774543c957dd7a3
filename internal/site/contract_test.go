package site

// This file compares what the generator writes with the examples of the
// contract, which stand outside the project.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

// specDir is the folder of the contract, named by EVERGREEN_SPEC.
func specDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("EVERGREEN_SPEC")
	if dir == "" {
		t.Skip("EVERGREEN_SPEC is not set: the contract's examples are not compared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("EVERGREEN_SPEC: %v", err)
	}
	return dir
}

// fixtures reads the fenced blocks of documents.md that are named file=NAME.
func fixtures(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(specDir(t), "documents.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	name := ""
	for line := range strings.Lines(string(data)) {
		switch {
		case name != "" && strings.TrimSpace(line) == "```":
			name = ""
		case name != "":
			found[name] += line
		case strings.HasPrefix(line, "```") && strings.Contains(line, "file="):
			_, name, _ = strings.Cut(strings.TrimSpace(line), "file=")
		}
	}
	return found
}

// exampleTools are the tools of the examples, in their order. The contract's
// two cards word them differently.
func exampleTools(search, get, sections string) []evergreen.ToolInfo {
	return []evergreen.ToolInfo{
		{Name: "search_context", Title: "Search context", Description: search,
			InputSchema: []byte(`{"type":"object","properties":{"query":{"type":"string","minLength":1,"description":"The question, in the user's words."},"limit":{"type":"integer","minimum":1,"maximum":50,"default":5},"budget":{"type":"integer","minimum":200,"maximum":8000,"default":2000,"description":"Tokens."}},"required":["query"]}`)},
		{Name: "get_entry", Title: "Get entry", Description: get,
			InputSchema: []byte(`{"type":"object","properties":{"id":{"type":"string","minLength":1}},"required":["id"]}`)},
		{Name: "search_sections", Title: "Search sections", Description: sections,
			InputSchema: []byte(`{"type":"object","properties":{"query":{"type":"string","minLength":1},"repo":{"type":"string","description":"Collection name."},"limit":{"type":"integer","minimum":1,"maximum":50,"default":10}},"required":["query"]}`)},
	}
}

// exampleInput is the site of the contract's examples.
func exampleInput() Input {
	f := &fake{revision: "r1", at: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC),
		knowledge: Knowledge{Version: "1.2.0", Revision: "2026-11-30", Categories: []Category{{"fact", "Facts", "What is."}}}}
	f.document("docs", "guide/install.md", "# Install\n\nPackages, containers and the first start.\n\n"+strings.Repeat("Read on. ", 2500)+"\n",
		evergreen.Meta{Updated: "2026-11-12", Description: "Packages, containers and the first start.", URL: "https://docs.example.com/guide/install.html"})
	f.document("docs", "guide/keys.md", "# Rotating keys\n\nRun `example keys rotate`. The old key stays valid for 24 hours.\n",
		evergreen.Meta{Updated: "2026-10-02", Description: "Replace the signing key without downtime.", URL: "https://docs.example.com/guide/keys.html"})
	f.entry("kb", evergreen.Entry{ID: "EX-001", Category: "fact", Title: "How do I rotate the signing key?", Updated: "2026-11-30",
		Body: "Run `example keys rotate`; the old key stays valid for 24 hours.", Tags: []string{"faq"}, Confidence: 0.97})
	return Input{
		Snapshot: f,
		Policy: evergreen.Policy{Licence: "CC-BY-4.0", Contact: "ai@example.com", Updated: "2026-11-30", Attribution: true,
			NoAlteration: true, Rate: evergreen.RateLimit{PerMinute: 120, Burst: 300}},
		Tools: exampleTools("Rank the documentation for a question and pack the best parts into a token budget, with citations.",
			"Return one entry in full by its id.", "Find headings and passages; returns ids and snippets."),
		Options: Options{
			BaseURL: "https://docs.example.com/", Name: "Example Docs", Subject: "Example", Version: "1.0.0",
			Summary:      "Documentation of Example, a job server: install, configure, operate, API. Every passage has an id to cite.",
			Topics:       "about Example's install, configuration or API",
			Languages:    []string{"en", "zh-CN"},
			Organization: Organization{Name: "Example", URL: "https://example.com"},
			Software:     &Software{Name: "Example", Systems: "Linux, macOS, Windows"},
			Layout:       LayoutOrigin, A2A: true, Metrics: true, Operations: Operations(),
			MCP: &MCP{Protocols: []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"},
				Capabilities: []byte(`{"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"prompts":{"listChanged":true},"completions":{},"extensions":{"io.modelcontextprotocol/skills":{}}}`)},
			Questions: map[string][]string{
				"search_context":  {"How do I rotate the signing key?", "幻觉 引用"},
				"search_sections": {"signing key rotation"},
				"mcp":             {"How do I rotate the signing key in Example?", "Which settings does Example read at start?"},
				"a2a":             {"Explain Example's caching rules", "What changed in Example 2.0?"},
				"skill":           {"How should I cite Example Docs?", "How do I search Example Docs within a budget?"},
			},
		},
	}
}

// TestContractBytes compares documents that the contract gives byte for byte.
func TestContractBytes(t *testing.T) {
	want := fixtures(t)
	s := must(t, exampleInput())
	keys, _, ok := s.PageAt("/guide/keys.html")
	if !ok {
		t.Fatal("the example page is missing")
	}
	unlicensed := exampleInput()
	unlicensed.Policy.Licence = ""
	lost := s.NotFound("/whatever", evergreen.LangEnglish)
	lost.Points[0].Tokens, lost.Points[1].Tokens = 1904, 6369
	chinese := lost
	chinese.Lang = evergreen.LangChinese
	for name, got := range map[string]string{
		"llms.txt":             read(t, s, "/llms.txt"),
		"mirror-head.md":       read(t, s, "/guide/keys.html.md"),
		"sitemap.xml":          read(t, s, "/sitemap.xml"),
		"robots.txt":           read(t, s, "/robots.txt"),
		"ai.txt":               read(t, s, "/ai.txt"),
		"SKILL.md":             read(t, s, "/.well-known/agent-skills/example-docs/SKILL.md"),
		"html-link-header.txt": "Link: " + LinkHeader(must(t, unlicensed).Links(keys)) + "\n",
		"404.en.txt":           lost.Text(),
		"404.zh.txt":           chinese.Text(),
	} {
		if want[name] == "" {
			t.Errorf("%s: no such example in the contract", name)
		} else if diff := cmp.Diff(want[name], got); diff != "" {
			t.Errorf("%s (-contract +ours):\n%s", name, diff)
		}
	}
}

// TestContractJSON compares documents member by member, in order.
func TestContractJSON(t *testing.T) {
	want := fixtures(t)
	s := must(t, exampleInput())
	agent := exampleInput()
	agent.Tools = exampleTools("Ranks the documentation for a question and packs the best parts into a token budget, with citations.",
		"Returns one entry in full by its id.", "Finds headings and passages and returns their ids and snippets.")
	api := exampleInput()
	api.Options.Operations = []Operation{Operations()[0], Operations()[4]}
	api.Options.Operations[0].Parameters = api.Options.Operations[0].Parameters[:3]
	api.Options.Operations[0].Problems = []int{400, 429}
	described := exampleInput()
	described.Snapshot.(*fake).documents[1].Meta.Description = "How to rotate the signing key without downtime."
	described.Snapshot.(*fake).document("docs", "guide/index.md", "# Guide\n", evergreen.Meta{URL: "https://docs.example.com/guide/"})
	ld := must(t, described)
	keys, _, _ := ld.PageAt("/guide/keys.html")
	graph, err := ld.JSONLD(keys)
	if err != nil {
		t.Fatal(err)
	}
	lost := s.NotFound("/whatever", evergreen.LangEnglish)
	lost.Points[0].Tokens, lost.Points[1].Tokens = 1904, 6369
	problem, err := lost.Problem()
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{
		"agent-card.json":         read(t, must(t, agent), "/.well-known/agent-card.json"),
		"server-card.json":        read(t, s, "/mcp/server-card"),
		"ai-catalog.json":         read(t, s, "/.well-known/ai-catalog.json"),
		"api-catalog.json":        read(t, s, "/.well-known/api-catalog"),
		"agent-skills-index.json": read(t, s, "/.well-known/agent-skills/index.json"),
		"ai-policy.json":          read(t, s, "/ai-policy.json"),
		"openapi.json":            read(t, must(t, api), "/openapi.json"),
		"jsonld.json":             string(graph),
		"problem-404.json":        string(problem),
	} {
		if want[name] == "" {
			t.Errorf("%s: no such example in the contract", name)
		} else if diff := cmp.Diff(lines(t, want[name]), lines(t, got)); diff != "" {
			t.Errorf("%s (-contract +ours):\n%s", name, diff)
		}
	}
}

// lines lays JSON out one value a line, keeping the order of members.
func lines(t *testing.T, document string) []string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(document), "", " "); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}
