package mcp

import (
	"strings"
	"testing"

	"evergreen"
)

// Every tool, as an agent calls it and as agents miscall it.
func TestTools(t *testing.T) {
	const state = "react::learn/state.md::state#1"
	for _, c := range []struct {
		name      string
		tool      string
		arguments string
		isError   bool
		want      []string // in the text
		not       []string // not in the text
	}{
		{"question", "search_context", `{"query":"how to cite"}`, false, []string{"# Results for how to cite", "[EG-201]", "Cite every fact."}, nil},
		{"other word for query", "search_context", `{"topic":"how to cite"}`, false, []string{"# Results for how to cite"}, nil},
		{"other server's words", "search_context", `{"userQuery":"x","libraryId":"react"}`, false, []string{"# Results for x"}, nil},
		{"arguments as text", "search_context", `"{\"query\":\"x\",\"limit\":\"3\"}"`, false, []string{"# Results for x"}, nil},
		{"no arguments", "search_context", ``, true, []string{"`query` is missing", `Example: search_context {"query":`}, nil},
		{"null arguments", "search_context", `null`, true, []string{"`query` is missing"}, nil},
		{"array arguments", "search_context", `["x"]`, true, []string{"must be a JSON object, not an array"}, nil},
		{"limit too high", "search_context", `{"query":"x","limit":51}`, true, []string{"`limit` must be a whole number from 1 to 50, got 51", "Example:"}, nil},
		{"two faults", "search_context", `{"query":{},"limit":"many"}`, true, []string{"`query` must be a string, got an object", "`limit` must be"}, nil},

		{"entry", "get_entry", `{"id":"EG-201"}`, false, []string{"# [EG-201] Title of EG-201", "confidence 0.9", "Cite every fact."}, nil},
		{"unknown entry", "get_entry", `{"id":"EG-2O1"}`, true, []string{"Nearest: EG-201, EG-202", "Example: get_entry"}, nil},
		{"entry offset beyond", "get_entry", `{"id":"EG-201","offset":999}`, true, []string{"`offset` 999 lies beyond the entry's 16 bytes"}, nil},

		{"pack", "get_prompt_pack", ``, false, []string{"pack chat en"}, nil},
		{"pack in Chinese", "get_prompt_pack", `{"scenario":"Research","lang":"zh"}`, false, []string{"pack research zh"}, nil},
		{"unknown pack", "get_prompt_pack", `{"scenario":"cooking"}`, true, []string{"one of chat, coding, research, support"}, nil},
		{"metrics", "get_metrics", `{}`, false, []string{`tokens: {"llms.txt":1904}`, `date: "2026-11-30"`}, nil},

		{"collections", "list_repos", `{}`, false, []string{"# Collections: 2", "- **react** · 2 documents · 3 sections · 400 tokens · indexed 2026-11-30 · /home/someone/react", "https://vuejs.org/guide"}, nil},
		{"hidden name", "doc_list_repos", `{}`, false, []string{"# Collections: 2"}, nil},
		{"bad cursor", "list_repos", `{"cursor":"%%%"}`, true, []string{"the `cursor` is not one of ours", "leave `cursor` out"}, nil},

		{"outline", "get_toc", `{"repo":"react"}`, false, []string{"# Outline of react (documents: 2)", "## learn/state.md — State", "- T `state#1` ", "  - T `state/setting-state#2` ", "## 指南/状态.md"}, nil},
		{"outline of one document", "get_toc", `{"collection":"react","docPath":"learn/state.md"}`, false, []string{"## learn/state.md"}, []string{"指南"}},
		{"outline of nothing", "get_toc", `{"repo":"raect"}`, true, []string{"no collection", "Nearest: react, vue"}, nil},
		{"depth out of range", "get_toc", `{"repo":"react","depth":9}`, true, []string{"`depth` must be a whole number from 0 to 6, got 9"}, nil},

		{"section", "get_section", `{"id":"` + state + `"}`, false, []string{"> [react:abcdef]", "`" + state + "`", "State is memory."}, []string{"Go on"}},
		{"sections as array", "get_section", `{"ids":["` + state + `","EG-201"]}`, false, []string{"State is memory.", "Cite every fact."}, nil},
		{"sections as comma text", "get_section", `{"ids":"` + state + `, EG-201"}`, false, []string{"State is memory.", "Cite every fact."}, nil},
		{"sections as JSON text", "get_section", `{"ids":"[\"` + state + `\",\"EG-201\"]"}`, false, []string{"State is memory.", "Cite every fact."}, nil},
		{"id as array", "get_section", `{"id":["EG-201"]}`, false, []string{"Cite every fact."}, nil},
		{"verified", "get_section", `{"id":"EG-201","verify":"true"}`, false, []string{"> verified"}, nil},
		{"unknown section", "get_section", `{"id":"react::learn/state.md::stat#1"}`, true, []string{"there is no section", "Nearest: " + state, "Example: get_section"}, nil},
		{"one of two unknown", "get_section", `{"ids":["EG-999","EG-201"]}`, false, []string{"there is no section \"EG-999\"", "Nearest: EG-20", "Cite every fact."}, nil},
		{"all unknown", "get_section", `{"ids":["EG-998","EG-999"]}`, true, []string{"there is no section \"EG-998\""}, nil},
		{"no id", "get_section", `{"ids":[]}`, true, []string{"`id` is missing"}, nil},
		{"offset beyond", "get_section", `{"id":"EG-201","offset":99}`, true, []string{"`offset` 99 lies beyond the section's 16 bytes"}, nil},

		{"section in context", "get_section_context", `{"id":"` + state + `"}`, false,
			[]string{"> In: Learn > State", "State is memory.", "Previous: Before `react::a#1`", "Children (2):", "- Child `react::c#3`"}, []string{"Next:"}},

		{"search", "search_sections", `{"query":"state","limit":2}`, false, []string{"# Results for state (30)", "1. Hit 0 · 10 tokens", "`react::learn/1.md::a#1`", "about state", `Go on: search_sections {"cursor":"2","query":"state"}`}, []string{"Hit 2"}},
		{"search on", "search_sections", `{"query":"state","limit":2,"cursor":"2"}`, false, []string{"Hit 2", "Hit 3"}, []string{"Hit 1 ", "Hit 4"}},
		{"search in Chinese", "search_sections", `{"query":"状态 记忆"}`, false, []string{"# 检索结果：状态 记忆（30）"}, nil},
		{"bad mode", "search_sections", `{"query":"x","mode":"vector"}`, true, []string{"`mode` must be one of auto, bm25, weighted"}, nil},

		{"delete", "delete_index", `{"repo":"vue"}`, false, []string{"Deleted **vue**"}, nil},
		{"delete nothing", "delete_index", `{"repo":"raect"}`, false, []string{"There is no collection **raect**", "Nearest: react"}, nil},

		{"unknown tool", "serach_context", `{}`, true, []string{`There is no tool "serach_context"`, "Nearest: search_context", `Example: search_context {"query"`}, nil},
		{"no tool name", "", `{}`, true, []string{`There is no tool ""`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := smallLibrary()
			f.around = evergreen.SectionContext{
				Ancestors: []evergreen.SectionRef{{Title: "Learn"}, {Title: "State"}},
				Children:  []evergreen.SectionRef{{Title: "Child", ID: "react::c#3"}, {Title: "Other", ID: "react::o#3"}},
				Previous:  &evergreen.SectionRef{Title: "Before", ID: "react::a#1"},
			}
			got := callTool(t, connect(t, serve(t, f), nil), c.tool, c.arguments)
			if got.isError != c.isError {
				t.Errorf("isError = %v", got.isError)
			}
			for _, want := range c.want {
				if !strings.Contains(got.text, want) {
					t.Errorf("the text lacks %q", want)
				}
			}
			for _, not := range c.not {
				if strings.Contains(got.text, not) {
					t.Errorf("the text holds %q", not)
				}
			}
			if t.Failed() {
				t.Log(got.text)
			}
		})
	}
}

