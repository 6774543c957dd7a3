package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"evergreen/internal/repair"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func upstreamOfAllKinds(t *testing.T) Upstream {
	url := listen(t, fakeServer("one",
		fakeTool{name: "search_news", readOnly: true},
		fakeTool{name: "save_note"},
		fakeTool{name: "delete_note"},
		fakeTool{name: "hidden_notes", readOnly: true},
		fakeTool{name: "raw", schema: `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`},
		fakeTool{name: "careful", readOnly: true},
		fakeTool{name: "fails", readOnly: true, run: func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			r := content("quota exceeded")
			r.IsError = true
			return r, nil
		}},
		fakeTool{name: "structured", readOnly: true, run: func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			r := content("see below")
			r.Meta = sdk.Meta{"theirs": "kept"}
			r.StructuredContent = json.RawMessage(`{"big":12345678901234567890}`)
			return r, nil
		}}))
	return at("one", url, func(u *Upstream) {
		u.Deny = []string{"hidden_notes"}
		u.Policies = map[string]repair.Policy{"raw": repair.PolicyOff, "careful": repair.PolicyHintOnly}
	})
}

// Calls through the middleware alone: names and arguments.
func TestCallsAreRepairedAndTaught(t *testing.T) {
	st := build(t, FaceOptions{}, upstreamOfAllKinds(t))
	for _, c := range []struct {
		name, arguments string
		want            string // the tool and its arguments; "" when refused
		hint            string // part of the hint or of the refusal; "" for none
	}{
		{"search_docs", `{"query":"x"}`, `search_docs {"query":"x"}`, ""},
		{"one__search_news", `{"query":"x","limit":3}`, `search_news {"query":"x","limit":3}`, ""},
		{"searchDocs", `{"query":"x"}`, `search_docs {"query":"x"}`, `{"name":"search_docs","arguments":{"query":"x"}}`},
		{"mcp__evergreen__search_docs", `{"query":"x"}`, `search_docs {"query":"x"}`, "Canonical call: "},
		{"search_news", `{"q":"x","limit":"5"}`, `search_news {"limit":5,"query":"x"}`, `{"name":"one__search_news","arguments":{"limit":5,"query":"x"}}`},
		{"one.searchNews", `"{\"query\":\"x\"}"`, `search_news {"query":"x"}`, "Canonical call: "},
		{"one__save_note", `{"query":"x","limit":"5"}`, `save_note {"limit":5,"query":"x"}`, "Canonical call: "},
		{"delete_index", `{"collection":"r"}`, `delete_index {"repo":"r"}`, ""},
		{"delete_notes", `{"query":"x"}`, "", "there is no tool"},
		{"hidden_notes", `{"query":"x"}`, "", "not available here"},
		{"index_secret", `{}`, "", "not available here"},
		{"totally_else", `{}`, "", "there is no tool"},
		{"search_docs", `{"limit":5}`, "", "query"},
		{"one__raw", `{"n":"seven"}`, `raw {"n":"seven"}`, ""},
		{"one__careful", `{"q":"x"}`, "", `The right call: {"name":"one__careful","arguments":{"query":"x"}}`},
		{"one__careful", `{"query":"x"}`, `careful {"query":"x"}`, ""},
	} {
		r := st.call(c.name, c.arguments)
		got := texts(r)
		said := strings.Join(got[min(1, len(got)):], "")
		if c.want == "" {
			said = got[0]
		} else if got[0] != c.want {
			t.Errorf("%s %s: got %q", c.name, c.arguments, got)
		}
		if r.IsError != (c.want == "") {
			t.Errorf("%s %s: isError is %v", c.name, c.arguments, r.IsError)
		}
		if c.hint == "" && (said != "" || about(t, r) != nil) || !strings.Contains(said, c.hint) {
			t.Errorf("%s %s: said %q", c.name, c.arguments, said)
		}
		if len(got) > 2 || c.want != "" && len(said) > 300 {
			t.Errorf("%s %s: %d blocks, %d bytes of hint", c.name, c.arguments, len(got), len(said))
		}
		if c.hint != "" && about(t, r)["outcome"] == nil {
			t.Errorf("%s %s: _meta %v", c.name, c.arguments, r.Meta)
		}
	}
}

func TestHintLeavesTheRestAlone(t *testing.T) {
	st := build(t, FaceOptions{}, upstreamOfAllKinds(t))
	r := st.call("Structured", `{"q":"x"}`)
	raw, err := json.Marshal(r.StructuredContent)
	if err != nil || r.IsError || r.Meta["theirs"] != "kept" || !strings.Contains(string(raw), "big") {
		t.Errorf("%s %v %+v", raw, err, r)
	}
	got := texts(r)
	if len(got) != 2 || got[0] != "see below" || !strings.HasPrefix(got[1], "[evergreen] Repaired: ") {
		t.Errorf("%q", got)
	}
	changes, ok := about(t, r)["changes"].([]any)
	if !ok || len(changes) != 2 {
		t.Errorf("%v", about(t, r))
	}
}

