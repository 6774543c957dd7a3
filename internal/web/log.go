package web

import (
	"net/http"
	"time"
)

// recorder remembers what was answered, for the log. Unwrap keeps flushing and
// deadlines of streams working (http.ResponseController).
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Flush sends what is there; streams need it.
func (w *recorder) Flush() {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush() // without support there is nothing to flush
}

// Unwrap gives http.ResponseController the writer below.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// logged writes one line per request. Questions are not logged: they are the
// users' own.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		rec := &recorder{ResponseWriter: w}
		defer func() { // a connection that is cut is a panic, and a line too
			s.log.Info("request", "method", r.Method, "path", r.URL.Path, "status", rec.status,
				"bytes", rec.bytes, "ms", float64(time.Since(began).Microseconds())/1000, "remote", r.RemoteAddr)
		}()
		next.ServeHTTP(rec, r)
	})
}