func TestSearchContextPassesTheQuestionOn(t *testing.T) {
	f := smallLibrary()
	session := connect(t, serve(t, f), nil)
	callTool(t, session, "search_context", `{"query":" 幻觉 引用 ","limit":"3","budget":"99999","repo":"react","category":"doc"}`)
	want := evergreen.Query{Topic: " 幻觉 引用 ", Budget: evergreen.MaxBudget, Limit: 3, Collection: "react", Category: "doc", WholeText: true}
	if f.asked != want {
		t.Errorf("asked %+v, want %+v", f.asked, want)
	}
	callTool(t, session, "search_context", `{"query":"x","limit":0,"budget":-5}`)
	if f.asked.Limit != 5 || f.asked.Budget != evergreen.MinBudget {
		t.Errorf("asked with limit %d and budget %d", f.asked.Limit, f.asked.Budget)
	}
}

// Metadata repeats no body: nothing is paid for twice.
func TestStructuredContentHoldsNoBody(t *testing.T) {
	session := connect(t, serve(t, smallLibrary()), nil)
	got := callTool(t, session, "search_context", `{"query":"cite"}`)
	entry := got.meta["entries"].([]any)[0].(map[string]any)
	if entry["id"] != "EG-201" || entry["marker"] != "[EG-201]" || entry["body"] != nil {
		t.Errorf("entry metadata %v", entry)
	}
	got = callTool(t, session, "get_section", `{"id":"EG-201"}`)
	section := got.meta["sections"].([]any)[0].(map[string]any)
	if section["total_bytes"] != 16.0 || section["markdown"] != nil {
		t.Errorf("section metadata %v", section)
	}
}

