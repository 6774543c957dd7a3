package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/text"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// failing answers everything with one error.
type failing struct {
	*fakeEngine
	err error
}

func (f failing) Ask(context.Context, evergreen.Query) (evergreen.Bundle, error) {
	return evergreen.Bundle{}, f.err
}
func (f failing) Collections(context.Context) ([]evergreen.Collection, error) { return nil, f.err }
func (f failing) Document(context.Context, string, string) (evergreen.Document, []byte, error) {
	return evergreen.Document{}, nil, f.err
}

func TestEngineFaultsBecomeAdvice(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind string
		want string
		not  string
	}{
		{evergreen.Errorf(evergreen.Conflict, "the library has changed").Fix("leave the cursor out"), "conflict", "search_context: the library has changed\nTry: leave the cursor out", "Example"},
		{evergreen.Errorf(evergreen.NotFound, "no collection x").Near("a", "b", "c", "d"), "not_found", "Nearest: a, b, c\nExample: search_context", ", d"},
		{fmt.Errorf("open /home/someone/secret: %w", io.ErrUnexpectedEOF), "internal", "search_context: the call failed inside the server", "secret"},
		{evergreen.Errorf(evergreen.Invalid, "%s", strings.Repeat("很长", 5000)), "invalid", "很长", ""},
	} {
		session := connect(t, serveEngine(t, failing{smallLibrary(), c.err}), nil)
		got := callTool(t, session, "search_context", `{"query":"x"}`)
		if !got.isError || got.meta["error"] != c.kind || !strings.Contains(got.text, c.want) {
			t.Errorf("%v: %+v", c.err, got)
		}
		if c.not != "" && strings.Contains(got.text, c.not) {
			t.Errorf("the text holds %q: %s", c.not, got.text)
		}
		if n := text.Tokens(got.text); n > faultBudget {
			t.Errorf("%d tokens", n)
		}
	}
}

func TestResourceFaultsOfTheLibraryAreInternal(t *testing.T) {
	session := connect(t, serveEngine(t, failing{smallLibrary(), errors.New("disk on fire")}), nil)
	if _, err := session.ListResources(t.Context(), nil); err == nil {
		t.Error("listed a broken library")
	}
	_, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "evergreen://a/b.md"})
	if err == nil || strings.Contains(err.Error(), "fire") || strings.Contains(err.Error(), "not found") {
		t.Errorf("read: %v", err)
	}
}

