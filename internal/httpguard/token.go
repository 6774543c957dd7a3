package httpguard

// Bearer tokens: who may read, who may change things.

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"evergreen"
)

// An Access is what a caller may do; a higher one includes the lower ones.
type Access int

// The levels of access.
const (
	None  Access = iota
	Read         // ask and read
	Admin        // index, delete, operate
)

func (a Access) String() string {
	switch a {
	case Read:
		return "read"
	case Admin:
		return "admin"
	}
	return "none"
}

// AccessHeader carries the caller's access, as written by [Access.String], to
// handlers that see headers only, such as MCP tools. What a client sends under
// this name is dropped.
const AccessHeader = "Evergreen-Access"

// TokenOptions holds the secrets; "" means that there is none.
type TokenOptions struct {
	Read  string // opens reading; without it reading is open to all
	Admin string // opens everything
	Deny  Deny
}

// Token finds out the caller's access, for [AccessOf] and [AccessHeader].
// Callers on this machine (see [Loopback]) have all of it without a token.
// Elsewhere a token that fits neither secret is refused with 401. Answers to
// requests with credentials are marked `private, no-store`.
func Token(o TokenOptions) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
				w = &headerWriter{ResponseWriter: w, begin: func(h http.Header) { h.Set("Cache-Control", "private, no-store") }}
			}
			access, ok := o.access(r)
			if !ok {
				unauthorized(o.Deny, w, r, "the token is not valid here")
				return
			}
			r = r.WithContext(context.WithValue(r.Context(), accessKey{}, access))
			r.Header = r.Header.Clone()
			r.Header.Set(AccessHeader, access.String())
			next.ServeHTTP(w, r)
		})
	}
}

// access decides what the caller may do; ok is false for a wrong token.
func (o TokenOptions) access(r *http.Request) (a Access, ok bool) {
	token, presented := bearer(r)
	switch {
	case presented && equal(token, o.Admin):
		return Admin, true
	case Loopback(r):
		return Admin, true
	case presented && equal(token, o.Read):
		return Read, true
	case presented && (o.Read != "" || o.Admin != ""):
		return None, false
	case o.Read == "":
		return Read, true
	}
	return None, true
}

// bearer returns the token of the Authorization header (RFC 6750, 2.1).
func bearer(r *http.Request) (token string, ok bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// equal compares a token with a secret in constant time; no secret equals
// nothing. Hashing first hides the secret's length too.
func equal(token, secret string) bool {
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && secret != ""
}

type accessKey struct{}

// AccessOf returns the access that [Token] found, [None] when it did not run.
func AccessOf(ctx context.Context) Access {
	a, _ := ctx.Value(accessKey{}).(Access)
	return a
}

// RequireOptions guards a route.
type RequireOptions struct {
	Access Access // the least access that may pass
	Deny   Deny
}

// Require refuses callers below the access with 401, or with 403 when they have
// some. It belongs inside of [Token].
func Require(o RequireOptions) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			has := AccessOf(r.Context())
			_, presented := bearer(r)
			switch {
			case has >= o.Access:
				next.ServeHTTP(w, r)
			case has > None && presented:
				o.Deny.write(w, r, http.StatusForbidden,
					evergreen.Errorf(evergreen.Blocked, "this needs %s access, the token gives %s access", o.Access, has).
						Fix("send the token that the server was started with (--token)"))
			default:
				unauthorized(o.Deny, w, r, "this needs a token with "+o.Access.String()+" access")
			}
		})
	}
}

// unauthorized answers 401 with the challenge that RFC 6750 asks for.
func unauthorized(deny Deny, w http.ResponseWriter, r *http.Request, message string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="evergreen"`)
	deny.write(w, r, http.StatusUnauthorized,
		evergreen.Errorf(evergreen.Blocked, "%s", message).Fix("send it as `Authorization: Bearer TOKEN`"))
}
