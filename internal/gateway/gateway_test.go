package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/repair"
	"evergreen/internal/upstream"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestMergedList(t *testing.T) {
	one := listen(t, fakeServer("one", fakeTool{name: "search_news"}, fakeTool{name: "search_docs"}, fakeTool{name: "drop_table"}))
	two := listen(t, fakeServer("two", fakeTool{name: "search_news"}, fakeTool{name: "ask"}, fakeTool{name: "search_docs"}))
	st := build(t, FaceOptions{},
		at("one", one, func(u *Upstream) { u.Deny = []string{"drop_*"} }),
		at("two", two, func(u *Upstream) {
			u.Prefix = ""
			u.Aliases = map[string]string{"question": "ask", "query_it": "ask"}
			u.Advertise = []string{"question"}
		}))
	want := []string{"ask", "delete_index", "one__search_docs", "one__search_news", "question", "search_docs", "search_news"}
	if diff := cmp.Diff(want, st.names()); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ name, want string }{
		{"one__search_news", "search_news {\"query\":\"x\"}"},
		{"question", "ask {\"query\":\"x\"}"},
		{"query_it", "ask {\"query\":\"x\"}"},
		{"ask", "ask {\"query\":\"x\"}"},
		{"search_docs", "search_docs {\"query\":\"x\"}"},
	} {
		if got := texts(st.call(c.name, `{"query":"x"}`)); got[0] != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	states := st.g.States()
	if s := states[0]; !s.Ready || s.Tools != 2 || s.Hidden != 1 || s.Server != "one 1" || len(s.Problems) != 0 {
		t.Errorf("%+v", s)
	}
	if s := states[1]; len(s.Problems) != 1 || s.Problems[0] != "search_docs is not served: this server has a tool of that name" {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(st.log.String(), "search_docs is not served") {
		t.Error("the collision was not logged")
	}
}

// The list is read page by page by clients, whatever the server's page is.
func TestMergedListIsPaged(t *testing.T) {
	var tools []fakeTool
	for i := range 25 {
		tools = append(tools, fakeTool{name: fmt.Sprintf("tool_%02d", i)})
	}
	g, err := New(Options{Upstreams: []Upstream{at("many", listen(t, fakeServer("many", tools...)), nil)}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	server := sdk.NewServer(&sdk.Implementation{Name: "paged", Version: "1"}, &sdk.ServerOptions{PageSize: 4})
	face, err := g.Face(FaceOptions{Server: server})
	if err != nil {
		t.Fatal(err)
	}
	g.Refresh(t.Context())
	st := &stand{t: t, g: g, face: face, server: server}
	page, err := st.connect(nil).ListTools(t.Context(), nil)
	if err != nil || len(page.Tools) != 4 || page.NextCursor == "" {
		t.Fatalf("%d tools, %v", len(page.Tools), err)
	}
	if names := st.names(); len(names) != 25 || !slices.IsSorted(names) {
		t.Errorf("%v", names)
	}
}

// A dead upstream stops no other, and comes back without our help.
func TestDeadUpstreamReturns(t *testing.T) {
	addr := freeAddr(t)
	live := listen(t, fakeServer("live", fakeTool{name: "ask"}))
	st := build(t, FaceOptions{}, at("dead", "http://"+addr, nil), at("live", live, nil))
	if diff := cmp.Diff([]string{"delete_index", "live__ask", "search_docs"}, st.names()); diff != "" {
		t.Error(diff)
	}
	if s := st.g.States()[0]; s.Ready || s.Err == nil || !strings.Contains(s.Err.Error(), "not reachable") {
		t.Errorf("%+v", s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	changed := make(chan struct{}, 8)
	session := st.connect(&sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} }})
	go st.g.Run(ctx)
	server := fakeServer("dead", fakeTool{name: "wake"})
	listenAt(t, addr, server)
	await(t, changed)
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "dead__wake", Arguments: json.RawMessage(`{"query":"x"}`)})
	if err != nil || texts(r)[0] != `wake {"query":"x"}` {
		t.Errorf("%v, %v", r, err)
	}
	addFake(server, fakeTool{name: "wake_more"})
	await(t, changed)
	if names := st.names(); !slices.Contains(names, "dead__wake_more") {
		t.Errorf("%v", names)
	}
	server.RemoveTools("wake")
	await(t, changed)
	if names := st.names(); slices.Contains(names, "dead__wake") {
		t.Errorf("%v", names)
	}
}

func await(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(20 * time.Second):
		t.Fatal("nothing happened")
	}
}