func serveEngine(t *testing.T, e Engine) *Server {
	t.Helper()
	s, err := New(Options{Engine: e})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The tool promises a budget for the whole text, so that is what it asks for.
func TestBundlesAreAskedForTheWholeText(t *testing.T) {
	f := smallLibrary()
	callTool(t, connect(t, serveEngine(t, f), nil), "search_context", `{"query":"x","budget":900}`)
	if !f.asked.WholeText || f.asked.Budget != 900 {
		t.Errorf("asked %+v", f.asked)
	}
}

// Whatever tokens are counted with, the answer keeps its budget.
func TestTheBudgetIsCountedAsTheOptionsSay(t *testing.T) {
	bytes := func(s string) int { return len(s) }
	f := smallLibrary()
	f.bundle.Entries[0].Body = strings.Repeat("Cite every fact. ", 200)
	got := callTool(t, connect(t, serve(t, f, func(o *Options) { o.Count = bytes }), nil), "search_context", `{"query":"x","budget":600}`)
	if len(got.text) > 600 || len(got.text) < 300 || got.meta["textTokens"] != float64(len(got.text)) {
		t.Errorf("%d bytes, said to be %v", len(got.text), got.meta["textTokens"])
	}
}

func TestNewRefusesNoEngine(t *testing.T) {
	if _, err := New(Options{}); err == nil {
		t.Error("a server without an engine was built")
	}
}

func TestToolsDescribesTheSets(t *testing.T) {
	var names []string
	for _, info := range Tools(SetKB, SetAdmin) {
		names = append(names, info.Name)
		if info.Title == "" || info.Description == "" || len(info.InputSchema) == 0 {
			t.Errorf("%+v is incomplete", info)
		}
	}
	want := []string{"delete_index", "get_entry", "get_metrics", "get_prompt_pack", "index_local", "index_url", "search_context"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := serve(t, smallLibrary()).Tools(); len(got) != len(registry()) {
		t.Errorf("a server with every set describes %d tools", len(got))
	}
}

func TestManyIDsAreRefusedAtTheEdge(t *testing.T) {
	session := connect(t, serve(t, smallLibrary()), nil)
	for _, n := range []int{maxIDs, maxIDs + 1} {
		ids := strings.TrimSuffix(strings.Repeat(`"EG-201",`, n), ",")
		if got := callTool(t, session, "get_section", `{"ids":[`+ids+`]}`); got.isError != (n > maxIDs) {
			t.Errorf("%d ids: %+v", n, got)
		}
	}
}

// A batch that does not fit says where to go on, and going on shows the rest.
func TestBatchGoesOn(t *testing.T) {
	f := smallLibrary()
	for _, id := range []string{"EG-1", "EG-2", "EG-3"} {
		f.texts[id] = strings.Repeat(id+" is a line.\n", 100)
	}
	session := connect(t, serve(t, f), nil)
	arguments := map[string]any{"ids": []string{"EG-1", "EG-2", "EG-3"}, "max_bytes": 2000}
	shown := map[string]int{}
	for range 10 {
		got := callTool(t, session, "get_section", strings.TrimPrefix(callText("", arguments), " "))
		for id := range f.texts {
			shown[id] += strings.Count(got.text, id+" is a line.\n")
		}
		next, ok := got.meta["next"].(map[string]any)
		if !ok {
			break
		}
		first := next["ids"].([]any)[0].(string)
		if !strings.Contains(got.text, "ids from "+first+" on") {
			t.Errorf("the text does not name %s:\n%s", first, got.text)
		}
		arguments["ids"], arguments["offset"] = next["ids"], next["offset"]
	}
	for _, id := range []string{"EG-1", "EG-2", "EG-3"} {
		if shown[id] != 100 {
			t.Errorf("%s: %d of 100 lines shown", id, shown[id])
		}
	}
}

func TestCursors(t *testing.T) {
	for _, c := range []struct {
		page  pageOf
		shown int
		next  string
	}{
		{pageOf{items: 5, read: "c"}, 5, ""},
		{pageOf{items: 5, read: "c", after: "d"}, 5, "d"},
		{pageOf{items: 5, read: "c", after: "d", state: "ab"}, 2, "2~ab~c"},
		{pageOf{items: 3, skipped: 2, after: "d", state: "ab"}, 2, "4~ab~"},
		{pageOf{items: 5, read: "c", after: "d"}, 0, ""},
		{pageOf{read: "c", after: "d"}, 0, "d"},
	} {
		if got := c.page.next(c.shown); got != c.next {
			t.Errorf("%+v after %d: %q, want %q", c.page, c.shown, got, c.next)
		}
	}
	for cursor, want := range map[string]string{"": " 0", "abc": "abc 0", "3~ab~abc": "abc 3", "3~ab~": " 3"} {
		engine, skip, err := splitCursor(cursor, "ab")
		if got := fmt.Sprint(engine, " ", skip); err != nil || got != want {
			t.Errorf("splitCursor(%q) = %q, %v", cursor, got, err)
		}
	}
	for _, bad := range []string{"-1~ab~c", "x~ab~c", "3~c", "3~ab", fmt.Sprint(2*outlinePage+1, "~ab~c"), "3~cd~c"} {
		if _, _, err := splitCursor(bad, "ab"); err == nil {
			t.Errorf("splitCursor(%q) is accepted", bad)
		}
	}
	for _, key := range [][]string{{"", ""}, {"react", "指南/状态.md"}} {
		if got, err := splitKey(keyCursor(key...), 2); err != nil || !cmp.Equal(key, got) {
			t.Errorf("%q came back as %q, %v", key, got, err)
		}
	}
	if _, err := splitKey(keyCursor("one"), 2); err == nil {
		t.Error("a key of another length is accepted")
	}
}

// Within one page of the engine too, a page never silently continues in another
// state of the library.
func TestCursorsOfAnotherStateAreRefused(t *testing.T) {
	f := smallLibrary()
	session := connect(t, serve(t, f), nil)
	first := callTool(t, session, "search_sections", `{"query":"state","limit":30,"budget":200}`)
	cursor, _ := first.meta["next_cursor"].(string)
	call := fmt.Sprintf(`{"query":"state","limit":30,"budget":200,"cursor":%q}`, cursor)
	if on := callTool(t, session, "search_sections", call); on.isError || cursor == "" {
		t.Fatalf("cursor %q: %+v", cursor, on)
	}
	f.revision = "r2"
	got := callTool(t, session, "search_sections", call)
	if !got.isError || got.meta["error"] != "conflict" || !strings.Contains(got.text, "the library has changed") || !strings.Contains(got.text, "leave `cursor` out to start over") {
		t.Errorf("after a change: %+v", got)
	}
	got = callTool(t, session, "get_toc", fmt.Sprintf(`{"repo":"react","cursor":%q}`, cursor))
	if got.meta["error"] != "conflict" {
		t.Errorf("get_toc: %+v", got)
	}
}

// Metadata repeats a question, not a document that was pasted into it.
func TestMetadataCutsWhatWasAsked(t *testing.T) {
	session := connect(t, serve(t, smallLibrary()), nil)
	for _, n := range []int{echoRunes, echoRunes + 1, 40_000} {
		asked := strings.Repeat("状", n)
		want := strings.Repeat("状", min(n, echoRunes))
		if got := callTool(t, session, "search_sections", `{"query":"`+asked+`"}`); got.meta["query"] != want {
			t.Errorf("search_sections repeats %d bytes of %d code points", len(got.meta["query"].(string)), n)
		}
		got := callTool(t, session, "search_context", `{"query":"`+asked+`"}`)
		if topic := got.meta["query"].(map[string]any)["topic"]; topic != want {
			t.Errorf("search_context repeats %d bytes of %d code points", len(topic.(string)), n)
		}
		if got := callTool(t, session, "delete_index", `{"repo":"`+asked+`"}`); got.meta["collection"] != want {
			t.Errorf("delete_index repeats %d bytes of %d code points", len(got.meta["collection"].(string)), n)
		}
	}
}

func TestMetricsLeaveOutWhatIsLong(t *testing.T) {
	f := smallLibrary()
	f.metrics = `{"a":1,"table":"` + strings.Repeat("x", 5000) + `","b":2}`
	session := connect(t, serve(t, f), nil)
	got := callTool(t, session, "get_metrics", `{"budget":200}`)
	if got.text != "a: 1\nb: 2\nLeft out, raise budget: table" || got.meta["truncated"] != true {
		t.Errorf("%+v", got)
	}
	f.metrics = `[]`
	if got := callTool(t, session, "get_metrics", `{}`); !got.isError {
		t.Errorf("%+v", got)
	}
}

// The SDK's line about every session stays out of the log; warnings come in.
func TestSessionChatterIsNotLogged(t *testing.T) {
	var b strings.Builder
	s := serve(t, smallLibrary(), func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&b, nil)) })
	connect(t, s, nil)
	if b.Len() > 0 {
		t.Error(b.String())
	}
	slog.New(warnings{s.log.Handler()}).Warn("careful")
	if !strings.Contains(b.String(), "careful") {
		t.Error("a warning was lost")
	}
}
