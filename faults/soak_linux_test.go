package faults

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"testing"
	"time"

	"evergreen/internal/testkit"
)

// The load of a soak, and how flat it has to be. A line is fitted through the
// second half of the samples; it may rise over that half by flatShare of the
// mean or by the absolute figure, whichever is more: garbage is collected in
// steps, and a short run sees few of them.
const (
	soakConnections = 2000
	soakStreams     = 500
	soakSlow        = 40
	flatShare       = 0.10
	flatMemoryMB    = 20
	flatCount       = 25 // goroutines, descriptors
)

// soak is the result of TestSoak.
type soak struct {
	Seconds     float64  `json:"seconds"`
	Processors  int      `json:"processors"`
	Requests    int64    `json:"requests"`
	Wrong       int64    `json:"wrong"`
	Connections int      `json:"connections"`
	Streams     int      `json:"streams"`
	Events      int64    `json:"events"` // told on the streams
	Slow        int64    `json:"slow"`   // slow clients served or cut off
	Crawls      int64    `json:"crawls"` // of a site, by the server
	Commits     int64    `json:"commits"`
	Start       sample   `json:"start"`
	End         sample   `json:"end"`
	After       sample   `json:"after"` // when all clients have left
	Rises       []rise   `json:"rises"`
	Samples     []sample `json:"samples"`
}

type rise struct {
	What    string  `json:"what"`
	Rise    float64 `json:"rise"`    // over the second half
	Allowed float64 `json:"allowed"` // at most
	Mean    float64 `json:"mean"`
}

