package httpguard

// Body cap and panic recovery.

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"evergreen"
)

// BodyOptions bounds request bodies.
type BodyOptions struct {
	Max  int64 // bytes; 0 means [MaxBody]
	Deny Deny
}

// Body refuses a request whose declared length exceeds the cap with 413, and
// makes reading a longer undeclared body fail with [*http.MaxBytesError].
func Body(o BodyOptions) Middleware {
	if o.Max == 0 {
		o.Max = MaxBody
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > o.Max {
				o.Deny.write(w, r, http.StatusRequestEntityTooLarge,
					evergreen.Errorf(evergreen.TooLarge, "the body has %d bytes, at most %d are accepted", r.ContentLength, o.Max).
						Fix("split the request"))
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, o.Max)
			next.ServeHTTP(w, r)
		})
	}
}

// RecoverOptions says where panics are told.
type RecoverOptions struct {
	Log  *slog.Logger // nil drops them
	Deny Deny
}

// Recover turns a panic of the handler into a 500 and a log line. When the
// answer has begun the connection is cut instead, so that nobody takes half of
// an answer for the whole.
func Recover(o RecoverOptions) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			tracked := &headerWriter{ResponseWriter: w}
			defer func() {
				p := recover()
				if p == nil {
					return
				}
				if p == http.ErrAbortHandler {
					panic(p)
				}
				if o.Log != nil {
					o.Log.Error("recovered from a panic", "method", r.Method, "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				}
				if tracked.begun {
					panic(http.ErrAbortHandler)
				}
				clear(w.Header())
				o.Deny.write(w, r, http.StatusInternalServerError,
					evergreen.Errorf(evergreen.Internal, "internal error").Fix("try again; the details are in the server's log"))
			}()
			next.ServeHTTP(tracked, r)
		})
	}
}

// A headerWriter notices the beginning of an answer, and may change its header
// at that moment.
type headerWriter struct {
	http.ResponseWriter
	begun bool
	begin func(http.Header) // nil: nothing to change
}

// WriteHeader implements [http.ResponseWriter]. Informational answers (1xx) are
// no beginning.
func (w *headerWriter) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.start()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *headerWriter) Write(p []byte) (int, error) {
	w.start()
	return w.ResponseWriter.Write(p)
}

// FlushError lets an [http.ResponseController] flush, which begins an answer.
func (w *headerWriter) FlushError() error {
	w.start()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets an [http.ResponseController] reach the connection.
func (w *headerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *headerWriter) start() {
	if w.begun {
		return
	}
	w.begun = true
	if w.begin != nil {
		w.begin(w.Header())
	}
}
