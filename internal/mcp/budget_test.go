package mcp

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/mcp/arguments"
	"evergreen/internal/text"
)

// randomText mixes prose, CJK, code and long words of about n bytes.
func randomText(r *rand.Rand, n int) string {
	words := []string{"state", "记忆与状态", "`useState(0)`", "\n\n", "\n- item", "😀", strings.Repeat("x", 90), "\n```go\nfunc main() {}\n```\n", "naïve"}
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(' ')
	}
	return b.String()
}

// randomLibrary answers everything at any length: long ids, titles, errors.
func randomLibrary(r *rand.Rand) *fakeEngine {
	f := &fakeEngine{texts: map[string]string{}, revision: "r"}
	size := func() int { return 1 << r.IntN(15) }
	for i := range 1 + r.IntN(60) {
		f.collections = append(f.collections, evergreen.Collection{
			Name: fmt.Sprintf("c%02d-%s", i, strings.Repeat("n", r.IntN(80))), Source: "/src/" + randomText(r, r.IntN(200)), Tokens: r.IntN(1e6)})
	}
	c := f.collections[0].Name
	for i := range r.IntN(40) {
		path := fmt.Sprintf("指南/%s-%d.md", strings.Repeat("p", r.IntN(100)), i)
		d := evergreen.Document{Collection: c, Path: path, Title: randomText(r, r.IntN(300))}
		for j := range r.IntN(40) {
			id := evergreen.SectionID(c, path, fmt.Sprintf("%s-%d#%d", strings.Repeat("章", r.IntN(30)), j, 1+r.IntN(6)))
			d.Sections = append(d.Sections, evergreen.Section{ID: id, Title: randomText(r, r.IntN(200)), Level: 1 + r.IntN(6), Tokens: r.IntN(5000)})
			f.texts[id] = randomText(r, size())
		}
		f.documents = append(f.documents, d)
	}
	f.texts["EG-1"] = randomText(r, size())
	f.bundle.Matched = r.IntN(3) > 0
	for i := range r.IntN(12) {
		id := "EG-" + strconv.Itoa(i)
		f.bundle.Entries = append(f.bundle.Entries, evergreen.PackedEntry{Entry: evergreen.Entry{ID: id, Title: randomText(r, r.IntN(200)), Body: randomText(r, size()), Summary: randomText(r, 300)}})
		f.bundle.Citations = append(f.bundle.Citations, evergreen.Citation{Marker: "[" + id + "]", EntryID: id, URL: "/x/" + randomText(r, r.IntN(100))})
	}
	for i := range r.IntN(60) {
		f.hits = append(f.hits, evergreen.Hit{ID: c + "::p::" + strings.Repeat("节", r.IntN(60)) + strconv.Itoa(i) + "#1", Title: randomText(r, r.IntN(300)), Snippet: randomText(r, r.IntN(900))})
	}
	for i := range r.IntN(20) {
		f.suggestions = append(f.suggestions, randomText(r, 10+i))
		f.report.Skipped = append(f.report.Skipped, evergreen.Skip{Path: randomText(r, size()), Reason: randomText(r, 50)})
		f.report.Warnings = append(f.report.Warnings, randomText(r, size()))
	}
	f.bundle.Suggestions = f.suggestions
	for range r.IntN(6) {
		f.damaged = append(f.damaged, evergreen.Damage{Name: randomText(r, r.IntN(100)), Kind: evergreen.Damaged})
	}
	members := []string{}
	for i := range r.IntN(30) {
		members = append(members, fmt.Sprintf("%q:%q", "m"+strconv.Itoa(i), strings.Repeat("v", size())))
	}
	f.metrics = "{" + strings.Join(members, ",") + "}"
	for i := range r.IntN(80) {
		f.around.Children = append(f.around.Children, evergreen.SectionRef{ID: c + "::" + strconv.Itoa(i), Title: randomText(r, r.IntN(200))})
		f.around.Ancestors = append(f.around.Ancestors, evergreen.SectionRef{Title: randomText(r, 40)})
	}
	if r.IntN(2) == 0 {
		f.around.Next = &evergreen.SectionRef{ID: strings.Repeat("长", r.IntN(200)), Title: randomText(r, r.IntN(2000))}
	}
	return f
}

// Whatever the library answers, the whole text stays within the budget, is valid
// UTF-8 and says so when something was left out.
func TestEveryAnswerIsWithinItsBudget(t *testing.T) {
	root := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		f := randomLibrary(r)
		session := connect(t, serve(t, f, func(o *Options) { o.Roots = []string{root} }), nil)
		query := randomText(r, 1<<r.IntN(12))
		repo := f.collections[0].Name
		for budget := evergreen.MinBudget; budget <= evergreen.MaxBudget; budget += 200 + r.IntN(3000) {
			for tool, arguments := range map[string]map[string]any{
				"search_context":  {"query": query},
				"get_entry":       {"id": "EG-1"},
				"get_metrics":     {},
				"list_repos":      {},
				"get_toc":         {"repo": repo},
				"search_sections": {"query": query, "limit": 50},
				"index_local":     {"path": root},
				"index_url":       {"url": "https://example.com/" + strings.Repeat("p", r.IntN(300))},
			} {
				arguments["budget"] = budget
				got := callTool(t, session, tool, strings.TrimPrefix(callText("", arguments), " "))
				if n := text.Tokens(got.text); n > budget || !utf8.ValidString(got.text) || got.text == "" && tool != "get_metrics" {
					t.Fatalf("round %d: %s with budget %d answered %d tokens:\n%s", round, tool, budget, n, got.text)
				}
			}
		}
		for _, tool := range []string{"get_section", "get_section_context", "get_entry"} {
			for _, id := range []string{"nothing-" + cut(query, 300), repo + "::" + cut(query, 300), strings.Repeat("i", arguments.MaxIDBytes+1)} {
				got := callTool(t, session, tool, strings.TrimPrefix(callText("", map[string]any{"id": id}), " "))
				if n := text.Tokens(got.text); n > faultBudget || !got.isError {
					t.Fatalf("%s of an unknown id answered %d tokens, error %v", tool, n, got.isError)
				}
			}
		}
	}
}

