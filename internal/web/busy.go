package web

// This file bounds the requests that are worked on at a time: those beyond are
// refused at once, instead of making everybody wait.

import (
	"io"
	"net/http"
	"strconv"
	"sync/atomic"

	"evergreen"
	"evergreen/internal/httpguard"
)

// crowd counts the requests that are worked on: from when all of a request is
// there until its answer begins. Who is slow to ask or to read takes no place,
// and neither does a stream of events.
type crowd struct {
	most    int64 // 0 is no bound
	present atomic.Int64
	refused atomic.Int64
}

// place is what one request takes of a crowd. The zero value takes none.
type place struct {
	of    *crowd
	taken atomic.Bool
}

// take counts the request.
func (p *place) take() {
	if p.of != nil && p.taken.CompareAndSwap(false, true) {
		p.of.present.Add(1)
	}
}

// leave ends that, once.
func (p *place) leave() {
	if p.taken.CompareAndSwap(true, false) {
		p.of.present.Add(-1)
	}
}

// bounded refuses requests that come while as many are worked on as may be.
// Health is always told.
func (s *Server) bounded(next http.Handler) http.Handler {
	if s.crowd.most <= 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" || r.Method == http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		if s.crowd.present.Load() >= s.crowd.most {
			s.overloaded(w, r)
			return
		}
		p := placeOf(w)
		p.of = &s.crowd
		defer p.leave()
		if r.Body == nil || r.Body == http.NoBody {
			p.take()
		} else {
			r.Body = &arriving{r.Body, p}
		}
		next.ServeHTTP(w, r)
	})
}

// placeOf is the place that the recorder of a request gives up when the answer
// begins.
func placeOf(w http.ResponseWriter) *place {
	for {
		switch t := w.(type) {
		case *recorder:
			return &t.place
		case interface{ Unwrap() http.ResponseWriter }:
			w = t.Unwrap()
		default:
			return new(place)
		}
	}
}

// arriving takes a request's place when its body is there.
type arriving struct {
	io.ReadCloser
	place *place
}

func (b *arriving) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.place.take()
	}
	return n, err
}

// overloaded answers 503. Pages of any origin may read why, where they may read
// at all.
func (s *Server) overloaded(w http.ResponseWriter, r *http.Request) {
	s.crowd.refused.Add(1)
	refusal := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", strconv.Itoa(overloadWait))
		w.Header().Set("Cache-Control", cacheNever)
		s.deny(w, r, http.StatusServiceUnavailable, evergreen.Errorf(evergreen.Exhausted,
			"%d requests are being answered, which is all that this server takes on at once", s.crowd.most).Fix("try again in a second"))
	})
	protocol := s.routeOf(r).handler != nil
	httpguard.CORS(httpguard.CORSOptions{Public: !protocol, Allowed: s.options.Guard.Origins})(refusal).ServeHTTP(w, r)
}