func TestErrorAfterRepairLetsTheCallerDoubt(t *testing.T) {
	st := build(t, FaceOptions{}, upstreamOfAllKinds(t))
	r := st.call("one__fails", `{"q":"x"}`)
	got := texts(r)
	if !r.IsError || len(got) != 2 || got[0] != "quota exceeded" || !strings.Contains(got[1], `repaired and run as {"name":"one__fails"`) {
		t.Errorf("%v %q", r.IsError, got)
	}
	if n := st.g.Counts().ErrorAfterRepair["one__fails"]; n != 1 {
		t.Errorf("counted %d", n)
	}
}

// From the third equal repair of a session the hint is short, and never silent;
// other repairs and other sessions begin anew.
func TestDamping(t *testing.T) {
	st := build(t, FaceOptions{})
	long := texts(st.call("searchDocs", `{"query":"x"}`))[1]
	if second := texts(st.call("searchDocs", `{"query":"x"}`))[1]; second != long {
		t.Errorf("second %q", second)
	}
	for range 3 {
		short := texts(st.call("searchDocs", `{"query":"x"}`))[1]
		if len(short) >= len(long) || !strings.Contains(short, `{"name":"search_docs","arguments":{"query":"x"}}`) {
			t.Errorf("later %q", short)
		}
	}
	if other := texts(st.call("search_docs", `{"q":"x"}`))[1]; !strings.Contains(other, "Repaired") {
		t.Errorf("another repair %q", other)
	}
	st.session = nil
	if fresh := texts(st.call("searchDocs", `{"query":"x"}`))[1]; fresh != long {
		t.Errorf("another session %q", fresh)
	}
}