// The same in bytes, for single sections, batches and sections in context.
func TestEverySectionAnswerIsWithinMaxBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		f := randomLibrary(r)
		session := connect(t, serve(t, f), nil)
		ids := []string{}
		for _, d := range f.documents {
			for _, s := range d.Sections {
				if len(ids) < maxIDs {
					ids = append(ids, s.ID)
				}
			}
		}
		ids = append(ids[:max(0, len(ids)-1)], "EG-1")
		for _, limit := range []int{1, 2, 3, 4, 50, floorBytes - 1, floorBytes, 700, 1000, 3000, 8000, 40000} {
			for tool, arguments := range map[string]map[string]any{
				"get_section":         {"ids": ids},
				"get_section_context": {"id": ids[0]},
			} {
				arguments["max_bytes"] = limit
				got := callTool(t, session, tool, strings.TrimPrefix(callText("", arguments), " "))
				if n := len(got.text); n > max(limit, floorBytes) || !utf8.ValidString(got.text) {
					t.Fatalf("%s with max_bytes %d answered %d bytes", tool, limit, n)
				}
			}
		}
	}
}

// Following the cursor or offset of every answer shows everything exactly once.
func TestGoingOnShowsEverythingOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 6 {
		f := randomLibrary(r)
		session := connect(t, serve(t, f), nil)
		repo := f.collections[0].Name
		budget := evergreen.MinBudget + r.IntN(800)
		follow := func(tool string, arguments map[string]any, list string, ids func(any) []string) (got []string) {
			arguments["budget"] = budget
			for range 3000 {
				a := callTool(t, session, tool, strings.TrimPrefix(callText("", arguments), " "))
				items, _ := a.meta[list].([]any)
				for _, item := range items {
					got = append(got, ids(item)...)
				}
				cursor, _ := a.meta["next_cursor"].(string)
				if cursor == "" {
					if a.meta["truncated"] == true {
						return nil // not even one item fits: the answer says to raise the budget
					}
					return got
				}
				arguments["cursor"] = cursor
			}
			t.Fatalf("%s never ends", tool)
			return nil
		}
		id := func(name string) func(any) []string {
			return func(item any) []string { return []string{item.(map[string]any)[name].(string)} }
		}
		check := func(tool string, got, want []string) {
			if got != nil && strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Fatalf("%s with budget %d: %d items shown of %d", tool, budget, len(got), len(want))
			}
		}
		var hits, names, sections []string
		for _, h := range f.hits {
			hits = append(hits, h.ID)
		}
		for _, c := range f.collections {
			names = append(names, c.Name)
		}
		for _, d := range f.documents {
			for _, s := range d.Sections {
				sections = append(sections, s.ID)
			}
		}
		if len(hits) > 0 {
			check("search_sections", follow("search_sections", map[string]any{"query": "x", "limit": 7}, "hits", id("id")), hits)
		}
		check("list_repos", follow("list_repos", map[string]any{}, "collections", id("collection")), names)
		check("get_toc", follow("get_toc", map[string]any{"repo": repo}, "documents", func(item any) (ids []string) {
			d := item.(map[string]any)
			for _, s := range d["sections"].([]any) {
				ids = append(ids, evergreen.SectionID(repo, d["doc_path"].(string), s.(string)))
			}
			return ids
		}), sections)
	}
}

// A long text read piece by piece is the text.
func TestOffsetsJoinToTheWholeText(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	body := randomText(r, 60_000)
	f := smallLibrary()
	f.texts["EG-1"] = body
	session := connect(t, serve(t, f), nil)
	for _, c := range []struct{ tool, bound string }{
		{"get_section", `"max_bytes":1`}, {"get_section", `"max_bytes":700`}, {"get_section", `"max_bytes":8000`},
		{"get_entry", `"budget":200`}, {"get_entry", `"budget":2000`},
	} {
		whole, offset := "", 0
		for steps := 0; ; steps++ {
			got := callTool(t, session, c.tool, fmt.Sprintf(`{"id":"EG-1","offset":%d,%s}`, offset, c.bound))
			m := got.meta
			if list, ok := m["sections"].([]any); ok {
				m = list[0].(map[string]any)
			}
			next, more := m["next_offset"].(float64)
			end := len(body)
			if more {
				end = int(next)
			}
			if end <= offset || !strings.Contains(got.text, body[offset:end]) {
				t.Fatalf("%s %s: bytes %d to %d are not in the text", c.tool, c.bound, offset, end)
			}
			if whole += body[offset:end]; !more || steps == 50 {
				break
			}
			offset = end
		}
		if !strings.HasPrefix(body, whole) {
			t.Errorf("%s %s: the pieces do not join", c.tool, c.bound)
		}
	}
}

func TestFitFindsTheMostThatFits(t *testing.T) {
	for all := range 40 {
		for budget := range 30 {
			text, shown := fit(budget, all, byteSize, func(n int) string {
				if n == all {
					return strings.Repeat("x", n)
				}
				return strings.Repeat("x", n) + "more"
			})
			want := all
			if all > budget {
				want = max(0, min(budget-4, all))
			}
			if shown != want || len(text) > budget && budget >= 3 {
				t.Errorf("fit(%d, %d) showed %d in %d bytes, want %d", budget, all, shown, len(text), want)
			}
		}
	}
}