// TestSoak keeps a server busy with searches, MCP calls, pages, crawls and
// commits of another process, while 2,000 connections are kept alive, 500
// streams listen and slow clients dawdle. EVERGREEN_SOAK is how long, such as
// 10m; without it the test is skipped.
func TestSoak(t *testing.T) {
	span, err := time.ParseDuration(os.Getenv("EVERGREEN_SOAK"))
	if err != nil {
		t.Skip("EVERGREEN_SOAK names no duration")
	}
	files := moreFiles(t)
	connections, streams := soakConnections, soakStreams
	if need := connections + streams + 1000; files < need {
		connections, streams = connections*files/need/2, streams*files/need/2
		t.Logf("only %d files may be open: %d connections and %d streams instead", files, connections, streams)
	}
	k := &killer{bed: newBed(t, 60)}
	k.site = httptest.NewServer(http.HandlerFunc(k.servePage))
	t.Cleanup(k.site.Close)
	k.write(0)
	k.must("index", k.source, "--name", "docs")
	s := serve(t, k.bed, "--rate-limit", "0", "--allow-private", "--timeout", "20s")
	l := newLoad(t, s)
	ctx, stop := context.WithCancel(context.Background())
	for range connections {
		if err := l.keepAlive(ctx, 20*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	for range streams {
		if err := l.listen(ctx); err != nil {
			t.Fatal(err)
		}
	}
	l.mix(ctx, k)
	out := soak{Processors: runtime.NumCPU(), Connections: connections, Streams: streams}
	out.Samples = l.watch(span)
	if int(l.streams.Load()) != streams || int(l.connections.Load()) != connections {
		t.Errorf("%d of %d streams and %d of %d connections are left", l.streams.Load(), streams, l.connections.Load(), connections)
	}
	stop()
	l.workers.Wait()
	l.client.CloseIdleConnections()
	out.settle(t, l)
	if err := l.get("/docs/docs/d001", word(k.at)); err != nil {
		t.Errorf("what the other process committed last is not seen: %v", err)
	}
}

// settle looks at the server when everyone has left, and judges.
func (out *soak) settle(t *testing.T, l *load) {
	t.Helper()
	time.Sleep(3 * time.Second)
	after, err := l.server.sample(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	out.Start, out.End, out.After = out.Samples[0], out.Samples[len(out.Samples)-1], after
	out.Seconds = out.End.Seconds
	out.Requests, out.Wrong, out.Events = l.requests.Load(), l.wrong.Load(), l.events.Load()
	out.Slow, out.Crawls, out.Commits = l.slow.Load(), l.crawls.Load(), l.commits.Load()
	for _, c := range []struct {
		what     string
		absolute float64
		of       func(sample) float64
	}{
		{"memory, MB", flatMemoryMB, func(s sample) float64 { return s.MemoryMB }},
		{"goroutines", flatCount, func(s sample) float64 { return s.Goroutines }},
		{"descriptors", flatCount, func(s sample) float64 { return s.Descriptors }},
	} {
		up, mean := growth(out.Samples, c.of)
		r := rise{What: c.what, Rise: up, Mean: mean, Allowed: max(c.absolute, flatShare*mean)}
		out.Rises = append(out.Rises, r)
		if r.Rise > r.Allowed {
			t.Errorf("%s rise by %.1f over the second half, from a mean of %.1f; allowed are %.1f", r.What, r.Rise, r.Mean, r.Allowed)
		}
	}
	if after.Goroutines > 200 || after.Descriptors > 200 {
		t.Errorf("after all have left there are %v goroutines and %v descriptors", after.Goroutines, after.Descriptors)
	}
	if out.Wrong > 0 || out.Events == 0 || out.Crawls == 0 || out.Commits == 0 || out.Slow == 0 {
		t.Errorf("%d wrong answers; %d events, %d crawls, %d commits, %d slow clients", out.Wrong, out.Events, out.Crawls, out.Commits, out.Slow)
	}
	t.Logf("%.0f s, %d requests, %d wrong; %d events, %d crawls, %d commits, %d slow; start %+v, end %+v, after %+v; rises %+v",
		out.Seconds, out.Requests, out.Wrong, out.Events, out.Crawls, out.Commits, out.Slow, out.Start, out.End, out.After, out.Rises)
	if n := l.endured.Load(); n > 0 {
		t.Errorf("%d requests were still awaited after %s", n, patience)
	}
	testkit.Save(t, "soak", out)
}

// mix starts everything that goes on beside the idle connections.
func (l *load) mix(ctx context.Context, k *killer) {
	const pause = 40 * time.Millisecond
	l.each(ctx, pause, func() error { return l.get("/api/context?topic=filler+text&budget=1000", "filler") })
	l.each(ctx, pause, func() error { return l.get("/search?q=filler", "d001") })
	l.each(ctx, pause, func() error { return l.get("/docs/docs/d001", "filler") })
	l.each(ctx, 4*pause, func() error { return l.get("/llms-full.txt", "filler") })
	l.each(ctx, pause, func() error { return l.call(toolCall("search_sections", `{"query":"filler"}`), "docs::") })
	l.each(ctx, pause, func() error { return l.call(toolCall("search_context", `{"topic":"filler text"}`), "filler") })
	l.each(ctx, 10*pause, func() error { return l.call(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "search_sections") })
	l.each(ctx, 2*time.Second, func() error {
		k.page.Add(1)
		defer l.crawls.Add(1)
		return l.call(toolCall("index_url", fmt.Sprintf(`{"url":%q,"name":"site"}`, k.site.URL+"/p/")), "Indexed")
	})
	l.each(ctx, 3*time.Second, func() error {
		k.at++
		k.write(k.at)
		_, stderr, code := k.run("index", k.source, "--name", "docs")
		if code != 0 {
			return fmt.Errorf("index: %s", stderr)
		}
		l.commits.Add(1)
		return nil
	})
	for i := range soakSlow {
		l.each(ctx, 100*time.Millisecond, func() error { l.dawdle(ctx, i%2 == 0); return nil })
	}
}

// watch samples the server until the time is over.
func (l *load) watch(span time.Duration) (samples []sample) {
	warm := span / 10
	time.Sleep(warm)
	every := max((span-warm)/120, 500*time.Millisecond)
	for began := time.Now(); time.Since(began) < span-warm; time.Sleep(every) {
		s, err := l.server.sample(began)
		if err != nil {
			l.t.Fatal(err)
		}
		samples = append(samples, s)
	}
	return samples
}
