package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
)

// BenchmarkThroughput stands our answers beside a bare handler that writes the
// same bytes, over the same connections.
func BenchmarkThroughput(b *testing.B) {
	s := newServer(&fakeEngine{})
	for _, target := range []string{"/llms.txt", "/docs/guide/keys", "/docs/guide/keys.md", "/api/context?topic=a"} {
		body, err := io.ReadAll(ask(s, "GET", target).Body)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("ours"+target, func(b *testing.B) { throughput(b, s, target) })
		b.Run("bare"+target, func(b *testing.B) {
			throughput(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", typeText)
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
				_, _ = w.Write(body) // as ours does
			}), target)
		})
	}
}

func throughput(b *testing.B, h http.Handler, target string) {
	server := httptest.NewServer(h)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	b.SetParallelism(50)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			r, err := client.Get(server.URL + target)
			if err != nil {
				b.Error(err)
				return
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil || r.StatusCode != 200 {
				b.Errorf("%d %v", r.StatusCode, err)
			}
			_ = r.Body.Close()
		}
	})
}

// BenchmarkHandler is what the face itself costs, without a network.
func BenchmarkHandler(b *testing.B) {
	s := newServer(&fakeEngine{}, func(o *Options) { o.Rate = RateOf(1 << 40) })
	for _, target := range []string{"/llms.txt", "/docs/guide/keys", "/api/context?topic=a"} {
		b.Run(target, func(b *testing.B) {
			r := httptest.NewRequest("GET", "http://localhost"+target, nil)
			r.Header.Set("Accept-Encoding", "gzip, zstd")
			b.ReportAllocs()
			for b.Loop() {
				s.ServeHTTP(&discard{header: http.Header{}}, r)
			}
		})
	}
}

// discard takes an answer and forgets it.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}
