package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/text"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// fakeEngine is a library in memory: documents with sections, and canned
// answers. Cursors are plain numbers.
type fakeEngine struct {
	collections []evergreen.Collection
	documents   []evergreen.Document // Path and Sections; bodies by id in texts
	texts       map[string]string
	bundle      evergreen.Bundle
	hits        []evergreen.Hit
	suggestions []string
	damaged     []evergreen.Damage
	metrics     string
	revision    string
	around      evergreen.SectionContext
	indexed     []evergreen.IndexRequest
	report      evergreen.IndexReport
	asked       evergreen.Query
	searched    evergreen.SearchRequest
	meta        evergreen.Meta
	panics      bool
	index       func(context.Context, evergreen.IndexRequest, evergreen.Progress) (evergreen.IndexReport, error)
}

func (f *fakeEngine) Collections(context.Context) ([]evergreen.Collection, error) {
	return f.collections, nil
}
func (f *fakeEngine) Revision() string                           { return f.revision }
func (f *fakeEngine) Damaged(context.Context) []evergreen.Damage { return f.damaged }

// lost are the warnings that an engine gives with its answers.
func (f *fakeEngine) lost() (out []evergreen.Warning) {
	for _, d := range f.damaged {
		out = append(out, d.Warning())
	}
	return out
}
func (f *fakeEngine) Metrics(context.Context) (json.RawMessage, error) {
	return json.RawMessage(f.metrics), nil
}
func (f *fakeEngine) PromptPack(_ context.Context, scenario, lang string) (string, error) {
	return "pack " + scenario + " " + lang, nil
}
func (f *fakeEngine) Ask(_ context.Context, q evergreen.Query) (evergreen.Bundle, error) {
	if f.panics {
		panic("boom")
	}
	f.asked = q
	b := f.bundle
	b.Query.Topic, b.Budget, b.Warnings = q.Topic, q.Budget, append(f.lost(), b.Warnings...)
	if q.Limit > 0 && len(b.Entries) > q.Limit {
		b.Entries, b.Citations = b.Entries[:q.Limit], b.Citations[:q.Limit]
	}
	return b, nil
}

func (f *fakeEngine) Search(_ context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error) {
	f.searched = r
	from, _ := strconv.Atoi(r.Cursor)
	to := min(from+r.Limit, len(f.hits))
	out := evergreen.SearchResult{Query: r.Query, Mode: "bm25", Total: len(f.hits), Matched: len(f.hits) > 0, Hits: f.hits[from:to], Suggestions: f.suggestions, Warnings: f.lost()}
	if to < len(f.hits) {
		out.NextCursor = strconv.Itoa(to)
	}
	return out, nil
}

func (f *fakeEngine) Outline(_ context.Context, r evergreen.OutlineRequest) (evergreen.Outline, error) {
	if !slices.ContainsFunc(f.collections, func(c evergreen.Collection) bool { return c.Name == r.Collection }) {
		return evergreen.Outline{}, evergreen.Errorf(evergreen.NotFound, "there is no collection %q", r.Collection).Near("react", "vue")
	}
	out := evergreen.Outline{Collection: r.Collection, Warnings: f.lost()}
	from, _ := strconv.Atoi(r.Cursor)
	n := 0
	for _, d := range f.documents {
		if d.Collection != r.Collection || r.DocPath != "" && d.Path != r.DocPath {
			continue
		}
		out.Total++
		o := evergreen.OutlineDocument{Path: d.Path, Title: d.Title}
		for _, s := range d.Sections {
			if n >= from && n < from+r.Limit {
				o.Sections = append(o.Sections, s)
			}
			n++
		}
		if len(o.Sections) > 0 {
			out.Documents = append(out.Documents, o)
		}
	}
	if from+r.Limit < n {
		out.NextCursor = strconv.Itoa(from + r.Limit)
	}
	return out, nil
}

func (f *fakeEngine) Section(_ context.Context, r evergreen.SectionRequest) (evergreen.SectionText, error) {
	body, ok := f.texts[r.ID]
	if !ok {
		return evergreen.SectionText{}, evergreen.Errorf(evergreen.NotFound, "there is no section %q", cut(r.ID, 50)).
			Near(f.nearest(r.ID)...)
	}
	from := min(r.Offset, len(body))
	rest := body[from:]
	if r.MaxBytes > 0 {
		rest = cut(rest, r.MaxBytes)
	}
	c, path, _, _ := evergreen.SplitSectionID(r.ID)
	out := evergreen.SectionText{
		ID: r.ID, Title: "Title of " + r.ID, Level: 1, Collection: c, DocPath: path, Markdown: rest,
		TotalBytes: len(body), Truncated: from+len(rest) < len(body), Marker: c + ":abcdef", Tokens: text.Tokens(body),
	}
	if out.Truncated {
		out.NextOffset = from + len(rest)
	}
	if r.Verify {
		yes := true
		out.Verified = &yes
	}
	if r.Context {
		out.Context = &f.around
	}
	return out, nil
}

func (f *fakeEngine) Entry(ctx context.Context, id string) (evergreen.Entry, string, error) {
	s, err := f.Section(ctx, evergreen.SectionRequest{ID: id})
	return evergreen.Entry{ID: id, Title: s.Title, Body: s.Markdown, Collection: s.Collection, Confidence: 0.9, Curated: s.Collection == ""}, "", err
}

