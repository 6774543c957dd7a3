package console

// This file decides who may operate: callers on this machine, those who send the
// server's token, and browsers that have signed in with it.

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
	"evergreen/internal/web"
)

// cookieName is the session's cookie.
const cookieName = "evergreen_operator"

// secret is a new unguessable text.
func secret() string { return rand.Text() + rand.Text() }

// same compares secrets in constant time; nothing equals no secret.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1 && b != ""
}

// sessions are the browsers that are signed in.
type sessions struct {
	now func() time.Time

	mu    sync.Mutex
	until map[string]time.Time
}

func newSessions(now func() time.Time) *sessions {
	return &sessions{now: now, until: map[string]time.Time{}}
}

// open begins a session.
func (s *sessions) open() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.until) >= maxSessions {
		oldest := ""
		for id, until := range s.until {
			if oldest == "" || until.Before(s.until[oldest]) {
				oldest = id
			}
		}
		delete(s.until, oldest)
	}
	id := secret()
	s.until[id] = s.now().Add(sessionAge)
	return id
}

// holds reports whether a session is open.
func (s *sessions) holds(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, ok := s.until[id]
	if ok && !s.now().Before(until) {
		delete(s.until, id)
		return false
	}
	return ok
}

func (s *sessions) close(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.until, id)
}

// signedIn reports whether a request belongs to an open session.
func (c *Console) signedIn(r *http.Request) bool {
	cookie, err := r.Cookie(cookieName)
	return err == nil && c.sessions.holds(cookie.Value)
}

// may reports whether a caller may operate.
func (c *Console) may(r *http.Request) bool {
	return httpguard.AccessOf(r.Context()) >= httpguard.Admin || c.signedIn(r)
}

// turnedAway answers who may not operate: programs with an error, people with
// the way in.
func (c *Console) turnedAway(r *http.Request, at web.View, wrong bool) (web.Reply, error) {
	if wantsJSON(r) {
		return refusal(r, http.StatusUnauthorized, evergreen.Errorf(evergreen.Blocked, "this is for operators").
			Fix("ask from the server's own machine, or send its token as Authorization: Bearer TOKEN"))
	}
	reply, err := page(c.o.Pages.SignInPage(at.Site, at.Lang, wrong, c.o.Token == ""))
	reply.Status = http.StatusForbidden
	return reply, err
}

// signIn opens a session for who knows the token.
func (c *Console) signIn(r *http.Request, at web.View) (web.Reply, error) {
	if !same(r.PostFormValue("secret"), c.o.Token) {
		c.o.Log.Warn("operator: a wrong token was tried")
		return c.turnedAway(r, at, true)
	}
	return back(at, c.cookie(at, c.sessions.open(), int(sessionAge.Seconds()))), nil
}

// signOut ends the session.
func (c *Console) signOut(r *http.Request, at web.View) (web.Reply, error) {
	if cookie, err := r.Cookie(cookieName); err == nil && same(r.PostFormValue("token"), c.form) {
		c.sessions.close(cookie.Value)
	}
	return back(at, c.cookie(at, "", -1)), nil
}

// cookie is the session's, for this site's own pages only.
func (c *Console) cookie(at web.View, value string, age int) *http.Cookie {
	return &http.Cookie{Name: cookieName, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: strings.HasPrefix(at.Base(), "https://")}
}

// back leads a browser to the operator's page.
func back(at web.View, cookie *http.Cookie) web.Reply {
	h := http.Header{"Location": {at.Base() + OperatePath}}
	if cookie != nil {
		h.Set("Set-Cookie", cookie.String())
	}
	return web.Reply{Status: http.StatusSeeOther, Type: "text/plain; charset=utf-8", Body: []byte("See " + OperatePath + "\n"), Header: h}
}

// wantsJSON reports whether a program asks: it sends or takes JSON, or the path
// says so.
func wantsJSON(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, ".json") || sendsJSON(r) || strings.Contains(r.Header.Get("Accept"), "application/json")
}

// sendsJSON reports whether the body is JSON. No form of another site's page can
// send that without having asked first.
func sendsJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}
