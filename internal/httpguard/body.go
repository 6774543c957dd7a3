package httpguard

// Body cap and panic recovery.

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

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

// PatienceOptions bounds how long a client may take.
type PatienceOptions struct {
	Body   time.Duration // to send its body
	Answer time.Duration // to take its answer, work included; streams may lift it
}

// Patience frees the connection of a client that sends or reads a byte now and
// then to hold on to it. A server-wide timeout would cut event streams.
func Patience(o PatienceOptions) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := http.NewResponseController(w)
			_ = c.SetWriteDeadline(time.Now().Add(o.Answer)) // without support there is none
			if r.Body != nil && r.Body != http.NoBody {
				_ = c.SetReadDeadline(time.Now().Add(o.Body))
				r.Body = &timedBody{ReadCloser: r.Body, lift: func() { _ = c.SetReadDeadline(time.Time{}) }}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// timedBody lifts the deadline once the body was read: what is read then only
// tells the server whether the client is still there.
type timedBody struct {
	io.ReadCloser
	lift func()
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.lift()
	}
	return n, err
}

// RecoverOptions says where panics are told.
type RecoverOptions struct {
	Log  *slog.Logger // nil drops them
	Deny Deny
}

// Recover turns a panic of the handler into a 500 and a log line; what the client
// is told is the panic's value where that is an error of ours. When the
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
				told, ours := p.(*evergreen.Error)
				switch {
				case o.Log == nil:
				case ours:
					o.Log.Error("request failed", "method", r.Method, "path", r.URL.Path, "error", told)
				default:
					o.Log.Error("recovered from a panic", "method", r.Method, "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				}
				if tracked.begun {
					panic(http.ErrAbortHandler)
				}
				clear(w.Header())
				if !ours {
					told = evergreen.Errorf(evergreen.Internal, "internal error").Fix("try again; the details are in the server's log")
				}
				o.Deny.write(w, r, http.StatusInternalServerError, told)
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
