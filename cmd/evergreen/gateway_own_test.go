package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/text"
)

// This file holds what callers of our own tools get through the whole product:
// further names of parameters, and answers within their budget, hints included.

// wordy is a library with more to say than fits.
type wordy struct{ *fakeLibrary }

func (wordy) Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error) {
	f := newFake()
	f.body = strings.Repeat("A paragraph about the state of a component.\n\n", 400)
	return f.Ask(ctx, q)
}

func (wordy) Search(_ context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error) {
	out := evergreen.SearchResult{Query: r.Query, Mode: "bm25", Total: 50, Matched: true}
	for i := range 50 {
		out.Hits = append(out.Hits, evergreen.Hit{ID: fmt.Sprintf("react::guide.md::guide/state#%d", i), Collection: "react", DocPath: "guide.md",
			Title: "Guide > State", Score: 1, Snippet: strings.Repeat("keep the state 保持状态 ", 20), Tokens: 80})
	}
	return out, nil
}

func (wordy) Outline(_ context.Context, r evergreen.OutlineRequest) (evergreen.Outline, error) {
	out := evergreen.Outline{Collection: r.Collection, Total: 1, Documents: []evergreen.OutlineDocument{{Path: "guide.md", Title: "Guide"}}}
	for i := range 500 {
		out.Documents[0].Sections = append(out.Documents[0].Sections, evergreen.Section{ID: fmt.Sprintf("react::guide.md::s#%d", i), Title: "Another section", Level: 2})
	}
	return out, nil
}

func (wordy) Section(_ context.Context, r evergreen.SectionRequest) (evergreen.SectionText, error) {
	whole := strings.Repeat("A line of the section.\n", 4000)
	n := min(r.MaxBytes, len(whole))
	return evergreen.SectionText{ID: r.ID, Title: "State", Level: 2, Collection: "react", DocPath: "guide.md", Markdown: whole[:n],
		TotalBytes: len(whole), Truncated: n < len(whole), NextOffset: n}, nil
}

// A repaired call costs no more than it allowed, the hint included.
func TestHintsAreWithinTheBudget(t *testing.T) {
	p := wire(t, wordy{newFake()}, config.Settings{})
	long := strings.Repeat("how is the state kept ", 20)
	check := func(how, params string, got said, cost func(string) int, most int) {
		t.Helper()
		if whole := strings.Join(got.Texts, "\n"); got.Fault != "" || len(got.Texts) != 2 || got.Texts[0] == "" || cost(whole) > most || cost(whole) < most*2/5 {
			t.Errorf("%s: %s: %d of %d: %+v", how, params, cost(whole), most, got)
		}
	}
	for _, budget := range []int{200, 250, 300, 2000} {
		for _, params := range []string{
			fmt.Sprintf(`{"name":"search_sections","arguments":{"q":%q,"limit":"50","budget":%d}}`, long, budget),
			fmt.Sprintf(`{"name":"searchContext","arguments":{"search_query":%q,"budget":"%d"}}`, long, budget),
			fmt.Sprintf(`{"name":"search-context","arguments":{"query":"状态如何保持","limit":"3","budget":%d}}`, budget),
			fmt.Sprintf(`{"name":"get_toc","arguments":"{\"collection\":\"react\",\"budget\":%d}"}`, budget),
		} {
			check("http", params, postCall(t, p.url, params, false), text.Tokens, budget)
			check("http, modern", params, postCall(t, p.url, params, true), text.Tokens, budget)
			check("stdio", params, p.pipeCalls([]string{params})[0], text.Tokens, budget)
		}
	}
	for _, limit := range []int{600, 1000, 3000, 8000} {
		for _, tool := range []string{"getSection", "getSectionContext"} {
			params := fmt.Sprintf(`{"name":%q,"arguments":{"id":"react::guide.md::state#2","max_bytes":"%d"}}`, tool, limit)
			bytes := func(s string) int { return len(s) }
			check("http", params, postCall(t, p.url, params, false), bytes, limit)
			check("stdio", params, p.pipeCalls([]string{params})[0], bytes, limit)
		}
	}
}

