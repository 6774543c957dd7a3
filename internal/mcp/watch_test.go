package mcp

import (
	"context"
	"strconv"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// updates collects what a client is told, and lets a test wait for it.
type updates struct {
	list chan struct{}
	uri  chan string
}

func (u *updates) options() *sdk.ClientOptions {
	u.list, u.uri = make(chan struct{}, 100), make(chan string, 100)
	return &sdk.ClientOptions{
		ResourceListChangedHandler: func(context.Context, *sdk.ResourceListChangedRequest) { u.list <- struct{}{} },
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) {
			u.uri <- r.Params.URI
		},
	}
}

func wait[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s never came", what)
	}
	return v
}

// until waits for what happens on the server's own goroutines.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 10_000 {
		if done() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%s never happened", what)
}

func (s *Server) watchedCount() int {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	return len(s.watch.watched)
}

func TestClientsAreToldOfChanges(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		f := smallLibrary()
		s := serve(t, f)
		var u updates
		session := connectAs(t, s, u.options(), revision)
		for _, uri := range []string{"evergreen://react/learn/state.md", "evergreen://react/指南/状态.md"} {
			if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
		}
		until(t, "subscription", func() bool { return s.watchedCount() == 2 })
		s.Changed(t.Context())
		if len(u.uri) > 0 || len(u.list) > 0 {
			t.Error("told of a change that was none")
		}
		f.texts["指南/状态.md"] += "新的一行。\n"
		f.revision = "r2"
		ticks := make(chan time.Time)
		ctx, cancel := context.WithCancel(t.Context())
		go s.Watch(ctx, ticks)
		ticks <- time.Time{}
		if got := wait(t, "the update", u.uri); got != documentURI("react", "指南/状态.md") {
			t.Errorf("%s: told of %s", revision, got)
		}
		wait(t, "the list change", u.list)
		if len(u.uri) > 0 {
			t.Errorf("%s: told of %s, which is as it was", revision, <-u.uri)
		}
		cancel()
	}
}

func TestUnwatchedResourcesAreForgotten(t *testing.T) {
	const uri = "evergreen://react/learn/state.md"
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		f := smallLibrary()
		s := serve(t, f)
		session := connectAs(t, s, nil, revision)
		subscribe := func() {
			if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			until(t, "subscription", func() bool { return s.watchedCount() == 1 })
		}
		subscribe()
		if err := session.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		until(t, "the end of the subscription", func() bool { return s.watchedCount() == 0 })
		subscribe()
		session.Close()
		until(t, "the end of the session", func() bool {
			for range s.MCP().Sessions() {
				return false
			}
			return true
		})
		f.revision = "r2"
		s.Changed(t.Context())
		if n := s.watchedCount(); n != 0 {
			t.Errorf("%s: %d resources of a closed session are still watched", revision, n)
		}
	}
}

func TestSubscriptionsAreBounded(t *testing.T) {
	session := connectAs(t, serve(t, smallLibrary()), nil, "2025-11-25")
	for i := range maxSubscriptions {
		if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: documentURI("react", strconv.Itoa(i))}); err != nil {
			t.Fatalf("subscription %d: %v", i, err)
		}
	}
	if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: documentURI("react", "one-more")}); err == nil {
		t.Error("one more than the bound was accepted")
	}
}

func TestPanicsAreAnswered(t *testing.T) {
	f := smallLibrary()
	f.panics = true
	session := connect(t, serve(t, f), nil)
	got := callTool(t, session, "search_context", `{"query":"x"}`)
	if !got.isError || got.meta["error"] != "internal" {
		t.Errorf("%+v", got)
	}
	if got := callTool(t, session, "list_repos", `{}`); got.isError {
		t.Errorf("after a panic: %+v", got)
	}
}