// A client that asks at once gets the tools of upstreams that answer a little
// later, and so does a call.
func TestFirstListWaitsForUpstreams(t *testing.T) {
	url := listen(t, fakeServer("one", fakeTool{name: "ask"}))
	st := build(t, FaceOptions{})
	g, err := New(Options{Upstreams: []Upstream{at("one", url, nil)}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	st.server = fakeServer("late")
	st.g = g
	if st.face, err = g.Face(FaceOptions{Server: st.server}); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(30*time.Millisecond, func() { g.Refresh(context.Background()) })
	if got := texts(st.call("one_ask", `{"query":"x"}`)); got[0] != `ask {"query":"x"}` {
		t.Errorf("%q", got)
	}
	if names := st.names(); len(names) != 1 {
		t.Errorf("%v", names)
	}
}

func TestFaultsOfUpstreamsAreResults(t *testing.T) {
	addr := freeAddr(t)
	server := fakeServer("one", fakeTool{name: "ask"}, fakeTool{name: "slow", run: func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}, fakeTool{name: "broken", run: func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, fmt.Errorf("wires crossed")
	}})
	h := listenAt(t, addr, server)
	st := build(t, FaceOptions{}, at("one", "http://"+addr, func(u *Upstream) {
		u.Timeouts = map[string]time.Duration{"slow": 50 * time.Millisecond}
	}))
	for _, c := range []struct{ tool, want string }{
		{"one__slow", "did not answer in time"},
		{"one__broken", "wires crossed"},
	} {
		if r := st.call(c.tool, `{"query":"x"}`); !r.IsError || !strings.Contains(texts(r)[0], c.want) {
			t.Errorf("%s: %v %q", c.tool, r.IsError, texts(r))
		}
	}
	_ = h.Close()
	if r := st.call("one__ask", `{"query":"x"}`); !r.IsError {
		t.Errorf("%q", texts(r))
	}
	if r := st.call("one__ask", `{"query":"x"}`); !r.IsError || !strings.Contains(texts(r)[0], "not reachable") || !strings.Contains(texts(r)[0], "Try: ") {
		t.Errorf("%q", texts(r))
	}
	listenAt(t, addr, server)
	if r := st.call("one__ask", `{"query":"x"}`); r.IsError {
		t.Errorf("%q", texts(r))
	}
}

func TestProgressAndCancellationPassThrough(t *testing.T) {
	cancelled := make(chan struct{})
	url := listen(t, fakeServer("one",
		fakeTool{name: "steps", run: func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			for i := range 3 {
				_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i)})
			}
			return content("done"), nil
		}},
		fakeTool{name: "slow", run: func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			<-ctx.Done()
			close(cancelled)
			return nil, ctx.Err()
		}}))
	st := build(t, FaceOptions{}, at("one", url, nil))
	tokens := make(chan any, 10)
	session := st.connect(&sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		tokens <- r.Params.ProgressToken
	}})
	p := &sdk.CallToolParams{Name: "one__steps", Arguments: json.RawMessage(`{"query":"x"}`)}
	p.SetProgressToken("mine")
	if _, err := session.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		select {
		case token := <-tokens:
			if token != "mine" {
				t.Errorf("token %v", token)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("no progress")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "one__slow", Arguments: json.RawMessage(`{"query":"x"}`)}); err == nil {
		t.Error("a cancelled call succeeded")
	}
	await(t, cancelled)
}

// An upstream that lists nothing without a credential is listed with that of
// the first caller, and every caller calls with their own.
func TestUpstreamThatWantsTheCallersCredential(t *testing.T) {
	server := fakeServer("one", fakeTool{name: "whoami", schema: `{"type":"object"}`, run: func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return content(r.Extra.Header.Get("Authorization") + "|" + r.Extra.Header.Get("Cookie")), nil
	}})
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	addr := freeAddr(t)
	h := &http.Server{Addr: addr, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})}
	go func() { _ = h.ListenAndServe() }()
	t.Cleanup(func() { _ = h.Close() })
	st := build(t, FaceOptions{}, at("one", "http://"+addr, func(u *Upstream) { u.Forward = []string{"Authorization"} }))
	front := listen(t, st.server)
	for _, user := range []string{"ann", "ben", "ann"} {
		client := &http.Client{Transport: withHeader{"Authorization": "Bearer " + user, "Cookie": "c=1"}}
		session, err := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: front, HTTPClient: client, DisableStandaloneSSE: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 3 {
			t.Fatalf("%s sees %d tools, %v", user, len(list.Tools), err)
		}
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "one__whoami"})
		if err != nil || texts(r)[0] != "Bearer "+user+"|" {
			t.Errorf("%s: %v, %v", user, r, err)
		}
		_ = session.Close()
	}
	if strings.Contains(st.log.String(), "Bearer") {
		t.Error("a credential was logged")
	}
}

type withHeader map[string]string

