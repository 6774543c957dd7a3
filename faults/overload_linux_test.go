package faults

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"evergreen/internal/testkit"
)

// overload is the result of TestOverload.
type overload struct {
	Clients   int     `json:"clients"`
	Seconds   float64 `json:"seconds"`
	Served    int     `json:"served"`  // 200
	Refused   int     `json:"refused"` // 429 or 503, with Retry-After
	Other     int     `json:"other"`
	RefusedMS float64 `json:"refused_p99_ms"`
	HealthMS  float64 `json:"health_max_ms"`
	Recovered float64 `json:"recovered_seconds"` // from the last request to the first 200
}

// quickly is how long a refusal may take at the 99th percentile, and how long a
// server may take to answer again: far above what it does on a machine that
// shares its processors with a compiler.
const quickly = 2 * time.Second

// TestOverload asks far more than one client may. What is refused is refused at
// once and says when to come back; the server is healthy all the while, and
// serves again when the time has come.
func TestOverload(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of load")
	}
	moreFiles(t)
	b := newBed(t, 60)
	b.write(0)
	b.must("index", b.source, "--name", "docs")
	s := serve(t, b, "--rate-limit", "600")
	out, retry := hammer(t, s, 100, 3*time.Second)
	began := time.Now()
	time.Sleep(retry)
	for {
		res, err := http.Get(s.base + "/api/context?topic=filler")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode == http.StatusOK {
			break
		}
		if time.Since(began) > retry+10*time.Second {
			t.Fatalf("still %s after %s", res.Status, time.Since(began))
		}
		time.Sleep(100 * time.Millisecond)
	}
	out.Recovered = time.Since(began).Seconds()
	if out.Served == 0 || out.Refused == 0 || out.Other > 0 || out.RefusedMS > float64(quickly.Milliseconds()) || out.HealthMS > float64(quickly.Milliseconds()) {
		t.Errorf("%+v", out)
	}
	t.Logf("%+v", out)
	testkit.Save(t, "overload", out)
}

// hammer lets clients ask without a pause and returns the longest Retry-After.
func hammer(t *testing.T, s *server, clients int, span time.Duration) (out overload, retry time.Duration) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), span)
	defer stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var refusals, health []float64
	var all sync.WaitGroup
	ask := func(path string, note func(res *http.Response, ms float64)) {
		all.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				res, err := client.Get(s.base + path)
				if err == nil {
					_, err = io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				mu.Lock()
				if err != nil {
					t.Error(err)
				} else {
					note(res, float64(time.Since(began).Microseconds())/1000)
				}
				mu.Unlock()
			}
		})
	}
	for range clients {
		ask("/api/context?topic=filler", func(res *http.Response, ms float64) {
			after, err := strconv.Atoi(res.Header.Get("Retry-After"))
			switch refused := res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable; {
			case res.StatusCode == http.StatusOK:
				out.Served++
			case refused && err == nil:
				out.Refused++
				refusals = append(refusals, ms)
				retry = max(retry, time.Duration(after)*time.Second)
			default:
				out.Other++
			}
		})
	}
	ask("/healthz", func(res *http.Response, ms float64) {
		if res.StatusCode != http.StatusOK {
			t.Error(errors.New("unhealthy: " + res.Status))
		}
		health = append(health, ms)
	})
	all.Wait()
	slices.Sort(refusals)
	slices.Sort(health)
	out.Clients, out.Seconds = clients, span.Seconds()
	if n := len(refusals); n > 0 {
		out.RefusedMS = refusals[n*99/100]
	}
	out.HealthMS = health[len(health)-1]
	return out, retry
}

// TestCrowd asks a server without a rate limit by many clients at once: every
// answer is right or a refusal that says when to come back, and when the crowd
// has left the server answers as before.
func TestCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of load")
	}
	moreFiles(t)
	b := newBed(t, 60)
	b.write(0)
	b.must("index", b.source, "--name", "docs")
	s := serve(t, b, "--rate-limit", "0")
	out, _ := hammer(t, s, 400, 3*time.Second)
	if out.Other > 0 || out.Served == 0 {
		t.Errorf("%+v", out)
	}
	began := time.Now()
	if err := newLoad(t, s).get("/api/context?topic=filler+text", word(0)); err != nil || time.Since(began) > quickly {
		t.Errorf("afterwards: %v in %s", err, time.Since(began))
	}
	out.Recovered = time.Since(began).Seconds()
	t.Logf("%+v", out)
	testkit.Save(t, "crowd", out)
}
