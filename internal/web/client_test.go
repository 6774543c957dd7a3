package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
)

// manyIssued takes the tokens "good SUBJECT" and counts what it is asked.
type manyIssued struct {
	fakeIssued
	asked *int
}

func (f manyIssued) Admit(r *http.Request) (*http.Request, httpguard.Caller, *httpguard.Refusal) {
	*f.asked++
	subject, good := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer good ")
	if !good {
		return r, httpguard.Caller{}, &httpguard.Refusal{Status: 401, Code: "invalid_token", Err: evergreen.Errorf(evergreen.Blocked, "no")}
	}
	r = r.Clone(r.Context())
	r.Header.Del("Authorization")
	return r, httpguard.Caller{Access: httpguard.Read, Subject: subject}, nil
}

// TestSubjectsAreCountedWhereverTheyAre: who holds an issued token has its own
// rate, whatever address it asks from and whoever else asks from there; a token
// that is not good is paid for by the address, before it is looked at.
func TestSubjectsAreCountedWhereverTheyAre(t *testing.T) {
	asked := 0
	s := newLimited(func(o *Options) { o.Guard.Issued = manyIssued{asked: &asked} })
	for i, tt := range []struct {
		address, token string
		status, judged int // judged: whether the token was looked at
	}{
		{"198.51.100.7", "good ada", 200, 1},
		{"198.51.100.7", "good ada", 200, 1},
		{"198.51.100.7", "good ada", 429, 1}, // the burst is two
		{"198.51.100.7", "good bob", 200, 1}, // another subject at the same address
		{"203.0.113.9", "good ada", 429, 1},  // the same one at another
		{"203.0.113.9", "good bob", 200, 1},
		{"203.0.113.9", "good bob", 429, 1},
		{"203.0.113.9", "bad", 401, 1},
		{"203.0.113.9", "bad", 401, 1},
		{"203.0.113.9", "bad", 429, 0},      // guessing has used the address up
		{"203.0.113.9", "good eve", 429, 0}, // for whoever is there
		{"198.51.100.7", "good eve", 200, 1},
		{"192.0.2.1", "", 401, 0},
		{"192.0.2.1", "", 401, 0},
		{"192.0.2.1", "", 429, 0},
	} {
		r := httptest.NewRequest("GET", "http://localhost/api/context", nil)
		r.RemoteAddr = tt.address + ":1000"
		if tt.token != "" {
			r.Header.Set("Authorization", "Bearer "+tt.token)
		}
		before, w := asked, httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if judged := asked - before; w.Code != tt.status || tt.token != "" && judged != tt.judged {
			t.Errorf("%d: %q at %s: %d, judged %d times, want %d and %d", i, tt.token, tt.address, w.Code, judged, tt.status, tt.judged)
		}
		if w.Code == 429 && (w.Header().Get("Retry-After") == "" || w.Header().Get("Ratelimit") == "") {
			t.Errorf("%d: %v", i, w.Header())
		}
	}
}

// TestGivingBack: a unit that is given back can be spent again, and no more than
// the burst ever can.
func TestGivingBack(t *testing.T) {
	l := newLimiter("api", Rate{PerMinute: 60, Burst: 2}, 10)
	now := time.Unix(1000, 0)
	for range 5 {
		if !l.take("a", now).ok {
			t.Fatal("what was given back cannot be spent")
		}
		l.giveBack("a")
	}
	l.giveBack("a")
	l.giveBack("nobody")
	for i, want := range []bool{true, true, false} {
		if got := l.take("a", now).ok; got != want {
			t.Errorf("take %d: %v", i, got)
		}
	}
}

// TestClientsKeepTheirNames: the name of a client is that of its subject or of
// what its token opens, and does not change with its address or the token.
func TestClientsKeepTheirNames(t *testing.T) {
	names := map[string]string{}
	for _, secret := range []string{"first", "second"} {
		s := newServer(&fakeEngine{}, func(o *Options) {
			o.Guard.AdminToken, o.Guard.ReadToken, o.Guard.Issued = secret, "read", fakeIssued{}
			o.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = w.Write([]byte(r.Header.Get(clientHeader)))
			})
		})
		for _, address := range []string{"198.51.100.7", "203.0.113.9"} {
			for who, token := range map[string]string{"admin": secret, "read": "read", "ada": "good"} {
				r := httptest.NewRequest("POST", "http://localhost/mcp", nil)
				r.RemoteAddr = address + ":1000"
				r.Header.Set("Authorization", "Bearer "+token)
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				name := w.Body.String()
				if names[who] == "" {
					names[who] = name
				}
				if w.Code != 200 || name == "" || names[who] != name {
					t.Errorf("%s at %s: %d, named %q, before %q", who, address, w.Code, name, names[who])
				}
			}
		}
	}
	if names["admin"] == names["read"] || names["admin"] == names["ada"] || names["read"] == names["ada"] {
		t.Errorf("clients share a name: %v", names)
	}
}