// The words of other documentation servers and repo or collection are right as
// they are: the same answer, no hint, never a refusal.
func TestFurtherNamesOfParameters(t *testing.T) {
	p := wire(t, calm{newFake()}, config.Settings{})
	for right, same := range map[string][]string{
		`{"name":"get_toc","arguments":{"repo":"react"}}`: {
			`{"collection":"react"}`, `{"libraryId":"react"}`, `{"libraryID":"react"}`, `{"libraryName":"react"}`, `{"library":"react"}`,
			`{"context7CompatibleLibraryID":"react"}`, `{"repository":"react"}`, `{"repo":"react","collection":"react"}`,
		},
		`{"name":"search_sections","arguments":{"query":"state","repo":"react"}}`: {
			`{"topic":"state","collection":"react"}`, `{"userQuery":"state","libraryId":"react"}`, `{"question":"state","library":"react"}`,
		},
		`{"name":"search_context","arguments":{"query":"state","collection":"react","budget":900}}`: {
			`{"query":"state","repo":"react","budget":900}`, `{"topic":"state","libraryId":"react","tokens":900}`, `{"question":"state","context7CompatibleLibraryID":"react","max_tokens":900}`,
		},
		`{"name":"search_context","arguments":{"query":"state"}}`: {`{"query":"state","repository":["a",["b"]]}`, `{"query":"state","collection":""}`},
		`{"name":"get_section","arguments":{"id":"react::a"}}`:    {`{"section_id":"react::a"}`},
		`{"name":"delete_index","arguments":{"repo":"nothing"}}`:  {`{"collection":"nothing"}`, `{"libraryId":"nothing"}`},
		`{"name":"index_local","arguments":{"path":"/nowhere"}}`:  {`{"repo_path":"/nowhere"}`, `{"folder":"/nowhere"}`},
		`{"name":"doc_index_repo","arguments":{"path":"/no"}}`:    {`{"repo_path":"/no"}`},
	} {
		want := p.pipeCalls([]string{right})[0]
		if len(want.Texts) != 1 || want.Meta["evergreen/repair"] != nil {
			t.Fatalf("%s: %+v", right, want)
		}
		name := right[:strings.Index(right, `"arguments":`)]
		for _, arguments := range same {
			got := p.pipeCalls([]string{name + `"arguments":` + arguments + `}`})[0]
			if len(got.Texts) != 1 || got.Texts[0] != want.Texts[0] || got.IsError != want.IsError || got.Meta["evergreen/repair"] != nil {
				t.Errorf("%s%s: %+v, want %+v", name, arguments, got, want)
			}
		}
	}
	for _, params := range []string{
		`{"name":"get_toc","arguments":{"repo":"react","collection":"vue"}}`,
		`{"name":"delete_index","arguments":{"libraryId":"react","collection":"vue"}}`,
		`{"name":"search_context","arguments":{"query":"state","topic":"else"}}`,
	} {
		if got := postCall(t, p.url, params, false); !got.IsError || !strings.Contains(got.Texts[0], "different values") {
			t.Errorf("%s: %+v", params, got)
		}
	}
}

// Words for off are false, through the whole product.
func TestOffIsFalse(t *testing.T) {
	p := wire(t, newFake(), config.Settings{})
	for value, verified := range map[string]bool{`"0"`: false, `"no"`: false, `"OFF"`: false, `0`: false, `"1"`: true, `"yes"`: true} {
		got := postCall(t, p.url, `{"name":"get_section","arguments":{"id":"react::a","verify":`+value+`}}`, false)
		if got.IsError || len(got.Texts) != 2 || strings.Contains(got.Texts[0], "verified") != verified {
			t.Errorf("%s: %+v", value, got)
		}
	}
}
