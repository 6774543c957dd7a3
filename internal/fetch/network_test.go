package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/testkit"

	"github.com/google/go-cmp/cmp"
)

func TestTimeouts(t *testing.T) {
	hold := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			hold(w, r)
		case "/slow": // sends its head, then a byte now and then
			w.Header().Set("Content-Type", "text/plain")
			for r.Context().Err() == nil {
				w.Write([]byte("."))
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		case "/chain": // the limit holds for the whole chain, not for each hop
			time.Sleep(60 * time.Millisecond)
			http.Redirect(w, r, fmt.Sprintf("/chain?%s1", r.URL.RawQuery), http.StatusFound)
		case "/later":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}), func(o *Options) { o.Timeout = 150 * time.Millisecond })
	for _, path := range []string{"/silent", "/slow", "/chain"} {
		if _, err := client.Get(t.Context(), Request{URL: base + path}); evergreen.KindOf(err) != evergreen.Timeout {
			t.Errorf("%s: %v, want a timeout", path, err)
		}
	}
	// A pause beyond the limit is not waited for: the answer is told at once.
	if r, err := client.Get(t.Context(), Request{URL: base + "/later"}); err != nil || r.Status != 503 || r.RetryAfter != time.Hour {
		t.Errorf("/later: %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := client.Get(ctx, Request{URL: base + "/silent"}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestRetries(t *testing.T) {
	var calls atomic.Int32
	var pauses []time.Duration
	drop := func(w http.ResponseWriter) {
		c, _, _ := w.(http.Hijacker).Hijack()
		c.Close()
	}
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := calls.Add(1)
		switch r.URL.Path {
		case "/third-time":
			if n < 3 {
				drop(w)
				return
			}
			fmt.Fprint(w, "ok")
		case "/cut": // promises more than it sends
			if n < 2 {
				w.Header().Set("Content-Length", "100")
				w.Write([]byte("only this"))
				return
			}
			fmt.Fprint(w, "ok")
		case "/never":
			drop(w)
		case "/500":
			w.WriteHeader(500)
		case "/429":
			if n < 2 {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			fmt.Fprint(w, "ok")
		case "/429-without":
			w.WriteHeader(http.StatusTooManyRequests)
		case "/429-always":
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}), func(o *Options) {
		o.Sleep = func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	})
	tests := []struct {
		path   string
		calls  int32
		pauses []time.Duration
		status int // 0 is an error
	}{
		{"/third-time", 3, []time.Duration{retryPause, 2 * retryPause}, 200},
		{"/cut", 2, []time.Duration{retryPause}, 200},
		{"/never", 3, []time.Duration{retryPause, 2 * retryPause}, 0},
		{"/500", 1, nil, 500},
		{"/429", 2, []time.Duration{7 * time.Second}, 200},
		{"/429-without", 1, nil, 429},
		{"/429-always", 3, []time.Duration{time.Second, time.Second}, 429},
	}
	for _, tt := range tests {
		calls.Store(0)
		pauses = nil
		// The transport itself retries on a reused connection; use a new one.
		client.CloseIdle()
		r, err := client.Get(t.Context(), Request{URL: base + tt.path})
		if tt.status == 0 && evergreen.KindOf(err) != evergreen.Upstream {
			t.Errorf("%s: %v, want an upstream error", tt.path, err)
		}
		if tt.status != 0 && (err != nil || r.Status != tt.status) {
			t.Errorf("%s: %+v, %v, want status %d", tt.path, r, err, tt.status)
		}
		if calls.Load() != tt.calls {
			t.Errorf("%s: %d requests, want %d", tt.path, calls.Load(), tt.calls)
		}
		if diff := cmp.Diff(tt.pauses, pauses); diff != "" {
			t.Errorf("%s: %s", tt.path, diff)
		}
	}
}

func TestUnknownHostIsNotAskedAgain(t *testing.T) {
	opts := Defaults()
	opts.Resolver = testkit.NewNames(nil)
	opts.Sleep = func(context.Context, time.Duration) error { t.Error("waited"); return nil }
	_, err := New(opts).Get(t.Context(), Request{URL: "http://nobody.example.com/"})
	if evergreen.KindOf(err) != evergreen.Upstream {
		t.Errorf("got %v", err)
	}
}

func TestDeadAddressIsPassedOver(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") }))
	defer server.Close()
	opts := Defaults()
	opts.Resolver = testkit.NewNames(map[string][][]string{"docs.example.com": {{"93.184.216.34", "93.184.216.35", "93.184.216.36"}}})
	opts.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		switch address {
		case "93.184.216.34:80":
			return nil, errors.New("refused")
		case "93.184.216.35:80": // never answers
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return testkit.Dial(ctx, network, server.Listener.Addr().String())
	}
	client := New(opts)
	defer client.CloseIdle()
	if r, err := client.Get(t.Context(), Request{URL: "http://docs.example.com/"}); err != nil || string(r.Body) != "ok" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestConnectionsPerHost(t *testing.T) {
	var now, most atomic.Int32
	full := make(chan struct{})
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == maxPerHost {
			close(full)
		}
		<-full // all places must be taken before the first one is free again
		fmt.Fprint(w, "ok")
	}))
	var wg sync.WaitGroup
	for range maxPerHost {
		wg.Go(func() {
			if _, err := client.Get(t.Context(), Request{URL: base}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for range 3 * maxPerHost {
		wg.Go(func() {
			if _, err := client.Get(t.Context(), Request{URL: base}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != maxPerHost {
		t.Errorf("%d requests at a time, want %d", most.Load(), maxPerHost)
	}
	if n := len(client.gate.hosts); n != 0 {
		t.Errorf("the gate still knows %d hosts", n)
	}
}

func TestWaitingForAPlaceEndsWithTheContext(t *testing.T) {
	g := newGate(1)
	first := g.slot()
	if err := first.enter(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	second := g.slot()
	if err := second.enter(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	second.leave()
	first.leave()
	if len(g.hosts) != 0 {
		t.Errorf("the gate still knows %v", g.hosts)
	}
}
