package upstream

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"evergreen"
)

func forwarding(o *Options) { o.Forward = []string{"Authorization"} }

func as(u *Upstream, user string) Credential {
	return u.Credential(http.Header{"Authorization": {"Bearer " + user}, "Cookie": {"c"}})
}

// Every user has sessions of their own, whatever goes on at the same time.
func TestUsersNeverShareASession(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			f := newFixture(t, era)
			u := f.open(forwarding)
			var wait sync.WaitGroup
			for i := range 40 {
				user := fmt.Sprintf("user%d", i%4)
				wait.Go(func() {
					got, err := echo(t, u, as(u, user))
					if err != nil || era != "sse" && !strings.HasSuffix(got, "Bearer "+user) {
						t.Errorf("%s: %q, %v", user, got, err)
					}
				})
			}
			wait.Wait()
			f.mu.Lock()
			defer f.mu.Unlock()
			for id, users := range f.sessions {
				if len(users) != 1 {
					t.Errorf("session %s was used by %v", id, users)
				}
			}
			if era == "stateful" && len(f.sessions) != 4 {
				t.Errorf("%d sessions for 4 users", len(f.sessions))
			}
		})
	}
}

// One user's refused credential leaves the others' sessions alone.
func TestRefusalOfOneUserLeavesOthers(t *testing.T) {
	f := newFixture(t, "stateful")
	u := f.open(forwarding)
	for _, user := range []string{"a", "b"} {
		if _, err := echo(t, u, as(u, user)); err != nil {
			t.Fatal(err)
		}
	}
	f.fault(http.StatusUnauthorized)
	if _, err := echo(t, u, as(u, "a")); err == nil || strings.Contains(err.Error(), "Bearer") {
		t.Fatalf("refused user: %v", err)
	}
	_, before := f.counts()
	if _, err := echo(t, u, as(u, "b")); err != nil {
		t.Error(err)
	}
	if _, after := f.counts(); after != before {
		t.Error("the other user's session was opened anew")
	}
}

func TestHeadersAreForwardedOnlyWhereConfigured(t *testing.T) {
	f := newFixture(t, "stateless")
	u := f.open(nil)
	if c := as(u, "a"); !c.Own() {
		t.Error("a header was taken that is not configured")
	}
	got, err := echo(t, u, as(u, "a"))
	if err != nil || strings.Contains(got, "Bearer") {
		t.Errorf("%q, %v", got, err)
	}
	u = f.open(forwarding)
	if c := as(u, "a"); len(c.headers) != 1 || fmt.Sprintf("%v %+v %#v", c, c, c) != "forwarded forwarded forwarded" {
		t.Errorf("%v", c)
	}
}

// A redirect gets neither the credential nor the call.
func TestCredentialsDoNotCrossRedirects(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, status)
		}))
		for _, sse := range []bool{false, true} {
			u, err := New(Options{Name: "r", URL: first.URL, SSE: sse, Forward: []string{"Authorization"}, Headers: map[string]string{"X-Key": "k"}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := echo(t, u, as(u, "a")); err == nil {
				t.Errorf("%d: the call succeeded", status)
			}
			_ = u.Close()
		}
		first.Close()
	}
	if reached {
		t.Error("the redirect was followed")
	}
}

