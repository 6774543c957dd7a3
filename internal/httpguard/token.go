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
	Read   string // opens reading; without it and Issued reading is open to all
	Admin  string // opens everything
	Issued Issued // judges every other token; nil refuses them
	// Proxied reports whether a request came from one of our own proxies, which
	// need not say so in a header: whose it is, is never local. nil knows none.
	Proxied func(*http.Request) bool
	Deny    Deny
}

// Issued judges tokens that an authorization server has given out.
type Issued interface {
	// Admit returns the request to go on with and what its token gives, or why
	// the token is refused.
	Admit(r *http.Request) (admitted *http.Request, who Caller, refused *Refusal)
	// Challenge is the WWW-Authenticate header that tells where to get a token.
	// code is an error code of RFC 6750 or "".
	Challenge(r *http.Request, need Access, code string) string
}

// A Caller is who asks, as far as a token tells.
type Caller struct {
	Access  Access
	Subject string // of an issued token, unique among all issuers; "" is unknown
	token   bool   // presented one
}

// A Refusal says why a token is not taken.
type Refusal struct {
	Status int    // of the answer
	Code   string // error code of RFC 6750, "" where the fault is not the token's
	Err    *evergreen.Error
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
			_, presented := bearer(r)
			access, ok := o.access(r)
			who := Caller{Access: access}
			if !ok && o.Issued != nil {
				var refused *Refusal
				if r, who, refused = o.Issued.Admit(r); refused != nil {
					w.Header().Set("WWW-Authenticate", o.Issued.Challenge(r, Read, refused.Code))
					o.Deny.write(w, r, refused.Status, refused.Err)
					return
				}
			} else if !ok {
				unauthorized(o.Deny, o.Issued, w, r, "the token is not valid here")
				return
			}
			who.token = presented
			r = r.WithContext(context.WithValue(r.Context(), callerKey{}, who))
			r.Header = r.Header.Clone()
			r.Header.Set(AccessHeader, who.Access.String())
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
	case Loopback(r) && (o.Proxied == nil || !o.Proxied(r)):
		return Admin, true
	case presented && equal(token, o.Read):
		return Read, true
	case presented && (o.Read != "" || o.Admin != "" || o.Issued != nil):
		return None, false
	case o.Read == "" && o.Issued == nil:
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

type callerKey struct{}

// CallerOf returns who [Token] found, nobody when it did not run.
func CallerOf(ctx context.Context) Caller {
	who, _ := ctx.Value(callerKey{}).(Caller)
	return who
}

// AccessOf returns the access that [Token] found, [None] when it did not run.
func AccessOf(ctx context.Context) Access { return CallerOf(ctx).Access }

// RequireOptions guards a route.
type RequireOptions struct {
	Access Access // the least access that may pass
	Issued Issued // where to get a token; nil is nowhere
	Deny   Deny
}

// Require refuses callers below the access with 401, or with 403 when they have
// some. It belongs inside of [Token].
func Require(o RequireOptions) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			who := CallerOf(r.Context())
			has := who.Access
			switch {
			case has >= o.Access:
				next.ServeHTTP(w, r)
			case has > None && who.token:
				if o.Issued != nil {
					w.Header().Set("WWW-Authenticate", o.Issued.Challenge(r, o.Access, "insufficient_scope"))
				}
				o.Deny.write(w, r, http.StatusForbidden,
					evergreen.Errorf(evergreen.Blocked, "this needs %s access, the token gives %s access", o.Access, has).
						Fix("send the token that the server was started with (--token)"))
			default:
				unauthorized(o.Deny, o.Issued, w, r, "this needs a token with "+o.Access.String()+" access")
			}
		})
	}
}

// unauthorized answers 401 with the challenge that RFC 6750 asks for.
func unauthorized(deny Deny, issued Issued, w http.ResponseWriter, r *http.Request, message string) {
	challenge := `Bearer realm="evergreen"`
	if issued != nil {
		challenge = issued.Challenge(r, Read, "")
	}
	w.Header().Set("WWW-Authenticate", challenge)
	deny.write(w, r, http.StatusUnauthorized,
		evergreen.Errorf(evergreen.Blocked, "%s", message).Fix("send it as `Authorization: Bearer TOKEN`"))
}
