package web

// This file writes the access log and counts requests.

import (
	"log/slog"
	"net/http"
	"time"
)

// recorder remembers what was answered, for the log and the metrics. Unwrap
// keeps flushing and deadlines of streams working (http.ResponseController).
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	route  string
	place  place // given up when the answer begins
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
		w.place.leave()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
		w.place.leave()
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Flush sends what is there; streams need it.
func (w *recorder) Flush() {
	if w.status == 0 {
		w.status = http.StatusOK
		w.place.leave()
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush() // without support there is nothing to flush
}

// Unwrap gives http.ResponseController the writer below.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// tally says under which route a request is counted.
func tally(w http.ResponseWriter, route string) {
	for {
		switch t := w.(type) {
		case *recorder:
			t.route = route
			return
		case interface{ Unwrap() http.ResponseWriter }:
			w = t.Unwrap()
		default:
			return
		}
	}
}

// routeOf is the route under which a request is counted so far.
func routeOf(w http.ResponseWriter) string {
	for {
		switch t := w.(type) {
		case *recorder:
			return t.route
		case interface{ Unwrap() http.ResponseWriter }:
			w = t.Unwrap()
		default:
			return routeMissing
		}
	}
}

// logged writes one line per request and counts it. Questions are not logged:
// they are the users' own.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		rec := &recorder{ResponseWriter: w, route: routeRefused}
		s.metrics.running.Add(1)
		defer func() { // a connection that is cut is a panic, and a line too
			took := time.Since(began)
			s.metrics.running.Add(-1)
			s.metrics.count(rec.route, rec.status, rec.bytes, took)
			if s.log.Enabled(r.Context(), slog.LevelInfo) {
				s.log.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("method", r.Method),
					slog.String("path", r.URL.Path), slog.Int("status", rec.status), slog.Int64("bytes", rec.bytes),
					slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("client", s.address(r).String()))
			}
		}()
		next.ServeHTTP(rec, r)
	})
}
