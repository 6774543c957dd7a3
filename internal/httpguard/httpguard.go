// Package httpguard holds the middleware that every HTTP face stands behind:
// which Host and Origin may speak to us, what browsers are told across origins,
// how large a body may be, who holds a token, and what happens on a panic.
//
// It decides who may come in, not what they get: routes, rate limits, caching of
// documents and the MCP protocol are elsewhere. Each piece is a plain function
// from options to a [Middleware], to be put together with [Chain].
package httpguard

import (
	"net/http"

	"evergreen"
)

// A Middleware wraps a handler.
type Middleware func(http.Handler) http.Handler

// Chain wraps h so that the first middleware sees a request first.
func Chain(h http.Handler, outermostFirst ...Middleware) http.Handler {
	for i := len(outermostFirst) - 1; i >= 0; i-- {
		h = outermostFirst[i](h)
	}
	return h
}

// A Deny writes a refusal in the dialect of its face. err says what to try
// next. A nil Deny writes the sentence and its hints as plain text.
type Deny func(w http.ResponseWriter, r *http.Request, status int, err *evergreen.Error)

// write refuses the request.
func (d Deny) write(w http.ResponseWriter, r *http.Request, status int, err *evergreen.Error) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if d != nil {
		d(w, r, status, err)
		return
	}
	text := err.Message + "\n"
	for _, hint := range evergreen.Hints(err) {
		text += hint + "\n"
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write([]byte(text))
	}
}