// The tool learns before it runs what will follow its answer; where little room
// is left, that is the short hint from the first.
func TestHintsAreReserved(t *testing.T) {
	var reserved []string
	st := build(t, FaceOptions{Reserve: func(_ *sdk.CallToolRequest, text string) { reserved = append(reserved, text) }})
	for _, c := range []struct {
		arguments string
		lead      string // of the hint, "" for none
	}{
		{`{"query":"x"}`, ""},
		{`{"query":"x","budget":200}`, ""},
		{`{"q":"x"}`, "[evergreen] Repaired: "},
		{`{"q":"x","budget":301}`, "[evergreen] Repaired: "},
		{`{"q":"y","budget":300}`, "[evergreen] Canonical call: "},
		{`{"q":"y","max_bytes":1000}`, "[evergreen] Canonical call: "},
		{`{"limit":"5","query":"x","max_bytes":1001}`, "[evergreen] Repaired: "},
		{`{"limit":"5","query":"x","max_bytes":0}`, "[evergreen] Repaired: "},
	} {
		reserved = nil
		got := texts(st.call("search_docs", c.arguments))
		if said := strings.Join(got[1:], ""); len(reserved) != 1 || said != reserved[0] || !strings.HasPrefix(said, c.lead) || said == "" != (c.lead == "") {
			t.Errorf("%s: said %q, reserved %q", c.arguments, said, reserved)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := newMemory()
	for i := range maxRemembered + 10 {
		m.times(i, "a", nil)
	}
	if len(m.sessions) != maxRemembered || m.order.Len() != maxRemembered {
		t.Errorf("%d sessions", len(m.sessions))
	}
	if m.followed(0, "a") || !m.followed(maxRemembered+9, "a") || m.followed(maxRemembered+9, "a") {
		t.Error("the oldest session is remembered, or the latest is not")
	}
	for i := range maxPerSession + 10 {
		m.times("one", fmt.Sprint(i), nil)
	}
	if r := m.of("one"); len(r.times) > maxPerSession || len(r.taught) > maxPerSession {
		t.Errorf("%d repairs, %d tools", len(r.times), len(r.taught))
	}
	for range 2 {
		if m.times(nil, "a", nil) != 1 || m.followed(nil, "a") {
			t.Error("no session was remembered")
		}
	}
}

func TestCountersAndLog(t *testing.T) {
	st := build(t, FaceOptions{}, upstreamOfAllKinds(t))
	st.call("search_docs", `{"query":"secret words"}`)
	st.call("searchDocs", `{"q":"secret words"}`)
	st.call("search_docs", `{"query":"secret words"}`)
	st.call("search_docs", `{"query":"secret words"}`)
	st.call("nothing_like_it", `{"query":"secret words"}`)
	st.call("search_docs", `{"limit":1}`)
	want := Counts{
		Calls:            map[string]map[repair.Outcome]int{"search_docs": {"exact": 3, "repaired": 1, "refused": 1}},
		Repairs:          map[string]int{repair.NameLetters: 1, repair.KeyAlias: 1},
		Refusals:         map[string]int{repair.ErrUnknownTool: 1, repair.ErrInvalid: 1},
		ErrorAfterRepair: map[string]int{},
		HintFollowed:     1,
	}
	if diff := cmp.Diff(want, st.g.Counts()); diff != "" {
		t.Error(diff)
	}
	var shapes []string
	for _, r := range st.g.Recent() {
		shapes = append(shapes, fmt.Sprint(r.Tool, r.Codes, r.Reason, r.Error, r.Time.IsZero()))
	}
	if diff := cmp.Diff([]string{"search_docs[]" + repair.ErrInvalid + "false false", "[]" + repair.ErrUnknownTool + "false false",
		"search_docs[" + repair.NameLetters + " " + repair.KeyAlias + "]false false"}, shapes); diff != "" {
		t.Error(diff)
	}
	log := st.log.String()
	if !strings.Contains(log, "call repaired") || !strings.Contains(log, "call refused") || strings.Contains(log, "secret") {
		t.Error(log)
	}
}

func TestRecentCallsAreBounded(t *testing.T) {
	st := build(t, FaceOptions{}, upstreamOfAllKinds(t))
	for range maxRecent {
		st.call("nothing_like_it", `{}`)
	}
	st.call("one__fails", `{"q":"x"}`)
	list := st.g.Recent()
	if len(list) != maxRecent || list[0].Tool != "one__fails" || !list[0].Error {
		t.Errorf("%d calls, the latest %+v", len(list), list[0])
	}
}

func TestHookRewritesRawMessages(t *testing.T) {
	st := build(t, FaceOptions{}, upstreamOfAllKinds(t))
	for _, c := range []struct {
		name, raw, want string // want "" for unchanged
		note            string
	}{
		{"not a call", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "", ""},
		{"a word in another message", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"tools/call"}}`, "", ""},
		{"broken", `{"method":"tools/call",`, "", ""},
		{"canonical", `{"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"name":"search_docs","arguments":{"query":"x"}}}`, "", "exact"},
		{"a further key", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_index","arguments":{"collection":"r"},"_meta":{"progressToken":7}}}`,
			`{"id":1,"jsonrpc":"2.0","method":"tools/call","params":{"_meta":{"progressToken":7},"arguments":{"repo":"r"},"name":"delete_index"}}`, "exact"},
		{"a further key that contradicts", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_index","arguments":{"collection":"r","repo":"s"}}}`,
			`{"id":1,"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{},"name":"delete_index"}}`, "ambiguous_arguments"},
		{"arguments beside the name", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_docs","query":"x","_meta":{"progressToken":7}}}`,
			`{"id":1,"jsonrpc":"2.0","method":"tools/call","params":{"_meta":{"progressToken":7},"arguments":{"query":"x"},"name":"search_docs"}}`, "envelope.flat"},
		{"other keys", `{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"tool":"searchNews","args":"{\"q\":\"<a>\"}"}}`,
			`{"id":12345678901234567890,"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{"query":"<a>"},"name":"one__search_news"}}`, "envelope.arguments"},
		{"refused", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing_like_it","arguments":[1],"_meta":{"a":1}}}`,
			`{"id":1,"jsonrpc":"2.0","method":"tools/call","params":{"_meta":{"a":1},"arguments":{},"name":"nothing_like_it"}}`, "unknown_tool"},
		{"no params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
			`{"id":1,"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{},"name":"unknown"}}`, "invalid_arguments"},
		{"params of text", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"{\"name\":\"search_docs\",\"arguments\":{\"query\":\"x\"}}"}`,
			`{"id":1,"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{"query":"x"},"name":"search_docs"}}`, "envelope.text"},
	} {
		out, notes := st.face.Hook([]byte(c.raw))
		want := c.want
		if want == "" {
			want = c.raw
		}
		if string(out) != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, out, want)
		}
		if got := strings.Join(notes, ""); c.note == "" && got != "" || !strings.Contains(got, c.note) {
			t.Errorf("%s: note %s", c.name, got)
		}
	}
}

// What the hook noted reaches the middleware.
func TestNotesOfTheHookAreFollowed(t *testing.T) {
	var notes []string
	st := build(t, FaceOptions{Notes: func(*sdk.RequestExtra) []string { return notes }}, upstreamOfAllKinds(t))
	_, notes = st.face.Hook([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_docs","query":"x"}}`))
	if got := texts(st.call("search_docs", `{"query":"x"}`)); len(got) != 2 || !strings.Contains(got[1], "beside the name") {
		t.Errorf("%q", got)
	}
	notes = []string{exactNote}
	if got := texts(st.call("search_docs", `{"query":"x"}`)); len(got) != 1 {
		t.Errorf("%q", got)
	}
	_, notes = st.face.Hook([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such_thing"}}`))
	if r := st.call("unknown", `{}`); !r.IsError || !strings.Contains(texts(r)[0], `no tool "no_such_thing"`) {
		t.Errorf("%q", texts(r))
	}
}

func BenchmarkHookExact(b *testing.B) {
	st := build(&testing.T{}, FaceOptions{})
	raw := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_docs","arguments":{"query":"how do I rotate the signing key","limit":5}}}`)
	for b.Loop() {
		if out, notes := st.face.Hook(raw); len(out) != len(raw) || notes[0] != exactNote {
			b.Fatal(notes)
		}
	}
}