func (h withHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestOptionsThatCannotBeServed(t *testing.T) {
	fine := upstream.Options{Name: "a", URL: "https://example.com/"}
	for _, c := range []struct {
		u    Upstream
		want string
	}{
		{Upstream{Options: fine, Allow: []string{"["}}, "no pattern"},
		{Upstream{Options: fine, Classes: map[string]repair.Class{"x": "reads"}}, "unknown class"},
		{Upstream{Options: fine, Policies: map[string]repair.Policy{"x": "on"}}, "unknown repair policy"},
		{Upstream{Options: fine, Advertise: []string{"x"}}, "no alias"},
		{Upstream{Options: fine, Prefix: "a b"}, "prefix"},
		{Upstream{Options: upstream.Options{Name: "b"}}, "either a url or a command"},
	} {
		if _, err := New(Options{Upstreams: []Upstream{c.u}}); err == nil || !strings.Contains(err.Error(), c.want) || evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%+v: %v", c.u, err)
		}
	}
	if _, err := New(Options{Upstreams: []Upstream{{Options: fine}, {Options: fine}}}); err == nil {
		t.Error("two upstreams of one name")
	}
	g, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Face(FaceOptions{Server: fakeServer("x"), Policy: "on"}); err == nil {
		t.Error("an unknown policy")
	}
	if _, err := g.Search(SearchOptions{Upstream: "x"}); err == nil {
		t.Error("an unknown upstream")
	}
}

func TestWhatTheOperatorNamesInVainIsReported(t *testing.T) {
	st := build(t, FaceOptions{Aliases: map[string]string{"s": "search_docs", "search_docs": "delete_index", "z": "nowhere"}},
		at("one", listen(t, fakeServer("one", fakeTool{name: "ask"})), func(u *Upstream) {
			u.Aliases = map[string]string{"a": "ask", "b": "gone"}
			u.Classes = map[string]repair.Class{"*": "read", "gone": "write"}
			u.Policies = map[string]repair.Policy{"gone": "off"}
			u.Timeouts = map[string]time.Duration{"gone": 1}
		}))
	got := strings.Join(st.g.States()[0].Problems, "\n")
	for _, want := range []string{"alias b names gone", "classes names gone", "repair names gone", "timeouts names gone",
		"alias search_docs is not used: this server has a tool of that name", "alias z stands for nowhere"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if got := texts(st.call("s", `{"query":"x"}`)); got[0] != `search_docs {"query":"x"}` || len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// Our own token is never an upstream's business.
func TestOwnTokensAreWithheld(t *testing.T) {
	server := fakeServer("one", fakeTool{name: "whoami", schema: `{"type":"object"}`, run: func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return content(r.Extra.Header.Get("Authorization")), nil
	}})
	g, err := New(Options{Withhold: []string{"", "our-token"}, Upstreams: []Upstream{
		at("one", listen(t, server), func(u *Upstream) { u.Forward = []string{"Authorization"} })}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for value, own := range map[string]bool{"Bearer our-token": true, "our-token": true, "Bearer theirs": false} {
		if c := g.credential(g.members[0], http.Header{"Authorization": {value}}); c.Own() != own {
			t.Errorf("%q: %v", value, c)
		}
	}
}

func TestReadersGetToolsThatOnlyRead(t *testing.T) {
	st := build(t, FaceOptions{ReadOnly: true}, upstreamOfAllKinds(t))
	for _, name := range st.names() {
		if strings.Contains(name, "note") || strings.Contains(name, "raw") {
			t.Errorf("%s is listed", name)
		}
	}
	if r := st.call("one__save_note", `{"query":"x"}`); !r.IsError || !strings.Contains(texts(r)[0], "not available here") {
		t.Errorf("%q", texts(r))
	}
	if r := st.call("one__search_news", `{"query":"x"}`); r.IsError {
		t.Errorf("%q", texts(r))
	}
}

// A face or a search that is made while upstreams answer misses none of them.
func TestNothingIsMissedWhileUpstreamsAnswer(t *testing.T) {
	url := listen(t, fakeServer("one", fakeTool{name: "search_news", readOnly: true}))
	for range 30 {
		g, err := New(Options{Upstreams: []Upstream{at("one", url, nil)}})
		if err != nil {
			t.Fatal(err)
		}
		refreshed := make(chan struct{})
		go func() {
			g.Refresh(context.Background())
			close(refreshed)
		}()
		var faces []*Face
		var searches []*Search
		for done := false; !done; {
			f, err := g.Face(FaceOptions{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := g.Search(SearchOptions{Upstream: "one"})
			if err != nil {
				t.Fatal(err)
			}
			faces, searches = append(faces, f), append(searches, s)
			select {
			case <-refreshed:
				done = true
			default:
			}
		}
		for i, f := range faces {
			if _, ok := f.current.Load().remote["one__search_news"]; !ok {
				t.Fatalf("face %d of %d does not know the tool", i, len(faces))
			}
			if searches[i].state.Load().plan == nil {
				t.Fatalf("search %d of %d has no plan", i, len(searches))
			}
		}
		_ = g.Close()
	}
}
