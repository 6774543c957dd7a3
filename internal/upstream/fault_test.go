package upstream

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// After any fault, the next good call succeeds without a restart, and no call
// ran twice.
func TestNextGoodCallSucceedsAfter(t *testing.T) {
	for _, c := range []struct {
		status int
		resent bool // the faulty call itself is sent again, and succeeds
		want   string
	}{
		{401, false, "answered 401 Unauthorized"},
		{403, false, "answered 403 Forbidden"},
		{404, true, ""},
		{429, false, "answered 429 Too Many Requests"},
		{500, false, "answered 500 Internal Server Error"},
		{503, false, "answered 503 Service Unavailable"},
		{302, false, "redirects are not followed"},
		{418, false, "answered 418"},
	} {
		for _, era := range []string{"stateful", "stateless"} {
			t.Run(http.StatusText(c.status)+"/"+era, func(t *testing.T) {
				f := newFixture(t, era)
				u := f.open(nil)
				mustEcho(t, u)
				f.fault(c.status)
				_, err := echo(t, u, Credential{})
				if c.resent != (err == nil) {
					t.Fatalf("faulty call: %v", err)
				}
				if err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") || evergreen.KindOf(err) != evergreen.Upstream) {
					t.Errorf("error %q (%s)", err, evergreen.KindOf(err))
				}
				mustEcho(t, u)
				ran := int32(2)
				if c.resent {
					ran = 3
				}
				if got := f.runs.Load(); got != ran {
					t.Errorf("the tool ran %d times, want %d", got, ran)
				}
			})
		}
	}
}

