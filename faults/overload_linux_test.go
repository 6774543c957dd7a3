package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
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
	Busy      int     `json:"busy"`    // 503 among them
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
	out, retry := hammer(t, s, 100, 3*time.Second, question)
	out.Recovered = recovered(t, s, retry).Seconds()
	if out.Served == 0 || out.Refused == 0 || out.Other > 0 || out.RefusedMS > float64(quickly.Milliseconds()) || out.HealthMS > float64(quickly.Milliseconds()) {
		t.Errorf("%+v", out)
	}
	t.Logf("%+v", out)
	testkit.Save(t, "overload", out)
}

// recovered waits as long as was asked for and returns how long it took until a
// question was answered again.
func recovered(t *testing.T, s *server, retry time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	time.Sleep(retry)
	for {
		res, err := http.Get(s.base + "/api/context?topic=filler")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode == http.StatusOK {
			return time.Since(began)
		}
		if time.Since(began) > retry+10*time.Second {
			t.Fatalf("still %s after %s", res.Status, time.Since(began))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// question asks the API.
func question(client *http.Client, base string) (*http.Response, error) {
	return client.Get(base + "/api/context?topic=filler")
}

// hammer lets clients ask without a pause and returns the longest Retry-After.
func hammer(t *testing.T, s *server, clients int, span time.Duration, request func(client *http.Client, base string) (*http.Response, error)) (out overload, retry time.Duration) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), span)
	defer stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var refusals, health []float64
	var all sync.WaitGroup
	ask := func(request func(client *http.Client, base string) (*http.Response, error), note func(res *http.Response, ms float64)) {
		all.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				res, err := request(client, s.base)
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
		ask(request, func(res *http.Response, ms float64) {
			after, err := strconv.Atoi(res.Header.Get("Retry-After"))
			switch refused := res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable; {
			case res.StatusCode == http.StatusOK:
				out.Served++
			case refused && err == nil:
				out.Refused++
				if res.StatusCode == http.StatusServiceUnavailable {
					out.Busy++
				}
				refusals = append(refusals, ms)
				retry = max(retry, time.Duration(after)*time.Second)
			default:
				out.Other++
			}
		})
	}
	healthz := func(client *http.Client, base string) (*http.Response, error) { return client.Get(base + "/healthz") }
	ask(healthz, func(res *http.Response, ms float64) {
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
	out, _ := hammer(t, s, 400, 3*time.Second, question)
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

// TestBusy has many clients order work that takes its time and is done one after
// the other. As many as may wait do; the others are refused at once and told when
// to come back. When they have left the server answers as before.
func TestBusy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of load")
	}
	moreFiles(t)
	t.Setenv("EVERGREEN_SERVER_MAX_REQUESTS", "64")
	b := newBed(t, 60)
	b.write(0)
	b.must("index", b.source, "--name", "docs")
	s := serve(t, b, "--rate-limit", "0")
	order := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"index_local","arguments":{"path":%q,"name":"docs"}}}`, b.source)
	out, retry := hammer(t, s, 400, 3*time.Second, func(client *http.Client, base string) (*http.Response, error) {
		return client.Post(base+"/mcp", "application/json", strings.NewReader(order))
	})
	out.Recovered = recovered(t, s, retry).Seconds()
	if out.Served == 0 || out.Busy == 0 || out.Busy != out.Refused || out.Other > 0 || out.RefusedMS > float64(quickly.Milliseconds()) || out.HealthMS > float64(quickly.Milliseconds()) {
		t.Errorf("%+v", out)
	}
	if err := newLoad(t, s).get("/api/context?topic=filler+text", word(0)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	t.Logf("%+v", out)
	testkit.Save(t, "busy", out)
}