func (f *fakeEngine) Index(ctx context.Context, r evergreen.IndexRequest, p evergreen.Progress) (evergreen.IndexReport, error) {
	if f.index != nil {
		return f.index(ctx, r, p)
	}
	f.indexed = append(f.indexed, r)
	if p != nil {
		for _, stage := range []string{"read", "write"} {
			for i := range 1001 {
				p(stage, i, 1000)
			}
		}
	}
	return f.report, nil
}

func (f *fakeEngine) Delete(_ context.Context, name string) (bool, error) {
	n := len(f.collections)
	f.collections = slices.DeleteFunc(f.collections, func(c evergreen.Collection) bool { return c.Name == name })
	return len(f.collections) < n, nil
}

func (f *fakeEngine) Document(_ context.Context, collection, path string) (evergreen.Document, []byte, error) {
	for _, d := range f.documents {
		if d.Collection == collection && d.Path == path {
			d.Meta = f.meta
			return d, []byte(f.texts[path]), nil
		}
	}
	return evergreen.Document{}, nil, evergreen.Errorf(evergreen.NotFound, "no document").Near("learn/state.md")
}

// nearest compares names in small libraries only: random ones have long ids.
func (f *fakeEngine) nearest(id string) []string {
	names := slices.Sorted(maps.Keys(f.texts))
	if len(names) > 20 {
		return names[:5]
	}
	return text.Nearest(id, names, 5)
}

// smallLibrary holds two collections, three documents and one curated entry.
func smallLibrary() *fakeEngine {
	f := &fakeEngine{
		collections: []evergreen.Collection{
			{Name: "vue", Source: "https://vuejs.org/guide", Documents: 1, Sections: 1, Tokens: 10},
			{Name: "react", Source: "/home/someone/react", Documents: 2, Sections: 3, Tokens: 400, IndexedAt: time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)},
		},
		texts: map[string]string{
			"EG-201":                         "Cite every fact.",
			"EG-202":                         "Budgets bound answers.",
			"learn/state.md":                 "# State\n\nState is memory.\n",
			"指南/状态.md":                       "# 状态\n\n状态是记忆。\n",
			"guide/意.md":                     "# 意\n",
			"react::learn/state.md::state#1": "# State\n\nState is memory.\n",
			"react::learn/state.md::state/setting-state#2": "## Setting state\n\n" + strings.Repeat("Call the setter.\n", 2000),
			"react::指南/状态.md::状态#1":                        "# 状态\n\n" + strings.Repeat("状态是记忆。", 100),
		},
		metrics:  `{"tokens":{"llms.txt":1904},"date":"2026-11-30"}`,
		revision: "r1",
		bundle: evergreen.Bundle{
			Matched: true, EntryCount: 1, UsedTokens: 12,
			Entries:   []evergreen.PackedEntry{{Entry: evergreen.Entry{ID: "EG-201", Title: "Citing", Body: "Cite every fact.", Tokens: 12, Confidence: 1}, Score: 3, Relevance: 1}},
			Citations: []evergreen.Citation{{Marker: "[EG-201]", EntryID: "EG-201", URL: "/context.json#EG-201"}},
		},
		report: evergreen.IndexReport{Collection: "docs", Documents: evergreen.Counts{Discovered: 3, Indexed: 2, Skipped: 1}, Skipped: []evergreen.Skip{{Path: "a.bin", Reason: "binary"}}},
	}
	section := func(id string, level int) evergreen.Section {
		return evergreen.Section{ID: id, Title: "T", Level: level, Tokens: text.Tokens(f.texts[id])}
	}
	f.documents = []evergreen.Document{
		{Collection: "react", Path: "learn/state.md", Title: "State", Bytes: 27, Sections: []evergreen.Section{
			section("react::learn/state.md::state#1", 1), section("react::learn/state.md::state/setting-state#2", 2)}},
		{Collection: "react", Path: "指南/状态.md", Title: "状态", Sections: []evergreen.Section{section("react::指南/状态.md::状态#1", 1)}},
		{Collection: "vue", Path: "guide/意.md", Title: "意", Sections: []evergreen.Section{{ID: "vue::guide/意.md::意#1", Title: "意", Level: 1}}},
	}
	for i := range 30 {
		f.hits = append(f.hits, evergreen.Hit{ID: fmt.Sprintf("react::learn/%d.md::a#1", i), Title: "Hit " + strconv.Itoa(i), Snippet: "about state", Score: float64(30 - i), Tokens: 10})
	}
	return f
}

// serve builds a server over f with every set.
func serve(t *testing.T, f *fakeEngine, change ...func(*Options)) *Server {
	t.Helper()
	o := Options{Engine: f, Sets: []Set{SetKB, SetDocs, SetWeb, SetAdmin}, Version: "1.0.0"}
	for _, c := range change {
		c(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// connect joins a client to s over the in-memory transport, in the newest
// protocol revision.
func connect(t *testing.T, s *Server, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	return connectAs(t, s, o, "")
}

func connectAs(t *testing.T, s *Server, o *sdk.ClientOptions, revision string) *sdk.ClientSession {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	if _, err := s.MCP().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, o).Connect(t.Context(), here, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// reply is a tool's answer as a client sees it.
type reply struct {
	text    string
	meta    map[string]any
	isError bool
}

func callTool(t *testing.T, session *sdk.ClientSession, name, arguments string) reply {
	t.Helper()
	p := &sdk.CallToolParams{Name: name}
	if arguments != "" {
		p.Arguments = json.RawMessage(arguments)
	}
	r, err := session.CallTool(t.Context(), p)
	if err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s: %d content blocks, want 1", name, len(r.Content))
	}
	meta, _ := r.StructuredContent.(map[string]any)
	return reply{r.Content[0].(*sdk.TextContent).Text, meta, r.IsError}
}