// Many servers answer 400 or a 404 with a JSON-RPC body for a session that they
// do not know.
func TestSessionUnknownInOtherWords(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		resent bool
	}{
		{400, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`, true},
		{404, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`, true},
		{404, `{"jsonrpc":"2.0","error":{"code":-32601,"message":"method not found"},"id":null}`, false},
		{400, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"session_name is required"},"id":null}`, false},
	} {
		f := newFixture(t, "stateful")
		u := f.open(nil)
		mustEcho(t, u)
		var once sync.Once
		f.mu.Lock()
		f.answer = func(method string, w http.ResponseWriter, _ *http.Request) (done bool) {
			if method == "tools/call" {
				once.Do(func() {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(c.status)
					_, _ = w.Write([]byte(c.body))
					done = true
				})
			}
			return done
		}
		f.mu.Unlock()
		if _, err := echo(t, u, Credential{}); (err == nil) != c.resent {
			t.Errorf("%s: %v", c.body, err)
		}
		mustEcho(t, u)
	}
}

func TestUpstreamThatIsNotThere(t *testing.T) {
	f := newFixture(t, "stateful")
	u := f.open(nil)
	f.stop()
	_, err := echo(t, u, Credential{})
	if err == nil || !strings.Contains(err.Error(), "is not reachable") || strings.Contains(err.Error(), f.addr) {
		t.Errorf("error %v", err)
	}
	f.start(f.addr)
	mustEcho(t, u)
}

// A restart forgets the sessions; with the stateful server that shows as a 404,
// the call cannot have run and is sent again.
func TestRestartBetweenCalls(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			f := newFixture(t, era)
			u := f.open(nil)
			mustEcho(t, u)
			f.stop()
			f.mcp = toolServer(&f.runs)
			f.start(f.addr)
			// The end of the old connection may be noticed only by a call that is
			// already on it; whether that one ran is then unknown.
			if _, err := echo(t, u, Credential{}); err != nil && evergreen.KindOf(err) != evergreen.Upstream {
				t.Error(err)
			}
			mustEcho(t, u)
		})
	}
}

func TestRestartInMidCall(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			f := newFixture(t, era)
			u := f.open(nil)
			mustEcho(t, u)
			failed := make(chan error, 1)
			go func() {
				_, err := u.Call(t.Context(), Credential{}, Call{Name: "slow"})
				failed <- err
			}()
			for f.runs.Load() < 2 {
				time.Sleep(time.Millisecond)
			}
			f.stop()
			f.mcp = toolServer(&f.runs)
			f.start(f.addr)
			if err := <-failed; err == nil {
				t.Error("the call that was cut off succeeded")
			}
			if got := f.runs.Load(); got != 2 {
				t.Errorf("a call that may have run was sent again: %d runs", got)
			}
			mustEcho(t, u)
		})
	}
}

func TestDeadlineAndCancellationReachTheUpstream(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			f := newFixture(t, era)
			u := f.open(nil)
			_, err := u.Call(t.Context(), Credential{}, Call{Name: "slow", Timeout: 100 * time.Millisecond})
			if evergreen.KindOf(err) != evergreen.Timeout || len(evergreen.Hints(err)) == 0 {
				t.Errorf("deadline: %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			if _, err := u.Call(ctx, Credential{}, Call{Name: "slow"}); err == nil {
				t.Error("a cancelled call succeeded")
			}
			mustEcho(t, u)
		})
	}
}

func TestProtocolErrorsAndToolErrorsAreTold(t *testing.T) {
	for _, era := range eras {
		f := newFixture(t, era)
		u := f.open(nil)
		_, err := u.Call(t.Context(), Credential{}, Call{Name: "absent"})
		if err == nil || !strings.Contains(err.Error(), "absent") {
			t.Errorf("%s: unknown tool: %v", era, err)
		}
		r, err := u.Call(t.Context(), Credential{}, Call{Name: "fails"})
		if err != nil || !r.IsError {
			t.Errorf("%s: tool error: %+v, %v", era, r, err)
		}
		mustEcho(t, u)
	}
}

func TestProgressPassesThrough(t *testing.T) {
	for _, era := range eras {
		f := newFixture(t, era)
		u := f.open(nil)
		var mu sync.Mutex
		var seen []float64
		_, err := u.Call(t.Context(), Credential{}, Call{Name: "progress", Progress: func(p *mcp.ProgressNotificationParams) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, p.Progress)
		}})
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		if len(seen) != 3 || seen[2] != 3 {
			t.Errorf("%s: progress %v", era, seen)
		}
		mu.Unlock()
	}
}

func TestStructuredContentKeepsItsText(t *testing.T) {
	for _, era := range []string{"stateful", "stateless"} {
		u := newFixture(t, era).open(nil)
		r, err := u.Call(t.Context(), Credential{}, Call{Name: "big"})
		if err != nil {
			t.Fatal(err)
		}
		raw, ok := r.StructuredContent.(json.RawMessage)
		if !ok || string(raw) != `{"z":12345678901234567890,"a":1.50}` || r.Meta[keptKey] != nil {
			t.Errorf("%s: %T %s %v", era, r.StructuredContent, raw, r.Meta)
		}
	}
}

func TestListReadsAllPages(t *testing.T) {
	for _, era := range eras {
		u := newFixture(t, era).open(nil)
		tools, info, err := u.List(t.Context(), Credential{})
		if err != nil || len(tools) != 5 || info.Protocol == "" {
			t.Errorf("%s: %d tools, %+v, %v", era, len(tools), info, err)
		}
		if modern := info.Protocol >= "2026"; modern != (era == "stateless") {
			t.Errorf("%s speaks %s", era, info.Protocol)
		}
	}
}

func TestLegacySkipsTheProbe(t *testing.T) {
	f := newFixture(t, "stateless")
	u := f.open(func(o *Options) { o.Legacy = true })
	if _, info, err := u.List(t.Context(), Credential{}); err != nil || info.Protocol != lastLegacy {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestChangesOfTheListAreTold(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			f := newFixture(t, era)
			changed := make(chan struct{}, 10)
			u := f.open(func(o *Options) { o.Changed = func() { changed <- struct{}{} } })
			mustEcho(t, u)
			f.mcp.AddTool(&mcp.Tool{Name: "new", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
			select {
			case <-changed:
			case <-time.After(10 * time.Second):
				t.Fatal("nobody told of the new tool")
			}
			tools, _, err := u.List(t.Context(), Credential{})
			if err != nil || len(tools) != 6 {
				t.Errorf("%d tools, %v", len(tools), err)
			}
		})
	}
}

// A session that listens is not lost silently: its end counts as a change.
func TestEndOfAListeningSessionIsTold(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			f := newFixture(t, era)
			changed := make(chan struct{}, 10)
			u := f.open(func(o *Options) { o.Changed = func() { changed <- struct{}{} } })
			mustEcho(t, u)
			f.stop()
			select {
			case <-changed:
			case <-time.After(30 * time.Second):
				t.Fatal("nobody told of the end")
			}
			f.start(f.addr)
			mustEcho(t, u)
			if err := u.Close(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-changed:
				t.Error("our own end counts as a change")
			case <-time.After(50 * time.Millisecond):
			}
		})
	}
}

// A call that is refused does not cut off another that is under way.
func TestCallUnderWaySurvivesTheRefusalOfAnother(t *testing.T) {
	f := newFixture(t, "stateless")
	release := make(chan struct{})
	f.mcp.AddTool(&mcp.Tool{Name: "long", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			f.runs.Add(1)
			<-release
			return text("long answer"), nil
		})
	u := f.open(nil)
	long := make(chan error, 1)
	go func() {
		_, err := u.Call(t.Context(), Credential{}, Call{Name: "long"})
		long <- err
	}()
	for f.runs.Load() < 1 {
		time.Sleep(time.Millisecond)
	}
	u.mu.Lock()
	shared := u.sessions[Credential{}.print()]
	u.mu.Unlock()
	f.mu.Lock()
	f.answer = func(method string, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "application/json") // an answer that leaves the SDK's session alive
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"not this tool"}}`))
		return true
	}
	f.mu.Unlock()
	if _, err := echo(t, u, Credential{}); err == nil {
		t.Error("a refused call succeeded")
	}
	if shared.ended.Load() {
		t.Error("the session ends under the other call")
	}
	close(release)
	if err := <-long; err != nil {
		t.Errorf("the other call: %v", err)
	}
	for range 1000 {
		if shared.ended.Load() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("the session does not end after its last call")
}