func TestNoHitNamesSpellingsAndGeneralEntries(t *testing.T) {
	f := smallLibrary()
	f.bundle.Matched, f.bundle.Suggestions, f.hits = false, []string{"hallucination"}, nil
	session := connect(t, serve(t, f), nil)
	for _, c := range []struct {
		tool, query string
		want        []string
	}{
		{"search_context", "halucination", []string{"No entry matches “halucination”.", "Did you mean: hallucination?", "general entries", "[EG-201]"}},
		{"search_context", "幻觉引用", []string{"没有条目与“幻觉引用”匹配。"}},
		{"search_sections", "halucination", []string{"No section matches “halucination”.", "Did you mean: hallucination?", "1. Citing", "`EG-201`"}},
	} {
		got := callTool(t, session, c.tool, `{"query":"`+c.query+`"}`)
		if !got.isError {
			t.Errorf("%s %s: not an error", c.tool, c.query)
		}
		for _, want := range c.want {
			if !strings.Contains(got.text, want) {
				t.Errorf("%s: the text lacks %q:\n%s", c.tool, want, got.text)
			}
		}
	}
}

func TestEmptyLibrarySaysHowToFillIt(t *testing.T) {
	session := connect(t, serve(t, &fakeEngine{}), nil)
	if got := callTool(t, session, "list_repos", `{}`); got.isError || !strings.Contains(got.text, "index_local") {
		t.Errorf("list_repos: %+v", got)
	}
	if got := callTool(t, session, "search_context", `{"query":"x"}`); !got.isError || !strings.Contains(got.text, "list_repos") {
		t.Errorf("search_context: %+v", got)
	}
}

func TestUnservedToolIsNotAvailable(t *testing.T) {
	s := serve(t, smallLibrary(), func(o *Options) { o.Sets = []Set{SetKB} })
	got := callTool(t, connect(t, s, nil), "delete_index", `{"repo":"vue"}`)
	if !got.isError || !strings.Contains(got.text, "not available here") || strings.Contains(got.text, "Nearest") {
		t.Errorf("%+v", got)
	}
}

// Without the admin tools nobody learns how the machine's folders are laid out.
func TestPublicServerHidesLocalPaths(t *testing.T) {
	s := serve(t, smallLibrary(), func(o *Options) { o.Sets = []Set{SetDocs} })
	got := callTool(t, connect(t, s, nil), "list_repos", `{}`)
	if strings.Contains(got.text, "/home/someone") {
		t.Errorf("a local path is shown:\n%s", got.text)
	}
}

func TestParseSets(t *testing.T) {
	for _, c := range []struct {
		list string
		want int
		err  string
	}{
		{"docs,kb", 2, ""},
		{" Docs , docs,", 1, ""},
		{"docs,kb,web,admin", 4, ""},
		{"doc", 0, `unknown tool set "doc"`},
		{"", 0, "no tool set named"},
	} {
		sets, err := ParseSets(c.list)
		if len(sets) != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("ParseSets(%q) = %v, %v", c.list, sets, err)
		}
	}
}
