package web

// This file keeps the operator's figures and writes them in the text format of
// Prometheus (version 0.0.4), on a listener of their own.

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"evergreen/internal/httpguard"
)

// Names of routes in the figures, beside those of the table.
const (
	routePage     = "page"
	routeMirror   = "mirror"
	routeResource = "resource"
	routeAsset    = "asset"
	routeMissing  = "missing"
	routeOrigin   = "origin"  // passed on from the site that the layers are put on
	routeRefused  = "refused" // by a guard, before a route was found
)

// metrics are the figures of a server since its start.
type metrics struct {
	running, limited, answered atomic.Int64

	mu      sync.Mutex
	routes  map[string]*routeFigures
	minutes [trafficMinutes]minuteFigures // a ring, by minute since 1970
	now     func() time.Time
}

// routeFigures are those of one route.
type routeFigures struct {
	codes   map[int]int64
	bytes   int64
	buckets []int64 // requests by bounds(), not added up; the last is beyond them
	seconds float64
}

// bounds are the upper ends of the duration buckets, in seconds.
func bounds() []float64 { return []float64{.001, .005, .025, .1, .5, 2.5, 10} }

func newMetrics() *metrics { return &metrics{routes: map[string]*routeFigures{}, now: time.Now} }

// count adds one answered request.
func (m *metrics) count(route string, status int, sent int64, took time.Duration) {
	m.answered.Add(1)
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.routes[route]
	if f == nil {
		f = &routeFigures{codes: map[int]int64{}, buckets: make([]int64, len(bounds())+1)}
		m.routes[route] = f
	}
	m.minute(route, status)
	f.codes[status]++
	f.bytes += sent
	f.seconds += took.Seconds()
	ends := bounds()
	i, _ := slices.BinarySearch(ends[:], took.Seconds())
	f.buckets[i]++
}

// Answered is how many requests were answered since the start.
func (s *Server) Answered() int64 { return s.metrics.answered.Load() }

// Operator answers /metrics and /healthz for those who run the server, at an
// address. Callers must name its host, or one that the site is served by, so that
// no web page can rebind its own name to it; it has no other guards and belongs
// where others cannot reach it.
func (s *Server) Operator(address string) http.Handler {
	guard := httpguard.HostOptions{Hosts: s.hosts()}
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		guard.Hosts = append(guard.Hosts, host)
	}
	return httpguard.Host(guard)(http.HandlerFunc(s.operator))
}

func (s *Server) operator(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", cacheNever)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Use GET.", http.StatusMethodNotAllowed)
	case r.URL.Path == "/metrics":
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		var b bytes.Buffer
		s.writeMetrics(&b)
		_, _ = w.Write(b.Bytes()) // a client that went away is no error of ours
	case r.URL.Path == "/healthz":
		_, _ = io.WriteString(w, "ok\n")
	default:
		http.Error(w, "Only /metrics and /healthz are here.", http.StatusNotFound)
	}
}

// writeMetrics writes every figure, in a fixed order.
func (s *Server) writeMetrics(w io.Writer) {
	family(w, "evergreen_build_info", "gauge", "The program; always 1.")
	fmt.Fprintf(w, "evergreen_build_info{version=%s} 1\n", label(s.options.Version))
	s.mu.Lock()
	revision := ""
	if s.current != nil {
		revision = s.current.revision
	}
	s.mu.Unlock()
	if revision != "" {
		family(w, "evergreen_snapshot_info", "gauge", "The library's state that is served; always 1.")
		fmt.Fprintf(w, "evergreen_snapshot_info{revision=%s} 1\n", label(revision))
	}
	family(w, "evergreen_http_requests_running", "gauge", "Requests being answered.")
	fmt.Fprintf(w, "evergreen_http_requests_running %d\n", s.metrics.running.Load())
	family(w, "evergreen_http_rate_limited_total", "counter", "Requests refused with 429.")
	fmt.Fprintf(w, "evergreen_http_rate_limited_total %d\n", s.metrics.limited.Load())
	family(w, "evergreen_http_overload_total", "counter", "Requests refused with 503 because too many were being answered.")
	fmt.Fprintf(w, "evergreen_http_overload_total %d\n", s.crowd.refused.Load())
	s.metrics.write(w)
	if s.options.Calls != nil {
		s.options.Calls().write(w)
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	family(w, "go_goroutines", "gauge", "Goroutines that exist.")
	fmt.Fprintf(w, "go_goroutines %d\n", runtime.NumGoroutine())
	family(w, "go_memstats_heap_inuse_bytes", "gauge", "Bytes of the heap in use.")
	fmt.Fprintf(w, "go_memstats_heap_inuse_bytes %d\n", memory.HeapInuse)
}

// write writes the figures of the routes.
func (m *metrics) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name := range m.routes {
		names = append(names, name)
	}
	slices.Sort(names)
	family(w, "evergreen_http_requests_total", "counter", "Answered requests.")
	for _, name := range names {
		var codes []int
		for code := range m.routes[name].codes {
			codes = append(codes, code)
		}
		slices.Sort(codes)
		for _, code := range codes {
			fmt.Fprintf(w, "evergreen_http_requests_total{route=%s,code=\"%d\"} %d\n", label(name), code, m.routes[name].codes[code])
		}
	}
	family(w, "evergreen_http_response_bytes_total", "counter", "Bytes of bodies sent.")
	for _, name := range names {
		fmt.Fprintf(w, "evergreen_http_response_bytes_total{route=%s} %d\n", label(name), m.routes[name].bytes)
	}
	family(w, "evergreen_http_request_duration_seconds", "histogram", "Time from request to the end of the answer.")
	for _, name := range names {
		m.routes[name].write(w, label(name))
	}
}

// write writes the histogram of one route.
func (f *routeFigures) write(w io.Writer, route string) {
	total := int64(0)
	for i, n := range f.buckets {
		total += n
		bound := "+Inf"
		if i < len(bounds()) {
			bound = strconv.FormatFloat(bounds()[i], 'g', -1, 64)
		}
		fmt.Fprintf(w, "evergreen_http_request_duration_seconds_bucket{route=%s,le=%q} %d\n", route, bound, total)
	}
	fmt.Fprintf(w, "evergreen_http_request_duration_seconds_sum{route=%s} %g\n", route, f.seconds)
	fmt.Fprintf(w, "evergreen_http_request_duration_seconds_count{route=%s} %d\n", route, total)
}

func family(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// label quotes a value as the format wants it.
func label(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}