func TestOptionsThatCannotBeServed(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{URL: "http://127.0.0.1/mcp"}, "no name"},
		{Options{Name: "x"}, "either a url or a command"},
		{Options{Name: "x", URL: "http://127.0.0.1/", Command: []string{"a"}}, "either"},
		{Options{Name: "x", URL: "ftp://a/"}, "absolute http"},
		{Options{Name: "x", URL: "/mcp"}, "absolute http"},
		{Options{Name: "x", URL: "http://example.com/mcp", Forward: []string{"Authorization"}}, "plain http"},
		{Options{Name: "x", URL: "http://127.0.0.1.example.com/mcp", Forward: []string{"Authorization"}}, "plain http"},
		{Options{Name: "x", URL: "http://10.0.0.1/mcp", Forward: []string{"Authorization"}}, "plain http"},
		{Options{Name: "x", URL: "https://example.com/", Forward: []string{"Host"}}, `header "Host"`},
		{Options{Name: "x", URL: "https://example.com/", Forward: []string{"mcp-session-id"}}, "header"},
		{Options{Name: "x", Command: []string{"a"}, Forward: []string{"Authorization"}}, "is a command"},
		{Options{Name: "x", URL: "https://example.com/", Env: map[string]string{"A": "b"}}, "is a url"},
		{Options{Name: "x", URL: "https://example.com/", Timeout: -1}, "timeout"},
	} {
		_, err := New(c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	for _, fine := range []string{"https://example.com/mcp", "http://127.0.0.1:1/mcp", "http://[::1]:1/mcp", "http://localhost/mcp"} {
		if _, err := New(Options{Name: "x", URL: fine, Forward: []string{"Authorization"}}); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
}

// Secrets are read when a session is opened, so a rotated one is found after
// the old one was refused.
func TestSecretsFromEnvironmentAndFile(t *testing.T) {
	f := newFixture(t, "stateful")
	file := filepath.Join(t.TempDir(), "key")
	write := func(s string) {
		if err := os.WriteFile(file, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("old\nsecond line")
	u := f.open(func(o *Options) {
		o.Headers = map[string]string{"Authorization": "${KIND} ${file:" + file + "}"}
		o.LookupEnv = func(name string) (string, bool) { return "Token", name == "KIND" }
	})
	if got, err := echo(t, u, Credential{}); err != nil || !strings.HasSuffix(got, " Token old") {
		t.Fatalf("%q, %v", got, err)
	}
	write("new")
	f.fault(http.StatusUnauthorized)
	_, _ = echo(t, u, Credential{})
	if got, err := echo(t, u, Credential{}); err != nil || !strings.HasSuffix(got, " Token new") {
		t.Fatalf("%q, %v", got, err)
	}
	for _, c := range []struct{ header, want string }{
		{"${ABSENT}", "variable ABSENT, which is not set"},
		{"${file:" + file + ".absent}", "read the secret"},
		{"${ABSENT", "not closed"},
	} {
		u := f.open(func(o *Options) { o.Headers = map[string]string{"X-Key": c.header} })
		if _, err := echo(t, u, Credential{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.header, err)
		}
	}
	write("\nempty first line")
	u = f.open(func(o *Options) { o.Headers = map[string]string{"X-Key": "${file:" + file + "}"} })
	if _, err := echo(t, u, Credential{}); err == nil || strings.Contains(err.Error(), "empty first line") {
		t.Error(err)
	}
}

func TestFingerprintsOfDifferentHeadersDiffer(t *testing.T) {
	seen := map[print]string{}
	for _, h := range []http.Header{
		nil, {"A": {"b"}}, {"A": {"b", ""}}, {"A": {"", "b"}}, {"Ab": {""}}, {"A": {"b"}, "C": {"d"}}, {"A": {"bCd"}}, {"A": {"b", "C", "d"}},
	} {
		p := Credential{headers: h}.print()
		if before, ok := seen[p]; ok {
			t.Errorf("%v and %s have one fingerprint", h, before)
		}
		seen[p] = fmt.Sprint(h)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	f := newFixture(t, "stateless")
	u := f.open(forwarding)
	for i := range maxSessions + 5 {
		if _, err := echo(t, u, as(u, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.sessions) != maxSessions {
		t.Errorf("%d sessions", len(u.sessions))
	}
}

func TestIdleSessionsEnd(t *testing.T) {
	f := newFixture(t, "stateful")
	u := f.open(nil)
	u.idle = 20 * time.Millisecond
	mustEcho(t, u)
	for range 500 {
		u.mu.Lock()
		n := len(u.sessions)
		u.mu.Unlock()
		if n == 0 {
			mustEcho(t, u)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the session was kept")
}

func TestClosedUpstreamRefuses(t *testing.T) {
	u := newFixture(t, "stateful").open(nil)
	mustEcho(t, u)
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := echo(t, u, Credential{}); err == nil || !strings.Contains(err.Error(), "shut down") {
		t.Error(err)
	}
}
